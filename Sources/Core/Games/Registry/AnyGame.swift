package import CBOR
package import Wire

/// Whichever game a table plays.
package enum AnyGame: Sendable {
  case bingo(Bingo)
  case quoridor(QuoridorGame)

  /// Deals; see `Game.init`.
  package init(setup: AnySetup, players: [PublicKey], seed: Digest) {
    switch setup {
    case .bingo(let setup): self = .bingo(Bingo(setup: setup, players: players, seed: seed))
    case .quoridor(let setup):
      self = .quoridor(QuoridorGame(setup: setup, players: players, seed: seed))
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
    case .quoridor(var game):
      try game.apply(try QuoridorMove(orRefuse: move), by: seat, at: place)
      self = .quoridor(game)
    }
  }

  /// The move that a command means for a seat, as it travels; nil when it is none of the game's.
  package func move(for command: GameCommand, seat: Int) throws(IllegalMove) -> CBOR? {
    switch self {
    case .bingo(let game): try game.move(for: command, seat: seat)?.cbor
    case .quoridor(let game): try game.move(for: command, seat: seat)?.cbor
    }
  }

  /// How long a tile of a seat has rested since the others said no to it, as a place in the log; nil in games
  /// without claims.
  package func deniedAt(tile: Int, seat: Int) -> LogPlace? {
    switch self {
    case .bingo(let game): game.deniedAt(tile: tile, seat: seat)
    case .quoridor: nil
    }
  }

  /// What a pretend seat does at once beside what `PretendColleague` does, as it travels; nil for nothing.
  package func pretendAnswer(of seat: Int) -> CBOR? {
    switch self {
    case .bingo: nil
    case .quoridor(let game): game.pretendAnswer(of: seat)?.cbor
    }
  }

  /// What a pretend seat has to think about before it moves; nil where it does not.
  package func thinking(of seat: Int) -> Thinking? {
    switch self {
    case .bingo: nil
    case .quoridor(let game): game.thinking(of: seat)
    }
  }

  /// Whether a move ends the game without a winner, where it does not go on.
  package func isEnding(_ move: CBOR) -> Bool {
    switch self {
    case .bingo: false
    case .quoridor: QuoridorGame.isEnding(move)
    }
  }

  /// What the laptop of a seat agrees to by itself where others have asked for it while it was away, as it travels;
  /// nil for nothing.
  package func agreementOnReturn(of seat: Int) -> CBOR? {
    switch self {
    case .bingo: nil
    case .quoridor(let game): game.agreementOnReturn(of: seat)?.cbor
    }
  }

  /// Why a move is not to be signed beside those of the same seat that are on their way; nil when it may be.
  package func clash(of move: CBOR, with pending: [CBOR]) -> IllegalMove? {
    switch self {
    case .bingo: return nil
    case .quoridor:
      guard let move = try? QuoridorMove(move) else { return nil }
      return QuoridorGame.clash(of: move, with: pending.compactMap { try? QuoridorMove($0) })
    }
  }

  /// The seat for which a command of the player of `seat` is meant, where people share a laptop.
  package func hand(for command: GameCommand, of seat: Int) -> Int {
    switch self {
    case .bingo: seat
    case .quoridor(let game): game.hand(for: command, of: seat)
    }
  }

  /// See `Game.deadlines`.
  package var deadlines: [GameDeadline] {
    switch self {
    case .bingo(let game): game.deadlines
    case .quoridor(let game): game.deadlines
    }
  }

  /// See `Game.deadlinePassed`.
  package mutating func deadlinePassed(_ deadline: GameDeadline, at place: LogPlace) {
    switch self {
    case .bingo(var game):
      game.deadlinePassed(deadline, at: place)
      self = .bingo(game)
    case .quoridor(var game):
      game.deadlinePassed(deadline, at: place)
      self = .quoridor(game)
    }
  }

  /// See `Game.meets`.
  package func meets(_ deadline: GameDeadline, with move: CBOR, by seat: Int) -> Bool {
    switch self {
    case .bingo(let game):
      guard let move = try? BingoMove(move) else { return false }
      return game.meets(deadline, with: move, by: seat)
    case .quoridor(let game):
      guard let move = try? QuoridorMove(move) else { return false }
      return game.meets(deadline, with: move, by: seat)
    }
  }

  /// See `Game.seatLeft`.
  package mutating func seatLeft(_ seat: Int, at place: LogPlace) {
    switch self {
    case .bingo(var game):
      game.seatLeft(seat, at: place)
      self = .bingo(game)
    case .quoridor(var game):
      game.seatLeft(seat, at: place)
      self = .quoridor(game)
    }
  }

  /// See `Game.mayReturn`.
  package var mayReturn: Bool {
    switch self {
    case .bingo(let game): game.mayReturn
    case .quoridor(let game): game.mayReturn
    }
  }

  /// See `Game.seatReturned`.
  package mutating func seatReturned(_ seat: Int, at place: LogPlace) {
    guard case .bingo(var game) = self else { return }
    game.seatReturned(seat, at: place)
    self = .bingo(game)
  }

  /// See `Game.seatJoined`.
  package mutating func seatJoined(_ player: PublicKey, at place: LogPlace) {
    guard case .bingo(var game) = self else { return }
    game.seatJoined(player, at: place)
    self = .bingo(game)
  }

  /// See `Game.seatAway`.
  package mutating func seatAway(_ seat: Int, _ isAway: Bool) {
    switch self {
    case .bingo(var game):
      game.seatAway(seat, isAway)
      self = .bingo(game)
    case .quoridor(var game):
      game.seatAway(seat, isAway)
      self = .quoridor(game)
    }
  }

  /// See `Game.outcome`.
  package var outcome: GameOutcome? {
    switch self {
    case .bingo(let game): game.outcome
    case .quoridor(let game): game.outcome
    }
  }

  /// See `Game.stateHash`.
  package var stateHash: Digest {
    switch self {
    case .bingo(let game): game.stateHash
    case .quoridor(let game): game.stateHash
    }
  }

  /// See `Game.news`.
  package var news: [GameNews] {
    switch self {
    case .bingo(let game): game.news
    case .quoridor(let game): game.news
    }
  }

  /// See `Game.progress`.
  package func progress(of seat: Int) -> Progress {
    switch self {
    case .bingo(let game): game.progress(of: seat)
    case .quoridor(let game): game.progress(of: seat)
    }
  }
}

extension GameMove {
  /// Reads a move out of an entry; `malformed` when it is none.
  init(orRefuse item: CBOR) throws(IllegalMove) {
    do throws(DecodeError) { try self.init(item) } catch { throw .malformed }
  }
}
