import Dispatch
import Synchronization

/// The durable rows of one node, in `tabletalk.db` of its data folder.
///
/// Everything a node must still know after a crash is a row here: a vote leaves the node only after
/// the commit that holds it has come back. Commits are written in the order of the calls by one
/// writer on a queue of its own, or by the caller while the disk is quick. What queues up while the disk is busy is written as one
/// transaction with one sync, and all of that transaction succeeds or fails together.
package final class Store: Sendable {
  /// The bounds of the store.
  package enum Limits {
    /// The most bytes of records that may wait for the disk.
    ///
    /// A node that waits for its votes to be durable has a few kilobytes there; this much means
    /// that the disk does not answer.
    package static let pendingBytes = 64 << 20
    /// The most bytes of records in one transaction, a single call excepted: a quarter of the
    /// write-ahead log, so that it keeps its size.
    package static let transactionBytes = 1 << 20
    /// A disk whose last write took no longer, in nanoseconds, is written to where the caller runs: to
    /// wake the writer, and to be woken by it, takes a tenth of a millisecond and two processors.
    package static let quickWrite: UInt64 = 2_000_000
  }

  /// The name of the database file in the data folder.
  package static let fileName = "tabletalk.db"

  /// Whether this opening made the file.
  ///
  /// A node whose identity is older has lost what it knew.
  package let wasCreated: Bool

  /// Held for one call of the database at a time; completions run outside it.
  let database: Mutex<Database>
  private let pending = Mutex(Pending())
  /// The one writer.
  let queue = DispatchQueue(label: "tabletalk.store")

  /// A call to `commit` that is not on the disk.
  private struct Waiting: Sendable {
    let records: [Record]
    let size: Int
    /// Set when the call was refused at once and only waits for its turn to be told.
    let refusal: StoreError?
    let completion: @Sendable (Result<Void, StoreError>) -> Void
  }

  private struct Pending: Sendable {
    var calls: [Waiting] = []
    var bytes = 0
    /// What the writer has been asked to do and has not done.
    var jobs = 0
    /// How long the last write took, in nanoseconds.
    var lastWrite = UInt64.max
  }

  /// Opens the database of a data folder, or makes it.
  ///
  /// - Parameters:
  ///   - folder: the path of the data folder, which exists.
  ///   - pageLimit: the most pages of 4 KiB the file may have; nil for no limit but the disk.
  /// - Throws: `.damaged` for a file that fails SQLite's check or is not ours, `.locked` while
  ///   another opening lasts, `.newer` for a later schema, else what the disk said.
  package convenience init(folder: String, pageLimit: Int? = nil) throws(StoreError) {
    try self.init(path: folder + "/" + Self.fileName, pageLimit: pageLimit)
  }

  private init(path: String, pageLimit: Int?) throws(StoreError) {
    let opened = try Database(path: path, pageLimit: pageLimit)
    wasCreated = opened.wasCreated
    database = Mutex(opened)
  }

  /// Writes the records in the background, all or none.
  ///
  /// - Parameters:
  ///   - records: what to change; applied in this order.
  ///   - completion: called once, on the store's own queue and in the order of the calls, after the
  ///     records are on the disk or have failed. It must not call the store synchronously.
  package func commit(
    _ records: [Record], completion: @escaping @Sendable (Result<Void, StoreError>) -> Void
  ) {
    let size = records.reduce(0) { $0 + $1.size }
    pending.withLock { pending in
      let fits = pending.bytes + size <= Limits.pendingBytes || pending.calls.isEmpty
      pending.bytes += fits ? size : 0
      pending.calls.append(
        Waiting(
          records: fits ? records : [], size: fits ? size : 0,
          refusal: fits ? nil : .overloaded, completion: completion))
    }
    inBackground { self.drain() }
  }

  /// Writes the records where the caller runs and returns when they are on the disk, if that is
  /// likely to be quick: nothing is being written and the last write was.
  ///
  /// - Returns: nil when it is not, and then nothing was done: ask `commit`.
  package func commitAtOnce(_ records: [Record]) -> Result<Void, StoreError>? {
    dispatchPrecondition(condition: .notOnQueue(queue))
    let isQuick = pending.withLock { $0.jobs == 0 && $0.lastWrite <= Limits.quickWrite }
    guard isQuick else { return nil }
    let outcome = queue.sync { write(records) }
    // Moving the log into the file takes longer, and nobody waits for it.
    if database.withLock({ $0.isCheckpointDue }) { inBackground { self.checkpointIfDue() } }
    return outcome
  }

  private func inBackground(_ job: @escaping @Sendable () -> Void) {
    pending.withLock { $0.jobs += 1 }
    queue.async {
      job()
      self.pending.withLock { $0.jobs -= 1 }
    }
  }

  /// Writes the records and returns after they are on the disk; for start-up and tools.
  ///
  /// Calls of `commit` made before are written first. Never to be called by a completion.
  package func commitNow(_ records: [Record]) throws(StoreError) {
    dispatchPrecondition(condition: .notOnQueue(queue))
    try queue.sync {
      drain()
      defer { checkpointIfDue() }
      return write(records)
    }.get()
  }

  /// Returns the rows of a collection whose key starts with `prefix`, in the order of their keys.
  ///
  /// Calls of `commit` made before are written first. Never to be called by a completion.
  package func load(
    collection: Int, prefix: [UInt8] = []
  ) throws(StoreError) -> [StoredRow] {
    dispatchPrecondition(condition: .notOnQueue(queue))
    return try queue.sync {
      drain()
      return database.withLock { database in
        Result { () throws(StoreError) in
          try database.rows(collection: collection, prefix: prefix)
        }
      }
    }.get()
  }

  /// Returns after every call of `commit` made before has been written or has failed.
  package func flush() {
    dispatchPrecondition(condition: .notOnQueue(queue))
    queue.sync { drain() }
  }

  /// Writes what waits and moves the log into the database file, for the end of a node.
  ///
  /// Who copies `tabletalk.db` alone then has everything. What cannot be moved, on a full disk for
  /// example, stays in the log and is safe there. Never to be called by a completion.
  package func finish() {
    dispatchPrecondition(condition: .notOnQueue(queue))
    queue.sync {
      drain()
      database.withLock { $0.checkpoint() }
    }
  }

  /// Writes all that waits, one transaction for as many calls as fit into one.
  private func drain() {
    while true {
      let calls = nextCalls()
      if calls.isEmpty { break }
      let accepted = calls.filter { $0.refusal == nil }
      let outcome = accepted.isEmpty ? .success(()) : write(accepted.flatMap(\.records))
      for call in calls {
        if let refusal = call.refusal {
          call.completion(.failure(refusal))
        } else {
          call.completion(outcome)
        }
      }
      checkpointIfDue()
    }
  }

  private func nextCalls() -> [Waiting] {
    pending.withLock { pending in
      var count = 0
      var bytes = 0
      for call in pending.calls {
        bytes += call.size
        if count > 0, bytes > Limits.transactionBytes { break }
        count += 1
      }
      let calls = Array(pending.calls.prefix(count))
      pending.calls.removeFirst(count)
      pending.bytes -= calls.reduce(0) { $0 + $1.size }
      return calls
    }
  }

  private func write(_ records: [Record]) -> Result<Void, StoreError> {
    let start = DispatchTime.now().uptimeNanoseconds
    defer {
      let span = DispatchTime.now().uptimeNanoseconds - start
      pending.withLock { $0.lastWrite = span }
    }
    return database.withLock { database in
      Result { () throws(StoreError) in try database.write(records) }
    }
  }

  private func checkpointIfDue() {
    database.withLock { $0.checkpointIfDue() }
  }
}
