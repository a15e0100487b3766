#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// The interfaces of this host.
extension System {
  /// One IPv4 address of an interface, as the system lists it.
  struct ListedAddress {
    let name: String
    let index: UInt32
    let address: IPv4Address
    let netmask: IPv4Address
    let flags: UInt32
  }

  static func listAddresses() throws(SocketError) -> [ListedAddress] {
    var first: UnsafeMutablePointer<ifaddrs>?
    try check("getifaddrs", getifaddrs(&first))
    defer { freeifaddrs(first) }
    var list: [ListedAddress] = []
    var next = first
    while let entry = next?.pointee {
      next = entry.ifa_next
      guard let address = ipv4(entry.ifa_addr), let netmask = ipv4(entry.ifa_netmask) else {
        continue
      }
      // A second address may carry a label such as "eth0:1"; the interface is "eth0".
      let label = String(cString: entry.ifa_name)
      let name = String(label.prefix { $0 != ":" })
      list.append(
        ListedAddress(
          name: name, index: if_nametoindex(name), address: address, netmask: netmask,
          flags: UInt32(truncatingIfNeeded: entry.ifa_flags)))
    }
    return list
  }

  private static func ipv4(_ address: UnsafeMutablePointer<sockaddr>?) -> IPv4Address? {
    guard let address, address.pointee.sa_family == sa_family_t(AF_INET) else { return nil }
    return address.withMemoryRebound(to: sockaddr_in.self, capacity: 1) {
      IPv4Address(number: UInt32(bigEndian: $0.pointee.sin_addr.s_addr))
    }
  }

  static func interfaceName(index: UInt32) -> String? {
    var name = [CChar](repeating: 0, count: Int(IF_NAMESIZE))
    guard if_indextoname(index, &name) != nil else { return nil }
    return string(name)
  }

  #if os(Linux)
    /// A socket that becomes readable when a link or an IPv4 address changes (rtnetlink(7)).
    static func interfaceChangeSocket() throws(SocketError) -> Descriptor? {
      let routeProtocol: Int32 = 0
      let linkGroup: UInt32 = 0x1
      let ipv4AddressGroup: UInt32 = 0x10
      let descriptor = try makeSocket(
        family: AF_NETLINK, type: Int32(SOCK_RAW.rawValue), protocol: routeProtocol)
      // struct sockaddr_nl: family and padding, port (chosen by the kernel), groups.
      let address: [UInt32] = [UInt32(AF_NETLINK).littleEndian, 0, linkGroup | ipv4AddressGroup]
      let result = address.withUnsafeBytes { memory in
        memory.withMemoryRebound(to: sockaddr.self) {
          Glibc.bind(descriptor.number, $0.baseAddress, socklen_t(memory.count))
        }
      }
      try check("bind", result)
      return descriptor
    }
  #else
    /// Nothing of the kind is used here: the caller's interval finds changes.
    static func interfaceChangeSocket() throws(SocketError) -> Descriptor? { nil }
  #endif
}
