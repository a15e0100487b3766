import Discovery
import Wire

/// What may still come in: a budget for each peer, one for all peers at an address, and one for all
/// addresses of an IPv6 network.
struct LinkBudgets {
  /// Whose budget is charged.
  enum Payer: Hashable {
    case peer(PublicKey)
    case address(IPAddress)
    case network(IPAddress)

    /// Who pays for what comes from a host, whoever is there.
    static func of(_ host: IPAddress) -> [Payer] {
      host.network == host ? [.address(host)] : [.address(host), .network(host.network)]
    }
  }

  private let limits: LinkLimits
  private var buckets: [Payer: TokenBucket] = [:]

  /// Full budgets for everybody.
  init(limits: LinkLimits) { self.limits = limits }

  /// Charges `count` bytes; returns how long until they are paid for, or nil when they are.
  mutating func take(
    _ count: Int, from payer: Payer, now: ContinuousClock.Instant
  ) -> Duration? {
    let share =
      switch payer {
      case .peer: 1
      case .address: limits.budgetsPerAddress
      case .network: limits.budgetsPerAddress * limits.addressesPerNetwork
      }
    var bucket =
      buckets[payer]
      ?? TokenBucket(
        capacity: limits.burstBytes * share, perSecond: limits.bytesPerSecond * share, now: now)
    defer { buckets[payer] = bucket }
    return bucket.take(count, now: now)
  }

  /// Charges a host and its network; the longer of the two waits counts.
  mutating func take(
    _ count: Int, from host: IPAddress, now: ContinuousClock.Instant
  ) -> Duration? {
    var longest: Duration?
    for payer in Payer.of(host) {
      guard let wait = take(count, from: payer, now: now) else { continue }
      longest = max(longest ?? wait, wait)
    }
    return longest
  }

  /// Keeps the budgets of those that are present or have not yet refilled.
  mutating func forgetFull(except present: Set<Payer>, now: ContinuousClock.Instant) {
    buckets = buckets.filter { payer, bucket in
      present.contains(payer) || !bucket.isFull(now: now)
    }
  }
}
