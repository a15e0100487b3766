import Foundation

/// One entry at a time: from the moment it is signed until it is final on all nodes.
///
/// An entry has its own sync before it is signed, which is not counted; then come gossip, proposal,
/// notarize and finalize, with a sync before each vote. Authors take turns, so most entries are not
/// the leader's own. All nodes share this machine's processors.
struct CommitBench {
  let entries: Int
  let sizes: [Int]

  func run() {
    print("commit: from signed to final on all nodes, one entry at a time, \(entries) each")
    do {
      let floor = try Floor()
      Report.machine()
      floor.print()
      for size in sizes {
        let crew = try Crew(size)
        defer { crew.end() }
        let warm = 20
        for round in 0..<(warm + entries) {
          crew.load(round % size, count: 1)
          _ = try crew.finals.wait(for: round + 1)
        }
        let times = crew.finals.times(from: warm)
        Report.print("n = \(size)", times, beside: size > 1 ? floor.fourHops : floor.oneNode)
      }
    } catch {
      print("bench: \(error)")
    }
  }
}
