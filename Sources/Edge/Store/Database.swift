import CSQLite

/// The rows on disk, used by one caller at a time; `Store` sees to that.
///
/// One commit costs one `fdatasync` of the write-ahead log, which needs three things: the lock is
/// held for good (no shared memory file, no locking per transaction), the log outlives its
/// checkpoints and the process, and it has its full size from the start, because growing a file
/// makes the file system write its own journal in each sync.
struct Database: ~Copyable {
  /// Whether the file was made by this opening; a caller who knows better has lost its log.
  let wasCreated: Bool

  /// The open file.
  let connection: Connection
  private let put: Statement
  private let delete: Statement
  private let deleteRange: Statement
  private let deleteFrom: Statement
  private let selectRange: Statement
  private let selectFrom: Statement
  /// The error after which nothing is written any more.
  private var lastingError: StoreError?

  /// Opens `tabletalk.db` in a folder, or makes it.
  ///
  /// - Parameters:
  ///   - path: the database file.
  ///   - pageLimit: the most pages of 4 KiB the file may have; nil for SQLite's own limit.
  /// - Throws: as `Store.init`.
  init(path: String, pageLimit: Int?) throws(StoreError) {
    try createPrivateFile(at: path)
    // Everything fallible before the first property is set, as a value that cannot be copied wants.
    let connection = try Connection(path: path)
    // Before anything is read: only then is the log's index kept in memory, without a file.
    try connection.execute("PRAGMA locking_mode = EXCLUSIVE")
    let mode = try connection.text("PRAGMA journal_mode = WAL")
    guard mode == "wal" else { throw .damaged(reason: "journal mode stays \(mode)") }
    try connection.keepWriteAheadLog()
    try connection.execute("PRAGMA synchronous = FULL")
    // Without these a sync on macOS stops at the drive's own cache; elsewhere they do nothing.
    try connection.execute("PRAGMA fullfsync = ON")
    try connection.execute("PRAGMA checkpoint_fullfsync = ON")
    // Stored bytes come from peers; a damaged schema must not run anything.
    try connection.execute("PRAGMA trusted_schema = OFF")

    let verdict = try connection.text("PRAGMA quick_check(1)")
    guard verdict == "ok" else { throw .damaged(reason: verdict) }
    let version = try Schema.versionFound(in: connection)
    // Before the layout, so that a file whose making was cut short still counts as new.
    if version == 0 { try Self.growWriteAheadLog(of: connection) }
    try Schema.migrate(connection, from: version)
    if let pageLimit { try connection.execute("PRAGMA max_page_count = \(pageLimit)") }

    let put = try Statement(
      """
      INSERT INTO records (collection, key, value, checksum) VALUES (?1, ?2, ?3, ?4)
      ON CONFLICT (collection, key)
      DO UPDATE SET value = excluded.value, checksum = excluded.checksum
      """, in: connection.handle)
    let delete = try Statement(
      "DELETE FROM records WHERE collection = ?1 AND key = ?2", in: connection.handle)
    let deleteRange = try Statement(
      "DELETE FROM records WHERE collection = ?1 AND key >= ?2 AND key < ?3",
      in: connection.handle)
    let deleteFrom = try Statement(
      "DELETE FROM records WHERE collection = ?1 AND key >= ?2", in: connection.handle)
    let selectRange = try Statement(
      """
      SELECT key, value, checksum FROM records
      WHERE collection = ?1 AND key >= ?2 AND key < ?3 ORDER BY key
      """, in: connection.handle)
    let selectFrom = try Statement(
      """
      SELECT key, value, checksum FROM records WHERE collection = ?1 AND key >= ?2 ORDER BY key
      """, in: connection.handle)

    wasCreated = version == 0
    self.connection = connection
    self.put = put
    self.delete = delete
    self.deleteRange = deleteRange
    self.deleteFrom = deleteFrom
    self.selectRange = selectRange
    self.selectFrom = selectFrom
  }

  /// Returns the rows of a collection whose key starts with `prefix`, in the order of their keys.
  func rows(collection: Int, prefix: [UInt8]) throws(StoreError) -> [StoredRow] {
    guard let bound = keyAfter(prefix: prefix) else {
      return try Self.rows(of: selectFrom, collection, prefix, nil)
    }
    return try Self.rows(of: selectRange, collection, prefix, bound)
  }

  /// Writes the records in one transaction and returns after they are on the disk.
  ///
  /// - Throws: why nothing of it was written, or may have been (`.io`).
  mutating func write(_ records: [Record]) throws(StoreError) {
    if let lastingError { throw lastingError }
    do throws(StoreError) {
      try connection.execute("BEGIN IMMEDIATE")
      for record in records { try apply(record) }
      try connection.execute("COMMIT")
    } catch {
      // Some failures have rolled back already, and then this one is refused: no harm.
      sqlite3_exec(connection.handle, "ROLLBACK", nil, nil, nil)
      if error.isLasting { lastingError = error }
      throw error
    }
  }

  /// Moves what the log holds into the database file once the log is as long as its file.
  ///
  /// `Store` asks for it between batches, after those who wait for a commit have been told.
  mutating func checkpointIfDue() {
    if isCheckpointDue { checkpoint() }
  }

  /// The log is as long as its file.
  var isCheckpointDue: Bool { connection.framesInLog >= Self.checkpointFrames }

  /// Moves what the log holds into the database file.
  ///
  /// A full disk is no failure here: the log keeps all of it and goes on.
  mutating func checkpoint() {
    guard lastingError == nil else { return }
    let code = sqlite3_wal_checkpoint_v2(
      connection.handle, "main", SQLITE_CHECKPOINT_PASSIVE, nil, nil)
    guard code != SQLITE_OK else { return }
    let error = failure(of: connection.handle)
    if error.isLasting { lastingError = error }
  }

  private func apply(_ record: Record) throws(StoreError) {
    switch record {
    case .put(let collection, let key, let value):
      defer { put.reset() }
      try put.bind(collection, at: 1)
      try put.bind(key, at: 2)
      try put.bind(value, at: 3)
      try put.bind(Checksum.of(key: key, value: value), at: 4)
      _ = try put.step()
    case .delete(let collection, let key):
      defer { delete.reset() }
      try delete.bind(collection, at: 1)
      try delete.bind(key, at: 2)
      _ = try delete.step()
    case .deletePrefix(let collection, let keyPrefix):
      guard let bound = keyAfter(prefix: keyPrefix) else {
        defer { deleteFrom.reset() }
        try deleteFrom.bind(collection, at: 1)
        try deleteFrom.bind(keyPrefix, at: 2)
        _ = try deleteFrom.step()
        return
      }
      defer { deleteRange.reset() }
      try deleteRange.bind(collection, at: 1)
      try deleteRange.bind(keyPrefix, at: 2)
      try deleteRange.bind(bound, at: 3)
      _ = try deleteRange.step()
    }
  }

  private static func rows(
    of select: borrowing Statement, _ collection: Int, _ from: [UInt8], _ bound: [UInt8]?
  ) throws(StoreError) -> [StoredRow] {
    defer { select.reset() }
    try select.bind(collection, at: 1)
    try select.bind(from, at: 2)
    if let bound { try select.bind(bound, at: 3) }
    var rows: [StoredRow] = []
    while try select.step() {
      let (key, value) = (select.bytes(inColumn: 0), select.bytes(inColumn: 1))
      let isWhole =
        select.isNull(inColumn: 2)
        || select.integer(inColumn: 2) == Checksum.of(key: key, value: value)
      rows.append(StoredRow(key: key, value: value, isWhole: isWhole))
    }
    return rows
  }
}

// MARK: - The write-ahead log

extension Database {
  /// The length of the log's file from the start, in bytes.
  static let logBytes = 4 << 20
  /// The length of the log at which it is moved into the database file: what fits into `logBytes`,
  /// at 24 bytes above each page of 4 KiB, with room for one more batch.
  static let checkpointFrames = 960

  /// Gives the log's file its full size by writing it once.
  ///
  /// A transaction that is too large for a page cache of ten pages spills into the log before its
  /// end, and leaves the space behind when it is rolled back.
  private static func growWriteAheadLog(
    of connection: borrowing Connection
  ) throws(StoreError) {
    let cachePages = try connection.integer("PRAGMA cache_size")
    try connection.execute("PRAGMA cache_size = 10")
    try connection.execute("BEGIN IMMEDIATE")
    try connection.execute("CREATE TABLE filler (bytes BLOB)")
    try connection.execute("INSERT INTO filler VALUES (zeroblob(\(logBytes + (256 << 10))))")
    try connection.execute("ROLLBACK")
    try connection.execute("PRAGMA cache_size = \(cachePages)")
  }
}
