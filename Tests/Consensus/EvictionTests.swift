import CBOR
import Consensus
import SimulationKit
import Testing
import Wire

@Suite("Taking out who has not left (S7, S8)")
struct EvictionTests {
  private func gathered(_ people: Int, seed: UInt64 = 3) throws -> Toy {
    var world = Toy(people: people, seed: seed, weather: Weather(), load: ToyWorkload())
    let hasGathered = world.gather()
    try #require(hasGathered, "\(world.summary)")
    world.submit(ToyTable.Act.add(1).body, by: 0)
    let isSettled = world.run(until: world.now + 10_000, \.isSettledDown)
    try #require(isSettled, "\(world.summary)")
    return world
  }

  private func voters(_ node: Int, _ world: Toy) -> Int { world.replica(node).epoch.voters.count }

  private func lie(of node: Int, in world: Toy) -> Evidence {
    let votes = [1, 2].map {
      Fixture.vote(
        Fixture.subject(
          .notarize, 40, Fixture.hash($0), world.replica(0).epoch, table: world.founding.table),
        by: world.nodes[node].person.voter)
    }
    return .between(votes[0], votes[1])
  }

  private func evict(_ target: Int, by nodes: [Int], in world: Toy) -> [KeySignature] {
    let bytes = Evict.signedBytes(
      table: world.founding.table, epoch: world.replica(0).epoch.id,
      target: world.nodes[target].person.voter)
    return nodes.map { node in
      let voter = world.nodes[node].person.voter
      return KeySignature(voter, CheapSignatures.sign(bytes, by: voter))
    }
  }

  @Test("a liar is taken out at once, without its help, plays on and never votes again")
  func liar() throws {
    var world = try gathered(4)
    world.distrust(3)
    let message = TableMessage.evidence(lie(of: 3, in: world))
    world.step(
      0,
      .received(
        try message.verified(by: CheapSignatures()), from: world.nodes[1].person.identity))
    check(
      world.run(until: world.now + 5_000) { world in
        (0..<4).allSatisfy { voters($0, world) == 3 }
      }, "\(world.summary)")
    #expect(!world.replica(0).epoch.has(world.nodes[3].person.voter))
    #expect(world.app(0).seats.map(\.hasLied) == [false, false, false, true])
    world.submit(ToyTable.Act.add(4).body, by: 3)
    check(world.run(until: world.now + 3_000) { $0.app(0).sum == 5 })
    world.run(until: world.now + 30_000)
    #expect(voters(0, world) == 3)
    #expect(world.oracle.failure == nil)
  }

  @Test("of four, one away for a minute is taken out, another may go, and both come in again")
  func absent() throws {
    var world = try gathered(4)
    world.isolate(3)
    world.run(until: world.now + 55_000)
    #expect(voters(0, world) == 4)
    check(
      world.run(until: world.now + 15_000) { world in
        (0..<3).allSatisfy { voters($0, world) == 3 }
      }, "\(world.summary)")
    #expect(world.app(0).seats.allSatisfy { !$0.hasLied && !$0.hasLeft })
    world.isolate(2)
    world.submit(ToyTable.Act.add(4).body, by: 0)
    check(world.run(until: world.now + 5_000) { $0.app(0).sum == 5 && $0.app(1).sum == 5 })
    let sent = world.sent
    world.run(until: world.now + 150_000)
    #expect(voters(0, world) == 3, "two voters bear no more than three")
    #expect(world.sent == sent, "and say nothing")
    world.isolate(2, false)
    world.isolate(3, false)
    check(
      world.run(until: world.now + 15_000) { world in
        (0..<4).allSatisfy { voters($0, world) == 4 } && world.isSettledDown
      }, "\(world.summary)")
    #expect(world.oracle.failure == nil)
    #expect(world.accusations.isEmpty)
  }

  @Test("who is back within the minute, also several times, keeps the vote")
  func comesBack() throws {
    var world = try gathered(4)
    for _ in 0..<4 {
      world.isolate(3)
      world.run(until: world.now + 50_000)
      world.isolate(3, false)
      world.run(until: world.now + 1_000)
    }
    #expect(world.replica(0).epoch.number == 1)
  }

  @Test("where enough are there, or taking out would not help, nobody is", arguments: [2, 3, 7])
  func slack(people: Int) throws {
    var world = try gathered(people)
    world.isolate(people - 1)
    world.run(until: world.now + 20_000)
    let sent = world.sent
    world.run(until: world.now + 200_000)
    #expect(voters(0, world) == people)
    #expect(world.sent == sent)
  }

  @Test("of six, both who are away are taken out together: one alone would not help")
  func six() throws {
    var world = try gathered(6)
    world.isolate(4)
    world.isolate(5)
    check(
      world.run(until: world.now + 80_000) { world in
        (0..<4).allSatisfy { voters($0, world) == 4 }
      }, "\(world.summary)")
    #expect(world.replica(0).epoch.number == 2)
    #expect(world.oracle.failure == nil)
  }

  @Test("a seal is judged by what it quotes: no clock, no word of anybody")
  func judged() throws {
    let world = try gathered(4)
    let replica = world.replica(0)
    let epoch = replica.epoch
    let tip = try #require(replica.finalBlocks(above: 0).last?.block)
    let leader = epoch.leader(of: replica.view)
    let victim = try #require((0..<4).first { world.nodes[$0].person.voter != leader })
    let target = (0..<4).filter { $0 != victim && world.nodes[$0].person.voter != leader }[0]
    let key = world.nodes[target].person.voter
    func votes(of change: VoterChange) throws -> [UInt8] {
      let block = Block(
        table: world.founding.table, epoch: epoch.id, view: replica.view, height: tip.height + 1,
        parentView: tip.view, parent: tip.hash, stateAfterParent: world.app(0).stateHash,
        emptyRun: 0, entries: [], deadlines: [], change: change,
        justification: Justification(
          parent: Fixture.certificate(
            .notarize, tip.view, tip.hash, epoch, epoch.voters, table: world.founding.table),
          nullifications: []), shownTime: 0)
      let subject = Fixture.subject(
        .notarize, block.view, block.hash, epoch, table: world.founding.table)
      let message = TableMessage.proposal(block, Fixture.vote(subject, by: leader))
      var node = world.replica(victim)
      let effects = node.step(
        .received(try message.verified(by: CheapSignatures()), from: world.nodes[0].person.identity)
      )
      return effects.compactMap { effect in
        if case .persist(let record, _) = effect, record.kind == .vote {
          record.key.last
        } else {
          nil
        }
      }
    }
    func out(_ eviction: Eviction) -> VoterChange {
      VoterChange(joiners: [], leavers: [], evictions: [eviction])
    }
    let notarize = [VoteKind.notarize.rawValue]
    let nullify = [VoteKind.nullify.rawValue]
    let others = (0..<4).filter { $0 != target }
    #expect(
      try votes(of: out(Eviction(of: key, by: evict(target, by: others, in: world)))) == notarize)
    #expect(try votes(of: out(Eviction(lie(of: target, in: world)))) == notarize)
    let two = evict(target, by: Array(others.prefix(2)), in: world)
    #expect(try votes(of: out(Eviction(of: key, by: two))) == nullify)
    let stranger = Person(index: 9, seed: 1).voter
    let bytes = Evict.signedBytes(
      table: world.founding.table, epoch: epoch.id, target: key)
    let mixed = two + [KeySignature(stranger, CheapSignatures.sign(bytes, by: stranger))]
    #expect(try votes(of: out(Eviction(of: key, by: mixed))) == nullify)
    let other = Fixture.epoch(of: 4)
    let foreign = [1, 2].map {
      Fixture.vote(
        Fixture.subject(.notarize, 4, Fixture.hash($0), other, table: world.founding.table), by: key
      )
    }
    #expect(try votes(of: out(Eviction(.between(foreign[0], foreign[1])))) == nullify)
    #expect(try votes(of: VoterChange(joiners: [], leavers: [key])) == nullify)
  }

  @Test("votes of strangers, on oneself and of another epoch are refused")
  func refused() throws {
    let world = try gathered(3)
    let epoch = world.replica(0).epoch
    let stranger = Person(index: 9, seed: 1).voter
    func codes(_ target: PublicKey, by voter: PublicKey, in epoch: Digest) throws -> [String] {
      let bytes = Evict.signedBytes(table: world.founding.table, epoch: epoch, target: target)
      let message = TableMessage.evict(
        Evict(
          table: world.founding.table, epoch: epoch, target: target, voter: voter,
          signature: CheapSignatures.sign(bytes, by: voter)))
      var replica = world.replica(0)
      let effects = replica.step(
        .received(
          try message.verified(by: CheapSignatures()), from: world.nodes[1].person.identity))
      return effects.compactMap { if case .refused(let code) = $0 { code } else { nil } }
    }
    let keys = epoch.voters
    #expect(try codes(keys[0], by: stranger, in: epoch.id) == ["evictNotVoter"])
    #expect(try codes(stranger, by: keys[0], in: epoch.id) == ["evictNotVoter"])
    #expect(try codes(keys[0], by: keys[0], in: epoch.id) == ["evictNotVoter"])
    #expect(try codes(keys[0], by: keys[1], in: .zero) == ["evictOtherEpoch"])
    #expect(try codes(keys[0], by: keys[1], in: epoch.id).isEmpty)
  }
}

@Suite("More people than may vote (S4.1)")
struct CrowdTests {
  @Test(
    "of eighteen sixteen vote; the others act and see all, and come in, in order, as some leave")
  func eighteen() throws {
    var world = Toy(people: 18, seed: 5, weather: Weather(), load: ToyWorkload())
    let hasGathered = world.gather()
    try #require(hasGathered, "\(world.summary)")
    world.run(until: world.now + 2_000)
    let keys = world.app(0).seats.map(\.voter)
    #expect(world.replica(0).epoch.voters == keys.prefix(16).sorted())
    let last = world.nodes.firstIndex { $0.person.voter == keys[17] } ?? 0
    #expect(!world.replica(last).isVoting)
    world.submit(ToyTable.Act.add(7).body, by: last)
    check(
      world.run(until: world.now + 5_000) { world in
        (0..<18).allSatisfy { world.app($0).sum == 7 }
      }, "\(world.summary)")
    check(world.run(until: world.now + 10_000, \.isSettledDown), "\(world.summary)")
    world.run(until: world.now + 12_000)
    let sent = world.sent
    world.run(until: world.now + 60_000)
    #expect(world.sent == sent, "those beyond sixteen ask for nothing while there is no room")
    for (leaver, next) in [(3, 16), (4, 17)] {
      let node = try #require(world.nodes.firstIndex { $0.person.voter == keys[leaver] })
      world.submit(ToyTable.Act.leave.body, by: node)
      check(
        world.run(until: world.now + 15_000) { world in
          let epoch = world.replica(0).epoch
          return !epoch.has(keys[leaver]) && epoch.has(keys[next]) && epoch.voters.count == 16
        }, "\(world.summary)")
    }
    #expect(world.oracle.failure == nil)
  }
}
