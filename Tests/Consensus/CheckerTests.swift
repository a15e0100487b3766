import CBOR
import Consensus
import SimulationKit
import Testing
import Wire

@Suite("The simulator's checkers report what is planted")
struct CheckerTests {
  private typealias ToyOracle = Oracle<ToyTable>

  private let epoch = Fixture.epoch(of: 1)
  private let creator = Person(index: 0, seed: 1)

  private func oracle() -> ToyOracle {
    let app = ToyTable(table: Fixture.table, creator: creator)
    return ToyOracle(
      genesis: app, founding: Founding(table: Fixture.table, creator: creator.voter))
  }

  private var start: Digest { ToyTable(table: Fixture.table, creator: creator).stateHash }

  private func entry(_ act: ToyTable.Act, _ sequence: UInt64) -> Entry {
    creator.sign(
      Entry.Draft(
        table: Fixture.table, author: creator.player, sequence: sequence, body: act.body)
    ).body
  }

  private func first(_ entries: [Entry], state: Digest? = nil) -> Block {
    Fixture.block(
      view: 1, parentView: 0, parent: epoch.anchor, epoch: epoch, state: state ?? start,
      entries: entries)
  }

  @Test("1: two nodes with different blocks at one height; a height left out")
  func agreement() {
    var judge = oracle()
    judge.saw(first([entry(.add(1), 1)]), [.done], final: 0, next: nil, at: 5)
    #expect(judge.failure == nil)
    judge.saw(first([entry(.add(2), 1)]), [.done], final: 1, next: nil, at: 6)
    #expect(judge.failure?.invariant == .agreement)
    judge = oracle()
    let second = Fixture.block(
      view: 2, parentView: 1, parent: Fixture.hash(1), epoch: epoch, height: 2)
    judge.saw(second, [], final: 0, next: nil, at: 5)
    #expect(judge.failure?.invariant == .agreement)
  }

  @Test("1 holds no more where more lie than the epoch bears, and the split is counted")
  func split() {
    var judge = oracle()
    judge.distrust(creator)
    judge.saw(first([entry(.add(1), 1)]), [.done], final: 0, next: nil, at: 5)
    judge.saw(first([entry(.add(2), 1)]), [.done], final: 1, next: nil, at: 6)
    #expect(judge.failure == nil)
    #expect(judge.forks == 1)
  }

  @Test("2: two settled blocks at one height")
  func settled() {
    var judge = oracle()
    judge.saw(settled: first([entry(.add(1), 1)]), by: 0, at: 5)
    judge.saw(settled: first([entry(.add(1), 1)]), by: 1, at: 5)
    #expect(judge.failure == nil)
    judge.saw(settled: first([entry(.add(2), 1)]), by: 1, at: 6)
    #expect(judge.failure?.invariant == .settled)
  }

  @Test("6: a state that is not so, an entry out of turn, another outcome")
  func validBlocks() {
    let blocks: [(Block, [Outcome])] = [
      (first([], state: .zero), []),
      (first([entry(.add(1), 2)]), [.done]),
      (first([entry(.add(10), 1)]), [.done]),
      (first([entry(.add(1), 1)]), []),
    ]
    for (block, outcomes) in blocks {
      var judge = oracle()
      judge.saw(block, outcomes, final: 0, next: nil, at: 5)
      #expect(judge.failure?.invariant == .validBlocks)
    }
  }

  @Test("7: an entry twice, a gap")
  func entriesOnce() {
    for sequence in [1, 3] as [UInt64] {
      var judge = oracle()
      judge.saw(
        first([entry(.add(1), 1), entry(.add(1), sequence)]), [.done, .done], final: 0, next: nil,
        at: 5)
      #expect(judge.failure?.invariant == .entriesOnce)
    }
  }

  @Test("8: somebody honest is named; who split a log is not")
  func culprits() {
    let subject = Fixture.subject(.notarize, 1, Fixture.hash(1), epoch)
    let vote = Fixture.vote(subject, by: creator.voter)
    var judge = oracle()
    judge.saw(Evidence.votes(vote, vote), by: 0)
    judge.judgeNames(at: 5)
    #expect(judge.failure?.invariant == .culprits)
    judge = oracle()
    judge.distrust(creator)
    judge.saw(halt: 0, in: epoch, at: 5)
    #expect(judge.failure?.invariant == .culprits)
    judge = oracle()
    judge.distrust(creator)
    judge.saw(Evidence.votes(vote, vote), by: 0)
    judge.judgeNames(at: 5)
    judge.saw(halt: 0, in: epoch, at: 6)
    #expect(judge.failure == nil)
    judge = oracle()
    judge.saw(halt: 0, in: epoch, at: 6)
    #expect(judge.failure?.invariant == .agreement)
  }

  @Test("9: an epoch that follows no seal, and one with other voters than its seal says")
  func epochChain() {
    var judge = oracle()
    judge.saw(epoch, of: 0, at: 5)
    #expect(judge.failure == nil)
    judge.saw(Fixture.epoch(of: 2), of: 0, at: 5)
    #expect(judge.failure?.invariant == .epochChain)
  }

  @Test("5 and 3 and 4 are judged on votes that a guard made", arguments: [3, 4])
  func votes(number: Int) throws {
    let block = first([])
    let subject = Fixture.subject(.notarize, 1, block.hash, epoch)
    var lineage = Lineage(anchor: epoch.anchor)
    lineage.insert(block)
    var voteGuard = VoteGuard(table: Fixture.table, epoch: epoch.id, voter: creator.voter)
    let record = try voteGuard.reserve(subject, on: lineage)
    let vote = try voteGuard.release(subject, on: lineage)
    var disk = Disk()
    disk.write(record, index: 1)
    if number == 3 {
      disk.write(
        try #require(
          Record(kind: Record.Kind.block.rawValue, key: block.hash.bytes, value: [0])), index: 2)
    }
    disk.sync(through: 2)
    var judge = oracle()
    judge.saw(block)
    judge.saw(vote, by: 0, disk: disk, at: 5)
    guard number == 3 else {
      #expect(judge.failure?.invariant == .durableBeforeSent)
      return
    }
    #expect(judge.failure == nil)
    // The same key, asked again after it forgot the first vote.
    let other = first([entry(.add(3), 1)])
    let second = Fixture.subject(.notarize, 1, other.hash, epoch)
    lineage.insert(other)
    var forgetful = VoteGuard(table: Fixture.table, epoch: epoch.id, voter: creator.voter)
    _ = try forgetful.reserve(second, on: lineage)
    judge.saw(other)
    judge.saw(try forgetful.release(second, on: lineage), by: 0, disk: disk, at: 6)
    #expect(judge.failure?.invariant == .exclusiveVotes)
  }
}
