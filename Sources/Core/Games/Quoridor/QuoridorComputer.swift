package import CBOR
import Quoridor
import Wire

/// A move that a computer opponent has to think about, beside everything else the laptop does.
package struct Thinking: Sendable {
  /// The turn that it is for; what comes later than its end is for nothing.
  package let turn: Int
  private let match: Match
  private let level: Engine.Level
  private let seed: UInt64

  init(of game: QuoridorGame, level: Engine.Level) {
    turn = game.turn
    match = game.match
    self.level = level
    // Another game of a weak level goes otherwise; the players' keys are new at each table.
    seed = game.stateHash.raw.leadingWord
  }

  /// Milliseconds to think at the most: the weakest level answers well within a second.
  package var time: UInt64 {
    switch level {
    case .beginner: 400
    case .casual: 600
    case .club, .master: 1_000
    }
  }

  /// Thinks until it has looked as far as it does, or is told to stop, which it asks every few tenths of a
  /// millisecond.
  ///
  /// Takes 4 MB of stack. The move as it travels; nil when the game is over.
  package func find(budget: Int = .max, stop: () -> Bool = { false }) -> CBOR? {
    guard match.result == nil else { return nil }
    var engine = Engine()
    let thought = engine.think(
      match.position, past: match.repeatable, level: level, budget: budget, seed: seed, stop: stop)
    return thought.map { QuoridorMove.play($0.move, turn: turn).cbor }
  }
}

/// Practice tables: the computer, or people at one laptop, play the pretend seats.
extension QuoridorSetup {
  /// A setup from `players`, `jumps`, `timed` (left out: no limit), `opponent`, 0 to 4, and `moves`, a list to go on
  /// from: its player, who sits first, plays on for whoever is to move.
  package static func practice(from command: GameCommand) throws(IllegalMove) -> QuoridorSetup {
    var settings = try settings(from: command, besides: QuoridorSettings(isTimed: false))
    guard let opponent = Opponent(rawValue: try command.int("opponent") ?? 2) else {
      throw .unreadableCommand
    }
    if opponent == .people { settings.isTimed = false }
    guard let text = try command.text("moves"), !text.allSatisfy(\.isWhitespace) else {
      return QuoridorSetup(settings: settings, opponent: opponent)
    }
    let past = try read(text, settings)
    let first = settings.players == .two ? past.count % 2 : nil
    guard
      let setup = QuoridorSetup(settings: settings, first: first, opponent: opponent, past: past)
    else { throw .pastIsOver }
    return setup
  }

  private static func read(
    _ text: String, _ settings: QuoridorSettings
  ) throws(IllegalMove) -> [Quoridor.Move] {
    let past: [Quoridor.Move]
    do throws(TextFault) {
      past = try MoveList.read(text, from: settings.newMatch.position)
    } catch {
      throw IllegalMove(error.code, error.sentence)
    }
    guard !past.isEmpty else { throw .notAMove }
    guard past.count <= longestPast else { throw .pastIsOver }
    return past
  }

  /// What the pretend seats are called: the computer says that it is one.
  package var pretendNames: [String] {
    let others = settings.players.rawValue - 1
    guard opponent != .people else { return (0..<others).map { "Player \($0 + 2)" } }
    return others == 1 ? ["Computer"] : (0..<others).map { "Computer \($0 + 1)" }
  }
}

extension QuoridorSetup.Opponent {
  /// How well it plays; nil for people.
  var level: Engine.Level? { Engine.Level(rawValue: rawValue) }
}

extension QuoridorGame {
  /// What a pretend seat does at once: it lets moves be taken back, and agrees to a draw.
  func pretendAnswer(of seat: Int) -> QuoridorMove? {
    guard outcome == nil, let asked, asked.by != seat, !asked.agreed.contains(seat),
      present.contains(seat)
    else { return nil }
    return .answer(true, turn: turn)
  }

  /// What a pretend seat has to think about now; nil when it is not to move, or a person moves for it.
  func thinking(of seat: Int) -> Thinking? {
    guard seat == seatToMove, asked == nil, let level = opponent?.level else { return nil }
    return Thinking(of: self, level: level)
  }

  /// The seat that a command of this laptop's player moves: where people share it, whoever is to move.
  func hand(for command: GameCommand, of seat: Int) -> Int {
    opponent == .people && command.kind == "move" ? seatToMove ?? seat : seat
  }
}
