/// An address and a port: where a datagram or a link comes from or goes to.
package struct Address: Hashable, Comparable, Sendable, CustomStringConvertible {
  package let host: IPAddress
  /// The port; 0 only where the system is to choose one.
  package let port: UInt16

  /// Names an address.
  package init(host: IPAddress, port: UInt16) {
    self.host = host
    self.port = port
  }

  /// Reads `a.b.c.d:port`, `localhost:port` or `[v6]:port`, or any of them without a port where there
  /// is one to assume; nil for anything else.
  package init?(_ text: some StringProtocol, defaultPort: UInt16? = nil) {
    var rest = text.utf8[...]
    let host: IPAddress?
    if rest.first == UInt8(ascii: "[") {
      guard let end = rest.firstIndex(of: UInt8(ascii: "]")) else { return nil }
      host = IPAddress(String(decoding: rest[..<end].dropFirst(), as: UTF8.self))
      // IPv4 stands without brackets, unless it is written as IPv6.
      guard rest[..<end].contains(UInt8(ascii: ":")) else { return nil }
      rest = rest[end...].dropFirst()
    } else {
      let end = rest.firstIndex(of: UInt8(ascii: ":")) ?? rest.endIndex
      let name = String(decoding: rest[..<end], as: UTF8.self)
      host = name == "localhost" ? .loopback : IPAddress(name)
      rest = rest[end...]
    }
    guard let host else { return nil }
    if rest.isEmpty {
      guard let defaultPort, defaultPort > 0 else { return nil }
      self.init(host: host, port: defaultPort)
    } else {
      guard rest.first == UInt8(ascii: ":"),
        let port = Decimal.value(of: rest.dropFirst(), maximum: 65_535), port > 0
      else { return nil }
      self.init(host: host, port: UInt16(port))
    }
  }

  /// The host without the port.
  package var hostText: String { host.description }

  /// Whether it leads to this same laptop.
  package var isLoopback: Bool { host.isLoopback }

  /// The same on another interface, or on none; only link-local IPv6 addresses change.
  package func on(zone: String) -> Address { Address(host: host.on(zone: zone), port: port) }

  package var description: String { host.isV4 ? "\(host):\(port)" : "[\(host)]:\(port)" }

  package static func < (left: Address, right: Address) -> Bool {
    (left.host, left.port) < (right.host, right.port)
  }
}
