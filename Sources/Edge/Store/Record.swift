/// One change to the stored rows; a list of them is committed whole or not at all.
package enum Record: Equatable, Sendable {
  /// Stores `value` under `key`, replacing what was there.
  case put(collection: Int, key: [UInt8], value: [UInt8])
  /// Removes the row under `key`, if there is one.
  case delete(collection: Int, key: [UInt8])
  /// Removes every row whose key starts with `keyPrefix`; an empty prefix empties the collection.
  case deletePrefix(collection: Int, keyPrefix: [UInt8])

  /// What the record costs while it waits for the disk, in bytes.
  var size: Int {
    let overhead = 64
    return switch self {
    case .put(_, let key, let value): overhead + key.count + value.count
    case .delete(_, let key): overhead + key.count
    case .deletePrefix(_, let keyPrefix): overhead + keyPrefix.count
    }
  }
}

/// One row as it was read.
package struct StoredRow: Equatable, Sendable {
  /// The key it is stored under; rows of a collection are ordered by it, byte by byte.
  package let key: [UInt8]
  /// What was stored.
  package let value: [UInt8]
  /// Whether it is as it was written; false where the disk has changed a bit of it.
  package var isWhole = true
}

/// Returns the smallest key above every key that starts with `prefix`; nil when there is none.
func keyAfter(prefix: [UInt8]) -> [UInt8]? {
  var bound = prefix
  while let last = bound.popLast() {
    if last < 0xff { return bound + [last + 1] }
  }
  return nil
}
