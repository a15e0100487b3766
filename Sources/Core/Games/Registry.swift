package import CBOR
package import Wire

/// Every game that a table can play; a new one gets its rows in this file and its own folder.
package enum GameKind: String, Sendable, CaseIterable, Encodable {
  case bingo

  /// Every refusal that its moves and its lobby can meet.
  package var refusals: [IllegalMove] {
    switch self {
    case .bingo: Bingo.refusals
    }
  }
}

/// The setup of whichever game a table plays.
package enum AnySetup: Sendable {
  case bingo(BingoSetup)

  /// Reads the setup of a genesis.
  package init(_ kind: GameKind, _ item: CBOR) throws(DecodeError) {
    switch kind {
    case .bingo: self = .bingo(try BingoSetup(item))
    }
  }

  /// The game it is for.
  package var kind: GameKind {
    switch self {
    case .bingo: .bingo
    }
  }

  /// See `GameSetup.genesisCBOR`.
  package var genesisCBOR: CBOR {
    switch self {
    case .bingo(let setup): setup.genesisCBOR
    }
  }

  /// The setup for a table that goes on where this one ended: without what its seats did to it.
  package var renewed: AnySetup {
    switch self {
    case .bingo(let setup): .bingo(setup.renewed)
    }
  }

  /// See `GameSetup.stateHash`.
  package var stateHash: Digest {
    switch self {
    case .bingo(let setup): setup.stateHash
    }
  }

  /// See `GameSetup.startRefusal`.
  package func startRefusal(players: Int) -> IllegalMove? {
    switch self {
    case .bingo(let setup): setup.startRefusal(players: players)
    }
  }

  /// Reads and takes a change by a seat of the table, or refuses it and stays as it is.
  package mutating func apply(_ move: CBOR, by seat: Int) throws(IllegalMove) {
    switch self {
    case .bingo(var setup):
      try setup.apply(try BingoSetupMove(orRefuse: move), by: seat)
      self = .bingo(setup)
    }
  }

  /// A setup from what the New table screen asks for.
  package static func make(
    _ kind: GameKind, from command: GameCommand
  ) throws(IllegalMove) -> MadeSetup {
    switch kind {
    case .bingo: try BingoSetup.make(from: command)
    }
  }

  /// The change of the lobby that a command means, as it travels; nil when it is none of the game's.
  package func move(for command: GameCommand) throws(IllegalMove) -> CBOR? {
    switch self {
    case .bingo(let setup): try setup.move(for: command)?.cbor
    }
  }

  /// What the list of open tables says: edge of the board and planned minutes.
  package var notice: (size: Int, minutes: Int) {
    switch self {
    case .bingo(let setup): (setup.settings.size, setup.settings.minutes)
    }
  }

  /// The deal receipt's numbers: tiles in a row, words of the list, words in play.
  package func receipt(players: Int) -> (size: Int, words: Int, pool: Int) {
    switch self {
    case .bingo(let setup):
      let words = setup.playable.count
      return (
        setup.settings.size, words, setup.settings.pool(words: words, players: players)
      )
    }
  }
}

/// Whichever game a table plays.
package enum AnyGame: Sendable {
  case bingo(Bingo)

  /// Deals; see `Game.init`.
  package init(setup: AnySetup, players: [PublicKey], seed: Digest) {
    switch setup {
    case .bingo(let setup): self = .bingo(Bingo(setup: setup, players: players, seed: seed))
    }
  }

  /// Reads and plays a move, or refuses it with the state untouched.
  package mutating func apply(
    _ move: CBOR, by seat: Int, at place: LogPlace
  ) throws(IllegalMove) {
    switch self {
    case .bingo(var game):
      try game.apply(try BingoMove(orRefuse: move), by: seat, at: place)
      self = .bingo(game)
    }
  }

  /// The move that a command means for a seat, as it travels; nil when it is none of the game's.
  package func move(for command: GameCommand, seat: Int) throws(IllegalMove) -> CBOR? {
    switch self {
    case .bingo(let game): try game.move(for: command, seat: seat)?.cbor
    }
  }

  /// How long a tile of a seat has rested since the others said no to it, as a place in the log.
  package func deniedAt(tile: Int, seat: Int) -> LogPlace? {
    switch self {
    case .bingo(let game): game.deniedAt(tile: tile, seat: seat)
    }
  }

  /// See `Game.deadlines`.
  package var deadlines: [GameDeadline] {
    switch self {
    case .bingo(let game): game.deadlines
    }
  }

  /// See `Game.deadlinePassed`.
  package mutating func deadlinePassed(_ deadline: GameDeadline, at place: LogPlace) {
    switch self {
    case .bingo(var game):
      game.deadlinePassed(deadline, at: place)
      self = .bingo(game)
    }
  }

  /// See `Game.meets`.
  package func meets(_ deadline: GameDeadline, with move: CBOR, by seat: Int) -> Bool {
    switch self {
    case .bingo(let game):
      guard let move = try? BingoMove(move) else { return false }
      return game.meets(deadline, with: move, by: seat)
    }
  }

  /// See `Game.seatLeft`.
  package mutating func seatLeft(_ seat: Int, at place: LogPlace) {
    switch self {
    case .bingo(var game):
      game.seatLeft(seat, at: place)
      self = .bingo(game)
    }
  }

  /// See `Game.seatAway`.
  package mutating func seatAway(_ seat: Int, _ isAway: Bool) {
    switch self {
    case .bingo(var game):
      game.seatAway(seat, isAway)
      self = .bingo(game)
    }
  }

  /// See `Game.outcome`.
  package var outcome: GameOutcome? {
    switch self {
    case .bingo(let game): game.outcome
    }
  }

  /// See `Game.stateHash`.
  package var stateHash: Digest {
    switch self {
    case .bingo(let game): game.stateHash
    }
  }

  /// See `Game.news`.
  package var news: [GameNews] {
    switch self {
    case .bingo(let game): game.news
    }
  }

  /// See `Game.progress`.
  package func progress(of seat: Int) -> Progress {
    switch self {
    case .bingo(let game): game.progress(of: seat)
    }
  }
}

/// What the page shows of whichever game; its fields are written beside those of the table.
package enum AnyGameView: Sendable, Hashable, Encodable {
  case bingo(BingoView)

  /// Shows a lobby, or the game once it is dealt.
  ///
  /// `seat` and `players` count the table's seats, `dealt` the game's; `playing` is how many are
  /// or will be dealt in.
  package init(
    setup: AnySetup, game: AnyGame?, seat: Int?, dealtSeat: Int?, players: [PublicKey],
    playing: Int, showsWords: Bool
  ) {
    switch setup {
    case .bingo(let setup):
      var view = setup.view(
        for: seat, players: players, playing: playing, showsWords: showsWords)
      if case .bingo(let game) = game { game.show(in: &view, for: dealtSeat) }
      self = .bingo(view)
    }
  }

  /// Completes the view with what only this laptop knows.
  package mutating func fill(_ known: LocalKnowledge) {
    switch self {
    case .bingo(var view):
      view.fill(known)
      self = .bingo(view)
    }
  }

  /// What My tables says of a running game to its player, most urgent first; nil for nothing.
  package var sign: (kind: String, count: Int)? {
    switch self {
    case .bingo(let view): view.sign
    }
  }

  package func encode(to encoder: any Encoder) throws {
    switch self {
    case .bingo(let view): try view.encode(to: encoder)
    }
  }
}

/// The recap of whichever game; its fields are written beside those of the table's result.
package enum AnyResultView: Sendable, Hashable, Encodable {
  case bingo(BingoResultView)

  /// The recap of a game; empty where none was dealt or it is not over.
  package init(_ kind: GameKind, _ game: AnyGame?) {
    switch kind {
    case .bingo:
      guard case .bingo(let game) = game, let result = game.result else {
        self = .bingo(BingoResultView(lines: [], timeline: [], boards: []))
        return
      }
      self = .bingo(result)
    }
  }

  /// Puts times to what happened; `start` is how long ago the game began.
  package mutating func fill(_ known: LocalKnowledge, start: UInt64?) {
    switch self {
    case .bingo(var view):
      view.fill(known, start: start)
      self = .bingo(view)
    }
  }

  package func encode(to encoder: any Encoder) throws {
    switch self {
    case .bingo(let view): try view.encode(to: encoder)
    }
  }
}

extension GameMove {
  /// Reads a move out of an entry; `malformed` when it is none.
  init(orRefuse item: CBOR) throws(IllegalMove) {
    do throws(DecodeError) { try self.init(item) } catch { throw .malformed }
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
    }
  }
}
