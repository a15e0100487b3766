import Archive
import Consensus
import Games
import Table
import Testing
import Wire

@testable import Peer

@Suite struct `A laptop that has lost its records` {
  /// Votes of each laptop's voter keys that went over the wires: one for a slot.
  private final class Ballots {
    private var cast: [String: Digest] = [:]
    private(set) var doubles: [String] = []

    func watch(_ world: World) {
      world.onFrame = { [self] _, _, message in
        guard case .table(let message) = message else { return }
        switch message {
        case .vote(let vote): note(vote.subject, by: vote.voter)
        case .proposal(_, let vote): note(vote.subject, by: vote.voter)
        case .certificate(let certificate):
          for part in certificate.signatures { note(certificate.subject, by: part.key) }
        default: break
        }
      }
    }

    private func note(_ subject: VoteSubject, by voter: PublicKey) {
      let slot = "\(voter.hex) \(subject.epoch.hex) \(subject.view) \(subject.kind)"
      if let other = cast[slot], other != subject.block { doubles.append(slot) }
      cast[slot] = subject.block
    }
  }

  private func play(_ world: World, _ table: TableID, _ laptops: [Int], rows: Range<Int>) throws {
    for row in rows {
      for laptop in laptops { try world.settle(laptop, table, world.row(laptop, table, row)[row]) }
    }
  }

  /// Stops a laptop in good order, and starts it with a log that cannot be read.
  private func loseLog(_ world: World, _ laptop: Int) {
    world.stop(laptop)
    world[laptop].disk.damage(.log) { _, value in value = [0xff] }
    world.start(laptop)
  }

  private func votesAfterRestart(_ world: World, _ laptop: Int, _ table: TableID) throws {
    world.stop(laptop)
    world.start(laptop)
    try world.run(until: "it votes after a restart like any other", within: 10_000) {
      $0.session(laptop, table)?.replica.isVoting == true
    }
  }

  private func isBack(_ world: World, _ laptop: Int, _ table: TableID) -> Bool {
    guard let session = world.session(laptop, table), session.replica.isVoting,
      let seat = session.ownSeat
    else { return false }
    return seat.generation == 1 && session.replica.epoch.has(session.keys.voter)
      && !seat.retired.contains(where: session.replica.epoch.has)
  }

  @Test(arguments: [3, 4])
  func `set back by many entries votes for nothing twice and is let in again`(people: Int) throws {
    let world = World(names: Array(["Ana", "Bo", "Cy", "Di"].prefix(people)))
    let ballots = Ballots()
    ballots.watch(world)
    let table = try world.game()
    try play(world, table, [ana], rows: 0..<1)
    world.stop(bo)
    let copy = world[bo].disk
    world.start(bo)
    try world.run(until: "Bo is back", within: 10_000) {
      $0.session(bo, table)?.replica.isVoting == true
    }
    try play(world, table, [ana, bo, cy], rows: 1..<3)
    let old = try #require(world.session(bo, table)).keys.voter
    world.stop(bo)
    world[bo].disk = copy
    world.start(bo)
    try world.run(until: "Bo votes with another key", within: 20_000) { isBack($0, bo, table) }
    #expect(world.session(bo, table)?.keys.voter != old)
    #expect(world.session(ana, table)?.replica.epoch.voters.count == people)
    #expect(try world.tableView(bo, table).waiting == nil)
    try world.agree(on: table)
    #expect(ballots.doubles.isEmpty, "\(ballots.doubles)")
    #expect(world.session(ana, table)?.replica.evidence.isEmpty == true)
    // And the same once more, with the same copy.
    world.stop(bo)
    world[bo].disk = copy
    world.start(bo)
    try world.run(until: "Bo votes with a third key", within: 20_000) { world in
      world.session(bo, table)?.ownSeat?.generation == 2
        && world.session(bo, table)?.replica.isVoting == true
    }
    #expect(ballots.doubles.isEmpty, "\(ballots.doubles)")
    try votesAfterRestart(world, bo, table)
    let bytes = try #require(world[cy].peer?.exportedLog(of: table.hex).bytes)
    let proof = try LogVerifier.verify(bytes, checker: Ed25519())
    #expect(proof.people.allSatisfy { $0.voted && !$0.lied })
    #expect(world.offences == [])
  }

  @Test func `that cannot be read fetches the log anew and votes with another key`() throws {
    let world = World("Ana", "Bo", "Cy")
    let ballots = Ballots()
    ballots.watch(world)
    let table = try world.game()
    try play(world, table, [ana, bo], rows: 0..<1)
    loseLog(world, bo)
    try world.run(until: "Bo votes with another key", within: 20_000) { isBack($0, bo, table) }
    try world.agree(on: table)
    #expect(ballots.doubles.isEmpty)
    try votesAfterRestart(world, bo, table)
    #expect(world.offences == [])
  }

  @Test func `of which a bit has turned on the disk is fetched anew as well`() throws {
    let world = World("Ana", "Bo", "Cy")
    let table = try world.game()
    try play(world, table, [ana, bo], rows: 0..<1)
    let key = try #require(world.session(bo, table)?.keys.voter)
    world.stop(bo)
    world[bo].disk.rot()
    world.start(bo)
    try world.run(until: "Bo votes with another key", within: 20_000) { isBack($0, bo, table) }
    #expect(world.session(bo, table)?.keys.voter != key)
    try world.agree(on: table)
    #expect(world.offences == [])
  }

  @Test func `of two cannot be let in without the other's click, and then is`() throws {
    let world = World("Ana", "Bo")
    let ballots = Ballots()
    ballots.watch(world)
    let table = try world.game()
    try play(world, table, [ana, bo], rows: 0..<1)
    loseLog(world, bo)
    try world.run(until: "both are told", within: 20_000) { world in
      try world.tableView(ana, table).waiting?.code == "forgetful"
        && world.tableView(bo, table).waiting?.code == "forgotten"
    }
    #expect(
      try world.tableView(ana, table).waiting?.message
        == "The laptop of Bo lost part of this game, so it has no say in what is agreed. "
        + "Go on without Bo, and it is let in again.")
    world.run(for: 30_000)
    #expect(world.session(ana, table)?.replica.epoch.number == 1)
    #expect(try world.ask(bo, .goOn(table, true)).code == "forgotten")
    #expect(try world.ask(ana, .goOn(table, true)).code == "ok")
    try world.run(until: "Bo is asked", within: 15_000) {
      try $0.sessionView(bo, table).wentOn.first?.code == "offered"
    }
    #expect(try world.ask(bo, .follow(table, nil)).code == "ok")
    try world.run(until: "Bo votes with another key", within: 20_000) { isBack($0, bo, table) }
    try world.settle(ana, table, world.row(ana, table, 2)[2])
    try world.run(until: "all of it is settled", within: 10_000) { world in
      let replica = world.session(ana, table)?.replica
      return replica?.finality(at: replica?.finalHeight ?? 0)?.isSettled == true
    }
    #expect(ballots.doubles.isEmpty)
    #expect(world.offences == [])
  }
}
