import Games
import Table
import Testing
import Wire

@testable import Peer

/// Each key costs pages of its own in memory; `World` looks at every tick for those that nothing signs with.
@Suite struct `Keys of tables` {
  @Test(arguments: [
    TableAccess(), TableAccess(isStrict: true), TableAccess(isPrivate: true),
    TableAccess(isAnonymous: true),
  ])
  func `leave the memory with the game, however people sat down and also if all go at once`(
    _ access: TableAccess
  ) throws {
    let world = World("Ana", "Bo", "Cy", "Di", "Eve")
    try world.meet()
    let reply = try world.ask(ana, .createTable(.bingo, title: "", access: access, .table()))
    let table = try #require(reply.table, "\(reply)")
    for laptop in world.laptops.indices.dropFirst() {
      let view = try world.tableView(ana, table)
      var ways: [Command] = [.join(view.invitation)]
      if !view.isPrivate { ways += [.joinTable(table), .join(view.code)] }
      #expect(try world.ask(laptop, ways[laptop % ways.count]).table == table)
      try world.run(until: "a seat") { $0.session(laptop, table)?.isJoining == false }
      // The laptops of those who sit down next have helped to agree before, with keys of their own.
      guard laptop == bo, !view.isPrivate, !access.isStrict else { continue }
      try world.run(until: "others help", within: 15_000) { world in
        [cy, di].allSatisfy { world.session($0, table)?.isHelping == true }
      }
    }
    try world.agree(on: table)
    try world.start(table)
    for laptop in world.laptops.indices {
      #expect(world[laptop].keys.held.count >= 2)
      #expect(try world.ask(laptop, .quit(table), within: 20).code == "ok")
    }
    try world.run(until: "only identities are in memory", within: 120_000) { world in
      world.laptops.allSatisfy(\.keys.held.isEmpty)
    }
    #expect(world.offences == [])
  }

  @Test func `are taken into use by a start only where the table goes on`() throws {
    let world = World("Ana", "Bo")
    var tables: [TableID] = []
    for _ in 0..<3 {
      tables.append(try world.game())
      guard tables.count < 3 else { break }
      for laptop in [ana, bo] {
        #expect(try world.ask(laptop, .quit(tables.last ?? tables[0]), within: 20).code == "ok")
      }
      try world.run(until: "gone from the memory", within: 120_000) { world in
        world.laptops.allSatisfy(\.keys.held.isEmpty)
      }
    }
    for laptop in [ana, bo] {
      let keys = try #require(world.session(laptop, tables[2])).keys
      world.kill(laptop)
      world.start(laptop)
      #expect(world[laptop].keys.held == Set(keys.all))
    }
    try world.settle(ana, tables[2], world.row(ana, tables[2])[0])
    #expect(world.offences == [])
  }
}
