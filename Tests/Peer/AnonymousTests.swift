import Archive
import CBOR
import Games
import Table
import Testing
import Wire

@testable import Peer

/// Tables whose log names nobody (PRODUCT B28).
@Suite struct `An anonymous table` {
  /// Three people at one, by the line of the invitation, and its game won by Bo.
  private func over(_ world: World) throws -> TableID {
    let reply = try world.ask(
      ana, .createTable(.bingo, title: "", access: TableAccess(isAnonymous: true), .table()))
    let table = try #require(reply.table, "\(reply)")
    for laptop in world.laptops.indices.dropFirst() {
      try world.sit(laptop, byLineOf: ana, at: table)
    }
    try world.agree(on: table)
    try play(world, table)
    return table
  }

  private func play(_ world: World, _ table: TableID) throws {
    try world.start(table)
    for word in try world.row(bo, table) { try world.settle(bo, table, word) }
    try world.run(until: "the end", within: 10_000) { world in
      world.running.allSatisfy { world.session($0, table)?.table.phase == .over }
    }
  }

  private func saved(_ world: World, _ laptop: Int, _ table: TableID) throws -> [UInt8] {
    try #require(try world[laptop].peer?.exportedLog(of: table.hex).bytes)
  }

  private func seats(_ world: World, _ table: TableID) throws -> [Seat] {
    try #require(world.session(ana, table)).table.seats
  }

  /// Everything that one log names: keys, and what people are called.
  private func traces(_ seats: [Seat]) -> [[UInt8]] {
    seats.flatMap { [$0.identity?.bytes, $0.player.bytes, $0.voter?.bytes].compactMap { $0 } }
  }

  private func contains(_ log: [UInt8], _ part: [UInt8]) -> Bool {
    guard let first = part.first else { return true }
    return log.indices.contains { index in
      log[index] == first && log[index...].starts(with: part)
    }
  }

  @Test func `is played by people with names of their own there, and two logs share none`() throws {
    let world = World("Ana", "Bo", "Cy")
    world.watchesPages = true
    try world.meet()
    let one = try over(world)
    let two = try over(world)
    let view = try world.tableView(bo, one)
    #expect(view.isAnonymous && view.isPrivate && view.title == "A masked table")
    #expect(view.seats.map(\.me) == [false, true, false] && view.seats[0].creator)
    #expect(view.seats.allSatisfy { $0.presence == .here && $0.agrees }, "\(view.seats)")
    #expect(view.agreement.agreeing == 3)
    for (first, second) in [(one, two), (two, one)] {
      let seats = try seats(world, first)
      #expect(Set(seats.map(\.name)).count == 3)
      let own = try saved(world, cy, first)
      let other = try saved(world, cy, second)
      for trace in traces(seats) {
        #expect(contains(own, trace) && !contains(other, trace))
      }
      for laptop in world.laptops.indices {
        #expect(!contains(own, world[laptop].me.bytes))
        // As a name stands in CBOR: its length, then its letters.
        let name = Array(world[laptop].name.utf8)
        #expect(!contains(own, [0x60 + UInt8(name.count)] + name))
      }
      #expect(
        try LogVerifier.verify(own, checker: Ed25519()).people.map(\.name) == seats.map(\.name))
    }
    #expect(world.offences == [])
  }

  @Test func `is found again after a restart, talked at, muted at, and shows who wants it`() throws
  {
    let world = World("Ana", "Bo", "Cy")
    try world.meet()
    let table = try over(world)
    world.run(for: 2_000)
    world.kill(bo)
    world.kill(cy)
    world.start(bo)
    world.start(cy)
    try world.run(until: "all here again", within: 20_000) { world in
      try world.laptops.indices.allSatisfy {
        try world.tableView($0, table).seats.allSatisfy { $0.presence == .here }
      }
    }
    #expect(try world.ask(bo, .say(table, "well played")).code == "ok")
    try world.run(until: "heard") { try !$0.tableView(ana, table).chat.isEmpty }
    let line = try #require(try world.tableView(ana, table).chat.first)
    #expect(try line.key == world.tableView(ana, table).seats[1].key)
    #expect(try world.ask(ana, .mute(line.key, on: true)).code == "ok")
    #expect(try world.state(ana).muted.contains(line.key))
    #expect(try world.tableView(ana, table).chat.isEmpty)
    // Bo says who he was; that it was he is signed by both his keys.
    #expect(try world.ask(bo, .showMe(table)).code == "ok")
    try world.run(until: "Bo is shown", within: 10_000) { world in
      try world.laptops.indices.allSatisfy {
        try world.tableView($0, table).seats[1].shown?.name == "Bo"
      }
    }
    let seats = try world.tableView(cy, table).seats
    #expect(seats.map { $0.shown?.key } == [nil, world[bo].me, nil])
    #expect(try world.ask(bo, .showMe(table)).code == "alreadyShown")
    #expect(world.offences == [])
  }

  @Test func `is followed by another one under other names`() throws {
    let world = World("Ana", "Bo", "Cy")
    try world.meet()
    let table = try over(world)
    for laptop in [bo, ana, cy] { #expect(try world.ask(laptop, .rematch(table)).code == "ok") }
    try world.run(until: "three at the next", within: 20_000) { world in
      world.laptops.indices.allSatisfy { laptop in
        world[laptop].peer?.sessions.contains {
          $0.genesis.draft.previous?.table == table && $0.isSatAt && !$0.isJoining
            && $0.table.members.count == 3
        } ?? false
      }
    }
    let next = try #require(
      world[ana].peer?.sessions.first { $0.genesis.draft.previous?.table == table })
    #expect(next.genesis.draft.isAnonymous && next.genesis.draft.previous?.people == [])
    let log = try saved(world, ana, next.id)
    for trace in traces(try seats(world, table)) { #expect(!contains(log, trace)) }
    #expect(world.offences == [])
  }

  @Test func `outlives its creator's laptop, and nobody is shown before the end`() throws {
    let world = World("Ana", "Bo", "Cy", "Di")
    try world.meet()
    let reply = try world.ask(
      ana, .createTable(.bingo, title: "", access: TableAccess(isAnonymous: true), .table()))
    let table = try #require(reply.table, "\(reply)")
    for laptop in [bo, cy, di] { try world.sit(laptop, byLineOf: ana, at: table) }
    try world.start(table)
    #expect(try world.ask(bo, .showMe(table)).code == "notOver")
    world.unplug(ana)
    for word in try world.row(bo, table) { try world.settle(bo, table, word) }
    try world.run(until: "the end", within: 20_000) { world in
      [bo, cy, di].allSatisfy { world.session($0, table)?.table.phase == .over }
    }
    world.plugIn(ana)
    try world.run(until: "Ana knows it too", within: 30_000) {
      $0.session(ana, table)?.table.phase == .over
    }
    #expect(world.offences == [])
  }
}
