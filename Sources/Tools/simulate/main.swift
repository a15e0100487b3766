internal import Foundation
internal import SimulationKit

guard let arguments = Arguments(CommandLine.arguments.dropFirst()) else {
  print(Arguments.usage)
  exit(2)
}

let started = ContinuousClock.now
var totals = Totals()
var failures: [(seed: UInt64, failure: Failure)] = []
for seed in arguments.seeds {
  let world = World.run(seed: seed)
  totals.add(world)
  if arguments.isVerbose { print(world.line) }
  if let failure = world.failure { failures.append((seed, failure)) }
}
print(totals.table)
print("wall time \(started.duration(to: .now))")
for (seed, failure) in failures.prefix(10) {
  print("seed \(seed) broke \(failure)")
  print("  swift run -c release simulate --seed \(seed)")
}
if !failures.isEmpty { print("\(failures.count) of \(totals.worlds) seeds failed") }
exit(failures.isEmpty ? 0 : 1)
