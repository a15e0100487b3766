import CSQLite

/// One prepared SQL statement, finalized when it goes out of scope.
struct Statement: ~Copyable {
  private let handle: OpaquePointer
  private let database: OpaquePointer

  /// Compiles `sql`, which is always a literal of this module.
  init(_ sql: String, in database: OpaquePointer) throws(StoreError) {
    var prepared: OpaquePointer?
    let code = sqlite3_prepare_v3(
      database, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &prepared, nil)
    guard code == SQLITE_OK, let prepared else { throw failure(of: database) }
    handle = prepared
    self.database = database
  }

  deinit { sqlite3_finalize(handle) }

  /// Binds an integer to the parameter at `index`, counted from 1.
  func bind(_ value: Int, at index: Int32) throws(StoreError) {
    guard sqlite3_bind_int64(handle, index, Int64(value)) == SQLITE_OK else {
      throw failure(of: database)
    }
  }

  /// Binds a blob to the parameter at `index`, counted from 1; SQLite keeps a copy.
  func bind(_ bytes: [UInt8], at index: Int32) throws(StoreError) {
    // The macro SQLITE_TRANSIENT, which tells SQLite to copy, is not imported: it is a cast of -1.
    let transient = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
    let code = bytes.withUnsafeBytes { buffer in
      // An empty array may have no address, and a nil address would bind NULL.
      guard let start = buffer.baseAddress, !buffer.isEmpty else {
        return sqlite3_bind_zeroblob(handle, index, 0)
      }
      return sqlite3_bind_blob64(handle, index, start, UInt64(buffer.count), transient)
    }
    guard code == SQLITE_OK else { throw failure(of: database) }
  }

  /// Runs to the next row; false at the end.
  func step() throws(StoreError) -> Bool {
    switch sqlite3_step(handle) {
    case SQLITE_ROW: return true
    case SQLITE_DONE: return false
    default: throw failure(of: database)
    }
  }

  /// Makes the statement ready to run again and lets go of what was bound.
  func reset() {
    sqlite3_reset(handle)
    sqlite3_clear_bindings(handle)
  }

  /// Returns the blob in a column of the current row.
  func bytes(inColumn column: Int32) -> [UInt8] {
    let count = Int(sqlite3_column_bytes(handle, column))
    guard count > 0, let start = sqlite3_column_blob(handle, column) else { return [] }
    return [UInt8](UnsafeRawBufferPointer(start: start, count: count))
  }

  /// Returns the integer in a column of the current row.
  func integer(inColumn column: Int32) -> Int {
    Int(sqlite3_column_int64(handle, column))
  }

  /// Whether a column of the current row holds nothing.
  func isNull(inColumn column: Int32) -> Bool {
    sqlite3_column_type(handle, column) == SQLITE_NULL
  }

  /// Returns the text in a column of the current row.
  func text(inColumn column: Int32) -> String {
    guard let text = sqlite3_column_text(handle, column) else { return "" }
    return String(cString: text)
  }
}

/// Names the last failure of a connection.
func failure(of database: OpaquePointer) -> StoreError {
  StoreError(
    resultCode: sqlite3_extended_errcode(database),
    reason: String(cString: sqlite3_errmsg(database)))
}
