#if MUTANTS
  internal import Foundation
  internal import SimulationKit

  /// Breaks each rule until a promise breaks with it, then runs the code as it is over the same
  /// seeds; whether all mutants died and it lived.
  func tryMutants(_ arguments: Arguments) async -> Bool {
    show(MutantTrial.head)
    let trials = await MutantTrial.run(
      arguments.mutants, on: { worlds(of: $0.stage, arguments.seeds, arguments) }
    ) { trial in
      show(trial.line)
      if let failure = trial.death?.failure { show(String("    \(failure.detail)".prefix(160))) }
    }
    let alive = trials.filter { $0.death == nil }
    show("\(trials.count - alive.count) of \(trials.count) mutants died")
    var failed = 0
    for stage in Set(trials.map(\.mutant.stage)) {
      let seeds = trials.filter { $0.mutant.stage == stage }.compactMap(\.death?.plan.seed)
      let last = seeds.max() ?? arguments.seeds.lowerBound
      let same = worlds(of: stage, arguments.seeds.lowerBound...last, arguments)
      await Worlds.run(same) { world in
        guard let failure = world.failure else { return }
        failed += 1
        show("unmutated, \(world.plan.command) broke \(failure)")
      }
      let who = stage.map { "\($0.liar.rawValue) among \($0.people)" } ?? "as drawn"
      show("unmutated, worlds \(arguments.seeds.lowerBound) to \(last), \(who): \(failed) failed")
    }
    return alive.isEmpty && failed == 0
  }

  private func worlds(
    of stage: Mutant.Stage?, _ seeds: ClosedRange<UInt64>, _ arguments: Arguments
  ) -> [WorldPlan] {
    seeds.map { seed in stage?.set(arguments.plan(seed)) ?? arguments.plan(seed) }
  }

  /// Prints a line at once, wherever the output goes: the whole table takes its time.
  private func show(_ line: String) {
    FileHandle.standardOutput.write(Data((line + "\n").utf8))
  }
#else
  /// Says that this build can break no rule.
  func tryMutants(_ arguments: Arguments) async -> Bool {
    print(
      """
      This build can break no rule. Make one that can:
        swift run -c release -Xswiftc -DMUTANTS --scratch-path .build/mutants simulate --mutants
      """)
    return false
  }
#endif
