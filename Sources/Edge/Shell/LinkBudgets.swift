import Discovery
import Wire

/// What may still come in: a budget for each peer, one for all peers at an address, and one for all
/// addresses of an IPv6 network.
///
/// What peers pass on from others is not theirs: it has budgets of its own, of each channel and of
/// all that comes from an address, so that nobody's own frames wait for those of strangers.
struct LinkBudgets {
  /// Whose budget is charged.
  enum Payer: Hashable {
    case peer(PublicKey)
    case address(IPAddress)
    case network(IPAddress)
    /// What one peer passes on from another: whoever lies about whom it is from burdens nobody else.
    case channel(PublicKey, through: PublicKey)
    /// What peers at an address, and in a network, pass on.
    case passedOnByAddress(IPAddress)
    case passedOnByNetwork(IPAddress)

    /// Who pays for what comes from a host, whoever is there.
    static func of(_ host: IPAddress) -> [Payer] {
      host.network == host ? [.address(host)] : [.address(host), .network(host.network)]
    }

    /// The same for what is passed on there.
    static func passingOn(at host: IPAddress) -> [Payer] {
      host.network == host
        ? [.passedOnByAddress(host)]
        : [.passedOnByAddress(host), .passedOnByNetwork(host.network)]
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
    var bucket = buckets[payer] ?? full(payer, now: now)
    defer { buckets[payer] = bucket }
    return bucket.take(count, now: now)
  }

  /// Charges several, such as a host and its network; the longest of the waits counts.
  mutating func take(
    _ count: Int, from payers: [Payer], now: ContinuousClock.Instant
  ) -> Duration? {
    payers.compactMap { take(count, from: $0, now: now) }.max()
  }

  /// Gives back what was charged before it was known who is to pay.
  mutating func giveBack(_ count: Int, to payers: [Payer], now: ContinuousClock.Instant) {
    _ = take(-count, from: payers, now: now)
  }

  /// What somebody may still send at once, below zero if in debt.
  func left(of payer: Payer, now: ContinuousClock.Instant) -> Int {
    (buckets[payer] ?? full(payer, now: now)).left(now: now)
  }

  private func full(_ payer: Payer, now: ContinuousClock.Instant) -> TokenBucket {
    let share =
      switch payer {
      case .peer, .channel: 1
      case .address, .passedOnByAddress: limits.budgetsPerAddress
      case .network, .passedOnByNetwork: limits.budgetsPerAddress * limits.addressesPerNetwork
      }
    return TokenBucket(
      capacity: limits.burstBytes * share, perSecond: limits.bytesPerSecond * share, now: now)
  }

  /// Keeps the budgets of those that are present or have not yet refilled.
  mutating func forgetFull(except present: Set<Payer>, now: ContinuousClock.Instant) {
    buckets = buckets.filter { payer, bucket in
      present.contains(payer) || !bucket.isFull(now: now)
    }
  }
}
