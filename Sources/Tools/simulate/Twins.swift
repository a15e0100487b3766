internal import SimulationKit

/// Schedules of twins: of four people without a disagreement, then of three until their log was split
/// twenty times, each time by the twins' key and no other; whether all was so.
func tryTwins() async -> Bool {
  let four = await TwinsCase.run(people: 4, seeds: 1...500) { _ in true }
  let wrong = four.filter { $0.failure != nil || $0.isSplit || !$0.namesOnlyLiar }
  for item in wrong.prefix(10) { tell(item, of: 4) }
  let entries = four.reduce(0) { $0 + $1.entries }
  print("of four: \(four.count) schedules, \(entries) entries, \(wrong.count) wrong")

  var forks = 0
  let three = await TwinsCase.run(people: 3, seeds: 1...1_000) { item in
    forks += item.isSplit ? 1 : 0
    return forks < 20
  }
  let bad = three.filter { $0.failure != nil || !$0.namesOnlyLiar }
  for item in bad.prefix(10) { tell(item, of: 3) }
  print("of three: \(three.count) schedules, \(forks) forks, \(bad.count) wrong")
  return wrong.isEmpty && bad.isEmpty && forks >= 20
}

private func tell(_ item: TwinsCase, of people: Int) {
  let what = item.failure?.description ?? (item.isSplit ? "the log is split" : "")
  print(
    "twins of \(people), seed \(item.seed): \(what); names only the liar: \(item.namesOnlyLiar)")
}
