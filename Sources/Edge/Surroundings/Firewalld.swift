package import Discovery

/// What `firewall-cmd` says of zones.
package enum Firewalld {
  /// The zone of each interface, as `--get-active-zones` lists them.
  package static func zones(_ text: String) -> [String: String] {
    var out: [String: String] = [:]
    var zone = ""
    for line in text.split(separator: "\n").prefix(1_024) {
      if line.first?.isWhitespace == false {
        zone = line.split(separator: " ").first.map(String.init) ?? ""
      } else if let names = value(of: "interfaces", in: line) {
        for name in names { out[name] = zone }
      }
    }
    return out
  }

  /// What a zone, as `--list-all` shows it, does with a packet.
  package static func verdict(zone text: String, on packet: Packet) -> NetworkFacts.Verdict {
    let lines = text.split(separator: "\n")
    var hasOwnRules = false
    for line in lines {
      if let target = value(of: "target", in: line)?.first {
        if target == "ACCEPT" { return .open }
      }
      for port in value(of: "ports", in: line) ?? [] {
        let parts = port.split(separator: "/")
        guard parts.count == 2, parts[1] == packet.carrier.rawValue else { continue }
        if RuleValue.holds(parts[0], port: packet.port) == true { return .open }
      }
      for service in value(of: "services", in: line) ?? [] where service == "tabletalk" {
        return .open
      }
      if line.contains("rule "), line.contains("accept") { hasOwnRules = true }
    }
    guard lines.contains(where: { value(of: "target", in: $0) != nil }) else { return .unknown }
    return hasOwnRules ? .unknown : .dropped
  }

  private static func value(of key: String, in line: some StringProtocol) -> [String]? {
    guard let colon = line.firstIndex(of: ":"),
      line[..<colon].drop(while: \.isWhitespace) == key
    else { return nil }
    return line[line.index(after: colon)...].split(separator: " ").map { String($0) }
  }
}
