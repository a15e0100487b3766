package import Discovery
package import Sockets

/// The core names places by `Address`, the sockets by `Endpoint`; the two say the same.
extension Endpoint {
  /// The place a beacon, an invitation or `--peer` names; nil for IPv6, which sockets do not do yet.
  package init?(_ address: Address) {
    guard let number = address.host.v4 else { return nil }
    self.init(IPv4Address(number: number), port: address.port)
  }

  /// The same place in the words of the core.
  package var discoveryAddress: Address {
    Address(host: .v4(address.number), port: port)
  }
}
