/// Counts sequences of legal moves: the numbers that programs compare when they check one another.
///
/// A sequence that has ended the game has no continuation, so it counts only at its own length.
package enum Perft {
  /// What a count has cost.
  package struct Cost: Sendable {
    /// Positions whose legal moves were found.
    package var positions = 0
    /// Searches from a pawn to its goal.
    package var floods = 0

    /// Nothing yet.
    package init() {}
  }

  /// Sequences of exactly `depth` moves; the last move of each is counted, not made.
  package static func count(_ position: Position, depth: Int, cost: inout Cost) -> UInt64 {
    guard depth > 0 else { return 1 }
    guard !position.isOver else { return 0 }
    return descend(position, depth, &cost)
  }

  /// The same without its cost.
  package static func count(_ position: Position, depth: Int) -> UInt64 {
    var cost = Cost()
    return count(position, depth: depth, cost: &cost)
  }

  /// For each legal move, the sequences that begin with it.
  package static func divide(_ position: Position, depth: Int) -> [(move: Move, count: UInt64)] {
    guard depth > 0 else { return [] }
    return position.legalMoves.map { move in
      var next = position
      next.make(move)
      return (move, count(next, depth: depth - 1))
    }
  }

  /// The same count with every last position made; `mark` comes to depend on each of them, so that no
  /// compiler leaves one out.
  package static func countMade(_ position: Position, depth: Int, mark: inout UInt64) -> UInt64 {
    guard depth > 0 else { return 1 }
    guard !position.isOver else { return 0 }
    return descendMaking(position, depth, &mark)
  }

  /// `position` is not over and `depth` is above 0.
  private static func descend(_ position: Position, _ depth: Int, _ cost: inout Cost) -> UInt64 {
    cost.positions &+= 1
    var targets = position.pawnTargets()
    var walls = position.legalWalls(floods: &cost.floods)
    let moves = targets.nonzeroBitCount &+ walls.count
    if depth == 1 { return moves == 0 ? 1 : UInt64(moves) }
    var total: UInt64 = 0
    if moves == 0 {
      var next = position
      next.passTurn()
      return descend(next, depth &- 1, &cost)
    }
    let goal = position.goal(of: Int(position.mover))
    targets &= ~goal
    while targets != 0 {
      let square = UInt8(truncatingIfNeeded: targets.trailingZeroBitCount)
      targets &= targets &- 1
      var next = position
      next.make(.pawn(Square(square)))
      total &+= descend(next, depth &- 1, &cost)
    }
    while let wall = walls.popFirst() {
      var next = position
      next.make(.wall(wall))
      total &+= descend(next, depth &- 1, &cost)
    }
    return total
  }

  private static func descendMaking(
    _ position: Position, _ depth: Int, _ mark: inout UInt64
  ) -> UInt64 {
    var floods = 0
    var targets = position.pawnTargets()
    var walls = position.legalWalls(floods: &floods)
    let goal = position.goal(of: Int(position.mover))
    if targets == 0 && walls.isEmpty {
      var next = position
      next.make(.pass)
      return visit(next, depth, false, &mark)
    }
    var total: UInt64 = 0
    while targets != 0 {
      let square = Square(UInt8(truncatingIfNeeded: targets.trailingZeroBitCount))
      targets &= targets &- 1
      var next = position
      next.make(.pawn(square))
      total &+= visit(next, depth, square.bit & goal != 0, &mark)
    }
    while let wall = walls.popFirst() {
      var next = position
      next.make(.wall(wall))
      total &+= visit(next, depth, false, &mark)
    }
    return total
  }

  @inline(__always)
  private static func visit(
    _ next: Position, _ depth: Int, _ isOver: Bool, _ mark: inout UInt64
  ) -> UInt64 {
    if depth == 1 {
      mark = (mark ^ next.mark) &* 0x9e37_79b9_7f4a_7c15
      return 1
    }
    return isOver ? 0 : descendMaking(next, depth &- 1, &mark)
  }
}

extension Position {
  /// A number that every part of the position goes into.
  fileprivate var mark: UInt64 {
    var out = walls.horizontal &* 3 ^ walls.vertical
    out = out &* 5 ^ UInt64(truncatingIfNeeded: openNorth)
    out = out &* 5 ^ UInt64(truncatingIfNeeded: openNorth &>> 64)
    out = out &* 5 ^ UInt64(truncatingIfNeeded: openEast)
    out = out &* 5 ^ UInt64(truncatingIfNeeded: openEast &>> 64)
    return out &* 5 ^ UInt64(pawns) &* 11 ^ UInt64(left) &* 13 ^ UInt64(mover)
  }
}
