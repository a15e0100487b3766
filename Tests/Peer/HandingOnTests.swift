import Consensus
import Games
import Table
import Testing
import Wire

@testable import Peer

extension World {
  /// The table that a laptop sits at, or looks on, after another one.
  fileprivate func next(_ laptop: Int, after table: TableID) -> TableSession? {
    self[laptop].peer?.sessions.first { $0.genesis.draft.previous?.table == table && $0.isTakenUp }
  }

  /// Some sit at one and the same table after another one, in its lobby, and at no other.
  fileprivate func sitOn(
    _ laptops: [Int], after table: TableID, within limit: UInt64 = 5_000
  ) throws -> TableSession {
    try run(until: "all at the next table", within: limit) { world in
      let next = laptops.compactMap { world.next($0, after: table) }
      return next.count == laptops.count && Set(next.map(\.id)).count == 1
        && next[0].table.members.count
          >= laptops.filter { world.next($0, after: table)?.isWitness == false }.count
    }
    for laptop in laptops {
      try run(until: "one table on \(self[laptop].name)'s page") {
        try $0.state(laptop).tables.map(\.table.id) == [$0.next(laptop, after: table)?.id]
      }
    }
    return try #require(next(laptops[0], after: table))
  }
}

/// An owner who leaves a lobby leaves it to the others (PRODUCT Q14).
@Suite struct `A lobby whose owner leaves` {
  @Test func `goes on at the next one's, again and again, and ends with the last one`() throws {
    let world = World("Ana", "Bo", "Cy", "Di")
    world.watchesPages = true
    let first = try world.lobby()
    let words = try #require(world.session(bo, first)?.table.setup.stateHash)
    let code = try world.tableView(bo, first).code
    #expect(try world.ask(ana, .leave(first)).code == "ok")
    let time = world.now
    let second = try world.sitOn([bo, cy, di], after: first)
    #expect(world.now - time < 2_000)
    #expect(second.creator == world[bo].me)
    #expect(second.table.setup.stateHash == words)
    let view = try world.tableView(cy, second.id)
    #expect(view.code == code)
    #expect(view.title == "Ana’s table")
    #expect(Set(view.seats.map(\.name)) == ["Bo", "Cy", "Di"])
    #expect(view.phase == "lobby")
    let previous = try #require(try world.sessionView(cy, second.id).previous)
    #expect(previous == SessionView.Previous(id: first, kind: "again"))
    // One table bears the code: whoever has it, Ana as well, finds it.
    try world.run(until: "Bo's in the list") {
      try $0.state(ana).openTables.map(\.id) == [second.id]
    }
    #expect(try world.state(ana).tables.isEmpty)
    #expect(try world.ask(ana, .join(code)) == .accepted(table: second.id))
    try world.run(until: "Ana's seat") { $0.session(ana, second.id)?.isJoining == false }

    // Three more times the owner leaves; of who is left the first in order is the next.
    var table = second
    var staying = [bo, cy, di, ana]
    while staying.count > 1 {
      let owner = try #require(staying.first { table.isMine(world[$0].me) })
      let heir = try #require(table.table.members.dropFirst().first)
      let identity = try #require(
        world.session(owner, table.id)?.table.seats[heir].identity)
      #expect(try world.ask(owner, .leave(table.id)).code == "ok")
      staying.removeAll { $0 == owner }
      table = try world.sitOn(staying, after: table.id)
      #expect(table.creator == identity)
      #expect(table.genesis.codeText == code)
    }
    let last = staying[0]
    try world.run(until: "the last one's in all lists") { world in
      try [ana, bo, cy, di].allSatisfy { try world.state($0).openTables.map(\.id) == [table.id] }
    }
    #expect(try world.ask(last, .leave(table.id)).code == "ok")
    try world.run(until: "nothing is left of it") { world in
      try [ana, bo, cy, di].allSatisfy {
        let state = try world.state($0)
        return state.openTables.isEmpty && state.tables.isEmpty
      }
    }
    world.run(for: 70_000)
    for laptop in [ana, bo, cy, di] {
      #expect(try world.state(laptop).openTables.isEmpty)
      // Nobody made a table that nobody saw, and all are put away.
      #expect(world[laptop].peer?.sessions.allSatisfy { $0.isPutAway } == true)
    }
    #expect(world.offences == [])
  }

  @Test func `is over for all when it is called off`() throws {
    let world = World("Ana", "Bo", "Cy")
    world.watchesPages = true
    let table = try world.lobby()
    #expect(try world.ask(ana, .cancel(table)).code == "ok")
    // To leave what is called off hands nothing on.
    #expect(try world.ask(ana, .leave(table)).code == "ok")
    world.run(for: 15_000)
    for laptop in [bo, cy] {
      #expect(try world.tableView(laptop, table).phase == "cancelled")
      #expect(try world.tableView(laptop, table).waiting == nil)
      #expect(world[laptop].peer?.sessions.count == 1)
    }
    #expect(world.offences == [])
  }

  @Test func `as a duel keeps its rules, its time and its place, and can be started`() throws {
    let world = World("Ana", "Bo")
    world.watchesPages = true
    try world.meet()
    let access = TableAccess(place: "Room 4", startsAt: 1_900_000_000)
    let reply = try world.ask(
      ana,
      .createTable(
        .quoridor, title: "Lunch", access: access,
        GameCommand("", [("players", .int(2)), ("jumps", .text("sideways"))])))
    let table = try #require(reply.table)
    try world.sit(bo, at: table)
    #expect(try world.ask(ana, .leave(table)).code == "ok")
    let next = try world.sitOn([bo], after: table)
    let view = try world.tableView(bo, next.id)
    #expect(view.mine && view.title == "Lunch" && view.place == "Room 4")
    #expect(view.startsAt == 1_900_000_000)
    #expect(next.genesis.draft.setup.stateHash == world.session(ana, table)?.table.setup.stateHash)
    try world.sit(ana, at: next.id)
    #expect(try world.ask(ana, .ready(next.id, true)).code == "ok")
    try world.run(until: "Start") { try $0.tableView(bo, next.id).start.possible }
    #expect(try world.ask(bo, .start(next.id)).code == "ok")
    try world.run(until: "a game", within: 20_000) { world in
      [ana, bo].allSatisfy { world.session($0, next.id)?.table.phase == .playing }
    }
    #expect(world.offences == [])
  }

  @Test(arguments: 1...4 as ClosedRange<UInt64>)
  func `and the next one as well, at the same time`(seed: UInt64) throws {
    let world = World("Ana", "Bo", "Cy", "Di", seed: seed)
    let table = try world.lobby()
    world.tell(seed % 2 == 0 ? ana : bo, .leave(table))
    world.run(for: seed / 2 * 20)
    world.tell(seed % 2 == 0 ? bo : ana, .leave(table))
    let next = try world.sitOn([cy, di], after: table, within: 8_000)
    #expect(next.creator == world[cy].me)
    world.run(for: 10_000)
    #expect(try world.state(bo).tables.isEmpty)
    for laptop in [ana, bo] {
      #expect(try world.state(laptop).openTables.map(\.id) == [next.id])
    }
    #expect(world.offences == [])
  }

  @Test(arguments: [0, 330, 600] as [UInt64])
  func `goes on with the one after, when the next one dies`(time: UInt64) throws {
    let world = World("Ana", "Bo", "Cy", "Di")
    let table = try world.lobby()
    world.tell(ana, .leave(table))
    try world.run(until: "Bo knows it") { $0.session(bo, table)?.handedOnAt != nil }
    world.run(for: time)
    world.kill(bo)
    try world.run(until: "Cy's, or Bo's where both sit", within: 15_000) { world in
      guard let one = world.next(cy, after: table), let other = world.next(di, after: table) else {
        return false
      }
      return one.id == other.id
    }
    // What Bo's node finds when it runs again is one table as well.
    world.run(for: 3_000)
    world.start(bo)
    try world.run(until: "all three at one table", within: 30_000) { world in
      let next = [bo, cy, di].compactMap { world.next($0, after: table) }
      return next.count == 3 && Set(next.map(\.id)).count == 1
    }
    world.run(for: 5_000)
    let next = try world.sitOn([bo, cy, di], after: table)
    #expect(try world.state(ana).openTables.map(\.id) == [next.id])
    #expect(world.offences == [])
  }

  @Test func `in two parts goes on as one when they meet, with everybody`() throws {
    let world = World("Ana", "Bo", "Cy", "Di")
    let table = try world.lobby()
    // Bo reaches nobody but Ana, who leaves; Di sits with Bo later, or with Cy.
    world.cut(bo, cy)
    world.cut(bo, di)
    world.run(for: 8_000)
    world.tell(ana, .leave(table))
    try world.run(until: "all know it") { world in
      [bo, cy, di].allSatisfy { world.session($0, table)?.handedOnAt != nil }
    }
    world.kill(ana)
    try world.run(until: "two tables", within: 20_000) { world in
      let next = [bo, cy, di].compactMap { world.next($0, after: table) }
      return next.count == 3 && next[0].id != next[1].id && next[1].id == next[2].id
    }
    world.run(for: 5_000)
    world.mend(bo, cy)
    world.mend(bo, di)
    _ = try world.sitOn([bo, cy, di], after: table, within: 40_000)
    world.run(for: 10_000)
    let next = try world.sitOn([bo, cy, di], after: table)
    world.start(ana)
    try world.run(until: "one table in Ana's list", within: 15_000) {
      try $0.state(ana).openTables.map(\.id) == [next.id]
    }
    #expect(world.offences == [])
  }

  @Test(arguments: [0, 5, 10, 40, 200] as [UInt64])
  func `leads whoever is about to sit down to the next one's`(time: UInt64) throws {
    let world = World("Ana", "Bo", "Cy")
    try world.meet()
    let table = try world.makeTable()
    try world.sit(bo, at: table)
    try world.run(until: "the table in the list") {
      try $0.state(cy).openTables.contains { $0.id == table }
    }
    let id = world.tell(cy, .joinTable(table))
    world.run(for: time)
    world.tell(ana, .leave(table))
    try world.run(until: "an answer", within: 20_000) { $0[cy].replies[id] != nil }
    guard world[cy].replies[id]?.code == "ok" else {
      // Who had not heard of it yet is told so at once, and finds the next one by the same code.
      try world.run(until: "Bo's") { $0.next(bo, after: table) != nil }
      let code = try #require(world.next(bo, after: table)?.genesis.codeText)
      try world.run(until: "one table") { try $0.state(cy).openTables.map(\.code) == [code] }
      #expect(try world.ask(cy, .join(code)).code == "ok")
      return
    }
    let next = try world.sitOn([bo, cy], after: table, within: 20_000)
    #expect(next.creator == world[bo].me)
    #expect(world.offences == [])
  }

  @Test(arguments: [0, 100, 310, 330, 345] as [UInt64])
  func `is left for good by who goes home in that moment`(time: UInt64) throws {
    let world = World("Ana", "Bo", "Cy")
    let table = try world.lobby()
    world.tell(ana, .leave(table))
    try world.run(until: "both know it") { world in
      [bo, cy].allSatisfy { world.session($0, table)?.handedOnAt != nil }
    }
    world.run(for: time)
    let now = try world.state(bo).tables.map(\.table.id)
    for one in now { world.tell(bo, .leave(one)) }
    let next = try world.sitOn([cy], after: table, within: 10_000)
    world.run(for: 10_000)
    #expect(try world.sitOn([cy], after: table).creator == world[cy].me)
    #expect(next.id == world.next(cy, after: table)?.id || time > 300)
    #expect(try world.state(bo).tables.isEmpty)
    #expect(try world.state(ana).openTables.count == 1)
    #expect(world.offences == [])
  }

  @Test(arguments: [false, true])
  func `while a lid is closed, and knows nothing of it any more when it opens`(isCalledOff: Bool)
    throws
  {
    let world = World("Ana", "Bo")
    let table = try world.lobby()
    world.unplug(bo)
    world.run(for: 1_000)
    #expect(try world.ask(ana, isCalledOff ? .cancel(table) : .leave(table)).code == "ok")
    if isCalledOff { #expect(try world.ask(ana, .putAway(table)).code == "ok") }
    world.run(for: 15_000)
    world.kill(ana)
    world.start(ana)
    world.plugIn(bo)
    try world.run(until: "Bo may start again", within: 40_000) {
      try $0.tableView(bo, table).waiting?.choices == ["startAgain", "quit"]
    }
    #expect(try world.ask(bo, .startAgain(table)).code == "ok")
    try world.run(until: "Bo's own", within: 5_000) { $0.next(bo, after: table) != nil }
    #expect(world.offences == [])
  }

  @Test(arguments: [false, true])
  func `is private still, with its secret, and anonymous where it was`(isAnonymous: Bool) throws {
    let world = World("Ana", "Bo", "Cy", "Di")
    try world.meet()
    let access = TableAccess(isPrivate: true, isAnonymous: isAnonymous)
    let reply = try world.ask(ana, .createTable(.bingo, title: "", access: access, .table()))
    let table = try #require(reply.table)
    for laptop in [bo, cy] { try world.sit(laptop, byLineOf: ana, at: table) }
    let line = try world.tableView(bo, table).invitation
    #expect(try world.ask(ana, .leave(table)).code == "ok")
    let next = try world.sitOn([bo, cy], after: table, within: 10_000)
    #expect(next.secret == world.session(bo, table)?.secret)
    #expect(next.genesis.draft.isAnonymous == isAnonymous)
    #expect(next.creator == world[bo].me)
    #expect(try world.state(di).openTables.isEmpty)
    try world.sit(di, byLineOf: cy, at: next.id)
    // The old line names Ana's laptop; without its address it is good for the next one.
    let bare = String(line.split(separator: " ").last?.split(separator: "@").first ?? "")
    #expect(try world.ask(ana, .join(bare)).code == "ok")
    try world.run(until: "Ana's seat", within: 10_000) {
      $0.session(ana, next.id)?.isJoining == false
    }
    #expect(world.offences == [])
  }

  @Test func `stays locked, and who was taken off does not come along`() throws {
    let world = World("Ana", "Bo", "Cy", "Di")
    let table = try world.lobby()
    let player = try #require(world.session(di, table)?.keys.player)
    #expect(try world.ask(ana, .takeOff(table, player)).code == "ok")
    #expect(try world.ask(ana, .lock(table, true)).code == "ok")
    try world.agree(on: table)
    #expect(try world.ask(ana, .leave(table)).code == "ok")
    let next = try world.sitOn([bo, cy], after: table)
    try world.run(until: "locked") { try $0.tableView(cy, next.id).locked }
    world.run(for: 10_000)
    #expect(world.next(di, after: table) == nil)
    #expect(try world.tableView(bo, next.id).seats.map(\.name) == ["Bo", "Cy"])
    #expect(world.offences == [])
  }

  @Test func `takes along who looks on`() throws {
    let world = World("Ana", "Bo", "Cy")
    try world.meet()
    #expect(try world.ask(cy, .witness(false)).code == "ok")
    let command = GameCommand(
      "createTable",
      [
        ("size", .int(3)), ("minutes", .int(15)), ("watching", .text("boards")),
        ("own", .text((1...9).map { "word \($0)" }.joined(separator: "\n"))),
      ])
    let table = try world.makeTable(command)
    try world.sit(bo, at: table)
    #expect(try world.ask(cy, .watch(try world.tableView(ana, table).invitation)).code == "ok")
    try world.run(until: "Cy looks on", within: 15_000) {
      try $0.tableView(bo, table).watchers.map(\.name) == ["Cy"]
    }
    #expect(try world.ask(ana, .leave(table)).code == "ok")
    let next = try world.sitOn([bo, cy], after: table, within: 10_000)
    #expect(try world.tableView(bo, next.id).watchers.map(\.name) == ["Cy"])
    #expect(try world.tableView(bo, next.id).seats.map(\.name) == ["Bo"])
    #expect(world.offences == [])
  }

  @Test func `and died before all had heard it: they hear it from one another`() throws {
    let world = World("Ana", "Bo", "Cy", "Di")
    let table = try world.lobby()
    world.cut(ana, di)
    world.tell(ana, .leave(table))
    try world.run(until: "Bo knows it") { $0.session(bo, table)?.handedOnAt != nil }
    world.kill(ana)
    let next = try world.sitOn([bo, cy, di], after: table, within: 10_000)
    #expect(next.creator == world[bo].me)
    // Its owner's node runs again, and has nothing to do there.
    world.mend(ana, di)
    world.start(ana)
    world.run(for: 20_000)
    #expect(try world.state(ana).tables.isEmpty)
    #expect(try world.sitOn([bo, cy, di], after: table).id == next.id)
    #expect(world.offences == [])
  }
}
