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

  /// The signature with this key moved by a factor (`Alias`), over exactly these bytes.
  ///
  /// RFC 8032, section 5.1.6, with the scalar `a + factor` and the public key `alias` that belongs to it. The
  /// number used once is BLAKE2b keyed with the seed over the alias and the message, so that it repeats for no
  /// other message and is none that the key itself uses.
  func sign(_ message: [UInt8], as alias: PublicKey, movedBy factor: [UInt8]) -> Signature {
    invariant(factor.count == 32, "a factor of \(factor.count) bytes")
    let scalar = SecretBytes(count: 32) { memory in
      // What libsodium gives out as the X25519 secret is the scalar of the key.
      secretKey.withPointer { _ = crypto_sign_ed25519_sk_to_curve25519(memory, $0) }
      crypto_core_ed25519_scalar_add(memory, memory, factor)
    }
    let text = Array("tabletalk/1 alias nonce".utf8) + alias.bytes + message
    let wide = SecretBytes(count: 64) { memory in
      seed.withPointer { seed in
        _ = crypto_generichash(memory, 64, text, UInt64(text.count), seed, Self.seedBytes)
      }
    }
    let once = SecretBytes(count: 32) { memory in
      wide.withPointer { crypto_core_ed25519_scalar_reduce(memory, $0) }
    }
    var point = [UInt8](repeating: 0, count: 32)
    let result = once.withPointer { crypto_scalarmult_ed25519_base_noclamp(&point, $0) }
    invariant(result == 0, "a number used once is zero")
    let bound = point + alias.bytes + message
    var hash = [UInt8](repeating: 0, count: 64)
    crypto_hash_sha512(&hash, bound, UInt64(bound.count))
    var challenge = [UInt8](repeating: 0, count: 32)
    crypto_core_ed25519_scalar_reduce(&challenge, hash)
    let product = SecretBytes(count: 32) { memory in
      scalar.withPointer { crypto_core_ed25519_scalar_mul(memory, challenge, $0) }
    }
    var answer = [UInt8](repeating: 0, count: 32)
    product.withPointer { product in
      once.withPointer { crypto_core_ed25519_scalar_add(&answer, product, $0) }
    }
    guard let signature = Signature(point + answer) else {
      fatalError("invariant broken: a signature of \(point.count + answer.count) bytes")
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
