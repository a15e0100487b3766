import CBOR
import CSodium
import Testing
import Wire

@testable import Discovery

/// A key pair for tests only.
struct Signer {
  let key: PublicKey
  private let secret: [UInt8]

  init(_ seed: UInt8) { self.init(seed: [UInt8](repeating: seed, count: 32)) }

  init(seed: [UInt8]) {
    var publicBytes = [UInt8](repeating: 0, count: 32)
    var secretBytes = [UInt8](repeating: 0, count: 64)
    crypto_sign_seed_keypair(&publicBytes, &secretBytes, seed)
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
    tables: [TableNotice] = [], clock: UInt64 = 1_800_000_000, hears: [KeyMark] = [],
    calls: [KeyMark] = []
  ) -> Beacon {
    let draft = Beacon.Draft(
      identity: key, name: name, incarnation: incarnation, sequence: sequence, period: period,
      linkPort: 47_474, atTable: false, tables: tables, clock: clock, hears: hears.count,
      heard: Array(hears.prefix(Beacon.heardPerBeacon)), calls: calls)
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
      game: "bingo-bingo-bing", size: 99, minutes: 999, players: 999, seats: 999,
      appointment: Appointment(place: String(repeating: "y", count: 24), startsAt: Limits.counter))
    let beacon = Signer(1).beacon(
      name: String(repeating: "n", count: 96), incarnation: Limits.counter,
      sequence: Limits.counter, period: 600_000,
      tables: Array(repeating: wide, count: Beacon.tablesPerBeacon), clock: Limits.counter,
      hears: (0..<100).map { KeyMark(Signer($0).key) }.sorted(),
      calls: (0..<4).map { KeyMark(Signer($0).key) }.sorted())
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

@Suite struct `Who hears whom` {
  private func key(_ first: UInt8) -> PublicKey {
    PublicKey([first, first, first, first] + [UInt8](repeating: 7, count: 28))
      ?? PublicKey(raw: .zero)
  }

  private func beacon(hears marks: [UInt8], of count: Int) -> Beacon {
    let draft = Beacon.Draft(
      identity: key(200), name: "Ana", incarnation: 1, sequence: 1, period: 10_000, linkPort: 1,
      atTable: false, tables: [], clock: 0, hears: count, heard: marks.map { KeyMark(key($0)) })
    return Beacon(draft: draft, signature: Signer(1).sign([]))
  }

  @Test func `a whole list tells of everybody`() {
    let beacon = beacon(hears: [3, 5], of: 2)
    #expect(beacon.tellsHearing(of: key(3)) == true)
    #expect([2, 4, 6].map { beacon.tellsHearing(of: key($0)) } == [false, false, false])
    #expect(self.beacon(hears: [], of: 0).tellsHearing(of: key(3)) == false)
  }

  @Test func `a stretch tells of those between its ends`() {
    let part = beacon(hears: (0..<16).map { 10 + 2 * $0 }, of: 40)
    #expect(
      [9, 10, 11, 39, 40, 41].map { part.tellsHearing(of: key($0)) }
        == [nil, true, false, false, true, nil])
    let around = beacon(hears: Array(60..<70) + [0, 2, 4, 6, 8, 10], of: 40)
    #expect(
      [59, 60, 99, 1, 10, 11].map { around.tellsHearing(of: key($0)) }
        == [nil, true, false, false, true, nil])
  }

  @Test(arguments: 1...50)
  func `a round tells of every key there can be`(count: Int) throws {
    let all = (0..<count).map { KeyMark(key(UInt8(5 * $0))) }
    var round = HeardRound()
    var told: Set<UInt8> = []
    for _ in 0..<(count + 14) / 15 {
      let marks = round.next(of: all)
      let draft = Beacon.Draft(
        identity: Signer(1).key, name: "Ana", incarnation: 1, sequence: 1, period: 10_000,
        linkPort: 1, atTable: false, tables: [], clock: 0, hears: count, heard: marks)
      let beacon = Beacon(draft: draft, signature: Signer(1).sign(draft.signedBytes))
      #expect(try Beacon(datagram: beacon.datagram) == beacon)
      for first in UInt8.min...UInt8.max {
        guard let heard = beacon.tellsHearing(of: key(first)) else { continue }
        #expect(heard == (first.isMultiple(of: 5) && first < 5 * count), "\(first)")
        told.insert(first)
      }
    }
    #expect(told.count == 256)
  }

  @Test func `an answer names whom it is for`() {
    let all = (0..<50).map { KeyMark(key(UInt8(5 * $0))) }
    for number in 0..<50 as Range<UInt8> {
      let marks = HeardRound.stretch(of: all, with: key(5 * number))
      #expect(marks.count == Beacon.heardPerBeacon && marks.contains(KeyMark(key(5 * number))))
    }
  }
}

@Suite struct `People with other versions` {
  private func hear(
    _ others: inout OtherVersions, _ signer: Signer, version: Int = 2, from host: UInt32 = 1,
    at now: UInt64 = 0
  ) throws -> Bool {
    let fields: [CBOR] = [CBOR(version), signer.key.cbor, "Bo", [.null]]
    let bytes = CBOR.array([.text(Tag.beacon.rawValue)] + fields).encoded
    let beacon = try ForeignBeacon(.array(fields + [signer.sign(bytes).cbor]))
    return others.hear(try beacon.verified(by: Ed25519()), from: .v4(host), at: now)
  }

  @Test func `are listed once each, and forgotten when they are silent`() throws {
    var others = OtherVersions()
    #expect(try hear(&others, Signer(1)))
    #expect(try hear(&others, Signer(1), at: 10_000) == false)
    #expect(try hear(&others, Signer(1), version: 3, at: 20_000))
    #expect(others.people.map(\.version) == [3])
    #expect(others.nextExpiry == 111_000)
    #expect(others.expire(at: 110_999) == false)
    #expect(others.expire(at: 111_000) == true)
    #expect(others.people.isEmpty)
  }

  @Test func `are no more than the list holds, however many keys are made up`() throws {
    var others = OtherVersions()
    for number in 0..<100 as Range<UInt8> {
      #expect(try hear(&others, Signer(number), from: UInt32(number)))
    }
    #expect(others.people.count == OtherVersions.capacity)
    var here = OtherVersions()
    for number in 0..<40 as Range<UInt8> {
      _ = try hear(&here, Signer(number), from: 0x7f00_0001)
    }
    #expect(here.people.count == OtherVersions.capacity, "nodes on this laptop have no share")
  }

  @Test func `are shown whoever makes up how many others`() throws {
    var others = OtherVersions()
    let bo = Signer(200)
    func isShown(_ key: PublicKey) -> Bool { others.people.contains { $0.identity == key } }
    // One address has its share, of which the newest are shown.
    _ = try hear(&others, bo, from: 7)
    for number in 0..<100 as Range<UInt8> {
      _ = try hear(&others, Signer(number), from: 8, at: UInt64(number))
    }
    #expect(others.people.count == 1 + OtherVersions.capacityPerAddress)
    #expect(isShown(bo.key) && isShown(Signer(99).key) && !isShown(Signer(0).key))
    // What Bo said, said again from there, does not make Bo one of them.
    #expect(try hear(&others, bo, from: 8, at: 100) == false)
    for number in 100..<110 as Range<UInt8> {
      _ = try hear(&others, Signer(number), from: 8, at: 101)
    }
    #expect(isShown(bo.key))
    // A full list gives room at the most crowded address, and then to whoever speaks.
    for number in 110..<180 as Range<UInt8> {
      _ = try hear(&others, Signer(number), from: 1_000 + UInt32(number), at: UInt64(number))
    }
    #expect(others.people.count == OtherVersions.capacity)
    #expect(others.people.count { $0.host == .v4(8) } <= 1)
    #expect(try hear(&others, bo, from: 7, at: 300) || isShown(bo.key))
    #expect(isShown(bo.key))
  }

  @Test func `are told who has to update`() {
    func person(_ version: Int) -> OtherVersion {
      OtherVersion(
        identity: Signer(1).key, name: "Bo", version: version, host: .v4(1), heardAt: 0)
    }
    let (newer, older) = (person(2), person(0))
    #expect(newer.message == "Bo has a newer Tabletalk. Update yours to play together.")
    #expect(older.message.contains("Bo must update"))
  }

  @Test func `are not taken at the word of anybody else`() throws {
    let datagram = Signer(1).beacon().datagram
    #expect(throws: DecodeError.unknownKind("beacon.version")) {
      try ForeignBeacon(datagram: datagram)
    }
    var changed = datagram
    changed[5] = 2
    let beacon = try ForeignBeacon(datagram: changed)
    #expect(throws: WireError.badSignature) { try beacon.verified(by: Ed25519()) }
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
    (
      "Ana: please join! tabletalk join 48213@192.168.1.5:47474\nNo Tabletalk yet? Then join 00001",
      .table(code: 48_213, at: Address("192.168.1.5:47474")!)
    ),
    ("join join 48213 of us", .code(48_213)),
  ])
  func `reads codes, lines and addresses`(text: String, expected: Invitation) {
    #expect(Invitation(text) == expected)
    #expect(Invitation(expected.line) == expected)
  }

  @Test(arguments: [
    "", "4821", "482133", "4821a", "48213@", "@192.168.1.5:47474", "48213@300.1.1.1:1", "1.2.3.4:0",
    "1.2.3.4:65536", "48213@1.2.3.4:1@x", "1.2.3.4:+80", "1.2.3.4:080", "join", "48213 48214",
    "join us",
    "１２３４５", "1.2.3:5", "::1", "48213@fe80::5",
    "48213@[fe80::5", "[fe80::5]:", "[fe80::5]x1", "[127.0.0.1]:5", "[fe80::5%]:5",
  ])
  func `refuses anything else`(text: String) {
    #expect(Invitation(text) == nil)
  }
}
