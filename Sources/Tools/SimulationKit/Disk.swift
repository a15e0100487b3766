package import Consensus

/// A store with syncs: what was written since the last one is lost in a crash.
package struct Disk: Sendable {
  private var durable: [Record] = []
  private var unsynced: [(record: Record, index: UInt64)] = []
  private var rows: [[UInt8]: Int] = [:]

  /// Everything ever written, synced or not, in order.
  package private(set) var history: [Record] = []

  /// The checksum of some row does not fit.
  package private(set) var isDamaged = false

  /// Makes an empty one.
  package init() {}

  /// Whether anything waits for a sync.
  package var isDirty: Bool { !unsynced.isEmpty }
  /// Whether anything waits that somebody waits for.
  package var needsSync: Bool { unsynced.contains { !$0.record.isLazy } }

  /// Writes without a sync.
  package mutating func write(_ record: Record, index: UInt64) {
    unsynced.append((record, index))
    history.append(record)
  }

  /// Index of the last record written.
  package var lastIndex: UInt64? { unsynced.last?.index }

  /// Makes all that was written up to an index durable.
  package mutating func sync(through index: UInt64) {
    let count = unsynced.prefix { $0.index <= index }.count
    for (record, _) in unsynced.prefix(count) { put(record) }
    unsynced.removeFirst(count)
  }

  /// Loses what was not synced, but for the first `kept` records, which reached the disk by chance.
  package mutating func crash(keeping kept: Int) {
    for (record, _) in unsynced.prefix(kept) { put(record) }
    unsynced = []
  }

  /// How many records a crash could lose.
  package var atRisk: Int { unsynced.count }

  /// What is there after a restart.
  package var records: [Record] { durable.filter { $0.value != nil } }

  /// What would be there if nothing were lost.
  package var settled: Disk {
    var copy = self
    copy.crash(keeping: unsynced.count)
    return copy
  }

  /// Whether a row is durable.
  package func holds(_ kind: Record.Kind, _ key: [UInt8]) -> Bool {
    rows[[kind.rawValue] + key].map { durable[$0].value != nil } ?? false
  }

  /// Whether a row was written here, durable or not.
  package func has(_ kind: Record.Kind, _ key: [UInt8]) -> Bool {
    holds(kind, key) || unsynced.contains { $0.record.kind == kind && $0.record.key == key }
  }

  /// Whether one row was written, and before another was.
  package func took(_ kind: Record.Kind, _ first: [UInt8], before second: [UInt8]) -> Bool {
    let place = { (key: [UInt8]) in history.firstIndex { $0.kind == kind && $0.key == key } }
    guard let early = place(first), let late = place(second) else { return false }
    return early < late
  }

  /// How many rows are there.
  package var rowCount: Int { durable.count { $0.value != nil } }

  /// Turns one bit in the value of one row; false if there is no row.
  ///
  /// Which one makes no difference: each row has a checksum, and who restores from the rows is told
  /// that one of them does not fit.
  package mutating func rot() -> Bool {
    guard durable.contains(where: { $0.value?.isEmpty == false }) else { return false }
    isDamaged = true
    return true
  }

  /// Deletes every row, as a node does that finds one of them damaged.
  package mutating func clear() {
    durable = []
    unsynced = []
    rows = [:]
    isDamaged = false
  }

  private mutating func put(_ record: Record) {
    let name = [record.kind.rawValue] + record.key
    if let index = rows[name] {
      durable[index] = record
    } else {
      rows[name] = durable.count
      durable.append(record)
    }
  }
}
