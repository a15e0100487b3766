package import Discovery

/// One address of a network interface; an interface with two addresses is listed twice.
package struct NetworkInterface: Hashable, Comparable, Sendable {
  /// The name as the system and `--interface` know it, such as "eth0".
  package let name: String
  /// The number by which datagrams say where they came in.
  package let index: UInt32
  /// The address; a link-local IPv6 one has the interface as its zone.
  package let address: IPAddress
  /// Which part of an IPv4 address names the network; `::` for IPv6.
  package let netmask: IPAddress
  /// What sort of adapter it is.
  package let kind: InterfaceKind
  /// Switched on.
  package let isUp: Bool
  /// Has a carrier: a cable, an access point.
  package let isRunning: Bool
  /// Leads back to this host.
  package let isLoopback: Bool
  /// Has one other end, as tunnels have.
  package let isPointToPoint: Bool
  /// Carries broadcasts.
  package let canBroadcast: Bool
  /// Carries multicasts.
  package let canMulticast: Bool

  /// Puts the parts together; `System` reads them, tests invent them.
  package init(
    name: String, index: UInt32, address: IPAddress, netmask: IPAddress, flags: UInt32
  ) {
    self.init(
      name: name, index: index, address: address, netmask: netmask, flags: flags,
      facts: System.AdapterFacts())
  }

  init(
    name: String, index: UInt32, address: IPAddress, netmask: IPAddress, flags: UInt32,
    facts: System.AdapterFacts
  ) {
    self.name = name
    self.index = index
    self.address = address
    self.netmask = netmask
    // The values of IFF_UP and its like, the same on Linux and Darwin but for the last.
    self.isUp = flags & 0x1 != 0
    self.canBroadcast = flags & 0x2 != 0
    self.isLoopback = flags & 0x8 != 0
    self.isPointToPoint = flags & 0x10 != 0
    self.isRunning = flags & 0x40 != 0
    self.canMulticast = flags & System.multicastFlag != 0
    self.kind = .of(
      name: name, isLoopback: isLoopback, isPointToPoint: isPointToPoint, facts: facts)
  }

  /// How many bits of the address name the network, where those are its first bits.
  package var prefix: Int? {
    let bytes = netmask.bytes
    let bits = bytes.reduce(0) { $0 + $1.nonzeroBitCount }
    let expected = bytes.indices.map {
      UInt8(truncatingIfNeeded: 0xff00 >> min(8, max(0, bits - 8 * $0)))
    }
    return bits > 0 && bytes == expected ? bits : nil
  }

  /// The address of everybody on the IPv4 network, computed from the netmask; nil where the network
  /// has no room for one (/31 and /32).
  package var broadcast: IPAddress? {
    guard let number = address.v4, let mask = netmask.v4, ~mask >= 3 else { return nil }
    return .v4(number | ~mask)
  }

  /// Where a datagram for everybody goes on this interface, or nil when it carries none.
  ///
  /// With an IPv4 address the network's own broadcast address, since some routers and bridges drop
  /// 255.255.255.255; that one only where there is no other. 127.255.255.255 reaches every node of
  /// this host. With a link-local IPv6 address the group of all nodes.
  package var broadcastTarget: IPAddress? {
    guard isUp, isRunning, !isPointToPoint else { return nil }
    if address.isV4 {
      if isLoopback { return .loopbackBroadcast }
      return canBroadcast ? broadcast ?? .limitedBroadcast : nil
    }
    return address.isLinkLocal && canMulticast && !isLoopback ? .beaconGroup : nil
  }

  /// Whether a host is on this interface's own network, as far as the address says.
  package func reaches(_ host: IPAddress) -> Bool {
    guard let number = host.v4, let own = address.v4, let mask = netmask.v4 else {
      return !host.zone.isEmpty && host.zone == name && address.isLinkLocal
    }
    return number & mask == own & mask
  }

  /// All addresses of all interfaces, sorted, so that two readings can be compared.
  ///
  /// An IPv6 address that the system still tries out (RFC 4862, 5.4) is not among them.
  package static func all() throws(SocketError) -> [NetworkInterface] {
    var facts: [String: System.AdapterFacts] = [:]
    return try System.listAddresses().map { listed in
      let known = facts[listed.name] ?? System.adapterFacts(of: listed.name)
      facts[listed.name] = known
      return NetworkInterface(
        name: listed.name, index: listed.index, address: listed.address, netmask: listed.netmask,
        flags: listed.flags, facts: known)
    }.sorted()
  }

  /// The names of all interfaces, also of those that have no address.
  package static func allNames() -> [String] { System.interfaceNames() }

  package static func < (left: NetworkInterface, right: NetworkInterface) -> Bool {
    (left.index, left.address, left.name) < (right.index, right.address, right.name)
  }
}
