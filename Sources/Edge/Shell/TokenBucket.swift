/// A budget that is used up in bursts and refills steadily.
///
/// What has been read cannot be unread, so the level may fall below zero; the caller then waits as
/// long as `take` says. Time is given by the caller, which makes the bucket a plain value.
struct TokenBucket: Sendable {
  private let capacity: Double
  private let perSecond: Double
  private var level: Double
  private var filledAt: ContinuousClock.Instant

  /// A full bucket.
  init(capacity: Int, perSecond: Int, now: ContinuousClock.Instant) {
    self.capacity = Double(capacity)
    self.perSecond = Double(perSecond)
    self.level = Double(capacity)
    self.filledAt = now
  }

  /// Takes `count` out and returns how long to wait until the level is no longer below zero, or
  /// nil when it is not; a negative count is put back.
  mutating func take(_ count: Int, now: ContinuousClock.Instant) -> Duration? {
    refill(now)
    level = min(capacity, level - Double(count))
    return level < 0 ? .seconds(-level / perSecond) : nil
  }

  /// What is in it, below zero if more was taken.
  func left(now: ContinuousClock.Instant) -> Int { Int(levelAt(now)) }

  /// Whether it holds all it can, so that a new bucket would be the same.
  func isFull(now: ContinuousClock.Instant) -> Bool {
    levelAt(now) >= capacity
  }

  private mutating func refill(_ now: ContinuousClock.Instant) {
    level = levelAt(now)
    filledAt = max(filledAt, now)
  }

  private func levelAt(_ now: ContinuousClock.Instant) -> Double {
    let elapsed = max(.zero, now - filledAt)
    return min(capacity, level + elapsed / .seconds(1) * perSecond)
  }
}
