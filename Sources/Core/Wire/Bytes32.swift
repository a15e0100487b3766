package import CBOR

/// Thirty-two bytes, kept as four big-endian words so that comparing is cheap and lexicographic.
package struct Bytes32: Hashable, Comparable, Sendable {
  private let a: UInt64
  private let b: UInt64
  private let c: UInt64
  private let d: UInt64

  /// All zero.
  package static let zero = Bytes32(a: 0, b: 0, c: 0, d: 0)

  private init(a: UInt64, b: UInt64, c: UInt64, d: UInt64) {
    self.a = a
    self.b = b
    self.c = c
    self.d = d
  }

  /// Takes exactly 32 bytes, or returns nil.
  package init?(_ bytes: some Collection<UInt8>) {
    guard bytes.count == 32 else { return nil }
    var words: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)
    for (index, byte) in bytes.enumerated() {
      switch index / 8 {
      case 0: words.0 = words.0 << 8 | UInt64(byte)
      case 1: words.1 = words.1 << 8 | UInt64(byte)
      case 2: words.2 = words.2 << 8 | UInt64(byte)
      default: words.3 = words.3 << 8 | UInt64(byte)
      }
    }
    self.init(a: words.0, b: words.1, c: words.2, d: words.3)
  }

  /// The bytes in order.
  package var bytes: [UInt8] {
    var out: [UInt8] = []
    out.reserveCapacity(32)
    for word in [a, b, c, d] {
      for shift in stride(from: UInt64(56), through: 0, by: -8) {
        out.append(UInt8(truncatingIfNeeded: word >> shift))
      }
    }
    return out
  }

  /// The first eight bytes as a big-endian number.
  package var leadingWord: UInt64 { a }

  package static func < (left: Bytes32, right: Bytes32) -> Bool {
    (left.a, left.b, left.c, left.d) < (right.a, right.b, right.c, right.d)
  }
}

/// A named kind of thirty-two bytes, so that a key is never taken for a hash.
package protocol FixedBytes: Hashable, Comparable, Sendable, CustomStringConvertible {
  /// The bytes themselves.
  var raw: Bytes32 { get }
  /// Names the bytes.
  init(raw: Bytes32)
}

extension FixedBytes {
  /// Takes exactly 32 bytes, or returns nil.
  package init?(_ bytes: some Collection<UInt8>) {
    guard let raw = Bytes32(bytes) else { return nil }
    self.init(raw: raw)
  }

  /// Reads a byte string of length 32; throws `unexpectedType` or `outOfRange`.
  package init(_ item: CBOR, _ field: String) throws(DecodeError) {
    guard let raw = Bytes32(try item.bytes(field, count: 32...32)) else {
      throw .outOfRange(field)
    }
    self.init(raw: raw)
  }

  /// The bytes in order.
  package var bytes: [UInt8] { raw.bytes }
  /// As a CBOR byte string.
  package var cbor: CBOR { .bytes(bytes) }

  /// Sixty-four lower-case hex digits.
  package var hex: String { Hex.encode(bytes) }

  /// Reads 64 hex digits of either case, or returns nil.
  package init?(hex: String) {
    guard let bytes = Hex.decode(hex) else { return nil }
    self.init(bytes)
  }

  package var description: String { String(hex.prefix(8)) }

  package static func < (left: Self, right: Self) -> Bool { left.raw < right.raw }
}

/// A BLAKE2b-256 hash.
package struct Digest: FixedBytes {
  package let raw: Bytes32
  /// Names the bytes.
  package init(raw: Bytes32) { self.raw = raw }
  /// All zero: "no block".
  package static let zero = Digest(raw: .zero)
}

/// An Ed25519 public key (RFC 8032): an identity, a player key or a voter key.
package struct PublicKey: FixedBytes {
  package let raw: Bytes32
  /// Names the bytes.
  package init(raw: Bytes32) { self.raw = raw }
}

/// The name of a table: the hash of its genesis.
package struct TableID: FixedBytes {
  package let raw: Bytes32
  /// Names the bytes.
  package init(raw: Bytes32) { self.raw = raw }
}
