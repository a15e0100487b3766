import CBOR
import Consensus
import Games
import Table
import TestSupport
import Testing
import Wire

@Suite struct `A genesis` {
  private func samples() throws -> [Genesis] {
    [
      try genesis(),
      try genesis(words: 500, size: 5),
      try genesis { $0.isPrivate = true },
      try genesis { $0.isStrict = true },
      try genesis { $0.appointment = Appointment(place: "Floor 4", startsAt: nil) },
      try genesis {
        $0.isStrict = true
        $0.appointment = Appointment(place: nil, startsAt: 1_764_600_000)
      },
      try genesis(
        practice: true, pretend: [PretendMember(player: bo.player, name: "Polly")],
        previous: Genesis.Previous(
          table: TableID(raw: Digest(.state, "x").raw), tip: .zero, kind: .again,
          people: [cy.identity, bo.identity])),
    ]
  }

  @Test func `comes back from its encoding with the same id`() throws {
    for genesis in try samples() {
      let back = try Genesis(decoding: genesis.encoded)
      #expect(back == genesis)
      #expect(back.table == genesis.table)
      #expect(back.encoded == genesis.encoded)
      #expect(back.signedBytes == genesis.draft.signedBytes)
      #expect(genesis.draft.table == genesis.table)
    }
  }

  @Test func `of the longest words fits its limit`() throws {
    var texts: [Word] = []
    for number in 0..<500 {
      let dice = String(repeating: "🎲", count: 57)
      texts.append(try Word(typed: dice + String(number + 100)))
    }
    let genesis = try genesis { draft in
      draft.setup = .bingo(
        BingoSetup(settings: BingoSettings(size: 5, minutes: 60), words: texts))
    }
    #expect(genesis.encoded.count <= Limits.genesis)
    #expect(try Genesis(decoding: genesis.encoded) == genesis)
  }

  @Test func `cut at any length is refused`() throws {
    let bytes = try samples()[4].encoded
    for length in bytes.indices {
      #expect(throws: DecodeError.self) { try Genesis(decoding: Array(bytes[..<length])) }
    }
    #expect(throws: DecodeError.self) { try Genesis(decoding: bytes + [0]) }
  }

  @Test(arguments: 0..<300)
  func `with a flipped bit is another one, or none`(seed: UInt64) throws {
    var chance = SeededBytes(seed: seed)
    let genesis = try samples()[Int(seed % 5)]
    var bytes = genesis.encoded
    let index = Int.random(in: bytes.indices, using: &chance)
    bytes[index] ^= 1 << UInt8.random(in: 0..<8, using: &chance)
    guard let other = try? Genesis(decoding: bytes) else { return }
    #expect(other != genesis)
  }

  @Test func `too large is refused before it is read`() {
    let bytes = [UInt8](repeating: 0, count: Limits.genesis + 1)
    #expect(throws: DecodeError.outOfRange("genesis")) { try Genesis(decoding: bytes) }
  }

  private func fault(_ change: (inout Genesis.Draft) -> Void) -> Genesis.Fault? {
    do throws(Genesis.Fault) {
      _ = try genesis(change: change)
      return nil
    } catch { return error }
  }

  @Test func `has a code of five digits, a title, a name and a nonce`() {
    #expect(fault { $0.code = 100_000 } == .badCode)
    #expect(fault { $0.code = -1 } == .badCode)
    #expect(fault { $0.title = "" } == .badTitle)
    #expect(fault { $0.title = " a" } == .badTitle)
    #expect(fault { $0.title = String(repeating: "x", count: 41) } == .badTitle)
    #expect(fault { $0.nonce = [1] } == .badNonce)
    #expect(fault { $0.creator = Person(0, "A").member } == .badName)
    #expect(fault { $0.creator = Person(0, String(repeating: "x", count: 25)).member } == .badName)
    #expect(fault { $0.creator = Person(0, "An\u{202e}a").member } == .badName)
  }

  @Test func `says whether it is private, which is part of its name, and is no try-out then`()
    throws
  {
    let open = try genesis()
    let closed = try genesis { $0.isPrivate = true }
    #expect(!open.draft.isPrivate && closed.draft.isPrivate)
    #expect(open.table != closed.table)
    #expect(!Table(open).view(for: nil).isPrivate && Table(closed).view(for: nil).isPrivate)
    #expect(
      fault {
        $0.practice = true
        $0.isPrivate = true
      } == .badPrivate)
  }

  @Test func `says where and when only where that was said`() throws {
    #expect(Appointment(place: nil, startsAt: nil) == nil)
    #expect(Appointment(place: "", startsAt: 1) == nil)
    #expect(Appointment(place: String(repeating: "x", count: 25), startsAt: nil) == nil)
    let made = try genesis { $0.appointment = Appointment(place: "Küche", startsAt: 5) }
    var parts = try CBOR(decoding: made.encoded).array("genesis", exactly: 12)
    #expect(parts[10] == ["Küche", 5])
    let view = Table(made).view(for: nil)
    #expect(view.place == "Küche" && view.startsAt == 5)
    for other: CBOR in [
      [], [.null, .null], ["Küche"], ["", 5], ["a\n", 5], [.null, "5"], ["x", 5, 5],
    ] {
      parts[10] = other
      #expect(throws: DecodeError.self) { try Genesis(decoding: CBOR.array(parts).encoded) }
    }
  }

  @Test func `says whether it is strict only when it is, and is no try-out then`() throws {
    let usual = try genesis()
    let strict = try genesis { $0.isStrict = true }
    #expect(usual.table != strict.table)
    #expect(!usual.founding.isStrict && strict.founding.isStrict)
    #expect((try CBOR(decoding: usual.encoded).array("genesis")).count == 11)
    var parts = try CBOR(decoding: strict.encoded).array("genesis", exactly: 12)
    #expect(parts[10] == .bool(true))
    #expect(!Table(usual).view(for: nil).isStrict && Table(strict).view(for: nil).isStrict)
    for other in [CBOR.bool(false), .null, .unsigned(1)] {
      parts[10] = other
      #expect(throws: DecodeError.self) { try Genesis(decoding: CBOR.array(parts).encoded) }
    }
    #expect(
      fault {
        $0.practice = true
        $0.isStrict = true
      } == .badStrict)
  }

  @Test func `shows its code with leading zeros`() throws {
    #expect(try genesis { $0.code = 7 }.codeText == "00007")
    #expect(try genesis().codeText == "48213")
  }

  @Test func `has three different keys, and colleagues only for practice`() {
    #expect(
      fault {
        $0.creator = Member(
          identity: ana.identity, player: ana.identity, voter: ana.voter, generation: 0,
          name: "Ana")
      } == .sameKeys)
    let polly = PretendMember(player: bo.player, name: "Polly")
    #expect(fault { $0.pretend = [polly] } == .badPretend)
    #expect(
      fault {
        $0.practice = true
        $0.pretend = [polly, polly]
      } == .sameKeys)
    #expect(
      fault {
        $0.practice = true
        $0.pretend = [PretendMember(player: ana.voter, name: "Polly")]
      } == .sameKeys)
    #expect(
      fault {
        $0.practice = true
        $0.pretend = (0..<16).map { PretendMember(player: Person($0 + 50).player, name: "Polly") }
      } == .badPretend)
  }

  @Test func `is signed by exactly the creator's keys`() throws {
    let draft = try genesis().draft
    for keys in [
      [], [ana.identity, ana.player], [ana.identity, ana.player, bo.voter],
      [ana.identity, ana.player, ana.voter, bo.voter],
    ] {
      #expect(throws: Genesis.Fault.badSigners) {
        try Genesis(draft: draft, signatures: keys.map { KeySignature($0, signature) })
      }
    }
  }
}

@Suite struct `An act` {
  static let samples: [Act] = [
    bo.join, .setup(BingoSetupMove.settings(BingoSettings(size: 4, minutes: 30))), .ready(true),
    .ready(false), .start, .cancel, .left, .commit(draw: 3, commitment: Digest(.state, "c")),
    .reveal(draw: 3, secret: Digest(.state, "s")), .move(BingoMove.claim(event: 4)), .rematch,
    .back,
    .witness(Act.Join(identity: di.identity, voter: di.voter, generation: 0, name: "Di")),
    .rekey(Act.Rekey(voter: di.voter, generation: 1)),
  ]

  @Test(arguments: samples)
  func `comes back from its encoding`(act: Act) throws {
    #expect(try Act(decoding: act.encoded) == act)
    #expect(act.encoded.count <= Limits.entryBody)
  }

  @Test(arguments: samples)
  func `cut or lengthened is none`(act: Act) {
    let bytes = act.encoded
    for length in bytes.indices {
      #expect(throws: DecodeError.self) { try Act(decoding: Array(bytes[..<length])) }
    }
    #expect(throws: DecodeError.self) { try Act(decoding: bytes + [0]) }
  }

  @Test(arguments: [
    [] as CBOR, [99], [10, 0], [.negative(0)], ["start"], [3, 0], [2], [2, 1], [6, 0], [6, 0, "x"],
    [7, 0, .bytes([1])], [0, 1, 2, 3, 4], 3, .null,
  ])
  func `is not read from anything else`(item: CBOR) {
    #expect(throws: DecodeError.self) { try Act(decoding: item.encoded) }
  }
}
