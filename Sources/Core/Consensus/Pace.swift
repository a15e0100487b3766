internal import Wire

/// The spans of time of rules 7-9, and where they stand in the current view.
///
/// Times are of the counted clock, on which at most 1 s passes between two ticks. Nothing is armed
/// outside a tick: what an event starts counts from the tick after it, so that the time before the
/// event can not fire it.
struct Pace: Sendable {
  /// Most that counts between two ticks.
  static let mostPerTick: Milliseconds = 1_000
  /// Longest wait for the next tick while anything runs; half of what counts at most.
  static let tick: Milliseconds = 500
  /// Cap of a view's timers, and of the shortest view when many were nullified.
  static let longestView: Milliseconds = 8_000
  static let longestStandstill: Milliseconds = 5_000
  static let clockWrites: Milliseconds = 5_000
  /// The first seal waits so long for those who are not ready (CONSENSUS 1.9).
  static let startWait: Milliseconds = 3_000
  static let readyEvery: Milliseconds = 4_000
  static let readyFor: Milliseconds = 5_000
  /// Those who come in first are waited for so long by those after them (S4.1).
  static let readyBefore: Milliseconds = 1_000
  /// An absence so long makes a returning link reset the back-off.
  static let longAbsence: Milliseconds = 5_000
  /// The finished game's tip may stay unsettled so long.
  static let settleWait: Milliseconds = 5_000

  private var roundTrips: [Milliseconds] = []
  /// The assumed bound on one message, Δ.
  private(set) var delta: Milliseconds = 250
  /// Views nullified since the last notarization.
  private(set) var nullified = 0
  /// Since when the timers of the current view run.
  private(set) var armedAt: Milliseconds?
  /// Since when this view is known to have work for its leader.
  private(set) var workAt: Milliseconds?
  private(set) var standstillAt: Milliseconds?
  private var standstillSpan: Milliseconds = 0
  private var jitter: UInt64

  init(seed: UInt64) { jitter = seed | 1 }

  /// Δ = four times the worst of the last 64 round trips, within 100 ms and 2 s.
  mutating func measured(roundTrip: Milliseconds) {
    roundTrips.append(min(roundTrip, 60_000))
    if roundTrips.count > 64 { roundTrips.removeFirst() }
    delta = min(max(4 * (roundTrips.max() ?? 0), 100), 2_000)
  }

  /// `times` Δ, half as long again for each nullified view in a row.
  func span(_ times: Milliseconds) -> Milliseconds {
    var span = times * delta
    for _ in 0..<nullified where span < Self.longestView { span += span / 2 }
    return min(span, Self.longestView)
  }

  /// A view is entered: its timers start at the next tick.
  mutating func enter(afterNullification: Bool) {
    nullified = afterNullification ? nullified + 1 : 0
    armedAt = nil
    workAt = nil
  }

  /// Something became final, or a voter came back after long: all starts anew.
  mutating func reset() {
    nullified = 0
    disarm()
  }

  mutating func disarm() {
    armedAt = nil
    workAt = nil
    standstillAt = nil
    standstillSpan = 0
  }

  /// Only at a tick.
  mutating func arm(at clock: Milliseconds, hasWork: Bool) {
    if armedAt == nil { armedAt = clock }
    if hasWork && workAt == nil { workAt = clock }
    if standstillAt == nil { scheduleStandstill(at: clock) }
  }

  /// Only the rebroadcast: a node that does not vote has entries under way.
  mutating func armStandstill(at clock: Milliseconds) {
    armedAt = nil
    workAt = nil
    if standstillAt == nil { scheduleStandstill(at: clock) }
  }

  /// The next rebroadcast: after 4Δ, then doubling to 5 s, each 20 % sooner or later.
  mutating func scheduleStandstill(at clock: Milliseconds) {
    standstillSpan =
      standstillSpan == 0 ? 4 * delta : min(2 * standstillSpan, Self.longestStandstill)
    jitter ^= jitter << 13
    jitter ^= jitter >> 7
    jitter ^= jitter << 17
    standstillAt = clock + standstillSpan * (80 + jitter % 41) / 100
  }

  /// When the leader must have proposed (rules 7, 9).
  var proposalDue: Milliseconds? {
    guard let armedAt else { return nil }
    guard let workAt else { return armedAt + span(3) }
    return max(armedAt, workAt) + span(2)
  }

  /// When the view must have a certificate.
  var notarizationDue: Milliseconds? {
    guard let armedAt else { return nil }
    guard let workAt else { return armedAt + span(4) }
    return max(armedAt, workAt) + span(3)
  }

  /// When a leader may flush, and gives up an impossible proposal.
  var flushDue: Milliseconds? { armedAt.map { $0 + delta } }

  /// The soonest that a view may be nullified without its timer (rule 5, "at once").
  func soonestNullify(voters: Int) -> Milliseconds? {
    guard nullified >= voters else { return 0 }
    return armedAt.map { $0 + span(1) }
  }
}
