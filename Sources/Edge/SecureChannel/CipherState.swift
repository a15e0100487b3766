import CSodium
import Keys
import Wire

/// A ChaCha20-Poly1305 key and its counter (Noise specification, sections 5.1 and 12.3).
struct CipherState: ~Copyable {
  /// Every ciphertext is longer than its plaintext by the tag.
  static let tagBytes = 16
  static let keyBytes = 32

  private let key: SecretBytes
  private var counter: UInt64

  /// Takes a key of 32 bytes; the counter starts at zero.
  init(key: consuming SecretBytes) {
    self.init(key: key, counter: 0)
  }

  /// Starts at a given counter, which only the tests of its end need.
  init(key: consuming SecretBytes, counter: UInt64) {
    invariant(key.count == Self.keyBytes, "a cipher key of \(key.count) bytes")
    self.key = key
    self.counter = counter
  }

  /// Takes the first 32 bytes of `secret` as the key, as Noise does with 64-byte hashes.
  init(truncating secret: borrowing SecretBytes) {
    self.init(key: secret.withBytes { SecretBytes(copying: $0.prefix(Self.keyBytes)) })
  }

  /// Encrypts `plaintext` and appends ciphertext and tag to `output`.
  mutating func encrypt(
    _ plaintext: ArraySlice<UInt8>, authenticating associated: [UInt8],
    appendingTo output: inout [UInt8]
  ) throws(ChannelError) {
    let nonce = try nextNonce()
    let start = output.count
    let sealedCount = plaintext.count + Self.tagBytes
    output += [UInt8](repeating: 0, count: sealedCount)
    key.withPointer { key in
      output.withUnsafeMutableBufferPointer { memory in
        plaintext.withUnsafeBufferPointer { plain in
          guard let sealed = memory.baseAddress else { return }
          _ = crypto_aead_chacha20poly1305_ietf_encrypt(
            sealed + start, nil, plain.baseAddress, UInt64(plain.count),
            associated, UInt64(associated.count), nil, nonce, key)
        }
      }
    }
  }

  /// Decrypts `sealed`, which is ciphertext and tag.
  mutating func decrypt(
    _ sealed: ArraySlice<UInt8>, authenticating associated: [UInt8]
  ) throws(ChannelError) -> [UInt8] {
    guard sealed.count >= Self.tagBytes else { throw .notAuthentic }
    let nonce = try nextNonce()
    let plainCount = sealed.count - Self.tagBytes
    var isAuthentic = false
    let plain = [UInt8](unsafeUninitializedCapacity: plainCount) { memory, count in
      key.withPointer { key in
        sealed.withUnsafeBufferPointer { sealed in
          guard let start = sealed.baseAddress else { return }
          isAuthentic =
            crypto_aead_chacha20poly1305_ietf_decrypt(
              memory.baseAddress, nil, nil, start, UInt64(sealed.count),
              associated, UInt64(associated.count), nonce, key) == 0
        }
      }
      count = isAuthentic ? plainCount : 0
    }
    guard isAuthentic else { throw .notAuthentic }
    return plain
  }

  /// Four zero bytes and the counter, little-endian; the last counter value is reserved.
  private mutating func nextNonce() throws(ChannelError) -> [UInt8] {
    guard counter != .max else { throw .exhausted }
    defer { counter += 1 }
    return [0, 0, 0, 0] + (0..<8).map { UInt8(truncatingIfNeeded: counter >> ($0 * 8)) }
  }
}
