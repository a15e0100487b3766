import CBOR
import Games
import Table
import Testing
import Wire

@testable import Peer

/// Asking people nearby to a table (PRODUCT B6).
@Suite struct `Invitations to people nearby` {
  private func table(
    _ world: World, by laptop: Int, _ title: String, at start: Int?, isPrivate: Bool = false
  )
    throws -> TableID
  {
    let reply = try world.ask(
      laptop,
      .createTable(
        .bingo, title: title, access: TableAccess(isPrivate: isPrivate, startsAt: start), .table()))
    return try #require(reply.table, "\(reply)")
  }

  @Test(arguments: [false, true])
  func `are accepted with one click, to private tables too`(isPrivate: Bool) throws {
    let world = World("Ana", "Bo")
    try world.meet()
    let made = try table(world, by: ana, "Lunch", at: nil, isPrivate: isPrivate)
    #expect(try world.ask(ana, .invite(made, world[bo].me)).code == "ok")
    #expect(try world.sessionView(ana, made).asked.map(\.name) == ["Bo"])
    try world.run(until: "asked") { try !$0.state(bo).invites.isEmpty }
    let invite = try #require(try world.state(bo).invites.first)
    #expect(invite.title == "Lunch" && invite.fromName == "Ana" && invite.conflict == nil)
    #expect(try world.ask(bo, .acceptInvite(made)) == .accepted(table: made))
    try world.run(until: "a seat") { $0.session(bo, made)?.isJoining == false }
    #expect(try world.state(bo).invites.isEmpty)
    try world.run(until: "seated there") { try $0.sessionView(ana, made).asked.isEmpty }
    #expect(try world.ask(ana, .invite(made, world[bo].me)).code == "sitsHere")
    #expect(world.offences == [])
  }

  @Test func `are kept over a restart, refused at a taken time, and denied`() throws {
    let world = World("Ana", "Bo", "Cy")
    try world.meet()
    let start = 2_000_000_000
    let one = try table(world, by: ana, "At three", at: start)
    let two = try table(world, by: cy, "At ten past", at: start + 600)
    try world.ask(ana, .invite(one, world[bo].me))
    try world.ask(cy, .invite(two, world[bo].me))
    try world.run(until: "asked twice") { try $0.state(bo).invites.count == 2 }
    world.run(for: 1_000)
    world.kill(bo)
    world.start(bo)
    #expect(try world.state(bo).invites.map(\.title).sorted() == ["At ten past", "At three"])
    try world.meet()
    #expect(try world.ask(bo, .acceptInvite(one)) == .accepted(table: one))
    try world.run(until: "a seat") { $0.session(bo, one)?.isJoining == false }
    #expect(try world.state(bo).invites.map(\.conflict) == ["At three"])
    #expect(try world.ask(bo, .acceptInvite(two)).code == "timeTaken")
    #expect(try world.ask(bo, .declineInvite(two)).code == "ok")
    try world.run(until: "told") { try $0.sessionView(cy, two).asked.map(\.declined) == [true] }
    #expect(try world.state(bo).invites.isEmpty)
    #expect(try world.ask(bo, .declineInvite(two)).code == "noSuchInvite")
    world.run(for: 1_000)
    world.kill(bo)
    world.start(bo)
    #expect(try world.state(bo).invites.isEmpty)
    #expect(world.offences == [])
  }

  @Test func `are denied even when nobody hears it at once, also over a restart`() throws {
    let world = World("Ana", "Bo")
    try world.meet()
    let made = try table(world, by: ana, "Lunch", at: nil)
    try world.ask(ana, .invite(made, world[bo].me))
    try world.run(until: "asked") { try !$0.state(bo).invites.isEmpty }
    world.cut(ana, bo)
    try world.run(until: "nobody there", within: 60_000) { try $0.state(bo).people.isEmpty }
    #expect(try world.ask(bo, .declineInvite(made)).code == "ok")
    #expect(try world.state(bo).invites.isEmpty)
    world.run(for: 30_000)
    #expect(try world.sessionView(ana, made).asked.map(\.declined) == [false])
    world.kill(bo)
    world.start(bo)
    world.mend(ana, bo)
    try world.run(until: "Ana is told", within: 20_000) {
      try $0.sessionView(ana, made).asked.map(\.declined) == [true]
    }
    try world.run(until: "no more to say", within: 60_000) {
      $0[bo].peer?.unsaid.isEmpty == true
    }
    #expect(world.offences == [])
  }

  @Test func `of one person are four at the most`() throws {
    let world = World("Ana", "Bo")
    try world.meet()
    for number in 1...6 {
      let made = try table(world, by: ana, "Table \(number)", at: 2_000_000_000)
      try world.ask(ana, .invite(made, world[bo].me))
      world.run(for: 500)
    }
    #expect(try world.state(bo).invites.map(\.title) == (3...6).map { "Table \($0)" })
  }

  @Test func `go in a frame that is read back, and no other shape of it is`() throws {
    let secret = try #require(TableSecret([UInt8](repeating: 3, count: 16)))
    for message in [
      LinkMessage.offer([1, 2], nil), .offer([1], secret), .decline(TableID(raw: .zero)),
    ] {
      #expect(try LinkMessage(frame: message.frame) == message)
    }
    for frame: CBOR in [
      [30, [1]], [30, .bytes([]), .null], [30, .bytes([1]), .bytes([1])], [31, .null],
    ] {
      #expect(throws: DecodeError.self) { try LinkMessage(frame: frame.encoded) }
    }
  }
}
