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

  @Test("5: a view to which nothing can have led")
  func viewAhead() {
    var judge = oracle()
    judge.saw(
      view: 2, in: Epoch(Founding(table: Fixture.table, creator: creator.voter)), of: 0, at: 5)
    #expect(judge.failure?.invariant == .oneBlockPerView)
    judge = oracle()
    judge.distrust(creator)
    judge.saw(
      view: 2, in: Epoch(Founding(table: Fixture.table, creator: creator.voter)), of: 0, at: 5)
    #expect(judge.failure == nil)
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

  @Test("6: what a block quotes for itself is counted again")
  func quotes() throws {
    let stranger = Person(index: 3, seed: 1)
    let id = Fixture.hash(4)
    let bytes = Passed.signedBytes(table: Fixture.table, epoch: epoch.id, deadline: id)
    let word = KeySignature(stranger.voter, CheapSignatures.sign(bytes, by: stranger.voter))
    let lie = Evidence.votes(
      Fixture.vote(Fixture.subject(.notarize, 1, id, epoch), by: creator.voter),
      Fixture.vote(Fixture.subject(.notarize, 1, Fixture.hash(5), epoch), by: creator.voter))
    let none = VoterChange(joiners: [], leavers: [])
    let voted = Eviction(of: creator.voter, by: [word])
    let empty = first([])
    let blocks = [
      empty,
      empty.changed(emptyRun: 2),
      empty.changed(emptyRun: 0, deadlines: [PassedDeadline(id: id, signatures: [word])]),
      empty.changed(emptyRun: 0, change: none),
      empty.changed(
        emptyRun: 0, change: VoterChange(joiners: [], leavers: [], evictions: [voted])),
      empty.changed(
        emptyRun: 0, change: VoterChange(joiners: [], leavers: [], evictions: [Eviction(lie)])),
    ]
    let electorates = Electorates(first: epoch)
    for block in blocks {
      #expect(BlockChecker.fault(of: block, after: 0, electorates: electorates) != nil)
    }
    let good = empty.changed(emptyRun: 1)
    #expect(BlockChecker.fault(of: good, after: 0, electorates: electorates) == nil)
    #expect(
      BlockChecker.fault(of: empty.changed(emptyRun: 4), after: 3, electorates: electorates) != nil)
  }

  @Test("6: a seal for whose parent too few of its voters signed")
  func narrowSeal() throws {
    let people = (0..<3).map { Person(index: $0, seed: 1).voter }
    let joining = VoterChange(
      joiners: people.dropFirst().map { Fixture.ready($0, epoch) }, leavers: [])
    let seal = Fixture.block(
      view: 1, parentView: 0, parent: epoch.anchor, epoch: epoch, change: joining)
    let next = Epoch(after: epoch, seal: seal, change: joining)
    var electorates = Electorates(first: epoch)
    #expect(BlockChecker.fault(of: seal, after: 0, electorates: electorates) == nil)
    electorates.follow(seal, as: next.id)
    func out(signedBy voters: [PublicKey]) -> Block {
      let parent = Fixture.certificate(.notarize, 1, Fixture.hash(1), next, voters)
      return Fixture.block(
        view: 2, parentView: 1, parent: Fixture.hash(1), epoch: next, height: 3,
        change: VoterChange(joiners: [], leavers: [people[2]]),
        just: Justification(parent: parent, nullifications: []))
    }
    let narrow = out(signedBy: [people[0], people[2]])
    #expect(BlockChecker.fault(of: narrow, after: 0, electorates: electorates) != nil)
    let wide = out(signedBy: [people[0], people[1]])
    #expect(BlockChecker.fault(of: wide, after: 0, electorates: electorates) == nil)
  }

  @Test("11: an entry that took more views of good leaders than n + 2")
  func entriesInTime() {
    var judge = oracle()
    judge.judge(views: 3, of: epoch, at: 5)
    #expect(judge.failure == nil)
    judge.judge(views: 4, of: epoch, at: 6)
    #expect(judge.failure?.invariant == .entriesInTime)
  }

  @Test("14: a node that keeps more and more, and one that writes more and more")
  func bounded() {
    var judge = oracle()
    judge.judge(kept: 40, rows: 150, height: 20, views: 25, of: 0, at: 5)
    #expect(judge.failure == nil)
    judge.judge(kept: 5_000, rows: 150, height: 20, views: 25, of: 0, at: 5)
    #expect(judge.failure?.invariant == .bounded)
    judge = oracle()
    judge.judge(kept: 40, rows: 5_000, height: 20, views: 25, of: 0, at: 5)
    #expect(judge.failure?.invariant == .bounded)
  }

  @Test("5: two blocks of one view for each of which a quorum could be")
  func oneBlockPerView() throws {
    let people = (0..<6).map { Person(index: $0, seed: 1) }
    let joining = VoterChange(
      joiners: people[1..<4].map { Fixture.ready($0.voter, epoch) }, leavers: [])
    let seal = Fixture.block(
      view: 1, parentView: 0, parent: epoch.anchor, epoch: epoch, change: joining)
    let next = Epoch(after: epoch, seal: seal, change: joining)
    var electorates = Electorates(first: epoch)
    electorates.follow(seal, as: next.id)
    electorates.distrust(people[3].voter)
    let electorate = try #require(electorates[next.id])
    #expect(electorate.isSound)
    var judge = VoteChecker()
    var faults: [Invariant?] = []
    // Nobody votes twice: the last two count though they have no vote here.
    for (index, number) in [(0, 1), (1, 1), (4, 2), (5, 2)] as [(Int, UInt64)] {
      let block = Fixture.block(
        view: 1, parentView: 0, parent: next.anchor, epoch: next, height: number)
      let subject = Fixture.subject(.notarize, 1, block.hash, next)
      var lineage = Lineage(anchor: next.anchor)
      lineage.insert(block)
      var voteGuard = VoteGuard(table: Fixture.table, epoch: next.id, voter: people[index].voter)
      var disk = Disk()
      disk.write(try voteGuard.reserve(subject, on: lineage), index: 1)
      let body = try #require(
        Record(kind: Record.Kind.block.rawValue, key: block.hash.bytes, value: [0]))
      disk.write(body, index: 2)
      disk.sync(through: 2)
      judge.saw(block)
      let fault = judge.saw(
        try voteGuard.release(subject, on: lineage), epoch: next.id, tip: (0, next.anchor),
        disk: disk, electorate: electorate)
      faults.append(fault?.0)
    }
    #expect(faults == [nil, nil, nil, .oneBlockPerView])
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

  @Test("3 and 4 are judged on votes that a guard made", arguments: [3, 4])
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
