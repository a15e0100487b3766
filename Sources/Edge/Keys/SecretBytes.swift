import CSodium

/// A fixed run of secret bytes that is wiped when its only owner lets go of it.
///
/// The memory comes from `sodium_malloc`: kept out of swap and core dumps where the system allows
/// it, fenced by guard pages, zeroed by `sodium_free`. A secret cannot be copied by accident;
/// `copy()` says so where it is meant.
package struct SecretBytes: ~Copyable, @unchecked Sendable {
  // Unchecked: the memory has one owner and is never written after `init` returns.
  private let start: UnsafeMutablePointer<UInt8>

  /// How many bytes there are.
  package let count: Int

  /// Makes `count` bytes, zero at first, and lets `fill` write them.
  ///
  /// What `fill` throws is thrown on; the memory is wiped then too.
  package init<Failure: Error>(
    count: Int, filledBy fill: (UnsafeMutablePointer<UInt8>) throws(Failure) -> Void
  ) throws(Failure) {
    guard Sodium.isReady, let raw = sodium_malloc(count) else {
      fatalError("no memory for \(count) secret bytes")
    }
    let memory = raw.bindMemory(to: UInt8.self, capacity: count)
    sodium_memzero(raw, count)
    do throws(Failure) {
      try fill(memory)
    } catch {
      sodium_free(raw)
      throw error
    }
    self.start = memory
    self.count = count
  }

  /// Takes over what `bytes` holds; the caller's array is its own to wipe.
  package init(copying bytes: some Collection<UInt8>) {
    self.init(count: bytes.count) { memory in
      for (offset, byte) in bytes.enumerated() { memory[offset] = byte }
    }
  }

  /// Makes `count` unpredictable bytes.
  package static func random(count: Int) -> SecretBytes {
    SecretBytes(count: count) { memory in
      randombytes_buf(memory, count)
    }
  }

  deinit {
    sodium_free(start)
  }

  /// Lends the bytes to `body`, which must not keep the pointer.
  package borrowing func withBytes<Result: ~Copyable, Failure: Error>(
    _ body: (UnsafeBufferPointer<UInt8>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try body(UnsafeBufferPointer(start: start, count: count))
  }

  /// Lends the address of the first byte to `body`, for C functions that know the length.
  package borrowing func withPointer<Result: ~Copyable, Failure: Error>(
    _ body: (UnsafePointer<UInt8>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try body(start)
  }

  /// A second secret with the same content.
  package borrowing func copy() -> SecretBytes {
    withBytes { bytes in SecretBytes(copying: bytes) }
  }

  /// Zeroes an array that held a secret for a moment.
  ///
  /// It reaches this array only: a copy that somebody kept is theirs to wipe.
  package static func wipe(_ bytes: inout [UInt8]) {
    bytes.withUnsafeMutableBytes { memory in
      guard let start = memory.baseAddress else { return }
      sodium_memzero(start, memory.count)
    }
  }

  /// Whether both hold the same bytes, in a time that does not depend on them.
  package borrowing func matches(_ other: borrowing SecretBytes) -> Bool {
    count == other.count && sodium_memcmp(start, other.start, count) == 0
  }
}

/// The one place that starts libsodium.
package enum Sodium {
  /// True once libsodium is ready; reading it makes it so, from any thread.
  package static let isReady = sodium_init() >= 0
}
