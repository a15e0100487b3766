import CBOR
import Quoridor

/// What players ask for in the words of the page, as moves.
extension QuoridorSetup {
  /// A setup from `players`, `jumps`, `timed`.
  package static func make(from command: GameCommand) throws(IllegalMove) -> MadeSetup {
    let settings = try settings(from: command, besides: QuoridorSettings())
    return MadeSetup(setup: .quoridor(QuoridorSetup(settings: settings)), own: nil, duplicates: 0)
  }

  static func settings(
    from command: GameCommand, besides old: QuoridorSettings
  ) throws(IllegalMove) -> QuoridorSettings {
    var players = old.players
    if let count = try command.int("players") {
      guard let named = Position.Players(rawValue: count) else { throw .unreadableCommand }
      players = named
    }
    return QuoridorSettings(
      players: players, jumps: try command.choice("jumps") ?? old.jumps,
      isTimed: try command.bool("timed") ?? old.isTimed)
  }

  /// The change of the lobby that a command means; nil when it is none of this game's.
  package func move(for command: GameCommand) throws(IllegalMove) -> QuoridorSetupMove? {
    guard command.kind == "set" else { return nil }
    return .settings(try QuoridorSetup.settings(from: command, besides: settings))
  }
}

extension QuoridorGame {
  /// Why a move is not to be signed beside those of the same seat that are on their way: no seat signs two for
  /// one turn.
  static func clash(of move: QuoridorMove, with pending: [QuoridorMove]) -> IllegalMove? {
    if case .askEnd = move,
      pending.contains(where: { if case .askEnd = $0 { true } else { false } })
    {
      return .askedAlready
    }
    guard case .play(_, let turn) = move else { return nil }
    let isPlayed = pending.contains {
      if case .play(_, turn) = $0 { true } else { false }
    }
    return isPlayed ? .turnIsOver : nil
  }

  /// Whether a move ends the game without a winner.
  static func isEnding(_ move: CBOR) -> Bool {
    if case .askEnd = try? QuoridorMove(move) { true } else { false }
  }

  /// Whoever could not win against a closed lid has ended the game meanwhile (PRODUCT decision 13).
  package func agreementOnReturn(of seat: Int) -> QuoridorMove? {
    guard outcome == nil, let asked, asked.question == .end, asked.by != seat,
      !asked.agreed.contains(seat), present.contains(seat)
    else { return nil }
    return .askEnd(turn: turn)
  }

  /// The move that a command means for a seat; nil when it is none of this game's.
  ///
  /// `turn` is the one that the player saw; without it the present one is meant.
  package func move(for command: GameCommand, seat: Int) throws(IllegalMove) -> QuoridorMove? {
    let turn = try command.int("turn") ?? self.turn
    guard (0...QuoridorMove.mostTurns).contains(turn) else { throw .unreadableCommand }
    switch command.kind {
    case "move":
      guard let text = try command.text("move") else { throw .unreadableCommand }
      guard let move = Quoridor.Move(text.lowercased()) else { throw .notAMove }
      // Never signed for a turn that is over: another move for it would forfeit the game.
      guard turn == self.turn else { throw outcome == nil ? .turnIsOver : .gameOver }
      return .play(move, turn: turn)
    case "giveUp": return .giveUp(turn: turn)
    case "offerDraw": return .offerDraw(turn: turn)
    case "askTakeBack": return .askTakeBack(turn: turn)
    case "askEnd": return .askEnd(turn: turn)
    case "answer":
      guard let yes = try command.bool("yes") else { throw .unreadableCommand }
      return .answer(yes, turn: turn)
    default: return nil
    }
  }
}
