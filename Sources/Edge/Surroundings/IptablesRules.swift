package import Discovery

/// What `iptables -S` prints, read so far that a packet can be followed through it.
package struct IptablesRules: Equatable, Sendable {
  private var policy = "ACCEPT"
  private var chains: [String: [[String]]] = [:]

  /// Reads a listing.
  package init(_ text: String) {
    for line in text.split(separator: "\n").prefix(20_000) {
      let words = RuleWords.split(line, marks: "")
      guard words.count >= 2 else { continue }
      switch words[0] {
      case "-P" where words[1] == "INPUT" && words.count > 2: policy = words[2]
      case "-N": chains[words[1], default: []] += []
      case "-A": chains[words[1], default: []].append(Array(words.dropFirst(2)))
      default: break
      }
    }
  }

  /// What becomes of a packet.
  package func verdict(on packet: Packet) -> NetworkFacts.Verdict {
    var walk = RuleWalk(
      rules: { name in chains[name] ?? (name == "INPUT" ? [] : nil) },
      judge: { Self.judge($0, packet) })
    var fate = walk.fate(in: "INPUT")
    if fate.contains(.passed) {
      fate.subtract(.passed)
      fate.formUnion(policy == "DROP" ? .dropped : .accepted)
    }
    return fate == .dropped ? .dropped : fate == .accepted ? .open : .unknown
  }

  /// Whether anything is kept out at all.
  package var isStrict: Bool {
    policy == "DROP"
      || chains.values.contains { $0.contains { $0.contains("DROP") || $0.contains("REJECT") } }
  }

  private static func judge(_ words: [String], _ packet: Packet) -> (Match, RuleWalk.Action) {
    var rest = words[...]
    var match = Match.yes
    var action = RuleWalk.Action.nothing
    var isNegated = false
    func with(_ found: Match) -> Match {
      defer { isNegated = false }
      return match && (isNegated ? !found : found)
    }
    while let word = rest.popFirst() {
      switch word {
      case "!": isNegated = true
      case "-i": match = with(name(rest.popFirst() ?? "", packet.interface))
      case "-o":
        _ = rest.popFirst()
        match = with(.no)
      case "-p":
        let wanted = rest.popFirst()
        match = with(Match(wanted == packet.carrier.rawValue || wanted == "all"))
      case "--dport", "--dports", "--destination-port":
        let found = RuleValue.holds(rest.popFirst() ?? "", port: packet.port)
        match = with(found.map { Match($0) } ?? .unknown)
      case "-s": match = with(RuleValue.network(rest.popFirst() ?? "", holds: packet.address))
      case "-m": _ = rest.popFirst()
      case "--ctstate", "--state":
        let states = (rest.popFirst() ?? "").split(separator: ",")
        match = with(Match(states.contains("NEW")))
      case "--dst-type":
        match = with(Match(rest.popFirst() == (packet.isBroadcast ? "BROADCAST" : "LOCAL")))
      case "--comment": _ = rest.popFirst()
      case "-j", "-g":
        action = target(rest.popFirst() ?? "", isGoto: word == "-g")
        rest = []
      default: match = match && .unknown
      }
    }
    return (match, action)
  }

  private static func target(_ name: String, isGoto: Bool) -> RuleWalk.Action {
    switch name {
    case "ACCEPT": .accept
    case "DROP", "REJECT": .drop
    case "RETURN": .leave
    case "LOG", "NFLOG", "CT", "MARK", "CONNMARK", "TRACE": .nothing
    case "QUEUE", "NFQUEUE": .either([.accept, .drop])
    default: isGoto ? .go(name) : .jump(name)
    }
  }

  private static func name(_ pattern: String, _ name: String) -> Match {
    if pattern.hasSuffix("+") { return Match(name.hasPrefix(pattern.dropLast())) }
    return Match(pattern == name)
  }
}
