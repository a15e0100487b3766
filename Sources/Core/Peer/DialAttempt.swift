import Consensus
import Discovery
import Wire

/// An effort to reach an address, for somebody or for whoever is there.
struct DialAttempt: Sendable {
  let address: Address
  var peer: PublicKey?
  var failures = 0
  var nextAt: Milliseconds
  /// When the last dial began.
  var startedAt: Milliseconds
  var underWay = false

  /// A dial begins.
  mutating func begin(for peer: PublicKey?, at now: Milliseconds) {
    self.peer = peer
    underWay = true
    startedAt = now
  }

  /// It came to nothing: the next one waits longer.
  mutating func failed(at now: Milliseconds) {
    nextAt = now + Switchboard.pause(after: failures)
    failures += 1
    underWay = false
  }
}

extension Switchboard {
  /// How long to wait after a dial that failed, when so many had failed before it.
  static func pause(after failures: Int) -> Milliseconds {
    min(firstPause << UInt64(min(failures, 4)), longestPause)
  }
}
