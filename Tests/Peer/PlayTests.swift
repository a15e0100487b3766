import Games
import Table
import Testing
import Wire

@testable import Peer

@Suite struct `A game of three` {
  @Test func `is played to a win that all show alike`() throws {
    let world = World("Ana", "Bo", "Cy")
    world.watchesPages = true
    let table = try world.game()
    for word in try world.row(bo, table) { try world.settle(bo, table, word) }
    try world.run(until: "the end", within: 6_000) { world in
      world.running.allSatisfy { world.session($0, table)?.table.phase == .over }
    }
    try world.agree(on: table)
    for laptop in [ana, bo, cy] {
      let result = try #require(try world.tableView(laptop, table).result)
      #expect(result.kind == .line)
      #expect(result.winners == [try #require(world.session(bo, table)).keys.player])
    }
    #expect(world.offences == [])
  }
}
