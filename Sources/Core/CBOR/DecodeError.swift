/// Why bytes are not the one deterministic encoding of an item, or not the item that was expected.
package enum DecodeError: Error, Equatable, Sendable {
  /// The bytes end inside an item; `needed` more were announced.
  case truncated(needed: Int)
  /// Bytes follow the item.
  case trailingBytes(Int)
  /// A length, number or float is not written in its shortest form.
  case notShortest
  /// An indefinite length, which deterministic encoding forbids.
  case indefiniteLength
  /// Additional information 28 to 30, or a simple value below 32 in two bytes.
  case reserved
  /// Map keys are not in bytewise ascending order.
  case keysOutOfOrder
  /// A map key stands twice.
  case duplicateKey
  /// Text is not well-formed UTF-8.
  case invalidText
  /// Nested deeper than `CBORLimits.depth`.
  case tooDeep
  /// More items than `CBORLimits.items`.
  case tooManyItems
  /// An item of another type than the schema names.
  case unexpectedType(String)
  /// A number, length or count outside the range the schema names.
  case outOfRange(String)
  /// An array or map with another number of elements than the schema names.
  case wrongCount(String)
  /// A kind number or text nobody defined.
  case unknownKind(String)

  /// A stable name for counters and logs.
  package var code: String {
    switch self {
    case .truncated: "truncated"
    case .trailingBytes: "trailingBytes"
    case .notShortest: "notShortest"
    case .indefiniteLength: "indefiniteLength"
    case .reserved: "reserved"
    case .keysOutOfOrder: "keysOutOfOrder"
    case .duplicateKey: "duplicateKey"
    case .invalidText: "invalidText"
    case .tooDeep: "tooDeep"
    case .tooManyItems: "tooManyItems"
    case .unexpectedType: "unexpectedType"
    case .outOfRange: "outOfRange"
    case .wrongCount: "wrongCount"
    case .unknownKind: "unknownKind"
    }
  }
}

/// What a decoder spends at most on one document.
package struct CBORLimits: Sendable {
  /// Levels of nesting: a block holds a certificate holds signatures, 12 levels at the most.
  package var depth = 16
  /// Items in the whole document: a full block of 64 entries stays under 20,000.
  package var items = 100_000

  /// The limits used for everything that comes from outside.
  package static let standard = CBORLimits()
}
