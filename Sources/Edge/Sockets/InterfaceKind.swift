/// What sort of adapter an interface is, as far as the system says so cheaply.
///
/// It decides nothing about sending: beacons leave by every interface that can carry them. It is
/// shown to people, and of several own addresses it says which to put into an invitation.
package enum InterfaceKind: String, Sendable {
  /// Leads back to this laptop.
  case loopback
  /// A network card with a cable, or one that cannot be told from it.
  case wired
  /// A network card without one.
  case wifi
  /// One end of a VPN or another tunnel.
  case tunnel
  /// Made by software: containers, virtual machines, bridges without a card.
  case virtual

  /// Judges by the flags, by what the system says of the adapter, and at last by the name.
  static func of(
    name: String, isLoopback: Bool, isPointToPoint: Bool, facts: System.AdapterFacts
  ) -> InterfaceKind {
    if isLoopback { return .loopback }
    if isPointToPoint || facts.isTunnel { return .tunnel }
    if facts.isWireless { return .wifi }
    if facts.hasCard { return .wired }
    if hasPrefix(name, of: tunnels) { return .tunnel }
    // A system that tells of its cards has said that this is none.
    if facts.isKnown || hasPrefix(name, of: virtuals) { return .virtual }
    return .wired
  }

  private static let tunnels = [
    "tun", "utun", "ppp", "wg", "tailscale", "ipsec", "zt", "gif", "stf",
  ]
  private static let virtuals = [
    "bridge", "docker", "br-", "veth", "virbr", "vmnet", "vboxnet", "vnic", "tap", "cni", "flannel",
    "awdl", "llw", "anpi", "ap",
  ]

  private static func hasPrefix(_ name: String, of prefixes: [String]) -> Bool {
    prefixes.contains { name.hasPrefix($0) }
  }
}
