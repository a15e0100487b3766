/// Typed reading: each accessor names what the schema expects and refuses anything else.
extension CBOR {
  /// The elements of an array whose number is one that the schema allows.
  ///
  /// Throws `unexpectedType` or `wrongCount`, naming `field`.
  package func array(
    _ field: String, count: ClosedRange<Int> = 0...Int.max
  ) throws(DecodeError) -> [CBOR] {
    guard case .array(let items) = self else { throw .unexpectedType(field) }
    guard count.contains(items.count) else { throw .wrongCount(field) }
    return items
  }

  /// The elements of an array of exactly `count`.
  ///
  /// Throws `unexpectedType` or `wrongCount`, naming `field`.
  package func array(_ field: String, exactly count: Int) throws(DecodeError) -> [CBOR] {
    try array(field, count: count...count)
  }

  /// A byte string.
  ///
  /// Throws `unexpectedType`, or `outOfRange` when its length is not in `count`.
  package func bytes(
    _ field: String, count: ClosedRange<Int> = 0...Int.max
  ) throws(DecodeError) -> [UInt8] {
    guard case .bytes(let bytes) = self else { throw .unexpectedType(field) }
    guard count.contains(bytes.count) else { throw .outOfRange(field) }
    return bytes
  }

  /// A text of at most `maximum` bytes of UTF-8.
  ///
  /// Throws `unexpectedType` or `outOfRange`, naming `field`.
  package func text(_ field: String, maximum: Int) throws(DecodeError) -> String {
    guard case .text(let text) = self else { throw .unexpectedType(field) }
    guard text.utf8.count <= maximum else { throw .outOfRange(field) }
    return text
  }

  /// A number of at most `maximum`.
  ///
  /// Throws `unexpectedType` or `outOfRange`, naming `field`.
  package func unsigned(_ field: String, maximum: UInt64 = .max) throws(DecodeError) -> UInt64 {
    guard case .unsigned(let n) = self else { throw .unexpectedType(field) }
    guard n <= maximum else { throw .outOfRange(field) }
    return n
  }

  /// A number in a range, as `Int`.
  ///
  /// Throws `unexpectedType` or `outOfRange`, naming `field`.
  package func int(
    _ field: String, in range: ClosedRange<Int> = 0...Int.max
  ) throws(DecodeError) -> Int {
    let n = try unsigned(field, maximum: UInt64(Int.max))
    guard range.contains(Int(n)) else { throw .outOfRange(field) }
    return Int(n)
  }

  /// A truth value.
  ///
  /// Throws `unexpectedType`, naming `field`.
  package func bool(_ field: String) throws(DecodeError) -> Bool {
    switch self {
    case .simple(20): return false
    case .simple(21): return true
    default: throw .unexpectedType(field)
    }
  }

  /// Whether this is null, the mark of an absent optional.
  package var isNull: Bool { self == .null }
}
