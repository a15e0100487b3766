import Games
import Table
import Testing
import Wire

@testable import Peer

/// Whole nodes, two of which cannot reach each other.
@Suite struct `Relayed links` {
  private func through(_ world: World, _ one: Int, _ other: Int) -> PublicKey? {
    world[one].peer?.switchboard.link(to: world[other].me)?.through
  }

  private func isLinked(_ world: World, _ one: Int, _ other: Int) -> Bool {
    world[one].peer?.switchboard.link(to: world[other].me) != nil
  }

  /// A game of three in which two lose their way to each other, and find one through the third.
  private func cutGame(seed: UInt64 = 1) throws -> (World, TableID) {
    let world = World("Ana", "Bo", "Cy", seed: seed)
    let table = try world.game()
    world.cut(ana, cy)
    try world.run(until: "a link through Bo", within: 15_000) { world in
      through(world, ana, cy) == world[bo].me && through(world, cy, ana) == world[bo].me
    }
    return (world, table)
  }

  @Test(arguments: 1...5 as ClosedRange<UInt64>)
  func `come up through a third, and the game goes on over them`(seed: UInt64) throws {
    let (world, table) = try cutGame(seed: seed)
    try world.run(until: "nobody is away") { world in
      try [ana, bo, cy].allSatisfy { try world.tableView($0, table).away.isEmpty }
    }
    let links = [ana, cy].map { world[$0].peer?.switchboard.links.count }
    #expect(links == [2, 2])
    for word in try world.row(cy, table) { try world.settle(cy, table, word) }
    try world.run(until: "the end", within: 10_000) { world in
      world.running.allSatisfy { world.session($0, table)?.table.phase == .over }
    }
    #expect(world[bo].peer?.relay.channels.count == 1)
    #expect(world.offences == [])
  }

  @Test func `stay while they last, with a look for a way of their own now and then`() throws {
    let (world, table) = try cutGame()
    var dials = 0
    world.onEffect = { laptop, effect in
      if laptop != bo, case .dial = effect { dials += 1 }
    }
    var relayedAway = 0
    for _ in 0..<100 {
      world.run(for: 3_000)
      if through(world, ana, cy) != world[bo].me { relayedAway += 1 }
    }
    #expect(relayedAway == 0)
    // Five minutes, two laptops, one dial a minute each.
    #expect((4...12).contains(dials), "\(dials) dials")
    try world.settle(ana, table, world.row(ana, table)[0])
    #expect(world.offences == [])
  }

  @Test func `give way to a link of their own once there is one`() throws {
    let (world, table) = try cutGame()
    world.mend(ana, cy)
    try world.run(until: "a link of their own", within: 70_000) { world in
      isLinked(world, ana, cy) && through(world, ana, cy) == nil && isLinked(world, cy, ana)
        && through(world, cy, ana) == nil
    }
    try world.run(until: "the channel is closed") { $0[bo].peer?.relay.channels.isEmpty == true }
    #expect(world.streams.all.isEmpty)
    try world.settle(ana, table, world.row(ana, table)[0])
    #expect(world.offences == [])
  }

  @Test func `end with the third, and the others are said to be away`() throws {
    let (world, table) = try cutGame()
    world.kill(bo)
    try world.run(until: "both are missed", within: 6_000) { world in
      try Set(world.tableView(ana, table).away) == ["Bo", "Cy"]
        && Set(world.tableView(cy, table).away) == ["Ana", "Bo"]
    }
    world.start(bo)
    try world.run(until: "all are back", within: 20_000) { world in
      try [ana, bo, cy].allSatisfy { try world.tableView($0, table).away.isEmpty }
    }
    try world.settle(ana, table, world.row(ana, table)[0])
    #expect(world.offences == [])
  }

  @Test func `are noticed like others when the far end is gone without a word`() throws {
    let (world, table) = try cutGame()
    world.freeze(cy)
    try world.run(until: "Cy away", within: 6_000) {
      try $0.tableView(ana, table).away == ["Cy"]
    }
    world.resume(cy)
    try world.run(until: "Cy back", within: 15_000) {
      try $0.tableView(ana, table).away.isEmpty && $0.tableView(cy, table).away.isEmpty
    }
    #expect(world.offences == [])
  }

  @Test func `are made anew when one end did not keep up`() throws {
    let (world, table) = try cutGame()
    world.full = [world[cy].me]
    try world.run(until: "given up") { !isLinked($0, ana, cy) && !isLinked($0, cy, ana) }
    #expect(isLinked(world, ana, bo) && isLinked(world, cy, bo))
    world.full = []
    try world.run(until: "made anew", within: 10_000) { isLinked($0, ana, cy) }
    try world.settle(cy, table, world.row(cy, table)[0])
    #expect(world[bo].peer?.counter["relay.tooSlow"] ?? 0 > 0)
    #expect(world.offences == [])
  }

  @Test func `are never chains, and what no honest node sends is counted`() throws {
    let (world, _) = try cutGame()
    let id = try #require(world[ana].peer?.switchboard.link(to: world[cy].me)?.id)
    let frame = RelayFrame(peer: world[bo].me, number: 0, part: .open)
    world.deliver(.frame(id, LinkMessage.carry(frame).frame), to: ana)
    world.deliver(.frame(id, LinkMessage.carried(frame).frame), to: ana)
    #expect(world[ana].peer?.counter["relay.chained"] == 2)
    #expect(world[ana].peer?.relay.channels.isEmpty == true)
    let before = world[bo].peer?.relay.channels
    world.inject(
      LinkMessage.carry(RelayFrame(peer: world[cy].me, number: 99, part: .data([1]))).frame,
      from: ana, to: bo)
    world.inject(
      LinkMessage.carry(RelayFrame(peer: world[bo].me, number: 0, part: .open)).frame, from: ana,
      to: bo)
    #expect(world[bo].peer?.counter["relay.noChannel"] == 1)
    #expect(world[bo].peer?.relay.channels == before)
  }
}
