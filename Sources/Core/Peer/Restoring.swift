import CBOR
package import Consensus
import Discovery
import Games
import Table
package import Wire

/// Rows of the store as they were read, by collection, each in the order of keys.
package struct StoredRows: Sendable {
  /// One row.
  package typealias Row = (key: [UInt8], value: [UInt8])

  package var node: [Row]
  package var tables: [Row]
  package var log: [Row]
  package var drafts: [Row]
  /// Keys of rows whose bytes have changed on the disk.
  package var damagedTables: [[UInt8]] = []
  package var damagedLog: [[UInt8]] = []

  /// Names the rows of every collection that Core reads.
  package init(node: [Row] = [], tables: [Row] = [], log: [Row] = [], drafts: [Row] = []) {
    self.node = node
    self.tables = tables
    self.log = log
    self.drafts = drafts
  }

  /// A value of the node itself.
  func value(_ name: String) -> [UInt8]? {
    node.first { $0.key == Array(name.utf8) }?.value
  }
}

extension Peer.Setup {
  /// When, on the monotonic clock, a block from before the start was made, as far as its leader's
  /// wall clock and ours agree; for display only.
  func age(of shownTime: UInt64, at now: Milliseconds) -> Milliseconds {
    let age = startedAt > shownTime ? startedAt - shownTime : 0
    return now > age ? now - age : 0
  }
}

extension Peer {
  /// The highest incarnation that an earlier start has used; 0 for none.
  package static func lastIncarnation(in rows: StoredRows) -> UInt64 {
    rows.value("incarnation").flatMap {
      try? CBOR(decoding: $0).unsigned("incarnation", maximum: Limits.counter)
    } ?? 0
  }

  /// The identity that the rows belong to; nil while there are none.
  package static func owner(in rows: StoredRows) -> PublicKey? {
    rows.value("identity").flatMap { try? PublicKey(CBOR(decoding: $0), "identity") }
  }

  /// Puts a node together from what it knew before; with empty rows, a new one.
  ///
  /// A table whose rows cannot be read is left out, named in the log and kept on the disk.
  package init(setup: Setup, rows: StoredRows, now: Milliseconds) {
    self.setup = setup
    self.now = now
    noise = DigestStream(key: setup.seed)
    roster = Roster(me: setup.identity)
    sameKey = SameKey(incarnation: setup.incarnation, startedAt: setup.startedAt)
    switchboard = Switchboard(me: setup.identity)
    wordLists = Peer.restoredWordLists(in: rows)
    lastWords = rows.value("lastWords").flatMap(TablePlan.lastWords)
    name = rows.value("name").flatMap(Peer.name)
    addresses = rows.value("addresses").flatMap(Peer.addresses) ?? []
    favourites = Peer.favourites(in: rows, besides: setup.identity)
    invites = Invite.kept(in: rows)
    unsaid = rows.value(Peer.unsaidRow).flatMap(Peer.unsaid) ?? []
    muted = rows.value(Peer.mutedRow).flatMap(Peer.muted) ?? []
    mayWitness = rows.value(Peer.witnessRow).map { $0 != [0] } ?? true
    persist(
      StoredRecord(
        .node, key: Array("incarnation".utf8), value: CBOR.unsigned(setup.incarnation).encoded))
    if Peer.owner(in: rows) == nil {
      persist(
        StoredRecord(.node, key: Array("identity".utf8), value: setup.identity.cbor.encoded))
    }
    for key in rows.damagedTables {
      log(.error, "a table's row is damaged and is left as it is: \(Hex.encode(key))")
    }
    for row in rows.tables { restoreTable(row, rows) }
    for session in sessions {
      guard let previous = session.genesis.draft.previous,
        let old = place(ofTable: previous.table)
      else { continue }
      note(session.genesis, by: session.creator, at: old)
    }
    noteLaptops()
    heldKeys = neededKeys
    if name == nil, let given = setup.name { confirmName(given) }
  }

  private mutating func restoreTable(_ row: StoredRows.Row, _ rows: StoredRows) {
    guard let kept = TableSession.Kept(row.value) else {
      log(.error, "a table's row cannot be read and is left as it is: \(Hex.encode(row.key))")
      return
    }
    if kept.isPutAway, kept.isJoining || kept.isWitness || archive.count >= Peer.archiveLimit {
      return
    }
    let seed = noise.next()
    do throws(RestoreError) {
      var session: TableSession
      do throws(RestoreError) {
        session = try restored(kept, rows, seed: seed)
      } catch {
        if kept.isPutAway { throw error }
        log(
          .error,
          "the log of table \(kept.genesis.codeText) cannot be read (\(error.code)): it is fetched anew, "
            + "and this laptop votes there with another key")
        session = try forgotten(kept, rows)
        fill(&session, from: rows)
      }
      if !kept.isPutAway {
        if session.table.leftByCreator != nil, session.goesOnByItself(me: me) {
          session.handedOnAt = now + Peer.handOnAfterStart
        }
        sessions.append(session)
      } else if session.table.phase == .over {
        archive(session)
      }
    } catch {
      log(.error, "the log of table \(kept.genesis.codeText) cannot be read: \(error.code)")
    }
  }

  /// A table as its rows tell it.
  func restored(
    _ kept: TableSession.Kept, _ rows: StoredRows, seed: UInt64
  ) throws(RestoreError) -> TableSession {
    let prefix = kept.genesis.table.bytes
    if let damaged = rows.damagedLog.first(where: { $0.starts(with: prefix) }) {
      throw .damaged(damaged.count > 32 ? Consensus::Record.Kind(rawValue: damaged[32]) : nil)
    }
    let records = rows.log.filter { $0.key.starts(with: prefix) && $0.key.count > 32 }.compactMap {
      Consensus::Record(
        kind: $0.key[32], key: Array($0.key.dropFirst(33)), value: $0.value)
    }
    var session = try TableSession(kept, records: records, me: me, seed: seed, now: now)
    fill(&session, from: rows)
    return session
  }

  /// Own entries on their way, and what follows from the final blocks.
  private func fill(_ session: inout TableSession, from rows: StoredRows) {
    for draft in rows.drafts where draft.key.starts(with: session.id.bytes) {
      session.restore(draft)
    }
    for (block, outcomes) in session.replica.finalBlocks(above: 0) {
      session.seenAt.append((block.height, setup.age(of: block.shownTime, at: now)))
      _ = session.enter(block, outcomes)
      for (recovery, height) in session.replica.recoveredPlaces where height == block.height {
        _ = session.enter(recovery, at: height)
      }
      for entry in block.entries {
        _ = session.outbox.final(author: entry.author, sequence: entry.sequence)
      }
    }
  }

  /// A table whose log is lost: it begins at the genesis, and its voter key signs nothing any more.
  private mutating func forgotten(
    _ kept: TableSession.Kept, _ rows: StoredRows
  ) throws(RestoreError) -> TableSession {
    let prefix = kept.genesis.table.bytes
    for key in rows.log.map(\.key) + rows.damagedLog where key.starts(with: prefix) {
      persist(StoredRecord(.log, key: key, value: nil))
    }
    var session = try TableSession(kept, records: [], me: me, seed: noise.next(), now: now)
    for case .persist(let record, let index) in session.replica.loseMemory() {
      let row = StoredRecord(
        .log, key: prefix + [record.kind.rawValue] + record.key, value: record.value)
      session.writing.append((persist(row), index))
    }
    session.mayAuthor = kept.genesis.draft.practice
    return session
  }

  /// What others would not take as a name is asked for again.
  private static func name(_ bytes: [UInt8]) -> String? {
    String(validating: bytes, as: UTF8.self).flatMap { PlayerName.isAllowed($0) ? $0 : nil }
  }

  /// Keeps where others were met, for the next start.
  mutating func keepAddresses() {
    let rows = addresses.map { row -> CBOR in
      [row.identity.cbor, .text(row.address.description)]
    }
    persist(
      StoredRecord(.node, key: Array("addresses".utf8), value: CBOR.array(rows).encoded))
  }

  private static func addresses(_ bytes: [UInt8]) -> [Whereabouts]? {
    guard let rows = try? CBOR(decoding: bytes).array("addresses") else { return nil }
    return rows.compactMap { row in
      guard let parts = try? row.array("address", exactly: 2),
        let identity = try? PublicKey(parts[0], "address"),
        let text = try? parts[1].text("address", maximum: 80), let address = Address(text)
      else { return nil }
      return Whereabouts(identity, address)
    }
  }

  /// The agreed entries of a table, from the first on; one that was put away is read from the store.
  package func log(
    of table: TableID, reading rows: TableReader = { _ in nil }
  ) -> [AgreedEntry]? {
    (sessions.first { $0.id == table } ?? session(of: table, reading: rows))?.log
  }
}

extension TableSession {
  /// What the store keeps of a table besides its log.
  struct Kept: Sendable {
    let genesis: Genesis
    let keys: TableKeys
    let isJoining: Bool
    let hasQuit: Bool
    let isPutAway: Bool
    let duplicates: Int
    let madeBy: CommandID?
    let secret: TableSecret?
    let isWitness: Bool
    let isWatcher: Bool
    let nextVoter: PublicKey?

    /// Reads a row; nil when it is damaged.
    init?(_ bytes: [UInt8]) {
      guard let parts = try? CBOR(decoding: bytes).array("table", count: 10...12),
        let encoded = try? parts[0].bytes("genesis"),
        let genesis = try? Genesis(decoding: encoded),
        let player = try? PublicKey(parts[1], "player"),
        let voter = try? PublicKey(parts[2], "voter"),
        let pretend = try? parts[3].array("pretend", count: 0...Limits.voters),
        let isJoining = try? parts[4].bool("joining"), let hasQuit = try? parts[5].bool("quit"),
        let isPutAway = try? parts[6].bool("away"), let duplicates = try? parts[7].int("merged"),
        let madeBy = parts[8].isNull
          ? .some(nil)
          : (try? parts[8].text("command", maximum: 64)).map({ CommandID($0) }),
        let secret = parts[9].isNull
          ? .some(nil) : (try? TableSecret(parts[9], "secret")).map({ Optional($0) }),
        let role = Role(parts.count < 11 ? nil : parts[10]),
        let nextVoter = parts.count < 12
          ? .some(nil) : (try? PublicKey(parts[11], "voter")).map({ Optional($0) }),
        genesis.draft.isPrivate == (secret != nil)
      else { return nil }
      isWitness = role != .seat
      isWatcher = role == .watcher
      self.nextVoter = nextVoter
      self.genesis = genesis
      keys = TableKeys(
        player: player, voter: voter,
        pretend: pretend.compactMap { try? PublicKey($0, "pretend") })
      self.isJoining = isJoining
      self.hasQuit = hasQuit
      self.isPutAway = isPutAway
      self.duplicates = duplicates
      self.madeBy = madeBy
      self.secret = secret
    }
  }

  /// What this laptop is at a table, as its row says it.
  private enum Role: Equatable {
    case seat
    case witness
    case watcher

    init?(_ item: CBOR?) {
      guard let item else {
        self = .seat
        return
      }
      if let isWitness = try? item.bool("role") {
        self = isWitness ? .witness : .seat
      } else if (try? item.text("role", maximum: 8)) == "watch" {
        self = .watcher
      } else {
        return nil
      }
    }
  }

  /// The row that `Kept` reads.
  var record: StoredRecord {
    let fields: [CBOR] = [
      .bytes(genesis.encoded), keys.player.cbor, keys.voter.cbor,
      .array(keys.pretend.map(\.cbor)), .bool(isJoining), .bool(hasQuit), .bool(isPutAway),
      CBOR(duplicates), madeBy.map { .text($0.text) } ?? .null, secret?.cbor ?? .null,
    ]
    let role: CBOR = isWatcher ? "watch" : .bool(isWitness)
    let more: [CBOR] = [role] + (nextVoter.map { [$0.cbor] } ?? [])
    let value = CBOR.array(fields + (isWitness || nextVoter != nil ? more : []))
    return StoredRecord(.tables, key: id.bytes, value: value.encoded)
  }

  /// A table that this node has just made or met.
  init(
    genesis: Genesis, keys: TableKeys, secret: TableSecret?, seed: UInt64, now: Milliseconds
  ) {
    invariant(genesis.draft.isPrivate == (secret != nil), "a private table without a secret")
    self.genesis = genesis
    self.keys = keys
    self.secret = secret
    aliases = AliasBook(genesis, secret)
    replica = Replica(
      founding: genesis.founding, voter: keys.voter, app: Table(genesis), seed: seed, now: now)
    mayAuthor = true
    openedAt = now
    id = genesis.table
  }

  /// A table from the store.
  init(
    _ kept: Kept, records: [Consensus::Record], me: PublicKey, seed: UInt64, now: Milliseconds
  ) throws(RestoreError) {
    genesis = kept.genesis
    id = kept.genesis.table
    keys = kept.keys
    secret = kept.secret
    aliases = AliasBook(kept.genesis, kept.secret)
    replica = try Replica(
      restoring: records, founding: kept.genesis.founding, voter: kept.keys.voter,
      app: Table(kept.genesis), seed: seed, now: now)
    isJoining = kept.isJoining
    hasQuit = kept.hasQuit
    isPutAway = kept.isPutAway
    isWitness = kept.isWitness
    isWatcher = kept.isWatcher
    nextVoter = kept.nextVoter
    duplicates = kept.duplicates
    madeBy = kept.madeBy
    openedAt = now
    // Alone in the log there is nobody who could know more of it.
    mayAuthor =
      kept.genesis.draft.practice
      || (replica.epoch.number == 0
        && kept.genesis.draft.creator.identity == aliases?.key(of: me) ?? me
        && !replica.isAmnesiac)
  }

  /// Takes back an own entry from the store.
  mutating func restore(_ row: StoredRows.Row) {
    guard let draft = Outbox.restore(key: row.key, value: row.value) else { return }
    // A seat of before: its join is signed with keys that are no longer this table's.
    guard draft.draft.sequence > 0 || ownPlayers.contains(draft.draft.author) else { return }
    outbox.add(draft)
  }
}
