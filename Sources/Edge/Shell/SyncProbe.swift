#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Writes one page to a file of its own and waits for the disk: the floor under every commit.
package final class SyncProbe {
  private let descriptor: Int32
  private let page = [UInt8](repeating: 7, count: 4_096)
  private var count = 0

  /// Makes the file `sync-probe` in a folder that exists.
  ///
  /// Throws what the system said.
  package init(folder: String) throws(SyncProbeError) {
    descriptor = open(folder + "/sync-probe", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw SyncProbeError(number: errno) }
  }

  deinit { close(descriptor) }

  /// One write of 4,096 bytes and one sync of the data, as a commit of the store does.
  package func writeAndSync() {
    _ = pwrite(descriptor, page, page.count, off_t(count % 256 * page.count))
    count += 1
    #if canImport(Darwin)
      _ = fcntl(descriptor, F_FULLFSYNC)
    #else
      _ = fdatasync(descriptor)
    #endif
  }
}

/// The file of the probe cannot be made.
package struct SyncProbeError: Error, Equatable, Sendable {
  /// The number the system gave, as in `errno`.
  package let number: Int32
}
