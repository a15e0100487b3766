import Games
import Table
import Testing
import Wire

@testable import Peer

/// Past games, made again from their logs (PRODUCT C21).
@Suite struct `Past games` {
  @Test func `show every moment, and the same after a restart when they were put away`() throws {
    let world = World("Ana", "Bo")
    let table = try world.game(.table(marking: "tap"))
    let peer = { (laptop: Int) in try #require(world[laptop].peer) }
    #expect(try peer(ana).pastGames.isEmpty)
    #expect(
      try peer(ana).replay(of: table.hex) == nil, "boards of others are hidden while a game goes on"
    )
    let words = try world.row(ana, table)
    for word in words { try world.settle(ana, table, word) }
    try world.run(until: "over", within: 20_000) { world in
      [ana, bo].allSatisfy { world.session($0, table)?.table.phase == .over }
    }
    let row = try #require(try peer(ana).pastGames.first)
    #expect(row.winners == ["Ana"] && row.people.sorted() == ["Ana", "Bo"] && !row.pretend)
    let replay = try #require(try peer(ana).replay(of: table.hex))
    #expect(replay.size == 3 && replay.boards.count == 2)
    #expect(replay.moments.filter { $0.kind == "confirmed" }.map(\.word) == words)
    #expect(replay.moments.contains { $0.kind == "won" })
    // What the moments add up to is the board at the end.
    var marks: Set<[Int]> = []
    for moment in replay.moments { marks = marks.union(moment.marked).subtracting(moment.unmarked) }
    guard case .bingo(let result) = replay.table.table.result?.recap else {
      Issue.record("no recap")
      return
    }
    for (index, board) in result.boards.enumerated() {
      let tiles = board.tiles.indices.filter { board.tiles[$0].marked }
      #expect(Set(tiles.map { [index, $0] }) == marks.filter { $0[0] == index })
      #expect(board.tiles.map(\.word) == replay.boards[index].words)
    }
    let saved = try peer(ana).exportedLog(of: table.hex).bytes
    let log = try #require(try peer(ana).log(of: table))
    #expect(try world.ask(ana, .putAway(table)).code == "ok")
    // It leaves the memory, and is read from the disk by whoever looks back.
    try world.run(until: "gone", within: 30_000) { $0.session(ana, table) == nil }
    #expect(world[ana].keys.held.isEmpty, "its keys leave the memory with it")
    let rows: Peer.TableReader = { _ in world[ana].disk.stored }
    #expect(try peer(ana).pastGames.map(\.id) == [table])
    #expect(try peer(ana).replay(of: table.hex) == nil)
    #expect(
      try peer(ana).replay(of: table.hex, reading: rows)?.moments.count == replay.moments.count)
    #expect(try peer(ana).exportedLog(of: table.hex, reading: rows).bytes == saved)
    #expect(try peer(ana).log(of: table, reading: rows)?.count == log.count)
    #expect(world.session(bo, table) != nil)
    world.kill(ana)
    world.start(ana)
    #expect(world[ana].keys.held.isEmpty)
    #expect(try world.state(ana).tables.isEmpty)
    #expect(try peer(ana).pastGames.map(\.id) == [table])
    #expect(
      try peer(ana).replay(of: table.hex, reading: rows)?.moments.map(\.kind)
        == replay.moments.map(\.kind))
    #expect(try peer(ana).exportedLog(of: table.hex, reading: rows).bytes == saved)
    #expect(world.offences == [])
  }
}
