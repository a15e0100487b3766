/// Feeds the readers of everything that comes from outside with bytes that reach ever more of their
/// code, and stops at the first crash, broken promise, long run or large allocation.
///
///     fuzz TARGET [libFuzzer's arguments, for example -max_total_time=60 CORPUS]
///
/// Built by `Tests/run fuzz`; Tests/Fuzz/README.md tells how to look into a finding.

guard CommandLine.arguments.count > 1, let target = FuzzTarget(rawValue: CommandLine.arguments[1])
else {
  print("usage: fuzz TARGET [ARGUMENTS]; a TARGET is one of:")
  for target in FuzzTarget.allCases { print("  \(target.rawValue)") }
  fatalExit(2)
}
Driver.run(target, arguments: Array(CommandLine.arguments.dropFirst(2)))
