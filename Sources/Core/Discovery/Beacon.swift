package import CBOR
package import Wire

/// A public table that is open for joining, as its creator's beacon announces it.
package struct TableNotice: Hashable, Sendable {
  package let table: TableID
  /// Five digits, 00000 to 99999.
  package let code: Int
  package let title: String
  /// The game's name, for example `bingo`.
  package let game: String
  /// Edge of the board.
  package let size: Int
  /// Planned length in minutes.
  package let minutes: Int
  package let players: Int
  package let seats: Int

  /// Names the fields.
  package init(
    table: TableID, code: Int, title: String, game: String, size: Int, minutes: Int, players: Int,
    seats: Int
  ) {
    self.table = table
    self.code = code
    self.title = title
    self.game = game
    self.size = size
    self.minutes = minutes
    self.players = players
    self.seats = seats
  }

  fileprivate init(_ item: CBOR) throws(DecodeError) {
    let parts = try item.array("notice", exactly: 8)
    table = try TableID(parts[0], "notice.table")
    code = try parts[1].int("notice.code", in: 0...99_999)
    title = try parts[2].text("notice.title", maximum: Limits.titleBytes)
    guard PlainText.isTitle(title) else { throw .outOfRange("notice.title") }
    game = try parts[3].text("notice.game", maximum: 16)
    guard PlainText.isClean(game) else { throw .outOfRange("notice.game") }
    size = try parts[4].int("notice.size", in: 0...99)
    minutes = try parts[5].int("notice.minutes", in: 0...999)
    players = try parts[6].int("notice.players", in: 0...999)
    seats = try parts[7].int("notice.seats", in: 0...999)
  }

  fileprivate var cbor: CBOR {
    [
      table.cbor, CBOR(code), .text(title), .text(game), CBOR(size), CBOR(minutes),
      CBOR(players), CBOR(seats),
    ]
  }
}

/// What a node says of itself: by UDP broadcast to everybody, and first on every link.
///
/// Signed by the identity. `incarnation` grows with every start of the node and `sequence` with
/// every beacon, so that a recorded one is known when it comes again.
package struct Beacon: Statement, Hashable {
  /// Major version of the protocol; another one is not understood.
  package static let protocolVersion = 1
  /// Tables that fit one beacon beside the longest names.
  package static let tablesPerBeacon = 3

  package let identity: PublicKey
  package let name: String
  package let incarnation: UInt64
  package let sequence: UInt64
  /// Milliseconds until the next one at the latest; 0 says goodbye.
  package let period: UInt64
  /// The TCP port that takes links.
  package let linkPort: UInt16
  /// Whether the player sits at a running table.
  package let atTable: Bool
  /// Own public tables open for joining.
  package let tables: [TableNotice]
  package let signature: Signature

  /// A beacon before it is signed.
  package struct Draft: Hashable, Sendable {
    package var identity: PublicKey
    package var name: String
    package var incarnation: UInt64
    package var sequence: UInt64
    package var period: UInt64
    package var linkPort: UInt16
    package var atTable: Bool
    package var tables: [TableNotice]

    /// Names every field that the signature covers.
    package init(
      identity: PublicKey, name: String, incarnation: UInt64, sequence: UInt64, period: UInt64,
      linkPort: UInt16, atTable: Bool, tables: [TableNotice]
    ) {
      self.identity = identity
      self.name = name
      self.incarnation = incarnation
      self.sequence = sequence
      self.period = period
      self.linkPort = linkPort
      self.atTable = atTable
      self.tables = tables
    }

    fileprivate var fields: [CBOR] {
      [
        CBOR(Beacon.protocolVersion), identity.cbor, .text(name), .unsigned(incarnation),
        .unsigned(sequence), .unsigned(period), CBOR(linkPort), .bool(atTable),
        .array(tables.map(\.cbor)),
      ]
    }

    /// The exact bytes the identity signs.
    package var signedBytes: [UInt8] {
      CBOR.array([.text(Tag.beacon.rawValue)] + fields).encoded
    }
  }

  /// Puts a signed beacon together; nothing is checked here.
  package init(draft: Draft, signature: Signature) {
    identity = draft.identity
    name = draft.name
    incarnation = draft.incarnation
    sequence = draft.sequence
    period = draft.period
    linkPort = draft.linkPort
    atTable = draft.atTable
    tables = draft.tables
    self.signature = signature
  }

  /// The signed fields.
  package var draft: Draft {
    Draft(
      identity: identity, name: name, incarnation: incarnation, sequence: sequence,
      period: period, linkPort: linkPort, atTable: atTable, tables: tables)
  }

  package var signedBytes: [UInt8] { draft.signedBytes }
  package var signatures: [KeySignature] { [KeySignature(identity, signature)] }

  /// Whether the node says that it stops.
  package var isGoodbye: Bool { period == 0 }

  /// Reads the fields; `unknownKind("beacon.version")` for another version.
  package init(_ item: CBOR) throws(DecodeError) {
    let parts = try item.array("beacon", count: 2...16)
    guard try parts[0].int("beacon.version") == Beacon.protocolVersion else {
      throw .unknownKind("beacon.version")
    }
    guard parts.count == 10 else { throw .wrongCount("beacon") }
    identity = try PublicKey(parts[1], "beacon.identity")
    name = try parts[2].text("beacon.name", maximum: Limits.nameBytes)
    guard PlainText.isName(name) else { throw .outOfRange("beacon.name") }
    incarnation = try parts[3].unsigned("beacon.incarnation", maximum: Limits.counter)
    sequence = try parts[4].unsigned("beacon.sequence", maximum: Limits.counter)
    period = try parts[5].unsigned("beacon.period", maximum: 600_000)
    linkPort = UInt16(try parts[6].int("beacon.linkPort", in: 1...65_535))
    atTable = try parts[7].bool("beacon.atTable")
    var tables: [TableNotice] = []
    for part in try parts[8].array("beacon.tables", count: 0...Beacon.tablesPerBeacon) {
      tables.append(try TableNotice(part))
    }
    self.tables = tables
    signature = try Signature(parts[9], "beacon.signature")
  }

  /// The fields in order.
  package var cbor: CBOR { .array(draft.fields + [signature.cbor]) }

  /// Four bytes that open every datagram: cheap to tell from other programs on the port.
  package static let magic: [UInt8] = Array("TTb1".utf8)

  /// The datagram: magic and encoding; at most `Limits.datagram` bytes.
  package var datagram: [UInt8] { Beacon.magic + cbor.encoded }

  /// Reads a datagram up to the signature door.
  ///
  /// Throws `unknownKind("datagram")` for what another program sent.
  package init(datagram: [UInt8]) throws(DecodeError) {
    guard datagram.count <= Limits.datagram else { throw .outOfRange("datagram") }
    guard datagram.starts(with: Beacon.magic) else { throw .unknownKind("datagram") }
    try self.init(CBOR(decoding: Array(datagram.dropFirst(Beacon.magic.count))))
  }
}
