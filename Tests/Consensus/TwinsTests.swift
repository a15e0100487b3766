import SimulationKit
import Testing

@Suite("One key on two nodes, cut as sampled view by view")
struct TwinsTests {
  @Test("splits no table of four, and nobody honest is named")
  func four() async {
    let cases = await TwinsCase.run(people: 4, seeds: 1...4) { _ in true }
    #expect(cases.count == 4)
    for item in cases {
      #expect(item.failure == nil, "seed \(item.seed)")
      #expect(!item.isSplit, "seed \(item.seed)")
      #expect(item.namesOnlyLiar, "seed \(item.seed)")
    }
    #expect(cases.reduce(0) { $0 + $1.entries } > 4 * 4)
  }

  @Test("splits a table of three, and each time both halves name that key and no other")
  func three() async {
    var forks = 0
    let cases = await TwinsCase.run(people: 3, seeds: 1...120) { item in
      forks += item.isSplit ? 1 : 0
      return forks < 1
    }
    #expect(forks > 0)
    for item in cases {
      #expect(item.failure == nil, "seed \(item.seed)")
      #expect(item.namesOnlyLiar, "seed \(item.seed)")
    }
  }
}
