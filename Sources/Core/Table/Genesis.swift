package import CBOR
package import Consensus
package import Games
package import Wire

/// The beginning of a table: who made it, what is played, and what came before.
///
/// Signed by the creator's identity, player and voter key. Its hash is the table's id, so nothing
/// in it can change later.
package struct Genesis: Statement, Hashable {
  /// The table that this one succeeds (CONSENSUS 1.9, Successor).
  package struct Previous: Hashable, Sendable {
    /// Why there is a successor.
    package enum Kind: UInt8, Sendable {
      /// The same people play once more.
      case rematch = 0
      /// The creator of a lobby is gone; the others go on without.
      case again = 1
    }

    package let table: TableID
    /// Hash of the last block its creator holds as final; `zero` when there is none.
    package let tip: Digest
    package let kind: Kind
    /// Identities that are expected, in the order of their seats.
    package let people: [PublicKey]

    /// Names what came before.
    package init(table: TableID, tip: Digest, kind: Kind, people: [PublicKey]) {
      self.table = table
      self.tip = tip
      self.kind = kind
      self.people = people
    }

    init(_ item: CBOR) throws(DecodeError) {
      let parts = try item.array("previous", exactly: 4)
      table = try TableID(parts[0], "previous.table")
      tip = try Digest(parts[1], "previous.tip")
      guard let kind = Kind(rawValue: UInt8(try parts[2].int("previous.kind", in: 0...255))) else {
        throw .unknownKind("previous.kind")
      }
      self.kind = kind
      var people: [PublicKey] = []
      for part in try parts[3].array("previous.people", count: 0...Limits.voters) {
        people.append(try PublicKey(part, "previous.people"))
      }
      self.people = people
    }

    var cbor: CBOR {
      [
        table.cbor, tip.cbor, .unsigned(UInt64(kind.rawValue)), .array(people.map(\.cbor)),
      ]
    }
  }

  /// Why a draft cannot be a genesis.
  package enum Fault: String, Error, Sendable {
    case badCode
    case badTitle
    case badName
    case badNonce
    case sameKeys
    /// Pretend colleagues sit only at a practice table, at most as many as there are seats.
    case badPretend
    /// A practice table is on one laptop only: there is nobody to keep it from.
    case badPrivate
    /// At a practice table there is nobody to agree with.
    case badStrict
    /// At an anonymous table nobody but the invited may see whose it is, and all are named by their keys.
    case badAnonymous
    /// Not signed by exactly the creator's three keys.
    case badSigners
  }

  /// A genesis before it is signed.
  package struct Draft: Hashable, Sendable {
    /// Five digits, as a number.
    package var code: Int
    package var title: String
    package var setup: AnySetup
    /// "Try it now": never announced, nobody can join.
    package var practice: Bool
    /// Never announced; joined by whoever proves its secret, unknown to everybody else.
    package var isPrivate: Bool
    /// Among three voters everybody must agree (CONSENSUS 1.2); encoded only where it is so.
    package var isStrict: Bool
    /// Where and when it is to be played; encoded only where it was said.
    package var appointment: Appointment?
    /// Its log names nobody (`Alias`); encoded only where it is so.
    package var isAnonymous: Bool
    package var pretend: [PretendMember]
    package var previous: Previous?
    /// Sixteen random bytes, so that no two tables have one id.
    package var nonce: [UInt8]
    package var creator: Member

    /// Names every field.
    package init(
      code: Int, title: String, setup: AnySetup, practice: Bool = false, isPrivate: Bool = false,
      isStrict: Bool = false, appointment: Appointment? = nil, isAnonymous: Bool = false,
      pretend: [PretendMember] = [], previous: Previous? = nil,
      nonce: [UInt8], creator: Member
    ) {
      self.code = code
      self.title = title
      self.setup = setup
      self.practice = practice
      self.isPrivate = isPrivate
      self.isStrict = isStrict
      self.appointment = appointment
      self.isAnonymous = isAnonymous
      self.pretend = pretend
      self.previous = previous
      self.nonce = nonce
      self.creator = creator
    }

    /// The exact bytes that the creator's three keys sign.
    package var signedBytes: [UInt8] {
      CBOR.array([.text(Tag.genesis.rawValue)] + fields).encoded
    }

    /// The id the table will have.
    package var table: TableID { TableID(raw: Digest(ofBytes: signedBytes).raw) }

    package static func == (left: Draft, right: Draft) -> Bool {
      left.signedBytes == right.signedBytes
    }

    package func hash(into hasher: inout Hasher) { hasher.combine(signedBytes) }

    fileprivate var fields: [CBOR] {
      [
        CBOR(code), .text(title), .text(setup.kind.rawValue), setup.genesisCBOR,
        .bool(practice), .bool(isPrivate), .array(pretend.map(\.cbor)), previous?.cbor ?? .null,
        .bytes(nonce), creator.cbor,
      ] + (isStrict ? [.bool(true)] : []) + (appointment.map { [$0.cbor] } ?? [])
        + (isAnonymous ? [.text(Genesis.anonymous)] : [])
    }

    /// What is wrong with it; nil when it can be signed.
    package var fault: Fault? {
      guard Genesis.codes.contains(code) else { return .badCode }
      guard PlainText.isTitle(title) else { return .badTitle }
      guard PlainText.isName(creator.name) else { return .badName }
      guard nonce.count == 16 else { return .badNonce }
      guard creator.hasDistinctKeys else { return .sameKeys }
      guard !(practice && isPrivate) else { return .badPrivate }
      guard !(practice && isStrict) else { return .badStrict }
      guard !isAnonymous || isPrivate && creator.name == Moniker.name(of: creator.identity) else {
        return .badAnonymous
      }
      guard pretend.isEmpty || practice, pretend.count < Limits.voters,
        pretend.allSatisfy({ PlainText.isName($0.name) })
      else { return .badPretend }
      let players = (creator.keys + pretend.map(\.player)).sorted()
      guard zip(players, players.dropFirst()).allSatisfy({ $0 != $1 }) else { return .sameKeys }
      return nil
    }
  }

  /// What an anonymous one ends with.
  fileprivate static let anonymous = "anonymous"

  /// Codes that a table may have.
  package static let codes = 0...99_999

  package let draft: Draft
  package let signatures: [KeySignature]
  /// The table's id: BLAKE2b-256 of the signed bytes.
  package let table: TableID
  package let signedBytes: [UInt8]

  /// Puts a signed genesis together; throws what is wrong with it.
  package init(draft: Draft, signatures: [KeySignature]) throws(Fault) {
    if let fault = draft.fault { throw fault }
    let signatures = signatures.sorted()
    guard signatures.map(\.key) == draft.creator.keys else { throw .badSigners }
    self.draft = draft
    self.signatures = signatures
    signedBytes = draft.signedBytes
    table = TableID(raw: Digest(ofBytes: signedBytes).raw)
  }

  /// The code as people type it: five digits.
  package var codeText: String {
    let digits = String(draft.code)
    return String(repeating: "0", count: 5 - digits.count) + digits
  }

  package static func == (left: Genesis, right: Genesis) -> Bool {
    left.table == right.table && left.signatures == right.signatures
  }

  package func hash(into hasher: inout Hasher) { hasher.combine(table) }

  /// Reads the one encoding of a genesis, at most `Limits.genesis` bytes.
  ///
  /// Throws for anything that a creator's node would not have made; signatures are for the door.
  package init(decoding bytes: [UInt8]) throws(DecodeError) {
    guard bytes.count <= Limits.genesis else { throw .outOfRange("genesis") }
    try self.init(CBOR(decoding: bytes))
  }

  /// Reads the fields; see `init(decoding:)`.
  package init(_ item: CBOR) throws(DecodeError) {
    let parts = try item.array("genesis", count: 11...14)
    let more = try Genesis.more(parts[10..<parts.count - 1])
    let name = try parts[2].text("genesis.game", maximum: 16)
    guard let kind = GameKind(rawValue: name) else { throw .unknownKind("genesis.game") }
    var pretend: [PretendMember] = []
    for part in try parts[6].array("genesis.pretend", count: 0...Limits.voters) {
      pretend.append(try PretendMember(part))
    }
    let draft = Draft(
      code: try parts[0].int("genesis.code", in: Genesis.codes),
      title: try parts[1].text("genesis.title", maximum: Limits.titleBytes),
      setup: try AnySetup(kind, parts[3]),
      practice: try parts[4].bool("genesis.practice"),
      isPrivate: try parts[5].bool("genesis.private"),
      isStrict: more.isStrict, appointment: more.appointment, isAnonymous: more.isAnonymous,
      pretend: pretend,
      previous: parts[7].isNull ? nil : try Previous(parts[7]),
      nonce: try parts[8].bytes("genesis.nonce", count: 16...16),
      creator: try Member(parts[9]))
    let signatures = try KeySignature.list(
      parts[parts.count - 1], "genesis.signatures", maximum: 3)
    do throws(Fault) {
      try self.init(draft: draft, signatures: signatures)
    } catch { throw .outOfRange("genesis.\(error.rawValue)") }
  }

  /// What stands behind the creator, each where it is so and in this order: `true` for strict, the
  /// appointment, and a word for anonymous.
  private static func more(
    _ fields: ArraySlice<CBOR>
  ) throws(DecodeError) -> (isStrict: Bool, appointment: Appointment?, isAnonymous: Bool) {
    var rest = fields
    var isAnonymous = false
    if case .text = rest.last {
      guard try rest.removeLast().text("genesis.anonymous", maximum: 16) == anonymous else {
        throw .outOfRange("genesis.anonymous")
      }
      isAnonymous = true
    }
    var appointment: Appointment?
    if rest.count == 2 {
      appointment = try Appointment(rest.removeLast(), "genesis.appointment")
    } else if case .array = rest.last {
      appointment = try Appointment(rest.removeLast(), "genesis.appointment")
    }
    guard let strict = rest.popLast() else { return (false, appointment, isAnonymous) }
    guard rest.isEmpty else { throw .wrongCount("genesis") }
    guard try strict.bool("genesis.strict") else { throw .outOfRange("genesis.strict") }
    return (true, appointment, isAnonymous)
  }

  /// What its log rests on.
  package var founding: Founding {
    Founding(table: table, creator: draft.creator.voter, isStrict: draft.isStrict)
  }

  /// The fields in order, the signatures last.
  package var cbor: CBOR {
    .array(draft.fields + [.array(signatures.map(\.cbor))])
  }

  /// The one encoding.
  package var encoded: [UInt8] { cbor.encoded }
}
