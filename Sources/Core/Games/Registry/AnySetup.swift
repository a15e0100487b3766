package import CBOR
package import Wire

/// Every game that a table can play; a new one gets its rows in this file and its own folder.
package enum GameKind: String, Sendable, CaseIterable, Encodable {
  case bingo
  case quoridor

  /// Every refusal that its moves and its lobby can meet.
  package var refusals: [IllegalMove] {
    switch self {
    case .bingo: Bingo.refusals
    case .quoridor: QuoridorGame.refusals
    }
  }
}

/// The setup of whichever game a table plays.
package enum AnySetup: Sendable {
  case bingo(BingoSetup)
  case quoridor(QuoridorSetup)

  /// Reads the setup of a genesis.
  package init(_ kind: GameKind, _ item: CBOR) throws(DecodeError) {
    switch kind {
    case .bingo: self = .bingo(try BingoSetup(item))
    case .quoridor: self = .quoridor(try QuoridorSetup(item))
    }
  }

  /// The game it is for.
  package var kind: GameKind {
    switch self {
    case .bingo: .bingo
    case .quoridor: .quoridor
    }
  }

  /// See `GameSetup.genesisCBOR`.
  package var genesisCBOR: CBOR {
    switch self {
    case .bingo(let setup): setup.genesisCBOR
    case .quoridor(let setup): setup.genesisCBOR
    }
  }

  /// The setup for a table that goes on where this one ended: without what its seats did to it.
  ///
  /// `seat` is the dealt seat in `game` of who makes that table.
  package func renewed(after game: AnyGame?, by seat: Int?) -> AnySetup {
    switch self {
    case .bingo(let setup): return .bingo(setup.renewed)
    case .quoridor(let setup):
      guard case .quoridor(let game) = game else { return self }
      return .quoridor(setup.renewed(after: game, by: seat))
    }
  }

  /// See `GameSetup.seatLimit`.
  package var seatLimit: Int? {
    switch self {
    case .bingo(let setup): setup.seatLimit
    case .quoridor(let setup): setup.seatLimit
    }
  }

  /// See `GameSetup.waitsForReady`.
  package var waitsForReady: Bool {
    switch self {
    case .bingo(let setup): setup.waitsForReady
    case .quoridor(let setup): setup.waitsForReady
    }
  }

  /// See `GameSetup.stateHash`.
  package var stateHash: Digest {
    switch self {
    case .bingo(let setup): setup.stateHash
    case .quoridor(let setup): setup.stateHash
    }
  }

  /// See `GameSetup.startRefusal`.
  package func startRefusal(players: Int) -> IllegalMove? {
    switch self {
    case .bingo(let setup): setup.startRefusal(players: players)
    case .quoridor(let setup): setup.startRefusal(players: players)
    }
  }

  /// Reads and takes a change by a seat of the table, or refuses it and stays as it is.
  ///
  /// `members` are the seats that have not left.
  package mutating func apply(
    _ move: CBOR, by seat: Int, among members: [Int]
  ) throws(IllegalMove) {
    switch self {
    case .bingo(var setup):
      try setup.apply(try BingoSetupMove(orRefuse: move), by: seat, among: members)
      self = .bingo(setup)
    case .quoridor(var setup):
      try setup.apply(try QuoridorSetupMove(orRefuse: move), by: seat, among: members)
      self = .quoridor(setup)
    }
  }

  /// See `GameSetup.membersChanged`.
  package mutating func membersChanged(_ members: [Int]) {
    guard case .bingo(var setup) = self else { return }
    setup.membersChanged(members)
    self = .bingo(setup)
  }

  /// See `GameSetup.takesLatecomers`.
  package var takesLatecomers: Bool {
    switch self {
    case .bingo(let setup): setup.takesLatecomers
    case .quoridor(let setup): setup.takesLatecomers
    }
  }

  /// See `GameSetup.takesWatchers`.
  package var takesWatchers: Bool {
    switch self {
    case .bingo(let setup): setup.takesWatchers
    case .quoridor(let setup): setup.takesWatchers
    }
  }

  /// A setup from what the New table screen asks for.
  package static func make(
    _ kind: GameKind, from command: GameCommand
  ) throws(IllegalMove) -> MadeSetup {
    switch kind {
    case .bingo: try BingoSetup.make(from: command)
    case .quoridor: try QuoridorSetup.make(from: command)
    }
  }

  /// Whether its players may agree to end a game without a winner, as where one cannot go on.
  package var isEndedByAgreement: Bool {
    switch self {
    case .bingo: false
    case .quoridor: true
    }
  }

  /// Whether a laptop that helps to agree may show the game to its player.
  package var isOpenToWatch: Bool {
    switch self {
    case .bingo(let setup): setup.takesWatchers
    case .quoridor: true
    }
  }

  /// Whether two who look for somebody to play with can be brought together: nothing has to be agreed on first.
  package static func isMatched(_ kind: GameKind) -> Bool {
    switch kind {
    case .bingo: false
    case .quoridor: true
    }
  }

  /// A table on this laptop alone: its setup, its title and the names of its pretend seats.
  package static func practice(
    _ kind: GameKind, from command: GameCommand
  ) throws(IllegalMove) -> (setup: AnySetup, title: String, pretendNames: [String]) {
    switch kind {
    case .bingo:
      let made = try BingoSetup.make(from: PretendColleague.practice)
      return (made.setup, "A try-out", PretendColleague.cast.map(\.name))
    case .quoridor:
      let setup = try QuoridorSetup.practice(from: command)
      return (.quoridor(setup), "Practice", setup.pretendNames)
    }
  }

  /// The change of the lobby that a command means, as it travels; nil when it is none of the game's.
  package func move(for command: GameCommand) throws(IllegalMove) -> CBOR? {
    switch self {
    case .bingo(let setup): try setup.move(for: command)?.cbor
    case .quoridor(let setup): try setup.move(for: command)?.cbor
    }
  }

  /// What the list of open tables says: edge of the board, and planned minutes, 0 where none are.
  package var notice: (size: Int, minutes: Int) {
    switch self {
    case .bingo(let setup): (setup.settings.size, setup.settings.minutes)
    case .quoridor: (9, 0)
    }
  }

  /// The deal receipt's numbers: tiles in a row, words of the list, words in play; nil where no words are dealt.
  package func receipt(players: Int) -> (size: Int, words: Int, pool: Int)? {
    switch self {
    case .bingo(let setup):
      let words = setup.playable.count
      return (
        setup.settings.size, words, setup.settings.pool(words: words, players: players)
      )
    case .quoridor: return nil
    }
  }
}
