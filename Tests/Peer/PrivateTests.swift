import CBOR
import Consensus
import Discovery
import Games
import Table
import TestSupport
import Testing
import Wire

@testable import Peer

extension World {
  /// A private table in its lobby.
  func makePrivate(by laptop: Int = ana) throws -> TableID {
    let reply = try ask(
      laptop, .createTable(.bingo, title: "", access: TableAccess(isPrivate: true), .table()))
    return try #require(reply.table, "\(reply)")
  }

  /// Sits down by the line that another's page shows.
  func sit(_ laptop: Int, byLineOf other: Int, at table: TableID) throws {
    let line = try tableView(other, table).invitation
    #expect(try ask(laptop, .join(line)) == .accepted(table: table))
    try run(until: "a seat", within: 10_000) { $0.session(laptop, table)?.isJoining == false }
  }

  /// What a laptop is sent besides beacons and keepalives while something goes on.
  func answers(to laptop: Int, while act: () throws -> Void) rethrows -> [LinkMessage] {
    var seen: [LinkMessage] = []
    onFrame = { _, to, message in
      guard to == laptop else { return }
      switch message {
      case .beacon, .ping, .pong: break
      default: seen.append(message)
      }
    }
    try act()
    onFrame = nil
    return seen
  }

  fileprivate func isLinked(_ one: Int, _ other: Int) -> Bool {
    laptops[one].peer?.switchboard.link(to: laptops[other].me) != nil
      && laptops[other].peer?.switchboard.link(to: laptops[one].me) != nil
  }

  /// A link that nobody's table asks for.
  fileprivate func link(_ one: Int, to other: Int) throws {
    #expect(try ask(one, .join(laptops[other].address.description)).code == "ok")
    try run(until: "a link") { $0.isLinked(one, other) }
    run(for: 1_000)
  }
}

extension CommandReply {
  /// Why it says no; empty for one that does not.
  fileprivate var message: String {
    if case .refused(_, let message, _) = self { message } else { "" }
  }
}

@Suite struct `A private table` {
  @Test func `whose owner takes no connections is reached through somebody linked with her`()
    throws
  {
    let world = World("Ana", "Bo", "Cy")
    world.cables.refusing = [ana]
    try world.meet()
    try world.link(ana, to: cy)
    let table = try world.makePrivate()
    let line = try world.tableView(ana, table).invitation
    #expect(try world.ask(bo, .join(line)) == .accepted(table: table))
    try world.run(until: "a seat for Bo", within: 9_000) { world in
      world.session(bo, table)?.isJoining == false
    }
    #expect(world[bo].peer?.switchboard.link(to: world[ana].me)?.through == world[cy].me)
    #expect(world.session(cy, table) == nil)
    #expect(world.offences == [])
  }

  @Test func `that cannot be reached leaves both sides something to do`() throws {
    let world = World("Ana", "Bo")
    world.cables.refusing = [ana, bo]
    try world.meet()
    let table = try world.makePrivate()
    let line = try world.tableView(ana, table).invitation
    let heard = try world.ask(bo, .join(line))
    #expect(heard.code == "nobodyThere")
    #expect(
      heard.message
        == "Ana is heard, but Ana’s laptop takes no connection at 192.168.1.5:47474. Most likely its "
        + "firewall: ask Ana to run tabletalk doctor, which says what command lets you in. "
        + "Or set a table here, and send your invitation there.")
    let unheard = try world.ask(bo, .join("12345@192.168.1.99"))
    #expect(unheard.code == "nobodyThere")
    for part in ["one network", "tabletalk doctor", "send your invitation"] {
      #expect(unheard.message.contains(part), "\(part)")
    }
  }

  @Test func `is played by those with the line, and nobody else hears of it`() throws {
    let world = World("Ana", "Bo", "Cy")
    world.watchesPages = true
    try world.meet()
    let table = try world.makePrivate()
    let view = try world.tableView(ana, table)
    #expect(view.isPrivate)
    #expect(view.invitation.hasPrefix("tabletalk join \(view.code)-"))
    #expect(view.invitation.hasSuffix("@192.168.1.5:47474"))
    world.run(for: 5_000)
    try world.link(cy, to: ana)
    try world.sit(bo, byLineOf: ana, at: table)
    #expect(try world.tableView(bo, table).invitation == view.invitation)
    for laptop in [bo, cy] { #expect(try world.state(laptop).openTables.isEmpty) }
    #expect(world[ana].peer?.lastBeacon?.tables == [])
    try world.start(table)
    try world.settle(bo, table, world.row(bo, table)[0])
    #expect(try world.state(cy).tables.isEmpty)
    #expect(world[cy].peer?.sessions.isEmpty == true)
    #expect(world.offences == [])
  }

  /// Everything a stranger may say of a table, with what it hears back but for the table's name.
  private func replies(
    _ world: World, _ table: TableID, code: Int, secret: UInt8
  ) throws -> [String] {
    let draft = Entry.Draft(
      table: table, author: world[cy].me, sequence: 0, turn: 0,
      body: Act.join(
        Act.Join(identity: world[cy].me, voter: world[di].me, generation: 0, name: "Cy")
      ).encoded)
    let join = Entry(draft: draft, signature: .blank, cosignatures: [])
    let late = Entry(
      draft: Entry.Draft(
        table: table, author: world[cy].me, sequence: 1, turn: 0, body: Act.ready(true).encoded),
      signature: .blank, cosignatures: [])
    let status = Status(
      table: table, epoch: .zero, epochNumber: 0, view: 1, height: 0, tip: .zero, state: .zero,
      reached: [])
    let questions: [LinkMessage] = [
      .find(code: code), .get(table),
      .findPrivate(SecretProof(raw: Digest(ofBytes: [secret]).raw)),
      .ping(7, [status]), .pong(0, [status]), .table(.status(status)),
      .table(.getChain(table, above: 0)), .table(.getBlock(table, .zero)),
      .table(.entry(join)), .table(.entry(late)), .startAgain(table),
      .whereabouts([Whereabouts(world[di].me, Address(host: .v4(0x0a00_0001), port: 9))]),
    ]
    var out: [String] = []
    for question in questions {
      let answers = world.answers(to: cy) { world.inject(question.frame, from: cy, to: ana) }
      out.append(
        answers.map {
          Hex.encode($0.frame).replacing(table.hex, with: "TABLE")
        }.joined(separator: " "))
    }
    world.run(for: 500)
    return out
  }

  @Test func `answers a stranger as a table that does not exist, in every phase`() throws {
    let world = World("Ana", "Bo", "Cy", "Di")
    try world.meet()
    try world.link(cy, to: ana)
    let table = try world.makePrivate()
    let session = try #require(world.session(ana, table))
    let code = session.genesis.draft.code
    let nowhere = TableID(raw: Digest(ofBytes: [9]).raw)
    func compare(_ secret: UInt8) throws {
      let there = try replies(world, table, code: code, secret: secret)
      let other = try replies(world, nowhere, code: (code + 1) % 100_000, secret: secret + 1)
      #expect(there == other)
      #expect(there[0] == Hex.encode(LinkMessage.refusal(nil, nil, code: "wrongCode").frame))
      #expect(there[1].contains("TABLE"))
      #expect(there[2] == there[0])
      #expect(there[3...].allSatisfy { $0.isEmpty })
    }
    try compare(1)
    try world.sit(bo, byLineOf: ana, at: table)
    // The fourth wrong proof is the last that is answered at once.
    try compare(3)
    #expect(world.session(ana, table)?.hasSeat(world[cy].me) == false)
    try world.start(table)
    world.run(for: GuessBook.memory + 1_000)
    try compare(5)
    #expect(try world.ask(ana, .quit(table)).code == "ok")
    try compare(7)
    #expect(world.offences == [])
  }

  @Test func `is not found by its code, nor by another secret or code`() throws {
    let world = World("Ana", "Bo")
    try world.meet()
    let table = try world.makePrivate()
    let session = try #require(world.session(ana, table))
    let secret = try #require(session.secret)
    let code = session.genesis.codeText
    let at = "@192.168.1.5"
    let right = SecretText.write(secret)
    let wrong = (right.first == "z" ? "y" : "z") + right.dropFirst()
    let other = code == "11111" ? "22222" : "11111"
    for (line, refusal) in [
      (code, "codeUnknown"), (code + at, "wrongCode"), ("\(code)-\(wrong)\(at)", "wrongCode"),
      ("\(other)-\(right)\(at)", "wrongCode"), ("\(code)-\(wrong)", "privateNotFound"),
      ("\(code)-\(right.dropLast())\(at)", "invitationUnreadable"),
    ] {
      #expect(try world.ask(bo, .join(line), within: 25_000).code == refusal, "\(line)")
    }
    #expect(try world.ask(bo, .joinTable(table)).code == "tableGone")
    #expect(try world.state(bo).tables.isEmpty)
    #expect(try world.ask(bo, .join("\(code)-\(right)\(at)")) == .accepted(table: table))
  }

  @Test func `is found without an address, among those who are here`() throws {
    let world = World("Ana", "Bo", "Cy", "Di")
    try world.meet()
    let table = try world.makePrivate(by: di)
    let line = try world.tableView(di, table).invitation
    let bare = try #require(line.split(separator: "@").first.map(String.init))
    world.cables.refusing = [cy]
    #expect(try world.ask(bo, .join(bare), within: 25_000) == .accepted(table: table))
    try world.run(until: "a seat") { $0.session(bo, table)?.isJoining == false }
    #expect(try world.ask(bo, .join(bare)) == .accepted(table: table))
    world.kill(di)
    world.run(for: 40_000)
    // A guest is as good as the owner, but only the owner gives seats.
    #expect(try world.ask(ana, .join(bare), within: 25_000) == .accepted(table: table))
    world.start(di)
    try world.run(until: "a seat for Ana", within: 30_000) {
      $0.session(ana, table)?.isJoining == false
    }
    #expect(world.offences == [])
  }

  @Test func `is joined by way of a guest's laptop`() throws {
    let world = World("Ana", "Bo", "Cy", isStarted: false)
    world[bo].hasBroadcast = false
    for laptop in [ana, bo, cy] { world.start(laptop) }
    let table = try world.makePrivate()
    try world.sit(cy, byLineOf: ana, at: table)
    let line = try world.tableView(ana, table).invitation
    let guest = line.replacing("192.168.1.5", with: "192.168.1.7")
    #expect(try world.ask(bo, .join(guest)) == .accepted(table: table))
    try world.run(until: "a seat") { $0.session(bo, table)?.isJoining == false }
    try world.agree(on: table)
    #expect(world.offences == [])
  }

  @Test func `says that it has started only to those with the line`() throws {
    let world = World("Ana", "Bo", "Cy")
    try world.meet()
    let table = try world.makePrivate()
    let line = try world.tableView(ana, table).invitation
    try world.sit(bo, byLineOf: ana, at: table)
    try world.start(table)
    #expect(try world.ask(cy, .join(line)).code == "tableStarted")
    let bare = try #require(line.split(separator: "@").first.map(String.init))
    #expect(try world.ask(cy, .join(bare), within: 25_000).code == "tableStarted")
    #expect(try world.state(cy).tables.isEmpty)
  }

  // MARK: Proofs

  @Test func `takes a proof on its own link only, from its own prover only`() throws {
    let world = World("Ana", "Bo", "Cy")
    try world.meet()
    try world.link(bo, to: ana)
    try world.link(cy, to: ana)
    let table = try world.makePrivate()
    let line = try world.tableView(ana, table).invitation
    // Bo first shows its proof to Cy, who keeps it, and then to Ana.
    try world.link(bo, to: cy)
    let toCy = try world.answers(to: cy) {
      let mistaken = line.replacing("192.168.1.5", with: "192.168.1.7")
      let reply = try world.ask(bo, .join(mistaken))
      #expect(reply.code == "wrongCode")
    }
    let toAna = try world.answers(to: ana) { try world.sit(bo, byLineOf: ana, at: table) }
    let first = try #require(toAna.first)
    let fromAna = world.answers(to: bo) { world.inject(first.frame, from: bo, to: ana) }
    guard case .findPrivate = toCy.first, case .findPrivate = toAna.first,
      case .privateTable(let answer, _) = fromAna.first
    else {
      Issue.record("\(toCy) \(toAna) \(fromAna)")
      return
    }
    let no = [LinkMessage.refusal(nil, nil, code: "wrongCode")]
    for stolen in [toCy[0], first, .findPrivate(answer)] {
      let heard = world.answers(to: cy) { world.inject(stolen.frame, from: cy, to: ana) }
      #expect(heard == no)
    }
    // The same bytes on a new link between the same two.
    world.reset(ana, bo)
    try world.run(until: "a new link") { $0.isLinked(ana, bo) }
    world.run(for: 3_000)
    let replayed = world.answers(to: bo) { world.inject(first.frame, from: bo, to: ana) }
    #expect(replayed == no)
  }

  @Test func `is not taken from somebody who does not know the secret`() throws {
    let world = World("Ana", "Bo", "Cy")
    try world.meet()
    let table = try world.makePrivate()
    let genesis = try #require(world.session(ana, table)?.genesis)
    let line = try world.tableView(ana, table).invitation
    // Cy has the genesis from somewhere, and says that it is the table asked for.
    world.onFrame = { from, to, message in
      guard from == bo, to == cy, case .findPrivate(let proof) = message else { return }
      for guess in [proof, SecretProof(raw: .zero)] {
        world.after(0) {
          $0.inject(LinkMessage.privateTable(guess, genesis.encoded).frame, from: cy, to: bo)
        }
      }
      world.after(0) { $0.inject(LinkMessage.genesis(genesis.encoded).frame, from: cy, to: bo) }
    }
    let mistaken = line.replacing("192.168.1.5", with: "192.168.1.7")
    #expect(try world.ask(bo, .join(mistaken)).code == "wrongCode")
    #expect(try world.state(bo).tables.isEmpty)
    #expect(world[bo].peer?.counter["privateTable.unasked"] == 2)
    #expect(world[bo].peer?.counter["genesis.unasked"] == 1)
  }

  @Test func `answers a thousand wrong secrets slowly, is logged once, and lets friends in`() throws
  {
    let world = World("Ana", "Bo", "Cy")
    try world.meet()
    try world.link(cy, to: ana)
    let table = try world.makePrivate()
    let line = try world.tableView(ana, table).invitation
    var lines: [String] = []
    world.onEffect = { laptop, effect in
      if laptop == ana, case .log(.warning, let text) = effect { lines.append(text) }
    }
    let burst = world.answers(to: cy) {
      for number in 0..<1_000 as Range<UInt64> {
        let proof = SecretProof(raw: Digest(.state, .unsigned(number)).raw)
        world.inject(LinkMessage.findPrivate(proof).frame, from: cy, to: ana)
      }
    }
    #expect(burst.count == GuessBook.free)
    let later = world.answers(to: cy) { world.run(for: 60_000) }
    #expect(later.count == 1)
    // One at a time, each after its answer.
    var waits: [UInt64] = []
    for number in 0..<5 as Range<UInt64> {
      let start = world.now
      let proof = SecretProof(raw: Digest(.entry, .unsigned(number)).raw)
      var isAnswered = false
      world.onFrame = { _, to, message in
        if to == cy, case .refusal(nil, nil, "wrongCode") = message { isAnswered = true }
      }
      world.inject(LinkMessage.findPrivate(proof).frame, from: cy, to: ana)
      try world.run(until: "an answer", within: 10_000) { _ in isAnswered }
      waits.append(world.now - start)
    }
    world.onFrame = nil
    #expect(waits.allSatisfy { $0 >= GuessBook.longestPause }, "\(waits)")
    #expect(lines.count == 1 && lines[0].contains("192.168.1.7"), "\(lines)")
    let code = try world.tableView(ana, table).code
    #expect(!lines[0].contains(code))
    let start = world.now
    try world.sit(bo, byLineOf: ana, at: table)
    #expect(try world.ask(cy, .join(line)) == .accepted(table: table))
    #expect(world.now - start < 2_000)
  }

  @Test func `counts guesses by laptop and by address, and forgets them in time`() {
    var book = GuessBook()
    let people = (0..<20 as Range<UInt64>).map { PublicKey(raw: Digest(.state, .unsigned($0)).raw) }
    func pause(_ person: Int, _ host: UInt32, _ now: UInt64) -> UInt64 {
      book.wrong(by: people[person], at: .v4(host), now: now).pause
    }
    for _ in 0..<GuessBook.free { #expect(pause(0, 1, 0) == 0) }
    #expect(pause(1, 1, 0) == 250)
    #expect(pause(0, 2, 0) == 250)
    #expect(pause(2, 3, 0) == 0)
    #expect(book.wrong(by: people[3], at: .v4(1), now: 0) == .init(pause: 500, isNews: false))
    for _ in 0..<100 { #expect(pause(4, 4, 1) <= GuessBook.longestPause) }
    #expect(pause(4, 5, 1) == GuessBook.longestPause)
    #expect(pause(4, 4, 2 + GuessBook.memory) == 0)
    for number in 0..<1_000 as Range<UInt32> {
      _ = pause(Int(number % 20), 100 + number, GuessBook.memory * 3)
    }
    #expect(pause(19, 1_099, GuessBook.memory * 3) > 0)
  }

  @Test func `counts addresses that one laptop can have at will as one`() {
    var book = GuessBook()
    func pause(_ number: UInt64, _ host: IPAddress) -> UInt64 {
      let person = PublicKey(raw: Digest(.state, .unsigned(number)).raw)
      return book.wrong(by: person, at: host, now: 0).pause
    }
    for number in 0..<40 as Range<UInt64> {
      let isFree = number < GuessBook.free
      #expect((pause(number, .v6(high: 0x2001_0db8 << 32, low: number)) == 0) == isFree)
      #expect(
        (pause(100 + number, .v6(high: 0xfe80 << 48, low: number, zone: "eth0")) == 0) == isFree)
    }
    #expect(pause(90, .v6(high: 0x2001_0db8 << 32 | 1, low: 1)) == 0)
    #expect(pause(91, .v6(high: 0xfe80 << 48, low: 1, zone: "wlan0")) == 0)
  }

  // MARK: Coming back

  @Test func `gives the seat to who asked when its laptop has been started anew`() throws {
    let world = World("Ana", "Bo")
    try world.meet()
    let table = try world.makePrivate()
    world.onFrame = { _, to, message in
      if to == bo, case .privateTable = message { world.after(0) { $0.kill(ana) } }
    }
    let line = try world.tableView(ana, table).invitation
    world.tell(bo, .join(line))
    try world.run(until: "Ana's laptop off") { $0[ana].peer == nil }
    world.onFrame = nil
    world.run(for: 2_000)
    world.start(ana)
    if world.session(bo, table) == nil { #expect(try world.ask(bo, .join(line)).code == "ok") }
    try world.run(until: "a seat", within: 30_000) {
      $0.session(bo, table)?.isJoining == false
    }
    #expect(world.offences == [])
  }

  @Test func `keeps its secret through restarts of all, and is played on`() throws {
    let world = World("Ana", "Bo", "Cy")
    world.watchesPages = true
    try world.meet()
    let table = try world.makePrivate()
    let line = try world.tableView(ana, table).invitation
    try world.sit(bo, byLineOf: ana, at: table)
    for laptop in [ana, bo] { world.kill(laptop) }
    for laptop in [ana, bo] { world.start(laptop) }
    try world.meet()
    for laptop in [ana, bo] { #expect(try world.tableView(laptop, table).invitation == line) }
    try world.sit(cy, byLineOf: bo, at: table)
    try world.start(table)
    for laptop in [ana, bo, cy] { world.kill(laptop) }
    for laptop in [ana, bo, cy] { world.start(laptop) }
    try world.run(until: "all linked", within: 30_000) { world in
      try [ana, bo, cy].allSatisfy { try world.tableView($0, table).agreement.here == 3 }
    }
    try world.settle(cy, table, world.row(cy, table)[0])
    #expect(world.offences == [])
  }

  @Test func `goes on as a private table with the same secret, by rematch and without its owner`()
    throws
  {
    let world = World("Ana", "Bo", "Cy")
    try world.meet()
    try world.link(cy, to: ana)
    try world.link(cy, to: bo)
    let table = try world.makePrivate()
    try world.sit(bo, byLineOf: ana, at: table)
    try world.start(table)
    for word in try world.row(bo, table) { try world.settle(bo, table, word) }
    try world.run(until: "the end", within: 10_000) { world in
      [ana, bo].allSatisfy { world.session($0, table)?.table.phase == .over }
    }
    let seen = try world.answers(to: cy) {
      for laptop in [bo, ana] { #expect(try world.ask(laptop, .rematch(table)).code == "ok") }
      try world.run(until: "both at the next table", within: 20_000) { world in
        [ana, bo].allSatisfy { laptop in
          world[laptop].peer?.sessions.contains {
            $0.genesis.draft.previous?.table == table && !$0.isJoining && $0.isSatAt
          } == true
        }
      }
      world.run(for: 5_000)
    }
    #expect(seen == [])
    let next = try #require(
      world[ana].peer?.sessions.first { $0.genesis.draft.previous?.table == table })
    #expect(next.isPrivate && next.secret == world.session(ana, table)?.secret)
    #expect(next.genesis.draft.code != world.session(ana, table)?.genesis.draft.code)
    #expect(try world.state(cy).openTables.isEmpty)
    // The owner of the next one is Bo, who asked first; Bo's laptop goes away.
    try world.agree(on: next.id)
    try world.sit(cy, byLineOf: ana, at: next.id)
    world.unplug(bo)
    try world.run(until: "the sentence", within: 40_000) { world in
      try [ana, cy].allSatisfy {
        try world.tableView($0, next.id).waiting?.code == "creatorAway"
      }
    }
    for laptop in [ana, cy] { #expect(try world.ask(laptop, .startAgain(next.id)).code == "ok") }
    try world.run(until: "both at the table after", within: 20_000) { world in
      [ana, cy].allSatisfy { laptop in
        world[laptop].peer?.sessions.contains {
          $0.genesis.draft.previous?.table == next.id && !$0.isJoining && $0.isSatAt
            && $0.secret == next.secret
        } == true
      }
    }
    #expect(world.offences == [])
  }

  @Test func `is not followed to a table of another nature`() throws {
    let world = World("Ana", "Bo")
    try world.meet()
    let table = try world.makePrivate()
    try world.sit(bo, byLineOf: ana, at: table)
    let old = try #require(world.session(ana, table))
    var draft = old.genesis.draft
    draft.isPrivate = false
    draft.previous = Genesis.Previous(
      table: table, tip: .zero, kind: .again, people: old.members)
    let signatures = draft.creator.keys.compactMap { key in
      world[ana].keys.sign(draft.signedBytes, with: key).map { KeySignature(key, $0) }
    }
    let open = try Genesis(draft: draft, signatures: signatures)
    world.inject(LinkMessage.genesis(open.encoded).frame, from: ana, to: bo)
    #expect(world.session(bo, table)?.successors.isEmpty == true)
    #expect(world[bo].peer?.counter["genesis.unasked"] == 1)
  }
}

@Suite struct `Messages about private tables` {
  private let proof = SecretProof(raw: Digest(ofBytes: [1]).raw)

  @Test func `come back from their frames, and nothing like them is read`() throws {
    for message in [
      LinkMessage.findPrivate(proof), .privateTable(proof, [1]),
      .privateTable(proof, [UInt8](repeating: 7, count: Limits.genesis)),
    ] {
      #expect(try LinkMessage(frame: message.frame) == message)
    }
    let good = proof.cbor
    for item: CBOR in [
      [20], [20, good, good], [20, .null], [20, .bytes([1])], [21, good], [21, good, .null],
      [21, good, .bytes([])], [21, good, .bytes([1]), .null], [21, .bytes([1]), .bytes([1])],
      [21, good, .bytes([UInt8](repeating: 7, count: Limits.genesis + 1))], [19, good],
      [23, good],
    ] {
      #expect(throws: DecodeError.self) { try LinkMessage(frame: item.encoded) }
    }
  }
}
