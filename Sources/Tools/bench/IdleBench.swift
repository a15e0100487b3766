import Foundation
import Shell

/// What nodes cost while nobody has a table open: so many of the built program, each a process of its
/// own, all on the loopback interface.
///
/// Datagrams are counted by a listener of this program on the port of the beacons: it hears every
/// broadcast of every node, as each of them does. Answers sent to one node alone are not heard; in the
/// rest they only follow a start. Bytes are those of the IP packets. Processor time is that of all
/// threads of a process, told by the system. The first half minute, in which all meet, is not counted.
struct IdleBench {
  let minutes: Double
  let nodes: Int

  /// Seconds until everybody has met everybody.
  private static let settling = 30.0
  /// A node tries twenty ports where none is named.
  private static let most = 20
  static let loopback = "lo"
  /// IPv4 and UDP in front of the payload.
  private static let headers = 28

  func run() {
    do {
      guard (1...IdleBench.most).contains(nodes), minutes > 0 else {
        throw Trouble("1 to \(IdleBench.most) nodes, and some time")
      }
      let ears = try Ears()
      let company = try Company(nodes)
      defer { company.end() }
      Thread.sleep(forTimeInterval: IdleBench.settling)
      let (begin, early) = (ContinuousClock.now, try company.times())
      _ = ears.take()
      Thread.sleep(forTimeInterval: minutes * 60)
      let (end, late) = (ContinuousClock.now, try company.times())
      report(
        ears.take(), minutes: (end - begin) / .seconds(60),
        seconds: zip(early, late).map { $1 - $0 })
    } catch {
      print("bench: \(error)")
    }
  }

  private func report(_ heard: [Ears.Count], minutes: Double, seconds: [Double]) {
    func line(_ name: String, _ values: [Double], _ note: String = "") {
      let sorted = values.sorted()
      let padded = name.padding(toLength: 36, withPad: " ", startingAt: 0)
      print(
        String(
          format: "  %@ p50 %8.2f   most %8.2f%@", padded, sorted[sorted.count / 2],
          sorted[sorted.count - 1], note))
    }
    print(
      String(
        format: "idle, %d nodes on one interface, no table open, %.1f minutes", nodes, minutes))
    guard !heard.isEmpty else { return print("  no beacon was heard") }
    if heard.count != nodes {
      print("  \(heard.count) nodes were heard: others are on this machine")
    }
    line("datagrams a minute and node", heard.map { Double($0.datagrams) / minutes }, "  (must 7)")
    line(
      "bytes a minute and node",
      heard.map { Double($0.bytes + IdleBench.headers * $0.datagrams) / minutes })
    line("processor seconds an hour and node", seconds.map { $0 * 60 / minutes })
    let all = seconds.reduce(0, +) / minutes
    print(String(format: "  processor seconds a minute for all  %.3f  (aim 0.02)", all))
    Report.machine()
  }
}
