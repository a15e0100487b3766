import CBOR
import Testing
import TestSupport

struct Refused: Decodable {
  struct Item: Decodable, CustomTestStringConvertible, Sendable {
    let hex: String
    let code: String
    let why: String

    var testDescription: String { why }
  }
  let items: [Item]

  static let all = (try? Vectors.load("cbor/refused.json", as: Self.self))?.items ?? []
}

@Suite struct `Hostile bytes` {
  @Test(arguments: Refused.all)
  func `are refused with the code of their first fault`(item: Refused.Item) {
    let error = #expect(throws: DecodeError.self) { try CBOR(decoding: bytes(hex: item.hex)) }
    #expect(error?.code == item.code)
  }

  @Test func `cut at any length are truncated, and longer by one have a trailing byte`() {
    for item in (AppendixA.all ?? []).filter(\.deterministic) {
      let input = bytes(hex: item.hex)
      for length in 0..<input.count {
        let error = #expect(throws: DecodeError.self) {
          try CBOR(decoding: Array(input[..<length]))
        }
        #expect(error?.code == "truncated", "\(item.hex) cut to \(length)")
      }
      #expect(throws: DecodeError.trailingBytes(1)) { try CBOR(decoding: input + [0]) }
    }
  }

  @Test func `made at random never trap, and what is accepted is canonical`() {
    var chance = SeededBytes(seed: 8949)
    var accepted = 0
    for _ in 0..<10_000 {
      let input = chance.bytes(Int.random(in: 0...64, using: &chance))
      guard let item = try? CBOR(decoding: input) else { continue }
      accepted += 1
      #expect(item.encoded == input)
    }
    #expect(accepted > 50)
  }

  @Test func `one bit away from good ones never trap, and what is accepted is canonical`() {
    for item in (AppendixA.all ?? []).filter(\.deterministic) {
      let input = bytes(hex: item.hex)
      for offset in input.indices {
        for bit in 0..<8 {
          var flipped = input
          flipped[offset] ^= 1 << UInt8(bit)
          guard let other = try? CBOR(decoding: flipped) else { continue }
          #expect(other.encoded == flipped)
        }
      }
    }
  }

  @Test(
    arguments: [[0x81], [0xc1], [0xa1, 0x00], [0xa1, 0x81], [0xd9, 0x01, 0x02]] as [[UInt8]])
  func `nested a hundred thousand levels are too deep`(level: [UInt8]) {
    let bomb = [UInt8](repeatElement(level, count: 100_000).joined()) + [0]
    #expect(throws: DecodeError.tooDeep) { try CBOR(decoding: bomb) }
  }

  @Test func `nested to the limit are accepted`() throws {
    let deepest = [UInt8](repeating: 0x81, count: CBORLimits.standard.depth - 1) + [0]
    #expect(try CBOR(decoding: deepest).encoded == deepest)
    #expect(throws: DecodeError.tooDeep) { try CBOR(decoding: [0x81] + deepest) }
  }

  @Test func `that hold more items than the limit are refused before they are built`() throws {
    let limit = CBORLimits.standard.items
    func zeros(_ count: Int) -> [UInt8] {
      CBOR.array([CBOR](repeating: 0, count: count)).encoded
    }
    #expect(throws: DecodeError.tooManyItems) { try CBOR(decoding: zeros(limit)) }
    #expect(try CBOR(decoding: zeros(limit - 1)).array("zeros").count == limit - 1)
    // Ten arrays, each below the limit, are counted together.
    let tenth = CBOR.array([CBOR](repeating: 0, count: limit / 10))
    let together = CBOR.array([CBOR](repeating: tenth, count: 10)).encoded
    #expect(throws: DecodeError.tooManyItems) { try CBOR(decoding: together) }
  }
}
