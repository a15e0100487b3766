/// Sums over many worlds.
package struct Totals: Sendable {
  private struct Row: Sendable {
    var worlds = 0
    var milliseconds: UInt64 = 0
    var blocks = 0
    var entries = 0
    var voids = 0
    var votes = 0
    var sent = 0
    var liars = 0
    var forks = 0
    var failed = 0
  }

  private var rows: [Row] = []
  private var faults = FaultCounts()
  private var lies: [LiarKind: Int] = [:]
  /// How many worlds were added.
  package private(set) var worlds = 0
  private var trace: UInt64 = 0

  /// Starts with none.
  package init() {}

  /// Adds one world; the trace of all depends on the order.
  package mutating func add(_ world: World) {
    let people = world.plan.people
    while rows.count <= people { rows.append(Row()) }
    worlds += 1
    trace = trace &* 31 &+ world.trace
    faults.add(world.faults)
    for kind in world.plan.liars.values { lies[kind, default: 0] += 1 }
    rows[people].worlds += 1
    rows[people].milliseconds += world.milliseconds
    rows[people].blocks += world.blocks
    rows[people].entries += world.entries
    rows[people].voids += world.voids
    rows[people].votes += world.votes
    rows[people].sent += world.sent
    rows[people].liars += world.plan.liars.count
    rows[people].forks += world.isSplit ? 1 : 0
    if world.failure != nil { rows[people].failed += 1 }
  }

  /// One row for each number of people, then what went wrong and who lied.
  package var table: String {
    let head = [
      "people", "worlds", "hours", "blocks", "entries", "void", "votes", "messages", "liars",
      "forks", "failed",
    ]
    var lines = [head]
    for (people, row) in rows.enumerated() where row.worlds > 0 {
      lines.append(
        [
          people, row.worlds, Int(row.milliseconds / 3_600_000), row.blocks, row.entries, row.voids,
          row.votes, row.sent, row.liars, row.forks, row.failed,
        ].map { String($0) })
    }
    let text = lines.map { line in
      line.map { String(repeating: " ", count: max(0, 9 - $0.utf8.count)) + $0 }.joined()
    }
    let hours = rows.reduce(0) { $0 + $1.milliseconds } / 3_600_000
    let entries = rows.reduce(0) { $0 + $1.entries }
    let struck = Fault.allCases.map { "\($0.rawValue) \(faults[$0])" }.joined(separator: ", ")
    let told = LiarKind.allCases.map { "\($0.rawValue) \(lies[$0] ?? 0)" }.joined(separator: ", ")
    return
      (text + [
        "\(worlds) worlds, \(hours) simulated hours, \(entries) entries committed",
        "faults: \(struck)", "liars: \(told)", "trace of all \(String(trace, radix: 16))",
      ]).joined(separator: "\n")
  }
}
