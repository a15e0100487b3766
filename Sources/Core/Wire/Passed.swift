package import CBOR

/// A voter's word that a deadline has run out on its own monotonic clock (CONSENSUS 1.4).
package struct Passed: Statement, Hashable {
  package let table: TableID
  package let epoch: Digest
  /// The deadline's id.
  package let deadline: Digest
  /// The voter key.
  package let voter: PublicKey
  package let signature: Signature

  /// Puts a signed statement together; nothing is checked here.
  package init(
    table: TableID, epoch: Digest, deadline: Digest, voter: PublicKey, signature: Signature
  ) {
    self.table = table
    self.epoch = epoch
    self.deadline = deadline
    self.voter = voter
    self.signature = signature
  }

  /// The exact bytes a voter signs.
  package static func signedBytes(table: TableID, epoch: Digest, deadline: Digest) -> [UInt8] {
    CBOR.array([.text(Tag.passed.rawValue), table.cbor, epoch.cbor, deadline.cbor]).encoded
  }

  package var signedBytes: [UInt8] {
    Passed.signedBytes(table: table, epoch: epoch, deadline: deadline)
  }
  package var signatures: [KeySignature] { [KeySignature(voter, signature)] }

  /// Reads the fields.
  package init(_ item: CBOR) throws(DecodeError) {
    let parts = try item.array("passed", exactly: 5)
    table = try TableID(parts[0], "passed.table")
    epoch = try Digest(parts[1], "passed.epoch")
    deadline = try Digest(parts[2], "passed.deadline")
    voter = try PublicKey(parts[3], "passed.voter")
    signature = try Signature(parts[4], "passed.signature")
  }

  /// The fields in order.
  package var cbor: CBOR {
    [table.cbor, epoch.cbor, deadline.cbor, voter.cbor, signature.cbor]
  }
}

/// "I hold this final block and will vote from now on": a seat's new voter key asks to be sealed in.
package struct Ready: Statement, Hashable {
  package let table: TableID
  /// The epoch in which it asks.
  package let epoch: Digest
  /// A final block it holds.
  package let block: Digest
  /// The voter key that will vote.
  package let voter: PublicKey
  package let signature: Signature

  /// Puts a signed statement together; nothing is checked here.
  package init(
    table: TableID, epoch: Digest, block: Digest, voter: PublicKey, signature: Signature
  ) {
    self.table = table
    self.epoch = epoch
    self.block = block
    self.voter = voter
    self.signature = signature
  }

  /// The exact bytes the new voter signs.
  package static func signedBytes(table: TableID, epoch: Digest, block: Digest) -> [UInt8] {
    CBOR.array([.text(Tag.ready.rawValue), table.cbor, epoch.cbor, block.cbor]).encoded
  }

  package var signedBytes: [UInt8] {
    Ready.signedBytes(table: table, epoch: epoch, block: block)
  }
  package var signatures: [KeySignature] { [KeySignature(voter, signature)] }

  /// Reads the fields.
  package init(_ item: CBOR) throws(DecodeError) {
    let parts = try item.array("ready", exactly: 5)
    table = try TableID(parts[0], "ready.table")
    epoch = try Digest(parts[1], "ready.epoch")
    block = try Digest(parts[2], "ready.block")
    voter = try PublicKey(parts[3], "ready.voter")
    signature = try Signature(parts[4], "ready.signature")
  }

  /// The fields in order.
  package var cbor: CBOR { [table.cbor, epoch.cbor, block.cbor, voter.cbor, signature.cbor] }
}
