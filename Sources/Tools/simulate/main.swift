internal import Foundation
internal import SimulationKit

guard let arguments = Arguments(CommandLine.arguments.dropFirst()) else {
  print(Arguments.usage)
  exit(2)
}

if let hours = arguments.idleHours { exit(await tryIdle(hours: hours, keepalive: 5_000) ? 0 : 1) }
if arguments.isOfTwins { exit(await tryTwins(arguments.seeds.count) ? 0 : 1) }
if !arguments.mutants.isEmpty {
  exit(await tryMutants(arguments) ? 0 : 1)
}

func tell(_ world: World) {
  if let failure = world.failure { print("seed \(world.plan.seed) broke \(failure)") }
  print("  swift run -c release simulate \(world.plan.command)")
}

let started = ContinuousClock.now
var totals = Totals()
var failures: [World] = []
var progress = Progress(of: arguments.seeds.count)
await Worlds.run(arguments.seeds.lazy.map(arguments.plan)) { world in
  totals.add(world)
  if arguments.isSingle { print(world.line) }
  if world.failure != nil { failures.append(world) }
  progress.show(totals.worlds, failed: failures.count)
}
progress.end()
if arguments.isTold {
  let world = World.run(arguments.plan(arguments.seeds.lowerBound), isTold: true)
  print(world.transcript.joined(separator: "\n"))
} else if arguments.isSingle, let failed = failures.first {
  let world = Shrink.smallest(like: failed)
  print(world.transcript.suffix(60).joined(separator: "\n"))
  print(world.line)
  tell(world)
}
print(totals.table)
print("wall time \(started.duration(to: .now))")
for world in failures.prefix(10) { tell(world) }
if !failures.isEmpty { print("\(failures.count) of \(totals.worlds) seeds failed") }
exit(failures.isEmpty ? 0 : 1)
