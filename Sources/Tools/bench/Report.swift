import Foundation

/// A line of figures.
enum Report {
  /// Prints the median and the 99th percentile of some times, and the first as a multiple of a floor.
  static func print(_ name: String, _ times: [Duration], beside floor: Duration? = nil) {
    let sorted = times.sorted()
    func at(_ share: Double) -> Duration {
      sorted[min(sorted.count - 1, Int(share * Double(sorted.count)))]
    }
    func text(_ time: Duration) -> String { String(format: "%8.3f ms", time / .milliseconds(1)) }
    let padded = name.padding(toLength: 24, withPad: " ", startingAt: 0)
    var line = "  \(padded) "
    line += times.count > 1 ? "p50 \(text(at(0.5)))   p99 \(text(at(0.99)))" : text(at(0.5))
    if let floor { line += String(format: "   %.1f times the floor", at(0.5) / floor) }
    Swift.print(line)
  }

  /// Prints what else the machine had to do, which makes every figure worse.
  static func machine() {
    let load = try? String(contentsOfFile: "/proc/loadavg", encoding: .utf8)
    let processors = ProcessInfo.processInfo.activeProcessorCount
    Swift.print(
      "  machine: \(processors) processors, load of the last minutes "
        + (load ?? "unknown").split(separator: " ").prefix(3).joined(separator: " "))
  }

  /// A text at the right end of a column.
  static func right(_ text: String, _ width: Int) -> String {
    String(repeating: " ", count: max(0, width - text.count)) + text
  }
}
