import CSodium
import Keys

/// BLAKE2b as the Noise specification uses it (section 12.8): 64 bytes out, blocks of 128.
///
/// One-shot calls only: the streaming state of libsodium is over-aligned and Swift does not
/// import it. All inputs here are small.
enum Blake2b {
  static let hashBytes = 64
  static let blockBytes = 128

  /// The hash of two runs of bytes put together.
  static func hash(_ first: some Collection<UInt8>, _ second: some Collection<UInt8>) -> [UInt8] {
    let input = Array(first) + Array(second)
    var output = [UInt8](repeating: 0, count: hashBytes)
    _ = crypto_generichash(&output, hashBytes, input, UInt64(input.count), nil, 0)
    return output
  }

  /// HMAC (RFC 2104) with a key of at most one block; the result is secret.
  static func hmac(
    key: borrowing SecretBytes, _ message: UnsafeBufferPointer<UInt8>, _ last: UInt8? = nil
  ) -> SecretBytes {
    let messageCount = message.count + (last == nil ? 0 : 1)
    let inner = SecretBytes(count: blockBytes + messageCount) { memory in
      pad(memory, with: key, 0x36)
      for (offset, byte) in message.enumerated() { memory[blockBytes + offset] = byte }
      if let last { memory[blockBytes + message.count] = last }
    }
    let innerHash = hash(secret: inner)
    let outer = SecretBytes(count: blockBytes + hashBytes) { memory in
      pad(memory, with: key, 0x5c)
      innerHash.withBytes { bytes in
        for (offset, byte) in bytes.enumerated() { memory[blockBytes + offset] = byte }
      }
    }
    return hash(secret: outer)
  }

  /// The first two outputs of HKDF (Noise specification, section 4.3).
  static func derive(
    from chainingKey: borrowing SecretBytes, _ input: UnsafeBufferPointer<UInt8>
  ) -> KeyPairOutput {
    let temporary = hmac(key: chainingKey, input)
    let first = hmac(key: temporary, UnsafeBufferPointer(start: nil, count: 0), 0x01)
    let second = first.withBytes { bytes in hmac(key: temporary, bytes, 0x02) }
    return KeyPairOutput(first: first, second: second)
  }

  /// What `derive` returns: two secrets of 64 bytes.
  struct KeyPairOutput: ~Copyable {
    let first: SecretBytes
    let second: SecretBytes
  }

  private static func pad(
    _ memory: UnsafeMutablePointer<UInt8>, with key: borrowing SecretBytes, _ filler: UInt8
  ) {
    for offset in 0..<blockBytes { memory[offset] = filler }
    key.withBytes { bytes in
      for (offset, byte) in bytes.enumerated() { memory[offset] = byte ^ filler }
    }
  }

  private static func hash(secret: borrowing SecretBytes) -> SecretBytes {
    SecretBytes(count: hashBytes) { memory in
      secret.withBytes { bytes in
        _ = crypto_generichash(
          memory, hashBytes, bytes.baseAddress, UInt64(bytes.count), nil, 0)
      }
    }
  }
}
