extension Position {
  /// Slots of walls that make no path longer now but may do so later: those that touch a wall that stands, and
  /// those around a pawn.
  var nearby: WallSet {
    let h = walls.horizontal
    let v = walls.vertical
    let heldByH = h | (h &<< 1) & ~Board.slotColumnA | (h &>> 1) & ~Board.slotColumnH
    let held = heldByH | v | v &<< 8 | v &>> 8
    var out = WallSet(
      horizontal: held | (held &<< 1) & ~Board.slotColumnA | (held &>> 1) & ~Board.slotColumnH,
      vertical: held | held &<< 8 | held &>> 8)
    for seat in 0..<Int(seats) where pawnIndex(seat) != Position.absent {
      let around = Position.around(pawnIndex(seat))
      out.horizontal |= around
      out.vertical |= around
    }
    return out
  }

  /// The slots whose walls touch a square or one beside it.
  @inline(__always)
  private static func around(_ square: UInt8) -> UInt64 {
    let row = Int(square) / 9
    let column = Int(square) &- row &* 9
    let columns = ((0b1111 as UInt64) &<< UInt64(truncatingIfNeeded: column)) &>> 2 & 0xff
    var out: UInt64 = 0
    for slot in max(0, row &- 2)...min(7, row &+ 1) {
      out |= columns &<< UInt64(truncatingIfNeeded: slot &* 8)
    }
    return out
  }
}

extension WallSet {
  /// Whether the wall with a move's code is one of them.
  @inline(__always)
  func contains(code: UInt8) -> Bool {
    let slot = UInt64(truncatingIfNeeded: (code &- 81) & 63)
    return (code < 145 ? horizontal : vertical) &>> slot & 1 != 0
  }

  /// Puts a wall in.
  @inline(__always)
  mutating func insert(_ wall: Wall) {
    switch wall.direction {
    case .horizontal: horizontal |= wall.bit
    case .vertical: vertical |= wall.bit
    }
  }
}

extension Move {
  /// The move of a code that is known to be one.
  @inline(__always)
  init(known code: UInt8) {
    switch code {
    case ..<81: self = .pawn(Square(code))
    case ..<145: self = .wall(Wall(slot: code &- 81, .horizontal))
    case ..<209: self = .wall(Wall(slot: code &- 145, .vertical))
    default: self = .pass
    }
  }
}
