/// How far somebody's clock is from the own; nothing is decided by it.
package struct ClockGap: Hashable, Sendable {
  /// Beacons that are compared: the one that came fastest tells best.
  static let window = 8
  /// A change of less, in seconds, is the network's.
  static let step = 3
  /// What is worth a word to people, in seconds.
  package static let worthTelling = 60

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

  /// For people, where the difference is worth a word.
  package func sentence(name: String) -> String? {
    guard let seconds, abs(seconds) >= ClockGap.worthTelling else { return nil }
    let minutes = abs(seconds) / 60
    let span =
      switch minutes {
      case 1: "a minute"
      case 2..<120: "\(minutes) minutes"
      case 120..<2_880: "\(minutes / 60) hours"
      default: "\(minutes / 1_440) days"
      }
    return "\(name)'s clock is \(span) \(seconds > 0 ? "ahead of" : "behind") this laptop's; "
      + "that does not disturb any game."
  }
}
