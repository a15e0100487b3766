/// Lets one line of a kind through in a while and counts the others (F10: a log is not flooded).
///
/// Kinds are codes written in the source, never text from outside, so their number is small.
struct LogLimiter: Sendable {
  private struct Entry: Sendable {
    var quietUntil: ContinuousClock.Instant
    var suppressed = 0
  }

  private let interval: Duration
  private var entries: [String: Entry] = [:]

  /// Lets a line of each kind through once in `interval`.
  init(interval: Duration) {
    self.interval = interval
  }

  /// The line to write, or nil when one of its kind was written a short while ago.
  ///
  /// A line that follows suppressed ones says how many there were.
  mutating func line(
    _ kind: String, now: ContinuousClock.Instant, _ text: () -> String
  ) -> String? {
    if var entry = entries[kind], now < entry.quietUntil {
      entry.suppressed += 1
      entries[kind] = entry
      return nil
    }
    let suppressed = entries[kind]?.suppressed ?? 0
    entries[kind] = Entry(quietUntil: now + interval)
    return suppressed == 0 ? text() : "\(text()) [\(suppressed) more like it before]"
  }
}
