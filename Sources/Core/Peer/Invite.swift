import CBOR
import Consensus
import Discovery
import Table
import Wire

/// Somebody nearby has asked this player to a table (PRODUCT B6): kept until it is taken or denied.
struct Invite: Sendable {
  /// Kept at a time, and from one person; an older one of that person makes room.
  static let limit = 16
  static let limitEach = 4
  /// A link that brings nothing for less long is not taken for dead (Protocol/wire.md, Keeping links).
  static let heardAfter: Milliseconds = 20_000

  let genesis: Genesis
  let from: PublicKey
  let fromName: String
  /// Of a private table.
  let secret: TableSecret?
  /// Where the inviter was then.
  let address: Address?

  var table: TableID { genesis.table }

  /// The row that keeps it.
  var rowKey: [UInt8] { Invite.rowPrefix + table.bytes }
  private static let rowPrefix = Array("invite ".utf8)

  /// Its value.
  var row: [UInt8] {
    CBOR.array([
      .bytes(genesis.encoded), from.cbor, .text(fromName), secret?.cbor ?? .null,
      address.map { .text($0.description) } ?? .null,
    ]).encoded
  }

  /// Pairs a table with who asked to it.
  init(
    genesis: Genesis, from: PublicKey, fromName: String, secret: TableSecret?, address: Address?
  ) {
    self.genesis = genesis
    self.from = from
    self.fromName = fromName
    self.secret = secret
    self.address = address
  }

  /// Reads a row; nil for another kind of row and for a damaged one.
  init?(rowKey: [UInt8], row: [UInt8]) {
    guard rowKey.starts(with: Invite.rowPrefix),
      let parts = try? CBOR(decoding: row).array("invite", exactly: 5),
      let bytes = try? parts[0].bytes("genesis"), let genesis = try? Genesis(decoding: bytes),
      let from = try? PublicKey(parts[1], "from"),
      let name = try? parts[2].text("name", maximum: Limits.nameBytes)
    else { return nil }
    let secret = parts[3].isNull ? nil : try? TableSecret(parts[3], "secret")
    guard genesis.draft.isPrivate == (secret != nil) else { return nil }
    let address = (try? parts[4].text("address", maximum: 80)).flatMap { Address($0) }
    self.init(genesis: genesis, from: from, fromName: name, secret: secret, address: address)
  }

  /// Those that the store holds.
  static func kept(in rows: StoredRows) -> [Invite] {
    rows.node.compactMap { Invite(rowKey: $0.key, row: $0.value) }.suffix(limit)
  }
}

extension PageState {
  /// An invitation to a table, as the page shows it.
  package struct Invite: Encodable, Sendable {
    let table: TableID
    let code: String
    let title: String
    let game: String
    let size: Int
    let minutes: Int
    @OrNull var place: String?
    @OrNull var startsAt: UInt64?
    let fromKey: PublicKey
    let fromName: String
    let fromTag: String
    /// Title of a table of mine at that time: it cannot be accepted beside it.
    @OrNull var conflict: String?
  }

  /// Somebody who was asked to a table of mine.
  package struct Asked: Encodable, Sendable {
    let key: PublicKey
    let name: String
    let declined: Bool
  }
}
