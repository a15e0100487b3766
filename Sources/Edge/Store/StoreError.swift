import CSQLite

/// Why the store cannot be opened, read or written.
///
/// The cases differ in what is to be done: free some space, restart, choose another folder, or count
/// the log as lost. Anything SQLite reports that has no case of its own is `.io`.
package enum StoreError: Error, Equatable, Sendable {
  /// The file is not a database of ours, or fails SQLite's own check; what it held is lost.
  case damaged(reason: String)
  /// Another connection, here or in another process, holds the database.
  case locked
  /// A newer program wrote the database, with this schema version.
  case newer(version: Int)
  /// The disk is full; nothing was written, and later commits may succeed.
  case full
  /// Reading, writing or syncing failed with this extended SQLite result code; no commit succeeds
  /// until the store is opened again.
  case io(code: Int32)
  /// The file system does not let us write.
  case readOnly
  /// More bytes wait for the disk than `Store.Limits.pendingBytes`; nothing was written.
  case overloaded

  /// The stable name of the case, for the page and the log.
  package var code: String {
    switch self {
    case .damaged: "storeDamaged"
    case .locked: "storeLocked"
    case .newer: "storeNewer"
    case .full: "diskFull"
    case .io: "diskFailed"
    case .readOnly: "diskReadOnly"
    case .overloaded: "storeOverloaded"
    }
  }

  /// One sentence for people that says what to do next.
  package var message: String {
    switch self {
    case .damaged:
      "The saved games cannot be read; move tabletalk.db out of the data folder and start again."
    case .locked: "Another program uses the data folder; end it or choose another with --data."
    case .newer: "A newer Tabletalk wrote the data folder; start that one, or use another folder."
    case .full: "The disk is full; free some space, then start Tabletalk again."
    case .io: "The disk reported an error; check it, then start Tabletalk again."
    case .readOnly: "The data folder cannot be written; choose another with --data."
    case .overloaded: "The disk does not keep up; start Tabletalk again when it is less busy."
    }
  }

  /// Whether no commit may succeed after this error until the store is opened again.
  ///
  /// After a failed write or sync the kernel may have dropped the page it could not write, so that
  /// a later sync succeeds without it. Only reading the file anew tells what it holds.
  var isLasting: Bool {
    switch self {
    case .io, .damaged: true
    case .locked, .newer, .full, .readOnly, .overloaded: false
    }
  }

  /// Names the failure that an SQLite call reported.
  init(resultCode code: Int32, reason: @autoclosure () -> String) {
    switch code & 0xff {
    case SQLITE_CORRUPT, SQLITE_NOTADB: self = .damaged(reason: reason())
    case SQLITE_BUSY, SQLITE_LOCKED: self = .locked
    case SQLITE_FULL: self = .full
    case SQLITE_READONLY: self = .readOnly
    default: self = .io(code: code)
    }
  }
}
