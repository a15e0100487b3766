import Archive
import Consensus
import Games
import Table
import Testing
import Wire

@testable import Peer

@Suite struct `A laptop without a seat` {
  /// Ana and Bo play, and the others look on.
  private func gameOfTwo(_ world: World) throws -> TableID {
    world.watchesPages = true
    try world.meet()
    let table = try world.makeTable()
    try world.sit(bo, at: table)
    try world.run(until: "those who help", within: 15_000) { world in
      try world.tableView(ana, table).witnesses.count == min(2, world.laptops.count - 2)
    }
    try world.start(table)
    return table
  }

  private func voters(_ world: World, _ table: TableID, _ laptop: Int = ana) -> Int {
    world.session(laptop, table)?.replica.epoch.voters.count ?? 0
  }

  @Test func `helps two to agree: the one goes on when the other vanishes, who comes back`() throws
  {
    let world = World("Ana", "Bo", "Cy")
    let table = try gameOfTwo(world)
    #expect(voters(world, table) == 3)
    #expect(world.session(cy, table)?.replica.isVoting == true)
    #expect(try world.tableView(bo, table).witnesses == ["Cy"])
    // Cy's page has no such table; it says that the laptop helps.
    let page = try world.state(cy)
    #expect(page.myTables.isEmpty && page.tables.isEmpty)
    #expect(page.witnessing.allowed && page.witnessing.titles.count == 1)
    world.unplug(bo)
    try world.run(until: "Bo is away in the log", within: 80_000) {
      try $0.feed(ana, table).contains { $0.kind == "away" }
    }
    #expect(try world.tableView(ana, table).waiting == nil)
    let word = try world.row(ana, table)[0]
    try world.claim(ana, table, word)
    try world.run(until: "nobody answers, and time runs all the same", within: 40_000) {
      try $0.feed(ana, table).first?.kind == "expired"
    }
    world.plugIn(bo)
    try world.run(until: "Bo is back", within: 15_000) {
      try $0.feed(ana, table).contains { $0.kind == "back" }
    }
    try world.settle(bo, table, world.row(bo, table)[0])
    #expect(try world.ask(bo, .quit(table)).code == "ok")
    try world.run(until: "the end", within: 20_000) {
      try $0.tableView(ana, table).result?.kind == .lastPlayer
    }
    let bytes = try #require(world[ana].peer?.exportedLog(of: table.hex).bytes)
    let proof = try LogVerifier.verify(bytes, checker: Ed25519())
    #expect(proof.tip == world.session(ana, table)?.replica.finalTip)
    world.run(for: 90_000)
    #expect(world.session(cy, table)?.isPutAway ?? true, "or it is gone from the memory")
    #expect(try world.state(cy).witnessing.titles.isEmpty)
    #expect(world.offences == [])
  }

  @Test func `is asked only where fewer than four sit, as many as are missing`() throws {
    let world = World("Ana", "Bo", "Cy", "Di", "Eve")
    let table = try gameOfTwo(world)
    #expect(voters(world, table) == 4)
    let helping = (2...4).filter { world.session($0, table) != nil }
    #expect(helping.count == 2)
    world.kill(helping[0])
    world.start(helping[0])
    try world.run(until: "it votes again after a restart", within: 15_000) {
      $0.session(helping[0], table)?.replica.isVoting == true
    }
    #expect(try world.state(helping[0]).myTables.isEmpty)
    #expect(world.offences == [])
  }

  @Test func `says no where its player does not want it, and goes when he changes his mind`() throws
  {
    let world = World("Ana", "Bo", "Cy", "Di")
    try world.meet()
    #expect(try world.ask(di, .witness(false)).code == "ok")
    let table = try world.makeTable()
    try world.sit(bo, at: table)
    try world.run(until: "Cy helps") { try $0.tableView(ana, table).witnesses == ["Cy"] }
    world.run(for: 40_000)
    #expect(try world.tableView(ana, table).witnesses == ["Cy"])
    #expect(world.session(di, table) == nil)
    try world.start(table)
    #expect(voters(world, table) == 3)
    #expect(try world.ask(cy, .witness(false)).code == "ok")
    try world.run(until: "Cy votes no more", within: 20_000) { voters($0, table) == 2 }
    #expect(try world.tableView(ana, table).witnesses.isEmpty)
    #expect(try world.tableView(ana, table).promise != nil)
    world.kill(cy)
    world.start(cy)
    #expect(try !world.state(cy).witnessing.allowed)
    #expect(world.offences == [])
  }

  @Test func `hears nothing of a private table, nor of one where everybody must agree`() throws {
    for access in [TableAccess(isPrivate: true), TableAccess(isStrict: true)] {
      let world = World("Ana", "Bo", "Cy")
      try world.meet()
      let reply = try world.ask(
        ana, .createTable(.bingo, title: "", access: access, .table()))
      let table = try #require(reply.table)
      if access.isPrivate {
        #expect(try world.ask(bo, .join(world.tableView(ana, table).invitation)).code == "ok")
        try world.run(until: "a seat") { $0.session(bo, table)?.isJoining == false }
      } else {
        try world.sit(bo, at: table)
      }
      world.run(for: 30_000)
      #expect(world.session(cy, table) == nil)
      #expect(try world.tableView(ana, table).witnesses.isEmpty)
    }
  }

  @Test func `whose player asks for a seat too late helps on with the vote it has`() throws {
    let world = World("Ana", "Bo", "Cy")
    world.watchesPages = true
    try world.meet()
    let table = try world.makeTable()
    try world.sit(bo, at: table)
    try world.run(until: "Cy helps", within: 15_000) {
      try $0.tableView(ana, table).witnesses == ["Cy"]
    }
    let voter = try #require(world.session(cy, table)).keys.voter
    // What Cy asks for is held up until Ana has begun.
    world.keepsBack = { from, message in
      if case .table(.entry(let entry)) = message { return from == cy && entry.sequence == 0 }
      return false
    }
    _ = try world.ask(cy, .joinTable(table))
    try world.run(until: "Cy asks for a seat", within: 10_000) {
      $0.session(cy, table)?.isWitness == false
    }
    #expect(try world.ask(ana, .start(table)).code == "ok")
    try world.run(until: "the game has begun", within: 20_000) {
      $0.session(ana, table)?.table.phase == .playing
    }
    world.keepsBack = nil
    try world.run(until: "Cy votes", within: 20_000) { world in
      voters(world, table) == 3 && world.session(cy, table)?.replica.isVoting == true
    }
    #expect(world.session(cy, table)?.isWitness == true)
    #expect(world.session(cy, table)?.keys.voter == voter)
    #expect(try world.state(cy).refusals.last?.code == "tableStarted")
    world.kill(cy)
    world.start(cy)
    try world.run(until: "Cy votes after a restart", within: 15_000) {
      $0.session(cy, table)?.replica.isVoting == true
    }
    #expect(world.offences == [])
  }

  @Test func `whose player sits down is his, though the table needs no witness any more`() throws {
    let world = World("Ana", "Bo", "Cy", "Di", "Eve")
    let eve = 4
    try world.meet()
    for laptop in [cy, bo, eve] {
      #expect(try world.ask(laptop, .witness(false)).code == "ok")
    }
    let table = try world.makeTable()
    world.keepsBack = { from, message in
      if case .table(.entry) = message { return from == di }
      return false
    }
    try world.sit(bo, at: table)
    try world.run(until: "Di's laptop offers its vote", within: 15_000) {
      $0.session(di, table)?.outbox.drafts.first?.entry != nil
    }
    for laptop in [cy, eve] { try world.sit(laptop, at: table) }
    #expect(world.session(di, table)?.isWitness == true)
    world.keepsBack = nil
    try world.sit(di, at: table)
    world.run(for: 5_000)
    #expect(try world.tableView(ana, table).seats.count == 5)
    #expect(world.session(di, table)?.refusal == nil)
    #expect(world.session(di, table)?.isWitness == false)
    world.kill(di)
    world.start(di)
    #expect(
      world.session(di, table)?.outbox.drafts.map(\.draft.author)
        == world.session(di, table).map { [$0.keys.player] })
    #expect(world.offences == [])
  }

  @Test func `that was not asked is not taken`() throws {
    let world = World("Ana", "Bo", "Cy")
    try world.meet()
    #expect(try world.ask(cy, .witness(false)).code == "ok")
    let table = try world.makeTable()
    try world.sit(bo, at: table)
    world.run(for: 3_000)
    let session = try #require(world.session(ana, table))
    let uninvited = try #require(world[bo].peer).me
    let act = Act.witness(
      Act.Join(identity: uninvited, voter: session.keys.voter, generation: 0, name: "Cy"))
    let entry = Entry(
      draft: Entry.Draft(
        table: table, author: session.keys.player, sequence: 0, body: act.encoded),
      signature: Signature.blank)
    let index = try #require(world[ana].peer?.sessions.firstIndex { $0.id == table })
    #expect(world[ana].peer?.isWelcome(entry, at: index) == false)
  }
}
