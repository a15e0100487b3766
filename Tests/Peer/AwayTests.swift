import Consensus
import Games
import Table
import Testing
import Wire

@testable import Peer

@Suite struct `Somebody who is not heard` {
  private func kinds(_ world: World, _ laptop: Int, _ table: TableID) throws -> [String] {
    try world.feed(laptop, table).map(\.kind).filter { ["away", "back"].contains($0) }
  }

  @Test func `is away after a minute, nobody waits for him, and he is back at once`() throws {
    let world = World("Ana", "Bo", "Cy")
    world.watchesPages = true
    let table = try world.game()
    world.run(for: 90_000)
    #expect(try kinds(world, ana, table).isEmpty)
    let start = world.now
    world.unplug(cy)
    try world.run(until: "Cy is away", within: 70_000) { world in
      try [ana, bo].allSatisfy { try kinds(world, $0, table) == ["away"] }
    }
    #expect(world.now - start >= 60_000)
    let who = try #require(try world.feed(ana, table).first { $0.kind == "away" }).who
    #expect(who == [world.session(ana, table)?.table.seats[2].player])
    // Two of two present agree: nobody waits thirty seconds for Cy.
    let word = try world.row(ana, table)[0]
    try world.claim(ana, table, word)
    try world.vote(bo, table, word, true)
    try world.run(until: "agreed", within: 3_000) {
      try $0.feed(ana, table).first?.kind == "confirmed"
    }
    // Once away, nothing runs: it is said once, and the table is at rest.
    world.run(for: 120_000)
    #expect(try kinds(world, ana, table) == ["away"])
    world.plugIn(cy)
    try world.run(until: "Cy is back", within: 10_000) { world in
      try [ana, bo, cy].allSatisfy { try kinds(world, $0, table) == ["back", "away"] }
    }
    #expect(world.session(bo, table)?.table.seats.allSatisfy { !$0.isAway } == true)
    let other = try world.row(bo, table, 1)[0]
    try world.claim(bo, table, other)
    try world.vote(cy, table, other, true)
    #expect(world.offences == [])
  }

  @Test func `is not away before a minute, and what was counted then counts no more`() throws {
    let world = World("Ana", "Bo", "Cy")
    let table = try world.game()
    for _ in 0..<2 {
      world.unplug(cy)
      world.run(for: 50_000)
      world.plugIn(cy)
      world.run(for: 8_000)
    }
    #expect(try kinds(world, ana, table).isEmpty)
    #expect(world.offences == [])
  }

  @Test func `by one of two is only missed, for nobody else can tell`() throws {
    let world = World("Ana", "Bo")
    let table = try world.game()
    world.unplug(bo)
    world.run(for: 180_000)
    #expect(try kinds(world, ana, table).isEmpty)
    #expect(try world.tableView(ana, table).away == ["Bo"])
  }

  @Test func `by some and heard by another is not away`() throws {
    let world = World("Ana", "Bo", "Cy", "Di")
    let table = try world.game()
    // Only Di has a cable to Cy, and three of the four would have to say that they hear nothing.
    world.cut(ana, cy)
    world.cut(bo, cy)
    world.run(for: 120_000)
    #expect(try kinds(world, di, table).isEmpty)
    #expect(world.offences == [])
  }
}
