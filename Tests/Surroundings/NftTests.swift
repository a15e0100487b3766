import Discovery
import Testing

@testable import Surroundings

@Suite struct NftTests {
  /// A ruleset with one chain that has these rules.
  private func verdict(
    _ rules: String, policy: String = "accept", on packet: Packet = .to(.udp)
  ) -> NetworkFacts.Verdict {
    NftRuleset(
      """
      table inet filter {
      \tchain input {
      \t\ttype filter hook input priority filter; policy \(policy);
      \(rules.split(separator: "\n").map { "\t\t\($0)" }.joined(separator: "\n"))
      \t}
      }
      """
    ).verdict(on: packet).verdict
  }

  @Test func noRulesetDropsNothing() {
    #expect(NftRuleset("").verdict(on: .to(.udp)) == (.open, ""))
  }

  @Test(arguments: [
    ("udp dport 47474 accept", NetworkFacts.Verdict.open), ("tcp dport 47474 accept", .dropped),
    ("udp dport { 53, 47400-47500 } accept", .open), ("udp dport { 53,\n 67 } accept", .dropped),
    ("udp dport != 47474 accept", .dropped), ("th dport 47474 accept", .open),
    ("meta l4proto { tcp, udp } th dport 47474 accept", .open), ("meta l4proto udp accept", .open),
    ("ct state established,related accept", .dropped), ("ct state new accept", .open),
    ("ct state vmap { established : accept, related : accept, new : jump x }", .unknown),
    ("iifname \"lo\" accept", .dropped), ("iifname \"eth*\" accept", .open),
    ("iifname != \"lo\" accept", .open), ("ip saddr 10.77.0.0/24 accept", .open),
    ("ip saddr 10.78.0.0/24 accept", .dropped), ("ip saddr 10.77.0.9 accept", .unknown),
    ("ip saddr @friends accept", .unknown), ("pkttype broadcast accept", .open),
    ("fib daddr type broadcast counter packets 1 bytes 2 accept", .open),
    ("ip6 saddr fe80::/10 accept", .dropped), ("icmp type echo-request accept", .dropped),
    ("limit rate 5/second burst 5 packets accept", .unknown),
    ("log prefix \"accept \" level info", .dropped), ("comment \"x\" accept", .open),
    ("something quite new accept", .unknown),
    ("udp dport vmap { 47474 : accept, 53 : drop }", .open),
    ("udp dport vmap @ports", .unknown), ("accept", .open), ("", .dropped),
  ])
  func oneRuleBeforeAPolicyOfDrop(_ rule: String, _ expected: NetworkFacts.Verdict) {
    #expect(verdict(rule, policy: "drop") == expected)
  }

  @Test(arguments: [
    ("udp dport 47474 drop", NetworkFacts.Verdict.dropped),
    ("udp dport 47474 reject with icmpx admin-prohibited", .dropped),
    ("meta mark set 1\ndrop", .dropped),
    ("numgen random mod 100 < 10 counter packets 0 bytes 0 drop", .unknown),
    ("udp dport 47474 return\ndrop", .open), ("jump missing", .unknown),
    ("tcp dport 47474 drop", .open),
    ("iifname \"eth0\" udp dport 47474 counter drop", .dropped),
  ])
  func oneRuleBeforeAPolicyOfAccept(_ rule: String, _ expected: NetworkFacts.Verdict) {
    #expect(verdict(rule) == expected)
  }

  @Test func chainsAreEnteredAndLeft() {
    let rules = NftRuleset(
      """
      table ip own {
      \tset friends {
      \t\ttype ipv4_addr
      \t\telements = { 10.77.0.9,
      \t\t\t     10.77.0.10 }
      \t}
      \tchain in { # handle 1
      \t\ttype filter hook input priority 0; policy drop;
      \t\tjump services
      \t\tgoto rest
      \t\taccept
      \t}
      \tchain services {
      \t\ttcp dport 22 accept
      \t\tudp dport 53 return
      \t}
      \tchain rest {
      \t\ttcp dport 80 accept
      \t}
      }
      """)
    #expect(rules.verdict(on: .to(.tcp, 22)) == (.open, ""))
    #expect(rules.verdict(on: .to(.tcp, 80)) == (.open, ""))
    #expect(rules.verdict(on: .to(.tcp, 81)) == (.dropped, "ip own in"))
    #expect(rules.verdict(on: .to(.udp, 53)) == (.dropped, "ip own in"))
  }

  @Test func oneTableThatDropsIsEnough() {
    let rules = NftRuleset(
      """
      table inet a {
      \tchain in {
      \t\ttype filter hook input priority 0; policy accept;
      \t\taccept
      \t}
      }
      table inet b {
      \tchain early {
      \t\ttype filter hook prerouting priority raw; policy accept;
      \t\tudp dport 47474 drop
      \t}
      \tchain out {
      \t\ttype filter hook output priority 0; policy drop;
      \t}
      }
      """)
    #expect(rules.verdict(on: .to(.udp)) == (.dropped, "inet b early"))
    #expect(rules.verdict(on: .to(.tcp)) == (.open, ""))
  }

  @Test func rulesThatGoRoundAreGivenUp() {
    let rules = NftRuleset(
      """
      table inet a {
      \tchain in {
      \t\ttype filter hook input priority 0; policy drop;
      \t\tjump x
      \t}
      \tchain x {
      \t\tjump x
      \t\tjump x
      \t}
      }
      """)
    #expect(rules.verdict(on: .to(.udp)).verdict == .unknown)
  }

  @Test func anythingAtAllIsReadWithoutATrap() throws {
    let text = Array(try Recorded.text("firewalld-nft").unicodeScalars)
    var seed: UInt64 = 7
    for _ in 0..<200 {
      var cut = text
      for _ in 0..<20 {
        seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        let at = Int(seed >> 33) % cut.count
        cut[at] = cut[Int(seed >> 20) % cut.count]
      }
      let mangled = String(String.UnicodeScalarView(cut.prefix(Int(seed >> 40) % cut.count)))
      _ = NftRuleset(mangled).verdict(on: .to(.udp))
      _ = IptablesRules(mangled).verdict(on: .to(.tcp))
      _ = Ufw("Status: active\n--\n" + mangled)?.verdict(on: .to(.udp))
      _ = Firewalld.verdict(zone: mangled, on: .to(.udp))
      _ = Firewalld.zones(mangled)
    }
  }
}
