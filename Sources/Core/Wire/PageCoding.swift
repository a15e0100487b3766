/// How values look in the JSON that the page reads (Protocol/local-api-state.md).
///
/// Nothing that is signed passes here.

extension FixedBytes {
  /// As 64 lower-case hex digits.
  package func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(hex)
  }
}

extension Digest: Encodable {}
extension PublicKey: Encodable {}
extension TableID: Encodable {}

extension PublicKey {
  private static let letters = Array("0123456789abcdefghjkmnpqrstvwxyz")

  /// Four characters that tell two people of one name apart: 20 bits in Crockford's base 32.
  package var tag: String {
    let bits = raw.leadingWord >> 44
    return String(
      stride(from: UInt64(15), through: 0, by: -5).map { shift in
        PublicKey.letters[Int(bits >> shift & 31)]
      })
  }
}

/// A field that is written as null when it is absent, where plain optionals leave out the key.
@propertyWrapper
package struct OrNull<Value: Encodable & Sendable & Hashable>: Encodable, Sendable, Hashable {
  package var wrappedValue: Value?

  /// Wraps a value, or nothing.
  package init(wrappedValue: Value?) { self.wrappedValue = wrappedValue }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    if let wrappedValue { try container.encode(wrappedValue) } else { try container.encodeNil() }
  }
}
