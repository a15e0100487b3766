/// The computer opponent: finds a move for whoever is to move.
///
/// A value that decides and nothing else. It has no clock: who asks gives a budget of expansions, which makes
/// its answer the same everywhere, or a closure that says when to stop, which it asks every few tenths of
/// a millisecond. Its memory is bounded by `tableBits`.
package struct Engine {
  /// How well it plays.
  package enum Level: Int, Sendable, CaseIterable {
    /// Looks one move ahead, and often not closely.
    case beginner = 1
    /// Two moves ahead, now and then not closely.
    case casual
    /// Three moves ahead.
    case club
    /// As far as its budget goes.
    case master

    /// Moves that it looks ahead, at most.
    var depth: Int {
      switch self {
      case .beginner: 1
      case .casual: 2
      case .club: 3
      case .master: 40
      }
    }

    /// How far its judgement may be off, in hundredths of a step.
    var blur: Int {
      switch self {
      case .beginner: 180
      case .casual: 80
      case .club, .master: 0
      }
    }
  }

  /// What it has found.
  package struct Thought: Sendable {
    package let move: Move
    /// Hundredths of a step for who moves; near 30,000 for a win that was seen.
    package let score: Int
    /// Moves looked ahead, fully.
    package let depth: Int
    package let expansions: Int
  }

  private var search: Search

  /// 2 to the power of `tableBits` rows of 24 bytes: 6 MB as it is.
  package init(tableBits: Int = 18) { search = Search(tableBits: tableBits) }

  /// Finds a move; nil when the game is over.
  ///
  /// `past` are the positions since the last wall (`Match.repeatable`), which a move might repeat. `seed` chooses
  /// among blurred judgements, so that a weak level plays differently in another game. When it is stopped
  /// before it has seen anything, it takes the nearest legal move.
  package mutating func think(
    _ position: Position, past: [Position] = [], level: Level = .master, budget: Int = .max,
    seed: UInt64 = 0, stop: () -> Bool = { false }
  ) -> Thought? {
    guard !position.isOver else { return nil }
    var choices = list(position)
    guard let only = choices.first else { return nil }
    search.begin(position, past: past, limit: budget)
    var best = Thought(
      move: Move(known: only.code), score: Int(only.score), depth: 0, expansions: 0)
    if only.order == .max {
      return Thought(move: best.move, score: Evaluation.win - 1, depth: 1, expansions: 1)
    }
    if choices.count == 1 { return best }
    for depth in 1...level.depth {
      let found =
        level.blur > 0
        ? blurred(position, &choices, depth, level, seed, stop)
        : deepen(position, &choices, depth, stop)
      guard let found else { break }
      best = Thought(
        move: Move(known: found.code), score: found.score,
        depth: search.isStopped ? depth - 1 : depth, expansions: search.expansions)
      if search.isStopped || abs(found.score) > Evaluation.sure { break }
    }
    return best
  }

  /// The moves, most promising first.
  private func list(_ position: Position) -> [Choice] {
    withUnsafeTemporaryAllocation(of: Choice.self, capacity: Search.mostChoices) { choices in
      withUnsafeTemporaryAllocation(of: Int8.self, capacity: 4 * Wall.count) { scratch in
        guard let base = choices.baseAddress, let rows = scratch.baseAddress else { return [] }
        var expansion = Expansion(
          position, evaluation: search.evaluation, hero: position.turn)
        let count = abs(expansion.list(into: base, scratch: rows))
        var out = Array(UnsafeBufferPointer(start: base, count: count))
        if count > 1 {
          for index in out.indices { out[index].order = Int32(out[index].score) }
        }
        // Equal ones in the order of their codes, so that nothing depends on how sorting works.
        out.sort { ($0.order, $1.code) > ($1.order, $0.code) }
        return out
      }
    }
  }

  /// One move deeper; nil when it was stopped before the first move was scored.
  ///
  /// What is best comes first then.
  private mutating func deepen(
    _ position: Position, _ choices: inout [Choice], _ depth: Int, _ stop: () -> Bool
  ) -> (code: UInt8, score: Int)? {
    var best: (index: Int, score: Int)?
    for index in choices.indices {
      let code = choices[index].code
      var score: Int
      if let floor = best?.score {
        let less = depth >= 3 && index >= 6 ? (choices[index].isQuiet || index >= 16 ? 2 : 1) : 0
        score = search.follow(
          position, code, depth: depth - 1 - less, alpha: floor, beta: floor + 1, ply: 0, stop)
        if score > floor, !search.isStopped {
          score = search.follow(
            position, code, depth: depth - 1, alpha: floor, beta: Evaluation.win, ply: 0, stop)
        }
      } else {
        score = search.follow(
          position, code, depth: depth - 1, alpha: -Evaluation.win, beta: Evaluation.win, ply: 0,
          stop)
      }
      if search.isStopped { break }
      if score > best?.score ?? Int.min { best = (index, score) }
    }
    guard let best else { return nil }
    let choice = choices.remove(at: best.index)
    choices.insert(choice, at: 0)
    return (choice.code, best.score)
  }

  /// Every move with its whole score, and off by a little.
  private mutating func blurred(
    _ position: Position, _ choices: inout [Choice], _ depth: Int, _ level: Level, _ seed: UInt64,
    _ stop: () -> Bool
  ) -> (code: UInt8, score: Int)? {
    var best: (code: UInt8, score: Int)?
    var chance = position.fingerprint ^ seed &* 0x9e37_79b9_7f4a_7c15
    for choice in choices {
      chance = (chance ^ (chance &>> 29)) &* 0xbf58_476d_1ce4_e5b9 &+ UInt64(choice.code)
      var score =
        depth == 1
        ? Int(choice.score)
        : search.follow(
          position, choice.code, depth: depth - 1, alpha: -Evaluation.win, beta: Evaluation.win,
          ply: 0, stop)
      if search.isStopped { return best }
      if abs(score) < Evaluation.sure {
        score += Int((chance &>> 33) % UInt64(2 * level.blur + 1)) - level.blur
      }
      if score > best?.score ?? Int.min { best = (choice.code, score) }
    }
    return best
  }
}
