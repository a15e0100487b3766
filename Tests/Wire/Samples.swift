import CBOR
import CSodium
import Wire

/// A key that tests may sign with; made from one byte, so that every run has the same.
struct TestKey: Sendable {
  let publicKey: PublicKey
  private let secret: [UInt8]

  init(_ number: UInt8) {
    var publicBytes = [UInt8](repeating: 0, count: 32)
    var secret = [UInt8](repeating: 0, count: 64)
    let seed = [UInt8](repeating: number, count: 32)
    precondition(crypto_sign_seed_keypair(&publicBytes, &secret, seed) == 0)
    publicKey = PublicKey(publicBytes) ?? PublicKey(raw: .zero)
    self.secret = secret
  }

  func sign(_ bytes: [UInt8]) -> Signature {
    var out = [UInt8](repeating: 0, count: 64)
    precondition(crypto_sign_detached(&out, nil, bytes, UInt64(bytes.count), secret) == 0)
    return Signature(out) ?? Samples.noSignature
  }

  func keySignature(_ bytes: [UInt8]) -> KeySignature { KeySignature(publicKey, sign(bytes)) }
}

/// One of everything that travels, with every optional part there, all signatures good.
enum Samples {
  static let noSignature: Signature = {
    guard let signature = Signature([UInt8](repeating: 0, count: 64)) else {
      preconditionFailure("64 bytes are a signature")
    }
    return signature
  }()

  static let voters = (1...4).map { TestKey(UInt8($0)) }
  static let ana = TestKey(11)
  static let anaIdentity = TestKey(12)
  static let table = TableID(raw: Digest(ofBytes: [1]).raw)
  static let epoch = Digest(ofBytes: [2])

  static func digest(_ number: UInt8) -> Digest { Digest(ofBytes: [number]) }

  static func subject(_ kind: VoteKind, view: UInt64 = 7, block: Digest? = nil) -> VoteSubject {
    VoteSubject(
      table: table, epoch: epoch, view: view, kind: kind,
      block: kind == .nullify ? .zero : block ?? digest(3))
  }

  static func vote(_ kind: VoteKind, by voter: TestKey = voters[0]) -> Vote {
    let about = subject(kind)
    return Vote(
      subject: about, voter: voter.publicKey, signature: voter.sign(about.signedBytes))
  }

  static func certificate(_ subject: VoteSubject, by signers: [TestKey] = voters) -> Certificate {
    Certificate(
      subject: subject, signatures: signers.map { $0.keySignature(subject.signedBytes) })
  }

  static func entry(sequence: UInt64 = 5, body: CBOR = ["claim", 3]) -> Entry {
    let draft = Entry.Draft(
      table: table, author: ana.publicKey, sequence: sequence, turn: 2, body: body.encoded)
    return Entry(
      draft: draft, signature: ana.sign(draft.signedBytes),
      cosignatures: [anaIdentity, voters[0]].map { $0.keySignature(draft.signedBytes) })
  }

  static func ready(by voter: TestKey) -> Ready {
    let bytes = Ready.signedBytes(table: table, epoch: epoch, block: digest(4))
    return Ready(
      table: table, epoch: epoch, block: digest(4), voter: voter.publicKey,
      signature: voter.sign(bytes))
  }

  static let passed: Passed = {
    let bytes = Passed.signedBytes(table: table, epoch: epoch, deadline: digest(5))
    return Passed(
      table: table, epoch: epoch, deadline: digest(5), voter: voters[1].publicKey,
      signature: voters[1].sign(bytes))
  }()

  static let deadline: PassedDeadline = {
    let bytes = Passed.signedBytes(table: table, epoch: epoch, deadline: digest(5))
    return PassedDeadline(
      id: digest(5), signatures: voters.prefix(3).map { $0.keySignature(bytes) })
  }()

  static let block = Block(
    table: table, epoch: epoch, view: 9, height: 40, parentView: 7, parent: digest(3),
    stateAfterParent: digest(6), emptyRun: 0,
    entries: [entry(), entry(sequence: 6, body: ["vote", "claim", .bool(true)])],
    deadlines: [deadline],
    change: VoterChange(
      joiners: [ready(by: voters[2]), ready(by: voters[3])], leavers: [voters[0].publicKey]),
    justification: Justification(
      parent: certificate(subject(.notarize)), oldSeal: certificate(subject(.finalize)),
      nullifications: [certificate(subject(.nullify, view: 8))]),
    shownTime: 1_760_000_000_000)

  static let proposal: TableMessage = {
    let about = subject(.notarize, view: block.view, block: block.hash)
    let vote = Vote(
      subject: about, voter: voters[0].publicKey, signature: voters[0].sign(about.signedBytes))
    return .proposal(block, vote)
  }()

  /// A notarize whose `just` is no good for its place, and one for another block.
  static let evidence: [Evidence] = {
    let about = subject(.notarize, view: block.view, block: block.hash)
    let vote = Vote(
      subject: about, voter: voters[0].publicKey, signature: voters[0].sign(about.signedBytes))
    return [.between(Samples.vote(.finalize), Samples.vote(.nullify)), .unjustified(vote, block)]
  }()

  static let evict: Evict = {
    let bytes = Evict.signedBytes(table: table, epoch: epoch, target: voters[2].publicKey)
    return Evict(
      table: table, epoch: epoch, target: voters[2].publicKey, voter: voters[1].publicKey,
      signature: voters[1].sign(bytes))
  }()

  /// A seal that takes out a liar and somebody who was voted out.
  static let eviction: Block = {
    let bytes = Evict.signedBytes(table: table, epoch: epoch, target: voters[2].publicKey)
    return Block(
      table: table, epoch: epoch, view: 9, height: 40, parentView: 7, parent: digest(3),
      stateAfterParent: digest(6), emptyRun: 0, entries: [], deadlines: [],
      change: VoterChange(
        joiners: [], leavers: [],
        evictions: [
          Eviction(evidence[0]),
          Eviction(
            of: voters[2].publicKey,
            by: [voters[0], voters[1], voters[3]].map { $0.keySignature(bytes) }),
        ]),
      justification: Justification(
        parent: certificate(subject(.notarize)),
        nullifications: [certificate(subject(.nullify, view: 8))]),
      shownTime: 1_760_000_000_000)
  }()

  static let status = Status(
    table: table, epoch: epoch, epochNumber: 2, view: 9, height: 40, tip: block.hash,
    state: digest(6), reached: voters.map(\.publicKey))

  static let fullDiskStatus = Status(
    table: table, epoch: epoch, epochNumber: 2, view: 9, height: 40, tip: block.hash,
    state: digest(6), reached: voters.dropFirst().map(\.publicKey), cannotWrite: true)

  static let wish = RecoveryWish(
    table: table, epoch: epoch, view: 9, block: block.hash,
    voters: voters.prefix(2).map(\.publicKey))

  static let recovery: Recovery = {
    let unsigned = Recovery(
      table: table, epoch: epoch, view: 9, height: 40, block: block.hash,
      voters: voters.prefix(2).map(\.publicKey))
    return unsigned.adding(voters.map { $0.keySignature(unsigned.signedBytes) })
  }()

  static let assent: Assent = {
    let bytes = Assent.signedBytes(table: table, recovery: recovery.id)
    return Assent(
      table: table, recovery: recovery.id, voter: voters[2].publicKey,
      signature: voters[2].sign(bytes))
  }()

  /// Every kind of message by a name.
  static let messages: [(name: String, message: TableMessage)] = [
    ("vote notarize", .vote(vote(.notarize))),
    ("vote nullify", .vote(vote(.nullify))),
    ("vote finalize", .vote(vote(.finalize))),
    ("certificate", .certificate(certificate(subject(.finalize)))),
    ("proposal", proposal),
    ("entry", .entry(entry())),
    ("passed", .passed(passed)),
    ("ready", .ready(ready(by: voters[2]))),
    ("status", .status(status)),
    ("status of a full disk", .status(fullDiskStatus)),
    ("get chain", .getChain(table, above: 39)),
    (
      "chain",
      .chain(
        Chain(
          table: table, blocks: [block],
          finalizations: [certificate(subject(.finalize, view: 9, block: block.hash))]))
    ),
    ("get block", .getBlock(table, digest(3))),
    ("block", .block(block)),
    ("evidence of votes", .evidence(evidence[0])),
    ("evidence of a block", .evidence(evidence[1])),
    ("evict", .evict(evict)),
    ("block that evicts", .block(eviction)),
    ("wish", .wish(wish)),
    ("recovery", .recovery(recovery)),
    ("assent", .assent(assent)),
  ]
}
