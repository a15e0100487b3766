import CBOR
import CSodium
import Consensus
import TestSupport
import Testing
import Wire

/// `Protocol/vectors/evidence.json`: what proves a lie and what does not, for other readers.
private struct EvidenceVectors: Codable {
  struct Span: Codable {
    let id: String
    let number: UInt64
    let anchor: String
    let voters: [String]
  }
  struct Item: Codable {
    let name: String
    let epoch: Span
    let hex: String
    /// Its parts do not belong together: it is refused when it is read.
    let isRefused: Bool
    let proves: Bool
  }
  let about: String
  let cases: [Item]
}

/// A real Ed25519 key that follows from a number.
private struct Signer {
  let key: PublicKey
  private let secret: [UInt8]

  init(_ number: UInt8) throws {
    var publicBytes = [UInt8](repeating: 0, count: 32)
    var secret = [UInt8](repeating: 0, count: 64)
    crypto_sign_seed_keypair(&publicBytes, &secret, [UInt8](repeating: number, count: 32))
    key = try #require(PublicKey(publicBytes))
    self.secret = secret
  }

  func sign(_ bytes: [UInt8]) -> KeySignature {
    var out = [UInt8](repeating: 0, count: 64)
    crypto_sign_detached(&out, nil, bytes, UInt64(bytes.count), secret)
    return KeySignature(key, Signature(out) ?? Self.none)
  }

  private static let none = Signature([UInt8](repeating: 0, count: 64)) ?? { fatalError("64") }()
}

@Suite struct EvidenceVectorTests {
  private let table = TableID(raw: Digest(ofBytes: [1]).raw)
  private let signers: [Signer]
  private let first: Epoch
  private let second: Epoch

  init() throws {
    let signers = try (1...4).map { try Signer($0) }.sorted { $0.key < $1.key }
    let table = TableID(raw: Digest(ofBytes: [1]).raw)
    let first = Epoch(Founding(table: table, creator: signers[0].key))
    let bytes = Ready.signedBytes(table: table, epoch: first.id, block: first.anchor)
    let change = VoterChange(
      joiners: signers.dropFirst().map { signer in
        Ready(
          table: table, epoch: first.id, block: first.anchor, voter: signer.key,
          signature: signer.sign(bytes).signature)
      }, leavers: [])
    let seal = Fixture.block(
      view: 1, parentView: 0, parent: first.anchor, epoch: first, change: change)
    self.signers = signers
    self.first = first
    second = Epoch(after: first, seal: seal, change: change)
  }

  private func subject(
    _ kind: VoteKind, _ view: UInt64, _ block: Digest, in epoch: Epoch? = nil
  ) -> VoteSubject {
    VoteSubject(
      table: table, epoch: (epoch ?? second).id, view: view, kind: kind,
      block: kind == .nullify ? .zero : block)
  }

  private func vote(_ subject: VoteSubject, by number: Int = 1) -> Vote {
    let part = signers[number].sign(subject.signedBytes)
    return Vote(subject: subject, voter: part.key, signature: part.signature)
  }

  private func certificate(_ subject: VoteSubject, by count: Int = 3) -> Certificate {
    Certificate(
      subject: subject, signatures: signers.prefix(count).map { $0.sign(subject.signedBytes) })
  }

  private func block(
    view: UInt64, parentView: UInt64, parent: Digest, _ just: Justification,
    change: VoterChange? = nil
  ) -> Block {
    Block(
      table: table, epoch: second.id, view: view, height: 2, parentView: parentView,
      parent: parent, stateAfterParent: .zero, emptyRun: change == nil ? 1 : 0, entries: [],
      deadlines: [], change: change, justification: just, shownTime: 0)
  }

  private func unjustified(_ block: Block) -> Evidence {
    .unjustified(vote(subject(.notarize, block.view, block.hash)), block)
  }

  private var all: [(name: String, evidence: Evidence)] {
    let one = Fixture.hash(1)
    let other = Fixture.hash(2)
    func pair(_ left: VoteSubject, _ right: VoteSubject) -> Evidence {
      .between(vote(left), vote(right))
    }
    let parent = certificate(subject(.notarize, 1, one))
    let skipped = certificate(subject(.nullify, 2, .zero))
    func standing(_ just: Justification) -> Block {
      block(view: 3, parentView: 1, parent: one, just)
    }
    let leaving = VoterChange(joiners: [], leavers: [signers[3].key])
    let none = Justification(parent: nil, nullifications: [])
    return [
      ("two notarizes", pair(subject(.notarize, 3, one), subject(.notarize, 3, other))),
      ("nullify and finalize", pair(subject(.nullify, 3, .zero), subject(.finalize, 3, one))),
      ("two finalizes", pair(subject(.finalize, 3, one), subject(.finalize, 3, other))),
      (
        "one notarized, another finalized",
        pair(subject(.notarize, 3, one), subject(.finalize, 3, other))
      ),
      (
        "in another epoch",
        pair(subject(.notarize, 3, one, in: first), subject(.notarize, 3, other, in: first))
      ),
      ("the same vote twice", pair(subject(.notarize, 3, one), subject(.notarize, 3, one))),
      (
        "notarize and finalize of one block",
        pair(subject(.notarize, 3, one), subject(.finalize, 3, one))
      ),
      ("notarize and nullify", pair(subject(.notarize, 3, one), subject(.nullify, 3, .zero))),
      ("two views", pair(subject(.finalize, 3, one), subject(.finalize, 4, other))),
      (
        "two voters",
        .between(
          vote(subject(.notarize, 3, one), by: 1), vote(subject(.notarize, 3, other), by: 2))
      ),
      (
        "the greater vote first",
        .votes(vote(subject(.finalize, 3, one)), vote(subject(.nullify, 3, .zero)))
      ),
      (
        "a block that may stand there",
        unjustified(standing(Justification(parent: parent, nullifications: [skipped])))
      ),
      (
        "no nullification between",
        unjustified(standing(Justification(parent: parent, nullifications: [])))
      ),
      (
        "a parent certified by too few",
        unjustified(
          standing(
            Justification(
              parent: certificate(subject(.notarize, 1, one), by: 2), nullifications: [skipped])))
      ),
      (
        "another parent certified",
        unjustified(
          standing(
            Justification(
              parent: certificate(subject(.notarize, 1, other)), nullifications: [skipped])))
      ),
      (
        "no parent certified",
        unjustified(standing(Justification(parent: nil, nullifications: [skipped])))
      ),
      ("on the anchor", unjustified(block(view: 1, parentView: 0, parent: second.anchor, none))),
      ("on another anchor", unjustified(block(view: 1, parentView: 0, parent: one, none))),
      (
        "a first seal without the old one's finalization",
        unjustified(block(view: 1, parentView: 0, parent: second.anchor, none, change: leaving))
      ),
      (
        "a first seal with it",
        unjustified(
          block(
            view: 1, parentView: 0, parent: second.anchor,
            Justification(
              parent: nil,
              oldSeal: certificate(subject(.finalize, 1, second.anchor, in: first), by: 1),
              nullifications: []), change: leaving))
      ),
      (
        "a vote for another block",
        .unjustified(
          vote(subject(.notarize, 1, other)),
          block(view: 1, parentView: 0, parent: one, none))
      ),
    ]
  }

  @Test func `evidence has the bytes and the meaning that are written down`() throws {
    let span = EvidenceVectors.Span(
      id: second.id.hex, number: second.number, anchor: second.anchor.hex,
      voters: second.voters.map(\.hex))
    let now = EvidenceVectors(
      about: "Evidence, whether it is refused when read, and whether it proves a lie in the epoch.",
      cases: all.map { name, evidence in
        EvidenceVectors.Item(
          name: name, epoch: span, hex: hex(evidence.cbor.encoded),
          isRefused: (try? Evidence(evidence.cbor)) == nil,
          proves: (try? Evidence(evidence.cbor))?.verifies(in: second) == true)
      })
    try Vectors.approve("evidence.json", now)
    let vectors = try Vectors.load("evidence.json", as: EvidenceVectors.self)
    #expect(vectors.cases.map(\.name) == now.cases.map(\.name))
    for (vector, item) in zip(vectors.cases, now.cases) {
      #expect(vector.hex == item.hex, "\(item.name)")
      #expect(vector.isRefused == item.isRefused, "\(item.name)")
      #expect(vector.proves == item.proves, "\(item.name)")
    }
    #expect(now.cases.count(where: \.proves) == 10)
    for (_, evidence) in all {
      _ = try TableMessage.evidence(evidence).verified(by: Ed25519())
    }
  }
}
