import Archive
import CBOR
import Consensus
import Games
import Table
import TestSupport
import Testing
import Wire

@testable import Peer

@Suite struct `A saved log` {
  /// A game of three in which Bo leaves and Cy follows, so that Ana wins; and its table.
  private func endedGame() throws -> (World, TableID) {
    let world = World("Ana", "Bo", "Cy")
    world.watchesPages = true
    let table = try world.game()
    try world.settle(ana, table, world.row(ana, table)[0])
    #expect(try world.ask(bo, .quit(table)).code == "ok")
    try world.run(until: "Bo votes no more", within: 15_000) {
      $0.session(ana, table)?.replica.epoch.voters.count == 2
    }
    try world.settle(cy, table, world.row(cy, table)[1])
    #expect(try world.ask(cy, .quit(table)).code == "ok")
    try world.run(until: "the end", within: 15_000) {
      try $0.tableView(ana, table).result?.kind == .lastPlayer
    }
    return (world, table)
  }

  private func saved(_ world: World, _ laptop: Int, _ table: TableID) throws -> [UInt8] {
    try #require(try world[laptop].peer?.exportedLog(of: table.hex).bytes)
  }

  private func verify(_ bytes: [UInt8]) throws(LogFault) -> LogProof {
    try LogVerifier.verify(bytes, checker: Ed25519())
  }

  private func code(_ bytes: [UInt8]) -> String {
    do {
      _ = try verify(bytes)
      return "proven"
    } catch { return error.code }
  }

  @Test func `of a game with people who leave is proven, and says so in sentences`() throws {
    let (world, table) = try endedGame()
    let proof = try verify(try saved(world, ana, table))
    let session = try #require(world.session(ana, table))
    #expect(proof.tip == session.replica.finalTip)
    #expect(proof.state == session.table.stateHash)
    #expect(proof.epochs == 3)
    #expect(proof.kind == .lastPlayer)
    #expect(proof.winners == ["Ana"])
    #expect(proof.people.map(\.name) == ["Ana", "Bo", "Cy"])
    #expect(proof.people.map(\.left) == [false, true, true])
    #expect(proof.people.allSatisfy { $0.voted && !$0.lied })
    #expect(proof.settled)
    #expect(proof.leaningSeals == 0)
    #expect(proof.proves.first?.hasPrefix("Ana, Bo and Cy agreed on \(proof.acts) acts") == true)
    #expect(proof.proves.contains { $0.hasPrefix("Ana won at ") })
    #expect(proof.proves.contains { $0.hasPrefix("Both laptops signed the result.") })
    #expect(proof.doesNotProve.first?.contains("Ana \(world[ana].me.tag)") == true)
  }

  @Test func `is the same from the disk as from the node that runs`() throws {
    let (world, table) = try endedGame()
    world.run(for: 2_000)
    let running = try verify(try saved(world, ana, table))
    let code = try #require(world.session(ana, table)).genesis.codeText
    #expect(try verify(try world[ana].disk.stored.exportedLog(of: code).bytes) == running)
    // Bo has put the table away, and has its log all the same.
    world.kill(bo)
    _ = try verify(try world[bo].disk.stored.exportedLog(of: table.hex.prefix(8).description).bytes)
    #expect(throws: ExportFault.noSuchTable) {
      try world[ana].disk.stored.exportedLog(of: "nothing")
    }
  }

  @Test func `of a lobby alone proves little, and says that`() throws {
    let world = World("Ana")
    let table = try world.makeTable()
    world.run(for: 1_000)
    #expect(try world.ask(ana, .cancel(table)).code == "ok")
    world.run(for: 1_000)
    let proof = try verify(try saved(world, ana, table))
    #expect(proof.phase == "cancelled")
    #expect(proof.proves.first?.hasPrefix("Ana's laptop alone kept 1 act") == true)
    #expect(proof.doesNotProve.contains { $0.hasPrefix("That it was the only log: Ana alone") })
  }

  @Test func `of a game that goes on proves it so far`() throws {
    let world = World("Ana", "Bo", "Cy", "Di")
    world.watchesPages = true
    let table = try world.game()
    try world.settle(di, table, world.row(di, table)[0], false)
    try world.agree(on: table)
    world.run(for: 3_000)
    for laptop in [ana, bo, cy, di] {
      let proof = try verify(try saved(world, laptop, table))
      #expect(proof.kind == nil)
      #expect(proof.phase == "playing")
      #expect(proof.drawnBy == ["Ana", "Bo", "Cy", "Di"])
      #expect(proof.voters == 4)
      #expect(proof.signed >= 3)
      #expect(proof.liarsNeeded == proof.signed - 1)
    }
  }

  // MARK: Hostile files

  /// The rows of a file, to be changed.
  private func rows(_ bytes: [UInt8]) throws -> [CBOR] {
    var sequence = CBORSequence(bytes)
    var out: [CBOR] = []
    while let next = try sequence.next() { out.append(next) }
    return out
  }

  private func file(_ rows: [CBOR]) -> [UInt8] { rows.flatMap(\.encoded) }

  private func changed(_ row: CBOR, _ index: Int, _ value: CBOR) throws -> CBOR {
    var parts = try row.array("row")
    parts[index] = value
    return .array(parts)
  }

  @Test func `with anything left out, moved or added is not`() throws {
    let (world, table) = try endedGame()
    let good = try rows(try saved(world, ana, table))
    #expect(code(file(good)) == "proven")
    for index in good.indices {
      var less = good
      less.remove(at: index)
      #expect(code(file(less)) != "proven", "without row \(index)")
      var twice = good
      twice.insert(good[index], at: index)
      #expect(code(file(twice)) != "proven", "row \(index) twice")
      guard index > 1 else { continue }
      var moved = good
      moved.swapAt(index, index - 1)
      #expect(code(file(moved)) != "proven", "row \(index) before the one before")
    }
    #expect(code(file(good + [0])) == "moreAfterEnd")
    #expect(code(file(good.dropLast())) == "cutShort")
    #expect(code([]) == "notALog")
    var other = good
    other[0] = try changed(good[0], 0, "tabletalk/9 log")
    #expect(code(file(other)) == "otherVersion")
    var end = good
    end[good.count - 1] = try changed(try #require(good.last), 4, Digest.zero.cbor)
    #expect(code(file(end)) == "otherEnd")
  }

  @Test func `without the votes that made it final is not`() throws {
    let (world, table) = try endedGame()
    var rows = try rows(try saved(world, ana, table))
    let last = rows.count - 2
    rows[last] = try changed(rows[last], 3, .null)
    #expect(code(file(rows)) == "notFinal")
    // Too few votes are none.
    let first = try rows[1].array("row")
    let certificate = try Certificate(first[3])
    let empty = Certificate(subject: certificate.subject, signatures: [])
    rows[1] = try changed(rows[1], 3, empty.cbor)
    #expect(code(file(rows)) == "certificateNotQuorum" || code(file(rows)) == "unsigned")
  }

  @Test func `names who signed what no honest laptop signs together`() throws {
    let (world, table) = try endedGame()
    let good = try rows(try saved(world, ana, table))
    let session = try #require(world.session(ana, table))
    let epoch = try #require(session.replica.history.last?.block.epoch)
    let liar = try #require(world.session(cy, table)).keys.voter
    func vote(_ block: Digest) throws -> Vote {
      let subject = VoteSubject(
        table: table, epoch: epoch, view: 90, kind: .finalize, block: block)
      let signature = try #require(world[cy].keys.sign(subject.signedBytes, with: liar))
      return Vote(subject: subject, voter: liar, signature: signature)
    }
    func file(with left: Vote, _ right: Vote) throws -> [UInt8] {
      var rows = good
      let end = try rows.removeLast().array("row")
      rows.append([1, left.cbor, right.cbor])
      rows.append([2, CBOR(Int(try end[1].unsigned("rows")) + 1), end[2], end[3], end[4]])
      return self.file(rows)
    }
    let (one, other) = (try vote(Digest(ofBytes: [1])), try vote(Digest(ofBytes: [2])))
    let proof = try verify(try file(with: one, other))
    #expect(proof.people.map(\.lied) == [false, false, true])
    #expect(proof.proves.contains { $0.hasPrefix("Cy's laptop lied") })
    #expect(code(try file(with: one, one)) == "evidenceProvesNothing")
    let forged = Vote(subject: other.subject, voter: one.voter, signature: one.signature)
    #expect(code(try file(with: one, forged)) == "evidenceProvesNothing")
  }

  @Test func `cut at any byte, or with any bit turned, is not`() throws {
    let world = World("Ana")
    let table = try world.makeTable()
    world.run(for: 500)
    #expect(try world.ask(ana, .cancel(table)).code == "ok")
    world.run(for: 500)
    let good = try saved(world, ana, table)
    #expect(code(good) == "proven")
    for end in good.indices {
      #expect(["cutShort", "notALog"].contains(code(Array(good[..<end]))), "cut at \(end)")
    }
    for index in good.indices {
      var bad = good
      bad[index] ^= 1 << UInt8(index % 8)
      #expect(code(bad) != "proven", "bit turned at \(index)")
    }
  }

  @Test func `that is only made to cost something costs nothing`() {
    let clock = ContinuousClock()
    let start = clock.now
    #expect(code([UInt8](repeating: 0, count: 100 << 20)) == "notALog")
    #expect(code([UInt8](repeating: 0x81, count: 1 << 20)) == "notALog")
    // An array, a map, a text and bytes that announce what no memory holds.
    for major in [UInt8(0x9b), 0xbb, 0x7b, 0x5b] {
      for size in [UInt8(0x00), 0x7f, 0xff] {
        #expect(code([major, size, 0, 0, 0, 0xff, 0xff, 0xff, 0xff] + [0, 1, 2]) == "notALog")
      }
    }
    let first = CBOR.array([.text(GameLog.format), .bytes([1, 2, 3])]).encoded
    #expect(code(first) == "reserved" || code(first) == "trailingBytes")
    #expect(clock.now - start < .seconds(20))
  }
}
