import Discovery
import Table
import Testing
import Wire

@testable import Peer

@Suite struct `One-way hearing` {
  private func hearsMe(_ world: World, _ other: Int, at laptop: Int) throws -> Reach.HearsMe? {
    try world.state(laptop).people.first { $0.key == world[other].me }?.hearsMe
  }

  @Test func `is said when nothing gets through one way, with who it is`() throws {
    let world = World("Ana", "Bo", isStarted: false)
    world.cables.mute(from: ana, to: bo)
    world.watchesPages = true
    world.start(ana)
    world.start(bo)
    try world.run(until: "Ana knows", within: 60_000) { try hearsMe($0, bo, at: ana) == .no }
    #expect(try world.state(bo).people.isEmpty)
    let warning = try #require(try world.state(ana).network.warning)
    #expect(warning.code == "oneWay")
    #expect(warning.message.hasPrefix("I hear Bo, Bo does not hear me."))
    world.cables.unmute()
    try world.run(until: "all is well", within: 30_000) {
      try hearsMe($0, bo, at: ana) == .yes && $0.state(ana).network.warning == nil
    }
    #expect(try hearsMe(world, ana, at: bo) == .yes)
    #expect(world.offences == [])
  }

  @Test func `begins in the middle and is said too, but not where a link joins them`() throws {
    let world = World("Ana", "Bo", "Cy")
    let table = try world.game()
    world.cables.mute(from: ana, to: bo)
    try world.run(until: "Ana knows", within: 120_000) { try hearsMe($0, bo, at: ana) == .no }
    #expect(try hearsMe(world, cy, at: ana) == .yes)
    #expect(try world.state(ana).network.warning == nil)
    #expect(try world.state(bo).people.map(\.name) == ["Ana", "Cy"])
    #expect(try world.state(bo).people.first?.via == "link")
    try world.settle(bo, table, world.row(bo, table)[0])
  }

  @Test func `of broadcasts alone is bridged by sending to the one who misses them`() throws {
    let world = World("Ana", "Bo", isStarted: false)
    world.cables.mute(from: ana, to: bo, onlyBroadcasts: true)
    world.start(ana)
    world.start(bo)
    world.run(for: 60_000)
    for _ in 0..<300 {
      world.run(for: 1_000)
      #expect(try world.state(bo).people.map(\.name) == ["Ana"])
      #expect(try hearsMe(world, bo, at: ana) != .no)
      #expect(try world.state(ana).network.warning == nil)
    }
  }

  @Test func `is never said of people who hear one another, nor are they sent anything twice`()
    throws
  {
    let world = World("Ana", "Bo", "Cy")
    try world.meet()
    world.run(for: 1_000)
    var unicasts = 0
    var broadcasts = 0
    world.onEffect = { _, effect in
      switch effect {
      case .datagram: unicasts += 1
      case .broadcast: broadcasts += 1
      default: break
      }
    }
    for _ in 0..<300 {
      world.run(for: 1_000)
      #expect(try hearsMe(world, bo, at: ana) != .no)
      #expect(try hearsMe(world, ana, at: cy) != .no)
    }
    #expect(try hearsMe(world, bo, at: ana) == .yes)
    #expect(unicasts == 0)
    #expect((80...115).contains(broadcasts), "\(broadcasts)")
  }

  @Test func `is not said of others where the own sends fail`() throws {
    let world = World("Ana", "Bo", isStarted: false)
    world.cables.mute(from: ana, to: bo)
    world.start(ana)
    world.start(bo)
    var broken = world[ana].interfaces
    broken[0].lastError = "Network is unreachable"
    world.deliver(.interfaces(broken), to: ana)
    world.run(for: 120_000)
    #expect(try hearsMe(world, bo, at: ana) == .unknown)
    #expect(try world.state(ana).network.warning?.code == "sendFails")
  }
}

@Suite struct `One key at two laptops` {
  private func trouble(_ world: World, _ laptop: Int) throws -> String? {
    try world.state(laptop).trouble?.code
  }

  /// Bo's folder is a copy of Ana's.
  private func copied(after time: UInt64 = 0) -> World {
    let world = World("Ana", "Bo", "Cy", isStarted: false)
    world[bo].keys = world[ana].keys
    world.watchesPages = true
    world.start(ana)
    world.start(cy)
    world.run(for: time)
    world.start(bo)
    return world
  }

  @Test(arguments: [0, 100, 1_500, 45_000] as [UInt64])
  func `is said on both pages, and on a third with whom it is`(after time: UInt64) throws {
    let world = copied(after: time)
    try world.run(until: "both say so", within: 35_000) {
      try trouble($0, ana) == "sameKeyTwice" && trouble($0, bo) == "sameKeyTwice"
    }
    #expect(try trouble(world, cy) == nil)
    #expect(try world.state(cy).people.count == 1)
    try world.run(until: "Cy sees it", within: 60_000) {
      try $0.state(cy).people.first?.twice == true || time < 1_000
    }
    world.stop(bo)
    try world.run(until: "all is well", within: 75_000) {
      try trouble($0, ana) == nil && $0.state(cy).people.first?.twice != true
    }
    #expect(world.offences == [])
  }

  @Test func `is found over a link where no datagrams go`() throws {
    let world = World("Ana", "Bo", isStarted: false)
    world[bo].keys = world[ana].keys
    world[ana].hasBroadcast = false
    world[bo].hasBroadcast = false
    world[ana].peers = [world[bo].address]
    world.start(bo)
    world.run(for: 3_000)
    world.start(ana)
    try world.run(until: "Bo says so", within: 5_000) { try trouble($0, bo) == "sameKeyTwice" }
    #expect(world[ana].peer?.switchboard.links.isEmpty == true)
    world.run(for: 3_000)
    #expect(world.cables.links.isEmpty)
  }

  @Test(arguments: 1...3 as ClosedRange<UInt64>)
  func `is never said of a laptop that is killed and started again`(seed: UInt64) throws {
    let world = World("Ana", "Bo", seed: seed)
    world.onEffect = { laptop, effect in
      if case .log(.warning, let text) = effect { Issue.record("\(laptop): \(text)") }
    }
    var last: [[UInt8]] = []
    for round in 0..<30 as Range<UInt64> {
      world.run(for: 300 + 700 * (round % 5))
      if let beacon = world[ana].peer?.lastBeacon { last.append(beacon.datagram) }
      world.kill(ana)
      world.run(for: round % 3 * 400)
      world.start(ana)
      // What the runs before said comes late, by whatever way.
      for bytes in last.suffix(5) {
        for laptop in [ana, bo] {
          world.deliver(.datagram(bytes, from: world[ana].address, on: "eth0"), to: laptop)
        }
      }
      #expect(try trouble(world, ana) == nil)
      #expect(try world.state(bo).people.allSatisfy { !$0.twice })
    }
  }
}

@Suite struct `Clocks` {
  @Test(arguments: [-600_000, 0, 2_000, 600_000] as [Int64])
  func `that differ are told, and nothing else comes of it`(ahead: Int64) throws {
    let world = World("Ana", "Bo", isStarted: false)
    world[bo].clockAhead = ahead
    world.start(ana)
    world.start(bo)
    try world.meet()
    world.run(for: 60_000)
    let seconds = try #require(try world.state(ana).people.first?.clockAhead)
    #expect(abs(seconds - Int(ahead / 1_000)) <= 2)
    let told = try world.state(ana).network.findings.first { $0.code == .clockDifference }
    #expect((told != nil) == (abs(ahead) > 60_000))
    #expect(try world.state(ana).network.warning == nil)
  }

  @Test func `that are set while the node runs are measured anew`() throws {
    let world = World("Ana", "Bo")
    try world.meet()
    world[ana].clockAhead = 3_600_000
    world.run(for: 30_000)
    let seconds = try #require(try world.state(ana).people.first?.clockAhead)
    #expect(abs(seconds + 3_600) <= 2)
  }
}

@Suite struct `Equal names` {
  @Test func `are told apart wherever they stand`() throws {
    let world = World(names: ["Ana", "Ana", "Cy"])
    let tables = try [0, 1].map { try world.makeTable(by: $0) }
    try world.run(until: "both tables") { try $0.state(cy).openTables.count == 2 }
    let state = try world.state(cy)
    #expect(state.openTables.allSatisfy { $0.hostName == "Ana" && $0.showHostTag })
    #expect(Set(state.openTables.map(\.hostTag)).count == 2)
    try world.sit(cy, at: tables[0])
    #expect(try world.state(cy).myTables.first?.showHostTag == true)
    #expect(try world.state(0).myTables.first?.showHostTag == true)
    let single = World("Ana", "Bo")
    _ = try single.makeTable(by: ana)
    try single.run(until: "the table") { try $0.state(bo).openTables.first?.showHostTag == false }
  }
}
