/// One IPv4 address of a network interface; an interface with two addresses is listed twice.
package struct NetworkInterface: Hashable, Comparable, Sendable {
  /// The name as the system and `--interface` know it, such as "eth0".
  package let name: String
  /// The number by which datagrams say where they came in.
  package let index: UInt32
  /// The address.
  package let address: IPv4Address
  /// Which part of it names the network.
  package let netmask: IPv4Address
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

  /// Puts the parts together; `System` reads them, tests invent them.
  package init(
    name: String, index: UInt32, address: IPv4Address, netmask: IPv4Address, flags: UInt32
  ) {
    self.name = name
    self.index = index
    self.address = address
    self.netmask = netmask
    // The values of IFF_UP and its like, the same on Linux and Darwin.
    self.isUp = flags & 0x1 != 0
    self.canBroadcast = flags & 0x2 != 0
    self.isLoopback = flags & 0x8 != 0
    self.isPointToPoint = flags & 0x10 != 0
    self.isRunning = flags & 0x40 != 0
  }

  /// The address of everybody on the network, computed from the netmask; nil where the network
  /// has no room for one (/31 and /32).
  package var broadcast: IPv4Address? {
    guard ~netmask.number >= 3 else { return nil }
    return IPv4Address(number: address.number | ~netmask.number)
  }

  /// Where a datagram for everybody goes on this interface, or nil when it carries none.
  ///
  /// The network's own broadcast address, since some routers and bridges drop 255.255.255.255;
  /// that one only where there is no other. 127.255.255.255 reaches every node of this host.
  package var broadcastTarget: IPv4Address? {
    guard isUp, isRunning else { return nil }
    if isLoopback { return .loopbackBroadcast }
    guard canBroadcast, !isPointToPoint else { return nil }
    return broadcast ?? .limitedBroadcast
  }

  /// All interfaces with an IPv4 address, sorted, so that two readings can be compared.
  package static func all() throws(SocketError) -> [NetworkInterface] {
    try System.listAddresses().map {
      NetworkInterface(
        name: $0.name, index: $0.index, address: $0.address, netmask: $0.netmask, flags: $0.flags)
    }.sorted()
  }

  package static func < (left: NetworkInterface, right: NetworkInterface) -> Bool {
    (left.index, left.address, left.name) < (right.index, right.address, right.name)
  }
}

/// Which interfaces the node may use: all, or those named by `--interface`.
package struct InterfaceFilter: Equatable, Sendable {
  /// The allowed names; empty means all.
  package let names: [String]

  /// Allows the named interfaces only, or all when none is named.
  package init(names: [String] = []) {
    self.names = names
  }

  /// Whether every interface is allowed.
  package var allowsAll: Bool { names.isEmpty }

  /// Whether the interface of this name is allowed.
  package func allows(name: String) -> Bool {
    allowsAll || names.contains(name)
  }

  /// Whether what came in by the interface of this number is to be heard.
  package func allows(index: UInt32) -> Bool {
    if allowsAll { return true }
    guard let name = System.interfaceName(index: index) else { return false }
    return allows(name: name)
  }

  /// Whether a connection whose end here has this address is allowed.
  package func allows(local address: IPv4Address) -> Bool {
    if allowsAll { return true }
    let interfaces = (try? NetworkInterface.all()) ?? []
    return interfaces.contains { interface in
      allows(name: interface.name)
        && (interface.address == address || (interface.isLoopback && address.isLoopback))
    }
  }

  /// Whether the system would send to `remote` from an allowed interface.
  ///
  /// Asks the routing table by connecting a datagram socket, which sends nothing.
  package func allows(sendingTo remote: Endpoint) -> Bool {
    if allowsAll { return true }
    guard let local = try? Self.localAddress(toward: remote) else { return false }
    return allows(local: local)
  }

  private static func localAddress(toward remote: Endpoint) throws(SocketError) -> IPv4Address {
    let descriptor = try System.datagramSocket()
    _ = try System.connect(descriptor, to: remote)
    return try System.localEndpoint(descriptor).address
  }

  /// Whether only loopback interfaces are allowed, so that nothing outside may even connect.
  var isLoopbackOnly: Bool {
    guard !allowsAll, let interfaces = try? NetworkInterface.all() else { return false }
    return names.allSatisfy { name in
      interfaces.contains { $0.name == name && $0.isLoopback }
    }
  }
}
