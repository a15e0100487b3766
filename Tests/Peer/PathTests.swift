import Consensus
import Discovery
import Table
import Testing
import Wire

@testable import Peer

@Suite struct `Paths` {
  private let second = IPAddress.v4(0x0a00_0006)

  private func row(_ world: World, of other: Int, at laptop: Int) throws -> PageState.Person {
    try #require(
      try world.state(laptop).people.first { $0.key == world[other].me },
      "\(world[other].name) is not in \(world[laptop].name)'s list")
  }

  @Test func `to a laptop with two cards are two, and it is one person`() throws {
    let world = World("Ana", "Bo", isStarted: false)
    world[bo].otherHosts = [second]
    world.start(ana)
    world.start(bo)
    try world.run(until: "both ways", within: 1_000) {
      try $0.state(ana).people.first?.paths.count == 2
    }
    let person = try row(world, of: bo, at: ana)
    #expect(try world.state(ana).people.count == 1)
    #expect(Set(person.paths.map(\.interface)) == ["eth0", "eth1"])
    #expect(person.paths.filter(\.inUse).map(\.address) == [person.address])
    #expect(person.via == "datagram")
    #expect(world.offences == [])
  }

  @Test func `in use stay while they work, whichever is heard last`() throws {
    let world = World("Ana", "Bo", isStarted: false)
    world[bo].otherHosts = [second]
    world.start(ana)
    world.start(bo)
    world.run(for: 1_000)
    let address = try row(world, of: bo, at: ana).address
    for _ in 0..<40 {
      world.run(for: 5_000)
      #expect(try row(world, of: bo, at: ana).address == address)
    }
  }

  @Test func `that break are left for the next while a table runs`() throws {
    let world = World("Ana", "Bo", isStarted: false)
    world[bo].otherHosts = [second]
    world.watchesPages = true
    world.start(ana)
    world.start(bo)
    let table = try world.game()
    let used = try row(world, of: bo, at: ana).address
    let first = try #require(world[bo].liveHosts.first { "\($0):47474" == used })
    world[bo].deadHosts = [first]
    world.reset(ana, bo)
    try world.run(until: "a link by the other card", within: 5_000) { world in
      try row(world, of: bo, at: ana).address != used
        && world[ana].peer?.switchboard.link(to: world[bo].me) != nil
    }
    try world.settle(bo, table, world.row(bo, table)[0])
    try world.run(until: "the dead card is forgotten", within: 40_000) {
      try row($0, of: bo, at: ana).paths.count == 1
    }
    #expect(world.offences == [])
  }

  @Test func `to an address that was given up are left with nobody dialling`() throws {
    let world = World("Ana", "Bo")
    try world.meet()
    let old = try row(world, of: bo, at: ana).address
    world[bo].otherHosts = [second]
    world[bo].deadHosts = [world[bo].host]
    try world.run(until: "the new address in use", within: 30_000) {
      try row($0, of: bo, at: ana).address != old
    }
    try world.run(until: "the old one forgotten", within: 40_000) {
      try row($0, of: bo, at: ana).paths.count == 1
    }
  }

  @Test func `that were saved give way to the live beacon`() throws {
    let world = World("Ana", "Bo")
    _ = try world.lobby()
    let stale = world[bo].address
    world.kill(ana)
    world.kill(bo)
    world[bo].host = second
    world.start(bo)
    var dials: [Address] = []
    world.onEffect = { laptop, effect in
      if laptop == ana, case .dial(let address) = effect { dials.append(address) }
    }
    world.start(ana)
    world.run(for: 100)
    dials = []
    try world.run(until: "a link at the new address", within: 6_000) { world in
      world[ana].peer?.switchboard.link(to: world[bo].me) != nil
    }
    #expect(!dials.contains(stale))
    #expect(try row(world, of: bo, at: ana).address == "\(second):47474")
  }

  @Test func `that a copied beacon pretends lead nobody astray`() throws {
    let world = World("Ana", "Bo")
    try world.meet()
    let real = try row(world, of: bo, at: ana).address
    var beacon: [UInt8]?
    world.onEffect = { laptop, effect in
      if laptop == bo, case .broadcast(let bytes, _) = effect { beacon = bytes }
    }
    for round in 0..<60 as Range<UInt32> {
      world.run(for: 1_000)
      guard let beacon else { continue }
      let liar = Address(host: .v4(0x0a09_0000 + round), port: 9)
      world.deliver(.datagram(beacon, from: liar, on: "eth0"), to: ana)
    }
    let person = try row(world, of: bo, at: ana)
    #expect(person.address == real)
    #expect(person.paths.count <= Neighbour.mostPaths)
    world.unplug(bo)
    for _ in 0..<36 {
      world.run(for: 1_000)
      if let beacon {
        let liar = Address(host: .v4(0x0a09_0001), port: 9)
        world.deliver(.datagram(beacon, from: liar, on: "eth0"), to: ana)
      }
    }
    #expect(try world.state(ana).people.isEmpty, "a recorded beacon keeps nobody here")
  }
}

@Suite struct `Laptops that go` {
  @Test func `without a table are missed within 36 seconds`() throws {
    let world = World("Ana", "Bo")
    try world.meet()
    world.run(for: 30_000)
    world.kill(bo)
    let time = try world.run(until: "Bo gone", within: 36_000) {
      try $0.state(ana).people.isEmpty
    }
    #expect(time > 5_000)
  }

  @Test func `while linked are missed within twelve`() throws {
    let world = World("Ana", "Bo", isStarted: false)
    world[ana].peers = [world[bo].address]
    world.start(ana)
    world.start(bo)
    try world.run(until: "a link") { $0[ana].peer?.switchboard.links.count == 1 }
    world.run(for: 31_000)
    world.kill(bo)
    try world.run(until: "Bo gone", within: 12_000) { try $0.state(ana).people.isEmpty }
  }

  @Test(arguments: [true, false])
  func `with a table open, or sitting at one, are missed within twelve`(isHost: Bool) throws {
    let world = World("Ana", "Bo", "Cy")
    let table = isHost ? try world.lobby() : try world.game()
    _ = table
    world.run(for: 31_000)
    world.kill(isHost ? ana : bo)
    try world.run(until: "gone", within: 12_000) { try $0.state(cy).people.count == 1 }
  }

  @Test func `whose link broke alone are still here, by another`() throws {
    let world = World("Ana", "Bo", isStarted: false)
    world[ana].peers = [world[bo].address]
    world.start(ana)
    world.start(bo)
    try world.run(until: "a link") { $0[ana].peer?.switchboard.links.count == 1 }
    world.run(for: 20_000)
    for _ in 0..<5 {
      world.reset(ana, bo)
      for _ in 0..<80 {
        world.run(for: 100)
        #expect(try world.state(ana).people.count == 1)
        #expect(try world.state(bo).people.count == 1)
      }
      #expect(world[ana].peer?.switchboard.links.count == 1)
    }
  }

  @Test func `frozen for twenty seconds are back at their table within five`() throws {
    let world = World("Ana", "Bo", "Cy")
    let table = try world.game()
    world.freeze(bo)
    world.run(for: 20_000)
    var said: UInt64?
    let woken = world.now
    world.onEffect = { laptop, effect in
      if laptop == bo, case .broadcast = effect, said == nil { said = world.now }
    }
    var fewest = 2
    world.resume(bo)
    fewest = try world.state(bo).people.count
    #expect(said == woken, "announced at once")
    #expect(fewest == 2, "the others did not go while this one slept")
    try world.run(until: "Bo at the table", within: 5_000) { world in
      try [ana, cy].allSatisfy { try world.tableView($0, table).away == [] }
        && world.session(bo, table)?.replica.finalHeight
          == world.session(ana, table)?.replica.finalHeight
    }
    #expect(world.offences == [])
  }

  @Test func `that idle do not prolong the others' rows by it`() throws {
    let world = World("Ana", "Bo")
    try world.meet()
    world.run(for: 60_000)
    world.unplug(bo)
    try world.run(until: "Bo gone", within: 36_000) { try $0.state(ana).people.isEmpty }
  }
}
