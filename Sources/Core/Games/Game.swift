package import CBOR
package import Wire

/// Why a move or a change of the setup was refused: a stable code, and what the player may do next.
package struct IllegalMove: Error, Hashable, Sendable {
  /// Stable, camelCase; goes into the log's outcome.
  package let code: String
  /// For people: ends with a full stop and says what to do next.
  package let sentence: String

  /// Names a refusal.
  package init(_ code: String, _ sentence: String) {
    self.code = code
    self.sentence = sentence
  }

  /// The body of an entry is not a move that this version knows.
  package static let malformed = IllegalMove(
    "malformed", "This laptop sent something the table does not know. Update Tabletalk on it.")
}

/// Something that travels in an entry's body.
package protocol GameMove: Hashable, Sendable {
  /// Reads the encoding; throws when it is not one.
  init(_ item: CBOR) throws(DecodeError)
  /// The encoding.
  var cbor: CBOR { get }
}

/// What the lobby agrees on before a game: settings and whatever material the game needs.
package protocol GameSetup: Sendable {
  associatedtype Move: GameMove
  /// Reads the setup a genesis carries; throws for anything a creator's node would not have made.
  init(_ item: CBOR) throws(DecodeError)
  /// The setup as a genesis carries it; what the lobby changed since is no part of it.
  var genesisCBOR: CBOR { get }
  /// Hash over everything later outcomes depend on.
  var stateHash: Digest { get }
  /// Takes a change by a seat of the table (0 is the creator), or refuses it and stays as it is.
  mutating func apply(_ move: Move, by seat: Int) throws(IllegalMove)
  /// Likewise, where it matters which seats are at the table.
  mutating func apply(_ move: Move, by seat: Int, among members: [Int]) throws(IllegalMove)
  /// Somebody has left the lobby, or has been let back.
  mutating func membersChanged(_ members: [Int])
  /// Why `players` seats could not start with it; nil when they can.
  func startRefusal(players: Int) -> IllegalMove?
  /// How many may sit down; nil where any number that the table has room for may.
  var seatLimit: Int? { get }
  /// Whether it starts only when everybody has said to be ready.
  var waitsForReady: Bool { get }
  /// Whether somebody may sit down while it is played.
  var takesLatecomers: Bool { get }
  /// Whether people without a seat may look on who are no witnesses.
  var takesWatchers: Bool { get }
}

extension GameSetup {
  /// It does not matter who else is there.
  package mutating func apply(
    _ move: Move, by seat: Int, among members: [Int]
  ) throws(IllegalMove) {
    try apply(move, by: seat)
  }
  /// Nothing comes of it.
  package mutating func membersChanged(_ members: [Int]) {}
  /// They may not.
  package var takesLatecomers: Bool { false }
  /// They may not.
  package var takesWatchers: Bool { false }
  /// Any number.
  package var seatLimit: Int? { nil }
  /// It does not.
  package var waitsForReady: Bool { false }
}

/// A limit of time inside a game; the table turns it into a deadline with an id.
package struct GameDeadline: Hashable, Sendable {
  /// What runs out, for example `vote`; part of the deadline's id.
  package let kind: String
  /// Which one of that kind.
  package let subject: UInt64
  /// The place in the log that opened it.
  package let opened: LogPlace
  /// Milliseconds.
  package let duration: UInt64

  /// Names a limit of time.
  package init(kind: String, subject: UInt64, opened: LogPlace, duration: UInt64) {
    self.kind = kind
    self.subject = subject
    self.opened = opened
    self.duration = duration
  }
}

/// How a game ended.
package struct GameOutcome: Hashable, Sendable {
  /// Why a game is over.
  package enum Kind: String, Sendable, Encodable {
    /// The rules of the game found winners.
    case line
    /// Everybody else has left.
    case lastPlayer
    /// More than half wanted it to end as it stood; who was ahead has won.
    case settled
    /// Nobody has won.
    case unfinished
    /// The rules of the game, or its players, made it a draw.
    case drawn
  }

  package let kind: Kind
  /// In the order of seats.
  package let winners: [PublicKey]
  package let place: LogPlace

  /// Names the end of a game.
  package init(kind: Kind, winners: [PublicKey], place: LogPlace) {
    self.kind = kind
    self.winners = winners
    self.place = place
  }
}

/// Something that happened in a game and that its players are told.
package struct GameNews: Hashable, Sendable {
  /// A kind of `feed` in Protocol/local-api-state.md.
  package let kind: String
  package let place: LogPlace
  package let who: [PublicKey]
  package let word: String?
  package let confirms: Int
  package let denials: Int

  /// Names what happened.
  package init(
    kind: String, place: LogPlace, who: [PublicKey], word: String? = nil, confirms: Int = 0,
    denials: Int = 0
  ) {
    self.kind = kind
    self.place = place
    self.who = who
    self.word = word
    self.confirms = confirms
    self.denials = denials
  }
}

/// How far a seat has come, as everybody may see it.
package struct Progress: Hashable, Sendable {
  /// Marked tiles of its best line, a free one included.
  package var best = 0
  /// Marked tiles in all.
  package var marked = 0
  /// One more tile completes a line.
  package var oneAway = false

  /// Nothing yet.
  package init() {}
}

/// The rules of a game: a value that moves and passed deadlines drive, the same on every laptop.
///
/// Seats are numbered 0 to `players.count - 1` in the order they were dealt in.
package protocol Game: Sendable {
  associatedtype Setup: GameSetup
  associatedtype Move: GameMove

  /// Every refusal a move or a change of the setup can meet.
  static var refusals: [IllegalMove] { get }
  /// Deals: everything chance decides comes from `seed` and the players' keys.
  init(setup: Setup, players: [PublicKey], seed: Digest)
  /// Plays a move, or refuses it with the state untouched.
  mutating func apply(_ move: Move, by seat: Int, at place: LogPlace) throws(IllegalMove)
  /// Limits of time that run now.
  var deadlines: [GameDeadline] { get }
  /// One of `deadlines` has run out.
  mutating func deadlinePassed(_ deadline: GameDeadline, at place: LogPlace)
  /// Whether this pending move is what the deadline waits for.
  func meets(_ deadline: GameDeadline, with move: Move, by seat: Int) -> Bool
  /// A player has left for good.
  mutating func seatLeft(_ seat: Int, at place: LogPlace)
  /// Whether a seat that was taken off the table may be let back.
  var mayReturn: Bool { get }
  /// Whoever was taken off the table is let back, with what the seat had.
  mutating func seatReturned(_ seat: Int, at place: LogPlace)
  /// Somebody sits down while it is played, as the last of the seats.
  mutating func seatJoined(_ player: PublicKey, at place: LogPlace)
  /// A player is away, or is back: nobody waits for one who is.
  mutating func seatAway(_ seat: Int, _ isAway: Bool)
  /// Every move that would not be refused now.
  func legalMoves(for seat: Int) -> [Move]
  /// How it ended, once it has.
  var outcome: GameOutcome? { get }
  /// Hash over everything later outcomes depend on.
  var stateHash: Digest { get }
  /// What players are told, in the order of the log.
  var news: [GameNews] { get }
  /// How far a seat has come.
  func progress(of seat: Int) -> Progress
}

extension Game {
  /// Does nothing: most games wait for nobody.
  package mutating func seatAway(_ seat: Int, _ isAway: Bool) {}
  /// Whoever has gone does not come back.
  package var mayReturn: Bool { false }
  /// Nobody does.
  package mutating func seatReturned(_ seat: Int, at place: LogPlace) {}
  /// Nobody does.
  package mutating func seatJoined(_ player: PublicKey, at place: LogPlace) {}
}
