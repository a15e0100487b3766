package import Discovery
package import Sockets

/// The core names places by `Address`, the sockets by `Endpoint`; the two say the same.
extension Endpoint {
  /// The place a beacon, an invitation or `--peer` names.
  package init(_ address: Address) {
    self.init(IPv4Address(number: address.host), port: address.port)
  }

  /// The same place in the words of the core.
  package var discoveryAddress: Address {
    Address(host: address.number, port: port)
  }
}
