package import CBOR
internal import CSodium

/// An Ed25519 signature (RFC 8032), 64 bytes.
package struct Signature: Hashable, Sendable {
  package let bytes: [UInt8]

  /// Takes exactly 64 bytes, or returns nil.
  package init?(_ bytes: [UInt8]) {
    guard bytes.count == 64 else { return nil }
    self.bytes = bytes
  }

  /// Reads a byte string of length 64; throws `unexpectedType` or `outOfRange`.
  package init(_ item: CBOR, _ field: String) throws(DecodeError) {
    bytes = try item.bytes(field, count: 64...64)
  }

  /// As a CBOR byte string.
  package var cbor: CBOR { .bytes(bytes) }
}

/// A public key and its signature over something known from the context.
package struct KeySignature: Hashable, Sendable, Comparable {
  package let key: PublicKey
  package let signature: Signature

  /// Pairs a key with its signature.
  package init(_ key: PublicKey, _ signature: Signature) {
    self.key = key
    self.signature = signature
  }

  /// Reads `[key, signature]`.
  package init(_ item: CBOR, _ field: String) throws(DecodeError) {
    let parts = try item.array(field, exactly: 2)
    self.init(try PublicKey(parts[0], field), try Signature(parts[1], field))
  }

  /// As `[key, signature]`.
  package var cbor: CBOR { [key.cbor, signature.cbor] }

  package static func < (left: KeySignature, right: KeySignature) -> Bool { left.key < right.key }

  /// Reads a list in strictly ascending order of keys, at most `maximum` long.
  package static func list(
    _ item: CBOR, _ field: String, maximum: Int
  ) throws(DecodeError) -> [KeySignature] {
    var out: [KeySignature] = []
    for part in try item.array(field, count: 0...maximum) {
      let next = try KeySignature(part, field)
      if let last = out.last, last.key >= next.key { throw .outOfRange(field) }
      out.append(next)
    }
    return out
  }
}

/// Judges signatures; the real one is `Ed25519`, a simulation may use a cheaper one.
package protocol SignatureChecking: Sendable {
  /// Whether `signature` is the key's over exactly these bytes.
  func accepts(_ signature: Signature, over bytes: [UInt8], by key: PublicKey) -> Bool
}

/// Takes signatures that the keys of this laptop have just made, without computing them once more.
///
/// Only for what comes from one's own keys: what others signed goes through `Ed25519`.
package struct OwnKeys: SignatureChecking {
  /// Makes the checker; it keeps nothing.
  package init() {}

  package func accepts(_ signature: Signature, over bytes: [UInt8], by key: PublicKey) -> Bool {
    true
  }
}

/// Ed25519 as libsodium verifies it: strict about non-canonical and small-order input.
package struct Ed25519: SignatureChecking {
  /// Makes the checker; it keeps nothing.
  package init() {}

  package func accepts(_ signature: Signature, over bytes: [UInt8], by key: PublicKey) -> Bool {
    crypto_sign_verify_detached(signature.bytes, bytes, UInt64(bytes.count), key.bytes) == 0
  }
}
