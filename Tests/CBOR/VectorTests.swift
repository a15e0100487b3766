import CBOR
import Testing
import TestSupport

/// RFC 8949 appendix A, marked by section 4.2.1.
struct AppendixA: Decodable {
  struct Item: Decodable, CustomTestStringConvertible, Sendable {
    let hex: String
    let deterministic: Bool
    let reasons: [String]

    var testDescription: String { hex }
  }
  let items: [Item]

  static let all = (try? Vectors.load("cbor/appendix_a_deterministic.json", as: Self.self))?.items
}

struct MapOrder: Decodable {
  struct Item: Decodable {
    let what: String
    let hex: String
    let deterministic: Bool

    enum CodingKeys: String, CodingKey {
      case what, hex
      case deterministic = "deterministic_4_2_1"
    }
  }
  let items: [Item]
}

struct Boundaries: Decodable {
  struct Item: Decodable {
    let value: String
    let hex: String?
    let head: String?

    enum CodingKeys: String, CodingKey {
      case value, hex
      case head = "head_hex"
    }
  }
  let items: [Item]
}

@Suite struct `Published vectors` {
  @Test func `are there`() throws {
    let items = try #require(AppendixA.all)
    #expect(items.count == 82)
    #expect(items.filter(\.deterministic).count == 64)
  }

  @Test(arguments: (AppendixA.all ?? []).filter(\.deterministic))
  func `deterministic ones are accepted and encoded to the same bytes`(
    item: AppendixA.Item
  ) throws {
    let input = bytes(hex: item.hex)
    #expect(try CBOR(decoding: input).encoded == input)
  }

  @Test(arguments: (AppendixA.all ?? []).filter { !$0.deterministic })
  func `others are refused for their fault`(item: AppendixA.Item) throws {
    let codes = [
      "indefinite length": "indefiniteLength", "float not shortest": "notShortest",
      "nan not f97e00": "notShortest",
    ]
    let expected = codes[try #require(item.reasons.first)] ?? "reserved"
    let error = #expect(throws: DecodeError.self) { try CBOR(decoding: bytes(hex: item.hex)) }
    #expect(error?.code == expected)
  }

  @Test func `of key order follow section 4_2_1 and not 4_2_3`() throws {
    for item in try Vectors.load("cbor/map_key_order.json", as: MapOrder.self).items {
      let input = bytes(hex: item.hex)
      if item.deterministic {
        #expect(try CBOR(decoding: input).encoded == input, "\(item.what)")
      } else {
        #expect(throws: DecodeError.keysOutOfOrder, "\(item.what)") {
          try CBOR(decoding: input)
        }
      }
    }
  }

  @Test func `of boundaries have the one shortest form`() throws {
    let items = try Vectors.load("cbor/boundaries.json", as: Boundaries.self).items
    #expect(items.count == 40)
    for item in items {
      if let hex = item.hex {
        let value = try #require(number(item.value))
        #expect(value.encoded == bytes(hex: hex), "\(item.value)")
        #expect(try CBOR(decoding: bytes(hex: hex)) == value, "\(item.value)")
      } else {
        let head = bytes(hex: try #require(item.head))
        let count = try #require(item.value.split(separator: " ").compactMap { Int($0) }.first)
        let string = CBOR.bytes([UInt8](repeating: 0, count: count))
        #expect(string.encoded == head + [UInt8](repeating: 0, count: count), "\(item.value)")
        #expect(try CBOR(decoding: string.encoded) == string, "\(item.value)")
      }
    }
  }

  private func number(_ text: String) -> CBOR? {
    guard text.hasPrefix("-") else { return UInt64(text).map(CBOR.unsigned) }
    // -1 - n: the magnitude less one; only -2^64 has a magnitude that does not fit.
    let magnitude = text.dropFirst()
    if magnitude == "18446744073709551616" { return .negative(.max) }
    return UInt64(magnitude).map { .negative($0 - 1) }
  }
}
