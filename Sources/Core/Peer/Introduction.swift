import CBOR
package import Discovery
import Wire

/// A beacon of somebody else, and where whoever passes it on reaches him.
package struct Introduction: Hashable, Sendable {
  package let beacon: Beacon
  /// Nil where the address would mean nothing to others.
  package let host: IPAddress?

  /// Pairs the two.
  package init(beacon: Beacon, host: IPAddress?) {
    self.beacon = beacon
    self.host = host
  }

  /// Where the person may be dialled; with an address that stands for nobody where none is known.
  package var address: Address {
    Address(host: host ?? .any, port: beacon.linkPort)
  }

  init(_ item: CBOR) throws(DecodeError) {
    let parts = try item.array("introduction", exactly: 2)
    beacon = try Beacon(parts[0])
    guard !parts[1].isNull else {
      host = nil
      return
    }
    guard
      let address = IPAddress(bytes: try parts[1].bytes("introduction.host", count: 4...16)),
      address.isShareable
    else { throw .outOfRange("introduction.host") }
    host = address
  }

  var cbor: CBOR { [beacon.cbor, host.map { .bytes($0.bytes) } ?? .null] }
}
