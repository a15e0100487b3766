internal import CBOR
internal import Wire

/// How long one open deadline has run on this node (CONSENSUS 1.4, Deadlines).
///
/// A clock counts from the tick after its entry became final here, at most 1 s between two ticks
/// and only while a quorum is reachable; it goes on after a restart from what was last written.
struct DeadlineClock: Sendable {
  let deadline: Deadline
  private(set) var elapsed: Milliseconds
  private var written: Milliseconds
  private var isFresh: Bool
  /// `Passed` was asked for, or made, in this epoch.
  var isPassed = false

  /// Starts at 0, or where the last run wrote that it was; `isHeard` says that it does not run yet,
  /// and needs no tick for that.
  init(_ deadline: Deadline, elapsed: Milliseconds = 0, isHeard: Bool = false) {
    self.deadline = deadline
    isFresh = !isHeard
    self.elapsed = elapsed
    written = elapsed
  }

  var isOver: Bool { elapsed >= deadline.duration }
  var remaining: Milliseconds { isOver ? 0 : deadline.duration - elapsed }
  /// Its first tick is still to come.
  var needsTick: Bool { isFresh }

  /// Counts the time since the last tick, and returns what is to be written, every 5 s and at the
  /// end.
  mutating func count(_ span: Milliseconds, isRunning: Bool) -> Record? {
    if isFresh {
      isFresh = false
      return nil
    }
    guard isRunning, !isOver else { return nil }
    elapsed += span
    guard isOver || elapsed - written >= Pace.clockWrites else { return nil }
    written = elapsed
    return Record(
      .clock, key: deadline.id.bytes, value: CBOR.unsigned(elapsed).encoded, isLazy: true)
  }

  /// Begins anew, for whom it waits for is heard; returns what is to be written.
  mutating func hear() -> Record? {
    isFresh = false
    guard elapsed > 0 else { return nil }
    defer { (elapsed, written) = (0, 0) }
    return deletion
  }

  /// The row goes when the deadline is closed; nil when there is none.
  var deletion: Record? {
    guard written > 0 else { return nil }
    return Record(.clock, key: deadline.id.bytes, value: nil, isLazy: true)
  }
}
