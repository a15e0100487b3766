import CBOR
import Testing
import TestSupport
import Wire

/// The messages of `Protocol/vectors/wire.json`, for readers in other languages.
struct WireVectors: Codable {
  struct Item: Codable {
    let name: String
    let hex: String
    /// Hash of the block in it, if it carries one.
    let block: String?
  }
  let about: String
  let messages: [Item]
}

@Suite struct `Every message` {
  static let names = Samples.messages.map(\.name)
  /// The word of the peer at the other end of a link.
  static let signedByNobody = ["status", "status of a full disk", "get chain", "get block", "wish"]

  /// The block in a message.
  static func block(of name: String) -> Block {
    name == "block that evicts" ? Samples.eviction : Samples.block
  }

  static func sample(_ name: String) throws -> TableMessage {
    try #require(Samples.messages.first { $0.name == name }).message
  }

  /// What the door makes of bytes, or why it refuses.
  static func admit(_ bytes: [UInt8]) throws(WireError) -> TableMessage {
    let message: TableMessage
    do {
      message = try TableMessage(try CBOR(decoding: bytes))
    } catch {
      throw .malformed(error)
    }
    return try message.verified(by: Ed25519()).body
  }

  @Test(arguments: names)
  func `comes through the door as it was sent`(name: String) throws {
    let message = try Self.sample(name)
    let bytes = message.cbor.encoded
    #expect(bytes.count <= Limits.message)
    #expect(try Self.admit(bytes) == message)
    #expect(try Self.admit(bytes).cbor.encoded == bytes)
    #expect(message.table == Samples.table)
  }

  @Test(arguments: names)
  func `is refused when cut at any length or followed by a byte`(name: String) throws {
    let bytes = try Self.sample(name).cbor.encoded
    for length in bytes.indices {
      let error = #expect(throws: WireError.self) { try Self.admit(Array(bytes[..<length])) }
      #expect(error?.code == "truncated", "cut to \(length)")
    }
    #expect(throws: WireError.malformed(.trailingBytes(1))) { try Self.admit(bytes + [0]) }
  }

  /// Statements are refused outright.
  ///
  /// What a vote covers only by the block's hash may be let in, but then the block has another hash
  /// than the one that was voted for.
  @Test(arguments: names.filter { !signedByNobody.contains($0) })
  func `is refused or another block when any byte is changed`(name: String) throws {
    let bytes = try Self.sample(name).cbor.encoded
    for offset in bytes.indices {
      var changed = bytes
      changed[offset] ^= offset.isMultiple(of: 2) ? 0x01 : 0x80
      guard let admitted = try? Self.admit(changed) else { continue }
      let place = "byte \(offset) of \(name)"
      switch admitted {
      case .block(let block): #expect(block.hash != Self.block(of: name).hash, "\(place)")
      case .proposal(let block, let vote):
        #expect(block.hash != vote.subject.block, "\(place)")
      case .chain(let chain):
        let final = chain.finalizations.map(\.subject.block)
        #expect(chain.table != Samples.table || !final.contains(chain.blocks[0].hash), "\(place)")
      default: Issue.record("let in with a changed \(place)")
      }
    }
  }

  @Test func `of random items is refused or canonical`() {
    var chance = SeededBytes(seed: 47474)
    for _ in 0..<5_000 {
      let kind = Int.random(in: 0...19, using: &chance)
      let parts = (0..<Int.random(in: 1...3, using: &chance)).map { _ in
        CBOR.array(
          (0..<Int.random(in: 0...13, using: &chance)).map { _ in
            [CBOR.bytes(chance.bytes(32)), .unsigned(chance.next()), .array([]), .null][
              Int.random(in: 0...3, using: &chance)]
          })
      }
      let bytes = CBOR.array([CBOR(kind)] + parts).encoded
      if let admitted = try? Self.admit(bytes) { #expect(admitted.cbor.encoded == bytes) }
    }
  }

  @Test func `has the bytes that are written down for other implementations`() throws {
    let now = WireVectors(
      about:
        "Every kind of message, made by Tests/Wire/Samples.swift: its bytes, the block's hash.",
      messages: Samples.messages.map { name, message in
        let carriesBlock = ["proposal", "chain", "block", "block that evicts"].contains(name)
        return WireVectors.Item(
          name: name, hex: hex(message.cbor.encoded),
          block: carriesBlock ? Self.block(of: name).hash.hex : nil)
      })
    try Vectors.approve("wire.json", now)
    let vectors = try Vectors.load("wire.json", as: WireVectors.self)
    #expect(vectors.messages.map(\.name) == Self.names)
    for vector in vectors.messages {
      let message = try Self.sample(vector.name)
      #expect(hex(message.cbor.encoded) == vector.hex, "\(vector.name)")
      if let block = vector.block { #expect(Self.block(of: vector.name).hash.hex == block) }
    }
  }
}
