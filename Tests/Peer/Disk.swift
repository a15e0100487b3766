import Peer

/// The store of one laptop: what was asked for reaches it whole, a batch at a time, or not at all.
struct Disk {
  /// Everything one batch of events asked to write: one transaction.
  struct Transaction {
    var records: [StoredRecord] = []
    var through: UInt64 = 0
  }

  private(set) var rows: [StoredRecord.Collection: [[UInt8]: [UInt8]]] = [:]
  /// Asked for, not durable yet, oldest first.
  private(set) var underWay: [Transaction] = []
  /// Transactions that became durable in the life of the laptop.
  private(set) var commits = 0
  /// Rows of logs whose bytes are not what was written.
  private var rotten: [[UInt8]] = []
  /// Refuses everything from now on.
  var isFull = false

  mutating func begin(_ transaction: Transaction) { underWay.append(transaction) }

  /// The oldest transaction becomes durable; returns the index it reaches.
  mutating func commit() -> UInt64? {
    guard !underWay.isEmpty else { return nil }
    let transaction = underWay.removeFirst()
    for record in transaction.records {
      rows[record.collection, default: [:]][record.key] = record.value
      rotten.removeAll { $0 == record.key }
    }
    commits += 1
    return transaction.through
  }

  /// The power is gone: what is not durable is lost.
  mutating func crash() { underWay = [] }

  /// A bit turns in one row of a log, as the store's checksum tells.
  mutating func rot() {
    if let key = rows[.log]?.keys.max(by: { $0.lexicographicallyPrecedes($1) }) {
      rotten.append(key)
    }
  }

  /// Changes a row behind the node's back.
  mutating func damage(
    _ collection: StoredRecord.Collection, _ change: (_ key: [UInt8], inout [UInt8]) -> Void
  ) {
    for key in (rows[collection] ?? [:]).keys {
      change(key, &rows[collection, default: [:]][key, default: []])
    }
  }

  /// What a starting node reads.
  var stored: StoredRows {
    func sorted(_ collection: StoredRecord.Collection) -> [StoredRows.Row] {
      (rows[collection] ?? [:]).map { ($0.key, $0.value) }.sorted {
        $0.0.lexicographicallyPrecedes($1.0)
      }
    }
    var stored = StoredRows(
      node: sorted(.node), tables: sorted(.tables),
      log: sorted(.log).filter { !rotten.contains($0.key) }, drafts: sorted(.drafts))
    stored.damagedLog = rotten
    return stored
  }
}
