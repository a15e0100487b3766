import Consensus
import Discovery
import Table
import Wire

/// Whose laptop is who at an anonymous table (PRODUCT B28).
///
/// The log names keys that are of that table alone. Whoever has its secret works out from an identity which of
/// them is its; from a key nobody works out an identity, so those that were met are noted.
struct AliasBook: Sendable {
  /// How a key follows from an identity there.
  let alias: Alias
  private var keys = SortedMap<PublicKey, PublicKey>()
  private var laptops = SortedMap<PublicKey, PublicKey>()

  /// Identities that are noted at the most; beyond it all are forgotten, to be noted anew.
  private static let limit = 1_024

  /// The book of a table; nil where people stand in the log as themselves.
  init?(_ genesis: Genesis, _ secret: TableSecret?) {
    guard genesis.draft.isAnonymous, let secret else { return nil }
    alias = Alias(secret: secret, nonce: genesis.draft.nonce)
  }

  /// The key by which an identity is named there.
  func key(of laptop: PublicKey) -> PublicKey { keys[laptop] ?? alias.key(of: laptop) ?? laptop }

  /// The identity behind a key, if it was noted.
  func laptop(of key: PublicKey) -> PublicKey? { laptops[key] }

  /// Notes an identity that was met.
  mutating func note(_ laptop: PublicKey) {
    guard keys[laptop] == nil else { return }
    if keys.count >= AliasBook.limit {
      keys = SortedMap()
      laptops = SortedMap()
    }
    let key = key(of: laptop)
    keys[laptop] = key
    laptops[key] = laptop
  }
}

extension TableSession {
  /// How the log names an identity: by itself, or by a key of this table alone.
  func alias(of laptop: PublicKey) -> PublicKey { aliases?.key(of: laptop) ?? laptop }

  /// The identity behind a name in the log; the name itself where it is not known.
  func laptop(of name: PublicKey) -> PublicKey { aliases?.laptop(of: name) ?? name }

  /// Whether another table's genesis was made by a laptop, where both tables have one secret.
  func isMade(_ other: Genesis, by laptop: PublicKey) -> Bool {
    guard other.draft.isAnonymous == genesis.draft.isAnonymous else { return false }
    let name = AliasBook(other, secret)?.key(of: laptop) ?? laptop
    return other.draft.creator.identity == name
  }
}

extension Peer {
  /// How a table's log names a peer.
  func alias(of peer: PublicKey, at index: Int) -> PublicKey {
    sessions[index].aliases?.key(of: peer) ?? peer
  }

  /// Works out once for everybody who was met who they would be at anonymous tables.
  mutating func noteLaptops() {
    for index in sessions.indices {
      guard var book = sessions[index].aliases else { continue }
      book.note(me)
      for link in switchboard.links { book.note(link.peer) }
      for row in roster.neighbours { book.note(row.beacon.identity) }
      for row in addresses { book.note(row.identity) }
      sessions[index].aliases = book
    }
  }

  /// Identity of whom the page names by a key of an anonymous table.
  func person(named key: PublicKey) -> PublicKey {
    sessions.lazy.compactMap { $0.aliases?.laptop(of: key) }.first ?? key
  }

  /// People who are muted, also under the names that they have at anonymous tables.
  var mutedNames: [PublicKey] {
    muted + sessions.filter { $0.aliases != nil }.flatMap { session in muted.map(session.alias) }
  }

  /// Says after an anonymous game who sat here.
  mutating func show(id: CommandID, at index: Int) {
    guard let name else { return }
    let act = Act.show(Seat.Shown(identity: me, name: name))
    if let refusal = author(act, for: id, at: index) {
      refuse(id, refusal.code, refusal.message)
    }
  }
}
