import CBOR
import Consensus
import Games
import Table
import Testing
import Wire

@testable import Peer

/// A table of own words to which people may come late and look on.
private func open(watching: String = "boards") -> GameCommand {
  GameCommand(
    "createTable",
    [
      ("size", .int(3)), ("minutes", .int(15)), ("marking", .text("tap")),
      ("latecomers", .bool(true)), ("watching", .text(watching)),
      ("own", .text((1...12).map { "word \($0)" }.joined(separator: "\n"))),
    ])
}

extension World {
  /// Ana and Bo play, and perhaps Cy; who is not named looks on from elsewhere.
  fileprivate func game(of players: [Int], _ command: GameCommand = open()) throws -> TableID {
    try meet()
    for laptop in laptops.indices where !players.contains(laptop) {
      #expect(try ask(laptop, .witness(false)).code == "ok")
    }
    let table = try makeTable(by: players[0], command)
    for laptop in players.dropFirst() { try sit(laptop, at: table) }
    try start(table)
    return table
  }

  fileprivate func player(_ laptop: Int, _ table: TableID) throws -> PublicKey {
    try #require(session(laptop, table)).keys.player
  }

  fileprivate func chat(_ laptop: Int, _ table: TableID) throws -> [String] {
    try tableView(laptop, table).chat.map(\.text)
  }
}

@Suite struct `People who come and go` {
  @Test func `late: a seat from the list, a board, a vote; and then its creator is killed`() throws
  {
    let world = World("Ana", "Bo", "Cy", "Di", "Eve")
    let table = try world.game(of: [ana, bo, cy])
    try world.settle(ana, table, try world.row(ana, table)[0])
    try world.run(until: "the table in the list, being played") {
      try $0.state(di).openTables.contains { $0.id == table && $0.playing && $0.open }
    }
    #expect(try world.ask(di, .joinTable(table)) == .accepted(table: table))
    try world.run(until: "a board that came late", within: 15_000) {
      try $0.tableView(di, table).phase == "playing" && $0.view(di, table).board != nil
    }
    try world.run(until: "all four vote", within: 20_000) {
      $0.session(di, table)?.replica.isVoting == true
    }
    #expect(try world.tableView(bo, table).seats.map(\.late) == [false, false, false, true])
    let heard = try #require(try world.feed(ana, table).last { $0.kind == "confirmed" }?.word)
    let tile = try world.view(di, table).board?.tiles.first { $0.word == heard }
    #expect(tile == nil || tile?.state == .marked)
    world.kill(ana)
    try world.run(until: "Bo runs the table", within: 90_000) {
      try $0.tableView(bo, table).mayRun
    }
    #expect(try world.ask(cy, .lock(table, true)).code == "onlyHost")
    // The one who runs it now is the one whose laptop tells others of it.
    try world.run(until: "Bo's table in Eve's list", within: 15_000) {
      try $0.state(4).openTables.contains { $0.id == table && $0.hostName == "Bo" }
    }
    #expect(try world.ask(4, .joinTable(table)) == .accepted(table: table))
    try world.run(until: "Eve has a board", within: 20_000) {
      try $0.tableView(4, table).phase == "playing" && $0.view(4, table).board != nil
    }
    world.start(ana)
    try world.run(until: "Ana is back and runs it", within: 30_000) {
      try $0.tableView(ana, table).mayRun && $0.tableView(ana, table).seats.count == 5
    }
    try world.agree(on: table, within: 20_000)
    #expect(world.offences == [])
  }

  @Test func `off the table and back, with the same board`() throws {
    let world = World("Ana", "Bo", "Cy")
    let table = try world.game(of: [ana, bo, cy])
    let words = try world.view(cy, table).board?.tiles.map(\.word)
    let cys = try world.player(cy, table)
    #expect(try world.ask(bo, .takeOff(table, cys)).code == "onlyHost")
    #expect(try world.ask(ana, .takeOff(table, cys)).code == "ok")
    try world.run(until: "Cy knows", within: 10_000) {
      try $0.tableView(cy, table).seats[2].takenOff
    }
    #expect(try world.ask(cy, .game(table, GameCommand("claim", [("tile", .int(0))]))).code != "ok")
    world.kill(cy)
    world.start(cy)
    #expect(try world.ask(ana, .letBack(table, cys)).code == "ok")
    try world.run(until: "Cy plays and votes again", within: 30_000) {
      try !$0.tableView(cy, table).seats[2].takenOff
        && $0.session(cy, table)?.replica.isVoting == true
    }
    #expect(try world.view(cy, table).board?.tiles.map(\.word) == words)
    #expect(world.offences == [])
  }

  @Test func `looking on: seen by all, with the boards, without a say; and then a seat`() throws {
    let world = World("Ana", "Bo", "Cy", "Di")
    let table = try world.game(of: [ana, bo])
    let line = try world.tableView(ana, table).invitation
    #expect(try world.ask(cy, .watch(line)) == .accepted(table: table))
    try world.run(until: "the boards on Cy's page, and Cy on Ana's", within: 15_000) {
      try $0.view(cy, table).boards.count == 2
        && $0.tableView(ana, table).watchers.map(\.name) == ["Cy"]
    }
    #expect(try world.state(cy).witnessing.watched == [table])
    #expect(try world.view(ana, table).boards == [])
    #expect(try world.view(cy, table).board == nil)
    let claim = GameCommand("claim", [("tile", .int(0)), ("now", .bool(true))])
    #expect(try world.ask(cy, .game(table, claim)).code == "notPlaying")
    #expect(try world.ask(cy, .say(table, "I see you")).code == "noChat")
    #expect(try world.ask(ana, .say(table, "Between us")).code == "ok")
    try world.run(until: "Bo hears it") { try $0.chat(bo, table) == ["Between us"] }
    #expect(try world.chat(cy, table) == [])
    try world.settle(ana, table, try world.row(ana, table)[0])
    try world.run(until: "Cy sees it") {
      try $0.feed(cy, table).contains { $0.kind == "confirmed" }
    }
    #expect(world.session(cy, table)?.replica.isVoting == false)
    world.kill(cy)
    world.start(cy)
    try world.run(until: "Cy still looks on", within: 15_000) {
      try $0.view(cy, table).boards.count == 2
    }
    try world.run(until: "Cy hears of it", within: 15_000) {
      try $0.state(cy).openTables.contains { $0.id == table && $0.open }
    }
    #expect(try world.ask(cy, .joinTable(table)) == .accepted(table: table))
    try world.run(until: "Cy has a seat and is no onlooker", within: 20_000) {
      try $0.view(cy, table).board != nil && $0.tableView(ana, table).watchers.isEmpty
    }
    #expect(try world.ask(di, .watchTable(table)) == .accepted(table: table))
    try world.run(until: "Di looks on", within: 15_000) {
      try $0.tableView(ana, table).watchers.map(\.name) == ["Di"]
    }
    #expect(try world.ask(di, .leave(table)).code == "ok")
    try world.run(until: "Di has gone", within: 15_000) {
      try $0.tableView(ana, table).watchers.isEmpty
    }
    #expect(try world.state(di).tables.isEmpty)
    #expect(world.offences == [])
  }

  @Test func `looking on, and then on at the rematch`() throws {
    let world = World("Ana", "Bo", "Cy")
    let table = try world.game(of: [ana, bo])
    let line = try world.tableView(ana, table).invitation
    #expect(try world.ask(cy, .watch(line)) == .accepted(table: table))
    try world.run(until: "Cy looks on", within: 15_000) {
      try $0.tableView(ana, table).watchers.map(\.name) == ["Cy"]
    }
    for word in try world.row(bo, table) { try world.settle(bo, table, word) }
    try world.run(until: "the end", within: 10_000) { world in
      [ana, bo, cy].allSatisfy { world.session($0, table)?.table.phase == .over }
    }
    for laptop in [bo, ana] { #expect(try world.ask(laptop, .rematch(table)).code == "ok") }
    try world.run(until: "Cy is offered it", within: 20_000) {
      try $0.tableView(cy, table).successor?.kind == "rematch"
    }
    let next = try #require(try world.tableView(cy, table).successor?.id)
    #expect(try world.ask(cy, .joinSuccessor(table)) == .accepted(table: next))
    try world.run(until: "Cy looks on there", within: 20_000) {
      try $0.tableView(bo, next).watchers.map(\.name) == ["Cy"]
    }
    #expect(try world.tableView(bo, next).seats.count == 2)
    #expect(world.offences == [])
  }

  @Test func `a locked table is in no list, and lets nobody in who has its line`() throws {
    let world = World("Ana", "Bo", "Cy")
    let table = try world.game(of: [ana, bo])
    let line = try world.tableView(ana, table).invitation
    #expect(try world.ask(ana, .lock(table, true)).code == "ok")
    try world.run(until: "Cy's list is empty", within: 15_000) {
      try $0.state(cy).openTables.isEmpty
    }
    #expect(try world.ask(cy, .join(line)).code == "tableStarted")
    #expect(try world.ask(cy, .watch(line)).code == "tableStarted")
    #expect(try world.ask(ana, .lock(table, false)).code == "ok")
    try world.run(until: "it is there again", within: 15_000) {
      try $0.state(cy).openTables.contains { $0.id == table }
    }
    #expect(world.offences == [])
  }
}

@Suite struct `Talk at a table` {
  @Test func `is heard by those who sit there, as it was typed, and costs the table nothing`()
    throws
  {
    let world = World("Ana", "Bo", "Cy")
    let table = try world.lobby()
    let height = world.session(ana, table)?.replica.finalHeight
    let hostile = "<img src=x onerror=alert(1)>  \u{202e}evil"
    #expect(try world.ask(bo, .say(table, hostile)).code == "ok")
    for laptop in [ana, cy] {
      try world.run(until: "a line") { try !$0.chat(laptop, table).isEmpty }
      #expect(try world.chat(laptop, table) == ["<img src=x onerror=alert(1)> evil"])
    }
    #expect(try world.tableView(ana, table).chat.map(\.mine) == [false])
    #expect(try world.tableView(bo, table).chat.map(\.mine) == [true])
    #expect(world.session(ana, table)?.replica.finalHeight == height)
    for text in ["", "  ", String(repeating: "x", count: 201), "\u{e000}"] {
      #expect(try world.ask(bo, .say(table, text)).code == "chatUnreadable")
    }
    #expect(world.offences == [])
  }

  @Test func `is slowed by whoever says too much, and by those who hear it`() throws {
    let world = World("Ana", "Bo")
    let table = try world.lobby()
    for number in 1...5 { #expect(try world.ask(bo, .say(table, "\(number)")).code == "ok") }
    #expect(try world.ask(bo, .say(table, "6")).code == "chatTooFast")
    try world.run(until: "five lines") { try $0.chat(ana, table).count == 5 }
    // A laptop that does not keep to it is not heard either.
    let peer = try #require(world.session(bo, table)?.genesis.draft.creator.identity)
    let me = try #require(world[bo].peer).me
    world[ana].peer?.now = world.now
    for number in 0..<50 { world[ana].peer?.hearChat(table, "flood \(number)", from: me) }
    #expect(try world.chat(ana, table).count == 8)
    world[ana].peer?.hearChat(table, "from nowhere", from: PublicKey(raw: Digest(.state, "x").raw))
    #expect(try world.chat(ana, table).count == 8)
    #expect(peer != me)
    world.run(for: 11_000)
    #expect(try world.ask(bo, .say(table, "again")).code == "ok")
  }

  @Test func `is not shown of who is muted, after a restart either, until he is heard again`()
    throws
  {
    let world = World("Ana", "Bo", "Cy")
    let table = try world.lobby()
    let bos = try #require(world[bo].peer).me
    #expect(try world.ask(bo, .say(table, "one")).code == "ok")
    #expect(try world.ask(cy, .say(table, "two")).code == "ok")
    try world.run(until: "both lines") { try Set($0.chat(ana, table)) == ["one", "two"] }
    #expect(try world.ask(ana, .mute(bos, on: true)).code == "ok")
    #expect(try world.chat(ana, table) == ["two"])
    let own = try #require(world[ana].peer).me
    #expect(try world.ask(ana, .mute(own, on: true)).code == "ownVoice")
    world.kill(ana)
    world.start(ana)
    #expect(try world.state(ana).muted == [bos])
    try world.run(until: "Ana is back", within: 20_000) {
      $0.session(ana, table)?.linked.count == 2 && $0.session(ana, table)?.mayAuthor == true
    }
    #expect(try world.ask(bo, .say(table, "three")).code == "ok")
    world.run(for: 1_000)
    #expect(try world.chat(ana, table) == [])
    #expect(try world.ask(ana, .mute(bos, on: false)).code == "ok")
    #expect(try world.chat(ana, table) == ["three"])
  }
}
