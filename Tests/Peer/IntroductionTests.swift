import CBOR
import Consensus
import Discovery
import Games
import Table
import Testing
import Wire

@testable import Peer

/// Whole nodes, two of which do not hear each other from the start.
@Suite struct `Introductions` {
  /// Ana and Cy, who do not reach each other, and Bo, who reaches both.
  private func apart(_ others: String..., seed: UInt64 = 1) -> World {
    let world = World(names: ["Ana", "Bo", "Cy"] + others, seed: seed, isStarted: false)
    world.cut(ana, cy)
    for laptop in world.laptops.indices { world.start(laptop) }
    return world
  }

  private func person(_ world: World, _ laptop: Int, _ name: String) throws -> PageState.Person? {
    try world.state(laptop).people.first { $0.name == name }
  }

  private func meet(_ world: World) throws {
    try world.run(until: "both know each other", within: 30_000) { world in
      try person(world, ana, "Cy") != nil && person(world, cy, "Ana") != nil
    }
  }

  @Test(arguments: 1...5 as ClosedRange<UInt64>)
  func `let two meet, and play at a table where the third does not sit`(seed: UInt64) throws {
    let world = apart(seed: seed)
    try meet(world)
    #expect(try person(world, ana, "Cy")?.through == "Bo")
    #expect(try person(world, cy, "Ana")?.through == "Bo")
    #expect(try person(world, ana, "Bo")?.through == nil)
    #expect(try person(world, bo, "Ana")?.through == nil)
    #expect(try world.ask(bo, .witness(false)).code == "ok")
    let table = try world.makeTable()
    try world.run(until: "the table in Cy's list", within: 15_000) {
      try $0.state(cy).openTables.contains { $0.id == table }
    }
    #expect(try world.ask(cy, .joinTable(table)).table == table)
    try world.run(until: "Cy at the table") {
      $0.session(ana, table)?.table.seats.contains { $0.identity == world[cy].me } == true
    }
    #expect(world.session(bo, table) == nil)
    #expect(world[ana].peer?.switchboard.link(to: world[cy].me)?.through == world[bo].me)
    #expect(world.offences == [])
  }

  @Test func `last as long as the third does, and no longer`() throws {
    let world = apart()
    try meet(world)
    // Far beyond any expiry they are still told of each other.
    for _ in 0..<60 {
      world.run(for: 3_000)
      #expect(try person(world, ana, "Cy") != nil && person(world, cy, "Ana") != nil)
    }
    world.kill(bo)
    try world.run(until: "nobody left", within: 40_000) { world in
      try person(world, ana, "Cy") == nil && person(world, cy, "Ana") == nil
    }
    world.start(bo)
    try meet(world)
    #expect(world.offences == [])
  }

  @Test func `end when the two hear each other`() throws {
    let world = apart()
    try meet(world)
    world.mend(ana, cy)
    try world.run(until: "heard without Bo", within: 15_000) { world in
      try person(world, ana, "Cy")?.through == nil && person(world, cy, "Ana")?.through == nil
    }
    // Once their beacons say so, Bo tells no more.
    world.run(for: 15_000)
    var told = 0
    world.onFrame = { _, _, message in if case .introductions = message { told += 1 } }
    world.run(for: 60_000)
    #expect(told == 0)
    #expect(world.offences == [])
  }

  @Test func `cost nothing where everybody hears everybody`() throws {
    let world = World(names: ["Ana", "Bo", "Cy", "Di", "Ed"])
    var told = 0
    world.onFrame = { _, _, message in if case .introductions = message { told += 1 } }
    world.run(for: 120_000)
    #expect(told == 0)
    #expect(world.cables.links.isEmpty, "nobody has a reason to be linked")
  }

  @Test func `of nobody: a quiet node does not set its timer anew for whatever it hears`() throws {
    let world = World(names: (1...10).map { "Guest \($0)" })
    world.run(for: 30_000)
    var wakes: [Milliseconds] = []
    world.onEffect = { laptop, effect in
      if laptop == ana, case .wake(let time) = effect, wakes.last != time { wakes.append(time) }
    }
    world.run(for: 60_000)
    // A look every 5 s and some beacons of its own; sixty of others come.
    #expect(wakes.count < 30, "\(wakes.count) times")
  }

  @Test func `come by one of many, the same for both`() throws {
    let world = apart("Di", "Ed", "Flo")
    try meet(world)
    world.run(for: 20_000)
    let lowest = [1, 3, 4, 5].map { world[$0].me }.min()
    let name = world.laptops.first { $0.me == lowest }?.name
    #expect(try person(world, ana, "Cy")?.through == name)
    #expect(try person(world, cy, "Ana")?.through == name)
    #expect(world.cables.links.count == 2)
    #expect(world.offences == [])
  }

  @Test func `come by the next one where the first tells nothing`() throws {
    let world = apart("Di", "Ed")
    let lowest = try #require([1, 3, 4].min { world[$0].me < world[$1].me })
    world.keepsBack = { laptop, message in
      if case .introductions = message { laptop == lowest } else { false }
    }
    try world.run(until: "both know each other", within: 90_000) { world in
      try person(world, ana, "Cy") != nil && person(world, cy, "Ana") != nil
    }
    let name = try person(world, ana, "Cy")?.through
    #expect(name != nil && name != world[lowest].name)
    #expect(world.offences == [])
  }

  @Test func `leave time to ask for a seat through the third`() throws {
    let world = apart()
    try meet(world)
    let table = try world.makeTable()
    try world.run(until: "the table in Cy's list", within: 15_000) {
      try $0.state(cy).openTables.contains { $0.id == table }
    }
    _ = world.tell(cy, .joinTable(table))
    // Bo is slow, and what he is to pass on gets there when Cy would no longer wait.
    try world.run(until: "Bo is asked") { $0[cy].peer?.arrivals.first?.passedOnAt != nil }
    world.freeze(bo)
    world.run(for: 9_000)
    world.resume(bo)
    try world.run(until: "Cy at the table") { $0.session(cy, table) != nil }
    #expect(world.offences == [])
  }

  @Test
  func `are believed of whoever signed, from a link of one's own, and never over what is heard`()
    throws
  {
    let world = apart()
    try meet(world)
    let beacon = try #require(world[bo].peer?.roster[world[cy].me]?.beacon)
    let host = IPAddress.v4(0x0a09_0909)
    func count(_ code: String) -> Int { world[ana].peer?.counter[code] ?? 0 }

    // A signature that does not hold, oneself, the introducer.
    let forged = Beacon(
      draft: beacon.draft, signature: try #require(Signature([UInt8](repeating: 7, count: 64))))
    var newer = beacon.draft
    newer.sequence += 1_000
    let altered = Beacon(draft: newer, signature: beacon.signature)
    for bad in [forged, altered] {
      world.inject(
        LinkMessage.introductions([Introduction(beacon: bad, host: host)]).frame, from: bo, to: ana)
    }
    #expect(count("introduction.badSignature") == 2)
    #expect(world[ana].peer?.roster[world[cy].me]?.beacon.sequence ?? 0 < newer.sequence)
    let own = try #require(world[bo].peer?.roster[world[ana].me]?.beacon)
    let his = try #require(world[ana].peer?.roster[world[bo].me]?.beacon)
    for pointless in [own, his] {
      world.inject(
        LinkMessage.introductions([Introduction(beacon: pointless, host: host)]).frame, from: bo,
        to: ana)
    }
    #expect(count("introduction.pointless") == 2)

    // Bo is heard by Cy: what Ana says of where he is changes nothing.
    let before = world[cy].peer?.roster[world[bo].me]?.address
    world.mend(ana, cy)
    world.run(for: 30_000)
    #expect(world[cy].peer?.roster[world[bo].me]?.address == before)

    // A flood is cut off.
    let list = [Introduction](repeating: Introduction(beacon: beacon, host: host), count: 8)
    for _ in 0..<40 { world.inject(LinkMessage.introductions(list).frame, from: bo, to: ana) }
    #expect(count("introduction.tooMany") > 0)
    #expect(world.offences == [])
  }

  @Test func `of people that nobody has met fill no more than their part of the list`() throws {
    let world = apart()
    try meet(world)
    for number in 0..<200 as Range<UInt64> {
      let keys = Keyring(seed: 90_000 + number)
      let draft = Beacon.Draft(
        identity: keys.identity, name: "Nobody \(number)", incarnation: 1, sequence: 1,
        period: 60_000, linkPort: 47_474, atTable: false, tables: [], clock: 0, hears: 0, heard: [])
      let signature = try #require(keys.sign(draft.signedBytes, with: keys.identity))
      let beacon = Beacon(draft: draft, signature: signature)
      world.inject(
        LinkMessage.introductions([Introduction(beacon: beacon, host: nil)]).frame, from: bo,
        to: ana)
      world.run(for: 100)
    }
    let nobodies = try world.state(ana).people.count { $0.name.hasPrefix("Nobody") }
    #expect((1...Peer.introducedLimit).contains(nobodies), "\(nobodies)")
    #expect(try person(world, ana, "Bo") != nil)
  }

  @Test func `are read as they were written, and nothing else is`() throws {
    let world = apart()
    try meet(world)
    let beacon = try #require(world[bo].peer?.roster[world[cy].me]?.beacon)
    let v6 = try #require(IPAddress(bytes: [0x20, 1] + [UInt8](repeating: 1, count: 14)))
    for host in [nil, .v4(0x0a00_0001), v6] as [IPAddress?] {
      let message = LinkMessage.introductions([Introduction(beacon: beacon, host: host)])
      #expect(try LinkMessage(frame: message.frame) == message)
    }
    // An address that means nothing to others, none of them, too many.
    for host in [IPAddress.loopback, .any] {
      let message = LinkMessage.introductions([Introduction(beacon: beacon, host: host)])
      #expect(throws: DecodeError.self) { try LinkMessage(frame: message.frame) }
    }
    for count in [0, LinkMessage.introductionsLimit + 1] {
      let list = [Introduction](repeating: Introduction(beacon: beacon, host: nil), count: count)
      #expect(throws: DecodeError.self) {
        try LinkMessage(frame: LinkMessage.introductions(list).frame)
      }
    }
  }
}
