import CBOR
import CSodium
import Testing
import TestSupport
import Wire

struct SignatureVectors: Decodable {
  struct Vector: Decodable, CustomTestStringConvertible, Sendable {
    let name: String
    let seed: String
    let publicKey: String
    let message: String
    let signature: String

    enum CodingKeys: String, CodingKey {
      case name, seed, message, signature
      case publicKey = "public_key"
    }
    var testDescription: String { name }
  }
  let vectors: [Vector]

  static let all =
    (try? Vectors.load("crypto/rfc8032_ed25519.json", as: Self.self))?.vectors ?? []
}

@Suite struct `The signature door` {
  @Test func `has its vectors`() { #expect(SignatureVectors.all.count == 5) }

  @Test(arguments: SignatureVectors.all)
  func `judges as RFC 8032 says`(vector: SignatureVectors.Vector) throws {
    let key = try #require(PublicKey(hex: vector.publicKey))
    let message = bytes(hex: vector.message)
    let signature = try #require(Signature(bytes(hex: vector.signature)))
    let judge = Ed25519()
    #expect(judge.accepts(signature, over: message, by: key))
    #expect(!judge.accepts(signature, over: message + [0], by: key))
    for offset in 0..<64 {
      var changed = signature.bytes
      changed[offset] ^= 1
      #expect(!judge.accepts(try #require(Signature(changed)), over: message, by: key))
    }
    for offset in message.indices.prefix(64) {
      var changed = message
      changed[offset] ^= 1
      #expect(!judge.accepts(signature, over: changed, by: key))
    }
    for offset in 0..<32 {
      var changed = key.bytes
      changed[offset] ^= 1
      #expect(!judge.accepts(signature, over: message, by: try #require(PublicKey(changed))))
    }
  }

  @Test func `refuses the second form of a signature, S plus the group order`() throws {
    let order = bytes(hex: "edd3f55c1a631258d69cf7a2def9de1400000000000000000000000000000010")
    let vector = try #require(SignatureVectors.all.first)
    var second = bytes(hex: vector.signature)
    var carry = 0
    for index in 0..<32 {
      let sum = Int(second[32 + index]) + Int(order[index]) + carry
      second[32 + index] = UInt8(sum & 0xff)
      carry = sum >> 8
    }
    let key = try #require(PublicKey(hex: vector.publicKey))
    #expect(!Ed25519().accepts(try #require(Signature(second)), over: [], by: key))
  }

  @Test func `refuses keys of small order, which sign everything`() throws {
    let identity = [UInt8](arrayLiteral: 1) + [UInt8](repeating: 0, count: 31)
    let signature = try #require(Signature(identity + [UInt8](repeating: 0, count: 32)))
    let key = try #require(PublicKey(identity))
    #expect(!Ed25519().accepts(signature, over: [1, 2, 3], by: key))
    #expect(!Ed25519().accepts(Samples.noSignature, over: [], by: PublicKey(raw: .zero)))
  }

  @Test func `takes a signature only for what it was made for`() throws {
    // The same fields under another tag: a `Ready` is no `Passed`.
    let ready = Samples.ready(by: Samples.voters[1])
    let passed = Passed(
      table: ready.table, epoch: ready.epoch, deadline: ready.block, voter: ready.voter,
      signature: ready.signature)
    #expect(throws: WireError.badSignature) { try passed.verified(by: Ed25519()) }
    #expect((try? ready.verified(by: Ed25519())) != nil)
    #expect(Set(Tag.allCases.map(\.rawValue)).count == Tag.allCases.count)
  }

  @Test func `refuses one bad signature among good ones, wherever it is`() {
    let subject = Samples.subject(.finalize)
    for index in Samples.voters.indices {
      var signatures = Samples.voters.map { $0.keySignature(subject.signedBytes) }
      signatures[index] = KeySignature(
        signatures[index].key, Samples.voters[index].sign([1, 2, 3]))
      let certificate = Certificate(subject: subject, signatures: signatures)
      #expect(throws: WireError.badSignature) { try certificate.verified(by: Ed25519()) }
      let block = Block(
        table: Samples.table, epoch: Samples.epoch, view: 1, height: 1, parentView: 0,
        parent: .zero, stateAfterParent: .zero, emptyRun: 0, entries: [], deadlines: [],
        change: nil,
        justification: Justification(parent: nil, nullifications: [certificate]), shownTime: 0)
      #expect(throws: WireError.badSignature) {
        try TableMessage.block(block).verified(by: Ed25519())
      }
    }
  }

  @Test func `refuses what nobody has signed`() {
    let empty = Certificate(subject: Samples.subject(.notarize), signatures: [])
    #expect(throws: WireError.unsigned) { try empty.verified(by: Ed25519()) }
  }

  @Test func `refuses an entry whose cosigner signed something else`() {
    let draft = Samples.entry().draft
    let entry = Entry(
      draft: draft, signature: Samples.ana.sign(draft.signedBytes),
      cosignatures: [Samples.anaIdentity.keySignature([1])])
    #expect(throws: WireError.badSignature) { try entry.verified(by: Ed25519()) }
  }
}
