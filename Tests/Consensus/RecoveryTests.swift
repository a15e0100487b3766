import Consensus
import SimulationKit
import Testing
import Wire

@Suite("Going on below a quorum (rules L1-L6)")
struct RecoveryTests {
  /// People who play, everything settled.
  private func gathered(_ people: Int, seed: UInt64 = 5) throws -> Toy {
    var world = Toy(people: people, seed: seed, weather: Weather(), load: ToyWorkload())
    let hasGathered = world.gather()
    try #require(hasGathered, "\(world.summary)")
    world.submit(ToyTable.Act.add(1).body, by: 1)
    let isSettled = world.run(until: world.now + 10_000, \.isSettledDown)
    try #require(isSettled, "\(world.summary)")
    return world
  }

  /// Some are killed, the others agree to go on.
  private func goOn(_ world: inout Toy, without gone: [Int]) throws {
    for node in gone { world.crash(node) }
    world.run(until: world.now + 500)
    let here = world.nodes.indices.filter { world.nodes[$0].replica != nil }
    for node in here {
      #expect(world.replica(node).mayGoOn)
      world.step(node, .goOn(true))
    }
    let hasGone = world.run(until: world.now + 5_000) { world in
      here.allSatisfy { world.replica($0).epoch.recovery != nil }
    }
    try #require(hasGone, "\(world.summary)")
  }

  private func voters(_ world: Toy, _ nodes: [Int]) -> [PublicKey] {
    nodes.map { world.nodes[$0].person.voter }.sorted()
  }

  @Test("L1: it takes the click of every one who is here, and none goes on by itself")
  func everybody() throws {
    var world = try gathered(4)
    world.crash(2)
    world.crash(3)
    world.submit(ToyTable.Act.add(5).body, by: 0)
    world.run(until: world.now + 60_000)
    #expect(world.app(1).sum == 1)
    world.step(0, .goOn(true))
    world.run(until: world.now + 60_000)
    #expect(world.replica(0).epoch.number == 1)
    #expect(world.replica(1).wanting == voters(world, [0]))
    // Taken back, it is as if it had not been asked.
    world.step(0, .goOn(false))
    world.run(until: world.now + 1_000)
    #expect(world.replica(1).wanting.isEmpty)
    world.step(1, .goOn(true))
    world.run(until: world.now + 5_000)
    #expect(world.replica(1).epoch.number == 1)
    world.step(0, .goOn(true))
    let hasGone = world.run(until: world.now + 10_000) { world in
      [0, 1].allSatisfy { world.app($0).sum == 6 }
    }
    #expect(hasGone, "\(world.summary)")
    #expect(world.replica(0).epoch.voters == voters(world, [0, 1]))
    #expect(world.replica(0).epoch == world.replica(1).epoch)
    #expect(world.oracle.failure == nil)
  }

  @Test("L1: with a quorum nobody goes on without the others, and a wish ends when one is back")
  func withQuorum() throws {
    var world = try gathered(4)
    #expect(!world.replica(0).mayGoOn)
    world.step(0, .goOn(true))
    #expect(!world.replica(0).wantsToGoOn)
    world.crash(2)
    world.crash(3)
    world.step(0, .goOn(true))
    #expect(world.replica(0).wantsToGoOn)
    world.restart(2)
    world.run(until: world.now + 2_000)
    #expect(!world.replica(0).wantsToGoOn)
    #expect(world.replica(1).wanting.isEmpty)
    world.step(1, .goOn(true))
    world.submit(ToyTable.Act.add(2).body, by: 2)
    check(world.run(until: world.now + 5_000) { $0.app(0).sum == 3 })
    #expect(world.replica(0).epoch.number == 1)
  }

  @Test("L2: what was final for those who are gone is in the log of those who go on")
  func nothingFinalIsLost() throws {
    for seed in 1...6 as ClosedRange<UInt64> {
      var world = try gathered(4, seed: seed)
      // Finalize votes reach node 2 alone.
      world.loses = { message, _, to in
        switch message {
        case .vote(let vote): vote.subject.kind == .finalize && to != 2
        case .certificate(let certificate): certificate.subject.kind == .finalize && to != 2
        case .status, .chain, .getChain: true
        default: false
        }
      }
      world.submit(ToyTable.Act.add(4).body, by: 3)
      let isFinalThere = world.run(until: world.now + 3_000) { $0.app(2).sum == 5 }
      try #require(isFinalThere, "\(world.summary)")
      #expect(world.app(0).sum == 1 && world.app(1).sum == 1)
      for node in [2, 3] { world.crash(node, programOnly: true) }
      world.loses = { _, _, _ in false }
      #expect(!world.replica(0).mayLose(2, of: world.replica(0).epoch))
      try goOn(&world, without: [])
      #expect(world.app(0).sum == 5 && world.app(1).sum == 5, "seed \(seed)")
      // And who comes back has the same at the same height.
      world.restart(2)
      world.run(until: world.now + 2_000)
      let id = try #require(world.replica(0).epoch.recovery)
      world.step(2, .follow(id))
      world.submit(ToyTable.Act.add(2).body, by: 0)
      check(world.run(until: world.now + 10_000) { $0.app(2).sum == 7 }, "\(world.summary)")
      #expect(world.oracle.failure == nil, "\(world.summary)")
    }
  }

  @Test("L3: who has signed votes no more in the old epoch, not even after a restart")
  func bound() throws {
    var world = try gathered(4)
    world.crash(2)
    world.crash(3)
    world.run(until: world.now + 500)
    // Node 1 hears nothing of node 0's signature, nor node 0 of node 1's.
    world.loses = { message, _, _ in if case .recovery = message { true } else { false } }
    for node in [0, 1] { world.step(node, .goOn(true)) }
    world.run(until: world.now + 3_000)
    #expect(!world.replica(0).isVoting)
    world.crash(1, programOnly: true)
    world.crash(0, programOnly: true)
    for node in [0, 2, 3] { world.restart(node) }
    #expect(!world.replica(0).isVoting)
    world.submit(ToyTable.Act.add(3).body, by: 2)
    world.run(until: world.now + 20_000)
    #expect(world.app(2).sum == 1)
    // The other signature is back, and with it the recovery; the two left out see it.
    world.loses = { _, _, _ in false }
    world.restart(1)
    let hasGone = world.run(until: world.now + 10_000) { world in
      [0, 1].allSatisfy { world.replica($0).epoch.recovery != nil }
    }
    #expect(hasGone, "\(world.summary)")
    #expect(world.replica(2).epoch.recovery == nil)
    #expect(world.oracle.failure == nil)
  }

  @Test("L4: what not all of its voters have signed, or no voter, moves nobody")
  func forged() throws {
    var world = try gathered(4)
    let person = world.nodes[3].person
    let status = world.replica(0).status
    let alone = Recovery(
      table: status.table, epoch: status.epoch, view: 0, height: 0, block: status.tip,
      voters: [person.voter])
    let two = Recovery(
      table: status.table, epoch: status.epoch, view: 0, height: 0, block: status.tip,
      voters: voters(world, [0, 3]))
    for recovery in [alone, two] {
      let signature = CheapSignatures.sign(recovery.signedBytes, by: person.voter)
      let signed = recovery.adding([KeySignature(person.voter, signature)])
      let message = try TableMessage.recovery(signed).verified(by: CheapSignatures())
      for node in 0..<3 { world.step(node, .received(message, from: person.identity)) }
    }
    world.submit(ToyTable.Act.add(3).body, by: 0)
    check(world.run(until: world.now + 10_000) { $0.app(1).sum == 4 }, "\(world.summary)")
    for node in 0..<3 { #expect(world.replica(node).epoch.recovery == nil) }
  }

  @Test("L5: two of five go on, deadlines pass for them, and a restart finds the same log")
  func downToTwo() throws {
    var world = try gathered(5)
    let old = world.replica(0).epoch
    try goOn(&world, without: [1, 3, 4])
    #expect(world.replica(0).epoch.id != old.id)
    #expect(world.replica(0).epoch.number == old.number + 1)
    world.submit(ToyTable.Act.open(2_000).body, by: 0)
    check(world.run(until: world.now + 10_000) { $0.app(2).expired == 1 }, "\(world.summary)")
    let tip = world.replica(0).finalTip
    let epoch = world.replica(0).epoch
    world.crash(0, programOnly: true)
    world.restart(0)
    #expect(world.replica(0).finalTip == tip)
    #expect(world.replica(0).epoch == epoch)
    #expect(world.replica(0).app.stateHash == world.replica(2).app.stateHash)
    world.submit(ToyTable.Act.add(8).body, by: 2)
    check(world.run(until: world.now + 10_000) { $0.app(0).sum == 9 }, "\(world.summary)")
    #expect(world.oracle.failure == nil)
  }

  @Test("L6: who was left out is asked, accepts, votes again; then all is settled")
  func assents() throws {
    var world = try gathered(4)
    try goOn(&world, without: [2, 3])
    world.submit(ToyTable.Act.add(2).body, by: 0)
    check(world.run(until: world.now + 10_000) { $0.app(1).sum == 3 })
    world.run(until: world.now + 5_000)
    let height = world.replica(0).finalHeight
    // All who vote have signed it, and yet it can not be relied on.
    #expect(world.replica(0).finality(at: height)?.signatures == 2)
    #expect(world.replica(0).finality(at: height)?.isSettled == false)
    for node in [2, 3] {
      world.restart(node)
      world.run(until: world.now + 30_000)
      #expect(world.replica(node).epoch.number == 1)
      let offered = try #require(world.replica(node).recoveryStandings.first)
      #expect(offered.mayFollow && !offered.isFollowed && !offered.mayHaveLost)
      world.step(node, .follow(offered.recovery.id))
      check(
        world.run(until: world.now + 10_000) { world in
          world.app(node).sum == 3 && world.replica(node).isVoting
        }, "\(world.summary)")
      let isDone = world.run(until: world.now + 2_000) { world in
        world.replica(0).recoveryStandings.first?.assented.count == node - 1
      }
      #expect(isDone)
      #expect(world.replica(0).recoveryStandings.first?.isProvisional == (node == 2))
    }
    world.submit(ToyTable.Act.add(1).body, by: 3)
    check(
      world.run(until: world.now + 10_000) { world in
        world.replica(0).finality(at: height)?.isSettled == true && world.app(1).sum == 4
      }, "\(world.summary)")
    #expect(world.oracle.failure == nil)
    // An assent survives its writer's restart.
    world.crash(2, programOnly: true)
    world.restart(2)
    #expect(world.replica(2).recoveryStandings.first?.isProvisional == false)
  }

  @Test("two halves that both went on are shown to each other and stay two")
  func split() throws {
    var world = try gathered(4)
    for (one, other) in [(0, 2), (0, 3), (1, 2), (1, 3)] { world.setLink(one, other, isUp: false) }
    // Until the next keepalive each still counts on the other's word that those are there.
    world.run(until: world.now + 6_000)
    for node in 0..<4 { world.step(node, .goOn(true)) }
    let haveGone = world.run(until: world.now + 5_000) { world in
      (0..<4).allSatisfy { world.replica($0).epoch.recovery != nil }
    }
    try #require(haveGone, "\(world.summary)")
    for (one, other) in [(0, 2), (0, 3), (1, 2), (1, 3)] { world.setLink(one, other, isUp: true) }
    world.submit(ToyTable.Act.add(7).body, by: 0)
    check(world.run(until: world.now + 5_000) { $0.app(1).sum == 8 })
    let before = world.sent
    world.run(until: world.now + 60_000)
    #expect(world.app(2).sum == 1)
    for node in 0..<4 {
      let standings = world.replica(node).recoveryStandings
      #expect(standings.count == 2)
      #expect(standings.count { $0.isFollowed } == 1)
      #expect(standings.allSatisfy { !$0.mayFollow })
    }
    #expect(world.replica(0).epoch.id != world.replica(2).epoch.id)
    #expect(world.sent - before < 2_000, "they do not talk past each other for ever")
    #expect(world.oracle.failure == nil)
  }

  @Test("one of three who goes on alone may lose moves, and the two others play on")
  func aloneAgainstQuorum() throws {
    var world = try gathered(3)
    world.isolate(0)
    #expect(world.replica(0).mayLose(1, of: world.replica(0).epoch))
    world.submit(ToyTable.Act.add(6).body, by: 1)
    check(world.run(until: world.now + 5_000) { $0.app(2).sum == 7 })
    world.step(0, .goOn(true))
    world.run(until: world.now + 2_000)
    #expect(world.replica(0).epoch.voters == voters(world, [0]))
    world.isolate(0, false)
    world.submit(ToyTable.Act.add(1).body, by: 2)
    check(world.run(until: world.now + 5_000) { $0.app(1).sum == 8 }, "\(world.summary)")
    world.run(until: world.now + 5_000)
    #expect(world.replica(1).epoch.number == 1)
    #expect(world.replica(1).recoveryStandings.first?.mayFollow == false)
    #expect(world.app(0).sum == 1)
  }
}
