import Archive
import CBOR
import Consensus
import Games
import Table
import Testing
import Wire

@testable import Peer

@Suite struct `Going on without those who are away` {
  /// Four play, and two of them are gone at one moment.
  private func halved(_ world: World) throws -> TableID {
    world.watchesPages = true
    let table = try world.game()
    for laptop in [cy, di] { world.unplug(laptop) }
    try world.run(until: "the sentence", within: 10_000) { world in
      try [ana, bo].allSatisfy { try world.tableView($0, table).waiting != nil }
    }
    return table
  }

  private func waiting(_ world: World, _ laptop: Int, _ table: TableID) throws
    -> TableView.Waiting
  {
    try #require(try world.tableView(laptop, table).waiting)
  }

  private func goOn(_ world: World, _ table: TableID) throws {
    for laptop in [ana, bo] {
      #expect(try world.ask(laptop, .goOn(table, true)).code == "ok")
    }
    try world.run(until: "that it goes on") { world in
      try [ana, bo].allSatisfy { try world.tableView($0, table).waiting == nil }
    }
  }

  /// A word that one claims and another confirms, when its thirty seconds are over.
  private func settleSlowly(_ world: World, _ table: TableID) throws {
    let word = try world.row(ana, table)[0]
    try world.claim(ana, table, word)
    try world.run(until: "Bo is asked") { try !$0.view(bo, table).claims.isEmpty }
    try world.vote(bo, table, word, true)
    try world.run(until: "agreed", within: 35_000) {
      try $0.feed(ana, table).first?.kind == "confirmed"
    }
  }

  @Test func `each of those who are here is asked, and nothing is lost`() throws {
    let world = World("Ana", "Bo", "Cy", "Di")
    let table = try halved(world)
    let first = try waiting(world, ana, table)
    #expect(first.code == "belowQuorum")
    #expect(
      first.message
        == "2 of 4 people are here, the game needs 3. It goes on by itself when Cy or Di is back. "
        + "Nothing is lost.")
    #expect(first.choices == ["wait", "goOn", "quit"])
    #expect(try world.ask(ana, .goOn(table, true)).code == "ok")
    try world.run(until: "Bo is asked") {
      try $0.tableView(bo, table).waiting?.code == "goOnAsked"
    }
    let asked = try waiting(world, bo, table)
    #expect(
      asked.message
        == "Ana wants to go on without Cy and Di. It happens when everybody who is here agrees.")
    #expect(asked.choices == ["goOn", "wait", "quit"])
    #expect(
      try waiting(world, ana, table).message
        == "You want to go on without Cy and Di. It happens as soon as Bo agrees too.")
    // Nothing happens without Bo, and Ana may think better of it.
    world.run(for: 60_000)
    #expect(world.session(ana, table)?.replica.epoch.number == 1)
    #expect(try world.ask(ana, .goOn(table, false)).code == "ok")
    try world.run(until: "Bo is not asked any more") {
      try $0.tableView(bo, table).waiting?.code == "belowQuorum"
    }
    try goOn(world, table)
    for laptop in [ana, bo] {
      let line = try #require(try world.sessionView(laptop, table).wentOn.first)
      #expect(line.code == "provisional" && line.names == ["Cy", "Di"] && line.choices.isEmpty)
      #expect(try world.feed(laptop, table).first?.kind == "wentOn")
    }
    try settleSlowly(world, table)
    let saved = try #require(try world[ana].peer?.exportedLog(of: table.hex).bytes)
    let proof = try LogVerifier.verify(saved, checker: Ed25519())
    #expect(proof.tip == world.session(ana, table)?.replica.finalTip)
    #expect(proof.epochs == 3 && !proof.settled)
    #expect(
      proof.doesNotProve.last?.hasPrefix("That Cy and Di agreed to what came after block ") == true)
    world.kill(ana)
    world.start(ana)
    try world.run(until: "the same log after a restart", within: 10_000) { world in
      guard let one = world.session(ana, table), let other = world.session(bo, table) else {
        return false
      }
      return one.log == other.log && one.log.contains { $0.kind == "recovery" }
    }
    #expect(world.offences == [])
  }

  @Test func `who comes back is asked whether to go on with them, and does`() throws {
    let world = World("Ana", "Bo", "Cy", "Di")
    let table = try halved(world)
    try goOn(world, table)
    try settleSlowly(world, table)
    world.plugIn(cy)
    try world.run(until: "Cy is asked", within: 15_000) {
      try $0.sessionView(cy, table).wentOn.first?.code == "offered"
    }
    let line = try #require(try world.sessionView(cy, table).wentOn.first)
    #expect(line.message == "Ana and Bo went on without you. You can go on with them.")
    #expect(line.choices == ["follow", "quit"])
    world.run(for: 30_000)
    #expect(world.session(cy, table)?.replica.epoch.number == 1)
    #expect(try world.state(cy).myTables.first?.sign?.kind == "waiting")
    #expect(try world.ask(cy, .follow(table, nil)).code == "ok")
    try world.run(until: "Cy has what was agreed, and agrees", within: 15_000) { world in
      try world.feed(cy, table).contains { $0.kind == "confirmed" }
        && world.session(cy, table)?.replica.isVoting == true
        && world.sessionView(ana, table).wentOn.first?.names == ["Di"]
    }
    world.plugIn(di)
    try world.run(until: "Di is asked", within: 15_000) {
      try $0.sessionView(di, table).wentOn.first?.code == "offered"
    }
    #expect(try world.ask(di, .follow(table, nil)).code == "ok")
    try world.run(until: "nothing is provisional", within: 15_000) { world in
      try [ana, bo, cy, di].allSatisfy { try world.sessionView($0, table).wentOn.isEmpty }
    }
    try world.agree(on: table)
    #expect(world.offences == [])
  }

  @Test func `two halves that both went on are shown to each other`() throws {
    let world = World("Ana", "Bo", "Cy", "Di")
    world.watchesPages = true
    let table = try world.game()
    for one in [ana, bo] { for other in [cy, di] { world.cut(one, other) } }
    try world.run(until: "both wait", within: 30_000) { world in
      try (0..<4).allSatisfy { try world.tableView($0, table).waiting?.code == "belowQuorum" }
    }
    for laptop in 0..<4 { #expect(try world.ask(laptop, .goOn(table, true)).code == "ok") }
    try world.run(until: "both go on") { world in
      try (0..<4).allSatisfy { try world.tableView($0, table).waiting == nil }
    }
    for one in [ana, bo] { for other in [cy, di] { world.mend(one, other) } }
    try world.run(until: "they see each other", within: 60_000) { world in
      try (0..<4).allSatisfy { try world.sessionView($0, table).wentOn.count == 2 }
    }
    let lines = try world.sessionView(ana, table).wentOn
    #expect(lines.map(\.code).sorted() == ["provisional", "split"])
    #expect(lines.first { $0.code == "split" }?.names == ["Cy", "Di"])
    #expect(try world.ask(ana, .follow(table, nil)).code == "nobodyWentOn")
    world.run(for: 20_000)
    #expect(
      world.session(ana, table)?.replica.epoch.id != world.session(cy, table)?.replica.epoch.id)
  }

  @Test func `of two games that went on each who was left out chooses one, and keeps to it`()
    throws
  {
    let world = World("Ana", "Bo", "Cy", "Di", "Eli", "Flo")
    world.watchesPages = true
    let (eli, flo) = (4, 5)
    let table = try world.game()
    for laptop in [eli, flo] { world.unplug(laptop) }
    for one in [ana, bo] { for other in [cy, di] { world.cut(one, other) } }
    try world.run(until: "both pairs wait", within: 30_000) { world in
      try (0..<4).allSatisfy { try world.tableView($0, table).waiting?.code == "belowQuorum" }
    }
    for laptop in 0..<4 { #expect(try world.ask(laptop, .goOn(table, true)).code == "ok") }
    try world.run(until: "both pairs go on") { world in
      try (0..<4).allSatisfy { try world.tableView($0, table).waiting == nil }
    }
    // One pair plays on, and has more than the other then.
    try settleSlowly(world, table)
    for one in [ana, bo] { for other in [cy, di] { world.mend(one, other) } }
    for laptop in [eli, flo] { world.plugIn(laptop) }
    try world.run(until: "both are offered both", within: 60_000) { world in
      try [eli, flo].allSatisfy { laptop in
        try world.sessionView(laptop, table).wentOn.filter { $0.code == "offered" }.count == 2
      }
    }
    let lines = try world.sessionView(eli, table).wentOn
    let theirs = try #require(lines.first { $0.names == ["Ana", "Bo"] })
    let others = try #require(lines.first { $0.names == ["Cy", "Di"] })
    let steps = [theirs, others].compactMap { line in
      line.message.split(separator: ": ").last?.split(separator: ".").first.flatMap { Int($0) }
    }
    #expect(steps.count == 2 && steps[0] > steps[1], "\(steps)")
    // Two of six were too few to be sure.
    for (line, who) in [(theirs, "Ana and Bo"), (others, "Cy and Di")] {
      #expect(line.message.hasPrefix("\(who) went on without you. All that you know is there, "))
      #expect(line.message.hasSuffix(". Moves that only others know may be missing."))
    }
    let first = try #require(theirs.way.flatMap { Digest(hex: $0) })
    let second = try #require(others.way.flatMap { Digest(hex: $0) })
    // Nothing chooses for a person.
    #expect(try world.ask(eli, .follow(table, nil)).code == "twoWays")
    #expect(try world.ask(eli, .follow(table, .zero)).code == "unknownWay")
    world.run(for: 20_000)
    #expect(world.session(eli, table)?.replica.epoch.number == 1)
    #expect(try world.ask(eli, .follow(table, first)).code == "ok")
    #expect(try world.ask(flo, .follow(table, second)).code == "ok")
    try world.run(until: "each plays where it chose", within: 30_000) { world in
      func plays(_ one: Int, with other: Int) -> Bool {
        guard let mine = world.session(one, table)?.replica,
          let yours = world.session(other, table)?.replica
        else { return false }
        return mine.isVoting && mine.epoch.id == yours.epoch.id && mine.finalTip == yours.finalTip
      }
      return plays(eli, with: ana) && plays(flo, with: cy)
    }
    // What was chosen stands; the other game is shown beside it.
    for (laptop, other) in [(eli, second), (flo, first), (ana, second), (cy, first)] {
      #expect(try world.ask(laptop, .follow(table, other)).code == "otherWay")
      #expect(try world.sessionView(laptop, table).wentOn.contains { $0.code == "split" })
    }
    world.kill(eli)
    world.start(eli)
    try world.run(until: "it stands after a restart too", within: 30_000) { world in
      world.session(eli, table)?.replica.epoch.id == world.session(ana, table)?.replica.epoch.id
    }
    world.run(for: 20_000)
    #expect(
      world.session(eli, table)?.replica.epoch.id != world.session(flo, table)?.replica.epoch.id)
    #expect(try world.feed(eli, table).contains { $0.kind == "confirmed" })
    #expect(try !world.feed(flo, table).contains { $0.kind == "confirmed" })
  }

  @Test func `alone there is nobody to go on with, and with enough nobody is left out`() throws {
    let world = World("Ana", "Bo")
    let table = try world.game()
    #expect(try world.ask(ana, .goOn(table, true)).code == "everybodyHere")
    world.unplug(bo)
    try world.run(until: "the sentence", within: 10_000) {
      try $0.tableView(ana, table).waiting != nil
    }
    #expect(try waiting(world, ana, table).choices == ["wait", "quit"])
    #expect(try world.ask(ana, .goOn(table, true)).code == "aloneHere")
  }

  @Test func `a laptop whose player has quit agrees to what the others want`() throws {
    let world = World("Ana", "Bo", "Cy", "Di", "Eli")
    let table = try world.game()
    for laptop in [di, 4] { world.unplug(laptop) }
    try world.run(until: "the sentence", within: 10_000) {
      try $0.tableView(ana, table).waiting?.code == "belowQuorum"
    }
    #expect(try world.ask(cy, .quit(table)).code == "ok")
    for laptop in [ana, bo] {
      #expect(try world.ask(laptop, .goOn(table, true)).code == "ok")
    }
    try world.run(until: "that it goes on, and Cy has left", within: 10_000) { world in
      try [ana, bo].allSatisfy { laptop in
        let view = try world.tableView(laptop, table)
        return view.waiting == nil && view.seats[cy].left
      }
    }
    #expect(world.offences == [])
  }
}
