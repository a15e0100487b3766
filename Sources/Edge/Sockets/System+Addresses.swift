import Discovery

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// An address and a port as the system calls take them: `sockaddr_in` or `sockaddr_in6`.
struct SocketAddress {
  private var storage = sockaddr_storage()
  private(set) var size: socklen_t

  /// Room for one that the system is to fill in.
  init() { size = socklen_t(MemoryLayout<sockaddr_storage>.size) }

  /// Throws `ENODEV` when the zone of a link-local address names no interface of this laptop.
  ///
  /// `scope` is the number of the interface for addresses whose zone the core does not keep.
  init(_ address: Address, scope: UInt32 = 0) throws(SocketError) {
    if let number = address.host.v4 {
      var raw = sockaddr_in()
      size = socklen_t(MemoryLayout<sockaddr_in>.size)
      #if canImport(Darwin)
        raw.sin_len = UInt8(size)
      #endif
      raw.sin_family = sa_family_t(AF_INET)
      raw.sin_port = address.port.bigEndian
      raw.sin_addr.s_addr = number.bigEndian
      withUnsafeMutableBytes(of: &storage) { $0.storeBytes(of: raw, as: sockaddr_in.self) }
      return
    }
    var raw = sockaddr_in6()
    size = socklen_t(MemoryLayout<sockaddr_in6>.size)
    #if canImport(Darwin)
      raw.sin6_len = UInt8(size)
    #endif
    raw.sin6_family = sa_family_t(AF_INET6)
    raw.sin6_port = address.port.bigEndian
    raw.sin6_scope_id = scope
    let zone = address.host.zone
    if !zone.isEmpty {
      raw.sin6_scope_id = if_nametoindex(zone)
      guard raw.sin6_scope_id != 0 else {
        throw SocketError(call: "if_nametoindex", number: ENODEV)
      }
    }
    withUnsafeMutableBytes(of: &raw.sin6_addr) { $0.copyBytes(from: address.host.bytes) }
    withUnsafeMutableBytes(of: &storage) { $0.storeBytes(of: raw, as: sockaddr_in6.self) }
  }

  /// What the system filled in; nil when it is neither IPv4 nor IPv6.
  var address: Address? {
    withUnsafeBytes(of: storage) { memory in
      switch Int32(storage.ss_family) {
      case AF_INET:
        let raw = memory.loadUnaligned(as: sockaddr_in.self)
        return Address(
          host: .v4(UInt32(bigEndian: raw.sin_addr.s_addr)), port: UInt16(bigEndian: raw.sin_port))
      case AF_INET6:
        let raw = memory.loadUnaligned(as: sockaddr_in6.self)
        let zone = raw.sin6_scope_id == 0 ? nil : System.interfaceName(index: raw.sin6_scope_id)
        return Address(
          host: System.host(of: raw, zone: zone ?? ""), port: UInt16(bigEndian: raw.sin6_port))
      default: return nil
      }
    }
  }

  /// Lends it as the calls want it.
  func lend<Result>(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Result) -> Result {
    withUnsafePointer(to: storage) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, size) }
    }
  }

  /// Lends it to be filled in.
  mutating func fill<Result>(
    _ body: (UnsafeMutablePointer<sockaddr>, UnsafeMutablePointer<socklen_t>) -> Result
  ) -> Result {
    withUnsafeMutablePointer(to: &storage) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, &size) }
    }
  }

  /// Lends it for a message, which holds a pointer to it.
  mutating func lendToMessage<Result>(
    _ body: (UnsafeMutableRawPointer, socklen_t) -> Result
  ) -> Result {
    let size = size
    return withUnsafeMutablePointer(to: &storage) { body(UnsafeMutableRawPointer($0), size) }
  }
}

extension System {
  /// The address family of a host.
  static func family(of host: IPAddress) -> Int32 { host.isV4 ? AF_INET : AF_INET6 }

  static func host(of raw: sockaddr_in6, zone: String) -> IPAddress {
    var bytes = withUnsafeBytes(of: raw.sin6_addr) { Array($0) }
    #if canImport(Darwin)
      // Lists of interfaces come with the interface's number inside a link-local address.
      if bytes[0] == 0xfe, bytes[1] & 0xc0 == 0x80 { bytes[2] = 0; bytes[3] = 0 }
    #endif
    let high = bytes[..<8].reduce(0 as UInt64) { $0 << 8 | UInt64($1) }
    let low = bytes[8...].reduce(0 as UInt64) { $0 << 8 | UInt64($1) }
    return .v6(high: high, low: low, zone: zone)
  }
}
