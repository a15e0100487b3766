/// Prints how fast the parts of Tabletalk are on this machine, beside what bounds them.
///
///     bench commit [CLAIMS]    from a claim at one of three nodes until it is final at all three
///     bench idle [MINUTES] [NODES]    what nodes without a table send and use; 2 minutes, 10 nodes
///     bench quoridor           how fast the rules count sequences of moves
///     bench quoridor --match [GAMES] [MILLISECONDS]    levels of the computer against one another

let arguments = CommandLine.arguments.dropFirst()
switch arguments.first {
case "commit":
  CommitBench(rounds: arguments.dropFirst().first.flatMap { Int($0) } ?? 300).run()
case "idle":
  IdleBench(
    minutes: arguments.dropFirst().first.flatMap { Double($0) } ?? 2,
    nodes: arguments.dropFirst(2).first.flatMap { Int($0) } ?? 10
  ).run()
case "quoridor" where arguments.dropFirst().first == "--match":
  QuoridorMatch(
    games: arguments.dropFirst(2).first.flatMap { Int($0) } ?? 40,
    time: arguments.dropFirst(3).first.flatMap { Double($0) } ?? 50
  ).run()
case "quoridor": QuoridorBench().run()
default:
  print("usage: bench commit [CLAIMS]")
  print("       bench idle [MINUTES] [NODES]")
  print("       bench quoridor [--match [GAMES] [MILLISECONDS]]")
}
