import Testing

@testable import Shell

@Suite struct TokenBucketTests {
  @Test func aBurstIsFreeAndTheRestIsWaitedFor() {
    let start = ContinuousClock.now
    var bucket = TokenBucket(capacity: 100, perSecond: 10, now: start)
    #expect(bucket.take(100, now: start) == nil)
    #expect(bucket.take(5, now: start) == .milliseconds(500))
    #expect(bucket.take(0, now: start + .milliseconds(500)) == nil)
    #expect(bucket.take(20, now: start + .milliseconds(1_500)) == .seconds(1))
  }

  @Test func itNeverHoldsMoreThanItsCapacity() {
    let start = ContinuousClock.now
    var bucket = TokenBucket(capacity: 100, perSecond: 10, now: start)
    #expect(bucket.isFull(now: start))
    #expect(bucket.take(1, now: start + .seconds(1_000)) == nil)
    #expect(bucket.take(100, now: start + .seconds(1_000)) == .milliseconds(100))
    #expect(!bucket.isFull(now: start + .seconds(1_010)))
    #expect(bucket.isFull(now: start + .seconds(1_011)))
  }

  @Test func aClockThatDoesNotAdvanceRefillsNothing() {
    let start = ContinuousClock.now
    var bucket = TokenBucket(capacity: 10, perSecond: 10, now: start)
    _ = bucket.take(10, now: start)
    #expect(bucket.take(1, now: start - .seconds(5)) == .milliseconds(100))
  }
}

@Suite struct LogLimiterTests {
  @Test func oneLineOfAKindPassesAndTheOthersAreCounted() {
    let start = ContinuousClock.now
    var limiter = LogLimiter(interval: .seconds(10))
    #expect(limiter.line("a", now: start) { "one" } == "one")
    for second in 1...9 {
      #expect(limiter.line("a", now: start + .seconds(second)) { "two" } == nil)
    }
    #expect(limiter.line("b", now: start + .seconds(1)) { "other" } == "other")
    #expect(
      limiter.line("a", now: start + .seconds(10)) { "three" } == "three [9 more like it before]")
    #expect(limiter.line("a", now: start + .seconds(20)) { "four" } == "four")
  }
}
