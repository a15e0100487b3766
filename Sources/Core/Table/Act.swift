package import CBOR
package import Games
package import Wire

/// What an entry says its author did: the meaning of `Entry.body`.
package enum Act: Hashable, Sendable {
  /// Takes a seat; the author is the player key, identity and voter key cosign.
  case join(Join)
  /// Changes words or settings, in the language of the game.
  case setup(CBORBody)
  case ready(Bool)
  /// The creator closes the lobby.
  case start
  /// The creator calls the table off.
  case cancel
  /// The author's seat ends.
  case left
  /// Binds the author to a secret for draw `draw` (see `Draw.commitment`).
  case commit(draw: UInt64, commitment: Digest)
  /// Opens the secret.
  case reveal(draw: UInt64, secret: Digest)
  /// Plays, in the language of the game.
  case move(CBORBody)
  /// Asks for another game with the same people.
  case rematch
  /// Whoever was away is here again.
  case back
  /// Helps to agree without a seat; the author is a key of its own, identity and voter key cosign.
  case witness(Join)
  /// Votes with another key from now on, whose records begin anew; cosigned by that key.
  case rekey(Rekey)
  /// Whoever runs the table lets nobody new in, or does again.
  case lock(Bool)
  /// Whoever runs the table takes a seat, or somebody who looks on, off it; by player key.
  case takeOff(PublicKey)
  /// Undoes that for a seat.
  case letBack(PublicKey)
  /// Looks on without a seat or a vote; the author is a key of its own, identity and voter key cosign.
  case watch(Join)

  /// Says after an anonymous game who was behind the seat; cosigned by that identity.
  case show(Seat.Shown)

  /// The next voter key of a seat or witness.
  package struct Rekey: Hashable, Sendable {
    package let voter: PublicKey
    package let generation: UInt64

    /// Names the fields.
    package init(voter: PublicKey, generation: UInt64) {
      self.voter = voter
      self.generation = generation
    }
  }

  /// The identity, voter key and name of who joins.
  package struct Join: Hashable, Sendable {
    package let identity: PublicKey
    package let voter: PublicKey
    package let generation: UInt64
    package let name: String

    /// Names the fields.
    package init(identity: PublicKey, voter: PublicKey, generation: UInt64, name: String) {
      self.identity = identity
      self.voter = voter
      self.generation = generation
      self.name = name
    }

    fileprivate init(_ parts: [CBOR]) throws(DecodeError) {
      identity = try PublicKey(parts[1], "join.identity")
      voter = try PublicKey(parts[2], "join.voter")
      generation = try parts[3].unsigned("join.generation", maximum: Limits.counter)
      name = try parts[4].text("join.name", maximum: Limits.nameBytes)
    }

    fileprivate var fields: [CBOR] {
      [identity.cbor, voter.cbor, .unsigned(generation), .text(name)]
    }
  }

  /// What is said in the language of a game, as its one encoding.
  package struct CBORBody: Hashable, Sendable {
    package let item: CBOR

    fileprivate init(_ item: CBOR) { self.item = item }

    package func hash(into hasher: inout Hasher) { hasher.combine(item.encoded) }
  }

  /// A change of words or settings.
  package static func setup(_ move: some GameMove) -> Act { .setup(CBORBody(move.cbor)) }
  /// A change of words or settings, encoded already.
  package static func setup(encoded item: CBOR) -> Act { .setup(CBORBody(item)) }
  /// A move of the game, encoded already.
  package static func move(encoded item: CBOR) -> Act { .move(CBORBody(item)) }
  /// A move of the game.
  package static func move(_ move: some GameMove) -> Act { .move(CBORBody(move.cbor)) }

  /// A stable name, as in `agreed.kind` of Protocol/local-api-state.md.
  package var kind: String {
    switch self {
    case .join: "join"
    case .setup: "setup"
    case .ready: "ready"
    case .start: "start"
    case .cancel: "cancel"
    case .left: "left"
    case .commit: "commit"
    case .reveal: "reveal"
    case .move: "move"
    case .rematch: "rematch"
    case .show: "show"
    case .back: "back"
    case .witness: "witness"
    case .rekey: "rekey"
    case .lock: "lock"
    case .takeOff: "takeOff"
    case .letBack: "letBack"
    case .watch: "watch"
    }
  }

  /// Reads an entry's body; throws when it is no act that this version knows.
  package init(decoding body: [UInt8]) throws(DecodeError) {
    let parts = try CBOR(decoding: body).array("act", count: 1...5)
    let kind = try parts[0].unsigned("act.kind")
    let counts = [5, 2, 2, 1, 1, 1, 3, 3, 2, 1, 1, 5, 3, 2, 2, 2, 5, 3]
    guard kind < UInt64(counts.count) else { throw .unknownKind("act.kind") }
    guard parts.count == counts[Int(kind)] else { throw .wrongCount("act") }
    switch kind {
    case 0: self = .join(try Join(parts))
    case 1: self = .setup(CBORBody(parts[1]))
    case 2: self = .ready(try parts[1].bool("ready"))
    case 3: self = .start
    case 4: self = .cancel
    case 5: self = .left
    case 6:
      self = .commit(
        draw: try parts[1].unsigned("commit.draw", maximum: Limits.counter),
        commitment: try Digest(parts[2], "commit.commitment"))
    case 7:
      self = .reveal(
        draw: try parts[1].unsigned("reveal.draw", maximum: Limits.counter),
        secret: try Digest(parts[2], "reveal.secret"))
    case 8: self = .move(CBORBody(parts[1]))
    case 9: self = .rematch
    case 10: self = .back
    case 11: self = .witness(try Join(parts))
    case 13: self = .lock(try parts[1].bool("lock"))
    case 14: self = .takeOff(try PublicKey(parts[1], "takeOff.player"))
    case 15: self = .letBack(try PublicKey(parts[1], "letBack.player"))
    case 16: self = .watch(try Join(parts))
    case 17:
      self = .show(
        Seat.Shown(
          identity: try PublicKey(parts[1], "show.identity"),
          name: try parts[2].text("show.name", maximum: Limits.nameBytes)))
    default:
      self = .rekey(
        Rekey(
          voter: try PublicKey(parts[1], "rekey.voter"),
          generation: try parts[2].unsigned("rekey.generation", maximum: Limits.counter)))
    }
  }

  /// The body of an entry: the encoding of `[kind, field...]`.
  package var encoded: [UInt8] {
    let item: CBOR =
      switch self {
      case .join(let join): .array([0] + join.fields)
      case .setup(let body): [1, body.item]
      case .ready(let isReady): [2, .bool(isReady)]
      case .start: [3]
      case .cancel: [4]
      case .left: [5]
      case .commit(let draw, let commitment): [6, .unsigned(draw), commitment.cbor]
      case .reveal(let draw, let secret): [7, .unsigned(draw), secret.cbor]
      case .move(let body): [8, body.item]
      case .rematch: [9]
      case .back: [10]
      case .witness(let join): .array([11] + join.fields)
      case .rekey(let rekey): [12, rekey.voter.cbor, .unsigned(rekey.generation)]
      case .lock(let isLocked): [13, .bool(isLocked)]
      case .takeOff(let player): [14, player.cbor]
      case .letBack(let player): [15, player.cbor]
      case .watch(let join): .array([16] + join.fields)
      case .show(let shown): [17, shown.identity.cbor, .text(shown.name)]
      }
    return item.encoded
  }
}
