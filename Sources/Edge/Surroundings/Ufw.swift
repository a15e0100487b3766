package import Discovery

/// What `ufw status verbose` prints.
package struct Ufw: Equatable, Sendable {
  /// A rule for what comes in, in the order in which they are tried.
  struct Rule: Equatable, Sendable {
    var to: String
    var action: String
    var from: String
  }

  package private(set) var isActive = false
  private var denies = true
  private var rules: [Rule] = []

  /// Reads the listing; nil when it is none, because only root may ask.
  package init?(_ text: String) {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: true)
    guard let status = lines.first(where: { $0.hasPrefix("Status:") }) else { return nil }
    isActive = status.dropFirst(7).contains("active") && !status.contains("inactive")
    if let line = lines.first(where: { $0.hasPrefix("Default:") }) {
      denies = !line.contains("allow (incoming)")
    }
    guard let table = lines.firstIndex(where: { $0.hasPrefix("--") }) else { return }
    for line in lines[(table + 1)...].prefix(4_096) {
      guard let rule = Self.rule(line) else { continue }
      rules.append(rule)
    }
  }

  private static func rule(_ line: Substring) -> Rule? {
    // Columns stand at least two spaces apart; a column may hold single spaces.
    var columns: [String] = []
    for part in line.split(separator: " ", omittingEmptySubsequences: false) {
      if part.isEmpty {
        if columns.last?.isEmpty == false { columns.append("") }
      } else if let last = columns.last, !last.isEmpty {
        columns[columns.count - 1] = last + " " + part
      } else {
        if columns.isEmpty { columns.append("") }
        columns[columns.count - 1] = String(part)
      }
    }
    columns.removeAll(where: \.isEmpty)
    guard columns.count >= 3 else { return nil }
    return Rule(to: columns[0], action: columns[1], from: columns[2])
  }

  /// What becomes of a packet.
  package func verdict(on packet: Packet) -> NetworkFacts.Verdict {
    guard isActive else { return .open }
    var isSure = true
    for rule in rules {
      let words = rule.action.split(separator: " ")
      guard words.count < 2 || words[1] == "IN", !rule.to.contains("(v6)") else { continue }
      switch Self.match(rule, packet) {
      case .no: continue
      case .unknown: isSure = false
      case .yes:
        guard isSure else { return .unknown }
        return words.first == "ALLOW" || words.first == "LIMIT" ? .open : .dropped
      }
    }
    return !isSure ? .unknown : denies ? .dropped : .open
  }

  private static func match(_ rule: Rule, _ packet: Packet) -> Match {
    var match = Match.yes
    var words = rule.to.split(separator: " ").map(String.init)
    if let on = words.firstIndex(of: "on"), on + 1 < words.count {
      match = match && Match(words[on + 1] == packet.interface)
      words.removeSubrange(on...)
    }
    for word in words {
      let parts = word.split(separator: "/")
      if word == "Anywhere" { continue }
      if RuleValue.number(parts[0]) != nil {
        match =
          match && (packet.isBroadcast ? .unknown : RuleValue.network(word, holds: packet.address))
      } else if let holds = RuleValue.holds(parts[0], port: packet.port) {
        let carrier = parts.count < 2 || parts[1] == packet.carrier.rawValue
        match = match && Match(holds && carrier)
      } else {
        // A profile of an application: its ports are written elsewhere, and none is ours.
        match = match && Match(word.lowercased().contains("tabletalk"))
      }
    }
    let from = rule.from.split(separator: " ").first.map(String.init) ?? "Anywhere"
    return from == "Anywhere" ? match : match && RuleValue.network(from, holds: packet.address)
  }
}
