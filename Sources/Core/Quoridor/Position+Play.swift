/// Moves: which there are, why one is none, and what comes of it.
extension Position {
  /// Why the seat whose turn it is may not do this; nil when it may.
  package func refusal(of move: Move) -> MoveRefusal? {
    guard !isOver else { return .gameOver }
    switch move {
    case .pawn(let square):
      return pawnTargets() & square.bit == 0 ? .pawnCannotGoThere : nil
    case .wall(let wall):
      guard wallCount(Int(mover)) > 0 else { return .noWallsLeft }
      guard fitting.contains(wall) else {
        let across = wall.direction == .horizontal ? walls.vertical : walls.horizontal
        return across & wall.bit != 0 ? .wallCrosses : .wallOverlaps
      }
      return leavesPaths(wall) ? nil : .wallClosesLastPath
    case .pass:
      var floods = 0
      return pawnTargets() == 0 && legalWalls(floods: &floods).isEmpty ? nil : .mustMove
    }
  }

  /// Makes a move, or refuses it and stays as it is.
  package mutating func play(_ move: Move) throws(MoveRefusal) {
    if let refusal = refusal(of: move) { throw refusal }
    make(move)
  }

  /// Makes a move that is known to be legal.
  @inline(__always)
  mutating func make(_ move: Move) {
    switch move {
    case .pawn(let square): setPawn(Int(mover), square.index)
    case .wall(let wall):
      place(wall)
      left &-= 1 &<< UInt32(truncatingIfNeeded: mover &* 8)
    case .pass: break
    }
    passTurn()
  }

  /// Every legal move: squares and walls from a1 on by rows, horizontal walls before vertical ones.
  package var legalMoves: [Move] {
    var floods = 0
    return legalMoves(floods: &floods)
  }

  /// The same; `floods` counts the searches that it took.
  package func legalMoves(floods: inout Int) -> [Move] {
    guard !isOver else { return [] }
    var targets = pawnTargets()
    var walls = legalWalls(floods: &floods)
    var out: [Move] = []
    out.reserveCapacity(targets.nonzeroBitCount + walls.count)
    while targets != 0 {
      out.append(.pawn(Square(UInt8(truncatingIfNeeded: targets.trailingZeroBitCount))))
      targets &= targets &- 1
    }
    while let wall = walls.popFirst() { out.append(.wall(wall)) }
    return out.isEmpty ? [.pass] : out
  }

  /// A seat gives up: its pawn leaves the board and its turn is skipped from here on.
  ///
  /// Its walls stay.
  package mutating func giveUp(_ seat: Int) {
    guard (0..<Int(seats)).contains(seat), pawnIndex(seat) != Position.absent, !isOver else {
      return
    }
    setPawn(seat, Position.absent)
    if Int(mover) == seat { passTurn() }
  }
}
