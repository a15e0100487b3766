internal import Consensus
package import Wire

/// Whom one node could reach, and since when not; for invariants 9 and 13.
///
/// Told from its links and from what was said to it, with nothing of the replica's own code.
package struct ReachChecker: Sendable {
  /// Below a quorum so long a node has had time to become quiet, in milliseconds.
  package static let toQuiet: UInt64 = 10_000
  /// Nobody is voted out who was missed for less: a minute on a clock that may run fast, on which
  /// the second before a tick may count as well.
  package static let toMiss: UInt64 = 57_000

  /// What a peer last said of itself.
  private struct Word: Sendable {
    var epoch: Digest?
    var reached: Set<PublicKey> = []
  }

  private let own: PublicKey
  /// Peers at the other ends of links, and what each said.
  private var told: [PublicKey: Word] = [:]
  private var belowSince: UInt64?
  private var missedSince: [PublicKey: UInt64] = [:]

  /// A node with this voter key that has just started.
  package init(voter: PublicKey) { own = voter }

  /// A link came up or went down.
  package mutating func link(_ voter: PublicKey, isUp: Bool) { told[voter] = isUp ? Word() : nil }

  /// A linked peer says whom it reaches, and in which epoch it is.
  package mutating func hear(_ reached: [PublicKey], in epoch: Digest, from voter: PublicKey) {
    if told[voter] != nil { told[voter] = Word(epoch: epoch, reached: Set(reached)) }
  }

  /// Its program stood still until now.
  package mutating func rested(at now: UInt64) { belowSince = belowSince.map { _ in now } }

  /// Looks again, after anything happened.
  ///
  /// Who leaves itself out when it says whom it reaches in this epoch does not vote in it (R10.3), so
  /// that it counts as missed, whatever others still say: they may have heard of it before.
  package mutating func look(
    _ electorate: Electorates.Electorate, in epoch: Digest, at now: UInt64
  ) {
    let silent = told.filter { $0.value.epoch == epoch && !$0.value.reached.contains($0.key) }
    let named = told.values.reduce(Set(told.keys)) { $0.union($1.reached) }
    let reached = named.subtracting(silent.keys).union([own])
    let missed = electorate.voters.filter { !reached.contains($0) }
    let isBelow = electorate.voters.count - missed.count < electorate.quorum
    belowSince = isBelow ? belowSince ?? now : nil
    missedSince = missedSince.filter { missed.contains($0.key) }
    for voter in missed where missedSince[voter] == nil { missedSince[voter] = now }
  }

  /// Whether it has been below a quorum for so long that it must be quiet.
  package func mustBeQuiet(at now: UInt64) -> Bool {
    belowSince.map { now >= $0 + Self.toQuiet } ?? false
  }

  /// Whether a voter has been out of reach so long that it may be voted out.
  package func misses(_ voter: PublicKey, at now: UInt64) -> Bool {
    missedSince[voter].map { now >= $0 + Self.toMiss } ?? false
  }
}
