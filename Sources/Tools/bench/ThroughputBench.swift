import Foundation

/// So many entries under way at a time, all the time: how many become final on all nodes a second.
struct ThroughputBench {
  let seconds: Double
  let sizes: [Int]

  private static let outstanding = [1, 8, 32, 256]

  func run() {
    print("throughput: entries a second, final on all nodes, by entries outstanding")
    let head = Self.outstanding.map { Report.right("\($0)", 8) }.joined()
    do {
      Report.machine()
      let floor = try Floor()
      floor.print()
      print("  n       \(head)   32, beside what verifying alone allows")
      for size in sizes {
        let crew = try Crew(size)
        defer { crew.end() }
        var line = "  n = \(size)".padding(toLength: 10, withPad: " ", startingAt: 0)
        var at32 = 0.0
        for count in Self.outstanding {
          let rate = try rate(crew, outstanding: count)
          if count == 32 { at32 = rate }
          line += Report.right("\(Int(rate))", 8)
        }
        let most = floor.mostVerified(by: size)
        print(line + String(format: "   %.2f of %.0f", at32 / most, most))
      }
    } catch {
      print("bench: \(error)")
    }
  }

  private func rate(_ crew: Crew, outstanding: Int) throws -> Double {
    let first = crew.finals.least
    var sent = first
    var turn = 0
    func send(_ count: Int) {
      for share in shares(count, among: crew.size, from: turn) where share.count > 0 {
        crew.load(share.node, count: share.count)
      }
      turn += count
      sent += count
    }
    send(outstanding)
    let begin = ContinuousClock.now
    let end = begin + .seconds(seconds)
    var done = first
    while ContinuousClock.now < end {
      done = try crew.finals.wait(for: done + 1)
      send(outstanding - (sent - done))
    }
    let span = (ContinuousClock.now - begin) / .seconds(1)
    let rate = Double(crew.finals.least - first) / span
    _ = try crew.finals.wait(for: sent)
    return rate
  }

  /// Spreads entries over authors, each next one by the next author.
  private func shares(
    _ count: Int, among nodes: Int, from turn: Int
  ) -> [(node: Int, count: Int)] {
    (0..<nodes).map { node in
      let offset = (node - turn % nodes + nodes) % nodes
      return (node, count > offset ? (count - offset - 1) / nodes + 1 : 0)
    }
  }
}
