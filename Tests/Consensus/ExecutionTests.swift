import Consensus
import SimulationKit
import Testing
import Wire

typealias Toy = Simulation<ToyWorkload>

@Suite("Executions that broke earlier drafts (CONSENSUS 1.10)")
struct ExecutionTests {
  private func gathered(_ people: Int, seed: UInt64 = 3) throws -> Toy {
    var world = Toy(people: people, seed: seed, weather: Weather(), load: ToyWorkload())
    let hasGathered = world.gather()
    try #require(hasGathered, "\(world.summary)")
    return world
  }

  private func settles(_ world: inout Toy, within span: UInt64 = 10_000) -> Bool {
    world.run(until: world.now + span, \.isSettledDown) && world.oracle.failure == nil
  }

  @Test("X1: the creator's clock ten minutes ahead, or behind, nullifies no view")
  func x1() throws {
    for ahead in [[600_000, 0, 0], [0, 600_000, 600_000]] as [[UInt64]] {
      var world = Toy(people: 3, seed: 3, weather: Weather(), load: ToyWorkload())
      for node in 0..<3 { world.setClock(of: node, ahead: ahead[node]) }
      check(world.gather())
      for round in 0..<5 {
        for node in 0..<3 {
          world.submit(ToyTable.Act.add(UInt64(round)).body, by: node)
          world.run(until: world.now + 40)
        }
      }
      check(settles(&world), "\(world.summary)")
      #expect(world.oracle.nullifications == 0)
    }
  }

  @Test("X2: of votes that cross the late ones are void, and their authors act on")
  func x2() throws {
    var world = try gathered(4)
    world.submit(ToyTable.Act.open(60_000).body, by: 0)
    check(world.run(until: world.now + 2_000) { $0.app(3).waits.count == 1 })
    for node in 1..<4 { world.submit(ToyTable.Act.meet.body, by: node) }
    check(world.run(until: world.now + 2_000) { $0.app(0).waits.isEmpty })
    check(settles(&world))
    #expect(world.oracle.voids == 2)
    for node in 1..<4 { world.submit(ToyTable.Act.add(1).body, by: node) }
    check(settles(&world))
    #expect(world.app(0).sum == 3)
    #expect(world.oracle.voids == 2)
  }

  @Test("X3: a deadline passes at its time though one restarts before it and one every 20 s")
  func x3() throws {
    var world = try gathered(3)
    world.submit(ToyTable.Act.open(30_000).body, by: 0)
    check(world.run(until: world.now + 2_000) { !$0.app(2).waits.isEmpty })
    let start = world.now
    for (time, node) in [(20_000, 2), (25_000, 1), (40_000, 2)] as [(UInt64, Int)] {
      if world.run(until: start + time, { $0.app(0).expired == 1 }) { break }
      world.crash(node, programOnly: true)
      world.run(until: world.now + 300)
      world.restart(node)
    }
    check(world.run(until: start + 36_000) { $0.app(0).expired == 1 })
    #expect(world.now - start > 29_000)
    check(settles(&world))
  }

  @Test("X4: who leaves while another sleeps is final at once and sealed out when that one is back")
  func x4() throws {
    var world = try gathered(3)
    world.isolate(2)
    world.submit(ToyTable.Act.leave.body, by: 1)
    check(
      world.run(until: world.now + 5_000) { world in
        (0...1).allSatisfy { world.app($0).seats[1].hasLeft }
      })
    world.run(until: world.now + 10_000)
    #expect(world.replica(0).epoch.number == 1)
    world.crash(1)
    world.run(until: world.now + 1_000)
    #expect(!world.replica(0).hasQuorum)
    world.setLink(0, 2, isUp: true)
    let voters = [world.nodes[0].person.voter, world.nodes[2].person.voter].sorted()
    check(
      world.run(until: world.now + 10_000) { world in
        [0, 2].allSatisfy { world.replica($0).epoch.voters == voters }
      }, "\(world.summary)")
    world.submit(ToyTable.Act.add(4).body, by: 2)
    check(world.run(until: world.now + 3_000) { $0.app(0).sum == 4 })
    #expect(world.oracle.failure == nil)
  }

  @Test("X5: a certificate without the one who stays is widened, then the leaver is sealed out")
  func x5() throws {
    var world = try gathered(3)
    world.isolate(1)
    world.submit(ToyTable.Act.leave.body, by: 2)
    check(
      world.run(until: world.now + 5_000) { world in
        [0, 2].allSatisfy { world.app($0).seats[2].hasLeft }
      })
    world.isolate(1, false)
    let voters = [world.nodes[0].person.voter, world.nodes[1].person.voter].sorted()
    check(
      world.run(until: world.now + 10_000) { world in
        [0, 1].allSatisfy { world.replica($0).epoch.voters == voters }
      }, "\(world.summary)")
    #expect(world.oracle.failure == nil)
  }

  @Test("X6: of two, one quits and its last vote is lost: known as leaving, agreed on its return")
  func x6() throws {
    var world = try gathered(2)
    let leaver = world.nodes[1].person.player
    world.loses = { message, from, _ in
      if case .vote = message {
        from == 1
      } else if case .proposal = message {
        from == 1
      } else {
        false
      }
    }
    world.submit(ToyTable.Act.leave.body, by: 1)
    world.run(until: world.now + 50)
    world.crash(1)
    world.run(until: world.now + 5_000)
    #expect(!world.app(0).seats[1].hasLeft)
    #expect(world.replica(0).pendingEntries(by: leaver).count == 1)
    #expect(!world.replica(0).hasQuorum)
    world.loses = { _, _, _ in false }
    world.restart(1)
    check(world.run(until: world.now + 10_000) { $0.replica(0).epoch.voters.count == 1 })
    #expect(world.app(0).seats[1].hasLeft)
    world.submit(ToyTable.Act.add(2).body, by: 0)
    check(world.run(until: world.now + 1_000) { $0.app(0).sum == 2 })
    #expect(world.oracle.failure == nil)
  }

  @Test("X7: after a restart in a new epoch no vote of the old one is made")
  func x7() throws {
    var world = try gathered(3)
    let old = world.replica(0).epoch
    let oldView = world.replica(0).view
    world.submit(ToyTable.Act.leave.body, by: 2)
    check(world.run(until: world.now + 10_000) { $0.replica(0).epoch.number == 2 })
    world.run(until: world.now + 1_000)
    world.crash(0)
    world.restart(0)
    var replica = world.replica(0)
    for view in oldView...(oldView + 6) {
      let leader = old.leader(of: view)
      guard leader != replica.voter else { continue }
      let block = Block(
        table: world.founding.table, epoch: old.id, view: view, height: 5, parentView: 0,
        parent: old.anchor, stateAfterParent: .zero, emptyRun: 0, entries: [], deadlines: [],
        change: nil, justification: Justification(parent: nil, nullifications: []), shownTime: 0)
      let subject = Fixture.subject(.notarize, view, block.hash, old, table: world.founding.table)
      let message = TableMessage.proposal(block, Fixture.vote(subject, by: leader))
      let effects = replica.step(
        .received(try message.verified(by: CheapSignatures()), from: world.nodes[1].person.identity)
      )
      #expect(effects.allSatisfy { if case .sign = $0 { false } else { true } })
      // The leader has voted otherwise in two of these views, and that may be written down.
      let written = effects.compactMap { effect -> Record.Kind? in
        if case .persist(let record, _) = effect { record.kind } else { nil }
      }
      #expect(written.allSatisfy { $0 == .evidence })
    }
    #expect(world.oracle.failure == nil)
  }

  @Test("X8: who was away while views were nullified and then leads costs at most two leaders")
  func x8() throws {
    var world = try gathered(4)
    world.isolate(3)
    world.loses = { message, _, _ in if case .proposal = message { true } else { false } }
    world.submit(ToyTable.Act.add(7).body, by: 0)
    let first = world.replica(0).view
    check(
      world.run(until: world.now + 60_000) { world in
        world.replica(0).view >= first + 5
          && world.replica(0).epoch.leader(of: world.replica(0).view) == world.nodes[3].person.voter
      })
    let view = world.replica(0).view
    world.loses = { _, _, _ in false }
    world.isolate(3, false)
    check(world.run(until: world.now + 20_000) { $0.app(3).sum == 7 }, "\(world.summary)")
    #expect(world.replica(0).view <= view + 3)
    check(settles(&world))
  }

  @Test("X9: an old block shown after a later one is final gets no honest vote")
  func x9() throws {
    var world = try gathered(3)
    for n in 1...4 {
      world.submit(ToyTable.Act.add(1).body, by: 0)
      check(world.run(until: world.now + 2_000) { $0.app(1).sum == UInt64(n) })
    }
    let epoch = world.replica(0).epoch
    let liar = world.nodes[2].person
    let honest = world.replica(0)
    for view in 1..<honest.view where epoch.leader(of: view) == liar.voter {
      let block = Block(
        table: world.founding.table, epoch: epoch.id, view: view,
        height: epoch.anchorHeight + 1, parentView: 0, parent: epoch.anchor,
        stateAfterParent: .zero, emptyRun: 1, entries: [], deadlines: [], change: nil,
        justification: Justification(parent: nil, nullifications: []), shownTime: 1)
      let subject = Fixture.subject(.notarize, view, block.hash, epoch, table: world.founding.table)
      let message = TableMessage.proposal(block, Fixture.vote(subject, by: liar.voter))
      var replica = honest
      let effects = replica.step(
        .received(try message.verified(by: CheapSignatures()), from: liar.identity))
      for effect in effects {
        if case .sign = effect { Issue.record("a vote for an old block") }
        // To propose that the liar goes is another thing.
        if case .persist(let record, _) = effect {
          #expect(record.kind != .vote || record.value?.suffix(32) != block.hash.bytes[...])
        }
      }
    }
    check(settles(&world))
  }

  @Test("X10: words on a deadline that were lost with a link are said again, and it passes")
  func x10() throws {
    var world = try gathered(2)
    world.submit(ToyTable.Act.open(2_000).body, by: 0)
    check(world.run(until: world.now + 1_000) { !$0.app(1).waits.isEmpty })
    world.loses = { message, _, _ in if case .passed = message { true } else { false } }
    world.run(until: world.now + 2_600)
    world.isolate(1)
    world.run(until: world.now + 8_000)
    #expect(world.app(0).expired == 0)
    world.loses = { _, _, _ in false }
    world.isolate(1, false)
    check(
      world.run(until: world.now + 2_000) { $0.app(0).expired == 1 && $0.app(1).expired == 1 })
    check(settles(&world))
  }

  @Test("X11: a join that the rules refuse leaves room for the right one")
  func x11() throws {
    var world = Toy(people: 2, seed: 3, weather: Weather(), load: ToyWorkload())
    let guest = world.nodes[1].person
    let draft = Entry.Draft(
      table: world.founding.table, author: guest.player, sequence: 0,
      body: ToyTable.Act.add(1).body)
    world.step(0, .submitted(guest.sign(draft)))
    #expect(world.refusals["notMember"] == 1)
    world.submit(ToyWorkload().join(guest), by: 1)
    check(world.run(until: world.now + 1_000) { $0.app(0).seats.count == 2 })
  }

  @Test("X12: a frozen node does not pass a deadline against what lies in its own buffer")
  func x12() throws {
    var world = try gathered(2)
    world.submit(ToyTable.Act.open(10_000).body, by: 0)
    check(world.run(until: world.now + 1_000) { !$0.app(1).waits.isEmpty })
    world.pause(0, for: 20_000)
    world.run(until: world.now + 1_000)
    world.submit(ToyTable.Act.meet.body, by: 1)
    world.run(until: world.now + 25_000)
    #expect(world.app(0).waits.isEmpty)
    #expect(world.app(0).expired == 0)
    #expect(world.oracle.voids == 0)
    check(settles(&world))
  }
}
