import Discovery
import Testing

@Suite struct SourceBudgetTests {
  @Test func aBurstIsFreeAndThenOneInAWhile() {
    var budget = SourceBudget()
    for _ in 0..<SourceBudget.burst { #expect(budget.judge(.v4(1), at: 5) == .check) }
    #expect(budget.judge(.v4(1), at: 5) == .ignoreAndSay)
    #expect(budget.judge(.v4(1), at: 5 + SourceBudget.pause - 1) == .ignore)
    #expect(budget.judge(.v4(1), at: 5 + SourceBudget.pause) == .check)
    #expect(budget.judge(.v4(1), at: 5 + SourceBudget.pause) == .ignore)
    #expect(budget.judge(.v4(2), at: 5 + SourceBudget.pause) == .check)
    #expect(budget.judge(.v4(1), at: 5 + SourceBudget.pause * SourceBudget.burst) == .check)
  }

  @Test func aFloodIsSaidOnceInAWhile() {
    var budget = SourceBudget()
    var said: [UInt64] = []
    for now in 0..<150_000 as Range<UInt64> {
      for _ in 0..<3 where budget.judge(.v4(7), at: now) == .ignoreAndSay { said.append(now) }
    }
    #expect(said.count == 3)
  }

  @Test func madeUpAddressesShareOneBudget() {
    var budget = SourceBudget()
    var checked = 0
    for number in 0..<100_000 as Range<UInt32> {
      if budget.judge(.v4(number), at: 1) == .check { checked += 1 }
    }
    #expect(checked == SourceBudget.sources + Int(SourceBudget.burst))
    // Nobody is kept for long.
    #expect(budget.judge(.v4(200_000), at: 100_000) == .check)
  }

  @Test func allTogetherAreBounded() {
    var budget = SourceBudget()
    var checked = 0
    for host in 0..<200 as Range<UInt32> {
      for _ in 0..<100 where budget.judge(.v4(host), at: 1) == .check { checked += 1 }
    }
    #expect(checked == SourceBudget.commonBurst)
  }
}
