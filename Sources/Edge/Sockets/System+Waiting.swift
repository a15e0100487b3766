#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Waiting for descriptors, and waking whoever waits.
extension System {
  /// What a descriptor is waited for.
  struct Waited {
    let number: Int32
    /// To be read from, else to be written to.
    let isReading: Bool
  }

  /// Waits until some of the descriptors are ready, or in trouble; returns their places.
  ///
  /// Returns after `milliseconds` at the latest, none of them being ready; -1 waits for ever.
  static func wait(for all: [Waited], milliseconds: Int32) -> [Int] {
    var requests = all.map {
      pollfd(fd: $0.number, events: Int16($0.isReading ? POLLIN : POLLOUT), revents: 0)
    }
    guard poll(&requests, nfds_t(requests.count), milliseconds) > 0 else { return [] }
    return requests.indices.filter { requests[$0].revents != 0 }
  }

  /// A bell that one thread hears while it waits, and others ring.
  final class Bell: Sendable {
    /// Ready to be read from once it was rung.
    let ear: Int32
    private let button: Int32

    init() {
      var ends: [Int32] = [0, 0]
      guard pipe(&ends) == 0 else { fatalError("no descriptor is left to wait with") }
      for end in ends {
        _ = fcntl(end, F_SETFL, O_NONBLOCK)
        _ = fcntl(end, F_SETFD, FD_CLOEXEC)
      }
      (ear, button) = (ends[0], ends[1])
    }

    deinit {
      close(ear)
      close(button)
    }

    func ring() {
      // Full means that it rings already.
      var one: UInt8 = 1
      #if canImport(Darwin)
        _ = Darwin.write(button, &one, 1)
      #else
        _ = Glibc.write(button, &one, 1)
      #endif
    }

    private static func take(_ number: Int32, _ buffer: inout [UInt8]) -> Int {
      let size = buffer.count
      return buffer.withUnsafeMutableBytes { memory in
        #if canImport(Darwin)
          Darwin.read(number, memory.baseAddress, size)
        #else
          Glibc.read(number, memory.baseAddress, size)
        #endif
      }
    }

    /// Silences it.
    func answer() {
      var heard = [UInt8](repeating: 0, count: 64)
      while Bell.take(ear, &heard) == heard.count {}
    }
  }
}
