import Quoridor
import Shell

/// Levels of the computer opponent against one another.
///
/// Forty games a pair from twenty openings, each with the sides changed; so much time for a move, of the
/// processor, so that a busy machine plays as well as an idle one.
struct QuoridorMatch {
  let games: Int
  /// Milliseconds.
  let time: Double

  /// Each level against the one above it.
  func run() {
    print("quoridor, levels against one another: \(games) games a pair, \(time) ms a move")
    for (lower, upper) in zip(Engine.Level.allCases, Engine.Level.allCases.dropFirst()) {
      var won = 0
      var lost = 0
      var moves = 0
      for game in 0..<games {
        let match = play(game, upper: upper, lower: lower)
        moves += match.moves.count
        // The upper level moves first in even games.
        guard case .arrived(let seat) = match.result else { continue }
        if (seat == 0) == (game % 2 == 0) { won += 1 } else { lost += 1 }
      }
      print(
        "  level \(upper.rawValue) against \(lower.rawValue): won \(won), lost \(lost), neither "
          + "\(games - won - lost); \(moves / games) moves a game")
    }
  }

  private func play(_ game: Int, upper: Engine.Level, lower: Engine.Level) -> Match {
    var match = QuoridorMatch.opening(game / 2)
    var strong = Engine()
    var weak = Engine()
    while match.result == nil, match.moves.count < 300 {
      let isStrong = (match.position.turn == 0) == (game % 2 == 0)
      let end = ProcessorTime.milliseconds + time
      let stop = { ProcessorTime.milliseconds >= end }
      let thought =
        isStrong
        ? strong.think(
          match.position, past: match.repeatable, level: upper, seed: UInt64(game), stop: stop)
        : weak.think(
          match.position, past: match.repeatable, level: lower, seed: UInt64(game), stop: stop)
      guard let thought, (try? match.play(thought.move, by: match.position.turn)) != nil else {
        fatalError("no move in \(match.position.text)")
      }
    }
    return match
  }

  /// Two steps by each, then a wall by each that another opening does not have.
  private static func opening(_ number: Int) -> Match {
    var match = Match()
    for text in ["e2", "e8", "e3", "e7"] { play(text, &match) }
    for turn in 0..<2 {
      let walls = match.position.legalMoves.filter { if case .wall = $0 { true } else { false } }
      let wall = walls[(number &* 37 &+ turn &* 53 &+ 11) % walls.count]
      play(wall.text, &match)
    }
    return match
  }

  private static func play(_ text: String, _ match: inout Match) {
    guard let move = Move(text), (try? match.play(move, by: match.position.turn)) != nil else {
      fatalError("\(text) is no opening")
    }
  }
}
