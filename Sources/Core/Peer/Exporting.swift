import Archive
import CBOR
import Consensus
import Table
package import Wire

/// Why a table's log cannot be saved.
package enum ExportFault: Error, Equatable, Sendable {
  /// No table here has this code or id.
  case noSuchTable
  /// More than one has; their ids.
  case several([TableID])
  /// Its rows in the store cannot be read.
  case unreadable

  /// Stable, as in Protocol/local-api.yaml.
  package var code: String {
    switch self {
    case .noSuchTable: "noSuchTable"
    case .several: "severalTables"
    case .unreadable: "logUnreadable"
    }
  }

  /// One sentence for people that says what to do next.
  package var message: String {
    switch self {
    case .noSuchTable:
      "This table is not on this laptop. Look up its code, or its id under Details on its page."
    case .several(let ids):
      "More than one table here has this code. Name one by its id: "
        + ids.map(\.hex).joined(separator: ", ") + "."
    case .unreadable:
      "The log of this table cannot be read. Put the data folder back from a copy."
    }
  }

  /// Whether there is no such table.
  package var isMissing: Bool { self == .noSuchTable }
}

/// A table's log as a file.
package struct SavedLog: Sendable {
  /// Letters, digits, dots and hyphens.
  package let name: String
  /// As in Protocol/export.md.
  package let bytes: [UInt8]

  init(_ genesis: Genesis, _ replica: Replica<Table>) {
    name = "tabletalk-\(genesis.codeText)-\(genesis.table.hex.prefix(8)).ttlog"
    bytes = GameLog.encode(
      genesis: genesis, blocks: replica.history, recoveries: replica.recoveryHistory,
      lies: Array(replica.evidence.compactMap(\.pair).prefix(Limits.voters)),
      height: replica.finalHeight, tip: replica.finalTip, state: replica.app.stateHash)
  }
}

extension Peer {
  /// The log of a table of mine, named by its code, its id or eight or more digits of that.
  ///
  /// One that was put away is read from the store.
  package func exportedLog(
    of text: String, reading rows: TableReader = { _ in nil }
  ) throws(ExportFault) -> SavedLog {
    let known = sessions.map(\.genesis) + archive.map(\.genesis)
    let id = try TableText(text).only(of: known) { $0 }.table
    if let session = sessions.first(where: { $0.id == id }) {
      return SavedLog(session.genesis, session.replica)
    }
    guard let rows = rows(id) else { throw .unreadable }
    return try rows.exportedLog(of: id.hex)
  }
}

extension StoredRows {
  /// The log of a table in the store, named likewise; for when no node runs.
  package func exportedLog(of text: String) throws(ExportFault) -> SavedLog {
    let kept = tables.compactMap { TableSession.Kept($0.value) }
    let genesis = try TableText(text).only(of: kept) { $0.genesis }.genesis
    let prefix = genesis.table.bytes
    let records = log.filter { $0.key.starts(with: prefix) && $0.key.count > 32 }.compactMap {
      Consensus::Record(kind: $0.key[32], key: Array($0.key.dropFirst(33)), value: $0.value)
    }
    do throws(RestoreError) {
      let replica = try Replica(
        restoring: records,
        founding: genesis.founding, voter: nil,
        app: Table(genesis), seed: 0, now: 0)
      return SavedLog(genesis, replica)
    } catch { throw .unreadable }
  }
}

/// What a person calls a table by.
private struct TableText {
  let text: String

  init(_ text: String) { self.text = text.lowercased() }

  func only<Item>(
    of items: [Item], _ genesis: (Item) -> Genesis
  ) throws(ExportFault) -> Item {
    let found = items.filter { names(genesis($0)) }
    guard let first = found.first else { throw .noSuchTable }
    guard found.count == 1 else { throw .several(found.map { genesis($0).table }) }
    return first
  }

  private func names(_ genesis: Genesis) -> Bool {
    text == genesis.codeText || (text.utf8.count >= 8 && genesis.table.hex.hasPrefix(text))
  }
}
