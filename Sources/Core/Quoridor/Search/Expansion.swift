/// A move of a position, with what is known of it before it is searched.
struct Choice {
  var code: UInt8
  /// A wall that makes nobody's path longer.
  var isQuiet: Bool
  /// The position after it, as seen by the hero of the search, without looking further.
  var score: Int16
  /// Higher is tried earlier.
  var order: Int32
}

/// Finds the legal moves of a position and, with the same few floods, everybody's distance after each.
///
/// A wall that cuts nobody's known shortest path is legal and changes no distance. For each of the others
/// one search from the pawn whose path it cuts says both whether it is legal and how long the way is then.
struct Expansion {
  let position: Position
  let evaluation: Evaluation
  let hero: Int
  let seats: Int
  private(set) var distances = SIMD4<Int32>(repeating: -1)
  private(set) var left = SIMD4<Int32>(repeating: 0)
  private let mover: Int
  private let next: Int

  init(_ position: Position, evaluation: Evaluation, hero: Int) {
    self.position = position
    self.evaluation = evaluation
    self.hero = hero
    seats = Int(position.seats)
    mover = Int(position.mover)
    var after = position
    after.passTurn()
    next = Int(after.mover)
    for seat in 0..<seats { left[seat] = Int32(position.wallCount(seat)) }
  }

  /// Fills `choices` and returns how many there are; the scratch holds 4 x 128 distances.
  ///
  /// The first choice wins at once when any does; then it is the only one.
  @inline(__always)
  mutating func list(
    into choices: UnsafeMutablePointer<Choice>, scratch: UnsafeMutablePointer<Int8>
  ) -> Int {
    let targets = position.pawnTargets()
    let goal = position.goal(of: mover)
    if targets & goal != 0 {
      let index = UInt8(truncatingIfNeeded: (targets & goal).trailingZeroBitCount)
      choices[0] = Choice(code: index, isQuiet: false, score: 0, order: .max)
      return -1
    }
    var legal = left[mover] > 0 ? position.fitting : .none
    var changing = WallSet.none
    for seat in 0..<seats { look(seat, &legal, &changing, scratch) }
    var count = steps(targets, goal, choices)
    if left[mover] > 0 {
      changing = changing.intersection(legal)
      left[mover] &-= 1
      var loud = changing
      while let wall = loud.popFirst() {
        choices[count] = choice(wall, scratch)
        count &+= 1
      }
      let score = Int16(truncatingIfNeeded: score(distances))
      var quiet = legal.subtracting(changing)
      while let wall = quiet.popFirst() {
        choices[count] = Choice(
          code: Move.wall(wall).code, isQuiet: true, score: score, order: 0)
        count &+= 1
      }
      left[mover] &+= 1
    }
    if count == 0 {
      choices[0] = Choice(
        code: Move.pass.code, isQuiet: false, score: Int16(truncatingIfNeeded: score(distances)),
        order: 0)
      return 1
    }
    return count
  }

  private func score(_ distances: SIMD4<Int32>) -> Int {
    evaluation.score(seats: seats, hero: hero, mover: next, distances: distances, left: left)
  }

  /// A seat's distance, and for the walls that cut its known path the distances behind them.
  @inline(__always)
  private mutating func look(
    _ seat: Int, _ legal: inout WallSet, _ changing: inout WallSet,
    _ scratch: UnsafeMutablePointer<Int8>
  ) {
    let pawn = position.bit(of: seat)
    guard pawn != 0 else { return }
    let goal = position.goal(of: seat)
    guard !legal.isEmpty else {
      distances[seat] = Int32(position.distance(of: seat))
      return
    }
    var count = 0
    var cut = position.cutting(legal, from: pawn, to: goal, steps: &count)
    let row = scratch + seat &* Wall.count
    distances[seat] = Int32(count)
    // What is not cut keeps the distance; only rows of `changing` are read, so all of them are set.
    row.update(repeating: Int8(truncatingIfNeeded: count), count: Wall.count)
    while let wall = cut.popFirst() {
      guard let behind = position.distance(behind: wall, from: pawn, to: goal) else {
        legal.remove(wall)
        continue
      }
      guard behind != count else { continue }
      row[Expansion.index(wall)] = Int8(truncatingIfNeeded: behind)
      changing.insert(wall)
    }
  }

  @inline(__always)
  private static func index(_ wall: Wall) -> Int {
    Int(wall.direction.rawValue) &* 64 &+ Int(wall.slot)
  }

  /// The steps and jumps, none of which arrives.
  private func steps(
    _ targets: UInt128, _ goal: UInt128, _ choices: UnsafeMutablePointer<Choice>
  ) -> Int {
    var rest = targets
    var count = 0
    var after = distances
    let side = mover == hero ? 1 : -1
    while rest != 0 {
      let square = rest & (0 &- rest)
      rest &= rest &- 1
      let way =
        Position.distance(position.openNorth, position.openEast, from: square, to: goal)
        ?? Position.longest
      after[mover] = Int32(way)
      let score = score(after)
      choices[count] = Choice(
        code: UInt8(truncatingIfNeeded: square.trailingZeroBitCount), isQuiet: false,
        score: Int16(truncatingIfNeeded: score), order: Int32(side &* score))
      count &+= 1
    }
    return count
  }

  @inline(__always)
  private func choice(_ wall: Wall, _ scratch: UnsafeMutablePointer<Int8>) -> Choice {
    let index = Expansion.index(wall)
    var after = distances
    for seat in 0..<seats where distances[seat] >= 0 {
      after[seat] = Int32(scratch[seat &* Wall.count &+ index])
    }
    let score = score(after)
    return Choice(
      code: Move.wall(wall).code, isQuiet: false, score: Int16(truncatingIfNeeded: score),
      order: Int32(mover == hero ? score : 0 &- score))
  }
}
