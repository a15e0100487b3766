import Discovery
import Foundation
import Games
import Table
import TestSupport
import Testing
import Wire

@testable import Peer

@Suite struct `The page's state` {
  /// Members of a section of Protocol/local-api-state.md: the first column of its table; of what is marked as
  /// some game's, that of `game`.
  private func documented(_ section: String, of game: String = "") throws -> Set<String> {
    let file = Vectors.folder.deletingLastPathComponent().appendingPathComponent(
      "local-api-state.md")
    let text = try String(contentsOf: file, encoding: .utf8)
    let part = try #require(
      text.components(separatedBy: "\n## ").first { $0.hasPrefix("\(section)\n") })
    var names: Set<String> = []
    for line in part.split(separator: "\n") where line.hasPrefix("| `") {
      let cell = line.split(separator: "|")[0]
      if cell.contains("("), !cell.contains("(\(game))") { continue }
      for (index, name) in cell.split(separator: "`").enumerated() where index % 2 == 1 {
        names.insert(String(name))
      }
    }
    return names
  }

  private func tables(_ world: World, _ laptop: Int) throws -> [[String: Any]] {
    try #require(try world.state(laptop).json["tables"] as? [[String: Any]])
  }

  @Test func `has exactly the members that are written down, in every phase`() throws {
    let world = World("Ana", "Bo")
    try world.meet()
    let table = try world.makeTable()
    #expect(Set(try world.state(ana).json.keys) == (try documented("state")).union(["boot"]))
    let members = try documented("table", of: "bingo")
    #expect(Set(try tables(world, ana)[0].keys) == members)
    try world.sit(bo, at: table)
    try world.start(table)
    #expect(Set(try tables(world, bo)[0].keys) == members)
    #expect(try world.ask(bo, .quit(table)).code == "ok")
    try world.run(until: "the end") { try $0.tableView(ana, table).result != nil }
    let result = try #require(try tables(world, ana)[0]["result"] as? [String: Any])
    #expect(
      Set(result.keys) == [
        "kind", "winners", "lines", "seconds", "timeline", "boards", "same", "receipt", "rematch",
      ])
    #expect(Set(try tables(world, ana)[0].keys) == members)
  }

  @Test func `has those of Quoridor at its tables`() throws {
    let world = World("Ana")
    let command = Command.practise(.quoridor, GameCommand("tryItNow", [("opponent", .int(0))]))
    let table = try #require(try world.ask(ana, command).table)
    let members = try documented("table", of: "quoridor")
    #expect(members.contains("quoridor") && !members.contains("claims"))
    try world.run(until: "a board", within: 1_000) { try $0.duel(ana, table) != nil }
    #expect(Set(try tables(world, ana)[0].keys) == members)
    let duel = try #require(try tables(world, ana)[0]["quoridor"] as? [String: Any])
    #expect(Set(duel.keys) == ["settings", "board"])
    let board = try #require(duel["board"] as? [String: Any])
    #expect(
      Set(board.keys) == [
        "players", "pawns", "walls", "left", "steps", "strikes", "toMove", "mine", "turn", "turns",
        "squares", "slots", "clock", "asked", "mayOfferDraw", "mayTakeBack", "sending",
      ])
    #expect(try world.ask(ana, world.command(table, "giveUp")).code == "ok")
    try world.run(until: "the end") { try $0.tableView(ana, table).result != nil }
    let result = try #require(try tables(world, ana)[0]["result"] as? [String: Any])
    #expect(Set(result.keys) == ["kind", "winners", "seconds", "same", "receipt", "rematch"])
  }

  @Test func `takes a name, proposes another one where it is taken, and keeps it`() throws {
    let world = World("Ana", "Bo", "Cy", isStarted: false)
    world[bo].isNamed = false
    world[cy].isNamed = false
    for laptop in [ana, bo, cy] { world.start(laptop) }
    try world.run(until: "Ana is seen", within: 13_000) {
      try $0.state(bo).people.map(\.name) == ["Ana"]
    }
    #expect(try world.ask(bo, .setName("B", insist: false)).code == "nameLength")
    let refusal = try world.ask(bo, .setName(" ana ", insist: false))
    #expect(refusal.code == "nameTaken")
    if case .refused(_, _, let proposal) = refusal { #expect(proposal == "ana 2") }
    #expect(try world.ask(bo, .setName("ana", insist: true)).code == "ok")
    #expect(try world.ask(bo, .setName("Bo", insist: true)).code == "nameKept")
    try world.run(until: "both are told apart") {
      try $0.state(ana).people.first.map { $0.showTag && $0.name == "ana" } ?? false
    }
    world.kill(bo)
    world.start(bo)
    #expect(try world.state(bo).me.name == "ana")
    #expect(try world.state(bo).screen == "home")
  }

  @Test func `lists open tables newest first, and no longer than their owner is there`() throws {
    let world = World("Ana", "Bo", "Cy", "Di")
    try world.meet()
    var made: [TableID] = []
    for laptop in [cy, ana, bo] {
      made.append(try world.makeTable(by: laptop))
      try world.run(until: "Di sees it") { try $0.state(di).openTables.count == made.count }
    }
    #expect(try world.state(di).openTables.map(\.id) == made.reversed())
    world.unplug(ana)
    let time = try world.run(until: "Ana's is gone", within: 10_000) {
      try $0.state(di).openTables.count == 2
    }
    #expect(time < 10_000)
    // Off the list as soon as nobody may sit down any more.
    #expect(try world.ask(cy, .leave(made[0])).code == "ok")
    try world.run(until: "Cy's too", within: 500) { try $0.state(di).openTables.count == 1 }
  }

  @Test func `shows own wishes in the lobby at once, and takes back what the table refuses`() throws
  {
    let world = World("Ana", "Bo", "Cy")
    let table = try world.lobby(.table(words: 12))
    world.cut(ana, bo)
    world.cut(ana, cy)
    #expect(try world.ask(bo, .ready(table, true)).code == "ok")
    let suggest = GameCommand("suggest", [("word", .text("Synergy"))])
    let ids = [bo, cy].map { _ in world.freshID() }
    for (laptop, id) in zip([bo, cy], ids) {
      #expect(try world.ask(laptop, .game(table, suggest), id: id).code == "ok")
    }
    #expect(
      try world.ask(bo, .game(table, GameCommand("veto", [("word", .text("word 3"))]))).code
        == "ok")
    #expect(try world.tableView(bo, table).ready)
    for laptop in [bo, cy] {
      #expect(
        try world.view(laptop, table).words.items.contains { $0.text == "Synergy" && $0.mine })
    }
    #expect(try world.view(bo, table).words.items.first { $0.text == "word 3" }?.struck == true)
    #expect(try world.view(cy, table).words.items.first { $0.text == "word 3" }?.struck == false)
    #expect(try world.ask(bo, .game(table, suggest)).code != "ok")

    world.mend(ana, bo)
    world.mend(ana, cy)
    try world.run(until: "all agree", within: 20_000) { world in
      try [ana, bo, cy].allSatisfy { laptop in
        let view = try world.view(laptop, table)
        return view.words.items.filter { $0.text == "Synergy" }.count == 1
          && view.words.items.first { $0.text == "word 3" }?.struck == true
      }
    }
    try world.run(until: "one was second", within: 20_000) { world in
      try [bo, cy].contains { try !world.state($0).refusals.isEmpty }
    }
    let refused = try [bo, cy].flatMap { try world.state($0).refusals }
    #expect(refused.count == 1)
    #expect(ids.map(\.text).contains(try #require(refused.first).command))
    #expect(world.offences == [])
  }

  @Test func `shows an own vote at once, and keeps it over a restart`() throws {
    let world = World("Ana", "Bo", "Cy", "Di")
    let table = try world.game()
    let word = try world.row(ana, table)[0]
    try world.claim(ana, table, word)
    try world.run(until: "the claim") { try !$0.view(bo, table).claims.isEmpty }
    for other in [ana, cy, di] { world.cut(bo, other) }
    try world.vote(bo, table, word, false)
    let claim = try #require(try world.view(bo, table).claims.first)
    #expect(claim.myVote == "deny")
    #expect(!claim.mayVote)
    #expect(claim.denials.isEmpty)
    world.kill(bo)
    world.start(bo)
    #expect(try world.view(bo, table).claims.first?.myVote == "deny")
    for other in [ana, cy, di] { world.mend(bo, other) }
    try world.run(until: "it is agreed", within: 15_000) {
      try $0.view(ana, table).claims.first?.denials.count == 1
    }
    #expect(try world.view(bo, table).claims.first?.myVote == "deny")
    #expect(world.offences == [])
  }

  @Test func `says why the owner may not start yet, and for whom a start waits`() throws {
    let world = World("Ana", "Bo")
    try world.meet()
    let table = try world.makeTable(.table(words: 9))
    #expect(try world.tableView(ana, table).start.code == "playersMissing")
    #expect(try world.ask(ana, .start(table)).code == "playersMissing")
    try world.sit(bo, at: table)
    #expect(try world.tableView(ana, table).start.possible)
    world.unplug(bo)
    world.run(for: 6_000)
    #expect(try world.ask(ana, .start(table)).code == "ok")
    world.run(for: 10_000)
    let waiting = try #require(try world.tableView(ana, table).waiting)
    #expect(waiting.code == "startWaits")
    #expect(waiting.names == ["Bo"])
    #expect(waiting.choices == ["wait", "cancel"])
    world.plugIn(bo)
    try world.run(until: "boards", within: 20_000) { world in
      [ana, bo].allSatisfy { world.session($0, table)?.table.phase == .playing }
    }
    #expect(world.offences == [])
  }
}
