import Games
import Table
import Testing
import Wire

@testable import Peer

@Suite struct `Claims` {
  /// Counts the frames about entries that leave a laptop.
  private final class Told {
    var count = 0
    init(_ world: World, by laptop: Int) {
      world.onFrame = { from, _, message in
        if from == laptop, case .table(.entry) = message { self.count += 1 }
      }
    }
  }

  @Test func `taken back within two seconds are told to nobody`() throws {
    let world = World("Ana", "Bo", "Cy")
    let table = try world.game()
    let word = try world.row(bo, table)[0]
    let told = Told(world, by: bo)
    #expect(try world.claim(bo, table, word, now: false).code == "ok")
    world.run(for: 1_900)
    let tile = try world.tile(bo, table, word)
    #expect(tile.state == .undo)
    #expect((1...100).contains(try #require(tile.undoMs)))
    let undo = GameCommand("undo", [("tile", .int(tile.index))])
    #expect(try world.ask(bo, .game(table, undo)).code == "ok")
    #expect(try world.tile(bo, table, word).state == .open)
    world.run(for: 5_000)
    #expect(told.count == 0)
    #expect(try world.ask(bo, .game(table, undo)).code == "tooLateToUndo")
  }

  @Test func `not taken back go out when the two seconds are over`() throws {
    let world = World("Ana", "Bo", "Cy")
    let table = try world.game()
    let word = try world.row(bo, table)[0]
    try world.claim(bo, table, word, now: false)
    let time = try world.run(until: "Ana is asked") {
      try $0.view(ana, table).claims.map(\.word) == [word]
    }
    #expect((2_000...2_300).contains(time), "after \(time) ms")
    try world.run(until: "Bo sees that they are asked", within: 300) {
      try $0.tile(bo, table, word).state == .waiting
    }
    #expect(world.offences == [])
  }

  @Test func `told to nobody die with the node`() throws {
    let world = World("Ana", "Bo")
    let table = try world.game()
    let word = try world.row(bo, table)[0]
    try world.claim(bo, table, word, now: false)
    world.run(for: 1_000)
    world.kill(bo)
    world.start(bo)
    world.run(for: 5_000)
    #expect(try world.tile(bo, table, word).state == .open)
    #expect(try world.view(ana, table).claims.isEmpty)
  }

  @Test func `end in four ways`() throws {
    let world = World("Ana", "Bo", "Cy", "Di")
    let table = try world.game(.table(words: 25, size: 5))
    let board = try world.row(ana, table, 0) + world.row(ana, table, 1)

    try world.claim(ana, table, board[0])
    try world.vote(bo, table, board[0], true)
    let atOnce = try world.vote(cy, table, board[0], true)
    #expect(atOnce.code == "ok")
    var time = try world.run(until: "accepted") {
      try $0.feed(ana, table).first?.kind == "confirmed"
    }
    #expect(time < 1_000)
    #expect(try world.tile(ana, table, board[0]).state == .marked)

    try world.claim(ana, table, board[1])
    try world.vote(bo, table, board[1], false)
    try world.vote(cy, table, board[1], false)
    time = try world.run(until: "denied") { try $0.feed(ana, table).first?.kind == "denied" }
    #expect(time < 1_000)
    let denied = try world.tile(ana, table, board[1])
    #expect(denied.state == .denied)
    #expect((58_000...60_000).contains(try #require(denied.waitMs)))

    try world.claim(ana, table, board[2])
    try world.vote(di, table, board[2], true)
    time = try world.run(until: "accepted at the end", within: 32_000) {
      try $0.feed(ana, table).first?.word == board[2]
    }
    #expect((28_000...31_000).contains(time), "\(time)")
    #expect(try world.feed(ana, table).first?.kind == "confirmed")

    try world.claim(ana, table, board[3])
    time = try world.run(until: "expired", within: 32_000) {
      try $0.feed(ana, table).first?.word == board[3]
    }
    #expect((29_000...31_000).contains(time), "\(time)")
    #expect(try world.feed(ana, table).first?.kind == "expired")
    #expect(try world.tile(ana, table, board[3]).askAgain)
    try world.agree(on: table)
    for laptop in [bo, cy, di] {
      #expect(
        try world.feed(laptop, table).map(\.kind) == world.feed(ana, table).map(\.kind))
    }
    #expect(world.offences == [])
  }

  @Test func `of a word the others said no to rest for a minute`() throws {
    let world = World("Ana", "Bo", "Cy")
    let table = try world.game()
    let word = try world.row(bo, table)[0]
    try world.settle(bo, table, word, false)
    #expect(try world.claim(bo, table, word).code == "claimedTooSoon")
    world.run(for: 59_000)
    #expect(try world.claim(bo, table, word, now: false).code == "claimedTooSoon")
    world.run(for: 1_500)
    #expect(try world.tile(bo, table, word).state == .open)
    #expect(try world.claim(bo, table, word).code == "ok")
    // Nobody else has to wait.
    let other = try world.row(ana, table)[0]
    try world.run(until: "the claim") { try !$0.view(ana, table).claims.isEmpty }
    if other != word { #expect(try world.claim(ana, table, other).code == "ok") }
  }

  @Test(arguments: 1...5 as ClosedRange<UInt64>)
  func `of one word by two within ten milliseconds are one claim with two finders`(
    seed: UInt64
  ) throws {
    let world = World("Ana", "Bo", "Cy", "Di", seed: seed)
    let table = try world.game()
    let word = "word 5"
    for (laptop, late) in [(bo, seed), (cy, 10 - seed)] {
      let tile = try world.tile(laptop, table, word).index
      world.after(late) {
        $0.tell(
          laptop,
          .game(table, GameCommand("claim", [("tile", .int(tile)), ("now", .bool(true))])))
      }
    }
    try world.run(until: "two who heard it") { try $0.view(di, table).claims.first?.by.count == 2 }
    #expect(try world.view(di, table).claims.count == 1)
    try world.vote(di, table, word, true)
    try world.run(until: "accepted") { try $0.feed(ana, table).first?.kind == "confirmed" }
    #expect(try world.feed(ana, table).first?.who.count == 2)
    for laptop in [bo, cy] {
      try world.run(until: "both marked") { try $0.tile(laptop, table, word).state == .marked }
    }
    #expect(world.offences == [])
  }

  @Test func `made without a quorum are kept and go out afterwards`() throws {
    let world = World("Ana", "Bo")
    let table = try world.game()
    let word = try world.row(bo, table)[0]
    world.cut(ana, bo)
    world.run(for: 6_000)
    try world.claim(bo, table, word)
    world.run(for: 60_000)
    #expect(try world.tile(bo, table, word).state == .sending)
    #expect(try world.tableView(bo, table).waiting?.code == "belowQuorum")
    world.mend(ana, bo)
    try world.run(until: "Ana is asked", within: 15_000) {
      try $0.view(ana, table).claims.map(\.word) == [word]
    }
    #expect(try world.tableView(bo, table).waiting == nil)
    #expect(world.offences == [])
  }

  @Test func `that the log refuses are shown as refused`() throws {
    let world = World("Ana", "Bo", "Cy")
    let table = try world.game()
    let word = try world.row(bo, table)[0]
    try world.claim(bo, table, word)
    try world.run(until: "asked") { world in
      try [ana, cy].allSatisfy { try !world.view($0, table).claims.isEmpty }
    }
    // Two votes at once; the second comes when it is decided.
    let claim = try #require(try world.view(ana, table).claims.first).id
    let vote = GameCommand("vote", [("claim", .text(claim)), ("confirm", .bool(true))])
    let ids = [ana, cy].map { ($0, world.tell($0, .game(table, vote))) }
    try world.run(until: "one is too late") { world in
      try ids.contains { try !world.state($0.0).refusals.isEmpty }
    }
    let refused = try ids.filter { laptop, id in
      try world.state(laptop).refusals.contains {
        $0.command == id.text && $0.code == "claimClosed"
      }
    }
    #expect(refused.count == 1)
    // Who was too late acts on.
    let late = try #require(refused.first).0
    #expect(try world.claim(late, table, world.row(late, table)[1]).code == "ok")
    #expect(world.offences == [])
  }
}
