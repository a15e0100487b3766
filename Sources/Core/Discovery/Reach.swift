/// Whether somebody hears the own beacons, as far as that one's beacons tell.
///
/// "No" is said on evidence only: three of its beacons, over two of its periods at least, came as
/// datagrams and did not name this node, and before each of them another own beacon had gone out.
package struct Reach: Hashable, Sendable {
  /// What is known of it.
  package enum HearsMe: String, Hashable, Sendable, Encodable {
    case yes, no, unknown
  }

  /// Beacons that do not name this node, before that is believed.
  static let misses = 3
  /// How long an own beacon may take to count with the other side, in milliseconds.
  package static let settling: UInt64 = 1_000

  package private(set) var hearsMe = HearsMe.unknown
  /// Own beacons that had settled when it was last judged.
  private var judged: UInt64
  private var missed = 0
  private var missedSince: UInt64 = 0
  /// It heard again after it had missed beacons, which then went to it alone.
  private var isFragile = false

  /// Nothing known; `settled` counts own beacons sent before it was first heard.
  init(settled: UInt64) { judged = settled }

  /// Whether it should be sent beacons alone as well: a broadcast that does not get through may be
  /// the only thing that does not.
  package var needsUnicast: Bool { missed > 0 || isFragile }

  /// Takes in what a beacon says, nil for nothing; `settled` is nil where own beacons cannot be sent
  /// on its path.
  mutating func read(
    _ tells: Bool?, byDatagram: Bool, settled: UInt64?, period: UInt64, at now: UInt64
  ) {
    guard let tells else { return }
    if tells {
      if missed > 0 { isFragile = true }
      missed = 0
      hearsMe = .yes
      return
    }
    guard let settled else {
      missed = 0
      hearsMe = .unknown
      return
    }
    guard byDatagram, settled > judged else { return }
    judged = settled
    if missed == 0 { missedSince = now }
    missed = min(missed + 1, Reach.misses)
    if missed == Reach.misses, now >= missedSince + 2 * period { hearsMe = .no }
  }

  /// The network is another: what was known of it is worth nothing.
  mutating func forget(settled: UInt64) { self = Reach(settled: settled) }

  /// For people, of those who do not hear this laptop; nil for nobody.
  package static func sentence(deaf names: [String]) -> String? {
    guard let first = names.first else { return nil }
    let who = names.count == 1 ? first : "\(first) and \(names.count - 1) more"
    let verb = names.count == 1 ? "does" : "do"
    return "I hear \(who), \(who) \(verb) not hear me."
  }
}

/// Own beacons as they went out to everybody, to know which of them others must have heard by now.
package struct OwnBeacons: Hashable, Sendable {
  private var older: UInt64 = 0
  private var recent: [UInt64] = []

  /// None sent yet.
  package init() {}

  /// Notes that one went out.
  package mutating func sent(at now: UInt64) {
    recent.append(now)
    while let first = recent.first, first + Reach.settling <= now || recent.count > 16 {
      recent.removeFirst()
      older += 1
    }
  }

  /// How many had the time to be heard.
  package func settled(at now: UInt64) -> UInt64 {
    older + UInt64(recent.count { $0 + Reach.settling <= now })
  }
}
