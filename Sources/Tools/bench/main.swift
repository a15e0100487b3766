/// Prints how fast the parts of Tabletalk are on this machine, beside what bounds them.
///
///     bench commit [ENTRIES [N...]]        one entry at a time, until it is final on all of n nodes
///     bench throughput [SECONDS [N...]]    entries a second with 1, 8, 32 and 256 outstanding
///     bench catchup [ENTRIES [OUTSTANDING]]    a node that missed so many comes back
///     bench idle game [MINUTES]       what four nodes use in a game in which nobody acts
///     bench idle [MINUTES] [NODES]    what nodes without a table send and use; 2 minutes, 10 nodes
///     bench quoridor           how fast the rules count sequences of moves
///     bench quoridor --match [GAMES] [MILLISECONDS]    levels of the computer against one another

let arguments = Array(CommandLine.arguments.dropFirst())
let numbers = arguments.dropFirst().compactMap { Double($0) }
let sizes = numbers.count > 1 ? numbers.dropFirst().map { Int($0) } : [1, 2, 3, 4, 7, 10, 16]
switch arguments.first {
case "commit": CommitBench(entries: numbers.first.map { Int($0) } ?? 300, sizes: sizes).run()
case "throughput": ThroughputBench(seconds: numbers.first ?? 3, sizes: sizes).run()
case "catchup":
  CatchUpBench(
    entries: numbers.first.map { Int($0) } ?? 5_000,
    outstanding: numbers.dropFirst().first.map { Int($0) } ?? 2
  ).run()
case "quoridor" where arguments.dropFirst().first == "--match":
  QuoridorMatch(
    games: arguments.dropFirst(2).first.flatMap { Int($0) } ?? 40,
    time: arguments.dropFirst(3).first.flatMap { Double($0) } ?? 50
  ).run()
case "quoridor": QuoridorBench().run()
case "idle" where arguments.dropFirst().first == "game":
  GameIdleBench(minutes: numbers.first ?? 2).run()
case "idle":
  IdleBench(minutes: numbers.first ?? 2, nodes: numbers.dropFirst().first.map { Int($0) } ?? 10)
    .run()
default:
  print("usage: bench commit [ENTRIES [N...]]")
  print("       bench throughput [SECONDS [N...]]")
  print("       bench catchup [ENTRIES [OUTSTANDING]]")
  print("       bench idle game [MINUTES]")
  print("       bench idle [MINUTES] [NODES]")
  print("       bench quoridor [--match [GAMES] [MILLISECONDS]]")
}
