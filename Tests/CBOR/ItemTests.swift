import CBOR
import Testing
import TestSupport

@Suite struct `Items` {
  @Test func `of text are equal by their bytes only`() {
    #expect(CBOR.text("caf\u{e9}") != CBOR.text("cafe\u{301}"))
    #expect(CBOR.text("caf\u{e9}") == CBOR.text("caf\u{e9}"))
    let composed = CBOR.Pair("caf\u{e9}", 1)
    let decomposed = CBOR.Pair("cafe\u{301}", 2)
    let both = CBOR.map([composed, decomposed])
    #expect((try? CBOR(decoding: both.encoded)) != nil)
  }

  @Test func `of maps are written in order, however they are built`() throws {
    let pairs = [CBOR.Pair("z", 1), CBOR.Pair(10, 2), CBOR.Pair("aa", 3), CBOR.Pair(-1, 4)]
    let encodings = [pairs, pairs.reversed()].map { CBOR.map($0).encoded }
    #expect(encodings[0] == encodings[1])
    #expect(try CBOR(decoding: encodings[0]).encoded == encodings[0])
  }

  @Test func `with a key twice end the program`() async {
    await #expect(processExitsWith: .failure) {
      _ = CBOR.map([CBOR.Pair(1, 2), CBOR.Pair(1, 3)]).encoded
    }
  }

  @Test func `made at random come back as they were`() throws {
    var chance = SeededBytes(seed: 1)
    for _ in 0..<2_000 {
      let item = random(&chance, depth: 0)
      #expect(try CBOR(decoding: item.encoded).encoded == item.encoded)
    }
  }

  @Test func `are read as what the schema names, or refused with the field`() throws {
    #expect(try CBOR.bool(true).bool("a"))
    #expect(try CBOR.unsigned(7).int("a", in: 0...7) == 7)
    #expect(try CBOR.text("äb").text("a", maximum: 3) == "äb")
    #expect(try CBOR.bytes([1, 2]).bytes("a", count: 2...2) == [1, 2])
    #expect(try CBOR.array([1, 2]).array("a", exactly: 2) == [1, 2])
    #expect(CBOR.null.isNull && !CBOR.bool(false).isNull)
    #expect(throws: DecodeError.unexpectedType("a")) { try CBOR.null.bool("a") }
    #expect(throws: DecodeError.unexpectedType("a")) { try CBOR.negative(0).unsigned("a") }
    #expect(throws: DecodeError.outOfRange("a")) { try CBOR.unsigned(8).int("a", in: 0...7) }
    #expect(throws: DecodeError.outOfRange("a")) { try CBOR.unsigned(.max).int("a") }
    #expect(throws: DecodeError.outOfRange("a")) { try CBOR.text("äb").text("a", maximum: 2) }
    #expect(throws: DecodeError.unexpectedType("a")) { try CBOR.bytes([]).text("a", maximum: 2) }
    #expect(throws: DecodeError.outOfRange("a")) { try CBOR.bytes([1]).bytes("a", count: 2...2) }
    #expect(throws: DecodeError.wrongCount("a")) { try CBOR.array([1]).array("a", exactly: 2) }
    #expect(throws: DecodeError.unexpectedType("a")) { try CBOR.map([]).array("a") }
  }

  private func random(_ chance: inout SeededBytes, depth: Int) -> CBOR {
    let number = chance.next() >> UInt64.random(in: 0...63, using: &chance)
    switch Int.random(in: 0...(depth < 6 ? 7 : 4), using: &chance) {
    case 0: return .unsigned(number)
    case 1: return .negative(number)
    case 2: return .bytes(chance.bytes(Int.random(in: 0...300, using: &chance)))
    case 3: return .text(String(repeating: "ä👋🏽x", count: Int.random(in: 0...40, using: &chance)))
    case 4: return [.null, .bool(true), .simple(255)][Int(number % 3)]
    case 5: return .tagged(number, random(&chance, depth: depth + 1))
    case 6: return .array((0..<Int(number % 5)).map { _ in random(&chance, depth: depth + 1) })
    default:
      let keys = Set((0..<Int(number % 30)).map { _ in chance.next() >> (number % 60) })
      return .map(keys.map { CBOR.Pair(.unsigned($0), random(&chance, depth: depth + 1)) })
    }
  }
}
