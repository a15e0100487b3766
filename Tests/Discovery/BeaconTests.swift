import CBOR
import CSodium
import Testing
import Wire

@testable import Discovery

/// A key pair for tests only.
struct Signer {
  let key: PublicKey
  private let secret: [UInt8]

  init(_ seed: UInt8) {
    var publicBytes = [UInt8](repeating: 0, count: 32)
    var secretBytes = [UInt8](repeating: 0, count: 64)
    crypto_sign_seed_keypair(&publicBytes, &secretBytes, [UInt8](repeating: seed, count: 32))
    key = PublicKey(publicBytes) ?? PublicKey(raw: .zero)
    secret = secretBytes
  }

  func sign(_ bytes: [UInt8]) -> Signature {
    var out = [UInt8](repeating: 0, count: 64)
    crypto_sign_detached(&out, nil, bytes, UInt64(bytes.count), secret)
    guard let signature = Signature(out) else { preconditionFailure("64 bytes are a signature") }
    return signature
  }

  func beacon(
    name: String = "Ana", incarnation: UInt64 = 1, sequence: UInt64 = 1, period: UInt64 = 10_000,
    tables: [TableNotice] = []
  ) -> Beacon {
    let draft = Beacon.Draft(
      identity: key, name: name, incarnation: incarnation, sequence: sequence, period: period,
      linkPort: 47_474, atTable: false, tables: tables)
    return Beacon(draft: draft, signature: sign(draft.signedBytes))
  }
}

private let notice = TableNotice(
  table: TableID(raw: .zero), code: 48_213, title: "Monday stand-up", game: "bingo", size: 5,
  minutes: 60, players: 1, seats: 16)

@Suite struct BeaconTests {
  @Test func `a beacon comes out as it went in`() throws {
    let beacon = Signer(1).beacon(tables: [notice])
    #expect(try Beacon(datagram: beacon.datagram) == beacon)
    #expect(throws: Never.self) { try beacon.verified(by: Ed25519()) }
  }

  @Test func `the largest beacon fits one datagram`() {
    let wide = TableNotice(
      table: TableID(raw: .zero), code: 99_999, title: String(repeating: "x", count: 120),
      game: "bingo-bingo-bing", size: 99, minutes: 999, players: 999, seats: 999)
    let beacon = Signer(1).beacon(
      name: String(repeating: "n", count: 96), incarnation: Limits.counter,
      sequence: Limits.counter, period: 600_000,
      tables: Array(repeating: wide, count: Beacon.tablesPerBeacon))
    #expect(beacon.datagram.count <= Limits.datagram)
  }

  @Test func `a beacon cut at any length is refused`() {
    let datagram = Signer(1).beacon(tables: [notice]).datagram
    for length in 0..<datagram.count {
      #expect(throws: DecodeError.self) { try Beacon(datagram: Array(datagram.prefix(length))) }
    }
    #expect(throws: DecodeError.trailingBytes(1)) { try Beacon(datagram: datagram + [0]) }
  }

  @Test func `a flipped bit anywhere is refused by the decoder or the door`() {
    let datagram = Signer(1).beacon(tables: [notice]).datagram
    for index in datagram.indices {
      var bad = datagram
      bad[index] ^= 1
      #expect(throws: (any Error).self, "byte \(index)") {
        try Beacon(datagram: bad).verified(by: Ed25519())
      }
    }
  }

  @Test func `ten thousand random datagrams do nothing`() {
    var stream = DigestStream(key: Digest(ofBytes: [7]))
    for round in 0..<10_000 {
      var bytes = round.isMultiple(of: 2) ? Beacon.magic : []
      for _ in 0..<stream.below(80) { bytes.append(UInt8(stream.below(256))) }
      #expect(throws: DecodeError.self) { try Beacon(datagram: bytes) }
    }
  }

  @Test func `another version is named as such`() {
    let bytes = Beacon.magic + CBOR.array([2, "anything"]).encoded
    #expect(throws: DecodeError.unknownKind("beacon.version")) { try Beacon(datagram: bytes) }
  }
}

@Suite struct RosterTests {
  let ana = Signer(1)
  let bo = Signer(2)
  let host = IPAddress.v4(0x0a00_0001)

  private func hear(_ roster: inout Roster, _ beacon: Beacon, at now: UInt64) throws -> Hearing {
    roster.hear(try beacon.verified(by: Ed25519()), from: host, at: now)
  }

  @Test func `a peer is its key, not its address`() throws {
    var roster = Roster(me: ana.key)
    #expect(try hear(&roster, bo.beacon(sequence: 1), at: 0) == .new)
    let second = try bo.beacon(sequence: 2).verified(by: Ed25519())
    #expect(roster.hear(second, from: .v4(0x0a00_0002), at: 10) == .changed)
    #expect(roster.neighbours.count == 1)
    #expect(roster[bo.key]?.address.host == .v4(0x0a00_0002))
  }

  @Test func `a recorded beacon played again changes nothing`() throws {
    var roster = Roster(me: ana.key)
    #expect(try hear(&roster, bo.beacon(sequence: 5), at: 0) == .new)
    #expect(try hear(&roster, bo.beacon(sequence: 5), at: 1) == .duplicate)
    #expect(try hear(&roster, bo.beacon(sequence: 4), at: 2) == .replayed)
    #expect(try hear(&roster, bo.beacon(incarnation: 2, sequence: 1), at: 3) == .new)
    #expect(try hear(&roster, bo.beacon(sequence: 6), at: 4) == .replayed)
  }

  @Test func `three silent periods and a second end a row`() throws {
    var roster = Roster(me: ana.key)
    #expect(try hear(&roster, bo.beacon(period: 2_000), at: 100) == .new)
    #expect(roster.expire(at: 7_099).isEmpty)
    #expect(roster.expire(at: 7_100) == [bo.key])
  }

  @Test func `a goodbye ends a row at once and cannot be undone by a replay`() throws {
    var roster = Roster(me: ana.key)
    #expect(try hear(&roster, bo.beacon(sequence: 1), at: 0) == .new)
    #expect(try hear(&roster, bo.beacon(sequence: 2, period: 0), at: 1) == .gone)
    #expect(try hear(&roster, bo.beacon(sequence: 1), at: 2) == .replayed)
    #expect(try hear(&roster, bo.beacon(sequence: 2, period: 0), at: 3) == .duplicate)
    #expect(roster.neighbours.isEmpty)
  }

  @Test func `a goodbye on a link ends a row until a later beacon`() throws {
    var roster = Roster(me: ana.key)
    #expect(try hear(&roster, bo.beacon(sequence: 1), at: 0) == .new)
    roster.saidGoodbye(bo.key)
    #expect(roster.neighbours.isEmpty)
    #expect(try hear(&roster, bo.beacon(sequence: 1), at: 1) == .duplicate)
    #expect(roster.neighbours.isEmpty)
    #expect(try hear(&roster, bo.beacon(incarnation: 2, sequence: 1), at: 2) == .new)
  }

  @Test func `the own beacon is not a neighbour`() throws {
    var roster = Roster(me: ana.key)
    #expect(try hear(&roster, ana.beacon(), at: 0) == .own)
  }
}

@Suite struct InvitationTests {
  @Test(arguments: [
    ("48213", Invitation.code(48_213)), (" 00042 ", .code(42)),
    ("tabletalk join 48213", .code(48_213)),
    (
      "tabletalk join 48213@192.168.1.5:47474",
      .table(code: 48_213, at: Address("192.168.1.5:47474")!)
    ),
    ("48213@192.168.1.5", .table(code: 48_213, at: Address("192.168.1.5:47474")!)),
    (
      "48213@[fe80::5]:47474",
      .table(code: 48_213, at: Address("[fe80::5]:47474")!)
    ),
    ("join [2001:db8::5]", .node(Address("[2001:db8::5]:47474")!)),
    ("Come: tabletalk join 192.168.1.5:47475", .node(Address("192.168.1.5:47475")!)),
  ])
  func `reads codes, lines and addresses`(text: String, expected: Invitation) {
    #expect(Invitation(text) == expected)
    #expect(Invitation(expected.line) == expected)
  }

  @Test(arguments: [
    "", "4821", "482133", "4821a", "48213@", "@192.168.1.5:47474", "48213@300.1.1.1:1", "1.2.3.4:0",
    "1.2.3.4:65536", "48213@1.2.3.4:1@x", "1.2.3.4:+80", "1.2.3.4:080", "join", "48213 48214",
    "１２３４５", "1.2.3:5", "::1", "48213@fe80::5",
    "48213@[fe80::5", "[fe80::5]:", "[fe80::5]x1", "[127.0.0.1]:5", "[fe80::5%]:5",
  ])
  func `refuses anything else`(text: String) {
    #expect(Invitation(text) == nil)
  }
}
