import CBOR
import Discovery
import Games
import Table
import Testing
import Wire

@testable import Peer

@Suite struct `Links` {
  @Test(arguments: 1...5 as ClosedRange<UInt64>)
  func `that both dial at once come down to one, the same on both sides`(seed: UInt64) throws {
    let world = World("Ana", "Bo", seed: seed, isStarted: false)
    world[ana].peers = [world[bo].address]
    world[bo].peers = [world[ana].address]
    var dials = 0
    world.onEffect = { _, effect in
      if case .dial = effect { dials += 1 }
    }
    world.start(ana)
    world.start(bo)
    world.run(for: 30_000)
    let links = [ana, bo].map { world[$0].peer?.switchboard.links ?? [] }
    #expect(links.map(\.count) == [1, 1])
    #expect(links[ana].first?.id == links[bo].first?.id)
    #expect(world.cables.links.count == 1)
    #expect(dials <= 3, "\(dials) dials")
  }

  @Test func `to a laptop that vanished are missed within five seconds while a table runs`() throws
  {
    let world = World("Ana", "Bo", "Cy")
    let table = try world.game()
    world.unplug(bo)
    let time = try world.run(until: "Bo away", within: 5_000) { world in
      try [ana, cy].allSatisfy { try world.tableView($0, table).away == ["Bo"] }
    }
    #expect(time > 2_000)
    #expect(try world.state(ana).myTables.first?.sign?.kind != "waiting")
    world.plugIn(bo)
    try world.run(until: "Bo back") { world in
      try [ana, cy].allSatisfy { try world.tableView($0, table).away == [] }
    }
    try world.settle(bo, table, world.row(bo, table)[0])
    #expect(world.offences == [])
  }

  @Test func `work again after every connection was reset`() throws {
    let world = World("Ana", "Bo", "Cy")
    let table = try world.game()
    for (one, other) in [(ana, bo), (ana, cy), (bo, cy)] { world.reset(one, other) }
    try world.settle(cy, table, world.row(cy, table)[0])
    #expect(world.offences == [])
  }

  @Test(arguments: 1...2 as ClosedRange<UInt64>)
  func `with a laptop that takes none are made by that laptop`(seed: UInt64) throws {
    let world = World("Ana", "Bo", seed: seed)
    world.cables.refusing = [bo]
    let table = try world.game()
    world.reset(ana, bo)
    try world.settle(bo, table, world.row(bo, table)[0])
    #expect(world.offences == [])
  }

  @Test(arguments: [(from: ana, to: bo), (from: bo, to: ana)])
  func `that carry one way only are given up by both sides`(from: Int, to: Int) throws {
    let world = World("Ana", "Bo", "Cy")
    let table = try world.game()
    world.cables.block(from: from, to: to)
    let own = [ana, bo].map { world[$0].peer?.switchboard.links.map(\.id) ?? [] }
    let shared = try #require(own[0].first { own[1].contains($0) })
    try world.run(until: "both have given it up", within: 10_000) { world in
      [ana, bo].allSatisfy { world[$0].peer?.switchboard[shared] == nil }
    }
    // Cy reaches both: the game goes on.
    try world.settle(bo, table, world.row(bo, table)[0])
    world.mend(from, to)
    try world.run(until: "nobody is away", within: 20_000) { world in
      try [ana, bo, cy].allSatisfy { try world.tableView($0, table).away.isEmpty }
    }
    #expect(world.offences == [])
  }

  @Test func `carry a game over the third where two cannot reach one another`() throws {
    let world = World("Ana", "Bo", "Cy")
    let table = try world.game()
    world.cut(bo, cy)
    // Nor is anything passed on between them: the log alone goes round.
    world.full = [world[cy].me]
    world.run(for: 6_000)
    #expect(try world.tableView(bo, table).away == ["Cy"])
    for word in try world.row(cy, table) { try world.settle(cy, table, word) }
    try world.run(until: "the end", within: 10_000) { world in
      world.running.allSatisfy { world.session($0, table)?.table.phase == .over }
    }
    #expect(world.offences == [])
  }

  @Test func `come up between two members who only know the third`() throws {
    let world = World("Ana", "Bo", "Cy", isStarted: false)
    for laptop in [ana, bo, cy] {
      world[laptop].hasBroadcast = false
      world.start(laptop)
    }
    let table = try world.makeTable()
    let line = try world.tableView(ana, table).invitation
    for guest in [bo, cy] { #expect(try world.ask(guest, .join(line)).table == table) }
    try world.run(until: "Bo and Cy linked") { world in
      world.session(bo, table)?.linked.contains(world[cy].me) == true
        && world.session(cy, table)?.linked.contains(world[bo].me) == true
    }
    // What was learnt so outlives a restart, with Ana gone.
    try world.start(table)
    world.kill(ana)
    world.kill(bo)
    world.start(bo)
    try world.run(until: "Bo and Cy linked again") { world in
      world.session(bo, table)?.linked.contains(world[cy].me) == true
    }
    try world.run(until: "his board") { try $0.view(bo, table).board != nil }
    try world.settle(bo, table, world.row(bo, table)[0])
    #expect(world.offences == [])
  }

  @Test func `to an address where somebody else lives by now are not tried without a pause`() throws
  {
    let world = World("Ana", "Bo", "Cy")
    let table = try world.game()
    world.kill(bo)
    world.kill(cy)
    // Cy's laptop has the address that Bo's had; Bo is gone.
    let address = world[bo].host
    world[bo].host = world[cy].host
    world[cy].host = address
    world.start(cy)
    var dials = 0
    world.onEffect = { laptop, effect in
      if laptop == ana, case .dial = effect { dials += 1 }
    }
    world.run(for: 60_000)
    #expect(dials <= 20, "\(dials) dials in a minute")
    #expect(try world.tableView(ana, table).away == ["Bo"])
  }

  @Test func `lead nowhere by the word of a member who names one place after another`() throws {
    let world = World("Ana", "Bo", "Cy")
    let table = try world.game()
    world.kill(cy)
    // Without a beacon and a link, Cy's laptop is where others say it is.
    try world.run(until: "Cy forgotten", within: 60_000) {
      $0[ana].peer?.roster[$0[cy].me] == nil && $0[ana].peer?.switchboard.link(to: $0[cy].me) == nil
    }
    var dialled: [Address] = []
    var writes = 0
    world.onEffect = { laptop, effect in
      guard laptop == ana else { return }
      if case .dial(let address) = effect { dialled.append(address) }
      if case .persist = effect { writes += 1 }
    }
    for number in 0..<300 as Range<UInt32> {
      let place = Address(host: .v4(0x0a00_0000 + number), port: 22)
      world.inject(
        LinkMessage.whereabouts([
          Whereabouts(world[cy].me, place),
          Whereabouts(world[cy].me, Address(host: .loopback, port: UInt16(number) + 1)),
        ]).frame, from: bo, to: ana)
    }
    world.run(for: 2_000)
    #expect((1...5).contains(writes), "\(writes) writes")
    #expect(dialled.count <= 8, "\(dialled)")
    #expect(!dialled.contains { $0.isLoopback })
    // Once it is back, its own beacon leads to it.
    world.start(cy)
    try world.run(until: "Cy linked") { $0[ana].peer?.switchboard.link(to: $0[cy].me) != nil }
    try world.settle(bo, table, world.row(bo, table)[0])
    #expect(world.offences == [])
  }

  @Test func `with a stranger's flood keep room for friends`() throws {
    var switchboard = Switchboard(me: PublicKey(raw: .zero))
    for number in 0..<300 as Range<UInt64> {
      let peer = PublicKey(raw: Digest(.state, .unsigned(number)).raw)
      let address = Address(host: .v4(UInt32(number) + 1), port: 1)
      let arrival = switchboard.up(
        number, peer: peer, handshakeHash: Digest(raw: .zero), remote: address, outbound: false,
        at: 0)
      #expect(arrival == .first)
    }
    let world = World("Ana", "Bo")
    try world.meet()
    func flood(from first: UInt64, host: (UInt64) -> IPAddress) {
      for number in first..<first + 200 {
        world.deliver(
          .linkUp(
            10_000 + number, peer: PublicKey(raw: Digest(.state, .unsigned(number)).raw),
            handshakeHash: Digest(raw: .zero),
            remote: Address(host: host(number), port: UInt16(number) + 1), outbound: false),
          to: ana)
      }
    }
    let friend = PublicKey(raw: Digest(.state, .unsigned(9_999)).raw)
    let friendsPlace = Address(host: .v4(9), port: 1)
    world.deliver(
      .linkUp(
        9_999, peer: friend, handshakeHash: Digest(raw: .zero), remote: friendsPlace,
        outbound: false), to: ana)
    // Many identities at one address only drive one another out.
    flood(from: 0) { _ in .v4(1) }
    let links = world[ana].peer?.switchboard.links ?? []
    #expect(links.count { $0.remote.host == .v4(1) } == Switchboard.strangersAtOneAddress)
    #expect(links.contains { $0.peer == friend })
    // Nor for what they have passed on to one another.
    for pair in stride(from: 0, to: links.count - 1, by: 2) {
      let (one, other) = (links[pair], links[pair + 1])
      let number = RelayFrame.parity(of: one.peer, towards: other.peer)
      let frame = RelayFrame(peer: other.peer, number: number, part: .open)
      world.deliver(.frame(one.id, LinkMessage.carry(frame).frame), to: ana)
    }
    #expect(world[ana].peer?.relay.channels.count ?? 0 >= Switchboard.strangersAtOneAddress / 2)
    flood(from: 600) { _ in .v4(1) }
    #expect(
      world[ana].peer?.switchboard.links.count { $0.remote.host == .v4(1) }
        == Switchboard.strangersAtOneAddress)
    // Nor are they kept for what they would pass on to themselves.
    for link in links where link.remote.host == .v4(1) {
      world.deliver(
        .linkUp(
          20_000 + link.id, peer: link.peer, handshakeHash: Digest(raw: .zero),
          remote: link.remote, outbound: false, through: link.peer), to: ana)
    }
    flood(from: 400) { _ in .v4(2) }
    #expect(world[ana].peer?.switchboard.links.contains { $0.through != nil } == false)
    flood(from: 200) { .v4(UInt32($0) + 100) }
    #expect(world[ana].peer?.switchboard.links.count == Switchboard.strangers)
    let table = try world.makeTable()
    try world.sit(bo, at: table)
  }
}
