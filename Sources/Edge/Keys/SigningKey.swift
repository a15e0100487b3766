import CSodium
package import Wire

/// An Ed25519 key pair (RFC 8032); the secret half never leaves this object.
package final class SigningKey: Sendable {
  /// An Ed25519 seed is 32 bytes; the pair follows from it.
  package static let seedBytes = 32
  private static let secretKeyBytes = 64

  /// The public half.
  package let publicKey: PublicKey
  private let seed: SecretBytes
  private let secretKey: SecretBytes

  /// Computes the pair that belongs to a seed of 32 bytes.
  package init(seed: consuming SecretBytes) {
    invariant(seed.count == Self.seedBytes, "an Ed25519 seed of \(seed.count) bytes")
    var publicBytes = [UInt8](repeating: 0, count: 32)
    secretKey = SecretBytes(count: Self.secretKeyBytes) { memory in
      seed.withPointer { seed in
        _ = crypto_sign_seed_keypair(&publicBytes, memory, seed)
      }
    }
    guard let publicKey = PublicKey(publicBytes) else {
      fatalError("invariant broken: a public key of \(publicBytes.count) bytes")
    }
    self.publicKey = publicKey
    self.seed = seed
  }

  /// Makes a pair from fresh random bytes.
  package static func random() -> SigningKey {
    SigningKey(seed: .random(count: seedBytes))
  }

  /// The signature over exactly these bytes.
  package func sign(_ message: [UInt8]) -> Signature {
    var bytes = [UInt8](repeating: 0, count: 64)
    secretKey.withPointer { key in
      _ = crypto_sign_detached(&bytes, nil, message, UInt64(message.count), key)
    }
    guard let signature = Signature(bytes) else {
      fatalError("invariant broken: a signature of \(bytes.count) bytes")
    }
    return signature
  }

  /// Lends the seed to `body`, to be stored.
  func withSeed<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
    seed.withBytes(body)
  }

  /// A secret of 32 bytes that follows from the seed and a purpose (BLAKE2b keyed with the seed).
  ///
  /// One purpose tells nothing about another, nor about the seed.
  func derive(_ purpose: String) -> SecretBytes {
    let text = Array(purpose.utf8)
    return SecretBytes(count: 32) { memory in
      seed.withPointer { seed in
        _ = crypto_generichash(memory, 32, text, UInt64(text.count), seed, Self.seedBytes)
      }
    }
  }
}
