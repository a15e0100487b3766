package import CBOR

/// The three things a voter can say about a view (Simplex; CONSENSUS 1.3).
package enum VoteKind: UInt8, Sendable, CaseIterable, Comparable {
  /// "This block may extend its parent in this view."
  case notarize = 0
  /// "This view shall have no block from me."
  case nullify = 1
  /// "I notarized this block and did not nullify its view."
  case finalize = 2

  package static func < (left: VoteKind, right: VoteKind) -> Bool {
    left.rawValue < right.rawValue
  }
}

/// What a vote or a certificate is about: a kind, a place and a block.
package struct VoteSubject: Hashable, Sendable {
  package let table: TableID
  package let epoch: Digest
  package let view: UInt64
  package let kind: VoteKind
  /// The block's hash; `Digest.zero` for a nullification.
  package let block: Digest

  /// Names the subject; a nullification is of no block.
  package init(table: TableID, epoch: Digest, view: UInt64, kind: VoteKind, block: Digest) {
    invariant((kind == .nullify) == (block == .zero), "a vote and its block do not fit")
    self.table = table
    self.epoch = epoch
    self.view = view
    self.kind = kind
    self.block = block
  }

  /// The exact bytes a voter signs.
  package var signedBytes: [UInt8] {
    CBOR.array([.text(Tag.vote.rawValue)] + fields).encoded
  }

  fileprivate var fields: [CBOR] {
    [table.cbor, epoch.cbor, .unsigned(view), .unsigned(UInt64(kind.rawValue)), block.cbor]
  }

  fileprivate init(_ parts: ArraySlice<CBOR>) throws(DecodeError) {
    let parts = Array(parts)
    let table = try TableID(parts[0], "vote.table")
    let epoch = try Digest(parts[1], "vote.epoch")
    let view = try parts[2].unsigned("vote.view", maximum: Limits.counter)
    guard let kind = VoteKind(rawValue: UInt8(try parts[3].int("vote.kind", in: 0...2))) else {
      throw .unknownKind("vote.kind")
    }
    let block = try Digest(parts[4], "vote.block")
    guard (kind == .nullify) == (block == .zero) else { throw .outOfRange("vote.block") }
    self.init(table: table, epoch: epoch, view: view, kind: kind, block: block)
  }
}

/// One voter's signed vote.
package struct Vote: Statement, Hashable {
  package let subject: VoteSubject
  /// The voter key.
  package let voter: PublicKey
  package let signature: Signature

  /// Puts a signed vote together; nothing is checked here.
  package init(subject: VoteSubject, voter: PublicKey, signature: Signature) {
    self.subject = subject
    self.voter = voter
    self.signature = signature
  }

  package var signedBytes: [UInt8] { subject.signedBytes }
  package var signatures: [KeySignature] { [KeySignature(voter, signature)] }

  /// Reads the fields.
  package init(_ item: CBOR) throws(DecodeError) {
    let parts = try item.array("vote", exactly: 7)
    subject = try VoteSubject(parts[0..<5])
    voter = try PublicKey(parts[5], "vote.voter")
    signature = try Signature(parts[6], "vote.signature")
  }

  /// The fields in order.
  package var cbor: CBOR { .array(subject.fields + [voter.cbor, signature.cbor]) }
}

/// Votes of one subject by distinct voters; it proves something once they are a quorum.
///
/// It carries its voters' keys, so that its signatures can be judged before its epoch is known;
/// whether they are voters of the epoch, and enough, is the replica's question.
package struct Certificate: Statement, Hashable {
  package let subject: VoteSubject
  /// In ascending order of keys.
  package let signatures: [KeySignature]

  /// Gathers signatures of one subject; sorts them.
  package init(subject: VoteSubject, signatures: [KeySignature]) {
    self.subject = subject
    self.signatures = signatures.sorted()
  }

  package var signedBytes: [UInt8] { subject.signedBytes }
  /// The keys that signed, ascending.
  package var voters: [PublicKey] { signatures.map(\.key) }

  /// Reads the fields; voters must ascend.
  package init(_ item: CBOR) throws(DecodeError) {
    let parts = try item.array("certificate", exactly: 6)
    subject = try VoteSubject(parts[0..<5])
    signatures = try KeySignature.list(
      parts[5], "certificate.signatures", maximum: Limits.voters)
  }

  /// The fields in order.
  package var cbor: CBOR { .array(subject.fields + [.array(signatures.map(\.cbor))]) }
}
