import CSodium
import Wire

/// An X25519 key pair for links; the secret half never leaves this object.
///
/// A class so that every handshake of a node shares one secret instead of copying it.
package final class LinkKeyPair: Sendable {
  /// X25519 keys and shared points are 32 bytes.
  package static let keyBytes = 32

  /// The public half, 32 bytes.
  package let publicKey: [UInt8]
  private let secret: SecretBytes

  /// Takes the 32 secret bytes and computes the public half.
  package init(secret: consuming SecretBytes) {
    invariant(secret.count == Self.keyBytes, "an X25519 secret of \(secret.count) bytes")
    var publicKey = [UInt8](repeating: 0, count: Self.keyBytes)
    secret.withPointer { secret in _ = crypto_scalarmult_base(&publicKey, secret) }
    self.publicKey = publicKey
    self.secret = secret
  }

  /// Makes a pair from fresh random bytes.
  package static func random() -> LinkKeyPair {
    LinkKeyPair(secret: .random(count: keyBytes))
  }

  /// The point shared with `remote`, or nil when `remote` is a point of low order.
  ///
  /// A point of low order gives the same result for every secret (RFC 7748 section 6.1), so it
  /// proves nothing about who is at the other end.
  package func sharedSecret(with remote: [UInt8]) -> SecretBytes? {
    guard remote.count == Self.keyBytes else { return nil }
    var isUsable = false
    let shared = SecretBytes(count: Self.keyBytes) { memory in
      secret.withPointer { mine in
        isUsable = crypto_scalarmult(memory, mine, remote) == 0
      }
    }
    guard isUsable else { return nil }
    return shared
  }
}
