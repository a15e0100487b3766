package import Wire
import CBOR

/// A player's place at a table, in the order of joining; the creator's is the first.
package struct Seat: Hashable, Sendable {
  /// Nil for a pretend colleague.
  package let identity: PublicKey?
  package let player: PublicKey
  /// Nil for a pretend colleague.
  package internal(set) var voter: PublicKey?
  package internal(set) var generation: UInt64
  /// Voter keys of before, whose records were lost; they sign nothing any more.
  package internal(set) var retired: [PublicKey] = []
  package let name: String
  /// The number that its next entry must have.
  package internal(set) var nextSequence: UInt64 = 1
  package internal(set) var isReady = false
  /// Where the player left for good.
  package internal(set) var leftAt: LogPlace?
  /// Its laptop was taken out of the voters for a lie, and does not come back among them.
  package internal(set) var hasLied = false
  /// Nobody had heard its laptop for a minute, and it has done nothing since.
  package internal(set) var isAway = false
  /// Whoever runs the table has taken it off, which can be undone.
  package internal(set) var isTakenOff = false
  /// Where it was dealt in, of somebody who came while the game was played.
  package internal(set) var lateAt: LogPlace?
  /// It left before anything was drawn: no part of the game.
  package internal(set) var leftEarly = false
  /// Everything that never changes, hashed once.
  let digest: Digest

  /// Who it was, where it said so after an anonymous game.
  package internal(set) var shown: Shown?

  /// An identity that a seat says was behind it.
  package struct Shown: Hashable, Sendable {
    package let identity: PublicKey
    package let name: String

    /// Names who it was.
    package init(identity: PublicKey, name: String) {
      self.identity = identity
      self.name = name
    }
  }

  /// Seats a person; `besides`: names that are taken, where they follow from keys.
  init(_ member: Member, besides taken: [String]? = nil) {
    identity = member.identity
    player = member.player
    voter = member.voter
    generation = member.generation
    name = taken.map { Moniker.name(of: member.identity, besides: $0) } ?? member.name
    digest = Digest(.state, member.cbor)
  }

  /// Seats a pretend colleague.
  init(_ member: PretendMember) {
    identity = nil
    player = member.player
    voter = nil
    generation = 0
    name = member.name
    digest = Digest(.state, member.cbor)
    isReady = true
  }

  /// A colleague that the creator's node plays.
  package var isPretend: Bool { identity == nil }
  package var hasLeft: Bool { leftAt != nil }

  /// What changes about it; for the state hash.
  var cbor: CBOR {
    let always: [CBOR] = [
      digest.cbor, .unsigned(nextSequence), .bool(isReady), .bool(hasLeft), .bool(leftEarly),
    ]
    return .array(
      always + (hasLied ? [.bool(true)] : []) + (isAway ? [.text("away")] : [])
        + (isTakenOff ? [.text("takenOff")] : [])
        + (retired.isEmpty ? [] : [rekeyed])
        + (shown.map { [["shown", $0.identity.cbor, .text($0.name)]] } ?? []))
  }

  /// The keys it has had to vote with, the present one last.
  private var rekeyed: CBOR {
    .array([.unsigned(generation)] + (retired + [voter].compactMap { $0 }).map(\.cbor))
  }
}
