import Discovery

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// The interfaces of this host.
extension System {
  #if canImport(Darwin)
    static let multicastFlag: UInt32 = 0x8000
  #else
    static let multicastFlag: UInt32 = 0x1000
  #endif

  /// One address of an interface, as the system lists it.
  struct ListedAddress {
    let name: String
    let index: UInt32
    let address: IPAddress
    let netmask: IPAddress
    let flags: UInt32
  }

  static func listAddresses() throws(SocketError) -> [ListedAddress] {
    var first: UnsafeMutablePointer<ifaddrs>?
    try check("getifaddrs", getifaddrs(&first))
    defer { freeifaddrs(first) }
    let unready = unreadyAddresses()
    var list: [ListedAddress] = []
    var next = first
    while let entry = next?.pointee {
      next = entry.ifa_next
      // A second address may carry a label such as "eth0:1"; the interface is "eth0".
      let label = String(cString: entry.ifa_name)
      let name = String(label.prefix { $0 != ":" })
      guard let address = host(at: entry.ifa_addr, zone: name) else { continue }
      let netmask = host(at: entry.ifa_netmask, zone: "")
      guard address.isV4 ? netmask?.isV4 == true : !unready.contains("\(address) \(name)") else {
        continue
      }
      list.append(
        ListedAddress(
          name: name, index: if_nametoindex(name), address: address,
          netmask: address.isV4 ? netmask ?? .any : .any6,
          flags: UInt32(truncatingIfNeeded: entry.ifa_flags)))
    }
    return list
  }

  private static func host(
    at address: UnsafeMutablePointer<sockaddr>?, zone: String
  ) -> IPAddress? {
    guard let address else { return nil }
    switch Int32(address.pointee.sa_family) {
    case AF_INET:
      return address.withMemoryRebound(to: sockaddr_in.self, capacity: 1) {
        .v4(UInt32(bigEndian: $0.pointee.sin_addr.s_addr))
      }
    case AF_INET6:
      return address.withMemoryRebound(to: sockaddr_in6.self, capacity: 1) {
        host(of: $0.pointee, zone: zone)
      }
    default: return nil
    }
  }

  static func interfaceNames() -> [String] {
    guard let list = if_nameindex() else { return [] }
    defer { if_freenameindex(list) }
    var out: [String] = []
    var next = list
    while next.pointee.if_index != 0, let name = next.pointee.if_name {
      out.append(String(cString: name))
      next += 1
    }
    return out
  }

  static func interfaceName(index: UInt32) -> String? {
    var name = [CChar](repeating: 0, count: Int(IF_NAMESIZE))
    guard if_indextoname(index, &name) != nil else { return nil }
    return string(name)
  }

  #if os(Linux)
    /// A socket that becomes readable when a link or an address changes (rtnetlink(7)).
    static func interfaceChangeSocket() throws(SocketError) -> Descriptor? {
      let routeProtocol: Int32 = 0
      let linkGroup: UInt32 = 0x1
      let addressGroups: UInt32 = 0x10 | 0x100
      let descriptor = try makeSocket(
        family: AF_NETLINK, type: Int32(SOCK_RAW.rawValue), protocol: routeProtocol)
      // struct sockaddr_nl: family and padding, port (chosen by the kernel), groups.
      let address: [UInt32] = [UInt32(AF_NETLINK).littleEndian, 0, linkGroup | addressGroups]
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
