import CBOR
import Discovery
import Testing
import Wire

@testable import Peer

/// People with a star (FIELD F11; `Protocol/discovery.md`, "Favourites").
@Suite struct `People with a star` {
  /// Ana and Bo who are in different networks, so that no broadcast of one reaches the other; they
  /// met by an address, Ana put a star on Bo, and both start again without it.
  private func apart() throws -> World {
    let world = World("Ana", "Bo", isStarted: false)
    world[ana].hasBroadcast = false
    world[bo].hasBroadcast = false
    world[ana].peers = [world[bo].address]
    world.watchesPages = true
    world.start(ana)
    world.start(bo)
    try world.run(until: "they met", within: 20_000) { try seen($0) }
    #expect(try world.ask(ana, .favourite(world[bo].me, on: true)).code == "ok")
    #expect(try world.state(ana).people.map(\.favourite) == [true])
    #expect(try world.state(bo).people.map(\.favourite) == [false])
    world.run(for: 100)
    world.stop(ana)
    world.stop(bo)
    world[ana].peers = []
    return world
  }

  private func seen(_ world: World) throws -> Bool {
    try world.state(ana).people.count == 1 && world.state(bo).people.count == 1
  }

  @Test(arguments: [true, false])
  func `are found again where no broadcast reaches, and stay`(isAnaFirst: Bool) throws {
    let world = try apart()
    world.start(isAnaFirst ? ana : bo)
    world.run(for: 5_000)
    world.start(isAnaFirst ? bo : ana)
    try world.run(until: "both see each other", within: isAnaFirst ? 36_000 : 500) {
      try seen($0)
    }
    for _ in 0..<300 {
      world.run(for: 1_000)
      #expect(try seen(world))
    }
    #expect(try world.state(ana).favourites.isEmpty)
    #expect(try world.state(ana).network.warning == nil)
    #expect(world.offences == [])
    #expect(world[ana].peer?.switchboard.links.isEmpty == true, "by datagrams alone")
    // A goodbye gets there as well.
    world.stop(bo)
    try world.run(until: "gone", within: 500) { try $0.state(ana).people.isEmpty }
    #expect(try world.state(ana).favourites.map(\.name) == ["Bo"])
  }

  @Test func `stay while one opens a table, which is announced every other second`() throws {
    let world = try apart()
    world.start(bo)
    world.start(ana)
    try world.run(until: "both see each other", within: 1_000) { try seen($0) }
    _ = try world.makeTable(by: bo)
    for _ in 0..<120 {
      world.run(for: 500)
      #expect(try seen(world))
    }
    #expect(try world.state(ana).openTables.count == 1)
  }

  @Test func `are asked for at the discovery port only, and seldom`() throws {
    let world = try apart()
    var asked: [(address: Address, at: UInt64)] = []
    world.onEffect = { laptop, effect in
      guard laptop == ana, case .datagram(_, let address) = effect else { return }
      asked.append((address, world.now))
    }
    let start = world.now
    world.start(ana)
    world.run(for: 300_000)
    #expect(Set(asked.map(\.address)) == [Address(host: world[bo].host, port: 47_474)])
    #expect(asked.first.map { $0.at < start + 100 } == true, "at once")
    #expect((9...13).contains(asked.count), "\(asked.count)")
    for (one, next) in zip(asked, asked.dropFirst()) { #expect(next.at >= one.at + 24_000) }
  }

  @Test func `who are here cost no datagram`() throws {
    let world = World("Ana", "Bo", "Cy")
    try world.meet()
    #expect(try world.ask(ana, .favourite(world[bo].me, on: true)).code == "ok")
    #expect(try world.ask(bo, .favourite(world[ana].me, on: true)).code == "ok")
    world.run(for: 1_000)
    var sent = 0
    world.onEffect = { laptop, effect in
      if case .datagram = effect { sent += 1 }
    }
    world.run(for: 300_000)
    #expect(sent == 0)
  }

  @Test func `are not asked for before the player has a name`() throws {
    let world = World("Ana", "Bo", isStarted: false)
    world[ana].isNamed = false
    let bo_ = Favourite(key: world[bo].me, name: "Bo", addresses: [world[bo].host])
    keep([(bo_.rowKey, bo_.row)], on: &world[ana].disk)
    var left = 0
    world.onEffect = { laptop, effect in
      if laptop == ana, case .datagram = effect { left += 1 }
    }
    world.start(ana)
    world.run(for: 60_000)
    #expect(left == 0)
    #expect(try world.state(ana).favourites.map(\.name) == ["Bo"])
    #expect(try world.ask(ana, .setName("Ana", insist: false)).code == "ok")
    world.run(for: 100)
    #expect(left == 1)
  }

  @Test func `who have moved are taken where they are heard, which is kept`() throws {
    let world = World("Ana", "Bo")
    try world.meet()
    #expect(try world.ask(ana, .favourite(world[bo].me, on: true)).code == "ok")
    let old = world[bo].host
    let new = IPAddress.v4(0x0a00_0006)
    world.run(for: 60_000)
    world.kill(bo)
    world[bo].host = new
    world.start(bo)
    var sent: [IPAddress] = []
    world.onEffect = { laptop, effect in
      if laptop == ana, case .datagram(_, let address) = effect { sent.append(address.host) }
    }
    try world.run(until: "the new address", within: 12_000) {
      try $0.state(ana).people.first?.address == "\(new):47474"
    }
    try world.run(until: "it is kept", within: 12_000) { kept($0)?.addresses == [new, old] }
    #expect(!sent.contains(old), "nothing goes where Bo was")
    world.kill(bo)
    world.stop(ana)
    sent = []
    world.start(ana)
    world.run(for: 5_000)
    #expect(sent == [new, old], "the newest first")
  }

  private func kept(_ world: World) -> Favourite? {
    let favourite = Favourite(key: world[bo].me, name: "Bo")
    return world[ana].disk.rows[.node]?[favourite.rowKey].flatMap {
      Favourite(rowKey: favourite.rowKey, row: $0)
    }
  }

  @Test func `who change their address all the time are written once a minute at most`() throws {
    let world = World("Ana", "Bo")
    try world.meet()
    #expect(try world.ask(ana, .favourite(world[bo].me, on: true)).code == "ok")
    var writes = 0
    world.onEffect = { laptop, effect in
      if laptop == ana, case .persist(let record, _) = effect, Favourite.owns(rowKey: record.key) {
        writes += 1
      }
    }
    for round in 0..<60 as Range<UInt32> {
      world[bo].host = .v4(0x0a00_0010 + round)
      world.run(for: 10_000)
    }
    #expect((3...10).contains(writes), "\(writes)")
    world.stop(ana)
    let first = try #require(kept(world)?.addresses.first)
    #expect(first.v4.map { $0 >= 0x0a00_0010 + 50 } == true, "the last is written at the end")
  }

  @Test func `are no longer favourites when it is taken off, here or not`() throws {
    let world = try apart()
    world.start(ana)
    #expect(try world.state(ana).favourites.map(\.key) == [world[bo].me])
    #expect(try world.ask(ana, .favourite(world[bo].me, on: false)).code == "ok")
    #expect(try world.ask(ana, .favourite(world[bo].me, on: false)).code == "ok")
    #expect(try world.state(ana).favourites.isEmpty)
    #expect(try world.ask(ana, .favourite(world[bo].me, on: true)).code == "notHere")
    #expect(try world.ask(ana, .favourite(world[ana].me, on: true)).code == "notHere")
    world.stop(ana)
    #expect(kept(world) == nil)
  }

  @Test func `are 64 at the most`() throws {
    let world = World("Ana", "Bo", isStarted: false)
    let rows = (0..<200).compactMap { stranger($0) }
    keep(rows.map { ($0.rowKey, $0.row) }, on: &world[ana].disk)
    world.start(ana)
    world.start(bo)
    try world.meet()
    let state = try world.state(ana)
    #expect(state.favourites.count == 64)
    let refusal = try world.ask(ana, .favourite(world[bo].me, on: true))
    #expect(refusal.code == "tooManyFavourites")
    let first = try #require(state.favourites.first)
    #expect(try world.ask(ana, .favourite(first.key, on: false)).code == "ok")
    #expect(try world.ask(ana, .favourite(world[bo].me, on: true)).code == "ok")
    #expect(try world.state(ana).people.map(\.favourite) == [true])
  }

  @Test func `whose rows are damaged do nothing`() throws {
    let world = World("Ana", "Bo", isStarted: false)
    let good = try #require(stranger(1))
    let own = Favourite(key: world[ana].me, name: "Ana", addresses: [.v4(0x0a00_0001)])
    var rows = [(good.rowKey, good.row), (own.rowKey, own.row)]
    for number in 2..<60 {
      let row = try #require(stranger(number))
      var bytes = row.row
      bytes[number % bytes.count] ^= 0xff
      if Favourite(rowKey: row.rowKey, row: bytes) == nil { rows.append((row.rowKey, bytes)) }
    }
    rows.append((good.rowKey + [1], good.row))
    rows.append((Array("favourite".utf8), [UInt8](repeating: 0x9f, count: 100_000)))
    #expect(rows.count > 30)
    keep(rows, on: &world[ana].disk)
    world.start(ana)
    world.start(bo)
    try world.meet()
    #expect(try world.state(ana).favourites.map(\.key) == [good.key])
    #expect(world[ana].errors == [])
    #expect(world.offences == [])
  }

  private func stranger(_ number: Int) -> Favourite? {
    PublicKey([UInt8(number)] + [UInt8](repeating: 9, count: 31)).map {
      Favourite(key: $0, name: "Di \(number)", addresses: [.v4(0x0a09_0000 + UInt32(number))])
    }
  }

  private func keep(_ rows: [(key: [UInt8], value: [UInt8])], on disk: inout Disk) {
    disk.begin(
      Disk.Transaction(
        records: rows.map { StoredRecord(.node, key: $0.key, value: $0.value) }, through: 0))
    _ = disk.commit()
  }
}

@Suite struct `Beacons to one alone` {
  @Test func `go on between people whom no broadcast joins, however they met`() throws {
    let world = World("Ana", "Bo", isStarted: false)
    world.cables.mute(from: ana, to: bo, onlyBroadcasts: true)
    world.cables.mute(from: bo, to: ana, onlyBroadcasts: true)
    world.start(bo)
    world.start(ana)
    var beacon: [UInt8]?
    world.onEffect = { laptop, effect in
      if laptop == ana, case .broadcast(let bytes, _) = effect { beacon = bytes }
    }
    try world.run(until: "a beacon", within: 15_000) { _ in beacon != nil }
    // As "Look harder" sends it.
    let source = Address(host: world[ana].host, port: Laptop.datagramPort)
    world.deliver(.datagram(try #require(beacon), from: source, on: "eth0", isAlone: true), to: bo)
    world.run(for: 1_000)
    for _ in 0..<300 {
      #expect(try world.state(ana).people.count == 1)
      #expect(try world.state(bo).people.count == 1)
      world.run(for: 1_000)
    }
    world.cables.unmute()
    world.run(for: 60_000)
    var sent = 0
    world.onEffect = { _, effect in
      if case .datagram = effect { sent += 1 }
    }
    world.run(for: 300_000)
    #expect(sent == 0, "once broadcasts get there, they are enough")
  }
}
