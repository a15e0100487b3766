import Games
import Table
import TestSupport
import Testing
import Wire

@testable import Peer

@Suite struct `After a crash` {
  /// A moment: with the so-manyth transaction from now, before it is durable or right after.
  struct Moment: CustomTestStringConvertible {
    let commit: Int
    let isAfter: Bool
    var testDescription: String { "\(isAfter ? "after" : "before") commit \(commit)" }

    static let all = (0...3).flatMap { commit in
      [false, true].map { Moment(commit: commit, isAfter: $0) }
    }
  }

  /// Gives Bo a command, lets his node stop at a moment, starts it again and repeats the command as
  /// a page does that got no answer.
  private func repeated(
    _ world: World, _ command: Command, _ moment: Moment
  ) throws -> CommandReply {
    world[bo].crash = (world[bo].disk.commits + moment.commit, moment.isAfter)
    let id = world.tell(bo, command)
    world.run(for: 3_000)
    world[bo].crash = nil
    if world[bo].peer == nil {
      world[bo].replies[id] = nil
      world.start(bo)
      world.run(for: 1_000)
    }
    let reply = try world.ask(bo, command, id: id)
    world.run(for: 6_000)
    #expect(try world.ask(bo, command, id: id).code == "ok")
    return reply
  }

  @Test(arguments: Moment.all)
  func `a table asked for twice is made once`(moment: Moment) throws {
    let world = World("Ana", "Bo")
    try world.meet()
    let reply = try repeated(world, .createTable(.bingo, title: "Once", .table()), moment)
    #expect(try world.state(bo).tables.map(\.table.id) == [reply.table].compactMap { $0 })
    #expect(try world.state(bo).lastWords?.count == 9)
    try world.run(until: "one on the list") { try $0.state(ana).openTables.count == 1 }
    #expect(world.offences == [])
  }

  @Test(arguments: Moment.all)
  func `a seat asked for twice is one seat`(moment: Moment) throws {
    let world = World("Ana", "Bo")
    try world.meet()
    let table = try world.makeTable()
    try world.run(until: "the list") { try !$0.state(bo).openTables.isEmpty }
    _ = try repeated(world, .joinTable(table), moment)
    try world.run(until: "a seat") { $0.session(bo, table)?.isJoining == false }
    #expect(world.session(ana, table)?.table.seats.count == 2)
    #expect(world.offences == [])
  }

  @Test(arguments: Moment.all)
  func `a claim made twice is one claim`(moment: Moment) throws {
    let world = World("Ana", "Bo", "Cy")
    let table = try world.game()
    let word = try world.row(bo, table)[0]
    let tile = try world.tile(bo, table, word).index
    let claim = GameCommand("claim", [("tile", .int(tile)), ("now", .bool(true))])
    _ = try repeated(world, .game(table, claim), moment)
    try world.run(until: "the claim") { try $0.view(ana, table).claims.count == 1 }
    let moves = world[ana].agreed.filter { $0.kind == "move" }
    #expect(moves.map(\.outcome) == ["done"])
    #expect(world.offences == [])
  }

  @Test(arguments: Moment.all)
  func `who quit has quit`(moment: Moment) throws {
    let world = World("Ana", "Bo", "Cy")
    let table = try world.game()
    _ = try repeated(world, .quit(table), moment)
    #expect(try world.state(bo).tables.isEmpty)
    try world.run(until: "Ana sees it") { try $0.tableView(ana, table).seats[1].left }
    #expect(world[ana].agreed.filter { $0.kind == "left" }.map(\.outcome) == ["done"])
    #expect(world.offences == [])
  }

  @Test func `own entries wait for a member's word, or three seconds`() throws {
    let world = World("Ana", "Bo", "Cy")
    let table = try world.game()
    let words = try world.row(bo, table)
    var signedAt: UInt64?
    world.onEffect = { laptop, effect in
      if laptop == bo, case .sign(.entry, _, _) = effect { signedAt = signedAt ?? world.now }
    }
    world.kill(bo)
    for other in [ana, cy] { world.cut(bo, other) }
    world.start(bo)
    var start = world.now
    let tile = try world.tile(bo, table, words[0]).index
    let claim = GameCommand("claim", [("tile", .int(tile)), ("now", .bool(true))])
    let id = world.tell(bo, .game(table, claim))
    world.tell(bo, .game(table, claim), id: id)
    world.run(for: 2_900)
    #expect(signedAt == nil)
    #expect(world[bo].replies[id] == nil)
    try world.run(until: "signed") { _ in signedAt != nil }
    #expect((3_000...3_600).contains(try #require(signedAt) - start))
    #expect(world[bo].replies[id] == .accepted(table: table))

    world.kill(bo)
    for other in [ana, cy] { world.mend(bo, other) }
    signedAt = nil
    world.start(bo)
    start = world.now
    // With a member's word there is nothing to wait for.
    world.tell(bo, .quit(table))
    try world.run(until: "a new entry") { _ in signedAt != nil }
    #expect(try #require(signedAt) - start < 2_900)
    try world.run(until: "Ana knows") { try $0.tableView(ana, table).seats[1].left }
    #expect(world[ana].agreed.filter { $0.kind == "move" }.map(\.outcome) == ["done"])
    #expect(world.offences == [])
  }

  @Test(arguments: [
    [], Array("A".utf8), Array("Ana\n".utf8), Array("Ana\u{202e}".utf8), [0x41, 0x6e, 0xff],
    [UInt8](repeating: 0x41, count: 200),
  ])
  func `a name on the disk that nobody could bear is asked for again`(bytes: [UInt8]) throws {
    let world = World("Ana", "Bo")
    world.kill(ana)
    world[ana].disk.damage(.node) { key, value in
      if key == Array("name".utf8) { value = bytes }
    }
    world[ana].isNamed = false
    world.start(ana)
    #expect(try world.state(ana).screen == "welcome")
    #expect(try world.state(ana).me.name == nil)
  }

  @Test func `a disk set back to an earlier day uses no sequence twice`() throws {
    let world = World("Ana", "Bo", "Cy")
    let table = try world.game()
    let words = try world.row(bo, table)
    var yesterday = world[bo].disk
    yesterday.crash()
    try world.settle(bo, table, words[0])
    world.kill(bo)
    world[bo].disk = yesterday
    world.start(bo)
    try world.claim(bo, table, words[1])
    try world.run(until: "Ana is asked") {
      try $0.view(ana, table).claims.map(\.word) == [words[1]]
    }
    let own = try #require(world.session(bo, table)).keys.player.hex
    let entries = world[ana].agreed.filter { $0.author == own }
    #expect(entries.allSatisfy { $0.outcome == "done" })
    #expect(world.offences == [])
  }

  @Test(arguments: [ana, bo], 1...2 as ClosedRange<UInt64>)
  func `again and again through a whole game: seat, board, votes and every agreed entry stay`(
    victim: Int, seed: UInt64
  ) throws {
    let world = World("Ana", "Bo", "Cy", seed: seed)
    let table = try world.lobby()
    let storm = CrashStorm(of: victim, in: world)
    world.tell(ana, .start(table))
    try world.run(until: "boards everywhere", within: 60_000) { world in
      [ana, bo, cy].allSatisfy { world.session($0, table)?.table.phase == .playing }
    }
    let board = try world.view(victim, table).board?.tiles.map(\.word)
    for word in try world.row(cy, table) {
      try world.claim(cy, table, word)
      // The victim's page repeats the vote under one id until it is answered.
      let id = world.freshID()
      try world.run(until: "the victim's vote is agreed", within: 60_000) { world in
        guard world[victim].peer != nil else { return false }
        if world[victim].replies[id] == nil,
          let claim = try world.view(victim, table).claims.first(where: { $0.word == word })?.id
        {
          let vote = GameCommand("vote", [("claim", .text(claim)), ("confirm", .bool(true))])
          world.tell(victim, .game(table, vote), id: id)
        }
        return try world.feed(cy, table).contains { $0.word == word }
      }
    }
    try world.run(until: "the end", within: 60_000) { world in
      [ana, bo, cy].allSatisfy { world.session($0, table)?.table.phase == .over }
    }
    #expect(storm.crashes > 5)
    #expect(try world.view(victim, table).board?.tiles.map(\.word) == board)
    let logs = [ana, bo, cy].map { world[$0].peer?.log(of: table) ?? [] }
    #expect(logs[ana] == logs[bo] && logs[ana] == logs[cy])
    // What any page was ever told stands in the log.
    for laptop in [ana, bo, cy] {
      for entry in world[laptop].agreed { #expect(logs[ana][entry.index] == entry) }
    }
    #expect(world.offences == [])
  }

  @Test func `damaged rows keep the other tables and the node itself alive`() throws {
    let world = World("Ana", "Bo", "Cy")
    let table = try world.game()
    let other = try world.makeTable(by: bo)
    try world.settle(bo, table, world.row(bo, table)[0])
    world.kill(bo)
    let healthy = world[bo].disk
    var chance = SeededBytes(seed: 7)
    for collection in [StoredRecord.Collection.tables, .log, .drafts, .node] {
      for way in 0..<12 {
        world[bo].disk = healthy
        world[bo].disk.damage(collection) { key, value in
          guard collection == .node || key.starts(with: table.bytes), !value.isEmpty else { return }
          switch way % 4 {
          case 0: value = []
          case 1: value.removeLast()
          case 2: value = chance.bytes(value.count)
          default: value[Int(chance.next() % UInt64(value.count))] ^= 1 << (chance.next() % 8)
          }
        }
        world.start(bo)
        world.run(for: 50)
        if collection != .node { #expect(world.session(bo, other) != nil) }
        world.kill(bo)
      }
    }
    world[bo].disk = healthy
    world.start(bo)
    try world.settle(bo, table, world.row(bo, table)[1])
    #expect(world[bo].errors.isEmpty == false)
  }
}

/// Stops a laptop's node with one of its next transactions, starts it again, and so on for ever.
private final class CrashStorm {
  private let victim: Int
  private var chance: SeededBytes
  private(set) var crashes = 0

  init(of victim: Int, in world: World) {
    self.victim = victim
    chance = SeededBytes(seed: world.seed)
    plan(in: world)
    watch(world)
  }

  private func plan(in world: World) {
    let commit = world[victim].disk.commits + 2 + Int(chance.next() % 5)
    world[victim].crash = (commit, chance.next() % 2 == 0)
  }

  private func watch(_ world: World) {
    if world[victim].peer == nil {
      crashes += 1
      world.start(victim)
      plan(in: world)
    }
    world.after(40) { self.watch($0) }
  }
}
