import Discovery
import Games
import Table
import Testing
import Wire

@testable import Peer

@Suite struct `Try it now` {
  @Test func `runs to a result with two colleagues and is never announced`() throws {
    let world = World("Ana", "Bo")
    try world.meet()
    var said: [String] = []
    world.onFrame = { from, _, message in
      guard from == ana else { return }
      switch message {
      case .beacon(let beacon): said += beacon.tables.map(\.title)
      case .ping(_, let statuses), .pong(_, let statuses): said += statuses.map { "\($0)" }
      default: said.append("\(message)")
      }
    }
    let table = try #require(try world.ask(ana, .tryItNow).table)
    try world.run(until: "a board", within: 1_000) { try $0.view(ana, table).board != nil }
    #expect(try world.tableView(ana, table).pretend)
    #expect(try world.tableView(ana, table).seats.count == 3)
    let time = try world.run(until: "a result", within: 600_000) { world in
      // Ana confirms whatever she is asked, and hears a word of her own now and then.
      let view = try world.view(ana, table)
      for claim in view.claims where claim.mayVote {
        world.tell(
          ana,
          .game(
            table, GameCommand("vote", [("claim", .text(claim.id)), ("confirm", .bool(true))])))
      }
      for tile in view.board?.tiles ?? [] where tile.state == .confirmed {
        world.tell(ana, .game(table, GameCommand("mark", [("tile", .int(tile.index))])))
      }
      world.run(for: 500)
      return try world.tableView(ana, table).result != nil
    }
    #expect((60_000...300_000).contains(time), "\(time)")
    #expect(try world.state(bo).openTables.isEmpty)
    #expect(said.isEmpty, "\(said.prefix(3))")
    #expect(try world.ask(ana, .rematch(table)).code == "ok")
    try world.run(until: "another try-out") { try $0.tableView(ana, table).successor != nil }
    #expect(try world.ask(ana, .quit(table)).code == "ok")
    #expect(world.offences == [])
  }

  @Test func `goes on after a restart`() throws {
    let world = World("Ana")
    let table = try #require(try world.ask(ana, .tryItNow).table)
    try world.run(until: "a board", within: 1_000) { try $0.view(ana, table).board != nil }
    let words = try world.view(ana, table).board?.tiles.map(\.word)
    world.kill(ana)
    world.start(ana)
    #expect(try world.view(ana, table).board?.tiles.map(\.word) == words)
    try world.run(until: "a colleague's claim", within: 90_000) {
      try !$0.view(ana, table).claims.isEmpty
    }
    #expect(world.offences == [])
  }
}
