import Discovery
import Games
import Table
import Testing
import Wire

@testable import Peer

/// Somebody who takes no connections is asked, by a beacon, to make one.
@Suite struct `Calling those who cannot be dialled` {
  private func calls(_ world: World, _ laptop: Int) -> [KeyMark] {
    world[laptop].peer?.lastBeacon?.calls ?? []
  }

  @Test(arguments: 1...6 as ClosedRange<UInt64>)
  func `whose table it is dials who wants to sit down`(seed: UInt64) throws {
    let world = World("Ana", "Bo", seed: seed)
    world.cables.refusing = [ana]
    try world.meet()
    let table = try world.makeTable()
    try world.run(until: "the table in the list") { try !$0.state(bo).openTables.isEmpty }
    #expect(try world.ask(bo, .joinTable(table)) == .accepted(table: table))
    try world.run(until: "a seat for Bo", within: 8_000) { world in
      world.session(bo, table)?.isJoining == false
    }
    #expect(world.offences == [])
    // Nobody is called any more.
    try world.run(until: "a beacon without calls", within: 15_000) { calls($0, bo).isEmpty }
  }

  @Test(arguments: 1...4 as ClosedRange<UInt64>)
  func `two who take none meet by a third that takes them`(seed: UInt64) throws {
    let world = World("Ana", "Bo", "Cy", seed: seed)
    world.cables.refusing = [ana, bo]
    try world.meet()
    #expect(try world.ask(cy, .witness(false)).code == "ok")
    let table = try world.makeTable()
    try world.run(until: "the table in the list") { try !$0.state(bo).openTables.isEmpty }
    #expect(try world.ask(bo, .joinTable(table)) == .accepted(table: table))
    try world.run(until: "a seat for Bo", within: 9_500) { world in
      world.session(bo, table)?.isJoining == false
    }
    #expect(world[bo].peer?.switchboard.link(to: world[ana].me)?.through == world[cy].me)
    #expect(world.session(cy, table) == nil)
    #expect(world.offences == [])
  }

  @Test func `nobody dials for the call of a stranger`() throws {
    let world = World("Ana", "Bo")
    try world.meet()
    var dialled: [Address] = []
    world.onEffect = { laptop, effect in
      if laptop == ana, case .dial(let address) = effect { dialled.append(address) }
    }
    func call() throws {
      let last = try #require(world[bo].peer?.lastBeacon)
      var draft = last.draft
      draft.sequence += 1_000
      draft.calls = [KeyMark(world[ana].me)]
      let signature = try #require(world[bo].keys.sign(draft.signedBytes, with: world[bo].me))
      let beacon = Beacon(draft: draft, signature: signature)
      let source = Address(host: world[bo].host, port: Laptop.datagramPort)
      world.deliver(.datagram(beacon.datagram, from: source), to: ana)
      world.run(for: 5_000)
    }
    try call()
    #expect(dialled == [])
    _ = try world.makeTable()
    try call()
    #expect(dialled.first == world[bo].address)
  }

  @Test func `two laptops with one address are named`() throws {
    let world = World("Ana", "Bo", "Cy")
    try world.meet()
    #expect(try world.state(ana).network.sharedAddresses == [])
    world[cy].host = world[bo].host
    for other in [bo, cy] { _ = try world.makeTable(by: other) }
    try world.run(until: "both are heard from one address", within: 20_000) { world in
      try world.state(ana).network.sharedAddresses.map(\.names) == [["Bo", "Cy"]]
    }
    #expect(try world.state(ana).network.warning?.code == "addressTwice")
  }

  @Test func `calls are few, and stay the same until they are answered`() throws {
    let world = World(names: ["Ana", "Bo", "Cy", "Di", "Ed", "Fi", "Gus"])
    let table = try world.game()
    // Ana reaches nobody and nobody reaches her.
    var beacons = 0
    for other in 1..<7 {
      world.cables.block(from: ana, to: other)
      world.reset(ana, other)
    }
    world.onEffect = { laptop, effect in
      if laptop == ana, case .broadcast = effect { beacons += 1 }
    }
    try world.run(until: "Ana calls", within: 10_000) { calls($0, ana).count == 4 }
    beacons = 0
    world.run(for: 20_000)
    #expect(beacons <= 4, "calls come with the usual beacons")
    #expect(calls(world, ana).count == 4)
    #expect(world.session(ana, table)?.table.phase == .playing)
  }
}
