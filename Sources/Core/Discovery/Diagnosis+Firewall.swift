/// What a firewall on this laptop keeps out, and the command that lets it in.
extension Diagnosis {
  static func firewalls(_ facts: NetworkFacts) -> [Finding] {
    let tested = facts.interfaces.filter { $0.comesBack != nil }
    let lost = tested.filter { $0.comesBack == false }.map(\.name)
    // An interface with two addresses is one.
    let swallowed = lost.indices.filter { !lost[..<$0].contains(lost[$0]) }.map { lost[$0] }
    let blocking = facts.firewalls.filter { $0.discovery == .dropped || $0.links == .dropped }
    if !blocking.isEmpty {
      return blocking.map { one in
        Finding(
          .firewallDrops, .trouble,
          "A firewall on this laptop (\(one.tool.rawValue)) drops what others send to "
            + "\(dropped(one, facts)).",
          because: swallowed.isEmpty
            ? nil : "A test datagram did not come back on \(list(swallowed)).",
          command: repair(one, facts))
      }
    }
    if !swallowed.isEmpty {
      // What it is cannot be seen, that it is there can.
      let suspect = facts.firewalls.first { $0.discovery == .unknown }
      return [
        Finding(
          .firewallDrops, .trouble,
          "A firewall on this laptop"
            + (suspect.map { " (\($0.tool.rawValue))" } ?? "")
            + " drops what others send to UDP \(facts.discoveryPort).",
          because: "A test datagram did not come back on \(list(swallowed)).",
          command: suspect.flatMap { repair($0, facts) } ?? "sudo nft list ruleset")
      ]
    }
    let passes = !tested.isEmpty
    let unsure = facts.firewalls.filter { $0.links == .unknown || $0.discovery == .unknown }
    if !unsure.isEmpty {
      return unsure.map { one in
        let open = passes || one.discovery == .open
        return Finding(
          .firewallHidden, .note,
          "A firewall (\(one.tool.rawValue)) is on. "
            + (open
              ? "It lets UDP \(facts.discoveryPort) in; whether it lets TCP \(facts.linkPort) in "
              : "Whether it lets UDP \(facts.discoveryPort) and TCP \(facts.linkPort) in ")
            + (one.isVisible ? "its rules do not say clearly." : "only root may see."),
          command: look(one))
      }
    }
    if !facts.firewalls.isEmpty {
      let names = list(facts.firewalls.map(\.tool.rawValue))
      return [
        Finding(
          .firewallOpen, .ok,
          "The firewall (\(names)) lets UDP \(facts.discoveryPort) and TCP \(facts.linkPort) in.")
      ]
    }
    guard facts.isLookedAt else { return [] }
    if !facts.hiddenTools.isEmpty {
      return [
        Finding(
          .firewallHidden, passes ? .ok : .note,
          passes
            ? "No firewall drops UDP \(facts.discoveryPort): a test datagram came through. The rules "
              + "for TCP \(facts.linkPort) only root may see."
            : "Only root may see whether a firewall drops UDP \(facts.discoveryPort) and TCP "
              + "\(facts.linkPort).",
          command: passes ? nil : "sudo nft list ruleset")
      ]
    }
    return [Finding(.firewallOpen, .ok, "No firewall that is known here drops anything.")]
  }

  private static func dropped(_ one: NetworkFacts.Firewall, _ facts: NetworkFacts) -> String {
    let udp = "UDP \(facts.discoveryPort)"
    let tcp = "TCP \(facts.linkPort)"
    if one.tool == .macOS { return "Tabletalk" }
    switch (one.discovery, one.links) {
    case (.dropped, .dropped): return "\(udp) and \(tcp)"
    case (.dropped, _): return udp
    default: return tcp
    }
  }

  /// The command that lets in what is kept out.
  static func repair(_ one: NetworkFacts.Firewall, _ facts: NetworkFacts) -> String? {
    var ports: [(name: String, number: UInt16)] = []
    if one.discovery != .open { ports.append(("udp", facts.discoveryPort)) }
    if one.links != .open { ports.append(("tcp", facts.linkPort)) }
    guard !ports.isEmpty else { return nil }
    switch one.tool {
    case .ufw:
      return ports.map { "sudo ufw allow \($0.number)/\($0.name)" }.joined(separator: " && ")
    case .firewalld:
      let zone = one.place.isEmpty ? "" : " --zone=\(one.place)"
      let added = ports.map { " --add-port=\($0.number)/\($0.name)" }.joined()
      return "sudo firewall-cmd --permanent\(zone)\(added) && sudo firewall-cmd --reload"
    case .nftables:
      guard !one.place.isEmpty else { return nil }
      return ports.map { "sudo nft insert rule \(one.place) \($0.name) dport \($0.number) accept" }
        .joined(separator: " && ")
    case .iptables:
      return ports.map { "sudo iptables -I INPUT -p \($0.name) --dport \($0.number) -j ACCEPT" }
        .joined(separator: " && ")
    case .macOS:
      guard let program = one.program else { return nil }
      let tool = "sudo /usr/libexec/ApplicationFirewall/socketfilterfw"
      return "\(tool) --add '\(program)' && \(tool) --unblockapp '\(program)'"
    }
  }

  /// The command that shows the rules.
  private static func look(_ one: NetworkFacts.Firewall) -> String {
    switch one.tool {
    case .ufw: "sudo ufw status verbose"
    case .firewalld: "sudo firewall-cmd --list-all-zones"
    case .nftables: "sudo nft list ruleset"
    case .iptables: "sudo iptables -S"
    case .macOS: "sudo /usr/libexec/ApplicationFirewall/socketfilterfw --listapps"
    }
  }
}
