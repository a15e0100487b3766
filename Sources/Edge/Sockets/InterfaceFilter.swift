package import Discovery

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
  package func allows(local address: IPAddress) -> Bool {
    if allowsAll { return true }
    if !address.zone.isEmpty { return allows(name: address.zone) }
    let interfaces = (try? NetworkInterface.all()) ?? []
    return interfaces.contains { interface in
      allows(name: interface.name)
        && (interface.address == address || (interface.isLoopback && address.isLoopback))
    }
  }

  /// Whether the system would send to `remote` from an allowed interface.
  ///
  /// The routing table knows; a zone answers by itself.
  package func allows(sendingTo remote: Address) -> Bool {
    if allowsAll { return true }
    if !remote.host.zone.isEmpty { return allows(name: remote.host.zone) }
    guard let local = try? System.source(toward: remote) else { return false }
    return allows(local: local)
  }

  /// Whether only loopback interfaces are allowed, so that nothing outside may even connect.
  package var isLoopbackOnly: Bool {
    guard !allowsAll, let interfaces = try? NetworkInterface.all() else { return false }
    return names.allSatisfy { name in
      interfaces.contains { $0.name == name && $0.isLoopback }
    }
  }
}
