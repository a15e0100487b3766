import CBOR
import Foundation
import Games
import Quoridor
import Table
import Testing
import Wire

@testable import Peer

extension World {
  /// A game that Ana has made; as many as play sit at it, and others help to agree.
  func beginDuel(players: Int = 2) throws -> TableID {
    try meet()
    let reply = try ask(
      ana, .createTable(.quoridor, title: "", GameCommand("", [("players", .int(players))])))
    let table = try #require(reply.table)
    for laptop in 1..<players { try sit(laptop, at: table) }
    for laptop in 1..<players {
      #expect(try ask(laptop, .ready(table, true)).code == "ok")
    }
    let helpers = min(4 - players, laptops.count - players)
    try run(until: "Start is possible, and who helps is there", within: 20_000) {
      let view = try $0.tableView(ana, table)
      return view.start.possible && view.witnesses.count == helpers
    }
    try start(table)
    return table
  }

  /// The laptop of whoever is to move.
  func mover(_ table: TableID) throws -> Int {
    let board = try #require(try duel(ana, table))
    return try #require(
      try [ana, bo].first { try duel($0, table)?.mine == board.toMove })
  }

  /// An entry with a move, signed by whoever plays on a laptop.
  func entry(
    of laptop: Int, _ table: TableID, _ text: String, turn: Int, sequence: UInt64
  ) throws -> Entry {
    let keys = try #require(session(laptop, table)).keys
    let move = QuoridorMove.play(try #require(Move(text)), turn: turn)
    let draft = Entry.Draft(
      table: table, author: keys.player, sequence: sequence,
      body: Act.move(encoded: move.cbor).encoded)
    let signature = try #require(self[laptop].keys.sign(draft.signedBytes, with: keys.player))
    return Entry(draft: draft, signature: signature)
  }
}

@Suite struct `Quoridor between laptops` {
  private func isUnfinished(_ world: World, _ laptop: Int, _ table: TableID) throws -> Bool {
    try world.tableView(laptop, table).result?.kind == .unfinished
  }

  @Test func `ends at the word of who is here when a closed lid opens again`() throws {
    let world = World("Ana", "Bo")
    let table = try world.beginDuel()
    world.unplug(bo)
    try world.run(until: "nobody to agree with", within: 30_000) {
      try $0.tableView(ana, table).waiting?.choices.contains("end") ?? false
    }
    #expect(try world.ask(ana, world.command(table, "askEnd")).code == "ok")
    #expect(try world.ask(ana, world.command(table, "askEnd")).code == "askedAlready")
    let waiting = try #require(try world.tableView(ana, table).waiting)
    #expect(waiting.code == "ending" && waiting.choices.isEmpty)
    world.kill(ana)
    world.start(ana)
    world.plugIn(bo)
    try world.run(until: "the end on both, and nobody was asked", within: 20_000) { world in
      try [ana, bo].allSatisfy { try isUnfinished(world, $0, table) }
    }
    #expect(world.offences == [])
  }

  @Test func `asks who was there all the time`() throws {
    let world = World("Ana", "Bo")
    let table = try world.beginDuel()
    world.run(for: 10_000)
    #expect(try world.ask(ana, world.command(table, "askEnd")).code == "ok")
    try world.run(until: "the question", within: 5_000) {
      try $0.duel(bo, table)?.asked?.mayAnswer ?? false
    }
    world.run(for: 10_000)
    #expect(try world.tableView(bo, table).result == nil)
    #expect(
      try world.ask(bo, world.command(table, "answer", [("yes", .bool(false))])).code == "ok")
    try world.run(until: "no question", within: 5_000) { try $0.duel(ana, table)?.asked == nil }
    #expect(try world.tableView(bo, table).phase == "playing")
  }

  @Test func `ends for four when the two who are here and the two who come back are all there`()
    throws
  {
    let world = World("Ana", "Bo", "Cy", "Di")
    let table = try world.beginDuel(players: 4)
    world.unplug(cy)
    world.unplug(di)
    try world.run(until: "two of four", within: 30_000) {
      try $0.tableView(ana, table).waiting != nil && $0.tableView(bo, table).waiting != nil
    }
    #expect(try world.ask(bo, world.command(table, "askEnd")).code == "ok")
    #expect(try world.ask(ana, world.command(table, "askEnd")).code == "ok")
    world.plugIn(cy)
    world.run(for: 3_000)
    world.plugIn(di)
    try world.run(until: "the end everywhere", within: 30_000) { world in
      try (ana...di).allSatisfy { try isUnfinished(world, $0, table) }
    }
    #expect(world.offences == [])
  }

  @Test func `has a witness whom its player has invited after a no`() throws {
    let world = World("Ana", "Bo", "Cy")
    try world.meet()
    #expect(try world.ask(cy, .witness(false)).code == "ok")
    let reply = try world.ask(ana, .createTable(.quoridor, title: "", GameCommand("", [])))
    let table = try #require(reply.table)
    #expect(try world.sessionView(ana, table).inviting == nil, "one sits there alone")
    try world.sit(bo, at: table)
    try world.run(until: "Cy's no", within: 20_000) {
      try $0.sessionView(ana, table).inviting?.refused == ["Cy"]
    }
    #expect(try world.sessionView(bo, table).inviting == nil)
    #expect(try world.ask(bo, .inviteWitness(table)).code == "onlyCreator")
    #expect(try world.ask(cy, .witness(true)).code == "ok")
    world.run(for: 20_000)
    #expect(try world.tableView(ana, table).witnesses.isEmpty, "who said no is left alone")
    #expect(try world.ask(ana, .inviteWitness(table)).code == "ok")
    try world.run(until: "Cy helps", within: 20_000) {
      try $0.tableView(ana, table).witnesses == ["Cy"]
    }
    #expect(try world.sessionView(ana, table).inviting?.possible == false)
    #expect(try world.ask(ana, .inviteWitness(table)).code == "nobodyNearby")
    #expect(world.offences == [])
  }

  /// The next number of an entry of whoever plays on a laptop.
  private func next(_ world: World, _ laptop: Int, _ table: TableID) throws -> UInt64 {
    let session = try #require(world.session(laptop, table))
    return session.finalSequence(of: session.keys.player)
  }

  @Test func `is lost on every page by who signs two moves for one turn`() throws {
    let world = World("Ana", "Bo", "Cy")
    let table = try world.beginDuel()
    let liar = try world.mover(table)
    let other = liar == ana ? bo : ana
    let number = try next(world, liar, table)
    let lies = [
      try world.entry(of: liar, table, "e2", turn: 0, sequence: number),
      try world.entry(of: liar, table, "d1", turn: 0, sequence: number + 1),
    ]
    // One to each; they tell one another.
    world.inject(LinkMessage.table(.entry(lies[0])).frame, from: liar, to: other)
    world.inject(LinkMessage.table(.entry(lies[1])).frame, from: liar, to: cy)
    let winner = try #require(world.session(other, table)).keys.player
    try world.run(until: "the same winner on both pages", within: 10_000) { world in
      try [ana, bo].allSatisfy { try world.tableView($0, table).result?.winners == [winner] }
    }
    for laptop in [ana, bo, cy] {
      #expect(try world.feed(laptop, table).contains { $0.kind == "forfeited" })
    }
    #expect(world.offences == [])
  }

  @Test func `is one game where two moves of one turn bear one number`() throws {
    let world = World("Ana", "Bo", "Cy")
    let table = try world.beginDuel()
    let liar = try world.mover(table)
    let other = liar == ana ? bo : ana
    let number = try next(world, liar, table)
    for (text, to) in [("e2", other), ("d1", cy)] {
      let entry = try world.entry(of: liar, table, text, turn: 0, sequence: number)
      world.inject(LinkMessage.table(.entry(entry)).frame, from: liar, to: to)
    }
    try world.run(until: "one turn over on every page", within: 10_000) { world in
      let boards = try [other, cy].map { try world.duel($0, table)?.turns }
      return boards[0]?.count == 1 && boards[0] == boards[1]
    }
    try world.agree(on: table)
    #expect(try world.tableView(other, table).phase == "playing")
  }

  private static let races =
    ProcessInfo.processInfo.environment["TABLETALK_LONG"] == "1" ? 50 : 8

  /// A move that is made about when its time is over counts for all, or for nobody.
  @Test func `has one result where a move and its time-out are of one instant`() throws {
    let world = World("Ana", "Bo", "Cy")
    var table = try world.beginDuel()
    var ranOut = 0
    for race in 0..<Self.races {
      let mover = try world.mover(table)
      let board = try #require(try world.duel(mover, table))
      // From 30 ms before the time is over to 18 ms after, in no order.
      let offset = race * 29 % Self.races * 48 / Self.races - 30
      func left() throws -> UInt64 { try #require(try world.duel(mover, table)?.clock).leftMs }
      world.run(for: try left() - 1_500)
      // What is shown is of the last tick: it is exact just after one.
      let shown = try left()
      for _ in 0..<600 where try left() == shown { world.run(for: 1) }
      world.run(for: UInt64(Int(try left()) + offset))
      let fields: [(String, GameCommand.Value)] = [
        ("move", .text(board.squares[0])), ("turn", .int(board.turn)),
      ]
      world.tell(mover, world.command(table, "move", fields))
      try world.run(until: "the turn over on every page", within: 10_000) { world in
        try [ana, bo, cy].allSatisfy { try world.duel($0, table)?.turn ?? 0 > board.turn }
      }
      try world.agree(on: table)
      let turns = try [ana, bo, cy].map { try world.duel($0, table)?.turns }
      #expect(
        turns.allSatisfy { $0 == turns[0] && $0?.count == board.turns.count + 1 },
        "race \(race): \(turns.map { $0?.map(\.move) ?? [] }) after \(board.turns.map(\.move))")
      if turns[0]?.last?.ranOut == true { ranOut += 1 }
      if try world.tableView(ana, table).phase != "playing" { table = try world.beginDuel() }
    }
    #expect((1..<Self.races).contains(ranOut), "\(ranOut) of \(Self.races) ran out")
    #expect(world.offences == [])
  }
}
