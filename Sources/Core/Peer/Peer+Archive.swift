import Consensus
import Games
import Table
package import Wire

/// A table that was put away, and for which nothing more is to be done here.
///
/// What History says of it stays at hand; the rest stands on the disk, and is read when somebody looks
/// back (PRODUCT C21).
struct ArchivedTable: Sendable {
  let genesis: Genesis
  /// Nil for one whose game did not end here.
  let row: PastGame?

  init(_ session: TableSession) {
    genesis = session.genesis
    row = session.isPast ? PastGame(session) : nil
  }
}

extension Peer {
  /// Reads the rows of one table from the store; nil where they cannot be read.
  package typealias TableReader = (TableID) -> StoredRows?

  /// Put-away tables that are kept at hand.
  static let archiveLimit = 200
  /// How long nothing has become final at a table that leaves the memory.
  private static let archiveRest: Milliseconds = 10_000

  /// Lets go of tables that were put away when nobody needs this laptop's word there any more: a node
  /// that runs for weeks would grow with every game.
  mutating func archivePutAway() {
    for index in sessions.indices.reversed() where sessions[index].isPutAway && isDone(index) {
      let session = sessions.remove(at: index)
      if session.refusal == nil { archive(session) }
    }
  }

  mutating func archive(_ session: TableSession) {
    if archive.count >= Peer.archiveLimit { archive.removeFirst() }
    archive.append(ArchivedTable(session))
  }

  /// A table that is not at hand, as its rows tell it; nil where they cannot be read.
  func session(of table: TableID, reading rows: TableReader) -> TableSession? {
    guard archive.contains(where: { $0.genesis.table == table }), let rows = rows(table),
      let kept = rows.tables.lazy.compactMap({ TableSession.Kept($0.value) }).first(where: {
        $0.genesis.table == table
      })
    else { return nil }
    return try? restored(kept, rows, seed: 0)
  }

  /// Whether the disk has all of it, and the others have what this laptop could tell them.
  private func isDone(_ index: Int) -> Bool {
    let session = sessions[index]
    guard session.writing.isEmpty, session.inbox.isEmpty, session.handedOnAt == nil,
      now >= (session.seenAt.last?.at ?? session.openedAt) + Peer.archiveRest
    else { return false }
    if session.refusal != nil || session.isWitness || session.isLocal { return true }
    guard session.isOver else { return session.hasQuit && session.isSeenThrough }
    // Whoever was away when it ended is told of the end.
    return session.seatedLaptops.allSatisfy { member in
      member == me
        || session.standings.contains {
          $0.peer == member && $0.status.height >= session.replica.finalHeight
        }
    }
  }
}

extension TableSession {
  /// A game of this laptop's player that is over.
  var isPast: Bool {
    refusal == nil && !isWitness && !isJoining && table.phase == .over && table.game != nil
  }
}
