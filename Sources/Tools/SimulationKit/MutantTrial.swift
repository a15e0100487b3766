#if MUTANTS
  internal import Consensus

  /// What came of one mutant: the first world in which a promise broke.
  package struct MutantTrial: Sendable {
    package let mutant: Mutant
    /// Nil if it lived through all worlds.
    package private(set) var death: World?
    package private(set) var worlds = 0
    package private(set) var time = Duration.zero

    /// Runs worlds, the first first, until an invariant kills the mutant.
    package static func run(
      _ mutant: Mutant, _ plans: some Sequence<WorldPlan> & Sendable
    ) async -> MutantTrial {
      var trial = MutantTrial(mutant: mutant)
      let start = ContinuousClock.now
      await Mutation.$name.withValue(mutant.name) {
        await Worlds.run(plans, atOnce: 2) { world in
          trial.worlds += 1
          if world.failure != nil { trial.death = world }
          return world.failure == nil
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
