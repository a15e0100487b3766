/// What a neighbour sends to Tabletalk, as a firewall on this laptop sees it come in.
package struct Packet: Equatable, Sendable {
  /// What carries it.
  package enum Carrier: String, Equatable, Sendable {
    case udp, tcp
  }

  package var carrier: Carrier
  package var port: UInt16
  /// The interface by which it comes in.
  package var interface: String
  /// This laptop's address there, as the number it is; nil where unknown.
  package var address: UInt32?

  /// Names the fields.
  package init(carrier: Carrier, port: UInt16, interface: String, address: UInt32? = nil) {
    self.carrier = carrier
    self.port = port
    self.interface = interface
    self.address = address
  }

  /// Beacons are for everybody, the first packet of a link is for this laptop.
  var isBroadcast: Bool { carrier == .udp }
}

/// Whether a rule is about a packet.
enum Match: Equatable, Sendable {
  case yes, no
  /// It depends on what is not known here.
  case unknown

  /// Both must hold.
  static func && (left: Match, right: Match) -> Match {
    if left == .no || right == .no { return .no }
    return left == .yes && right == .yes ? .yes : .unknown
  }

  static prefix func ! (match: Match) -> Match {
    switch match {
    case .yes: .no
    case .no: .yes
    case .unknown: .unknown
    }
  }

  init(_ holds: Bool) { self = holds ? .yes : .no }
}

/// Reads the forms in which rules name ports and addresses.
enum RuleValue {
  /// Whether `47474`, `47400-47500`, `47400:47500` or `80,443` has the port; nil when unreadable.
  static func holds(_ text: some StringProtocol, port: UInt16) -> Bool? {
    var found = false
    for part in text.split(separator: ",") {
      let ends = part.split(whereSeparator: { $0 == "-" || $0 == ":" })
      guard let low = ends.first.flatMap({ UInt16($0) }),
        let high = ends.last.flatMap({ UInt16($0) }),
        ends.count <= 2
      else { return nil }
      if low <= port && port <= high { found = true }
    }
    return found
  }

  /// Whether a network such as `10.77.0.0/16` has the address; a single one says nothing of others.
  static func network(_ text: some StringProtocol, holds address: UInt32?) -> Match {
    let parts = text.split(separator: "/")
    guard let address, let network = parts.first.flatMap({ number($0) }) else { return .unknown }
    guard parts.count == 2, let bits = UInt32(parts[1]), bits <= 32 else { return .unknown }
    let mask = bits == 0 ? 0 : UInt32.max << (32 - bits)
    return Match(network & mask == address & mask)
  }

  /// The number of an IPv4 address.
  static func number(_ text: some StringProtocol) -> UInt32? {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 4 else { return nil }
    var out: UInt32 = 0
    for part in parts {
      guard let byte = UInt8(part) else { return nil }
      out = out << 8 | UInt32(byte)
    }
    return out
  }
}
