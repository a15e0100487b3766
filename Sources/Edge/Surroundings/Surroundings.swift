package import Discovery
import Foundation

/// A look at the machine: its firewalls, its routes, who has a port open.
///
/// Reads and asks, and changes nothing. It takes up to some seconds, so it is never done on a
/// node's queue.
package struct Surroundings: Sendable {
  /// A network that Tabletalk uses.
  package struct Network: Equatable, Sendable {
    package var interface: String
    /// This laptop's address on it, as the number it is.
    package var address: UInt32

    /// Names the fields.
    package init(interface: String, address: UInt32) {
      self.interface = interface
      self.address = address
    }
  }

  package let networks: [Network]
  package let discoveryPort: UInt16
  package let linkPort: UInt16
  /// The path of this program, as a firewall on macOS knows it.
  package let program: String

  /// Names the fields.
  package init(networks: [Network], discoveryPort: UInt16, linkPort: UInt16, program: String) {
    self.networks = networks
    self.discoveryPort = discoveryPort
    self.linkPort = linkPort
    self.program = program
  }

  /// Which programs have a UDP or TCP port open.
  package func holders(_ carrier: Packet.Carrier, port: UInt16) -> [NetworkFacts.Holder] {
    PortHolders.find(carrier, port: port)
  }

  /// The default route, if there is one.
  package func defaultRoute() -> DefaultRoute? {
    KernelFile.text("/proc/net/route").flatMap(DefaultRoute.ipv4)
      ?? KernelFile.text("/proc/net/ipv6_route").flatMap(DefaultRoute.ipv6Device).map {
        DefaultRoute(device: $0, gateway: nil)
      }
  }

  /// Neighbours that have answered, with the interface each is behind.
  package func neighbours() -> [FoundHost] {
    if case .said(let text, 0) = Tool.ask("ip", ["neigh", "show"]) {
      return FoundHost.listing(text)
    }
    return KernelFile.text("/proc/net/arp").map(FoundHost.kernelTable) ?? []
  }

  /// Names that the adapters of VPNs bear.
  private static let tunnelNames = ["tun", "wg", "ppp", "utun", "ipsec", "tailscale", "nordlynx"]
  /// Types of devices without an Ethernet header (if_arp.h): none, PPP, tunnels, SIT, GRE.
  private static let tunnelTypes = [65_534, 512, 768, 769, 776, 778, 823]

  /// Whether a device leads through a VPN.
  package func isTunnel(_ device: String) -> Bool {
    guard device.allSatisfy({ $0 != "/" }), device != "..", !device.isEmpty else { return false }
    let folder = "/sys/class/net/\(device)"
    if let type = KernelFile.text("\(folder)/type", limit: 32).flatMap(Self.number) {
      return Self.tunnelTypes.contains(type)
    }
    return Self.tunnelNames.contains(where: device.hasPrefix)
  }

  private static func number(_ text: String) -> Int? {
    Int(text.split(whereSeparator: \.isWhitespace).first ?? "")
  }

  // MARK: Firewalls

  /// Firewalls that are on, and the tools that only root may ask.
  package func firewalls() -> (found: [NetworkFacts.Firewall], hidden: [String]) {
    if let found = applicationFirewall() { return ([found], []) }
    var found = [ufw(), firewalld()].compactMap { $0 }
    var hidden: [String] = []
    switch Tool.ask("nft", ["list", "ruleset"]) {
    case .said(let text, 0): take(NftRuleset(text), into: &found)
    case .said, .silent: hidden.append("nft")
    case .missing:
      switch Tool.ask("iptables", ["-S"]) {
      case .said(let text, 0): take(IptablesRules(text), into: &found)
      case .said, .silent: hidden.append("iptables")
      case .missing: break
      }
    }
    return (found, hidden)
  }

  /// The packets that must come in, on every network in use.
  private func packets(_ carrier: Packet.Carrier) -> [Packet] {
    networks.map {
      Packet(
        carrier: carrier, port: carrier == .udp ? discoveryPort : linkPort,
        interface: $0.interface, address: $0.address)
    }
  }

  /// One word for all networks: dropped on one is dropped.
  private func all(
    _ carrier: Packet.Carrier, _ judge: (Packet) -> NetworkFacts.Verdict
  ) -> NetworkFacts.Verdict {
    let verdicts = packets(carrier).map(judge)
    return verdicts.contains(.dropped) ? .dropped : verdicts.contains(.unknown) ? .unknown : .open
  }

  private func ufw() -> NetworkFacts.Firewall? {
    let hidden = NetworkFacts.Firewall(
      .ufw, discovery: .unknown, links: .unknown, isVisible: false)
    let isEnabled =
      KernelFile.text("/etc/ufw/ufw.conf", limit: 65_536)?.split(separator: "\n")
      .contains { $0.lowercased() == "enabled=yes" } ?? false
    guard case .said(let text, _) = Tool.ask("ufw", ["status", "verbose"]),
      let ufw = Ufw(text)
    else { return isEnabled && Tool.path(of: "ufw") != nil ? hidden : nil }
    guard ufw.isActive else { return nil }
    return NetworkFacts.Firewall(
      .ufw, discovery: all(.udp, ufw.verdict), links: all(.tcp, ufw.verdict))
  }

  private func firewalld() -> NetworkFacts.Firewall? {
    guard case .said(let state, let status) = Tool.ask("firewall-cmd", ["--state"]) else {
      return nil
    }
    guard status == 0, state.contains("running"), !state.contains("not running") else {
      // Whoever may not ask is told neither yes nor no.
      guard state.contains("Authorization") else { return nil }
      return NetworkFacts.Firewall(
        .firewalld, discovery: .unknown, links: .unknown, isVisible: false)
    }
    guard case .said(let active, 0) = Tool.ask("firewall-cmd", ["--get-active-zones"]),
      case .said(let usual, 0) = Tool.ask("firewall-cmd", ["--get-default-zone"])
    else {
      return NetworkFacts.Firewall(
        .firewalld, discovery: .unknown, links: .unknown, isVisible: false)
    }
    let zones = Firewalld.zones(active)
    let defaultZone = usual.split(whereSeparator: \.isWhitespace).last.map(String.init) ?? "public"
    var texts: [String: String] = [:]
    var closed: String?
    let verdict = { (packet: Packet) -> NetworkFacts.Verdict in
      let zone = zones[packet.interface] ?? defaultZone
      if texts[zone] == nil,
        case .said(let text, 0) = Tool.ask(
          "firewall-cmd", ["--zone=\(zone)", "--list-all"])
      {
        texts[zone] = text
      }
      let verdict = texts[zone].map { Firewalld.verdict(zone: $0, on: packet) } ?? .unknown
      if verdict == .dropped, closed == nil { closed = zone }
      return verdict
    }
    let discovery = all(.udp, verdict)
    let links = all(.tcp, verdict)
    return NetworkFacts.Firewall(
      .firewalld, place: closed ?? zones[networks.first?.interface ?? ""] ?? defaultZone,
      discovery: discovery, links: links)
  }

  /// Rules of nftables: those that ufw and firewalld made are theirs, the others stand for themselves.
  private func take(_ rules: NftRuleset, into found: inout [NetworkFacts.Firewall]) {
    var place = ""
    let verdict = { (packet: Packet) -> NetworkFacts.Verdict in
      let (verdict, dropping) = rules.verdict(on: packet)
      if verdict == .dropped, place.isEmpty { place = dropping }
      return verdict
    }
    let discovery = all(.udp, verdict)
    let links = all(.tcp, verdict)
    let owner: NetworkFacts.Firewall.Tool? =
      place.hasSuffix("filter INPUT") ? .ufw : place.contains(" firewalld ") ? .firewalld : nil
    if let index = found.firstIndex(where: { $0.tool == owner }) {
      if discovery != .unknown { found[index].discovery = discovery }
      if links != .unknown { found[index].links = links }
    } else if discovery != .open || links != .open {
      guard discovery == .dropped || links == .dropped || found.isEmpty else { return }
      found.append(
        NetworkFacts.Firewall(.nftables, place: place, discovery: discovery, links: links))
    }
  }

  private func take(_ rules: IptablesRules, into found: inout [NetworkFacts.Firewall]) {
    guard rules.isStrict, found.isEmpty else { return }
    let discovery = all(.udp, rules.verdict)
    let links = all(.tcp, rules.verdict)
    guard discovery != .open || links != .open else { return }
    found.append(NetworkFacts.Firewall(.iptables, discovery: discovery, links: links))
  }

  /// macOS; there is no such tool elsewhere.
  private func applicationFirewall() -> NetworkFacts.Firewall? {
    let tool = "/usr/libexec/ApplicationFirewall/socketfilterfw"
    guard case .said(let state, _) = Tool.ask(tool, ["--getglobalstate"]) else { return nil }
    func answer(_ question: String) -> String {
      if case .said(let text, _) = Tool.ask(tool, [question]) { return text }
      return ""
    }
    return ApplicationFirewall.fact(
      program: program, state: state, blockAll: answer("--getblockall"),
      apps: answer("--listapps"))
  }
}
