import CBOR
import Consensus
import SimulationKit
import Testing
import Wire

@Suite("Quorums and epochs (CONSENSUS 1.2, 1.3)")
struct QuorumTests {
  @Test("are those of the table for one to sixteen voters")
  func table() {
    let sizes = (1...16).map { Quorum.size(of: $0) }
    #expect(sizes == [1, 2, 2, 3, 4, 4, 5, 6, 6, 7, 8, 8, 9, 10, 10, 11])
    let absent = (1...16).map { $0 - Quorum.size(of: $0) }
    #expect(absent == [0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 4, 5, 5])
    let liars = (2...16).map { 2 * Quorum.size(of: $0) - $0 - 1 }
    #expect(liars == [1, 0, 1, 2, 1, 2, 3, 2, 3, 4, 3, 4, 5, 4, 5])
  }

  @Test("are, at a strict table, all of three, and else the same (Q1)")
  func strict() {
    let sizes = (1...16).map { Quorum.size(of: $0, isStrict: true) }
    #expect(sizes == [1, 2, 3, 3, 4, 4, 5, 6, 6, 7, 8, 8, 9, 10, 10, 11])
    #expect((1...16).allSatisfy { Quorum.size(of: $0, isStrict: false) == Quorum.size(of: $0) })
    let epoch = Fixture.epoch(of: 3, isStrict: true)
    let usual = Fixture.epoch(of: 3)
    #expect(epoch.voters == usual.voters && epoch.id != usual.id)
    #expect((epoch.quorum, usual.quorum) == (3, 2))
    let two = Fixture.certificate(.finalize, 1, Fixture.hash(1), epoch, epoch.voters.prefix(2))
    let three = Fixture.certificate(.finalize, 1, Fixture.hash(1), epoch, epoch.voters)
    #expect(!epoch.holds(two) && epoch.holds(three))
    // Who goes on below a quorum, and the seal from four to three, ask for all three too.
    let recovery = Recovery(
      table: Fixture.table, epoch: epoch.id, view: 0, height: epoch.anchorHeight,
      block: epoch.anchor, voters: epoch.voters)
    #expect(Epoch(after: epoch, recovery).quorum == 3)
    let four = Fixture.epoch(of: 4, isStrict: true)
    #expect(four.id == Fixture.epoch(of: 4).id && four.quorum == 3)
    let out = VoterChange(joiners: [], leavers: [four.voters[3]])
    #expect(!four.permits(out, by: [four.voters[0], four.voters[1], four.voters[3]]))
    #expect(four.permits(out, by: Array(four.voters.prefix(3))))
  }

  @Test("give every voter every n-th view to lead")
  func leaders() {
    let epoch = Fixture.epoch(of: 4)
    let leaders = (1...8).map { epoch.leader(of: $0) }
    #expect(Set(leaders) == Set(epoch.voters))
    #expect(leaders[0..<4] == leaders[4..<8])
  }

  @Test("do not depend on the order in which voters are named")
  func order() {
    let voters = Fixture.epoch(of: 4).voters
    #expect(voters == voters.sorted())
  }

  @Test("hold a certificate by enough voters of the epoch, and no other")
  func certificates() {
    let epoch = Fixture.epoch(of: 4)
    let stranger = Person(index: 9, seed: 1).voter
    let three = Fixture.certificate(.notarize, 1, Fixture.hash(1), epoch, epoch.voters.prefix(3))
    let two = Fixture.certificate(.notarize, 1, Fixture.hash(1), epoch, epoch.voters.prefix(2))
    let mixed = Fixture.certificate(
      .notarize, 1, Fixture.hash(1), epoch, epoch.voters.prefix(3) + [stranger])
    #expect(epoch.holds(three))
    #expect(!epoch.holds(two))
    #expect(!epoch.holds(mixed))
    #expect(!Fixture.epoch(of: 3).holds(three))
  }
}

@Suite("The seal rule (CONSENSUS 1.7)")
struct SealRuleTests {
  private let epoch = Fixture.epoch(of: 3)

  private func leave(_ voter: PublicKey) -> VoterChange {
    VoterChange(joiners: [], leavers: [voter])
  }

  @Test("lets a voter out when all who stay signed the parent")
  func leaver() {
    let voters = epoch.voters
    #expect(epoch.permits(leave(voters[1]), by: voters))
    #expect(epoch.permits(leave(voters[1]), by: [voters[0], voters[2]]))
  }

  @Test("waits while only one of the two who stay has signed")
  func tooNarrow() {
    let voters = epoch.voters
    #expect(!epoch.permits(leave(voters[1]), by: [voters[0], voters[1]]))
  }

  @Test("counts those who are ready to join")
  func joiners() {
    let creator = Fixture.epoch(of: 1)
    let guests = (1...2).map { Fixture.ready(Person(index: $0, seed: 1).voter, creator) }
    #expect(
      creator.permits(VoterChange(joiners: guests, leavers: []), by: creator.voters))
    #expect(!creator.permits(VoterChange(joiners: [guests[0]], leavers: []), by: []))
  }

  @Test("never leaves a table without voters, and counts no stranger")
  func nobody() {
    let creator = Fixture.epoch(of: 1)
    #expect(!creator.permits(leave(creator.voters[0]), by: creator.voters))
    let stranger = Person(index: 9, seed: 1).voter
    #expect(!epoch.permits(leave(epoch.voters[1]), by: [epoch.voters[0], stranger]))
  }
}

/// Votes, blocks and epochs made by hand.
enum Fixture {
  static let table = TableID(raw: Digest(.genesis, .unsigned(1)).raw)

  static func hash(_ n: UInt64) -> Digest { Digest(.block, .unsigned(n)) }

  /// The epoch in which the first `n` persons of world 1 vote.
  static func epoch(of n: Int, isStrict: Bool = false) -> Epoch {
    let first = Epoch(
      Founding(table: table, creator: Person(index: 0, seed: 1).voter, isStrict: isStrict))
    guard n > 1 else { return first }
    let joiners = (1..<n).map { ready(Person(index: $0, seed: 1).voter, first) }
    let change = VoterChange(joiners: joiners, leavers: [])
    let seal = block(view: 1, parentView: 0, parent: first.anchor, epoch: first, change: change)
    return Epoch(after: first, seal: seal, change: change)
  }

  static func ready(_ voter: PublicKey, _ epoch: Epoch) -> Ready {
    let bytes = Ready.signedBytes(table: table, epoch: epoch.id, block: epoch.anchor)
    return Ready(
      table: table, epoch: epoch.id, block: epoch.anchor, voter: voter,
      signature: CheapSignatures.sign(bytes, by: voter))
  }

  static func block(
    view: UInt64, parentView: UInt64, parent: Digest, epoch: Epoch, height: UInt64 = 1,
    state: Digest = .zero, emptyRun: UInt64 = 0, entries: [Entry] = [],
    change: VoterChange? = nil, just: Justification? = nil
  ) -> Block {
    Block(
      table: table, epoch: epoch.id, view: view, height: height, parentView: parentView,
      parent: parent, stateAfterParent: state, emptyRun: emptyRun, entries: entries,
      deadlines: [], change: change,
      justification: just ?? Justification(parent: nil, nullifications: []), shownTime: 0)
  }

  static func subject(
    _ kind: VoteKind, _ view: UInt64, _ block: Digest, _ epoch: Epoch, table: TableID = table
  ) -> VoteSubject {
    VoteSubject(
      table: table, epoch: epoch.id, view: view, kind: kind,
      block: kind == .nullify ? .zero : block)
  }

  static func vote(_ subject: VoteSubject, by voter: PublicKey) -> Vote {
    Vote(
      subject: subject, voter: voter,
      signature: CheapSignatures.sign(subject.signedBytes, by: voter))
  }

  static func certificate(
    _ kind: VoteKind, _ view: UInt64, _ block: Digest, _ epoch: Epoch,
    _ voters: some Sequence<PublicKey>, table: TableID = table
  ) -> Certificate {
    let subject = subject(kind, view, block, epoch, table: table)
    return Certificate(
      subject: subject,
      signatures: voters.map {
        KeySignature($0, CheapSignatures.sign(subject.signedBytes, by: $0))
      })
  }
}

/// `#expect` for a condition whose making changes something, which the macro does not allow.
func check(
  _ condition: Bool, _ comment: Comment? = nil, at place: SourceLocation = #_sourceLocation
) {
  #expect(condition, comment, sourceLocation: place)
}
