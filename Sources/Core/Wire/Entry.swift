package import CBOR

/// One signed act of a player in a table's log.
package struct Entry: Statement, Hashable {
  package let table: TableID
  /// The author's player key.
  package let author: PublicKey
  /// Counts this author's entries from 0 without a gap; a join is 0 (the creator's first is 1).
  package let sequence: UInt64
  /// Binds a move to a state of the game, 0 where the game needs none.
  package let turn: UInt64
  /// What was done, as the table reads it: the encoding of one CBOR item.
  package let body: [UInt8]
  /// The author's signature.
  package let signature: Signature
  /// Other keys that vouch for the same bytes: identity and voter key of a join.
  package let cosignatures: [KeySignature]

  /// Puts a signed entry together; nothing is checked here.
  package init(
    draft: Draft, signature: Signature, cosignatures: [KeySignature] = []
  ) {
    table = draft.table
    author = draft.author
    sequence = draft.sequence
    turn = draft.turn
    body = draft.body
    self.signature = signature
    self.cosignatures = cosignatures.sorted()
  }

  /// An entry before it is signed.
  package struct Draft: Hashable, Sendable {
    package let table: TableID
    package let author: PublicKey
    package let sequence: UInt64
    package let turn: UInt64
    package let body: [UInt8]

    /// Names every field that the signature covers.
    package init(
      table: TableID, author: PublicKey, sequence: UInt64, turn: UInt64 = 0, body: [UInt8]
    ) {
      self.table = table
      self.author = author
      self.sequence = sequence
      self.turn = turn
      self.body = body
    }

    /// The exact bytes that author and cosigners sign.
    package var signedBytes: [UInt8] {
      CBOR.array([
        .text(Tag.entry.rawValue), table.cbor, author.cbor, .unsigned(sequence), .unsigned(turn),
        .bytes(body),
      ]).encoded
    }
  }

  /// The signed fields.
  package var draft: Draft {
    Draft(table: table, author: author, sequence: sequence, turn: turn, body: body)
  }

  package var signedBytes: [UInt8] { draft.signedBytes }

  package var signatures: [KeySignature] { [KeySignature(author, signature)] + cosignatures }

  /// Names the entry: the hash of its signed bytes.
  package var id: Digest { Digest(ofBytes: signedBytes) }

  /// Reads the fields, bounded by `Limits`.
  package init(_ item: CBOR) throws(DecodeError) {
    let parts = try item.array("entry", exactly: 7)
    table = try TableID(parts[0], "entry.table")
    author = try PublicKey(parts[1], "entry.author")
    sequence = try parts[2].unsigned("entry.sequence", maximum: Limits.sequence)
    turn = try parts[3].unsigned("entry.turn")
    body = try parts[4].bytes("entry.body", count: 1...Limits.entryBody)
    signature = try Signature(parts[5], "entry.signature")
    cosignatures = try KeySignature.list(
      parts[6], "entry.cosignatures", maximum: Limits.cosignatures)
  }

  /// The fields in order.
  package var cbor: CBOR {
    [
      table.cbor, author.cbor, .unsigned(sequence), .unsigned(turn), .bytes(body), signature.cbor,
      .array(cosignatures.map(\.cbor)),
    ]
  }
}
