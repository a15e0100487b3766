import Games
import Table
import Testing
import Wire

@testable import Peer

extension World {
  /// The board of Quoridor as a laptop's page shows it.
  func duel(_ laptop: Int, _ table: TableID) throws -> QuoridorView.Board? {
    guard case .quoridor(let view) = try tableView(laptop, table).play else {
      throw Trouble("it is a table of Quoridor")
    }
    return view.board
  }

  func command(_ table: TableID, _ kind: String, _ fields: [(String, GameCommand.Value)] = [])
    -> Command
  {
    .game(table, GameCommand(kind, fields))
  }
}

private func practice(_ opponent: Int, players: Int = 2) -> Command {
  .practise(
    .quoridor, GameCommand("tryItNow", [("opponent", .int(opponent)), ("players", .int(players))]))
}

@Suite struct `Quoridor on one laptop` {
  @Test(arguments: [1, 2])
  func `is played against the computer, whose moves are signed and agreed`(level: Int) throws {
    let world = World("Ana")
    let table = try #require(try world.ask(ana, practice(level)).table)
    try world.run(until: "a board", within: 1_000) { try $0.duel(ana, table) != nil }
    let seats = try world.tableView(ana, table).seats
    #expect(seats.map(\.name) == ["Ana", "Computer"])
    #expect(seats[1].pretend)
    for _ in 0..<4 {
      try world.run(until: "my turn", within: 2_000) {
        let board = try $0.duel(ana, table)
        return board?.toMove == board?.mine
      }
      let square = try #require(try world.duel(ana, table)?.squares.last)
      #expect(
        try world.ask(ana, world.command(table, "move", [("move", .text(square))])).code == "ok")
    }
    try world.run(until: "eight turns or nine, and mine", within: 2_000) {
      let board = try $0.duel(ana, table)
      return (board?.turns.count ?? 0) >= 8 && board?.toMove == board?.mine
    }
    // A move is taken back without a word.
    #expect(try world.ask(ana, world.command(table, "askTakeBack")).code == "ok")
    try world.run(until: "a move less", within: 2_000) {
      try ($0.duel(ana, table)?.turns.count ?? 9) < 8
    }
    #expect(try world.ask(ana, world.command(table, "giveUp")).code == "ok")
    try world.run(until: "the result") { try $0.tableView(ana, table).result != nil }
    #expect(try world.tableView(ana, table).result?.winners == [seats[1].player])
    #expect(world.offences == [])
  }

  @Test func `goes on after a restart, with the computer to move`() throws {
    let world = World("Ana")
    let table = try #require(try world.ask(ana, practice(1)).table)
    try world.run(until: "my turn", within: 2_000) {
      let board = try $0.duel(ana, table)
      return board != nil && board?.toMove == board?.mine
    }
    world.kill(ana)
    world.start(ana)
    try world.run(until: "my turn", within: 5_000) {
      let board = try $0.duel(ana, table)
      return board?.toMove == board?.mine
    }
    let before = try #require(try world.duel(ana, table))
    let square = try #require(before.squares.last)
    world.tell(ana, world.command(table, "move", [("move", .text(square))]))
    try world.run(until: "the computer's answer", within: 8_000) {
      try ($0.duel(ana, table)?.turns.count ?? 0) >= before.turns.count + 2
    }
    #expect(world.offences == [])
  }

  @Test(arguments: [2, 4])
  func `is played in turns by people who share it`(players: Int) throws {
    let world = World("Ana")
    let table = try #require(try world.ask(ana, practice(0, players: players)).table)
    try world.run(until: "a board", within: 1_000) { try $0.duel(ana, table) != nil }
    #expect(try world.tableView(ana, table).seats.map(\.name).dropFirst().first == "Player 2")
    for turn in 0..<players * 2 {
      let board = try #require(try world.duel(ana, table))
      #expect(board.toMove == turn % players)
      let fields: [(String, GameCommand.Value)] = [
        ("move", .text(board.squares[0])), ("turn", .int(board.turn)),
      ]
      #expect(try world.ask(ana, world.command(table, "move", fields)).code == "ok")
      try world.run(until: "the next turn") {
        try ($0.duel(ana, table)?.turns.count ?? 0) == turn + 1
      }
    }
    #expect(world.offences == [])
  }

  @Test func `never signs two moves for one turn, however fast one clicks`() throws {
    let world = World("Ana")
    let table = try #require(try world.ask(ana, practice(0)).table)
    try world.run(until: "a board", within: 1_000) { try $0.duel(ana, table) != nil }
    let board = try #require(try world.duel(ana, table))
    func move(_ text: String, _ turn: Int) -> Command {
      world.command(table, "move", [("move", .text(text)), ("turn", .int(turn))])
    }
    let (first, second) = (world.freshID(), world.freshID())
    world.tell(ana, move(board.squares[0], 0), id: first)
    world.tell(ana, move(board.squares[1], 0), id: second)
    try world.run(until: "a turn over") { try $0.duel(ana, table)?.turn ?? 0 > 0 }
    #expect(try world.duel(ana, table)?.turns.map(\.move) == [board.squares[0]])
    #expect(try world.ask(ana, move(board.squares[1], 0)).code == "turnIsOver")
    #expect(try world.tableView(ana, table).phase == "playing")
  }

  @Test func `goes on from moves that were pasted, and shows a game that is over`() throws {
    let world = World("Ana")
    func paste(_ moves: String) -> Command {
      .practise(
        .quoridor, GameCommand("tryItNow", [("opponent", .int(0)), ("moves", .text(moves))]))
    }
    #expect(try world.ask(ana, paste("e2 e2")).code == "pawnCannotGoThere")
    let table = try #require(try world.ask(ana, paste("1. e2 e8 2. e3")).table)
    try world.run(until: "a board", within: 1_000) { try $0.duel(ana, table) != nil }
    #expect(try world.duel(ana, table)?.turns.map(\.move) == ["e2", "e8", "e3"])
    #expect(try world.ask(ana, world.command(table, "move", [("move", .text("e7"))])).code == "ok")
    try world.run(until: "a turn more") { try $0.duel(ana, table)?.turns.count == 4 }
    let whole = "e2 a8h e3 c8h e4 a7h e5 c7h e6 a6h e7 d9 e8 c9 e9"
    let over = try #require(try world.ask(ana, paste(whole)).table)
    try world.run(until: "the result", within: 1_000) {
      try $0.tableView(ana, over).result?.kind == .line
    }
    #expect(try world.duel(ana, over)?.turns.count == 15)
    world.kill(ana)
    world.start(ana)
    try world.run(until: "the game again", within: 5_000) {
      try $0.duel(ana, table)?.turns.count == 4
    }
    #expect(world.offences == [])
  }

  @Test func `is refused what it does not know`() throws {
    let world = World("Ana")
    #expect(try world.ask(ana, practice(5)).code == "malformed")
    #expect(try world.ask(ana, practice(1, players: 3)).code == "malformed")
  }
}

@Suite struct `Looking for somebody to play with` {
  @Test func `brings two together within five seconds, also when both begin at once`() throws {
    for pause in [0, 200, 4_000] as [UInt64] {
      let world = World("Ana", "Bo")
      try world.meet()
      #expect(try world.ask(ana, .match(.quoridor)).code == "ok")
      world.run(for: pause)
      #expect(try world.ask(bo, .match(.quoridor)).code == "ok")
      try world.run(until: "a board on both", within: 8_000) { world in
        try [ana, bo].allSatisfy { laptop in
          try world.state(laptop).tables.contains { $0.table.phase == "playing" }
        }
      }
      #expect(try world.state(ana).matching == nil)
      #expect(try world.state(bo).matching == nil)
      #expect(world.offences == [])
    }
  }

  @Test func `goes on when the other one has thought again`() throws {
    let world = World("Ana", "Bo", "Cy")
    try world.meet()
    #expect(try world.ask(ana, .match(.quoridor)).code == "ok")
    try world.run(until: "a table to be found at", within: 5_000) {
      try !$0.state(bo).openTables.isEmpty
    }
    #expect(try world.ask(bo, .match(.quoridor)).code == "ok")
    try world.run(until: "a seat", within: 5_000) {
      try $0.state(bo).tables.contains { $0.table.seats.count == 2 }
    }
    world.tell(ana, .match(nil))
    world.run(for: 8_000)
    let begun = try world.state(bo).tables.contains { $0.table.phase == "playing" }
    guard !begun else { return }
    #expect(try world.state(bo).matching == .quoridor, "Bo still looks")
    #expect(try world.ask(cy, .match(.quoridor)).code == "ok")
    try world.run(until: "a board for Bo and Cy", within: 10_000) { world in
      try [bo, cy].allSatisfy { laptop in
        try world.state(laptop).tables.contains { $0.table.phase == "playing" }
      }
    }
    #expect(world.offences == [])
  }

  @Test func `can be called off, and leaves nothing behind`() throws {
    let world = World("Ana", "Bo")
    try world.meet()
    #expect(try world.ask(ana, .match(.bingo)).code == "malformed")
    #expect(try world.ask(ana, .match(.quoridor)).code == "ok")
    try world.run(until: "a table to be found at", within: 5_000) {
      try !$0.state(bo).openTables.isEmpty
    }
    #expect(try world.ask(ana, .match(nil)).code == "ok")
    try world.run(until: "no table any more", within: 5_000) {
      try $0.state(bo).openTables.isEmpty && $0.state(ana).myTables.isEmpty
    }
    #expect(try world.state(ana).matching == nil)
    #expect(world.offences == [])
  }
}
