internal import Consensus

/// One whole world of a seed at the toy table, and what came of it.
package struct World: Sendable {
  package let seed: UInt64
  package let people: Int
  package let weather: Weather
  /// The first promise that was broken.
  package let failure: Failure?
  /// The same for every run of the seed.
  package let trace: UInt64
  package let blocks: Int
  package let entries: Int
  package let voids: Int
  package let votes: Int
  package let sent: Int
  package let crashes: Int
  package let epochs: Int
  package let refusals: [(code: String, count: Int)]

  /// Draws the people and the weather of a seed and runs it to the end.
  package static func run(seed: UInt64) -> World {
    var random = Random(seed: seed ^ 0x7461_626c_6574_616c)
    let people = [1, 2, 2, 3, 3, 3, 4, 4, 5][random.below(9)]
    let weather = Weather(&random)
    var simulation = Simulation(
      people: people, seed: seed, weather: weather, load: ToyWorkload())
    simulation.runAll()
    return World(seed, weather, simulation)
  }

  private init(_ seed: UInt64, _ weather: Weather, _ simulation: Simulation<ToyWorkload>) {
    self.seed = seed
    self.weather = weather
    people = simulation.nodes.count
    failure = simulation.oracle.failure
    trace = simulation.trace
    blocks = simulation.oracle.blocks
    entries = simulation.oracle.entries
    voids = simulation.oracle.voids
    votes = simulation.oracle.votes
    sent = simulation.sent
    crashes = simulation.crashes
    epochs = simulation.nodes.compactMap { $0.replica?.epoch.number }.max().map { Int($0) } ?? 0
    refusals = simulation.refusals.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }

  /// All figures, for one who looks into it.
  package var line: String {
    let refused = refusals.map { "\($0.code) \($0.count)" }.joined(separator: ", ")
    return """
      seed \(seed): \(people) people, \(weather)
        blocks \(blocks), entries \(entries), void \(voids), epochs \(epochs), votes \(votes), \
      messages \(sent), crashes \(crashes)
        trace \(String(trace, radix: 16)); refused: \(refused)
      """
  }
}

/// Sums over many worlds.
package struct Totals: Sendable {
  private struct Row: Sendable {
    var worlds = 0
    var blocks = 0
    var entries = 0
    var voids = 0
    var votes = 0
    var sent = 0
    var crashes = 0
    var failed = 0
  }

  private var rows: [Row] = []
  /// How many worlds were added.
  package private(set) var worlds = 0
  private var trace: UInt64 = 0

  /// Starts with none.
  package init() {}

  /// Adds one world.
  package mutating func add(_ world: World) {
    while rows.count <= world.people { rows.append(Row()) }
    worlds += 1
    trace = trace &* 31 &+ world.trace
    rows[world.people].worlds += 1
    rows[world.people].blocks += world.blocks
    rows[world.people].entries += world.entries
    rows[world.people].voids += world.voids
    rows[world.people].votes += world.votes
    rows[world.people].sent += world.sent
    rows[world.people].crashes += world.crashes
    if world.failure != nil { rows[world.people].failed += 1 }
  }

  /// One row for each number of people.
  package var table: String {
    let head = [
      "people", "worlds", "blocks", "entries", "void", "votes", "messages", "crashes",
      "failed",
    ]
    var lines = [head]
    for (people, row) in rows.enumerated() where row.worlds > 0 {
      lines.append(
        [
          people, row.worlds, row.blocks, row.entries, row.voids, row.votes, row.sent, row.crashes,
          row.failed,
        ].map { String($0) })
    }
    let text = lines.map { line in
      line.map { String(repeating: " ", count: max(0, 9 - $0.utf8.count)) + $0 }.joined()
    }
    return (text + ["trace of all \(String(trace, radix: 16))"]).joined(separator: "\n")
  }
}
