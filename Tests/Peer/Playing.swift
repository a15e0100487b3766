import CBOR
import Consensus
import Games
import Table
import Testing
import Wire

@testable import Peer

/// Laptops of most tests, by their numbers.
let ana = 0
let bo = 1
let cy = 2
let di = 3

extension CommandReply {
  /// The table of an answer that says yes.
  var table: TableID? {
    if case .accepted(let table) = self { table } else { nil }
  }

  /// The code of an answer that says no; `ok` for one that does not.
  var code: String {
    if case .refused(let code, _, _) = self { code } else { "ok" }
  }
}

extension GameCommand {
  /// A table of own words.
  static func table(
    words count: Int = 9, size: Int = 3, marking: String = "finder"
  ) -> GameCommand {
    GameCommand(
      "createTable",
      [
        ("size", .int(size)), ("minutes", .int(15)), ("marking", .text(marking)),
        ("own", .text((1...count).map { "word \($0)" }.joined(separator: "\n"))),
      ])
  }
}

extension World {
  /// Everybody sees everybody.
  func meet() throws {
    try run(until: "all see one another") { world in
      try world.laptops.indices.allSatisfy { index in
        guard world[index].peer != nil else { return true }
        return try world.state(index).people.count == world.laptops.count - 1
      }
    }
  }

  /// A table of one laptop's, in its lobby.
  func makeTable(by laptop: Int = ana, _ command: GameCommand = .table()) throws -> TableID {
    let reply = try ask(laptop, .createTable(.bingo, title: "", command))
    return try #require(reply.table, "\(reply)")
  }

  /// A laptop sits down at another's table, from the list.
  func sit(_ laptop: Int, at table: TableID) throws {
    try run(until: "the table in the list") {
      try $0.state(laptop).openTables.contains { $0.id == table }
    }
    #expect(try ask(laptop, .joinTable(table)) == .accepted(table: table))
    try run(until: "a seat") { world in
      world.session(laptop, table)?.isJoining == false
    }
  }

  /// A lobby where everybody sits.
  func lobby(_ command: GameCommand = .table()) throws -> TableID {
    try meet()
    let table = try makeTable(command)
    for laptop in laptops.indices.dropFirst() { try sit(laptop, at: table) }
    try agree(on: table)
    return table
  }

  /// A game that has begun.
  func game(_ command: GameCommand = .table()) throws -> TableID {
    let table = try lobby(command)
    try start(table)
    return table
  }

  func start(_ table: TableID) throws {
    #expect(try ask(ana, .start(table)).code == "ok")
    try run(until: "boards everywhere", within: 20_000) { world in
      world.seated(at: table).allSatisfy { world.session($0, table)?.table.phase == .playing }
    }
  }

  var running: [Int] { laptops.indices.filter { laptops[$0].peer != nil && !laptops[$0].isFrozen } }

  /// Those that run and whose players sit at a table.
  func seated(at table: TableID) -> [Int] {
    running.filter { session($0, table).map { $0.isSatAt && !$0.isJoining } ?? false }
  }

  /// All that run and sit at a table have the same log.
  func agree(on table: TableID, within limit: UInt64 = 10_000) throws {
    try run(until: "one log everywhere", within: limit) { world in
      let tips = world.seated(at: table).compactMap { world.session($0, table) }.map {
        ($0.replica.finalTip, $0.table.stateHash)
      }
      return tips.allSatisfy { $0 == tips[0] }
    }
  }

  // MARK: Playing

  func sessionView(_ laptop: Int, _ table: TableID) throws -> SessionView {
    guard let session = session(laptop, table), var peer = laptops[laptop].peer else {
      throw Trouble("\(laptops[laptop].name) has no such table")
    }
    peer.now = now
    return peer.sessionView(session)
  }

  func tableView(_ laptop: Int, _ table: TableID) throws -> TableView {
    try sessionView(laptop, table).table
  }

  func view(_ laptop: Int, _ table: TableID) throws -> BingoView {
    guard case .bingo(let view) = try tableView(laptop, table).play else {
      throw Trouble("it is a table of bingo")
    }
    return view
  }

  /// The tile of a word on a laptop's board.
  func tile(_ laptop: Int, _ table: TableID, _ word: String) throws -> BingoView.Tile {
    try #require(try view(laptop, table).board?.tiles.first { $0.word == word }, "\(word)")
  }

  @discardableResult
  func claim(
    _ laptop: Int, _ table: TableID, _ word: String, now: Bool = true
  ) throws -> CommandReply {
    let tile = try tile(laptop, table, word).index
    return try ask(
      laptop,
      .game(table, GameCommand("claim", [("tile", .int(tile)), ("now", .bool(now))])))
  }

  /// Waits for an open claim of a word and votes on it.
  @discardableResult
  func vote(
    _ laptop: Int, _ table: TableID, _ word: String, _ confirm: Bool
  ) throws -> CommandReply {
    try run(until: "a claim of \(word) on \(laptops[laptop].name)'s page") {
      try $0.view(laptop, table).claims.contains { $0.word == word }
    }
    let claim = try #require(try view(laptop, table).claims.first { $0.word == word })
    return try ask(
      laptop,
      .game(table, GameCommand("vote", [("claim", .text(claim.id)), ("confirm", .bool(confirm))])))
  }

  /// One claims a word, the others all say the same to it.
  func settle(
    _ laptop: Int, _ table: TableID, _ word: String, _ confirm: Bool = true
  ) throws {
    try claim(laptop, table, word)
    let voters = seated(at: table).filter { $0 != laptop }
    for voter in voters {
      try run(until: "\(word) claimed", within: 15_000) {
        try !$0.view(voter, table).claims.isEmpty
          || $0.feed(voter, table).contains { $0.word == word }
      }
      if try view(voter, table).claims.contains(where: { $0.word == word && $0.mayVote }) {
        try vote(voter, table, word, confirm)
      }
    }
    try run(until: "\(word) settled everywhere", within: 15_000) { world in
      try world.seated(at: table).allSatisfy { each in
        try world.view(each, table).claims.allSatisfy { $0.word != word }
          && world.feed(each, table).contains { $0.word == word }
      }
    }
  }

  func feed(_ laptop: Int, _ table: TableID) throws -> [TableView.FeedItem] {
    try tableView(laptop, table).feed
  }

  /// The words of the first row of a laptop's board.
  func row(_ laptop: Int, _ table: TableID, _ row: Int = 0) throws -> [String] {
    try run(until: "a board on \(laptops[laptop].name)'s page", within: 10_000) {
      try $0.view(laptop, table).board != nil
    }
    let board = try #require(try view(laptop, table).board)
    return board.tiles[(row * board.size)..<((row + 1) * board.size)].map(\.word)
  }
}
