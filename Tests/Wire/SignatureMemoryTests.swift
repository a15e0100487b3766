import CBOR
import Testing
import Wire

@Suite struct `Signatures found good` {
  /// Takes nothing, so that whatever passes was remembered.
  private struct Refusing: SignatureChecking {
    func accepts(_ signature: Signature, over bytes: [UInt8], by key: PublicKey) -> Bool { false }
  }

  private struct Gullible: SignatureChecking {
    func accepts(_ signature: Signature, over bytes: [UInt8], by key: PublicKey) -> Bool { true }
  }

  private func vote(_ view: UInt64, signedBy number: UInt8 = 1, with byte: UInt8 = 7) throws -> Vote
  {
    let subject = VoteSubject(
      table: TableID(raw: .zero), epoch: .zero, view: view, kind: .notarize,
      block: Digest(ofBytes: [1]))
    return Vote(
      subject: subject,
      voter: try #require(PublicKey([UInt8](repeating: number, count: 32))),
      signature: try #require(Signature([UInt8](repeating: byte, count: 64))))
  }

  private func isKnown(_ vote: Vote, to memory: SignatureMemory) -> Bool {
    (try? vote.verified(by: RememberingChecker(memory, before: Refusing()))) != nil
  }

  @Test func `are not verified again, alone or in a certificate`() throws {
    var memory = SignatureMemory()
    let one = try vote(1)
    #expect(!isKnown(one, to: memory))
    memory.note(try one.verified(by: Gullible()))
    #expect(isKnown(one, to: memory))
    let certificate = TableMessage.certificate(
      Certificate(
        subject: one.subject, signatures: [KeySignature(one.voter, one.signature)]))
    #expect(
      (try? certificate.verified(by: RememberingChecker(memory, before: Refusing()))) != nil)
  }

  @Test func `are good for that key, that signature and those bytes only`() throws {
    var memory = SignatureMemory()
    memory.note(try vote(1).verified(by: Gullible()))
    #expect(!isKnown(try vote(2), to: memory))
    #expect(!isKnown(try vote(1, signedBy: 2), to: memory))
    #expect(!isKnown(try vote(1, with: 8), to: memory))
  }

  @Test func `are forgotten in time, the oldest first`() throws {
    var memory = SignatureMemory()
    for view in 1...3_000 { memory.note(try vote(UInt64(view)).verified(by: Gullible())) }
    #expect(!isKnown(try vote(1), to: memory))
    #expect(isKnown(try vote(2_500), to: memory))
    #expect(isKnown(try vote(3_000), to: memory))
  }

  @Test func `are good in whatever comes again, of every kind but a chain`() throws {
    for (name, message) in Samples.messages {
      var memory = SignatureMemory()
      memory.note(try message.verified(by: Ed25519()))
      let again = try? message.verified(by: RememberingChecker(memory, before: Refusing()))
      if case .chain = message {
        #expect(again == nil)
      } else {
        #expect(again != nil, "\(name)")
      }
    }
  }

  @Test func `change nothing about one that does not hold`() throws {
    var memory = SignatureMemory()
    let good = Samples.vote(.notarize)
    memory.note(try good.verified(by: Ed25519()))
    let checker = RememberingChecker(memory, before: Ed25519())
    for offset in 0..<64 {
      var bytes = good.signature.bytes
      bytes[offset] ^= 1
      let bad = Vote(
        subject: good.subject, voter: good.voter, signature: try #require(Signature(bytes)))
      #expect(throws: WireError.badSignature) { try bad.verified(by: checker) }
    }
    let other = Vote(
      subject: Samples.subject(.finalize), voter: good.voter, signature: good.signature)
    #expect(throws: WireError.badSignature) { try other.verified(by: checker) }
  }
}
