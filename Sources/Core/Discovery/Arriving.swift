package import Wire

/// What a beacon changed.
package enum Hearing: Equatable, Sendable {
  /// Somebody new, or back with a new start: worth a unicast answer at once.
  case new
  /// Known before, something about it changed.
  case changed
  /// Known before, nothing changed.
  case same
  /// It said goodbye.
  case gone
  /// The newest one once more: it came by another path as well.
  case duplicate
  /// Older than what came before.
  case replayed
  /// It bears the own key: the own one come back, or a copied folder's.
  case own
  /// More people than a roster holds.
  case full
}

/// How a beacon came.
package struct Arriving: Hashable, Sendable {
  /// Where its sender can be dialled.
  package let address: Address
  package let how: Path.How
  /// The own interface, for a datagram.
  package let interface: String?
  /// Where a datagram was sent from.
  package let source: Address?
  /// Whether a datagram was sent to this laptop alone.
  package let isAlone: Bool

  /// A datagram that came from `source`, to everybody or to this laptop alone, and names the port for
  /// links.
  package static func datagram(
    from source: Address, linkPort: UInt16, on interface: String?, isAlone: Bool = false
  ) -> Arriving {
    Arriving(
      address: Address(host: source.host, port: linkPort), how: .datagram, interface: interface,
      source: source, isAlone: isAlone)
  }

  /// Over the link to its sender, who can be dialled at `address`; `through` passes the link on.
  package static func link(_ address: Address, through: PublicKey? = nil) -> Arriving {
    Arriving(
      address: address, how: through.map { .introduced(by: $0) } ?? .link, interface: nil,
      source: nil, isAlone: false)
  }

  /// Told by somebody else, who names an address as well.
  package static func introduced(by key: PublicKey, at address: Address) -> Arriving {
    Arriving(
      address: address, how: .introduced(by: key), interface: nil, source: nil, isAlone: false)
  }
}

extension Arriving {
  /// Whether it says nothing of the address itself.
  package var isHearsay: Bool {
    if case .introduced = how { return true }
    return false
  }
}

/// What this node is sure to have told others, to judge by their beacons whether they hear it.
package struct Told: Hashable, Sendable {
  /// Own beacons that had the time to be heard.
  let settled: UInt64
  /// Whether they went out on the interface in question.
  let isSent: Bool
  /// The own clock on the wall, in milliseconds since 1970.
  let wall: UInt64

  /// Names the three.
  package init(settled: UInt64, isSent: Bool, wall: UInt64) {
    self.settled = settled
    self.isSent = isSent
    self.wall = wall
  }
}
