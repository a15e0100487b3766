import Foundation

/// A node of three that was away while the others agreed: how long until it stands where they do.
struct CatchUpBench {
  let entries: Int
  let outstanding: Int

  func run() {
    do {
      let crew = try Crew(3)
      defer { crew.end() }
      crew.stop(2)
      let missed = try miss(crew)
      let before = Memory.resident
      let begin = ContinuousClock.now
      try crew.restart(2)
      let started = ContinuousClock.now
      let target = try crew.standing(0)
      try Wait.until("the node to be back at the tip", seconds: 120) {
        // The others may go on meanwhile, as when they note that it is back.
        try crew.standing(2).height >= target.height
      }
      let end = ContinuousClock.now
      let most = Memory.mostResident
      print("catch up: \(missed) entries in \(target.height) blocks were missed by one of three")
      Report.print("start of the node", [started - begin])
      Report.print("from start to the tip", [end - started])
      Report.machine()
      print("  memory of the process: \(before >> 20) MiB before, \(most >> 20) MiB at most")
    } catch {
      print("bench: \(error)")
    }
  }

  /// The two who are left agree on so many entries.
  private func miss(_ crew: Crew) throws -> Int {
    var sent = 0
    while sent < entries {
      for index in 0..<2 {
        let share = (outstanding + 1 - (index + sent) % 2) / 2
        if share > 0 { crew.load(index, count: share) }
      }
      sent += outstanding
      try crew.finals.wait(for: sent, at: [0, 1])
    }
    return sent
  }
}

/// Memory of this process, as Linux tells it; 0 elsewhere.
enum Memory {
  static var resident: Int { field("VmRSS:") }
  static var mostResident: Int { field("VmHWM:") }

  private static func field(_ name: String) -> Int {
    guard let text = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8) else {
      return 0
    }
    let line = text.split(separator: "\n").first { $0.hasPrefix(name) }
    return (line?.split(whereSeparator: \.isWhitespace).dropFirst().first).flatMap { Int($0) }
      .map { $0 << 10 } ?? 0
  }
}
