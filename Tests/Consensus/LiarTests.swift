import Consensus
import SimulationKit
import Testing
import Wire

@Suite("Liars and floods")
struct LiarTests {
  private func gathered(_ people: Int, seed: UInt64 = 3) throws -> Toy {
    var world = Toy(people: people, seed: seed, weather: Weather(), load: ToyWorkload())
    let hasGathered = world.gather()
    try #require(hasGathered, "\(world.summary)")
    world.run(until: world.now + 3_000)
    return world
  }

  private func add(_ n: UInt64, by person: Person, in world: Toy) -> Verified<Entry> {
    let next = world.app(0).seats.first { $0.player == person.player }?.next ?? 0
    return person.sign(
      Entry.Draft(
        table: world.founding.table, author: person.player, sequence: next,
        body: ToyTable.Act.add(n).body))
  }

  /// What a leader proposes when it holds an entry; its disk and keys answer at once.
  private func proposal(
    of leader: Replica<ToyTable>, with entry: Verified<Entry>, from peer: PeerID
  ) throws -> (Block, Vote) {
    var leader = leader
    let message = try TableMessage.entry(entry.body).verified(by: CheapSignatures())
    var events: [Event] = [.received(message, from: peer)]
    while !events.isEmpty {
      for effect in leader.step(events.removeFirst()) {
        switch effect {
        case .send(.proposal(let block, let vote), _): return (block, vote)
        case .persist(_, let index): events.append(.persisted(through: index))
        case .sign(let statement):
          let signature = CheapSignatures.sign(statement.signedBytes, by: statement.voter)
          events.append(.signed(try statement.signed(with: signature, checker: CheapSignatures())))
        default: break
        }
      }
    }
    throw Missing.proposal
  }

  private enum Missing: Error { case proposal, leader }

  private func leader(in world: Toy) throws -> Int {
    let voter = world.replica(0).epoch.leader(of: world.replica(0).view)
    guard let node = world.nodes.firstIndex(where: { $0.person.voter == voter }) else {
      throw Missing.leader
    }
    return node
  }

  private func received(_ block: Block, _ vote: Vote) throws -> Verified<TableMessage> {
    try TableMessage.proposal(block, vote).verified(by: CheapSignatures())
  }

  @Test("a leader who proposes two blocks in a view splits nobody, and is named", arguments: 1...6)
  func equivocation(seed: UInt64) throws {
    var world = try gathered(4, seed: seed)
    let liar = try leader(in: world)
    let honest = (0..<4).filter { $0 != liar }
    let entries = [1, 2].map { add(UInt64($0), by: world.nodes[honest[$0]].person, in: world) }
    let peer = world.nodes[honest[0]].person.identity
    let blocks = try entries.map {
      try proposal(of: world.replica(liar), with: $0, from: peer)
    }
    #expect(blocks[0].0.hash != blocks[1].0.hash)
    world.distrust(liar)
    world.crash(liar)
    let identity = world.nodes[0].person.identity
    for (node, which) in zip(honest, [0, 0, 1]) {
      world.step(node, .received(try received(blocks[which].0, blocks[which].1), from: identity))
    }
    // One who saw the one block is shown the other while the view is on; later it would be forgotten.
    world.step(honest[0], .received(try received(blocks[1].0, blocks[1].1), from: identity))
    let isDone = world.run(until: world.now + 20_000) { world in
      honest.allSatisfy { world.app($0).sum == 3 }
    }
    #expect(isDone, "\(world.summary)")
    #expect(world.oracle.failure == nil)
    let culprits = Set(world.accusations.map(\.culprit))
    #expect(culprits == [world.nodes[liar].person.voter])
  }

  @Test("a block whose state, justification or entries are wrong gets a nullify and no notarize")
  func falseBlocks() throws {
    var world = try gathered(4)
    world.submit(ToyTable.Act.add(2).body, by: 0)
    let hasBlock = world.run(until: world.now + 5_000, \.isSettledDown)
    try #require(hasBlock)
    let liar = try leader(in: world)
    let victim = (liar + 1) % 4
    let entry = add(1, by: world.nodes[victim].person, in: world)
    let peer = world.nodes[victim].person.identity
    let (good, _) = try proposal(of: world.replica(liar), with: entry, from: peer)
    let narrow = good.justification.parent.map {
      Certificate(subject: $0.subject, signatures: Array($0.signatures.prefix(2)))
    }
    let wrong: [Block] = [
      remake(good, state: .zero), remake(good, height: good.height + 1),
      remake(good, emptyRun: 1), remake(good, entries: [entry.body, entry.body]),
      remake(good, just: Justification(parent: narrow, nullifications: [])),
      remake(good, just: Justification(parent: nil, nullifications: [])),
    ]
    for block in wrong {
      let subject = VoteSubject(
        table: block.table, epoch: block.epoch, view: block.view, kind: .notarize,
        block: block.hash)
      let vote = Fixture.vote(subject, by: world.nodes[liar].person.voter)
      var replica = world.replica(victim)
      let effects = replica.step(.received(try received(block, vote), from: peer))
      let kinds = effects.compactMap { effect -> UInt8? in
        if case .persist(let record, _) = effect, record.kind == .vote {
          record.key.last
        } else {
          nil
        }
      }
      #expect(kinds == [VoteKind.nullify.rawValue])
    }
  }

  private func remake(
    _ block: Block, state: Digest? = nil, height: UInt64? = nil, emptyRun: UInt64? = nil,
    entries: [Entry]? = nil, just: Justification? = nil
  ) -> Block {
    Block(
      table: block.table, epoch: block.epoch, view: block.view, height: height ?? block.height,
      parentView: block.parentView, parent: block.parent,
      stateAfterParent: state ?? block.stateAfterParent, emptyRun: emptyRun ?? block.emptyRun,
      entries: entries ?? block.entries, deadlines: block.deadlines, change: block.change,
      justification: just ?? block.justification, shownTime: block.shownTime)
  }

  private func codes(_ effects: [Effect]) -> [String] {
    effects.compactMap { if case .refused(let code) = $0 { code } else { nil } }
  }

  @Test("votes of strangers, from far ahead, and certificates that are too small are refused")
  func strangers() throws {
    let world = try gathered(3)
    let epoch = world.replica(0).epoch
    let table = world.founding.table
    let peer = world.nodes[1].person.identity
    func refusals(_ message: TableMessage) throws -> [String] {
      var replica = world.replica(0)
      return codes(
        replica.step(.received(try message.verified(by: CheapSignatures()), from: peer)))
    }
    let view = world.replica(0).view
    let now = Fixture.subject(.nullify, view, .zero, epoch, table: table)
    let stranger = Person(index: 9, seed: 1).voter
    #expect(try refusals(.vote(Fixture.vote(now, by: stranger))) == ["voteNotVoter"])
    let far = Fixture.subject(.nullify, view + 65, .zero, epoch, table: table)
    let voter = world.nodes[1].person.voter
    #expect(try refusals(.vote(Fixture.vote(far, by: voter))) == ["voteTooFarAhead"])
    let small = Fixture.certificate(.nullify, view, .zero, epoch, [voter], table: table)
    #expect(try refusals(.certificate(small)) == ["certificateNotQuorum"])
    let chain = Chain(table: table, blocks: [], finalizations: [])
    #expect(try refusals(.chain(chain)) == ["chainUnasked"])
  }

  @Test("a status of height 0 with another tip than the genesis is nothing to ask about")
  func otherGenesis() throws {
    let world = Toy(people: 2, seed: 3, weather: Weather(), load: ToyWorkload())
    var replica = world.replica(0)
    let own = replica.status
    let other = Status(
      table: own.table, epoch: own.epoch, epochNumber: 0, view: 1, height: 0,
      tip: Fixture.hash(1), state: own.state, reached: [])
    let effects = replica.step(
      .received(
        try TableMessage.status(other).verified(by: CheapSignatures()),
        from: world.nodes[1].person.identity))
    #expect(effects.allSatisfy { if case .send(.getChain, _) = $0 { false } else { true } })
  }

  @Test("an entry whose turn never comes does not keep a deadline open (D2)")
  func neverAdmissible() throws {
    var world = try gathered(3)
    world.submit(ToyTable.Act.open(2_000).body, by: 0)
    let isOpen = world.run(until: world.now + 1_000) { $0.app(1).waits.count == 1 }
    try #require(isOpen)
    let person = world.nodes[2].person
    let gap = person.sign(
      Entry.Draft(
        table: world.founding.table, author: person.player, sequence: 9,
        body: ToyTable.Act.meet.body))
    let message = try TableMessage.entry(gap.body).verified(by: CheapSignatures())
    for node in 0..<2 { world.step(node, .received(message, from: person.identity)) }
    #expect(world.replica(0).pendingEntries(by: person.player).count == 1)
    check(world.run(until: world.now + 10_000) { $0.app(0).expired == 1 }, "\(world.summary)")
  }

  @Test("an author who floods fills its own share of the pool and no more")
  func flood() throws {
    var world = try gathered(3)
    let person = world.nodes[1].person
    for sequence in 2..<400 as Range<UInt64> {
      let entry = person.sign(
        Entry.Draft(
          table: world.founding.table, author: person.player, sequence: sequence,
          body: ToyTable.Act.add(1).body))
      let message = try TableMessage.entry(entry.body).verified(by: CheapSignatures())
      world.step(0, .received(message, from: person.identity))
    }
    #expect(world.replica(0).pendingEntries(by: person.player).count == Limits.poolPerAuthor)
    #expect((world.refusals["poolFullOfAuthor"] ?? 0) > 100)
    world.submit(ToyTable.Act.add(5).body, by: 2)
    let isDone = world.run(until: world.now + 2_000) { $0.app(0).sum == 5 }
    #expect(isDone)
  }

  @Test("a key whose votes are shown to a node that does not know them votes no more (amnesia)")
  func amnesia() throws {
    let world = try gathered(3)
    let own = world.nodes[0].person.voter
    var replica = world.replica(0)
    #expect(replica.isVoting)
    let subject = Fixture.subject(
      .nullify, replica.view + 3, .zero, replica.epoch, table: world.founding.table)
    let message = TableMessage.vote(Fixture.vote(subject, by: own))
    let effects = replica.step(
      .received(
        try message.verified(by: CheapSignatures()), from: world.nodes[1].person.identity))
    #expect(codes(effects).contains("ownVoteUnknown"))
    #expect(replica.isAmnesiac && !replica.isVoting)
  }

  @Test("after a failed write nothing is signed until a restart")
  func silenced() throws {
    var world = try gathered(3)
    world.step(0, .persistFailed)
    #expect(world.replica(0).isSilenced)
    let votes = world.oracle.votes
    world.isolate(2)
    world.submit(ToyTable.Act.add(1).body, by: 1)
    world.run(until: world.now + 10_000)
    #expect(world.app(1).sum == 0)
    #expect(world.oracle.votes >= votes)
    world.crash(0)
    world.restart(0)
    world.isolate(2, false)
    let isDone = world.run(until: world.now + 10_000) { $0.app(0).sum == 1 }
    #expect(isDone)
  }

  @Test("and says so, until it comes back")
  func saidToTheOthers() throws {
    var world = try gathered(4)
    let full = world.nodes[0].person.voter
    world.step(0, .persistFailed)
    #expect(!world.replica(0).reachableVoters.contains(full))
    let isTold = world.run(until: world.now + 2_000) { world in
      (1...3).allSatisfy {
        world.replica($0).unableToWrite == [full] && world.replica($0).abstaining == [full]
      }
    }
    #expect(isTold)
    world.crash(0)
    world.restart(0)
    let isBack = world.run(until: world.now + 10_000) { world in
      (1...3).allSatisfy { world.replica($0).abstaining.isEmpty }
    }
    #expect(isBack)
  }

  @Test("and is believed before a third who has not heard it yet")
  func saidToSomeOnly() throws {
    var world = try gathered(4)
    let full = world.nodes[0].person.voter
    world.loses = { message, from, to in
      if case .status = message { from == 0 && to == 2 } else { false }
    }
    world.step(0, .persistFailed)
    world.run(until: world.now + 10_000)
    #expect(world.replica(2).status.reached.contains(full))
    #expect(world.replica(2).reachableVoters.contains(full))
    #expect(!world.replica(1).reachableVoters.contains(full))
    // Two of the three who agree are here, so nobody may go on for want of the third.
    world.isolate(3)
    world.run(until: world.now + 10_000)
    #expect(!world.replica(1).hasQuorum)
    world.submit(ToyTable.Act.add(1).body, by: 1)
    world.run(until: world.now + 30_000)
    #expect(world.oracle.failure == nil)
  }
}

@Suite("Two conflicting finalizations (rule 6)")
struct ConflictTests {
  /// Three voters with one block final; who of them finalized it is for the caller to say.
  private func world(withoutVotesOf absent: Int?) throws -> Toy {
    var world = Toy(people: 3, seed: 3, weather: Weather(), load: ToyWorkload())
    let hasGathered = world.gather()
    try #require(hasGathered)
    if let absent { world.isolate(absent) }
    world.submit(ToyTable.Act.add(1).body, by: 0)
    let isFinal = world.run(until: world.now + 5_000) { world in
      [0, 1].allSatisfy { world.app($0).sum == 1 }
    }
    try #require(isFinal)
    world.run(until: world.now + 2_000)
    return world
  }

  /// What a node makes of a finalization by nodes 1 and 2 of another block in the last view.
  private func effects(
    on replica: inout Replica<ToyTable>, in world: Toy, of view: UInt64
  ) throws -> [Effect] {
    let signers = [1, 2].map { world.nodes[$0].person.voter }
    let other = Fixture.certificate(
      .finalize, view, Fixture.hash(77), replica.epoch, signers, table: world.founding.table)
    let message = try TableMessage.certificate(other).verified(by: CheapSignatures())
    return replica.step(.received(message, from: world.nodes[2].person.identity))
  }

  private func finalView(of replica: Replica<ToyTable>) -> UInt64 {
    replica.finalBlocks(above: 0).last?.block.view ?? 0
  }

  private func culprits(_ effects: [Effect]) -> [PublicKey] {
    effects.compactMap { if case .accuse(let evidence) = $0 { evidence.culprit } else { nil } }
  }

  @Test("end the table where neither is settled, and name who signed both")
  func unsettled() throws {
    let world = try world(withoutVotesOf: 2)
    var replica = world.replica(0)
    #expect(replica.finality(at: replica.finalHeight)?.isSettled == false)
    let effects = try effects(on: &replica, in: world, of: finalView(of: replica))
    #expect(replica.isHalted)
    #expect(!replica.isVoting)
    #expect(culprits(effects) == [world.nodes[1].person.voter])
    let shown = effects.count { if case .send(.certificate, .all) = $0 { true } else { false } }
    #expect(shown == 2)
  }

  @Test("change nothing where the own one is settled and the other is not")
  func settled() throws {
    let world = try world(withoutVotesOf: nil)
    var replica = world.replica(0)
    #expect(replica.finality(at: replica.finalHeight)?.isSettled == true)
    let tip = replica.finalTip
    let view = finalView(of: replica)
    let effects = try effects(on: &replica, in: world, of: view)
    #expect(!replica.isHalted)
    #expect(replica.isVoting)
    #expect(replica.finalTip == tip)
    #expect(Set(culprits(effects)) == Set([1, 2].map { world.nodes[$0].person.voter }))
    let again = try self.effects(on: &replica, in: world, of: view)
    #expect(!again.contains { if case .accuse = $0 { true } else { false } })
  }
}
