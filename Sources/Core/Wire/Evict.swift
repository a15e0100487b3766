package import CBOR

/// A voter's word that another voter, whom nobody has reached for long, is to vote no more
/// (CONSENSUS 1.7).
package struct Evict: Statement, Hashable {
  package let table: TableID
  package let epoch: Digest
  /// The voter key that is to go.
  package let target: PublicKey
  /// The voter key that says so.
  package let voter: PublicKey
  package let signature: Signature

  /// Puts a signed statement together; nothing is checked here.
  package init(
    table: TableID, epoch: Digest, target: PublicKey, voter: PublicKey, signature: Signature
  ) {
    self.table = table
    self.epoch = epoch
    self.target = target
    self.voter = voter
    self.signature = signature
  }

  /// The exact bytes a voter signs.
  package static func signedBytes(table: TableID, epoch: Digest, target: PublicKey) -> [UInt8] {
    CBOR.array([.text(Tag.evict.rawValue), table.cbor, epoch.cbor, target.cbor]).encoded
  }

  package var signedBytes: [UInt8] {
    Evict.signedBytes(table: table, epoch: epoch, target: target)
  }
  package var signatures: [KeySignature] { [KeySignature(voter, signature)] }

  /// Reads the fields.
  package init(_ item: CBOR) throws(DecodeError) {
    let parts = try item.array("evict", exactly: 5)
    table = try TableID(parts[0], "evict.table")
    epoch = try Digest(parts[1], "evict.epoch")
    target = try PublicKey(parts[2], "evict.target")
    voter = try PublicKey(parts[3], "evict.voter")
    signature = try Signature(parts[4], "evict.signature")
  }

  /// The fields in order.
  package var cbor: CBOR { [table.cbor, epoch.cbor, target.cbor, voter.cbor, signature.cbor] }
}

/// Why a seal takes a voter out who has not left.
package struct Eviction: Hashable, Sendable {
  /// What stands against the voter.
  package enum Ground: Hashable, Sendable {
    /// It has lied.
    case lie(Evidence)
    /// Signatures of `Evict` by voters of the block's epoch, ascending.
    case votes([KeySignature])
  }

  /// The voter key that goes.
  package let target: PublicKey
  package let ground: Ground

  /// Takes a liar out.
  package init(_ evidence: Evidence) {
    target = evidence.culprit
    ground = .lie(evidence)
  }

  /// Takes out who was voted out; sorts the signatures.
  package init(of target: PublicKey, by signatures: [KeySignature]) {
    self.target = target
    ground = .votes(signatures.sorted())
  }

  /// Whether it is for a lie.
  package var isForLie: Bool {
    if case .lie = ground { true } else { false }
  }

  /// Reads `[0, evidence]` or `[1, key, [keysig...]]`.
  package init(_ item: CBOR) throws(DecodeError) {
    let parts = try item.array("eviction", count: 2...3)
    switch try parts[0].int("eviction.kind", in: 0...255) {
    case 0:
      guard parts.count == 2 else { throw .wrongCount("eviction") }
      self.init(try Evidence(parts[1]))
    case 1:
      guard parts.count == 3 else { throw .wrongCount("eviction") }
      self.init(
        of: try PublicKey(parts[1], "eviction.target"),
        by: try KeySignature.list(parts[2], "eviction.votes", maximum: Limits.voters))
    default: throw .unknownKind("eviction.kind")
    }
  }

  /// The kind and what stands against the voter.
  package var cbor: CBOR {
    switch ground {
    case .lie(let evidence): [0, evidence.cbor]
    case .votes(let signatures): [1, target.cbor, .array(signatures.map(\.cbor))]
    }
  }

  /// The single votes in it, as each voter made them.
  package func statements(table: TableID, epoch: Digest) -> [Evict] {
    guard case .votes(let signatures) = ground else { return [] }
    return signatures.map {
      Evict(
        table: table, epoch: epoch, target: target, voter: $0.key, signature: $0.signature)
    }
  }
}
