import CBOR
import Foundation
import Games
import Synchronization
import Wire

/// Computer opponents at work: one thread for each table where one thinks, with room for the search, and of
/// less weight than the node itself.
final class Thinkers: Sendable {
  /// Says when to stop.
  private final class Stop: Sendable {
    let isAsked = Atomic(false)
  }

  /// Room for the longest line of a search, also where threads get little.
  private static let stack = 4 << 20

  private let running = Mutex<[TableID: Stop]>([:])

  /// Thinks on a thread of its own, then calls `answer` on it, unless it was stopped before.
  ///
  /// What the table thought of before is stopped.
  func think(
    _ thinking: Thinking, at table: TableID, answer: @escaping @Sendable (CBOR?) -> Void
  ) {
    let stop = Stop()
    running.withLock { running in
      running[table]?.isAsked.store(true, ordering: .relaxed)
      running[table] = stop
    }
    let thread = Thread {
      let end = Clock.monotonic + thinking.time
      let move = thinking.find {
        stop.isAsked.load(ordering: .relaxed) || Clock.monotonic >= end
      }
      let isWanted = self.running.withLock { running in
        guard running[table] === stop else { return false }
        running[table] = nil
        return true
      }
      if isWanted { answer(move) }
    }
    thread.stackSize = Thinkers.stack
    thread.qualityOfService = .utility
    thread.start()
  }

  /// Stops what a table thinks of; its answer does not come any more.
  func stop(_ table: TableID) {
    running.withLock { running in
      running.removeValue(forKey: table)?.isAsked.store(true, ordering: .relaxed)
    }
  }

  /// Stops everything.
  func stopAll() {
    running.withLock { running in
      for stop in running.values { stop.isAsked.store(true, ordering: .relaxed) }
      running.removeAll()
    }
  }
}
