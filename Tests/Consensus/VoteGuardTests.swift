import Consensus
import SimulationKit
import Testing
import Wire

@Suite("A vote guard (CONSENSUS 1.5)")
struct VoteGuardTests {
  private let epoch = Fixture.epoch(of: 4)
  private var lineage: Lineage
  private var voteGuard: VoteGuard
  /// Two branches: 1 <- 2 <- 3 and, beside them, 4 on 1.
  private let blocks: [Block]

  init() {
    let one = Fixture.block(view: 1, parentView: 0, parent: epoch.anchor, epoch: epoch)
    let two = Fixture.block(view: 2, parentView: 1, parent: one.hash, epoch: epoch)
    let three = Fixture.block(view: 3, parentView: 2, parent: two.hash, epoch: epoch)
    let four = Fixture.block(view: 4, parentView: 1, parent: one.hash, epoch: epoch)
    blocks = [one, two, three, four]
    lineage = Lineage(anchor: epoch.anchor)
    for block in blocks { lineage.insert(block) }
    voteGuard = VoteGuard(
      table: Fixture.table, epoch: epoch.id, voter: Person(index: 0, seed: 1).voter)
  }

  private func subject(_ kind: VoteKind, _ number: Int) -> VoteSubject {
    Fixture.subject(kind, UInt64(number), blocks[number - 1].hash, epoch)
  }

  private mutating func refusal(_ subject: VoteSubject) -> VoteRefusal? {
    do throws(VoteRefusal) {
      _ = try voteGuard.reserve(subject, on: lineage)
      return nil
    } catch {
      return error
    }
  }

  private mutating func releaseRefusal(_ subject: VoteSubject) -> VoteRefusal? {
    do throws(VoteRefusal) {
      _ = try voteGuard.release(subject, on: lineage)
      return nil
    } catch {
      return error
    }
  }

  private mutating func vote(_ subject: VoteSubject) throws -> ApprovedVote {
    _ = try voteGuard.reserve(subject, on: lineage)
    return try voteGuard.release(subject, on: lineage)
  }

  @Test("approves notarize and then finalize of one block")
  mutating func ordinary() throws {
    check(try vote(subject(.notarize, 1)).subject == subject(.notarize, 1))
    check(try vote(subject(.finalize, 1)).subject == subject(.finalize, 1))
  }

  @Test("refuses a second vote of a kind in a view, the same one too")
  mutating func second() throws {
    _ = try vote(subject(.notarize, 1))
    check(refusal(subject(.notarize, 1)) == .slotTaken)
    check(refusal(Fixture.subject(.notarize, 1, Fixture.hash(9), epoch)) == .slotTaken)
  }

  @Test("refuses to finalize what it has not notarized")
  mutating func finalizeOnly() throws {
    check(refusal(subject(.finalize, 1)) == .notNotarized)
    _ = try vote(Fixture.subject(.notarize, 2, blocks[1].hash, epoch))
    check(refusal(Fixture.subject(.finalize, 2, Fixture.hash(9), epoch)) == .notNotarized)
  }

  @Test("refuses to finalize a block whose notarize was reserved and never released")
  mutating func unreleased() throws {
    _ = try voteGuard.reserve(subject(.notarize, 1), on: lineage)
    _ = try voteGuard.reserve(subject(.finalize, 1), on: lineage)
    check(releaseRefusal(subject(.finalize, 1)) == .notNotarized)
  }

  @Test("keeps nullify and finalize of a view apart, whichever came first")
  mutating func exclusive() throws {
    _ = try vote(subject(.notarize, 1))
    _ = try vote(subject(.finalize, 1))
    check(refusal(subject(.nullify, 1)) == .finalized)
    _ = try vote(subject(.notarize, 2))
    _ = try vote(subject(.nullify, 2))
    check(refusal(subject(.finalize, 2)) == .nullified)
  }

  @Test("refuses to notarize in a view it nullified")
  mutating func notarizeAfterNullify() throws {
    _ = try vote(subject(.nullify, 1))
    check(refusal(subject(.notarize, 1)) == .nullified)
  }

  @Test("refuses what conflicts with a final block, and takes its ancestors and descendants")
  mutating func finals() throws {
    lineage.finalize(blocks[0])
    lineage.finalize(blocks[1])
    check(refusal(subject(.notarize, 4)) == .conflictsWithFinal)
    check(refusal(subject(.notarize, 1)) == nil)
    check(refusal(subject(.notarize, 3)) == nil)
  }

  @Test("looks again after the vote is durable")
  mutating func recheck() throws {
    _ = try voteGuard.reserve(subject(.notarize, 4), on: lineage)
    lineage.finalize(blocks[0])
    lineage.finalize(blocks[1])
    check(releaseRefusal(subject(.notarize, 4)) == .conflictsWithFinal)
  }

  @Test("refuses what conflicts with its own notarize of a later view (X9)")
  mutating func ownLater() throws {
    _ = try vote(subject(.notarize, 4))
    check(refusal(subject(.notarize, 3)) == .conflictsWithOwn)
    check(refusal(subject(.notarize, 2)) == .conflictsWithOwn)
    check(refusal(subject(.notarize, 1)) == nil)
  }

  @Test("refuses every epoch but its own (X7)")
  mutating func epochs() throws {
    let other = Fixture.epoch(of: 3)
    check(refusal(Fixture.subject(.nullify, 1, .zero, other)) == .otherEpoch)
    let table = TableID(raw: Fixture.hash(7).raw)
    check(refusal(Fixture.subject(.nullify, 1, .zero, epoch, table: table)) == .otherEpoch)
  }

  @Test("remembers after a restart all that it reserved, signed or not")
  mutating func restored() throws {
    let notarize = try voteGuard.reserve(subject(.notarize, 4), on: lineage)
    let nullify = try voteGuard.reserve(subject(.nullify, 2), on: lineage)
    var again = VoteGuard(table: Fixture.table, epoch: epoch.id, voter: voteGuard.voter)
    try again.restore(nullify)
    try again.restore(notarize)
    #expect(again.votes(from: 1) == [subject(.nullify, 2), subject(.notarize, 4)])
    voteGuard = again
    check(refusal(subject(.notarize, 2)) == .nullified)
    check(refusal(subject(.notarize, 3)) == .conflictsWithOwn)
    #expect(throws: Never.self) { try again.release(subject(.notarize, 4), on: lineage) }
  }

  @Test("takes no record of another epoch or another key, and calls a torn one unreadable")
  mutating func foreignRecords() throws {
    let record = try voteGuard.reserve(subject(.nullify, 2), on: lineage)
    var other = VoteGuard(
      table: Fixture.table, epoch: Fixture.epoch(of: 3).id, voter: voteGuard.voter)
    try other.restore(record)
    #expect(other.votes(from: 0).isEmpty)
    var stranger = VoteGuard(
      table: Fixture.table, epoch: epoch.id, voter: Person(index: 5, seed: 1).voter)
    try stranger.restore(record)
    #expect(stranger.votes(from: 0).isEmpty)
    let value = try #require(record.value)
    for length in 0..<value.count {
      let torn = try #require(
        Record(kind: record.kind.rawValue, key: record.key, value: Array(value.prefix(length))))
      #expect(throws: RestoreError.self) { try stranger.restore(torn) }
    }
  }
}
