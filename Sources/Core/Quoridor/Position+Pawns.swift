/// Steps and jumps.
extension Position {
  /// Squares next to those of `mask` that no wall keeps apart from them, beside the mask itself.
  @inline(__always)
  func neighbours(_ mask: UInt128) -> UInt128 {
    var out = (mask & openNorth) &<< 9
    out |= (mask &>> 9) & openNorth
    out |= (mask & openEast) &<< 1
    out |= (mask &>> 1) & openEast
    return out
  }

  /// Where the pawn of the seat whose turn it is may go.
  ///
  /// A square with a pawn that faces it is jumped over: straight, or, when a wall or the board's edge is
  /// behind it, to the left or right of it. Never onto a pawn, and never over two.
  func pawnTargets() -> UInt128 {
    let from = bit(of: Int(mover))
    let others = occupied & ~from
    let next = neighbours(from)
    let faced = next & others
    if faced == 0 { return next }
    return next & ~others | jumps(from: from, others: others)
  }

  /// Where jumps end, not onto a pawn.
  private func jumps(from: UInt128, others: UInt128) -> UInt128 {
    var out: UInt128 = 0
    for direction in Direction.all {
      let over = step(from, direction)
      guard over & others != 0 else { continue }
      let beyond = step(over, direction)
      if beyond & others == 0 && beyond != 0 {
        out |= beyond
      } else if beyond == 0 || jumps == .sideways {
        for side in direction.sides { out |= step(over, side) & ~others & ~from }
      }
    }
    return out
  }

  /// One of the four ways.
  enum Direction: UInt8 {
    case east, west, north, south

    static var all: [Direction] { [.east, .west, .north, .south] }

    /// Columns and rows that a step adds.
    @inline(__always)
    var offset: (aside: Int, ahead: Int) {
      switch self {
      case .north: (0, 1)
      case .south: (0, -1)
      case .east: (1, 0)
      case .west: (-1, 0)
      }
    }

    /// The walls that would close the way from a square; the way must be on the board.
    @inline(__always)
    func closing(column: Int, row: Int) -> WallSet {
      switch self {
      case .north:
        WallSet(horizontal: Board.slotsNorth(column: column, row: row), vertical: 0)
      case .south:
        WallSet(horizontal: Board.slotsNorth(column: column, row: row &- 1), vertical: 0)
      case .east: WallSet(horizontal: 0, vertical: Board.slotsEast(column: column, row: row))
      case .west:
        WallSet(horizontal: 0, vertical: Board.slotsEast(column: column &- 1, row: row))
      }
    }

    var sides: [Direction] {
      switch self {
      case .north, .south: [.west, .east]
      case .east, .west: [.north, .south]
      }
    }
  }

  /// The square that a step leads to; empty when a wall or the edge is in the way.
  @inline(__always)
  func step(_ from: UInt128, _ direction: Direction) -> UInt128 {
    switch direction {
    case .north: (from & openNorth) &<< 9
    case .south: (from &>> 9) & openNorth
    case .east: (from & openEast) &<< 1
    case .west: (from &>> 1) & openEast
    }
  }
}
