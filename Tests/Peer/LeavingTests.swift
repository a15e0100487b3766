import Consensus
import Games
import Table
import Testing
import Wire

@testable import Peer

@Suite struct `Nobody is trapped` {
  @Test func `who quits is rid of the table at once, the others see it, the last one wins`() throws
  {
    let world = World("Ana", "Bo", "Cy")
    world.watchesPages = true
    let table = try world.game()
    #expect(try world.ask(bo, .quit(table)).code == "ok")
    #expect(try world.state(bo).tables.isEmpty)
    #expect(try world.state(bo).myTables.isEmpty)
    try world.run(until: "the others see it") { world in
      try [ana, cy].allSatisfy {
        try world.tableView($0, table).seats.map(\.presence) == [.here, .left, .here]
      }
    }
    #expect(try world.tableView(ana, table).waiting == nil)
    try world.settle(cy, table, world.row(cy, table)[0])
    #expect(try world.ask(cy, .quit(table)).code == "ok")
    try world.run(until: "Ana wins", within: 10_000) {
      try $0.tableView(ana, table).result?.kind == .lastPlayer
    }
    let result = try #require(try world.tableView(ana, table).result)
    #expect(result.winners == [try #require(world.session(ana, table)).keys.player])
    // Bo's node has done its duty.
    world.run(for: 15_000)
    #expect(world.session(bo, table)?.isSeenThrough ?? true, "or it is gone from the memory")
    #expect(try world.state(ana).people.map(\.presence).contains("table") == false)
    #expect(world.offences == [])
  }

  @Test
  func `one of two is gone: the other reads why, quits, begins anew, and who returns sees it`()
    throws
  {
    let world = World("Ana", "Bo")
    world.watchesPages = true
    let table = try world.game()
    world.unplug(bo)
    let time = try world.run(until: "the sentence", within: 8_000) {
      try $0.tableView(ana, table).waiting != nil
    }
    #expect(time < 6_000)
    let waiting = try #require(try world.tableView(ana, table).waiting)
    #expect(
      waiting.message
        == "1 of 2 people are here, the game needs 2. It goes on by itself when Bo is back. "
        + "Nothing is lost.")
    #expect(waiting.choices == ["wait", "quit"])
    #expect(try world.ask(ana, .quit(table), within: 100).code == "ok")
    #expect(try world.state(ana).tables.isEmpty)
    let fresh = try world.makeTable()
    #expect(try world.tableView(ana, fresh).phase == "lobby")
    world.run(for: 60_000)
    world.plugIn(bo)
    try world.run(until: "Bo sees that Ana left", within: 15_000) {
      try $0.tableView(bo, table).seats.first?.left == true
    }
    try world.run(until: "Bo has won") {
      try $0.tableView(bo, table).result?.kind == .lastPlayer
    }
    #expect(world.offences == [])
  }

  @Test
  func `who leaves as the game ends is rid of it, though nobody is there to agree on it`() throws {
    let world = World("Ana", "Bo", "Cy")
    let table = try world.game()
    for laptop in [ana, bo, cy] {
      #expect(try world.ask(laptop, .quit(table), within: 20).code == "ok")
    }
    try world.run(until: "Cy is the last one", within: 5_000) { world in
      world.session(cy, table)?.isOver ?? false
    }
    // The two took the quorum with them: that Cy has left never becomes final.
    world.kill(ana)
    world.kill(bo)
    try world.run(until: "gone from the memory", within: 60_000) { world in
      world.session(cy, table) == nil
    }
    #expect(world.offences == [])
  }

  @Test func `quitting works in the first moment after a restart, with nobody there`() throws {
    let world = World("Ana", "Bo")
    world.watchesPages = true
    let table = try world.game()
    world.unplug(bo)
    world.kill(ana)
    world.start(ana)
    #expect(try world.ask(ana, .quit(table), within: 100).code == "ok")
    #expect(try world.state(ana).tables.isEmpty)
    // Not even a crash brings it back.
    world.kill(ana)
    world.start(ana)
    #expect(try world.state(ana).tables.isEmpty)
    world.plugIn(bo)
    try world.run(until: "Bo has won", within: 15_000) {
      try $0.tableView(bo, table).result?.kind == .lastPlayer
    }
    #expect(world.offences == [])
  }

  @Test func `three, one away, another leaves: the third waits for the one, then play goes on`()
    throws
  {
    let world = World("Ana", "Bo", "Cy")
    world.watchesPages = true
    let table = try world.game()
    world.unplug(cy)
    try world.run(until: "Cy away") { try $0.tableView(ana, table).away == ["Cy"] }
    #expect(try world.ask(bo, .quit(table)).code == "ok")
    try world.run(until: "Bo has left") { try $0.tableView(ana, table).seats[1].left }
    world.run(for: 30_000)
    #expect(try world.tableView(ana, table).phase == "playing")
    world.kill(bo)
    try world.run(until: "for whom it waits", within: 10_000) {
      try $0.tableView(ana, table).waiting?.code == "belowQuorum"
    }
    #expect(try world.tableView(ana, table).waiting?.names == ["Cy"])
    world.plugIn(cy)
    try world.settle(cy, table, world.row(cy, table)[0])
    #expect(world.session(ana, table)?.replica.epoch.voters.count == 2)
    #expect(world.offences == [])
  }

  @Test(arguments: 1...12 as ClosedRange<UInt64>)
  func `what a laptop voted last before it was lost counts when another leaves at once`(
    seed: UInt64
  ) throws {
    let world = World("Ana", "Bo", "Cy", seed: seed)
    let table = try world.game()
    // All three sign the last block; of one the votes are surplus, and wait to be looked at.
    world.run(for: 60)
    world.kill(cy)
    try world.run(until: "Cy away") { try $0.tableView(ana, table).away == ["Cy"] }
    #expect(try world.ask(bo, .quit(table)).code == "ok")
    try world.run(until: "Bo is no voter any more", within: 2_000) {
      $0.session(ana, table)?.replica.epoch.voters.count == 2
    }
  }

  @Test func `the owner calls a lobby off and all read it`() throws {
    let world = World("Ana", "Bo", "Cy")
    world.watchesPages = true
    let table = try world.lobby()
    #expect(try world.ask(bo, .cancel(table)).code == "onlyCreator")
    #expect(try world.ask(ana, .cancel(table)).code == "ok")
    let time = try world.run(until: "all see it", within: 2_000) { world in
      try [bo, cy].allSatisfy { try world.tableView($0, table).phase == "cancelled" }
    }
    #expect(time < 500)
    #expect(try world.ask(bo, .putAway(table)).code == "ok")
    #expect(try world.state(bo).tables.isEmpty)
    try world.run(until: "it is off the list") { try $0.state(bo).openTables.isEmpty }
  }

  @Test func `one of two quits and its last vote is lost: the other reads it, and it counts later`()
    throws
  {
    let world = World("Ana", "Bo")
    let table = try world.game()
    // Ana hears that Bo leaves; what Bo's node says after it is lost.
    world.onFrame = { from, _, message in
      if from == bo, case .table(.entry(let entry)) = message, entry.body == Act.left.encoded {
        world.after(3) { $0.cut(ana, bo) }
      }
    }
    #expect(try world.ask(bo, .quit(table)).code == "ok")
    world.run(for: 8_000)
    let waiting = try #require(try world.tableView(ana, table).waiting)
    #expect(waiting.message.hasPrefix("Bo is leaving."))
    #expect(try world.tableView(ana, table).phase == "playing")
    #expect(try world.makeTable() != table)
    world.onFrame = nil
    world.mend(ana, bo)
    try world.run(until: "Ana has won", within: 15_000) {
      try $0.tableView(ana, table).result?.kind == .lastPlayer
    }
    #expect(world.offences == [])
  }
}
