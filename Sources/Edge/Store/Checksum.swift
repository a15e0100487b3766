import CSodium

/// Tells a row whose bytes have changed on the disk from one that is as it was written.
///
/// SQLite checks its own structure and not what rows hold.
enum Checksum {
  private static let zeros = [UInt8](repeating: 0, count: Int(crypto_shorthash_KEYBYTES))

  /// SipHash-2-4 (libsodium `crypto_shorthash`, with a key of zeros) of a row's key and value, and of
  /// where the one ends.
  static func of(key: [UInt8], value: [UInt8]) -> Int {
    let length = withUnsafeBytes(of: UInt32(truncatingIfNeeded: key.count).littleEndian, Array.init)
    let input = length + key + value
    var output = [UInt8](repeating: 0, count: Int(crypto_shorthash_BYTES))
    _ = crypto_shorthash(&output, input, UInt64(input.count), zeros)
    return output.reduce(0) { $0 << 8 | Int($1) }
  }
}
