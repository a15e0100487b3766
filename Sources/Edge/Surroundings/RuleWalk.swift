/// Follows a packet through chains of rules, as nftables and iptables have them.
///
/// Where a rule depends on what is not known both ways are followed; the answer is then what may
/// happen, and only a single possibility is a verdict.
struct RuleWalk {
  /// What a rule does with a packet it is about.
  enum Action: Equatable, Sendable {
    case accept, drop, leave
    case jump(String)
    case go(String)
    /// Counts, writes a log and the like.
    case nothing
    /// One of several, who knows which.
    case either([Action])
  }

  /// What may become of a packet.
  struct Fate: OptionSet {
    let rawValue: Int
    static let accepted = Fate(rawValue: 1)
    static let dropped = Fate(rawValue: 2)
    /// It comes out at the end of the chain.
    static let passed = Fate(rawValue: 4)
  }

  /// The rules of a chain, each as its words; nil when there is no such chain.
  let rules: (_ chain: String) -> [[String]]?
  /// Reads one rule.
  let judge: ([String]) -> (Match, Action)
  /// Rules still to be looked at; rules are data of a stranger's making, and may go round.
  private var budget = 20_000

  init(
    rules: @escaping (String) -> [[String]]?, judge: @escaping ([String]) -> (Match, Action)
  ) {
    self.rules = rules
    self.judge = judge
  }

  /// What may become of a packet that enters a chain.
  mutating func fate(in chain: String, depth: Int = 0) -> Fate {
    guard depth < 16, let list = rules(chain) else { return [.accepted, .dropped, .passed] }
    var out: Fate = []
    for rule in list {
      budget -= 1
      guard budget > 0 else { return [.accepted, .dropped, .passed] }
      let (match, action) = judge(rule)
      if match == .no { continue }
      let (fate, goesOn) = follow(action, depth: depth)
      out.formUnion(fate)
      if match == .yes && !goesOn { return out }
    }
    return out.union(.passed)
  }

  /// What an action leads to, and whether the next rule may be reached after it.
  private mutating func follow(_ action: Action, depth: Int) -> (Fate, goesOn: Bool) {
    switch action {
    case .accept: return (.accepted, false)
    case .drop: return (.dropped, false)
    case .leave: return (.passed, false)
    case .nothing: return ([], true)
    case .jump(let chain):
      let fate = fate(in: chain, depth: depth + 1)
      return (fate.subtracting(.passed), fate.contains(.passed))
    case .go(let chain): return (fate(in: chain, depth: depth + 1), false)
    case .either(let actions):
      var out: Fate = []
      var goesOn = false
      for one in actions {
        let (fate, on) = follow(one, depth: depth)
        out.formUnion(fate)
        goesOn = goesOn || on
      }
      return (out, goesOn)
    }
  }
}
