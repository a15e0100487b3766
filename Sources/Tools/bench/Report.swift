import Foundation

/// A line of figures.
enum Report {
  /// Prints the median and the 99th percentile of some times.
  static func print(_ name: String, _ times: [Duration]) {
    let sorted = times.sorted()
    func at(_ share: Double) -> String {
      let time = sorted[min(sorted.count - 1, Int(share * Double(sorted.count)))]
      return String(format: "%8.3f ms", time / .milliseconds(1))
    }
    let padded = name.padding(toLength: 24, withPad: " ", startingAt: 0)
    Swift.print("  \(padded) p50 \(at(0.5))   p99 \(at(0.99))")
  }
}
