import Sockets
import Wire

/// What may still come in: a budget for each peer, and one for all peers at an address.
struct LinkBudgets {
  /// Whose budget is charged.
  enum Payer: Hashable {
    case peer(PublicKey)
    case address(IPv4Address)
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
      }
    var bucket =
      buckets[payer]
      ?? TokenBucket(
        capacity: limits.burstBytes * share, perSecond: limits.bytesPerSecond * share, now: now)
    defer { buckets[payer] = bucket }
    return bucket.take(count, now: now)
  }

  /// Keeps the budgets of those that are present or have not yet refilled.
  mutating func forgetFull(except present: Set<Payer>, now: ContinuousClock.Instant) {
    buckets = buckets.filter { payer, bucket in
      present.contains(payer) || !bucket.isFull(now: now)
    }
  }
}
