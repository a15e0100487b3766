package import CBOR
package import Wire

/// What the page shows of whichever game; its fields are written beside those of the table.
package enum AnyGameView: Sendable, Hashable, Encodable {
  case bingo(BingoView)
  case quoridor(QuoridorView)

  /// Shows a lobby, or the game once it is dealt.
  ///
  /// `seat` and `players` count the table's seats, `dealt` the game's; `playing` is how many are
  /// or will be dealt in.
  package init(
    setup: AnySetup, game: AnyGame?, seat: Int?, dealtSeat: Int?, players: [PublicKey],
    members: [Int], playing: Int, showsWords: Bool
  ) {
    switch setup {
    case .bingo(let setup):
      var view = setup.view(
        for: seat, players: players, members: members, playing: playing, showsWords: showsWords)
      if case .bingo(let game) = game {
        game.show(in: &view, for: dealtSeat)
        if seat == nil { game.showBoards(in: &view) }
      }
      self = .bingo(view)
    case .quoridor(let setup):
      var view = setup.view(players: players)
      if case .quoridor(let game) = game { game.show(in: &view, for: dealtSeat) }
      self = .quoridor(view)
    }
  }

  /// Completes the view with what only this laptop knows.
  package mutating func fill(_ known: LocalKnowledge) {
    switch self {
    case .bingo(var view):
      view.fill(known)
      self = .bingo(view)
    case .quoridor(var view):
      view.fill(known)
      self = .quoridor(view)
    }
  }

  /// What My tables says of a running game to its player, most urgent first; nil for nothing.
  package var sign: (kind: String, count: Int)? {
    switch self {
    case .bingo(let view): view.sign
    case .quoridor(let view): view.sign
    }
  }

  package func encode(to encoder: any Encoder) throws {
    switch self {
    case .bingo(let view): try view.encode(to: encoder)
    case .quoridor(let view): try view.encode(to: encoder)
    }
  }
}

/// The recap of whichever game; its fields are written beside those of the table's result.
package enum AnyResultView: Sendable, Hashable, Encodable {
  case bingo(BingoResultView)
  /// Its moves stand in the view of the game already.
  case quoridor

  /// The recap of a game; empty where none was dealt or it is not over.
  package init(_ kind: GameKind, _ game: AnyGame?) {
    switch kind {
    case .bingo:
      guard case .bingo(let game) = game, let result = game.result else {
        self = .bingo(BingoResultView(lines: [], timeline: [], boards: []))
        return
      }
      self = .bingo(result)
    case .quoridor: self = .quoridor
    }
  }

  /// Puts times to what happened; `start` is how long ago the game began.
  package mutating func fill(_ known: LocalKnowledge, start: UInt64?) {
    switch self {
    case .bingo(var view):
      view.fill(known, start: start)
      self = .bingo(view)
    case .quoridor: break
    }
  }

  package func encode(to encoder: any Encoder) throws {
    switch self {
    case .bingo(let view): try view.encode(to: encoder)
    case .quoridor: break
    }
  }
}

extension PretendColleague {
  /// What "Try it now" asks for.
  package static let practice = GameCommand(
    "createTable", [("size", .int(3)), ("minutes", .int(15)), ("pack", .text("remote"))])

  /// What it does now in whichever game, as it travels; see `act(on:elapsed:)`.
  package mutating func act(on view: AnyGameView, elapsed: UInt64) -> CBOR? {
    switch view {
    case .bingo(let view): act(on: view, elapsed: elapsed)?.cbor
    case .quoridor: nil
    }
  }
}
