import Games
import Table
import Testing
import Wire

@testable import Peer

@Suite struct `A table that goes on` {
  /// The table that continues another, as a laptop sits at it.
  private func successor(_ world: World, _ laptop: Int, of table: TableID) -> TableSession? {
    world[laptop].peer?.sessions.first {
      $0.genesis.draft.previous?.table == table && $0.isSatAt && !$0.isJoining
    }
  }

  /// Bo fills a row: the game is over.
  private func over(_ world: World) throws -> TableID {
    let table = try world.game()
    for word in try world.row(bo, table) { try world.settle(bo, table, word) }
    try world.run(until: "the end", within: 10_000) { world in
      world.running.allSatisfy { world.session($0, table)?.table.phase == .over }
    }
    return table
  }

  @Test(arguments: [bo, cy])
  func `when its owner is gone from the lobby: whoever asks, the first in order makes it`(
    asker: Int
  ) throws {
    let world = World("Ana", "Bo", "Cy", "Di")
    world.watchesPages = true
    let table = try world.lobby()
    #expect(try world.ask(cy, .startAgain(table)).code == "creatorHere")
    world.unplug(ana)
    let time = try world.run(until: "the sentence", within: 40_000) { world in
      try [bo, cy, di].allSatisfy {
        try world.tableView($0, table).waiting?.code == "creatorAway"
      }
    }
    #expect(time >= 15_000)
    let waiting = try #require(try world.tableView(cy, table).waiting)
    #expect(waiting.message.hasPrefix("Ana’s laptop is away."))
    #expect(waiting.choices == ["startAgain", "quit"])
    #expect(try world.ask(asker, .startAgain(table)).code == "ok")
    #expect(try world.ask(cy, .startAgain(table)).code == "ok")
    try world.run(until: "Bo and Cy at the new table") { world in
      [bo, cy].allSatisfy { self.successor(world, $0, of: table) != nil }
    }
    let again = try #require(successor(world, cy, of: table))
    #expect(again.creator == world[bo].me)
    #expect(again.table.setup.stateHash == world.session(bo, table)?.table.setup.stateHash)
    // Di has not asked and is shown where the others went.
    #expect(successor(world, di, of: table) == nil)
    #expect(try world.tableView(di, table).waiting?.choices == ["joinSuccessor", "quit"])
    #expect(try world.ask(di, .joinSuccessor(table)).code == "ok")
    try world.run(until: "Di too") { self.successor($0, di, of: table) != nil }
    world.plugIn(ana)
    try world.run(until: "Ana sees it", within: 15_000) {
      try $0.tableView(ana, table).successor?.id == again.id
    }
    let shown = try #require(try world.tableView(ana, table).successor)
    #expect(shown.kind == "again")
    #expect(shown.hostName == "Bo")
    #expect(try world.ask(ana, .joinSuccessor(table)).code == "ok")
    try world.run(until: "Ana too") { self.successor($0, ana, of: table) != nil }
    #expect(world.offences == [])
  }

  @Test func `is not needed when the owner's laptop comes back`() throws {
    let world = World("Ana", "Bo", "Cy")
    world.watchesPages = true
    let table = try world.lobby()
    world.freeze(ana)
    try world.run(until: "the sentence", within: 40_000) {
      try $0.tableView(bo, table).waiting?.code == "creatorAway"
    }
    world.resume(ana)
    try world.run(until: "all is well", within: 15_000) { world in
      try [bo, cy].allSatisfy { try world.tableView($0, table).waiting == nil }
    }
    #expect(try world.ask(bo, .startAgain(table)).code == "creatorHere")
    #expect(
      try world.ask(bo, .game(table, GameCommand("suggest", [("word", .text("synergy"))]))).code
        == "ok")
    try world.agree(on: table)
    try world.start(table)
    #expect(world.offences == [])
  }

  @Test func `is not needed after a restart of the owner's node`() throws {
    let world = World("Ana", "Bo")
    world.watchesPages = true
    let table = try world.lobby()
    world.kill(ana)
    world.run(for: 3_000)
    world.start(ana)
    try world.run(until: "Bo reaches Ana", within: 5_000) {
      $0.session(bo, table)?.linked.count == 1
    }
    try world.start(table)
    #expect(world.offences == [])
  }

  @Test func `as a rematch: the first who asks makes it, who asked too follows, the third sees it`()
    throws
  {
    let world = World("Ana", "Bo", "Cy")
    world.watchesPages = true
    let table = try over(world)
    #expect(try world.ask(cy, .rematch(table)).code == "ok")
    #expect(try world.tableView(cy, table).result?.rematch.mine == true)
    #expect(try world.ask(bo, .rematch(table)).code == "ok")
    try world.run(until: "Cy and Bo at the next table") { world in
      [bo, cy].allSatisfy { self.successor(world, $0, of: table) != nil }
    }
    let next = try #require(successor(world, bo, of: table))
    #expect(next.creator == world[cy].me)
    try world.run(until: "Ana sees it") {
      try $0.tableView(ana, table).successor?.id == next.id
    }
    #expect(try world.tableView(ana, table).successor?.kind == "rematch")
    #expect(successor(world, ana, of: table) == nil)
    #expect(try world.ask(ana, .rematch(table)).code == "ok")
    try world.run(until: "Ana follows") { self.successor($0, ana, of: table) != nil }
    #expect(try world.ask(cy, .start(next.id)).code == "ok")
    try world.run(until: "boards", within: 10_000) { world in
      [ana, bo, cy].allSatisfy { world.session($0, next.id)?.table.phase == .playing }
    }
    // One table only, and a restart makes no other.
    world.kill(cy)
    world.start(cy)
    world.run(for: 10_000)
    for laptop in [ana, bo, cy] {
      #expect(
        world[laptop].peer?.sessions.count { $0.genesis.draft.previous?.table == table } == 1)
      #expect(try world.tableView(laptop, table).successor?.id == next.id)
    }
    #expect(world.offences == [])
  }

  @Test func `made twice during a cut stands once: the smaller id`() throws {
    let world = World("Ana", "Bo", "Cy")
    world.watchesPages = true
    let table = try over(world)
    world.unplug(ana)
    world.cut(bo, cy)
    world.run(for: 16_000)
    for laptop in [bo, cy] { #expect(try world.ask(laptop, .rematch(table)).code == "ok") }
    try world.run(until: "each has made one", within: 10_000) { world in
      [bo, cy].allSatisfy { self.successor(world, $0, of: table)?.isMine(world[$0].me) == true }
    }
    let ids = [bo, cy].compactMap { successor(world, $0, of: table)?.id }
    world.mend(bo, cy)
    try world.run(until: "both at the smaller one", within: 30_000) { world in
      [bo, cy].allSatisfy { laptop in
        world[laptop].peer?.sessions.filter {
          $0.genesis.draft.previous?.table == table && $0.isSatAt
        }.map(\.id) == [ids.min()].compactMap { $0 }
      }
    }
    #expect(try world.state(bo).tables.count == 2)
    #expect(world.offences == [])
  }

  @Test func `gives way when the old table has begun after all`() throws {
    let world = World("Ana", "Bo", "Cy", "Di")
    let table = try world.lobby()
    // Ana and Di on one side, Bo and Cy on the other.
    for (one, other) in [(ana, bo), (ana, cy), (di, bo), (di, cy)] { world.cut(one, other) }
    #expect(try world.ask(ana, .start(table)).code == "ok")
    try world.run(until: "a game of two", within: 20_000) {
      $0.session(di, table)?.table.phase == .playing
    }
    try world.run(until: "the sentence on both", within: 20_000) { world in
      try [bo, cy].allSatisfy { try world.tableView($0, table).waiting?.code == "creatorAway" }
    }
    for laptop in [bo, cy] { #expect(try world.ask(laptop, .startAgain(table)).code == "ok") }
    try world.run(until: "another lobby") { self.successor($0, cy, of: table) != nil }
    for (one, other) in [(ana, bo), (ana, cy), (di, bo), (di, cy)] { world.mend(one, other) }
    try world.run(until: "all at the old table", within: 30_000) { world in
      [bo, cy].allSatisfy {
        world.session($0, table)?.table.phase == .playing
          && self.successor(world, $0, of: table) == nil
      }
    }
    #expect(try world.state(bo).tables.map(\.table.id) == [table])
    #expect(try world.tableView(cy, table).successor == nil)
    try world.settle(bo, table, world.row(bo, table)[0])
    #expect(world.offences == [])
  }
}
