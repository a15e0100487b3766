/// Alpha-beta with a memory of positions, for two players; with four, the others are taken to play
/// together against the one who thinks.
///
/// Scores are of the side that moves: the hero, or everybody else. At depth 1 no move is made: the expansion
/// knows every distance after every move already, and the best of those is the score.
struct Search {
  /// Deepest line, in moves.
  static let longestLine = 60
  /// More than any position has: 128 walls and five squares, or with four players a few more.
  static let mostChoices = 144
  /// Expansions between two looks at the flag: a few tenths of a millisecond.
  private static let patience = 64

  var evaluation = Evaluation()
  /// Positions whose moves were listed: the measure of a budget.
  private(set) var expansions = 0
  private(set) var isStopped = false
  private var table: Table
  private var limit = Int.max
  private var hero = 0
  /// Fingerprints of the line that is looked at, behind those of the game since its last wall.
  private var line: [UInt64] = []
  /// How many moves before each place in the line were no walls.
  private var calm: [Int] = []
  /// Where the line begins.
  private var root = 0
  /// Two moves for each place in the line that refuted others there.
  private var killers: [UInt8] = []
  /// How often a move of a seat has refuted others.
  private var history: [Int32] = []

  init(tableBits: Int) { table = Table(bits: tableBits) }

  /// Forgets everything and gets ready to think for whoever moves in `position`; `past` is what a move might
  /// repeat.
  mutating func begin(_ position: Position, past: [Position], limit: Int) {
    table.begin()
    self.limit = limit
    hero = position.turn
    expansions = 0
    isStopped = false
    let recent = past.suffix(200)
    root = recent.count
    line = recent.map(\.fingerprint) + [position.fingerprint]
    line += Array(repeating: 0, count: Search.longestLine + 2)
    calm = Array(0...root) + Array(repeating: 0, count: Search.longestLine + 2)
    killers = Array(repeating: 255, count: 2 * (Search.longestLine + 2))
    history = Array(repeating: 0, count: 4 * Move.codes)
  }

  /// The hero's side is 1, the others' is -1.
  @inline(__always)
  private func side(_ position: Position) -> Int { Int(position.mover) == hero ? 1 : -1 }

  /// Plays a choice at a place in the line, and scores what comes of it for the side that has played.
  @inline(__always)
  mutating func follow(
    _ position: Position, _ code: UInt8, depth: Int, alpha: Int, beta: Int, ply: Int,
    _ stop: () -> Bool
  ) -> Int {
    var next = position
    next.make(Move(known: code))
    let isWall = code >= 81 && code < 209
    calm[root &+ ply &+ 1] = isWall ? 0 : calm[root &+ ply] &+ 1
    if side(next) == side(position) {
      return score(next, depth: depth, alpha: alpha, beta: beta, ply: ply &+ 1, stop)
    }
    return 0
      &- score(next, depth: depth, alpha: 0 &- beta, beta: 0 &- alpha, ply: ply &+ 1, stop)
  }

  /// Whether this position has stood before, in the line or in the game.
  private func repeats(_ key: UInt64, _ ply: Int) -> Bool {
    let place = root &+ ply
    let first = max(0, place &- calm[place])
    var index = place &- 2
    while index >= first {
      if line[index] == key { return true }
      index &-= 1
    }
    return false
  }

  /// Scores a position for the side that moves; beyond `alpha` and `beta` it is only a bound.
  private mutating func score(
    _ position: Position, depth: Int, alpha: Int, beta: Int, ply: Int, _ stop: () -> Bool
  ) -> Int {
    expansions &+= 1
    if expansions >= limit || (expansions % Search.patience == 0 && stop()) { isStopped = true }
    if isStopped { return 0 }
    let key = position.fingerprint
    if repeats(key, ply) { return 0 }
    line[root &+ ply] = key
    var first: UInt8 = 255
    if let row = table.row(key) {
      first = row.move
      let known = Search.unpacked(Int(row.score), ply)
      if Int(row.depth) >= depth {
        switch row.bound {
        case .exact: return known
        case .atLeast: if known >= beta { return known }
        case .atMost: if known <= alpha { return known }
        }
      }
    }
    return withUnsafeTemporaryAllocation(of: Choice.self, capacity: Search.mostChoices) { choices in
      guard let base = choices.baseAddress else { return 0 }
      let count = withUnsafeTemporaryAllocation(of: Int8.self, capacity: 4 * Wall.count) {
        scratch -> Int in
        guard let rows = scratch.baseAddress else { return 0 }
        var expansion = Expansion(position, evaluation: evaluation, hero: hero)
        return expansion.list(into: base, scratch: rows)
      }
      if count < 0 { return Evaluation.win &- ply &- 1 }
      let side = side(position)
      if depth <= 1 || ply >= Search.longestLine {
        return leaf(key, base, count, side, ply, alpha, beta)
      }
      return branch(
        position, key, base, count, first, depth: depth, alpha: alpha, beta: beta, ply: ply, stop)
    }
  }

  /// The best of what is known of each move without making it.
  private mutating func leaf(
    _ key: UInt64, _ choices: UnsafeMutablePointer<Choice>, _ count: Int, _ side: Int, _ ply: Int,
    _ alpha: Int, _ beta: Int
  ) -> Int {
    var best = Int.min
    var move: UInt8 = 255
    for index in 0..<count {
      let score = side &* Int(choices[index].score)
      if score > best { (best, move) = (score, choices[index].code) }
    }
    table.keep(key, depth: 1, score: best, bound: .exact, move: move)
    return best
  }

  private mutating func branch(
    _ position: Position, _ key: UInt64, _ choices: UnsafeMutablePointer<Choice>, _ all: Int,
    _ first: UInt8, depth: Int, alpha: Int, beta: Int, ply: Int, _ stop: () -> Bool
  ) -> Int {
    let count = sort(position, choices, all, first, depth, ply)
    var floor = alpha
    var best = Int.min
    var move: UInt8 = 255
    for index in 0..<count {
      Search.bringBest(choices, index, count)
      let choice = choices[index]
      let score = try_(position, choice, index, depth, floor, beta, ply, stop)
      if isStopped { return 0 }
      guard score > best else { continue }
      (best, move) = (score, choice.code)
      floor = max(floor, score)
      guard floor >= beta else { continue }
      remember(choice, Int(position.mover), depth, ply)
      break
    }
    let bound: Memory.Bound = best >= beta ? .atLeast : best > alpha ? .exact : .atMost
    table.keep(key, depth: depth, score: Search.packed(best, ply), bound: bound, move: move)
    return best
  }

  /// The first move gets the whole window; later ones must show with a narrow one, and less deep where
  /// little speaks for them, that they are worth it.
  @inline(__always)
  private mutating func try_(
    _ position: Position, _ choice: Choice, _ index: Int, _ depth: Int, _ floor: Int, _ beta: Int,
    _ ply: Int, _ stop: () -> Bool
  ) -> Int {
    let code = choice.code
    if index == 0 {
      return follow(
        position, code, depth: depth &- 1, alpha: floor, beta: beta, ply: ply, stop)
    }
    let less = reduction(choice, index, depth)
    var score = follow(
      position, code, depth: depth &- 1 &- less, alpha: floor, beta: floor &+ 1, ply: ply, stop)
    if less > 0 && score > floor && !isStopped {
      score = follow(
        position, code, depth: depth &- 1, alpha: floor, beta: floor &+ 1, ply: ply, stop)
    }
    guard score > floor, score < beta, !isStopped else { return score }
    return follow(position, code, depth: depth &- 1, alpha: floor, beta: beta, ply: ply, stop)
  }

  @inline(__always)
  private func reduction(_ choice: Choice, _ index: Int, _ depth: Int) -> Int {
    guard depth >= 3, index >= 4 else { return 0 }
    return (choice.isQuiet || index >= 10) && depth >= 4 ? 2 : 1
  }

  /// Leaves out what is hardly ever good, and says in which order the rest is tried.
  private func sort(
    _ position: Position, _ choices: UnsafeMutablePointer<Choice>, _ all: Int, _ first: UInt8,
    _ depth: Int, _ ply: Int
  ) -> Int {
    let near = depth >= 3 ? position.nearby : .none
    let side = side(position)
    let seat = Int(position.mover)
    var count = 0
    for index in 0..<all {
      var choice = choices[index]
      let isKiller = choice.code == killers[2 &* ply] || choice.code == killers[2 &* ply &+ 1]
      if choice.isQuiet, choice.code != first, !isKiller {
        guard !near.isEmpty, near.contains(code: choice.code) else { continue }
      }
      if choice.code == first {
        choice.order = Int32.max
      } else {
        let past = min(history[seat &* Move.codes &+ Int(choice.code)], 4_000)
        choice.order = Int32(side &* Int(choice.score)) &+ past / 20 &+ (isKiller ? 150 : 0)
      }
      choices[count] = choice
      count &+= 1
    }
    return count
  }

  @inline(__always)
  static func bringBest(_ choices: UnsafeMutablePointer<Choice>, _ index: Int, _ count: Int) {
    var best = index
    for other in (index + 1)..<max(count, index + 1)
    where choices[other].order > choices[best].order { best = other }
    if best != index { swap(&choices[index], &choices[best]) }
  }

  private mutating func remember(_ choice: Choice, _ seat: Int, _ depth: Int, _ ply: Int) {
    if killers[2 &* ply] != choice.code {
      killers[2 &* ply &+ 1] = killers[2 &* ply]
      killers[2 &* ply] = choice.code
    }
    history[seat &* Move.codes &+ Int(choice.code)] &+= Int32(depth &* depth)
  }

  // Wins are counted from the root in a line, from the position itself in the memory.

  static func packed(_ score: Int, _ ply: Int) -> Int {
    score > Evaluation.sure ? score &+ ply : score < -Evaluation.sure ? score &- ply : score
  }

  static func unpacked(_ score: Int, _ ply: Int) -> Int {
    score > Evaluation.sure ? score &- ply : score < -Evaluation.sure ? score &+ ply : score
  }
}
