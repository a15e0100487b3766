#if MUTANTS
  internal import Consensus

  /// What came of one mutant: the first world in which a promise broke.
  package struct MutantTrial: Sendable {
    package let mutant: Mutant
    /// Nil if it lived through all worlds.
    package private(set) var death: World?
    package private(set) var worlds = 0
    package private(set) var time = Duration.zero

    /// How many mutants are tried side by side.
    private static let atOnce = 2

    /// Tries all of them, two at a time, each on worlds of its own; reports in their order.
    package static func run(
      _ mutants: [Mutant], on worlds: @escaping @Sendable (Mutant) -> [WorldPlan],
      report: (MutantTrial) -> Void
    ) async -> [MutantTrial] {
      var trials: [MutantTrial] = []
      await withTaskGroup(of: (Int, MutantTrial).self) { group in
        var rest = mutants.enumerated().makeIterator()
        var waiting: [Int: MutantTrial] = [:]
        func start() {
          guard let (index, mutant) = rest.next() else { return }
          group.addTask { (index, await run(mutant, worlds(mutant))) }
        }
        for _ in 0..<atOnce { start() }
        while let (index, trial) = await group.next() {
          start()
          waiting[index] = trial
          while let next = waiting.removeValue(forKey: trials.count) {
            trials.append(next)
            report(next)
          }
        }
      }
      return trials
    }

    /// Runs worlds, the first first, until an invariant kills the mutant.
    @concurrent
    private static func run(_ mutant: Mutant, _ plans: [WorldPlan]) async -> MutantTrial {
      var trial = MutantTrial(mutant: mutant)
      let start = ContinuousClock.now
      Mutation.$name.withValue(mutant.name) {
        for plan in plans where trial.death == nil {
          trial.worlds += 1
          let world = World.run(plan)
          if world.failure != nil { trial.death = world }
        }
      }
      trial.time = start.duration(to: .now)
      return trial
    }

    private init(mutant: Mutant) { self.mutant = mutant }

    /// A line of the table: mutant, seed, invariant, seconds.
    package var line: String {
      let killer = death?.failure.map { "\($0.invariant.rawValue) \($0.invariant.name)" }
      return Self.row(
        mutant.name, death.map { String($0.plan.seed) } ?? "alive", killer ?? "-",
        String(time.components.seconds))
    }

    /// The head of the table.
    package static var head: String { row("mutant", "seed", "invariant", "seconds") }

    private static func row(_ name: String, _ seed: String, _ killer: String, _ time: String)
      -> String
    {
      name.padded(16) + seed.padded(8) + killer.padded(26) + time
    }
  }

  extension String {
    fileprivate func padded(_ width: Int) -> String {
      self + String(repeating: " ", count: max(1, width - utf8.count))
    }
  }
#endif
