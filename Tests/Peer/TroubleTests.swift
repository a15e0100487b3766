import CBOR
import Consensus
import Games
import Table
import TestSupport
import Testing
import Wire

@testable import Peer

@Suite struct `Whatever goes wrong` {
  @Test func `a full disk stops the signing, the page says so, the others play on`() throws {
    let world = World("Ana", "Bo", "Cy")
    let table = try world.game()
    let words = try world.row(bo, table)
    world[bo].disk.isFull = true
    let reply = try world.ask(
      bo,
      .game(
        table,
        GameCommand(
          "claim",
          [("tile", .int(try world.tile(bo, table, words[0]).index)), ("now", .bool(true))])))
    #expect(reply.code == "cannotWrite")
    #expect(try world.state(bo).trouble?.code == "cannotWrite")
    var signed: [Purpose] = []
    world.onEffect = { laptop, effect in
      guard laptop == bo, case .sign(let purpose, _, _) = effect else { return }
      if case .beacon = purpose { return }
      signed.append(purpose)
    }
    try world.claim(ana, table, world.row(ana, table)[0])
    try world.run(until: "Cy is asked") { try !$0.view(cy, table).claims.isEmpty }
    try world.vote(cy, table, world.row(ana, table)[0], true)
    try world.run(until: "agreed") { try $0.feed(ana, table).first?.kind == "confirmed" }
    #expect(try world.ask(bo, .createTable(.bingo, title: "", .table())).code == "cannotWrite")
    #expect(try world.ask(bo, .tryItNow).code == "cannotWrite")
    #expect(try world.claim(bo, table, words[0]).code == "cannotWrite")
    #expect(signed.isEmpty, "\(signed)")
    // Nobody is trapped: not here either.
    #expect(try world.ask(bo, .quit(table)).code == "ok")
    #expect(try world.state(bo).tables.isEmpty)
    world[bo].disk.isFull = false
    world.kill(bo)
    world.start(bo)
    try world.settle(bo, table, words[0])
    #expect(try world.state(bo).trouble == nil)
    #expect(world.offences == [])
  }

  @Test func `the others read whose disk is full, and wait for that laptop only below a quorum`()
    throws
  {
    let world = World("Ana", "Bo", "Cy", "Di")
    world.watchesPages = true
    let table = try world.game()
    let words = try world.row(di, table)
    world[di].disk.isFull = true
    let reply = try world.ask(
      di,
      .game(
        table,
        GameCommand(
          "claim",
          [("tile", .int(try world.tile(di, table, words[0]).index)), ("now", .bool(true))])))
    #expect(reply.code == "cannotWrite")
    let sentence = "The disk of Di takes nothing more, so that laptop has no say."
    try world.run(until: "the others know", within: 5_000) { world in
      try [ana, bo, cy].allSatisfy { laptop in
        try world.sessionView(laptop, table).wentOn.map(\.message)
          == [sentence + " The others go on."]
          && world.tableView(laptop, table).waiting == nil
      }
    }
    world.unplug(cy)
    try world.run(until: "too few", within: 15_000) { world in
      try [ana, bo].allSatisfy { try world.tableView($0, table).waiting?.code == "cannotWrite" }
    }
    let waiting = try #require(try world.tableView(ana, table).waiting)
    #expect(waiting.names == ["Di", "Cy"])
    #expect(
      waiting.message == sentence
        + " Once there is space and Tabletalk was started again there, the game goes on by itself."
        + " So it does when Cy is back.")
    #expect(waiting.choices == ["wait", "goOn", "quit"])
    let own = try #require(try world.tableView(di, table).waiting)
    #expect(own.code == "cannotWrite" && own.names.isEmpty)
    // Nothing becomes final meanwhile; with space and a new start it goes on by itself.
    let word = try world.row(ana, table)[0]
    try world.claim(ana, table, word)
    world.run(for: 5_000)
    #expect(try world.view(bo, table).claims.isEmpty)
    world[di].disk.isFull = false
    world.kill(di)
    world.start(di)
    try world.run(until: "it goes on", within: 15_000) { world in
      try [ana, bo, di].allSatisfy { laptop in
        try world.tableView(laptop, table).waiting == nil
          && world.sessionView(laptop, table).wentOn.isEmpty
      } && !world.view(bo, table).claims.isEmpty
    }
    #expect(world.offences == [])
  }

  @Test func `hostile frames and datagrams do nothing but count`() throws {
    let world = World("Ana", "Bo", "Cy", "Eve", isStarted: false)
    for laptop in [ana, bo, cy] { world.start(laptop) }
    try world.run(until: "three") { try $0.state(ana).people.count == 2 }
    let table = try world.makeTable()
    for guest in [bo, cy] { try world.sit(guest, at: table) }
    try world.start(table)
    let eve = 3
    world[eve].peers = [world[ana].address]
    world.start(eve)
    try world.run(until: "Eve linked") {
      $0[ana].peer?.switchboard.link(to: $0[eve].me) != nil
    }
    let before = world.session(ana, table)?.table.stateHash
    let height = try #require(world.session(ana, table)).replica.finalHeight
    var chance = SeededBytes(seed: 3)
    let session = try #require(world.session(bo, table))
    let forged = try #require(Signature(chance.bytes(64)))
    let move = Entry.Draft(
      table: table, author: session.keys.player,
      sequence: session.finalSequence(of: session.keys.player),
      body: Act.left.encoded)
    let strangers = Keyring(seed: 99)
    let stranger = strangers.identity
    let strange = Entry.Draft(table: table, author: stranger, sequence: 5, body: Act.left.encoded)
    let strangeSignature = try #require(strangers.sign(strange.signedBytes, with: stranger))
    let elsewhere = TableID(raw: Digest(ofBytes: [1]).raw)
    let status = session.replica.status
    let lie = Status(
      table: table, epoch: status.epoch, epochNumber: 99, view: 1 << 40, height: 1 << 40,
      tip: status.state, state: status.tip, reached: [])
    let messages: [LinkMessage] = [
      .table(.entry(Entry(draft: move, signature: forged))),
      .table(.entry(Entry(draft: strange, signature: strangeSignature))),
      .table(.getChain(elsewhere, above: 0)), .table(.getChain(table, above: 1 << 47)),
      .table(.getBlock(table, Digest(ofBytes: [2]))), .table(.status(lie)), .ping(1, [lie]),
      .pong(9, [lie]), .find(code: 1), .get(elsewhere), .genesis(chance.bytes(100)),
      .genesis(session.genesis.encoded), .refusal(table, nil, code: "tableFull"),
      .refusal(nil, nil, code: "\u{202e}<script>"), .startAgain(table),
      .whereabouts([Whereabouts(world[bo].me, world[eve].address)]),
    ]
    for from in [eve, cy] {
      for message in messages { world.inject(message.frame, from: from, to: ana) }
      for _ in 0..<300 {
        world.inject(chance.bytes(Int(chance.next() % 200)), from: from, to: ana)
      }
      for message in messages {
        var frame = message.frame
        for _ in 0..<20 {
          frame[Int(chance.next() % UInt64(frame.count))] ^= 1 << (chance.next() % 8)
          world.inject(frame, from: from, to: ana)
        }
      }
      world.run(for: 1_000)
    }
    for _ in 0..<300 {
      world.deliver(
        .datagram(chance.bytes(Int(chance.next() % 1_300)), from: world[eve].address), to: ana)
    }
    world.run(for: 5_000)
    #expect(world.session(ana, table)?.table.stateHash == before)
    #expect(world.session(ana, table)?.replica.finalHeight == height)
    #expect(world[ana].peer?.counter.rows.isEmpty == false)
    #expect(world.session(ana, table)?.counter["badSignature"] ?? 0 > 0)
    #expect(world.session(ana, table)?.counter["notMember"] ?? 0 > 0)
    #expect(try world.state(ana).refusals.isEmpty)
    for word in try world.row(ana, table) { try world.settle(ana, table, word) }
    try world.run(until: "the end", within: 10_000) { world in
      [ana, bo, cy].allSatisfy { world.session($0, table)?.table.phase == .over }
    }
    #expect(world.offences == [])
  }

  @Test func `nobody acts for ten minutes: not one message about the log, then a claim works`()
    throws
  {
    let world = World("Ana", "Bo", "Cy")
    let table = try world.game()
    world.run(for: 3_000)
    let before = [ana, bo, cy].map { world.session($0, table)?.traffic ?? 0 }
    let commits = [ana, bo, cy].map { world[$0].disk.commits }
    world.run(for: 600_000)
    #expect([ana, bo, cy].map { world.session($0, table)?.traffic ?? 0 } == before)
    #expect([ana, bo, cy].map { world[$0].disk.commits } == commits)
    let word = try world.row(cy, table)[0]
    try world.claim(cy, table, word)
    let time = try world.run(until: "asked", within: 1_000) { world in
      try [ana, bo].allSatisfy { try !world.view($0, table).claims.isEmpty }
    }
    #expect(time < 200)
    #expect(world.offences == [])
  }

  @Test(arguments: [ana, cy])
  func `a laptop frozen for twenty seconds during the draw has a board and claims`(
    frozen: Int
  ) throws {
    let world = World("Ana", "Bo", "Cy")
    let table = try world.lobby()
    world.tell(ana, .start(table))
    try world.run(until: "the draw") { $0.session(frozen, table)?.table.phase == .dealing }
    world.freeze(frozen)
    try world.run(until: "the others have boards", within: 30_000) { world in
      world.running.allSatisfy { world.session($0, table)?.table.phase == .playing }
    }
    world.run(for: 20_000)
    world.resume(frozen)
    try world.run(until: "a board", within: 10_000) {
      try $0.view(frozen, table).board != nil
    }
    try world.settle(frozen, table, world.row(frozen, table)[0])
    #expect(world.offences == [])
  }

  @Test func `a laptop frozen for twenty seconds while two play waits with them`() throws {
    let world = World("Ana", "Bo")
    let table = try world.lobby()
    world.tell(ana, .start(table))
    try world.run(until: "the draw") { $0.session(bo, table)?.table.phase == .dealing }
    world.freeze(bo)
    world.run(for: 20_000)
    #expect(world.session(ana, table)?.table.phase == .dealing)
    world.resume(bo)
    try world.run(until: "boards", within: 15_000) { world in
      [ana, bo].allSatisfy { world.session($0, table)?.table.phase == .playing }
    }
    // Both had a say in the draw.
    #expect(try world.ask(bo, .quit(table)).code == "ok")
    try world.run(until: "the end") { try $0.tableView(ana, table).result != nil }
    #expect(try world.tableView(ana, table).result?.receipt?.people.count == 2)
    #expect(world.offences == [])
  }

  @Test(arguments: [600_000, -600_000], [ana, bo])
  func `a clock that is ten minutes off changes nothing`(ahead: Int, laptop: Int) throws {
    let world = World("Ana", "Bo", "Cy", isStarted: false)
    world[laptop].clockAhead = Int64(ahead)
    for each in [ana, bo, cy] { world.start(each) }
    let table = try world.game()
    let start = world.now
    for word in try world.row(bo, table) { try world.settle(bo, table, word) }
    try world.run(until: "the end", within: 6_000) { world in
      world.running.allSatisfy { world.session($0, table)?.table.phase == .over }
    }
    #expect(world.now - start < 10_000)
    for each in [ana, bo, cy] {
      #expect(world.session(each, table)?.replica.epoch.number == 1)
      #expect(try world.feed(each, table).allSatisfy { $0.ageMs < 60_000 })
    }
    #expect(world.offences == [])
  }

  @Test func `a slept laptop meets everybody again`() throws {
    let world = World("Ana", "Bo", "Cy")
    let table = try world.game()
    world.freeze(bo)
    world.run(for: 3_600_000 / 60)
    world.resume(bo)
    world.deliver(.woke, to: bo)
    try world.run(until: "all linked", within: 10_000) { world in
      [ana, bo, cy].allSatisfy { world.session($0, table)?.linked.count == 2 }
    }
    try world.settle(bo, table, world.row(bo, table)[0])
    #expect(world.offences == [])
  }
}
