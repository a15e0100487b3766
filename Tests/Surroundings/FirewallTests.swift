import Discovery
import Testing

@testable import Surroundings

@Suite struct FirewallTests {
  @Test func ufwThatIsOffLetsEverythingIn() throws {
    let ufw = try #require(Ufw(try Recorded.text("ufw-inactive")))
    #expect(!ufw.isActive)
    #expect(ufw.verdict(on: .to(.udp)) == .open)
  }

  @Test(arguments: [
    (Packet.to(.udp), NetworkFacts.Verdict.dropped), (.to(.tcp), .dropped), (.to(.tcp, 22), .open),
    (.to(.udp, 22), .dropped), (.to(.tcp, 2_222), .open), (.to(.udp, 8_500), .dropped),
    (.to(.udp, 5_000), .dropped), (.to(.udp, 6_000), .open),
    (.to(.udp, 6_000, by: "eth1"), .dropped),
  ])
  func ufwIsReadRuleByRule(_ packet: Packet, _ verdict: NetworkFacts.Verdict) throws {
    let ufw = try #require(Ufw(try Recorded.text("ufw-active")))
    #expect(ufw.verdict(on: packet) == verdict)
  }

  @Test func ufwWithARuleForThePortLetsItIn() throws {
    let ufw = try #require(Ufw(try Recorded.text("ufw-open")))
    #expect(ufw.verdict(on: .to(.udp)) == .open)
    #expect(ufw.verdict(on: .to(.tcp)) == .open)
    #expect(ufw.verdict(on: .to(.tcp, 47_475)) == .dropped)
  }

  @Test func ufwThatOnlyRootMayAskSaysNothing() {
    #expect(Ufw("ERROR: You need to be root to run this script\n") == nil)
  }

  @Test func aRuleForOneAddressAloneLeavesItOpen() {
    let ufw = Ufw(
      """
      Status: active
      Default: deny (incoming), allow (outgoing), disabled (routed)

      To                         Action      From
      --                         ------      ----
      47474/udp                  ALLOW IN    10.77.0.9
      47474/tcp                  ALLOW IN    10.77.0.0/24
      """)
    #expect(ufw?.verdict(on: .to(.udp)) == .unknown)
    #expect(ufw?.verdict(on: .to(.tcp)) == .open)
  }

  @Test func zonesOfFirewalldAreReadWithTheirInterfaces() throws {
    let zones = Firewalld.zones(try Recorded.text("firewalld-zones"))
    #expect(zones == ["eth0": "public", "p0": "trusted"])
  }

  @Test(arguments: [
    ("firewalld-public", Packet.to(.udp), NetworkFacts.Verdict.dropped),
    ("firewalld-public", .to(.tcp), .dropped), ("firewalld-public-open", .to(.udp), .open),
    ("firewalld-public-open", .to(.tcp), .open), ("firewalld-public-open", .to(.tcp, 1), .dropped),
    ("firewalld-trusted", .to(.udp), .open),
  ])
  func aZoneIsJudgedByItsPortsAndTarget(
    _ name: String, _ packet: Packet, _ verdict: NetworkFacts.Verdict
  ) throws {
    #expect(Firewalld.verdict(zone: try Recorded.text(name), on: packet) == verdict)
  }

  @Test func aZoneWithRichRulesIsNotJudged() {
    let text = "home\n  target: default\n  ports: \n  rich rules: \n\trule family=\"ipv4\" accept\n"
    #expect(Firewalld.verdict(zone: text, on: .to(.udp)) == .unknown)
    #expect(Firewalld.verdict(zone: "Authorization failed.", on: .to(.udp)) == .unknown)
  }

  @Test(arguments: [
    ("ufw-nft", Packet.to(.udp), NetworkFacts.Verdict.dropped, "ip filter INPUT"),
    ("ufw-nft", .to(.tcp), .dropped, "ip filter INPUT"), ("ufw-nft", .to(.tcp, 22), .open, ""),
    ("ufw-nft-open", .to(.udp), .open, ""), ("ufw-nft-open", .to(.tcp), .open, ""),
    ("firewalld-nft", .to(.udp), .dropped, "inet firewalld filter_INPUT"),
    ("firewalld-nft", .to(.tcp), .dropped, "inet firewalld filter_INPUT"),
    ("firewalld-nft", .to(.udp, by: "p0"), .open, ""),
    ("firewalld-nft", .to(.udp, by: "lo"), .open, ""),
    ("firewalld-nft-open", .to(.udp), .open, ""), ("firewalld-nft-open", .to(.tcp), .open, ""),
    ("firewalld-nft-open", .to(.tcp, 47_475), .dropped, "inet firewalld filter_INPUT"),
  ])
  func aPacketIsFollowedThroughRulesThatOtherToolsMade(
    _ name: String, _ packet: Packet, _ verdict: NetworkFacts.Verdict, _ place: String
  ) throws {
    let found = NftRuleset(try Recorded.text(name)).verdict(on: packet)
    #expect(found.verdict == verdict)
    #expect(found.place == place)
  }

  @Test(arguments: [
    (Packet.to(.udp), NetworkFacts.Verdict.dropped), (.to(.tcp, 22), .open), (.to(.tcp), .dropped),
    (.to(.udp, 6_000), .open), (.to(.udp, 6_000, by: "eth1"), .dropped),
  ])
  func iptablesIsFollowedThroughItsChains(
    _ packet: Packet, _ verdict: NetworkFacts.Verdict
  ) throws {
    let rules = IptablesRules(try Recorded.text("ufw-iptables"))
    #expect(rules.isStrict)
    #expect(rules.verdict(on: packet) == verdict)
  }
}
