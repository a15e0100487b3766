import SafetySearch
import Testing

@Suite("In every schedule of a small table")
struct SafetySearchTests {
  private func search(
    _ table: SearchTable, until isEnough: (SearchResult) -> Bool = { _ in false },
    _ change: (inout SearchRules) -> Void = { _ in }
  ) -> SearchResult {
    var rules = SearchRules()
    change(&rules)
    return SafetySearch.run(table, rules, until: isEnough)
  }

  @Test("of four, one of whom lies, no two conflicting blocks are final", arguments: 0..<4)
  func four(offset: Int) {
    let result = search(SearchTable(voters: 4, liars: 1, views: 2, offset: offset))
    #expect(result.isComplete)
    #expect(result.states > 30_000)
    #expect(!result.disagrees)
  }

  @Test("of two, one of whom lies, no two conflicting blocks are final", arguments: 0..<2)
  func two(offset: Int) {
    let result = search(SearchTable(voters: 2, liars: 1, views: 3, offset: offset))
    #expect(result.isComplete)
    #expect(!result.disagrees)
  }

  @Test("of three one liar splits the log, but nothing is final beside what was settled")
  func three() {
    for offset in 0..<3 {
      let result = search(SearchTable(voters: 3, liars: 1, views: 2, offset: offset))
      #expect(result.isComplete)
      #expect(result.disagrees)
      #expect(!result.settledDisagree)
      #expect(!result.unsettles)
    }
    let result = search(SearchTable(voters: 3, liars: 1, views: 3, offset: 2))
    #expect(result.isComplete)
    #expect(result.states > 1_000_000)
    #expect(!result.settledDisagree)
    #expect(!result.unsettles)
  }

  @Test("a final seal stays the only one, whoever goes or comes with it (S1)")
  func epochs() {
    let tables = [
      SearchTable(
        electorates: [[0, 1, 2, 3], [0, 1, 2]], honest: 3, views: [1, 1], contents: .seal),
      SearchTable(
        electorates: [[0, 1], [0, 1, 2, 3]], honest: 3, views: [2, 1], contents: .seal),
    ]
    for table in tables {
      let result = search(table)
      #expect(result.isComplete)
      #expect(!result.disagrees)
    }
  }

  @Test("what is settled on a seal that is only final is worth no more than the seal")
  func settledOnUnsettled() {
    let table = SearchTable(
      electorates: [[0, 1, 2], [0, 2]], honest: 2, views: [2, 1], contents: .seal)
    let result = search(table, until: \.settledDisagree)
    #expect(result.settledDisagree)
  }

  @Test("a deadline ends by the words of a quorum of its epoch, a liar's among them (D3)")
  func deadlines() {
    let tables = [
      SearchTable(voters: 4, liars: 1, views: 1, contents: .deadline),
      SearchTable(voters: 3, liars: 1, views: 2, contents: .deadline),
    ]
    for table in tables {
      let result = search(table)
      #expect(result.isComplete)
      #expect(!result.endsHastily)
    }
    let hasty = search(tables[0], until: \.endsHastily) { $0.wordsShort = 1 }
    #expect(hasty.endsHastily)
  }

  /// Rules that keep four of whom one lies together.
  private static let rulesOfFour: [(String, @Sendable (inout SearchRules) -> Void)] = [
    ("a nullify beside a finalize (R4, R5)", { $0.finalizeExcludesNullify = false }),
    ("views left out without a nullification (R2.4)", { $0.needsNullifications = false }),
    ("a vote less than a quorum", { $0.votesShort = 1 }),
  ]

  @Test("a broken rule lets four disagree", arguments: rulesOfFour.indices)
  func brokenAtFour(index: Int) {
    let table = SearchTable(voters: 4, liars: 1, views: 2, offset: 3)
    let result = search(table, until: \.disagrees, Self.rulesOfFour[index].1)
    #expect(result.disagrees, "\(Self.rulesOfFour[index].0)")
  }

  /// Rules that keep what three of whom one lies have settled.
  private static let rulesOfThree: [(String, @Sendable (inout SearchRules) -> Void)] = [
    ("finalizing what others notarized (R4)", { $0.finalizesOwnOnly = false }),
    ("voting beside an own later notarize (R3)", { $0.heedsOwn = false }),
  ]

  @Test("a broken rule lets three undo what is settled", arguments: rulesOfThree.indices)
  func brokenAtThree(index: Int) {
    let table = SearchTable(voters: 3, liars: 1, views: 2, offset: 2)
    let result = search(table, until: \.unsettles, Self.rulesOfThree[index].1)
    #expect(result.unsettles, "\(Self.rulesOfThree[index].0)")
  }

  @Test("voting in an epoch whose seal is not final lets four disagree (S1)")
  func earlyEpoch() {
    let table = SearchTable(
      electorates: [[0, 1, 2, 3], [0, 1, 2]], honest: 3, views: [2, 1], contents: .seal)
    let result = search(table, until: \.disagrees) { $0.waitsForSeal = false }
    #expect(result.disagrees)
  }
}
