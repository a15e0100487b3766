/// How far somebody's clock is from the own; nothing is decided by it.
package struct ClockGap: Hashable, Sendable {
  /// Beacons that are compared: the one that came fastest tells best.
  static let window = 8
  /// A change of less, in seconds, is the network's.
  static let step = 3

  /// Seconds by which its clock is ahead (below 0: behind); nil before anything is known.
  package private(set) var seconds: Int?
  private var samples: [Int] = []

  /// Nothing known.
  package init() {}

  /// Takes in what a beacon's clock showed (seconds since 1970) when the own one, on the arrival,
  /// showed `wall` (milliseconds since 1970).
  mutating func note(clock: UInt64, wall: UInt64) {
    // A beacon can be late, never early: of several the highest is nearest to the truth.
    samples.append(Int(clock) - Int(min(wall / 1_000, 1 << 48)))
    if samples.count > ClockGap.window { samples.removeFirst() }
    guard let best = samples.max() else { return }
    if let seconds, abs(best - seconds) < ClockGap.step { return }
    seconds = best
  }
}
