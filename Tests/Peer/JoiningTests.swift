import Consensus
import Discovery
import Games
import Table
import Testing
import Wire

@testable import Peer

@Suite struct `Sitting down` {
  /// Ana's table, and Bo who wants to sit down.
  private func openTable(broadcast: Bool = true) throws -> (World, TableID, code: String) {
    let world = World("Ana", "Bo", isStarted: false)
    for laptop in [ana, bo] {
      world[laptop].hasBroadcast = broadcast
      world.start(laptop)
    }
    world.watchesPages = true
    if broadcast { try world.meet() }
    let table = try world.makeTable()
    let code = try #require(world.session(ana, table)?.genesis.codeText)
    return (world, table, code)
  }

  private func joins(_ world: World, _ text: String, _ table: TableID) throws {
    #expect(try world.ask(bo, .join(text)) == .accepted(table: table))
    try world.run(until: "a seat for Bo") { $0.session(bo, table)?.isJoining == false }
    #expect(try world.tableView(bo, table).phase == "lobby")
    #expect(world.session(ana, table)?.hasSeat(world[bo].me) == true)
    #expect(world.offences == [])
  }

  @Test func `by the list`() throws {
    let (world, table, _) = try openTable()
    try world.sit(bo, at: table)
    #expect(world.session(ana, table)?.table.members.count == 2)
  }

  @Test func `by the code alone`() throws {
    let (world, table, code) = try openTable()
    try world.run(until: "the code is heard") { try !$0.state(bo).openTables.isEmpty }
    try joins(world, code, table)
  }

  @Test(arguments: [true, false])
  func `by the invitation line, where broadcast does not reach too`(broadcast: Bool) throws {
    let (world, table, code) = try openTable(broadcast: broadcast)
    let line = try world.tableView(ana, table).invitation
    #expect(line == "tabletalk join \(code)@192.168.1.5:47474")
    try joins(world, line, table)
  }

  @Test func `by the line of a guest, who shows the way to the owner`() throws {
    let world = World("Ana", "Bo", "Cy", isStarted: false)
    world[bo].hasBroadcast = false
    for laptop in [ana, bo, cy] { world.start(laptop) }
    let table = try world.makeTable(by: ana)
    let code = try #require(world.session(ana, table)?.genesis.codeText)
    try world.sit(cy, at: table)
    try joins(world, "\(code)@192.168.1.7:47474", table)
  }

  @Test func `after meeting its owner by address`() throws {
    let (world, table, _) = try openTable(broadcast: false)
    #expect(try world.ask(bo, .join("192.168.1.5")) == .joining)
    try world.sit(bo, at: table)
    #expect(try world.state(bo).refusals.isEmpty)
  }

  @Test func `at an address where nobody is, says so`() throws {
    let (world, _, _) = try openTable()
    #expect(try world.ask(bo, .join("12345@192.168.1.99")).code == "nobodyThere")
    #expect(try world.ask(bo, .join("192.168.1.99")) == .joining)
    try world.run(until: "the reason", within: 6_000) {
      try $0.state(bo).refusals.map(\.code) == ["nobodyThere", "nobodyThere"]
    }
    #expect(try world.ask(bo, .join("words")).code == "invitationUnreadable")
  }

  @Test
  func `with a wrong code is refused and changes nothing, then with the right one it is taken`()
    throws
  {
    let (world, table, code) = try openTable()
    let wrong = code == "11111" ? "22222" : "11111"
    #expect(try world.ask(bo, .join(wrong)).code == "codeUnknown")
    #expect(try world.ask(bo, .join("\(wrong)@192.168.1.5")).code == "wrongCode")
    #expect(try world.state(bo).tables.isEmpty)
    #expect(world.session(ana, table)?.replica.finalHeight == 0)
    try joins(world, "\(code)@192.168.1.5", table)
  }

  @Test func `at a table that has started is refused with the code`() throws {
    let world = World("Ana", "Bo", "Cy")
    try world.meet()
    let table = try world.makeTable()
    try world.sit(bo, at: table)
    #expect(try world.ask(ana, .start(table)).code == "ok")
    let code = try #require(world.session(ana, table)?.genesis.codeText)
    #expect(try world.ask(cy, .join("\(code)@192.168.1.5")).code == "tableStarted")
    #expect(try world.state(cy).tables.isEmpty)
    #expect(try world.state(cy).refusals.map(\.code) == ["tableStarted"])
  }

  @Test func `is refused in the log when the table starts at the same moment`() throws {
    let world = World("Ana", "Bo", "Cy")
    try world.meet()
    #expect(try world.ask(cy, .witness(false)).code == "ok")
    let table = try world.makeTable()
    try world.sit(bo, at: table)
    try world.run(until: "the list") { try $0.state(cy).openTables.count == 1 }
    // Cy's question is answered with the table, and Ana starts before the join is with her.
    world.onFrame = { from, _, message in
      if from == ana, case .genesis = message { world.after(0) { $0.tell(ana, .start(table)) } }
    }
    #expect(try world.ask(cy, .joinTable(table)) == .accepted(table: table))
    try world.run(until: "why not") { try $0.tableView(cy, table).phase == "refused" }
    #expect(try world.tableView(cy, table).refusal?.code == "tableStarted")
    world.onFrame = nil
    try world.run(until: "a game of two", within: 10_000) { world in
      [ana, bo].allSatisfy { world.session($0, table)?.table.phase == .playing }
    }
    // The refused seat is not asked for again, not by a later start either.
    world.kill(cy)
    world.start(cy)
    #expect(try world.state(cy).tables.isEmpty)
    #expect(world[cy].disk.rows[.drafts]?.isEmpty ?? true)
  }

  @Test
  func `two at once on the last seat: the slower one is refused, and comes in when a seat is free`()
    throws
  {
    let names = (0..<25).map { "Person \($0)" }
    let world = World(names: names)
    try world.meet()
    let table = try world.makeTable()
    for guest in 1..<23 { try world.sit(guest, at: table) }
    try world.run(until: "lists") { world in
      try [23, 24].allSatisfy { try world.state($0).openTables.count == 1 }
    }
    for late in [23, 24] { world.tell(late, .joinTable(table)) }
    try world.run(until: "one in, one refused") { world in
      let sessions = [23, 24].compactMap { world.session($0, table) }
      return sessions.contains { $0.refusal != nil } && sessions.contains { !$0.isJoining }
    }
    let loser = try world.tableView(23, table).phase == "refused" ? 23 : 24
    #expect(try world.tableView(loser, table).refusal?.code == "tableFull")
    #expect(try world.ask(3, .leave(table)).code == "ok")
    try world.run(until: "a free seat") { $0.session(ana, table)?.table.isOpen == true }
    try world.sit(loser, at: table)
    #expect(try world.tableView(loser, table).phase == "lobby")
    let code = try #require(world.session(ana, table)?.genesis.codeText)
    #expect(try world.ask(3, .join("\(code)@192.168.1.5")).code == "tableFull")
    #expect(world.offences == [])
  }

  @Test func `again after leaving the lobby, with one seat on the page`() throws {
    let (world, table, _) = try openTable()
    try world.sit(bo, at: table)
    #expect(try world.ask(bo, .leave(table)).code == "ok")
    #expect(try world.state(bo).tables.isEmpty)
    try world.run(until: "Ana sees it") { $0.session(ana, table)?.table.members.count == 1 }
    try world.sit(bo, at: table)
    try world.agree(on: table)
    let seats = try world.tableView(ana, table).seats
    #expect(seats.map(\.name) == ["Ana", "Bo"])
    #expect(seats.map(\.left) == [false, false])
    // A restart brings the new seat back.
    world.kill(bo)
    world.start(bo)
    try world.start(table)
    #expect(try world.view(bo, table).board != nil)
    #expect(world.offences == [])
  }

  @Test func `the same command twice asks once`() throws {
    let (world, table, _) = try openTable()
    try world.run(until: "the list") { try $0.state(bo).openTables.count == 1 }
    let id = world.tell(bo, .joinTable(table))
    world.tell(bo, .joinTable(table), id: id)
    try world.run(until: "a seat") { $0.session(bo, table)?.isJoining == false }
    #expect(world[bo].replies[id] == .accepted(table: table))
    #expect(try world.ask(bo, .joinTable(table), id: id) == .accepted(table: table))
    #expect(world.session(ana, table)?.table.seats.count == 2)
  }
}
