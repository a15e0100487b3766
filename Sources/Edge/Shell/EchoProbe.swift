#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif
import Foundation

/// A TCP connection on loopback whose other end sends every byte back: the floor under every message.
package final class EchoProbe {
  private let descriptor: Int32

  /// Connects to a thread of its own.
  ///
  /// Throws what the system said.
  package init() throws(SyncProbeError) {
    #if canImport(Darwin)
      let stream = SOCK_STREAM
    #else
      let stream = Int32(SOCK_STREAM.rawValue)
    #endif
    let listener = socket(AF_INET, stream, 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = in_addr_t(0x7f00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isBound = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(listener, $0, length) == 0 && listen(listener, 1) == 0
          && getsockname(listener, $0, &length) == 0
      }
    }
    descriptor = socket(AF_INET, stream, 0)
    let here = descriptor
    let isConnected = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(here, $0, length) == 0 }
    }
    guard isBound, isConnected else { throw SyncProbeError(number: errno) }
    let far = accept(listener, nil, nil)
    close(listener)
    for end in [descriptor, far] {
      var on: Int32 = 1
      setsockopt(end, Int32(IPPROTO_TCP), TCP_NODELAY, &on, socklen_t(MemoryLayout<Int32>.size))
    }
    Thread.detachNewThread {
      var byte: UInt8 = 0
      while read(far, &byte, 1) == 1, write(far, &byte, 1) == 1 {}
      close(far)
    }
  }

  deinit { close(descriptor) }

  /// One byte there and back.
  package func roundTrip() {
    var byte: UInt8 = 1
    _ = write(descriptor, &byte, 1)
    _ = read(descriptor, &byte, 1)
  }
}
