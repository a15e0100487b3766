import CSQLite

/// An open SQLite database, closed when it goes out of scope.
struct Connection: ~Copyable {
  /// The handle for SQLite's functions.
  let handle: OpaquePointer
  /// Where SQLite's hook leaves the length of the write-ahead log after each commit.
  private let logLength: UnsafeMutablePointer<Int32>

  /// Opens the file at `path`, which must exist.
  init(path: String) throws(StoreError) {
    var opened: OpaquePointer?
    let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
    let code = sqlite3_open_v2(path, &opened, flags, nil)
    guard code == SQLITE_OK, let opened else {
      let error = StoreError(resultCode: code, reason: String(cString: sqlite3_errstr(code)))
      sqlite3_close_v2(opened)
      throw error
    }
    handle = opened
    logLength = .allocate(capacity: 1)
    logLength.initialize(to: 0)
    // The hook takes the place of SQLite's automatic checkpoint, which runs inside the commit.
    sqlite3_wal_hook(
      opened,
      { context, _, _, frames in
        context?.assumingMemoryBound(to: Int32.self).pointee = frames
        return SQLITE_OK
      }, logLength)
  }

  // The statements of a `Database` may be finalized after this: version 2 waits for them.
  deinit {
    sqlite3_close_v2(handle)
    logLength.deallocate()
  }

  /// How many pages the write-ahead log held after the last commit.
  var framesInLog: Int { Int(logLength.pointee) }

  /// Runs one statement that takes no parameters and whose rows do not matter.
  func execute(_ sql: String) throws(StoreError) {
    guard sqlite3_exec(handle, sql, nil, nil, nil) == SQLITE_OK else {
      throw failure(of: handle)
    }
  }

  /// Returns the integer a query answers with; 0 when it has no row.
  func integer(_ sql: String) throws(StoreError) -> Int {
    let statement = try Statement(sql, in: handle)
    return try statement.step() ? statement.integer(inColumn: 0) : 0
  }

  /// Returns the text a query answers with; empty when it has no row.
  func text(_ sql: String) throws(StoreError) -> String {
    let statement = try Statement(sql, in: handle)
    return try statement.step() ? statement.text(inColumn: 0) : ""
  }

  /// Keeps the write-ahead log's file, and so its space on disk, when the database is closed.
  func keepWriteAheadLog() throws(StoreError) {
    var keep: Int32 = 1
    let code = sqlite3_file_control(handle, "main", SQLITE_FCNTL_PERSIST_WAL, &keep)
    guard code == SQLITE_OK else {
      throw StoreError(resultCode: code, reason: String(cString: sqlite3_errstr(code)))
    }
  }
}
