internal import Consensus

/// One whole world of a seed at the toy table, and what came of it.
package struct World: Sendable {
  package let plan: WorldPlan
  /// The first invariant that was broken.
  package let failure: Failure?
  /// The same for every run of the plan.
  package let trace: UInt64
  package let blocks: Int
  package let entries: Int
  package let voids: Int
  package let votes: Int
  package let sent: Int
  /// Whether liars made two finalizations that conflict, being more than an epoch bears.
  package let isSplit: Bool
  package let epochs: Int
  package let faults: FaultCounts
  /// Virtual time that passed.
  package let milliseconds: UInt64
  package let refusals: [(code: String, count: Int)]
  /// The last things that happened, when they were asked for.
  package let transcript: [String]

  /// Draws the world of a seed and runs it to the end.
  package static func run(seed: UInt64) -> World { run(WorldPlan(seed: seed)) }

  /// Runs a world to the end.
  package static func run(_ plan: WorldPlan, isTold: Bool = false) -> World {
    var simulation = Simulation(
      people: plan.people, seed: plan.seed, weather: plan.weather, load: ToyWorkload(),
      liars: plan.liars)
    if isTold { simulation.transcript = Transcript() }
    simulation.runAll()
    return World(plan, simulation)
  }

  private init(_ plan: WorldPlan, _ simulation: Simulation<ToyWorkload>) {
    self.plan = plan
    failure = simulation.oracle.failure
    trace = simulation.trace
    blocks = simulation.oracle.blocks
    entries = simulation.oracle.entries
    voids = simulation.oracle.voids
    votes = simulation.oracle.votes
    sent = simulation.sent
    isSplit = simulation.isSplit
    faults = simulation.faults
    milliseconds = simulation.now
    epochs = simulation.nodes.compactMap { $0.replica?.epoch.number }.max().map { Int($0) } ?? 0
    refusals = simulation.refusals.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    transcript = simulation.transcript?.lines ?? []
  }

  /// All figures, for one who looks into it.
  package var line: String {
    let refused = refusals.map { "\($0.code) \($0.count)" }.joined(separator: ", ")
    let struck = Fault.allCases.filter { faults[$0] > 0 }.map { "\($0.rawValue) \(faults[$0])" }
    return """
      seed \(plan.seed): \(plan.text)
        blocks \(blocks), entries \(entries), void \(voids), epochs \(epochs), votes \(votes), \
      messages \(sent), split \(isSplit), \(milliseconds) ms
        faults: \(struck.joined(separator: ", "))
        trace \(String(trace, radix: 16)); refused: \(refused)
      """
  }
}
