internal import SimulationKit

/// Schedules of twins, 500 unless fewer are asked for: of four people without a disagreement, then of
/// three until their log was split twenty times, or as many fewer, each time by the twins' key and no
/// other; whether all was so.
func tryTwins(_ schedules: Int) async -> Bool {
  let wanted = max(1, schedules * 20 / 500)
  let four = await TwinsCase.run(people: 4, seeds: 1...UInt64(schedules)) { _ in true }
  let wrong = four.filter { $0.failure != nil || $0.isSplit || !$0.namesOnlyLiar }
  for item in wrong.prefix(10) { tell(item, of: 4) }
  let entries = four.reduce(0) { $0 + $1.entries }
  print("of four: \(four.count) schedules, \(entries) entries, \(wrong.count) wrong")

  var forks = 0
  let three = await TwinsCase.run(people: 3, seeds: 1...1_000) { item in
    forks += item.isSplit ? 1 : 0
    return forks < wanted
  }
  let bad = three.filter { $0.failure != nil || !$0.namesOnlyLiar }
  for item in bad.prefix(10) { tell(item, of: 3) }
  print("of three: \(three.count) schedules, \(forks) forks, \(bad.count) wrong")
  return wrong.isEmpty && bad.isEmpty && forks >= wanted
}

private func tell(_ item: TwinsCase, of people: Int) {
  let what = item.failure?.description ?? (item.isSplit ? "the log is split" : "")
  print(
    "twins of \(people), seed \(item.seed): \(what); names only the liar: \(item.namesOnlyLiar)")
}
