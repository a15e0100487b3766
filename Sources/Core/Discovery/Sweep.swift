/// A subnet whose addresses can be asked one by one.
package struct Subnet: Hashable, Sendable, CustomStringConvertible {
  /// The longest part of an address that names the network here; a wider network is asked in the
  /// part of it around the own address.
  package static let widestPrefix = 22

  /// Its lowest address, in host order.
  package let base: UInt32
  /// Bits of an address that name the subnet.
  package let prefix: Int
  /// The own address, which is not asked.
  package let own: UInt32

  /// The subnet around an own address; nil where there is nobody else to ask.
  package init?(around own: UInt32, prefix: Int) {
    guard (0...30).contains(prefix) else { return nil }
    self.prefix = max(prefix, Subnet.widestPrefix)
    self.own = own
    base = own & ~(UInt32.max >> UInt32(self.prefix))
  }

  private var last: UInt32 { base | UInt32.max >> UInt32(prefix) }

  /// The addresses to ask, ascending: all but the lowest, the highest and the own.
  package var hosts: [UInt32] { (base + 1..<last).filter { $0 != own } }

  /// As `192.168.1.0/24`.
  package var description: String { "\(IPAddress.v4(base))/\(prefix)" }
}

/// One round of asking every address of the own subnets, for when broadcast reaches nobody.
///
/// Runs only when a person asked for it; slow enough that no network takes harm.
package struct Sweep: Sendable {
  /// Addresses asked a second.
  package static let perSecond = 50
  /// Addresses asked at a time, and the pause between two such bursts in milliseconds.
  static let burst = 5
  static let pause: UInt64 = 100
  /// How long answers are waited for after the last address, in milliseconds.
  package static let lastAnswers: UInt64 = 2_000
  /// How long after one ended the next may begin, in milliseconds.
  package static let rest: UInt64 = 30_000
  /// Subnets at the most.
  static let mostSubnets = 4

  package let subnets: [Subnet]
  private let hosts: [UInt32]
  /// How many were asked so far.
  package private(set) var asked = 0
  /// When the next burst, or the end, is due.
  package private(set) var dueAt: UInt64
  /// When the last answer was waited for; nil while it goes on.
  package private(set) var endedAt: UInt64?

  /// Nil when there is no subnet to ask.
  package init?(of subnets: [Subnet], at now: UInt64) {
    var kept: [Subnet] = []
    for subnet in subnets
    where !kept.contains(where: { $0.base == subnet.base && $0.prefix == subnet.prefix }) {
      kept.append(subnet)
    }
    guard !kept.isEmpty else { return nil }
    self.subnets = Array(kept.prefix(Sweep.mostSubnets))
    hosts = self.subnets.flatMap(\.hosts)
    dueAt = now
  }

  /// How many are asked in all.
  package var count: Int { hosts.count }

  /// Whether a new one may begin.
  package func mayRepeat(at now: UInt64) -> Bool {
    endedAt.map { now >= $0 + Sweep.rest } ?? false
  }

  /// The addresses whose turn it is, at most five a tenth of a second however late the call comes.
  package mutating func due(at now: UInt64) -> [UInt32] {
    guard endedAt == nil, now >= dueAt else { return [] }
    guard asked < hosts.count else {
      endedAt = now
      return []
    }
    let turn = hosts[asked..<min(asked + Sweep.burst, hosts.count)]
    asked += turn.count
    dueAt = now + (asked < hosts.count ? Sweep.pause : Sweep.lastAnswers)
    return Array(turn)
  }

  /// Ends it before its time.
  package mutating func stop(at now: UInt64) {
    if endedAt == nil { endedAt = now }
  }
}
