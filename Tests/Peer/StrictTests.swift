import Archive
import Consensus
import Games
import Table
import Testing
import Wire

@testable import Peer

@Suite struct `A table where everybody must agree` {
  private func game(_ world: World, isStrict: Bool) throws -> TableID {
    try world.meet()
    let reply = try world.ask(
      ana, .createTable(.bingo, title: "", access: TableAccess(isStrict: isStrict), .table()))
    let table = try #require(reply.table, "\(reply)")
    for laptop in [bo, cy] { try world.sit(laptop, at: table) }
    try world.agree(on: table)
    try world.start(table)
    return table
  }

  /// Bo claims and Ana confirms while Cy's laptop is gone; whether that came to be agreed.
  private func isAgreedWithoutCy(_ world: World, _ table: TableID) throws -> Bool {
    let word = try world.row(bo, table)[0]
    world.unplug(cy)
    try world.run(until: "Cy is away", within: 10_000) {
      try $0.tableView(ana, table).away == ["Cy"]
    }
    try world.claim(bo, table, word)
    world.run(for: 5_000)
    return try !world.view(ana, table).claims.isEmpty
  }

  @Test func `waits for the third, who catches up, and is continued by one like it`() throws {
    let world = World("Ana", "Bo", "Cy")
    world.watchesPages = true
    let table = try game(world, isStrict: true)
    let view = try world.tableView(ana, table)
    #expect(view.isStrict)
    #expect(view.promise?.hasPrefix("Everybody must agree here: one laptop") == true)
    #expect(try world.sessionView(ana, table).details.quorum == 3)
    #expect(try !isAgreedWithoutCy(world, table))
    #expect(
      try world.tableView(ana, table).waiting?.message.hasPrefix(
        "2 of 3 people are here, the game needs 3.") == true)
    world.plugIn(cy)
    try world.run(until: "Bo's claim", within: 15_000) {
      try !$0.view(cy, table).claims.isEmpty
    }
    for laptop in [bo, cy] { #expect(try world.ask(laptop, .quit(table)).code == "ok") }
    try world.run(until: "the end", within: 20_000) {
      try $0.tableView(ana, table).result?.kind == .lastPlayer
    }
    let bytes = try #require(world[ana].peer?.exportedLog(of: table.hex).bytes)
    let proof = try LogVerifier.verify(bytes, checker: Ed25519())
    #expect(proof.tip == world.session(ana, table)?.replica.finalTip)
    #expect(proof.epochs > 1)
    #expect(try world.ask(ana, .rematch(table)).code == "ok")
    try world.run(until: "a rematch", within: 10_000) {
      try $0.state(ana).tables.contains { $0.table.id != table && $0.table.isStrict }
    }
    #expect(world.offences == [])
  }

  @Test func `is another than one where most are enough`() throws {
    let world = World("Ana", "Bo", "Cy")
    let table = try game(world, isStrict: false)
    #expect(try isAgreedWithoutCy(world, table))
  }
}
