import CBOR
package import Wire

/// The setup draw by commit and reveal (PRODUCT decision 6, CONSENSUS 6.4).
///
/// Commit: every seat that votes is *awaited* for ten seconds; any seat may lay down a commitment
/// until the last awaited one has, or its time has passed, and two are there. Nothing is known
/// yet, so who was late may still come in. Reveal: each that laid down has ten seconds to open.
/// Who does not has *lost his say*: the next draw runs without his key. A draw that would be left
/// with one key waits instead.
package struct Draw: Hashable, Sendable {
  /// Milliseconds to lay down, and again to open.
  package static let duration: UInt64 = 10_000

  /// What a draw waits for.
  package enum Stage: UInt8, Sendable {
    case committing = 0
    case revealing = 1
  }

  /// A seat's part in the draw.
  package struct Part: Hashable, Sendable {
    package let seat: Int
    package let player: PublicKey
    package let commitment: Digest
    package fileprivate(set) var secret: Digest?
  }

  /// Counts draws from 0.
  package private(set) var number: UInt64 = 0
  package private(set) var stage = Stage.committing
  /// The place in the log that opened the stage.
  package private(set) var opened: LogPlace
  /// Seats whose commitment is still waited for, ascending.
  package private(set) var awaited: [Int]
  /// What has been laid down, in the order of seats.
  package private(set) var parts: [Part] = []
  /// Seats that did not open in time, ascending.
  package private(set) var silent: [Int] = []
  /// Keys without which no draw is made: two, or one at a practice table for one.
  private let minimum: Int

  init(awaited: [Int], minimum: Int, at place: LogPlace) {
    self.awaited = awaited.sorted()
    self.minimum = minimum
    opened = place
  }

  /// What a seat lays down: BLAKE2b-256 over the table, the draw, its player key and its secret.
  package static func commitment(
    table: TableID, draw: UInt64, player: PublicKey, secret: Digest
  ) -> Digest {
    Digest(.commit, table.cbor, .unsigned(draw), player.cbor, secret.cbor)
  }

  /// Whether a seat may still lay down a commitment.
  package func mayCommit(_ seat: Int) -> Bool {
    stage == .committing && !silent.contains(seat) && !parts.contains { $0.seat == seat }
  }

  /// Whether a seat has laid down and not yet opened.
  package func owesReveal(_ seat: Int) -> Bool {
    stage == .revealing && parts.contains { $0.seat == seat && $0.secret == nil }
  }

  /// The seed, once everything is open: BLAKE2b-256 over the table, the draw, and key and secret
  /// of each part in the order of seats.
  func seed(table: TableID) -> Digest? {
    guard stage == .revealing else { return nil }
    var items: [CBOR] = [table.cbor, .unsigned(number)]
    for part in parts {
      guard let secret = part.secret else { return nil }
      items += [part.player.cbor, secret.cbor]
    }
    return Digest(.draw, .array(items))
  }

  // MARK: Changes

  mutating func commit(_ commitment: Digest, by seat: Int, player: PublicKey, at place: LogPlace) {
    parts.append(Part(seat: seat, player: player, commitment: commitment))
    parts.sort { $0.seat < $1.seat }
    awaited.removeAll { $0 == seat }
    closeCommitting(at: place)
  }

  mutating func reveal(_ secret: Digest, by seat: Int) {
    for index in parts.indices where parts[index].seat == seat { parts[index].secret = secret }
  }

  /// A seat's time to lay down has passed: it is not waited for any more.
  mutating func commitPassed(_ seat: Int, at place: LogPlace) {
    awaited.removeAll { $0 == seat }
    closeCommitting(at: place)
  }

  /// A seat's time to open has passed: the next draw runs without it, among `voters`.
  mutating func revealPassed(_ seat: Int, voters: [Int], at place: LogPlace) {
    silent.append(seat)
    silent.sort()
    restart(voters: voters, at: place)
  }

  /// A seat has left for good; what it has opened stays, what it only laid down does not.
  mutating func seatLeft(_ seat: Int, voters: [Int], at place: LogPlace) {
    awaited.removeAll { $0 == seat }
    switch stage {
    case .committing:
      parts.removeAll { $0.seat == seat }
      closeCommitting(at: place)
    case .revealing:
      if owesReveal(seat) { restart(voters: voters, at: place) }
    }
  }

  private mutating func closeCommitting(at place: LogPlace) {
    guard stage == .committing, awaited.isEmpty, parts.count >= minimum else { return }
    stage = .revealing
    opened = place
  }

  private mutating func restart(voters: [Int], at place: LogPlace) {
    number += 1
    stage = .committing
    opened = place
    parts = []
    awaited = voters.filter { !silent.contains($0) }
  }

  // MARK: Time

  /// The limits that run, one per seat that is waited for.
  ///
  /// `members` are the seats that have not left: no reveal runs out if too few would be left to
  /// draw without it.
  func deadlines(members: [Int]) -> [(kind: String, seat: Int)] {
    switch stage {
    case .committing: return awaited.map { ("commit", $0) }
    case .revealing:
      let able = members.filter { !silent.contains($0) }
      return parts.filter { $0.secret == nil && (able.count - 1) >= minimum }
        .map { ("reveal", $0.seat) }
    }
  }

  /// Every field in order; for the state hash.
  var cbor: CBOR {
    [
      .unsigned(number), CBOR(stage.rawValue), CBOR(opened.height), CBOR(opened.index),
      .array(awaited.map { CBOR($0) }), .array(silent.map { CBOR($0) }), CBOR(minimum),
      .array(parts.map { [CBOR($0.seat), $0.commitment.cbor, $0.secret?.cbor ?? .null] }),
    ]
  }
}
