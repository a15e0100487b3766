import Consensus
import Discovery
import Wire

/// The efforts to reach peers through others.
struct RelayDials: Sendable {
  /// Of one peer through one other.
  private struct Attempt: Sendable {
    let peer: PublicKey
    let through: PublicKey
    var failures = 0
    var nextAt: Milliseconds = 0
    var underWay = false
  }

  private var attempts: [Attempt] = []

  /// Through whom to dial a peer now, of `relays`; notes the dial.
  ///
  /// Whoever has failed least is tried first, one at a time.
  mutating func begin(
    to peer: PublicKey, among relays: [PublicKey], at now: Milliseconds
  ) -> PublicKey? {
    guard !attempts.contains(where: { $0.peer == peer && $0.underWay }) else { return nil }
    let ready = relays.map { attempt(to: peer, through: $0) }.filter { now >= $0.nextAt }
    guard
      var best = ready.min(by: { ($0.failures, $0.through) < ($1.failures, $1.through) })
    else { return nil }
    best.underWay = true
    note(best)
    return best.through
  }

  /// A dial led to a link: the next one does not wait.
  mutating func succeeded(to peer: PublicKey, through relay: PublicKey) {
    attempts.removeAll { $0.peer == peer && $0.through == relay }
  }

  /// A dial came to nothing, or its link is over: the next one waits longer.
  mutating func failed(to peer: PublicKey, through relay: PublicKey, at now: Milliseconds) {
    var attempt = attempt(to: peer, through: relay)
    attempt.nextAt = now + Switchboard.pause(after: attempt.failures)
    attempt.failures += 1
    attempt.underWay = false
    note(attempt)
  }

  private func attempt(to peer: PublicKey, through relay: PublicKey) -> Attempt {
    attempts.first { $0.peer == peer && $0.through == relay }
      ?? Attempt(peer: peer, through: relay)
  }

  private mutating func note(_ attempt: Attempt) {
    attempts.removeAll { $0.peer == attempt.peer && $0.through == attempt.through }
    if attempts.count >= Roster.capacity { attempts.removeFirst() }
    attempts.append(attempt)
  }
}
