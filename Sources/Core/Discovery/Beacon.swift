package import CBOR
package import Wire

/// What a node says of itself: by UDP broadcast to everybody, and first on every link.
///
/// Signed by the identity. `incarnation` grows with every start of the node and `sequence` with
/// every beacon, so that a recorded one is known when it comes again.
package struct Beacon: Statement, Hashable {
  /// Major version of the protocol; another one is not understood.
  package static let protocolVersion = 1
  /// Tables that fit one beacon beside the longest names.
  package static let tablesPerBeacon = 3
  /// Marks of people that fit beside them; with more people the list goes round.
  package static let heardPerBeacon = 16
  /// People a beacon may ask to dial its sender.
  package static let callsPerBeacon = 4
  /// People a beacon may say it hears.
  static let mostHeard = 999
  /// Elements of a beacon of any version.
  static let elements = 4...32

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
  /// What the sender's clock on the wall shows, in seconds since 1970; for people to read only.
  package let clock: UInt64
  /// How many people's datagrams the sender hears.
  package let hears: Int
  /// Who they are: all, or a stretch of the ring of their marks.
  package let heard: [KeyMark]
  /// Whom the sender asks to dial it, since its own dials to them come to nothing.
  package let calls: [KeyMark]
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
    package var clock: UInt64
    package var hears: Int
    package var heard: [KeyMark]
    package var calls: [KeyMark]

    /// Names every field that the signature covers.
    package init(
      identity: PublicKey, name: String, incarnation: UInt64, sequence: UInt64, period: UInt64,
      linkPort: UInt16, atTable: Bool, tables: [TableNotice], clock: UInt64, hears: Int,
      heard: [KeyMark], calls: [KeyMark] = []
    ) {
      self.identity = identity
      self.name = name
      self.incarnation = incarnation
      self.sequence = sequence
      self.period = period
      self.linkPort = linkPort
      self.atTable = atTable
      self.tables = tables
      self.clock = clock
      self.hears = hears
      self.heard = heard
      self.calls = calls
    }

    /// Whether another draft tells the same but for what changes with every beacon.
    package func saysTheSame(as other: Draft) -> Bool {
      var other = other
      (other.sequence, other.clock) = (sequence, clock)
      (other.hears, other.heard) = (hears, heard)
      return other == self
    }

    fileprivate var fields: [CBOR] {
      [
        CBOR(Beacon.protocolVersion), identity.cbor, .text(name), .unsigned(incarnation),
        .unsigned(sequence), .unsigned(period), CBOR(linkPort), .bool(atTable),
        .array(tables.map(\.cbor)), .unsigned(clock), CBOR(hears), .array(heard.map(\.cbor)),
        .array(calls.map(\.cbor)),
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
    clock = draft.clock
    hears = draft.hears
    heard = draft.heard
    calls = draft.calls
    self.signature = signature
  }

  /// The signed fields.
  package var draft: Draft {
    Draft(
      identity: identity, name: name, incarnation: incarnation, sequence: sequence,
      period: period, linkPort: linkPort, atTable: atTable, tables: tables, clock: clock,
      hears: hears, heard: heard, calls: calls)
  }

  package var signedBytes: [UInt8] { draft.signedBytes }
  package var signatures: [KeySignature] { [KeySignature(identity, signature)] }

  /// Whether the node says that it stops.
  package var isGoodbye: Bool { period == 0 }

  /// Reads the fields; `unknownKind("beacon.version")` for another version.
  package init(_ item: CBOR) throws(DecodeError) {
    let parts = try item.array("beacon", count: 2...Beacon.elements.upperBound)
    guard try parts[0].int("beacon.version") == Beacon.protocolVersion else {
      throw .unknownKind("beacon.version")
    }
    guard parts.count == 14 else { throw .wrongCount("beacon") }
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
    clock = try parts[9].unsigned("beacon.clock", maximum: Limits.counter)
    hears = try parts[10].int("beacon.hears", in: 0...Beacon.mostHeard)
    heard = try KeyMark.stretch(parts[11], "beacon.heard", of: hears)
    calls = try KeyMark.few(parts[12], "beacon.calls", atMost: Beacon.callsPerBeacon)
    signature = try Signature(parts[13], "beacon.signature")
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
    try self.init(Beacon.item(in: datagram))
  }

  /// What is in a datagram of any version.
  static func item(in datagram: [UInt8]) throws(DecodeError) -> CBOR {
    guard datagram.count <= Limits.datagram else { throw .outOfRange("datagram") }
    guard datagram.starts(with: magic) else { throw .unknownKind("datagram") }
    return try CBOR(decoding: Array(datagram.dropFirst(magic.count)))
  }
}
