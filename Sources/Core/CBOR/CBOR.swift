/// One data item of RFC 8949, as far as deterministic encoding (section 4.2.1) allows it.
///
/// Two items are equal when their encodings are equal: text is compared byte by byte, never by
/// Unicode equivalence, so that "é" composed and decomposed stay two different texts.
package enum CBOR: Sendable {
  /// Major type 0.
  case unsigned(UInt64)
  /// Major type 1: the value is `-1 - n`.
  case negative(UInt64)
  /// Major type 2.
  case bytes([UInt8])
  /// Major type 3, well-formed UTF-8.
  case text(String)
  /// Major type 4.
  case array([CBOR])
  /// Major type 5; the encoder sorts the pairs, the decoder refuses unsorted ones.
  case map([Pair])
  /// Major type 6.
  indirect case tagged(UInt64, CBOR)
  /// Major type 7 without content: false 20, true 21, null 22, undefined 23 and unassigned ones.
  case simple(UInt8)
  /// Major type 7 with a floating-point number, kept as bits.
  case float(FloatBits)

  /// A key and its value in a map.
  package struct Pair: Sendable, Equatable {
    package let key: CBOR
    package let value: CBOR

    /// Pairs a key with a value.
    package init(_ key: CBOR, _ value: CBOR) {
      self.key = key
      self.value = value
    }
  }

  /// A truth value.
  package static func bool(_ value: Bool) -> CBOR { .simple(value ? 21 : 20) }
  /// The null value.
  package static let null = CBOR.simple(22)
}

extension CBOR: Equatable {
  package static func == (left: CBOR, right: CBOR) -> Bool {
    switch (left, right) {
    case (.unsigned(let a), .unsigned(let b)), (.negative(let a), .negative(let b)): a == b
    case (.bytes(let a), .bytes(let b)): a == b
    case (.text(let a), .text(let b)): a.utf8.elementsEqual(b.utf8)
    case (.array(let a), .array(let b)): a == b
    case (.map(let a), .map(let b)): a == b
    case (.tagged(let a, let x), .tagged(let b, let y)): a == b && x == y
    case (.simple(let a), .simple(let b)): a == b
    case (.float(let a), .float(let b)): a == b
    default: false
    }
  }
}

extension CBOR: ExpressibleByIntegerLiteral, ExpressibleByStringLiteral, ExpressibleByArrayLiteral {
  /// A whole number.
  package init(integerLiteral value: Int) { self.init(value) }
  /// A text.
  package init(stringLiteral value: String) { self = .text(value) }
  /// An array of items.
  package init(arrayLiteral elements: CBOR...) { self = .array(elements) }

  /// A whole number of either sign.
  package init(_ value: some FixedWidthInteger) {
    self = value >= 0 ? .unsigned(UInt64(value)) : .negative(UInt64(-1 - Int64(value)))
  }
}
