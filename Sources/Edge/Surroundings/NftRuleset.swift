package import Discovery

/// What `nft list ruleset` prints, read so far that a packet can be followed through it.
package struct NftRuleset: Equatable, Sendable {
  /// A chain; one that hangs on a hook of the kernel has a policy.
  struct Chain: Equatable, Sendable {
    var family: String
    var table: String
    var name: String
    var hook: String?
    var type: String?
    var policy = "accept"
    var rules: [[String]] = []
  }

  private(set) var chains: [Chain] = []

  /// Chains, and rules of one, at the most; the rest is not read.
  private static let limit = 4_096

  /// Reads a listing; what is not understood stays as words.
  package init(_ text: String) {
    var table: (family: String, name: String)?
    var chain: Chain?
    var skipped = 0
    var held: [String] = []
    for line in text.split(separator: "\n") {
      held += RuleWords.split(line)
      if held.isEmpty { continue }
      let depth = RuleWords.depth(held)
      let words = held
      if skipped > 0 {
        skipped += depth
        held = []
      } else if words == ["}"] {
        if let done = chain {
          if chains.count < Self.limit { chains.append(done) }
          chain = nil
        } else {
          table = nil
        }
        held = []
      } else if chain != nil {
        // A long set goes on in the next line.
        if depth > 0 { continue }
        Self.take(words, into: &chain)
        held = []
      } else {
        if words.first == "table", words.count >= 4 {
          table = (words[1], words[2])
        } else if words.first == "chain", words.count >= 3, let table {
          chain = Chain(family: table.family, table: table.name, name: words[1])
        } else if depth > 0 {
          skipped = depth
        }
        held = []
      }
    }
  }

  private static func take(_ words: [String], into chain: inout Chain?) {
    if words.first == "type", let hook = words.firstIndex(of: "hook"), hook + 1 < words.count {
      chain?.type = words.count > 1 ? words[1] : nil
      chain?.hook = words[hook + 1]
      if let policy = words.firstIndex(of: "policy"), policy + 1 < words.count {
        chain?.policy = words[policy + 1]
      }
    } else if (chain?.rules.count ?? 0) < limit {
      chain?.rules.append(words)
    }
  }

  /// What becomes of a packet, and where it is dropped.
  ///
  /// `place` is such as `inet filter input`, as `nft insert rule` takes it.
  package func verdict(
    on packet: Packet
  ) -> (verdict: NetworkFacts.Verdict, place: String) {
    let families = ["ip", "inet", "netdev"]
    let gates = chains.filter {
      $0.type == "filter" && families.contains($0.family)
        && ["input", "prerouting", "ingress"].contains($0.hook)
    }
    var isSure = true
    for gate in gates {
      let own = chains.filter { $0.family == gate.family && $0.table == gate.table }
      var walk = RuleWalk(
        rules: { name in own.first { $0.name == name }?.rules },
        judge: { NftRule.judge($0, packet) })
      var fate = walk.fate(in: gate.name)
      if fate.contains(.passed) {
        fate.subtract(.passed)
        fate.formUnion(gate.policy == "drop" ? .dropped : .accepted)
      }
      if fate == .dropped { return (.dropped, "\(gate.family) \(gate.table) \(gate.name)") }
      if fate.contains(.dropped) { isSure = false }
    }
    return (isSure ? .open : .unknown, "")
  }
}
