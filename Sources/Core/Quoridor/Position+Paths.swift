/// Searches over the open edges; pawns are in nobody's way.
extension Position {
  /// Whether squares of `goal` can be reached from `start` once `wall` stands.
  @inline(__always)
  func isOpen(behind wall: Wall, from start: UInt128, to goal: UInt128) -> Bool {
    switch wall.direction {
    case .horizontal:
      Position.isOpen(openNorth & ~Board.closedNorth(wall.slot), openEast, from: start, to: goal)
    case .vertical:
      Position.isOpen(openNorth, openEast & ~Board.closedEast(wall.slot), from: start, to: goal)
    }
  }

  /// Whether there is a way at all: one flood.
  ///
  /// Each round goes on from what its own first steps have reached, which needs fewer rounds than a search
  /// by distance.
  @inline(__always)
  static func isOpen(
    _ openNorth: UInt128, _ openEast: UInt128, from start: UInt128, to goal: UInt128
  ) -> Bool {
    var reached = start
    while true {
      let before = reached
      reached |= (reached & openNorth) &<< 9
      reached |= (reached &>> 9) & openNorth
      reached |= (reached & openEast) &<< 1
      reached |= (reached &>> 1) & openEast
      if reached & goal != 0 { return true }
      if reached == before { return false }
    }
  }

  /// The longest way there can be: through every square.
  static var longest: Int { Square.count - 1 }

  /// Steps to the nearest square of `goal`; nil when there is no way.
  @inline(__always)
  static func distance(
    _ openNorth: UInt128, _ openEast: UInt128, from start: UInt128, to goal: UInt128
  ) -> Int? {
    var reached = start
    var steps = 0
    while reached & goal == 0 {
      var next = reached
      next |= (reached & openNorth) &<< 9
      next |= (reached &>> 9) & openNorth
      next |= (reached & openEast) &<< 1
      next |= (reached &>> 1) & openEast
      if next == reached { return nil }
      reached = next
      steps &+= 1
    }
    return steps
  }

  /// Steps to the nearest square of `goal` once `wall` stands; nil when there is no way then.
  @inline(__always)
  func distance(behind wall: Wall, from start: UInt128, to goal: UInt128) -> Int? {
    switch wall.direction {
    case .horizontal:
      Position.distance(
        openNorth & ~Board.closedNorth(wall.slot), openEast, from: start, to: goal)
    case .vertical:
      Position.distance(openNorth, openEast & ~Board.closedEast(wall.slot), from: start, to: goal)
    }
  }

  /// Steps that a seat's pawn needs to its goal, were it alone on the board.
  package func distance(of seat: Int) -> Int {
    Position.distance(openNorth, openEast, from: bit(of: seat), to: goal(of: seat))
      ?? Position.longest
  }

  /// Those of `doubtful` that would cut one shortest path from `start` to `goal`: one flood.
  ///
  /// `start` is a single square. Of several shortest paths it tries for one that few of them cut; to go aside
  /// as early as may be turned out to be cut least.
  func cutting(_ doubtful: WallSet, from start: UInt128, to goal: UInt128) -> WallSet {
    var steps = 0
    return cutting(doubtful, from: start, to: goal, steps: &steps)
  }

  /// The same, with the length of the path.
  @inline(__always)
  func cutting(
    _ doubtful: WallSet, from start: UInt128, to goal: UInt128, steps: inout Int
  ) -> WallSet {
    withUnsafeTemporaryAllocation(of: UInt128.self, capacity: Square.count) { layers in
      // The squares within 0, 1, 2... steps of the goal, until the start is among them.
      var reached = goal
      var count = 0
      while reached & start == 0 {
        layers[count] = reached
        count &+= 1
        let next = reached | neighbours(reached)
        if next == reached || count == Square.count { return .none }
        reached = next
      }
      steps = count
      return walk(from: start, by: UnsafeBufferPointer(layers), count, doubtful)
    }
  }

  /// Walks down the layers, collecting the doubtful walls that would be in the way.
  @inline(__always)
  private func walk(
    from start: UInt128, by layers: UnsafeBufferPointer<UInt128>, _ count: Int,
    _ doubtful: WallSet
  ) -> WallSet {
    var square = start
    let index = start.trailingZeroBitCount
    var row = index / 9
    var column = index &- row &* 9
    var cut = WallSet.none
    for layer in stride(from: count &- 1, through: 0, by: -1) {
      let closer = layers[layer]
      var best = WallSet.none
      var next: UInt128 = 0
      var (ahead, aside) = (0, 0)
      for direction in Direction.all {
        let end = step(square, direction)
        guard end & closer != 0 else { continue }
        let walls = direction.closing(column: column, row: row).intersection(doubtful)
        guard next == 0 || walls.isEmpty else { continue }
        (best, next) = (walls, end)
        (aside, ahead) = direction.offset
        if walls.isEmpty { break }
      }
      square = next
      column &+= aside
      row &+= ahead
      cut = cut.union(best)
    }
    return cut
  }

  /// The squares of one shortest path of a seat, from the pawn's own to the goal.
  package func shortestPath(of seat: Int) -> [Square] {
    let goal = goal(of: seat)
    var square = bit(of: seat)
    guard square != 0 else { return [] }
    var layers: [UInt128] = [goal]
    while let last = layers.last, last & square == 0 {
      let next = last | neighbours(last)
      guard next != last else { return [] }
      layers.append(next)
    }
    var out = [Square(UInt8(truncatingIfNeeded: square.trailingZeroBitCount))]
    for layer in layers.dropLast().reversed() {
      let next = neighbours(square) & layer
      square = next & (0 &- next)
      out.append(Square(UInt8(truncatingIfNeeded: square.trailingZeroBitCount)))
    }
    return out
  }
}
