import Consensus
import Discovery
import Wire

/// Who has asked for private tables with secrets that fit none, and how long the next answer waits.
///
/// Nobody guesses 128 bits; this keeps whoever tries from costing more than a little. A right proof
/// is never held back. Wrong ones are counted for the peer and for its address, of IPv6 for the
/// network, so that neither a new link nor a new identity or address begins anew.
struct GuessBook: Sendable {
  /// Wrong proofs that are answered at once: people mistype.
  static let free = 4
  /// What the answer after those waits; each later one twice as long, up to the longest.
  static let firstPause: Milliseconds = 250
  static let longestPause: Milliseconds = 8_000
  /// Whoever has been quiet for this long begins anew.
  static let memory: Milliseconds = 600_000
  /// Rows at the most; the one that was quiet longest goes.
  static let capacity = 256

  private enum Who: Hashable, Sendable {
    case peer(PublicKey)
    case network(IPAddress)
  }

  private struct Row: Sendable {
    let who: Who
    var count = 0
    var lastAt: Milliseconds
  }

  /// Ascending by the time of the last wrong proof.
  private var rows: [Row] = []

  /// What one more wrong proof leads to.
  struct Verdict: Equatable {
    /// How long the answer waits.
    let pause: Milliseconds
    /// Answers to this address are held back from now on: the first time that this is so.
    let isNews: Bool
  }

  /// Counts a wrong proof by a peer whose link comes from a host.
  mutating func wrong(by peer: PublicKey, at host: IPAddress, now: Milliseconds) -> Verdict {
    rows.removeAll { $0.lastAt + GuessBook.memory <= now }
    let ofPeer = count(.peer(peer), now)
    let ofHost = count(.network(host.network), now)
    return Verdict(
      pause: max(GuessBook.pause(after: ofPeer), GuessBook.pause(after: ofHost)),
      isNews: ofHost == GuessBook.free + 1)
  }

  private mutating func count(_ who: Who, _ now: Milliseconds) -> Int {
    var row = Row(who: who, lastAt: now)
    if let index = rows.firstIndex(where: { $0.who == who }) {
      row = rows.remove(at: index)
      row.lastAt = now
    } else if rows.count >= GuessBook.capacity {
      rows.removeFirst()
    }
    row.count += 1
    rows.append(row)
    return row.count
  }

  private static func pause(after count: Int) -> Milliseconds {
    guard count > free else { return 0 }
    return min(longestPause, firstPause << UInt64(min(count - free - 1, 16)))
  }
}
