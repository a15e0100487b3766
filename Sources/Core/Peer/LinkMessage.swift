package import CBOR
package import Discovery
package import Games
package import Wire

/// What two nodes say to one another over a link; one frame each.
package enum LinkMessage: Sendable, Hashable {
  /// First on every link, and again when something in it changed.
  case beacon(Beacon)
  /// Keepalive with where the sender stands at the tables both share; asks for a pong.
  case ping(UInt64, [Status])
  /// Answers a ping with its number.
  case pong(UInt64, [Status])
  /// Something of a table's log.
  case table(TableMessage)
  /// Asks for the public table with this code on the receiver's node.
  case find(code: Int)
  /// Asks for the genesis of a table.
  case get(TableID)
  /// Answers `find` and `get`: the encoded genesis, checked against its own hash.
  case genesis([UInt8])
  /// Says no to `find`, `get` or a join: which table if known, which entry if one, and why.
  case refusal(TableID?, Digest?, code: String)
  /// "You are the first of us in order: start again with these people."
  case startAgain(TableID)
  /// Where other members of shared tables can be dialled.
  case whereabouts([Whereabouts])
  /// The node stops now; no need to wait for the link to time out.
  case goodbye
  /// Beacons of others who are linked to the sender, for one who does not hear them.
  case introductions([Introduction])
  /// To be passed on to the peer it names.
  case carry(RelayFrame)
  /// Passed on from the peer it names.
  case carried(RelayFrame)
  /// Asks for a private table by proving its secret.
  case findPrivate(SecretProof)
  /// Answers `findPrivate`: the answerer knows the secret too, and this is the encoded genesis.
  case privateTable(SecretProof, [UInt8])
  /// Asks the receiver to witness a table of the sender's: the encoded genesis.
  case invite([UInt8])
  /// Asks the receiver's player to sit down at a table: the encoded genesis, and the secret of a private one.
  case offer([UInt8], TableSecret?)
  /// The player who was asked to that table will not come.
  case decline(TableID)

  /// A line that the sender says to the people at a table.
  case chat(TableID, String)
  /// A word list for the receiver's player; not an empty one.
  case give(WordList)

  /// Members named in one `whereabouts` at the most.
  static let whereaboutsLimit = 64
  /// People in one `introductions` at the most.
  static let introductionsLimit = 8
  /// Statuses in one keepalive at the most.
  static let statusLimit = 32
  /// Bytes of a refusal's code.
  static let codeBytes = 64
}

/// Where a member's node takes links.
package struct Whereabouts: Hashable, Sendable {
  package let identity: PublicKey
  package let address: Address

  /// Pairs an identity with an address.
  package init(_ identity: PublicKey, _ address: Address) {
    self.identity = identity
    self.address = address
  }
}

extension LinkMessage {
  /// Reads one frame: `[kind, field...]`.
  package init(frame: [UInt8]) throws(DecodeError) {
    guard frame.count <= Limits.message else { throw .outOfRange("frame") }
    let parts = try CBOR(decoding: frame).array("frame", count: 1...4)
    let kind = try parts[0].int("frame.kind", in: 0...255)
    guard let count = LinkMessage.fields(of: kind) else { throw .unknownKind("frame.kind") }
    guard parts.count == count + 1 else { throw .wrongCount("frame") }
    switch kind {
    case 0: self = .beacon(try Beacon(parts[1]))
    case 1: self = .ping(try parts[1].unsigned("ping"), try LinkMessage.statuses(parts[2]))
    case 2: self = .pong(try parts[1].unsigned("pong"), try LinkMessage.statuses(parts[2]))
    case 3: self = .table(try TableMessage(parts[1]))
    case 4: self = .find(code: try parts[1].int("find", in: 0...99_999))
    case 5: self = .get(try TableID(parts[1], "get"))
    case 6: self = .genesis(try parts[1].bytes("genesis", count: 1...Limits.genesis))
    case 7:
      self = .refusal(
        parts[1].isNull ? nil : try TableID(parts[1], "refusal.table"),
        parts[2].isNull ? nil : try Digest(parts[2], "refusal.entry"),
        code: try parts[3].text("refusal.code", maximum: LinkMessage.codeBytes))
    case 8: self = .startAgain(try TableID(parts[1], "startAgain"))
    case 9: self = .whereabouts(try LinkMessage.whereabouts(parts[1]))
    case 10: self = .goodbye
    case 11: self = .introductions(try LinkMessage.introductions(parts[1]))
    case 12: self = .carry(try RelayFrame(parts[1...]))
    case 13: self = .carried(try RelayFrame(parts[1...]))
    case 20: self = .findPrivate(try SecretProof(parts[1], "findPrivate"))
    case 23: self = .chat(try TableID(parts[1], "chat.table"), try LinkMessage.line(parts[2]))
    case 24: self = .give(try LinkMessage.list(parts[1]))
    case 30:
      self = .offer(
        try parts[1].bytes("offer", count: 1...Limits.genesis),
        parts[2].isNull ? nil : try TableSecret(parts[2], "offer.secret"))
    case 31: self = .decline(try TableID(parts[1], "decline"))
    case 22: self = .invite(try parts[1].bytes("invite", count: 1...Limits.genesis))
    default:
      self = .privateTable(
        try SecretProof(parts[1], "privateTable.proof"),
        try parts[2].bytes("privateTable.genesis", count: 1...Limits.genesis))
    }
  }

  /// How many fields a kind has; nil for one that is not known.
  private static func fields(of kind: Int) -> Int? {
    switch kind {
    case 0, 3, 4, 5, 6, 8, 9, 11, 20, 22, 24, 31: 1
    case 1, 2, 21, 23, 30: 2
    case 7, 12, 13: 3
    case 10: 0
    default: nil
    }
  }

  /// Reads a frame that carries a beacon of another version.
  static func foreignBeacon(in frame: [UInt8]) throws(DecodeError) -> ForeignBeacon {
    try ForeignBeacon(CBOR(decoding: frame).array("frame", exactly: 2)[1])
  }

  private static func statuses(_ item: CBOR) throws(DecodeError) -> [Status] {
    var out: [Status] = []
    for part in try item.array("statuses", count: 0...statusLimit) { out.append(try Status(part)) }
    return out
  }

  private static func line(_ item: CBOR) throws(DecodeError) -> String {
    let text = try item.text("chat.text", maximum: Chat.maximumBytes)
    guard Chat.isClean(text) else { throw .outOfRange("chat.text") }
    return text
  }

  private static func list(_ item: CBOR) throws(DecodeError) -> WordList {
    let list = try WordList(id: 0, row: item)
    guard !list.words.isEmpty else { throw .wrongCount("list.words") }
    return list
  }

  private static func introductions(_ item: CBOR) throws(DecodeError) -> [Introduction] {
    var out: [Introduction] = []
    for part in try item.array("introductions", count: 1...introductionsLimit) {
      out.append(try Introduction(part))
    }
    return out
  }

  private static func whereabouts(_ item: CBOR) throws(DecodeError) -> [Whereabouts] {
    var out: [Whereabouts] = []
    for part in try item.array("whereabouts", count: 0...whereaboutsLimit) {
      let fields = try part.array("whereabouts", exactly: 3)
      guard let host = IPAddress(bytes: try fields[1].bytes("whereabouts.host", count: 4...16))
      else { throw .outOfRange("whereabouts.host") }
      out.append(
        Whereabouts(
          try PublicKey(fields[0], "whereabouts.identity"),
          Address(host: host, port: UInt16(try fields[2].int("whereabouts.port", in: 1...65_535)))))
    }
    return out
  }

  /// Whether a frame begins as one of kind 13 does: it need not be read for nothing.
  package static func mayBeCarried(_ frame: [UInt8]) -> Bool {
    frame.starts(with: [0x84, 0x0d])
  }

  /// The frame's bytes.
  package var frame: [UInt8] {
    let item: CBOR =
      switch self {
      case .beacon(let beacon): [0, beacon.cbor]
      case .ping(let number, let statuses):
        [1, .unsigned(number), .array(statuses.map(\.cbor))]
      case .pong(let number, let statuses):
        [2, .unsigned(number), .array(statuses.map(\.cbor))]
      case .table(let message): [3, message.cbor]
      case .find(let code): [4, CBOR(code)]
      case .get(let table): [5, table.cbor]
      case .genesis(let bytes): [6, .bytes(bytes)]
      case .refusal(let table, let entry, let code):
        [7, table?.cbor ?? .null, entry?.cbor ?? .null, .text(code)]
      case .startAgain(let table): [8, table.cbor]
      case .whereabouts(let list):
        [
          9,
          .array(
            list.map {
              [$0.identity.cbor, .bytes($0.address.host.bytes), CBOR($0.address.port)]
            }),
        ]
      case .goodbye: [10]
      case .introductions(let list): [11, .array(list.map(\.cbor))]
      case .carry(let frame): .array([12] + frame.fields)
      case .carried(let frame): .array([13] + frame.fields)
      case .findPrivate(let proof): [20, proof.cbor]
      case .chat(let table, let text): [23, table.cbor, .text(text)]
      case .give(let list): [24, list.row]
      case .invite(let genesis): [22, .bytes(genesis)]
      case .offer(let genesis, let secret): [30, .bytes(genesis), secret?.cbor ?? .null]
      case .decline(let table): [31, table.cbor]
      case .privateTable(let proof, let genesis): [21, proof.cbor, .bytes(genesis)]
      }
    return item.encoded
  }
}
