/// Prints how fast the parts of Tabletalk are on this machine, beside what bounds them.
///
///     bench commit [CLAIMS]    from a claim at one of three nodes until it is final at all three

let arguments = CommandLine.arguments.dropFirst()
switch arguments.first {
case "commit":
  CommitBench(rounds: arguments.dropFirst().first.flatMap { Int($0) } ?? 300).run()
default:
  print("usage: bench commit [CLAIMS]")
}
