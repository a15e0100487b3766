/// How many beacons from one address are looked at closely: checking a signature is work that anybody
/// on the network can ask for.
///
/// Nobody needs many: a node sends one in 2 s at the most, and a laptop may hold dozens of nodes.
package struct SourceBudget: Sendable {
  /// What may be done with a beacon.
  package enum Judgement: Equatable, Sendable {
    case check
    case ignore
    /// As `ignore`, for the first time in a while: worth a line in the log.
    case ignoreAndSay
  }

  /// Beacons at once from one address.
  package static let burst: UInt64 = 256
  /// Milliseconds after which one address may send another: 62 a second for long.
  package static let pause: UInt64 = 16
  /// Milliseconds after which all addresses together may send another: 1,000 a second for long.
  package static let commonPause: UInt64 = 1
  /// The same at once.
  package static let commonBurst: UInt64 = 2_048
  /// Addresses told apart; those beyond share the budget of one.
  package static let sources = 256
  /// Milliseconds between two lines of the log.
  package static let quiet: UInt64 = 60_000

  /// When a budget is whole again, which tells all about it.
  private var wholeAt: [(host: IPAddress, at: UInt64)] = []
  private var othersWholeAt: UInt64 = 0
  private var commonWholeAt: UInt64 = 0
  private var quietUntil: UInt64 = 0

  /// Nobody has sent anything.
  package init() {}

  /// Judges a beacon from `host` and counts it.
  package mutating func judge(_ host: IPAddress, at now: UInt64) -> Judgement {
    guard takeOwn(host, at: now),
      SourceBudget.take(
        &commonWholeAt, pause: SourceBudget.commonPause, burst: SourceBudget.commonBurst, at: now)
    else {
      guard now >= quietUntil else { return .ignore }
      quietUntil = now + SourceBudget.quiet
      return .ignoreAndSay
    }
    return .check
  }

  private mutating func takeOwn(_ host: IPAddress, at now: UInt64) -> Bool {
    var index = wholeAt.firstIndex { $0.host == host }
    if index == nil {
      if wholeAt.count >= SourceBudget.sources { wholeAt.removeAll { $0.at <= now } }
      if wholeAt.count < SourceBudget.sources {
        wholeAt.append((host, 0))
        index = wholeAt.count - 1
      }
    }
    guard let index else {
      return SourceBudget.take(
        &othersWholeAt, pause: SourceBudget.pause, burst: SourceBudget.burst, at: now)
    }
    return SourceBudget.take(
      &wholeAt[index].at, pause: SourceBudget.pause, burst: SourceBudget.burst, at: now)
  }

  private static func take(
    _ wholeAt: inout UInt64, pause: UInt64, burst: UInt64, at now: UInt64
  ) -> Bool {
    let next = max(wholeAt, now) + pause
    guard next <= now + burst * pause else { return false }
    wholeAt = next
    return true
  }
}
