/// Reads one rule of nftables for one packet.
///
/// A word that is not known makes the rule one that may or may not be about the packet.
struct NftRule {
  private var words: ArraySlice<String>
  private let packet: Packet
  private var match = Match.yes
  private var action = RuleWalk.Action.nothing

  /// Whether the rule is about the packet, and what it does with it.
  static func judge(_ words: [String], _ packet: Packet) -> (Match, RuleWalk.Action) {
    var rule = NftRule(words: words[...], packet: packet)
    while let word = rule.words.popFirst() { rule.take(word) }
    return (rule.match, rule.action)
  }

  private init(words: ArraySlice<String>, packet: Packet) {
    self.words = words
    self.packet = packet
  }

  private mutating func take(_ word: String) {
    switch word {
    case "accept": action = .accept
    case "drop": action = .drop
    case "reject", "synproxy":
      action = .drop
      words = []
    case "return": action = .leave
    case "jump": action = .jump(words.popFirst() ?? "")
    case "goto": action = .go(words.popFirst() ?? "")
    case "queue", "dup", "fwd":
      action = .either([.accept, .drop])
      words = []
    case "continue", "notrack", ";", ",": break
    case "counter":
      if words.first == "packets" { words = words.dropFirst(4) } else { dropName() }
    case "comment": _ = words.popFirst()
    case "log": skipLog()
    case "meta":
      // "meta mark set 1" changes the packet's mark, all else of meta asks.
      if let key = words.popFirst() { key == "mark" ? skipMark() : compare(key) }
    case "ct": conntrack()
    case "iif", "iifname", "oif", "oifname", "pkttype", "l4proto", "nfproto": compare(word)
    case "udp", "tcp", "th": transport(word)
    case "ip": header()
    case "ip6", "icmp", "icmpv6", "igmp", "arp", "sctp", "dccp", "udplite", "ah", "esp":
      // Never of a packet of ours; the words that follow do not matter any more.
      match = .no
      words = []
    case "fib": fib()
    case "limit":
      // Within the limit it matches, beyond it does not.
      match = match && .unknown
      skipLimit()
    default: match = match && .unknown
    }
  }

  private mutating func dropName() {
    if words.first == "name" { words = words.dropFirst(2) }
  }

  private mutating func skipLog() {
    while let next = words.first,
      ["prefix", "level", "flags", "group", "snaplen", "queue-threshold"].contains(next)
    {
      words = words.dropFirst(2)
    }
  }

  private mutating func skipMark() {
    if words.first == "set" { words = words.dropFirst(2) } else { match = match && .unknown }
  }

  private mutating func skipLimit() {
    let known = ["rate", "over", "burst", "packets", "bytes", "second", "minute", "hour", "day"]
    while let next = words.first,
      known.contains(next) || next.first?.isNumber == true || next.contains("/")
    {
      words = words.dropFirst()
    }
  }

  // MARK: What a rule asks

  private mutating func compare(_ key: String) {
    let packet = packet
    switch key {
    case "iif", "iifname": test { Self.isName($0, packet.interface) }
    case "oif", "oifname": test { _ in .no }
    case "pkttype": test { Match($0 == (packet.isBroadcast ? "broadcast" : "host")) }
    case "l4proto": test { Match($0 == packet.carrier.rawValue || $0 == packet.carrierNumber) }
    case "nfproto": test { Match($0 == "ipv4") }
    default: test { _ in .unknown }
    }
  }

  private mutating func transport(_ word: String) {
    let packet = packet
    guard word == "th" || word == packet.carrier.rawValue else {
      match = .no
      words = []
      return
    }
    switch words.popFirst() {
    case "dport":
      test { RuleValue.holds($0, port: packet.port).map { Match($0) } ?? .unknown }
    default: test { _ in .unknown }
    }
  }

  private mutating func header() {
    let packet = packet
    switch words.popFirst() {
    case "protocol": test { Match($0 == packet.carrier.rawValue || $0 == packet.carrierNumber) }
    case "saddr": test { RuleValue.network($0, holds: packet.address) }
    case "daddr":
      test { text in
        guard let address = packet.address else { return .unknown }
        if !packet.isBroadcast, let one = RuleValue.number(text) { return Match(one == address) }
        // A group of multicast is never the address of a broadcast or of this laptop.
        if let one = RuleValue.number(text.prefix { $0 != "/" }), one >> 28 == 0xe { return .no }
        return RuleValue.network(text, holds: address)
      }
    default: test { _ in .unknown }
    }
  }

  private mutating func conntrack() {
    switch words.popFirst() {
    case "state": test { Match($0 == "new") }
    // Nothing translates addresses between two laptops of one network.
    case "status": test { _ in .no }
    default: test { _ in .unknown }
    }
  }

  private mutating func fib() {
    let key = words.prefix(2)
    guard Array(key) == ["daddr", "type"] else {
      match = match && .unknown
      return
    }
    words = words.dropFirst(2)
    let packet = packet
    test { Match($0 == (packet.isBroadcast ? "broadcast" : "local")) }
  }

  /// Compares with the value, the list or the map that follows.
  private mutating func test(_ isIt: (String) -> Match) {
    var isNegated = false
    while let next = words.first, ["!=", "==", "<", ">", "<=", ">=", "&"].contains(next) {
      words = words.dropFirst()
      if next == "!=" { isNegated = true } else if next != "==" { match = match && .unknown }
    }
    if words.first == "vmap" {
      words = words.dropFirst()
      return choose(isIt)
    }
    let values = values()
    let hits = values.map { $0.hasPrefix("@") ? Match.unknown : isIt($0) }
    let found: Match = hits.contains(.yes) ? .yes : hits.contains(.unknown) ? .unknown : .no
    match = match && (isNegated ? !found : found)
  }

  /// One value, several with commas between, or a list in braces.
  private mutating func values() -> [String] {
    var out: [String] = []
    if words.first == "{" {
      words = words.dropFirst()
      while let next = words.popFirst(), next != "}" { if next != "," { out.append(next) } }
      return out
    }
    repeat {
      if words.first == "," { words = words.dropFirst() }
      if let next = words.popFirst() { out.append(next) }
    } while words.first == ","
    return out
  }

  /// A map from values to what is to be done.
  private mutating func choose(_ isIt: (String) -> Match) {
    guard words.first == "{" else {
      _ = words.popFirst()
      action = .either([.accept, .drop, .nothing])
      return
    }
    words = words.dropFirst()
    var maybe: [RuleWalk.Action] = []
    var entry: [String] = []
    var sure: RuleWalk.Action?
    while let next = words.popFirst() {
      if next != "," && next != "}" {
        entry.append(next)
        continue
      }
      if let key = entry.first, let colon = entry.firstIndex(of: ":"), sure == nil {
        let does = Self.verdict(entry[(colon + 1)...])
        switch isIt(key) {
        case .yes: sure = does
        case .unknown: maybe.append(does)
        case .no: break
        }
      }
      entry = []
      if next == "}" { break }
    }
    let last = sure ?? .nothing
    action = maybe.isEmpty ? last : .either(maybe + [last])
  }

  private static func verdict(_ words: ArraySlice<String>) -> RuleWalk.Action {
    switch words.first {
    case "accept": .accept
    case "drop", "reject": .drop
    case "return": .leave
    case "jump": .jump(words.dropFirst().first ?? "")
    case "goto": .go(words.dropFirst().first ?? "")
    default: .nothing
    }
  }

  private static func isName(_ pattern: String, _ name: String) -> Match {
    if pattern.hasSuffix("*") { return Match(name.hasPrefix(pattern.dropLast())) }
    return Match(pattern == name)
  }
}

extension Packet {
  /// The number of the protocol in the IP header.
  var carrierNumber: String { carrier == .udp ? "17" : "6" }
}
