package import CBOR

/// "We go on without the others": the voters who are here, below a quorum, begin an epoch of their
/// own (CONSENSUS 1.7, Lost quorum).
///
/// It counts when every one of them has signed.
package struct Recovery: Statement, Hashable {
  /// Why the others are left out.
  package enum Reason: UInt8, Sendable, CaseIterable {
    /// They can not be reached.
    case absent = 0
  }

  package let table: TableID
  /// The epoch that has lost its quorum.
  package let epoch: Digest
  /// The block on which they go on: its view in that epoch, 0 for the epoch's anchor.
  package let view: UInt64
  package let height: UInt64
  package let block: Digest
  package let reason: Reason
  /// Voter keys of those who go on, ascending.
  package let voters: [PublicKey]
  /// Theirs and nobody else's, ascending.
  package let signatures: [KeySignature]

  /// Names the fields; sorts both lists.
  package init(
    table: TableID, epoch: Digest, view: UInt64, height: UInt64, block: Digest,
    reason: Reason = .absent, voters: [PublicKey], signatures: [KeySignature] = []
  ) {
    self.table = table
    self.epoch = epoch
    self.view = view
    self.height = height
    self.block = block
    self.reason = reason
    self.voters = voters.sorted()
    self.signatures = signatures.sorted()
  }

  package var signedBytes: [UInt8] {
    CBOR.array([.text(Tag.recovery.rawValue)] + fields).encoded
  }

  /// Names it, whoever has signed: the hash of its signed bytes.
  package var id: Digest { Digest(ofBytes: signedBytes) }

  /// Everybody who goes on has signed.
  package var isComplete: Bool { !voters.isEmpty && signatures.map(\.key) == voters }

  /// The same with signatures added that it lacks; only those of its voters are taken.
  package func adding(_ others: [KeySignature]) -> Recovery {
    let more = others.filter { other in
      voters.contains(other.key) && !signatures.contains { $0.key == other.key }
    }
    return Recovery(
      table: table, epoch: epoch, view: view, height: height, block: block, reason: reason,
      voters: voters, signatures: signatures + more)
  }

  /// Reads the fields; both lists must ascend, and whoever has signed must be one of the voters.
  package init(_ item: CBOR) throws(DecodeError) {
    let parts = try item.array("recovery", exactly: 8)
    table = try TableID(parts[0], "recovery.table")
    epoch = try Digest(parts[1], "recovery.epoch")
    view = try parts[2].unsigned("recovery.view", maximum: Limits.counter)
    height = try parts[3].unsigned("recovery.height", maximum: Limits.counter)
    block = try Digest(parts[4], "recovery.block")
    guard let reason = Reason(rawValue: UInt8(try parts[5].int("recovery.reason", in: 0...255)))
    else { throw .unknownKind("recovery.reason") }
    self.reason = reason
    voters = try PublicKey.list(parts[6], "recovery.voters", count: 1...Limits.voters)
    signatures = try KeySignature.list(
      parts[7], "recovery.signatures", maximum: Limits.voters)
    for part in signatures where !voters.contains(part.key) {
      throw .outOfRange("recovery.signatures")
    }
  }

  private var fields: [CBOR] {
    [
      table.cbor, epoch.cbor, .unsigned(view), .unsigned(height), block.cbor,
      .unsigned(UInt64(reason.rawValue)), .array(voters.map(\.cbor)),
    ]
  }

  /// The fields in order.
  package var cbor: CBOR { .array(fields + [.array(signatures.map(\.cbor))]) }
}

/// That a person wants to go on with exactly these voters, from this block.
///
/// Not signed: it is the word of the peer at the other end of the link. It binds nobody.
package struct RecoveryWish: Hashable, Sendable {
  package let table: TableID
  package let epoch: Digest
  /// The highest notarized block that the sender holds, and its view.
  package let view: UInt64
  package let block: Digest
  /// Voter keys of those who would go on, ascending; none takes the wish back.
  package let voters: [PublicKey]

  /// Names the fields; sorts the voters.
  package init(
    table: TableID, epoch: Digest, view: UInt64, block: Digest, voters: [PublicKey]
  ) {
    self.table = table
    self.epoch = epoch
    self.view = view
    self.block = block
    self.voters = voters.sorted()
  }

  /// Reads the fields.
  package init(_ item: CBOR) throws(DecodeError) {
    let parts = try item.array("wish", exactly: 5)
    table = try TableID(parts[0], "wish.table")
    epoch = try Digest(parts[1], "wish.epoch")
    view = try parts[2].unsigned("wish.view", maximum: Limits.counter)
    block = try Digest(parts[3], "wish.block")
    voters = try PublicKey.list(parts[4], "wish.voters", count: 0...Limits.voters)
  }

  /// The fields in order.
  package var cbor: CBOR {
    [table.cbor, epoch.cbor, .unsigned(view), block.cbor, .array(voters.map(\.cbor))]
  }
}

/// A voter who was left out accepts what the others did meanwhile, and goes on with them.
package struct Assent: Statement, Hashable {
  package let table: TableID
  /// The recovery's id.
  package let recovery: Digest
  /// A voter key of the epoch that lost its quorum.
  package let voter: PublicKey
  package let signature: Signature

  /// Puts a signed statement together; nothing is checked here.
  package init(table: TableID, recovery: Digest, voter: PublicKey, signature: Signature) {
    self.table = table
    self.recovery = recovery
    self.voter = voter
    self.signature = signature
  }

  /// The exact bytes a voter signs.
  package static func signedBytes(table: TableID, recovery: Digest) -> [UInt8] {
    CBOR.array([.text(Tag.assent.rawValue), table.cbor, recovery.cbor]).encoded
  }

  package var signedBytes: [UInt8] { Assent.signedBytes(table: table, recovery: recovery) }
  package var signatures: [KeySignature] { [KeySignature(voter, signature)] }

  /// Reads the fields.
  package init(_ item: CBOR) throws(DecodeError) {
    let parts = try item.array("assent", exactly: 4)
    table = try TableID(parts[0], "assent.table")
    recovery = try Digest(parts[1], "assent.recovery")
    voter = try PublicKey(parts[2], "assent.voter")
    signature = try Signature(parts[3], "assent.signature")
  }

  /// The fields in order.
  package var cbor: CBOR { [table.cbor, recovery.cbor, voter.cbor, signature.cbor] }
}

extension PublicKey {
  /// Reads a list in strictly ascending order.
  static func list(
    _ item: CBOR, _ field: String, count: ClosedRange<Int>
  ) throws(DecodeError) -> [PublicKey] {
    var out: [PublicKey] = []
    for part in try item.array(field, count: count) {
      let next = try PublicKey(part, field)
      if let last = out.last, last >= next { throw .outOfRange(field) }
      out.append(next)
    }
    return out
  }
}
