import CBOR
import Consensus
import SimulationKit
import Testing
import Wire

@Suite("Evidence (V1, V2)")
struct EvidenceTests {
  private let epoch = Fixture.epoch(of: 4)

  private func vote(
    _ kind: VoteKind, _ block: UInt64 = 1, view: UInt64 = 3, by voter: Int = 1,
    in other: Epoch? = nil, table: TableID = Fixture.table
  ) -> Vote {
    Fixture.vote(
      Fixture.subject(kind, view, Fixture.hash(block), other ?? epoch, table: table),
      by: epoch.voters[voter])
  }

  /// A block at view 3 on one of view 1, as its leader should make it but for what is given.
  private func block(
    parentSigners: Int = 3, skipped: [UInt64] = [2], kind: VoteKind = .notarize
  ) -> Block {
    let parent = Fixture.hash(7)
    return Fixture.block(
      view: 3, parentView: 1, parent: parent, epoch: epoch,
      just: Justification(
        parent: Fixture.certificate(kind, 1, parent, epoch, epoch.voters.prefix(parentSigners)),
        nullifications: skipped.map {
          Fixture.certificate(.nullify, $0, .zero, epoch, epoch.voters.prefix(3))
        }))
  }

  private func vote(on block: Block, _ kind: VoteKind = .notarize) -> Vote {
    Fixture.vote(
      Fixture.subject(kind, block.view, block.hash, epoch), by: epoch.voters[2])
  }

  @Test("E1 to E4: pairs of votes that no honest voter makes")
  func pairs() {
    let proofs: [Evidence] = [
      .between(vote(.notarize, 1), vote(.notarize, 2)),
      .between(vote(.nullify), vote(.finalize)),
      .between(vote(.finalize, 2), vote(.finalize, 1)),
      .between(vote(.finalize, 1), vote(.notarize, 2)),
    ]
    for proof in proofs {
      #expect(proof.verifies(in: epoch))
      #expect(proof.culprit == epoch.voters[1])
      #expect((try? Evidence(proof.cbor)) == proof)
    }
  }

  @Test("E5: a vote for a block whose just does not allow its place")
  func unjustified() {
    let bad = [
      block(parentSigners: 2), block(skipped: []), block(skipped: [2, 3]), block(skipped: [1]),
      block(kind: .nullify),
      Fixture.block(view: 2, parentView: 0, parent: Fixture.hash(7), epoch: epoch),
      Fixture.block(view: 1, parentView: 0, parent: Fixture.hash(7), epoch: epoch),
      Fixture.block(view: 1, parentView: 1, parent: Fixture.hash(7), epoch: epoch),
      Fixture.block(
        view: 1, parentView: 0, parent: epoch.anchor, epoch: epoch,
        change: VoterChange(joiners: [], leavers: [epoch.voters[0]])),
    ]
    for block in bad {
      for kind in [VoteKind.notarize, .finalize] {
        let proof = Evidence.unjustified(vote(on: block, kind), block)
        #expect(proof.verifies(in: epoch), "\(block.justification)")
        #expect((try? Evidence(proof.cbor)) == proof)
      }
    }
  }

  @Test("what an honest voter signs proves nothing against it")
  func honest() {
    let good = block()
    let first = Fixture.block(view: 1, parentView: 0, parent: epoch.anchor, epoch: epoch)
    let honest: [Evidence] = [
      .between(vote(.notarize), vote(.notarize)),
      .between(vote(.notarize), vote(.finalize)),
      .between(vote(.notarize), vote(.nullify)),
      .between(vote(.nullify), vote(.nullify)),
      .between(vote(.notarize, 1, view: 3), vote(.notarize, 2, view: 4)),
      .between(vote(.nullify, view: 3), vote(.finalize, view: 4)),
      .unjustified(vote(on: good), good), .unjustified(vote(on: first), first),
    ]
    for claim in honest { #expect(!claim.verifies(in: epoch), "\(claim)") }
    for claim in honest.prefix(6) {
      #expect(throws: DecodeError.self) { try Evidence(claim.cbor) }
    }
  }

  @Test("of another epoch, another table, another voter or a stranger it proves nothing")
  func foreign() throws {
    let other = Fixture.epoch(of: 3)
    let elsewhere = TableID(raw: Fixture.hash(9).raw)
    let mixed: [Evidence] = [
      .between(vote(.notarize, 1), vote(.notarize, 2, in: other)),
      .between(vote(.notarize, 1), vote(.notarize, 2, table: elsewhere)),
      .between(vote(.notarize, 1, by: 0), vote(.notarize, 2, by: 1)),
    ]
    for claim in mixed {
      #expect(!claim.verifies(in: epoch))
      #expect(throws: DecodeError.self) { try Evidence(claim.cbor) }
    }
    let there = Evidence.between(vote(.notarize, 1, in: other), vote(.notarize, 2, in: other))
    #expect(!there.verifies(in: epoch))
    let stranger = Person(index: 9, seed: 1).voter
    let lone = [1, 2].map {
      Fixture.vote(Fixture.subject(.notarize, 3, Fixture.hash($0), epoch), by: stranger)
    }
    #expect(!Evidence.between(lone[0], lone[1]).verifies(in: epoch))
    let bad = block(skipped: [])
    #expect(!Evidence.unjustified(vote(on: bad), block(parentSigners: 2)).verifies(in: epoch))
  }

  @Test("with a signature that does not hold it does not come through the door")
  func forged() throws {
    let honest = vote(.notarize, 1)
    let invented = Vote(
      subject: Fixture.subject(.notarize, 3, Fixture.hash(2), epoch), voter: honest.voter,
      signature: honest.signature)
    #expect(throws: WireError.badSignature) {
      try TableMessage.evidence(.between(honest, invented)).verified(by: CheapSignatures())
    }
    let bad = block(skipped: [])
    let subject = Fixture.subject(.notarize, 3, bad.hash, epoch)
    let claim = Evidence.unjustified(
      Vote(subject: subject, voter: honest.voter, signature: honest.signature), bad)
    #expect(throws: WireError.badSignature) {
      try TableMessage.evidence(claim).verified(by: CheapSignatures())
    }
  }
}

@Suite("Evidence among nodes (V3, V4, V5)")
struct EvidenceBookTests {
  private func gathered(_ people: Int, seed: UInt64 = 3) throws -> Toy {
    var world = Toy(people: people, seed: seed, weather: Weather(), load: ToyWorkload())
    let hasGathered = world.gather()
    try #require(hasGathered, "\(world.summary)")
    world.run(until: world.now + 3_000)
    return world
  }

  private func pair(
    by node: Int, in world: Toy, view: UInt64? = nil, blocks: [UInt64] = [1, 2]
  ) -> [Vote] {
    let epoch = world.replica(0).epoch
    let view = view ?? world.replica(0).view
    return blocks.map {
      Fixture.vote(
        Fixture.subject(
          .notarize, view, Fixture.hash($0), epoch, table: world.founding.table),
        by: world.nodes[node].person.voter)
    }
  }

  private func show(_ message: TableMessage, to node: Int, in world: inout Toy) throws {
    let peer = world.nodes[(node + 1) % world.nodes.count].person.identity
    world.step(node, .received(try message.verified(by: CheapSignatures()), from: peer))
  }

  private func held(_ node: Int, _ world: Toy) -> [PublicKey] {
    world.replica(node).evidence.map(\.culprit)
  }

  @Test("goes to all, survives restarts, is shown to who comes later, and is kept across epochs")
  func kept() throws {
    var world = try gathered(4)
    world.distrust(3)
    let liar = world.nodes[3].person.voter
    world.isolate(2)
    for vote in pair(by: 3, in: world) { try show(.vote(vote), to: 0, in: &world) }
    world.run(until: world.now + 1_000)
    #expect(held(0, world) == [liar])
    #expect(held(1, world) == [liar])
    #expect(held(2, world).isEmpty)
    world.isolate(2, false)
    world.run(until: world.now + 1_000)
    #expect(held(2, world) == [liar])
    #expect(world.accusations.count == 4, "each node reports it once")
    world.crash(1)
    world.restart(1)
    #expect(held(1, world) == [liar])
    check(
      world.run(until: world.now + 10_000) { world in
        (0..<3).allSatisfy { world.replica($0).epoch.voters.count == 3 }
      }, "\(world.summary)")
    world.run(until: world.now + 1_000)
    world.crash(2)
    world.restart(2)
    world.run(until: world.now + 1_000)
    for node in 0..<3 { #expect(held(node, world) == [liar]) }
  }

  @Test("of an epoch that is over counts still, and who was not there gets it with the log")
  func late() throws {
    var world = try gathered(4)
    let liar = world.nodes[3].person.voter
    let votes = pair(by: 3, in: world)
    world.isolate(2)
    world.submit(ToyTable.Act.leave.body, by: 3)
    check(
      world.run(until: world.now + 10_000) { world in
        [0, 1].allSatisfy { world.replica($0).epoch.voters.count == 3 }
      }, "\(world.summary)")
    try show(.evidence(.between(votes[0], votes[1])), to: 0, in: &world)
    #expect(held(0, world) == [liar])
    world.isolate(2, false)
    check(
      world.run(until: world.now + 3_000) { held(2, $0) == [liar] }, "\(world.summary)")
  }

  @Test("that proves nothing is dropped and counted, and told to nobody")
  func nothing() throws {
    var world = try gathered(4)
    let good = Fixture.block(
      view: 1, parentView: 0, parent: world.replica(0).epoch.anchor, epoch: world.replica(0).epoch)
    let block = Block(
      table: world.founding.table, epoch: good.epoch, view: 1, height: good.height, parentView: 0,
      parent: good.parent, stateAfterParent: .zero, emptyRun: 0, entries: [], deadlines: [],
      change: nil, justification: good.justification, shownTime: 0)
    let subject = Fixture.subject(
      .notarize, 1, block.hash, world.replica(0).epoch, table: world.founding.table)
    let vote = Fixture.vote(subject, by: world.nodes[3].person.voter)
    let sent = world.sent
    try show(.evidence(.unjustified(vote, block)), to: 0, in: &world)
    #expect(world.refusals["evidenceProvesNothing"] == 1)
    #expect(held(0, world).isEmpty)
    #expect(world.sent == sent)
  }

  @Test("late votes on what is final widen it and frame nobody")
  func widening() throws {
    var world = try gathered(3)
    world.isolate(2)
    for n in 1...3 { world.submit(ToyTable.Act.add(UInt64(n)).body, by: 0) }
    check(world.run(until: world.now + 3_000) { $0.app(0).sum == 6 && $0.app(1).sum == 6 })
    world.isolate(2, false)
    check(
      world.run(until: world.now + 10_000) { world in
        world.replica(0).finality(at: world.replica(0).finalHeight)?.isSettled == true
      }, "\(world.summary)")
    #expect(world.accusations.isEmpty)
  }

  @Test("a leader's block with a bad just is evidence against it, and against who votes for it")
  func badJust() throws {
    var world = try gathered(4)
    let epoch = world.replica(0).epoch
    let view = world.replica(0).view
    let leader = epoch.leader(of: view)
    let other = try #require(world.nodes.first { $0.person.voter != leader })
    let block = Block(
      table: world.founding.table, epoch: epoch.id, view: view, height: 9, parentView: 0,
      parent: Fixture.hash(5), stateAfterParent: .zero, emptyRun: 0, entries: [], deadlines: [],
      change: nil, justification: Justification(parent: nil, nullifications: []), shownTime: 0)
    let subject = Fixture.subject(
      .notarize, view, block.hash, epoch, table: world.founding.table)
    let victim = try #require(
      world.nodes.firstIndex { ![leader, other.person.voter].contains($0.person.voter) })
    try show(.proposal(block, Fixture.vote(subject, by: leader)), to: victim, in: &world)
    #expect(held(victim, world) == [leader])
    try show(.vote(Fixture.vote(subject, by: other.person.voter)), to: victim, in: &world)
    #expect(held(victim, world) == [leader, other.person.voter].sorted())
  }

  @Test("two finalizations in different views: who lied is found where the chains part")
  func fork() throws {
    var world = try gathered(3)
    world.isolate(2)
    world.submit(ToyTable.Act.add(1).body, by: 0)
    check(world.run(until: world.now + 5_000) { $0.app(0).sum == 1 && $0.app(1).sum == 1 })
    let epoch = world.replica(0).epoch
    let own = try #require(world.replica(0).finalBlocks(above: 0).last?.block)
    #expect(own.parentView == 0)
    // Voter 1 has finalized that block, and gives its view up with voter 2, who never saw it.
    let others = [1, 2].map { world.nodes[$0].person.voter }
    let view = world.replica(0).view + 3
    func proof(_ kind: VoteKind, _ view: UInt64, _ block: Digest) -> Certificate {
      Fixture.certificate(kind, view, block, epoch, others, table: world.founding.table)
    }
    let other = Block(
      table: own.table, epoch: own.epoch, view: view, height: own.height, parentView: 0,
      parent: own.parent, stateAfterParent: own.stateAfterParent, emptyRun: 0, entries: own.entries,
      deadlines: [], change: nil,
      justification: Justification(
        parent: nil, nullifications: (1..<view).map { proof(.nullify, $0, .zero) }),
      shownTime: 7)
    var asked: [Digest] = []
    var replica = world.replica(0)
    let peer = world.nodes[2].person.identity
    func hear(_ message: TableMessage) throws {
      let effects = replica.step(
        .received(try message.verified(by: CheapSignatures()), from: peer))
      for case .send(.getBlock(_, let hash), _) in effects { asked.append(hash) }
    }
    try hear(.certificate(proof(.finalize, view, other.hash)))
    #expect(asked == [other.hash])
    #expect(replica.evidence.isEmpty)
    try hear(.block(other))
    #expect(replica.isHalted)
    #expect(replica.evidence.map(\.culprit) == [others[0]])
  }

  @Test("a body of the other chain that nobody has is not asked for for ever")
  func bodiless() throws {
    var world = try gathered(3)
    world.submit(ToyTable.Act.add(1).body, by: 0)
    check(world.run(until: world.now + 5_000, \.isSettledDown))
    let epoch = world.replica(0).epoch
    let view = try #require(world.replica(0).finalBlocks(above: 0).last?.block.view)
    let two = Fixture.certificate(
      .finalize, view, Fixture.hash(3), epoch,
      [1, 2].map { world.nodes[$0].person.voter }, table: world.founding.table)
    var replica = world.replica(0)
    let message = try TableMessage.certificate(two).verified(by: CheapSignatures())
    var effects = replica.step(.received(message, from: world.nodes[1].person.identity))
    for tick in 1...200 { effects += replica.step(.tick(world.now + UInt64(tick) * 500)) }
    let asked = effects.count { effect in
      if case .send(.getBlock(_, Fixture.hash(3)), _) = effect { true } else { false }
    }
    #expect(asked == 8)
  }

  @Test("who is shown its own key's lie, which it does not know, votes no more")
  func forgotten() throws {
    var world = try gathered(4)
    let votes = pair(by: 0, in: world)
    try show(.evidence(.between(votes[0], votes[1])), to: 0, in: &world)
    #expect(world.replica(0).isAmnesiac)
    #expect(!world.replica(0).isVoting)
  }
}
