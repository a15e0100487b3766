import Foundation
import Testing

@testable import Discovery

/// Facts of a laptop on one network where all is well, to be changed in one respect.
private func well(_ change: (inout NetworkFacts) -> Void = { _ in }) -> NetworkFacts {
  var facts = NetworkFacts()
  facts.interfaces = [.init(name: "eth0", address: "10.77.0.5", comesBack: true)]
  facts.ports = [
    .init(use: .discovery, number: 47_474, state: .ours),
    .init(use: .links, number: 47_474, state: .ours),
  ]
  facts.people = [.init(name: "Ana", host: "10.77.0.11", hearsMe: true)]
  facts.isLookedAt = true
  change(&facts)
  return facts
}

private func findings(_ change: (inout NetworkFacts) -> Void) -> [Finding] {
  Diagnosis.findings(well(change))
}

/// The first finding of a kind.
private func finding(
  _ code: Finding.Code, _ change: (inout NetworkFacts) -> Void
) throws -> Finding {
  try #require(findings(change).first { $0.code == code })
}

private let refused = NetworkFacts.Failure(name: "EPERM", text: "Not permitted.")

@Suite struct DiagnosisTests {
  @Test func wellIsSaidInFourSentences() {
    let all = Diagnosis.findings(well())
    #expect(all.allSatisfy { $0.severity == .ok })
    #expect(
      all.map(\.message) == [
        "Tabletalk sends and listens on eth0 (10.77.0.5).",
        "No firewall that is known here drops anything.",
        "UDP 47474 and TCP 47474 are Tabletalk’s.", "Heard: Ana.",
      ])
  }

  @Test func everyFindingStandsInTheProtocol() throws {
    let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("../../Protocol/local-api-doctor.md")
    let text = try String(contentsOf: file, encoding: .utf8)
    for code in Finding.Code.allCases { #expect(text.contains("`\(code.rawValue)`")) }
  }

  @Test func beingAloneIsNoTrouble() throws {
    let found = findings { $0.people = [] }
    #expect(!found.contains { $0.severity == .trouble })
    let alone = try finding(.nobodyHeard) {
      $0.people = []
      $0.listened = 12
    }
    #expect(alone.message.hasPrefix("Nobody else was heard in 12 s."))
  }

  @Test func troublesComeFirstAndWhatIsWellLast() {
    let found = findings {
      $0.people[0].hearsMe = false
      $0.people[0].clockAhead = 600
    }
    #expect(found.map(\.severity) == found.map(\.severity).sorted { $0.order < $1.order })
    #expect(found.first?.code == .oneWay)
  }

  // MARK: Sending

  @Test func noInterfaceIsNoNetwork() throws {
    for interfaces in [
      [], [NetworkFacts.Interface(name: "lo", address: "127.0.0.1", isLoopback: true)],
      [.init(name: "tun0", address: "10.8.0.2", sends: false)],
    ] {
      let found = try finding(.noNetwork) { $0.interfaces = interfaces }
      #expect(found.severity == .trouble)
    }
  }

  @Test func theLoopbackIsANetworkForWhoeverAsksForIt() {
    let found = findings {
      $0.interfaces = [.init(name: "lo", address: "127.0.0.1", isLoopback: true)]
      $0.isLoopbackMeant = true
    }
    #expect(!found.contains { $0.severity == .trouble })
  }

  @Test func sendingThatFailsEverywhereIsTroubleAndOnOneOfTwoANote() throws {
    let everywhere = try finding(.sendFails) { $0.interfaces[0].lastError = refused }
    #expect(everywhere.severity == .trouble)
    #expect(everywhere.because == "Not permitted.")
    let beside = try finding(.sendFails) {
      $0.interfaces[0].lastError = refused
      $0.interfaces.append(.init(name: "lo", address: "127.0.0.1", isLoopback: true))
    }
    #expect(beside == everywhere, "the loopback leads to nobody else")
    let one = try finding(.sendFailsOnOne) {
      $0.interfaces.append(.init(name: "wlan0", address: "10.78.0.5", lastError: refused))
    }
    #expect(one.severity == .note)
    #expect(
      one.message
        == "Sending on wlan0 fails: people on that network do not see you. Not permitted.")
  }

  @Test func onAMacHostUnreachableMeansLocalNetworkPrivacy() throws {
    let found = try finding(.localNetworkPrivacy) {
      $0.system = .macOS
      $0.interfaces[0].lastError = .init(name: "EHOSTUNREACH", text: "No route to host.")
    }
    #expect(found.severity == .trouble)
    #expect(found.message.contains("System Settings, Privacy & Security, Local Network"))
    #expect(found.command?.contains("Privacy_LocalNetwork") == true)
    let linux = findings {
      $0.interfaces[0].lastError = .init(name: "EHOSTUNREACH", text: "No route to host.")
    }
    #expect(linux.first?.code == .sendFails)
  }

  @Test func twoLaptopsWithOneAddressAreNamed() throws {
    let found = try finding(.addressTwice) {
      $0.sharedAddresses = [.init(host: "10.77.0.12", names: ["Bo", "Cy"])]
    }
    #expect(found.severity == .trouble)
    #expect(found.message.hasPrefix("Bo and Cy have the same address, 10.77.0.12: "))
  }

  // MARK: Firewalls

  @Test(arguments: [
    (
      NetworkFacts.Firewall(.ufw, discovery: .dropped, links: .dropped),
      "UDP 47474 and TCP 47474.", "sudo ufw allow 47474/udp && sudo ufw allow 47474/tcp"
    ),
    (.init(.ufw, discovery: .open, links: .dropped), "TCP 47474.", "sudo ufw allow 47474/tcp"),
    (
      .init(.firewalld, place: "public", discovery: .dropped, links: .dropped),
      "UDP 47474 and TCP 47474.",
      "sudo firewall-cmd --permanent --zone=public --add-port=47474/udp --add-port=47474/tcp"
        + " && sudo firewall-cmd --reload"
    ),
    (
      .init(.nftables, place: "inet filter input", discovery: .dropped, links: .open), "UDP 47474.",
      "sudo nft insert rule inet filter input udp dport 47474 accept"
    ),
    (
      .init(.iptables, discovery: .dropped, links: .open), "UDP 47474.",
      "sudo iptables -I INPUT -p udp --dport 47474 -j ACCEPT"
    ),
    (
      .init(.macOS, discovery: .dropped, links: .dropped, program: "/opt/tabletalk"), "Tabletalk.",
      "sudo /usr/libexec/ApplicationFirewall/socketfilterfw --add '/opt/tabletalk' && "
        + "sudo /usr/libexec/ApplicationFirewall/socketfilterfw --unblockapp '/opt/tabletalk'"
    ),
  ])
  func aFirewallThatDropsIsNamedWithTheExactCommand(
    _ firewall: NetworkFacts.Firewall, _ what: String, _ command: String
  ) throws {
    let found = try finding(.firewallDrops) { $0.firewalls = [firewall] }
    #expect(found.severity == .trouble)
    #expect(
      found.message
        == "A firewall on this laptop (\(firewall.tool.rawValue)) drops what others send"
        + " to \(what)")
    #expect(found.command == command)
  }

  @Test func aTestThatDoesNotComeBackIsEvidenceThoughTheRulesAreHidden() throws {
    let unseen = try finding(.firewallDrops) {
      $0.interfaces[0].comesBack = false
      $0.hiddenTools = ["nft"]
    }
    #expect(unseen.severity == .trouble)
    #expect(unseen.because == "A test datagram did not come back on eth0.")
    #expect(unseen.command == "sudo nft list ruleset")
    let suspect = try finding(.firewallDrops) {
      $0.interfaces[0].comesBack = false
      $0.firewalls = [.init(.ufw, discovery: .unknown, links: .unknown, isVisible: false)]
    }
    #expect(suspect.message.contains("(ufw)"))
    #expect(suspect.command == "sudo ufw allow 47474/udp && sudo ufw allow 47474/tcp")
  }

  @Test func aFirewallThatCannotBeSeenThroughIsANote() throws {
    let hidden = NetworkFacts.Firewall(
      .ufw, discovery: .unknown, links: .unknown, isVisible: false)
    let tested = try finding(.firewallHidden) { $0.firewalls = [hidden] }
    #expect(tested.severity == .note)
    #expect(
      tested.message
        == "A firewall (ufw) is on. It lets UDP 47474 in; whether it lets TCP 47474 in only root may see."
    )
    #expect(tested.command == "sudo ufw status verbose")
    let untested = try finding(.firewallHidden) {
      $0.firewalls = [hidden]
      $0.interfaces[0].comesBack = nil
    }
    #expect(untested.message.contains("Whether it lets UDP 47474 and TCP 47474 in only root"))
    let none = try finding(.firewallHidden) { $0.hiddenTools = ["nft"] }
    #expect(none.severity == .ok)
  }

  @Test func aFirewallThatLetsItInIsWell() throws {
    let found = try finding(.firewallOpen) {
      $0.firewalls = [.init(.firewalld, place: "home", discovery: .open, links: .open)]
    }
    #expect(found.message == "The firewall (firewalld) lets UDP 47474 and TCP 47474 in.")
  }

  @Test func nothingIsSaidOfAMachineThatWasNotLookedAt() {
    let found = findings {
      $0.isLookedAt = false
      $0.ports = []
      $0.interfaces[0].comesBack = nil
    }
    #expect(found.map(\.code) == [.listening, .peopleHeard])
  }

  // MARK: Ports

  @Test func aPortThatIsHeldNamesItsHolder() throws {
    let held = try finding(.discoveryPortTaken) {
      $0.ports[0].state = .taken(.init(program: "dnsmasq", process: 812))
    }
    #expect(held.severity == .trouble)
    #expect(held.message.hasPrefix("UDP 47474 is held by dnsmasq (process 812), so Tabletalk"))
    #expect(held.command == nil)
    let hidden = try finding(.discoveryPortTaken) {
      $0.ports[0].state = .taken(.init(program: nil, process: nil))
    }
    #expect(hidden.message.contains("a program of somebody else"))
    #expect(hidden.command == "sudo ss -lunp 'sport = :47474'")
    let shared = try finding(.discoveryPortShared) {
      $0.ports[0].state = .shared(.init(program: "nc", process: 3))
    }
    #expect(shared.severity == .note)
  }

  @Test func aLinkPortThatIsHeldMattersOnlyWhenItWasAskedFor() throws {
    let taken = NetworkFacts.Port.State.taken(.init(program: "nc", process: 3))
    let usual = try finding(.linkPortTaken) { $0.ports[1].state = taken }
    #expect(usual.severity == .note)
    #expect(usual.message.contains("takes the next free port by itself"))
    let asked = try finding(.linkPortTaken) {
      $0.ports[1].state = taken
      $0.ports[1].isFixed = true
    }
    #expect(asked.severity == .trouble)
    #expect(asked.message.contains("--port"))
  }

  // MARK: More than one on a laptop

  private let other = NetworkFacts.Holder(
    program: "talk", process: 12, folder: "/tmp/ana's games")

  @Test func whoAsksWithoutTheFolderOfTheNodeIsToldOfIt() throws {
    func asked(_ change: @escaping (inout NetworkFacts) -> Void) -> [Finding] {
      findings {
        $0.node = .notRunning
        $0.program = "swift run tabletalk"
        $0.others = [other]
        $0.ports[0].state = .free
        $0.ports[1].state = .taken(other)
        change(&$0)
      }
    }
    let one = asked { _ in }
    #expect(!one.contains { $0.severity == .trouble })
    let found = try #require(one.first { $0.code == .otherFolder })
    #expect(
      found.message
        == "Tabletalk runs on this laptop with another data folder: the Tabletalk of /tmp/ana's games "
        + "(process 12). Ask about it like this.")
    #expect(found.command == #"swift run tabletalk doctor --data '/tmp/ana'\''s games'"#)
    #expect(!one.contains { $0.message.contains("nobody can see you") })
    let port = try #require(one.first { $0.code == .linkPortTaken })
    #expect(port.message.hasPrefix("TCP 47474 is held by the Tabletalk of /tmp/ana's games"))
    let two = asked { $0.others.append(.init(program: nil, process: 13, folder: "/tmp/bo")) }
    #expect(two.first { $0.code == .otherFolder }?.message.contains("/tmp/bo (process 13)") == true)
    let alone = try finding(.notRunning) {
      $0.node = .notRunning
      $0.program = "./tabletalk"
    }
    #expect(alone.message.hasSuffix("Start it: ./tabletalk"))
  }

  @Test(arguments: [
    ("/tmp/ana", "/tmp/ana"), ("", "''"), ("a b", "'a b'"), ("$HOME", "'$HOME'"),
    ("it's", #"'it'\''s'"#),
  ])
  func aPathStandsInACommandAsAShellTakesIt(_ path: String, _ word: String) {
    #expect(ShellWord.quoted(path) == word)
  }

  // MARK: The way out

  @Test func aDefaultRouteThroughAVPNIsTroubleOnlyWhenNobodyIsHeard() throws {
    let alone = try finding(.vpnRoute) {
      $0.route = .init(device: "tun0", isTunnel: true)
      $0.people = []
    }
    #expect(alone.severity == .trouble)
    #expect(alone.message.hasPrefix("All traffic of this laptop goes through a VPN (tun0)"))
    let heard = try finding(.vpnRoute) { $0.route = .init(device: "wg0", isTunnel: true) }
    #expect(heard.severity == .note)
    let plain = findings { $0.route = .init(device: "eth0", isTunnel: false) }
    #expect(!plain.contains { $0.code == .vpnRoute })
  }

  // MARK: People

  @Test func hearingOneWayIsNamed() throws {
    let out = try finding(.oneWay) { $0.people[0].hearsMe = false }
    #expect(out.severity == .trouble)
    #expect(out.message.hasPrefix("I hear Ana, Ana does not hear me."))
    let back = try finding(.oneWayIn) {
      $0.people[0].isHeard = false
      $0.firewalls = [.init(.ufw, discovery: .unknown, links: .open, isVisible: false)]
    }
    #expect(back.message.hasPrefix("Ana hears me, I do not hear Ana."))
    #expect(back.command == "sudo ufw allow 47474/udp")
    let all = try finding(.oneWay) {
      $0.people = ["Ana", "Bo", "Cy"].map { .init(name: $0, hearsMe: false) }
    }
    #expect(all.message.hasPrefix("I hear Ana, Bo and Cy, none of them hears me."))
    let linked = findings {
      $0.people[0].hearsMe = false
      $0.people[0].isLinked = true
    }
    #expect(!linked.contains { $0.code == .oneWay })
    let unknown = findings { $0.people[0].hearsMe = nil }
    #expect(!unknown.contains { $0.code == .oneWay })
  }

  @Test func somebodyHeardWhoTakesNoConnectionIsNamed() throws {
    let found = try finding(.linkFails) {
      $0.people[0].linkFails = true
    }
    #expect(found.message.hasPrefix("Ana is heard, but takes no connection"))
  }

  @Test func aNetworkWithoutBroadcastsIsNamedWhenALinkProvesTheWay() throws {
    let found = try finding(.broadcastsLost) {
      $0.people = [.init(name: "Bo", isHeard: false, isLinked: true, hearsMe: false)]
    }
    #expect(found.severity == .note)
    #expect(found.message.hasPrefix("You are connected with Bo, but hear nobody by yourself"))
  }

  @Test(arguments: [
    (61, "Ana’s clock is 61 seconds ahead of this one."),
    (-720, "Ana’s clock is 12 minutes behind"),
    (7_200, "Ana’s clock is 2 hours ahead"), (-400_000, "Ana’s clock is 4 days behind"),
    (31_536_000, "Ana’s clock is 365 days ahead"),
  ])
  func aClockThatIsOffIsNamed(_ seconds: Int, _ start: String) throws {
    let found = try finding(.clockDifference) { $0.people[0].clockAhead = seconds }
    #expect(found.severity == .note)
    #expect(found.message.hasPrefix(start))
    #expect(!findings { $0.people[0].clockAhead = 60 }.contains { $0.code == .clockDifference })
  }

  @Test(arguments: [31_536_001, 1 << 48, -(1 << 48), Int.max, Int.min])
  func aClockThatShowsNoTimeIsCalledWrong(_ seconds: Int) throws {
    let found = try finding(.clockDifference) { $0.people[0].clockAhead = seconds }
    #expect(found.severity == .note)
    #expect(
      found.message
        == "The clock of Ana’s laptop, or of this one, is wrong. Games go on unharmed; the times that "
        + "are shown differ.")
  }

  @Test func anotherVersionIsNamedWithWhoNeedsWhat() throws {
    let newer = try finding(.versionNewer) { $0.strangers = [.init(name: "Cy", version: 9)] }
    #expect(newer.message == "Cy has a newer Tabletalk. Update yours to play together.")
    #expect(newer.because == "Cy’s speaks version 9, yours version 1.")
    let older = try finding(.versionOlder) { $0.strangers = [.init(name: "Cy", version: 0)] }
    #expect(older.message.hasPrefix("Cy has an older Tabletalk. Cy must update it"))
  }

  // MARK: Somebody who should be here

  private func wanted(
    _ outcome: NetworkFacts.Wanted.Outcome, near: Bool = true, gateway: String? = nil,
    others: [String] = [], people: [NetworkFacts.Person] = []
  ) -> Finding? {
    findings {
      $0.people = people
      $0.wanted = [
        .init(
          address: "10.77.0.12:47474", host: "10.77.0.12", port: 47_474, isNear: near,
          outcome: outcome, gateway: gateway, othersAnswer: others)
      ]
    }.first { $0.message.contains("10.77.0.12") || $0.because?.contains("10.77.0.12") == true }
  }

  private let apart =
    "This Wi-Fi keeps devices apart, no program can cross it. Use a phone hotspot, a cable or a VPN "
    + "address."

  @Test func silenceWhereOnlyTheWayOutAnswersMeansThatDevicesAreKeptApart() {
    let found = wanted(.silent, gateway: "10.77.0.1")
    #expect(found?.code == .devicesKeptApart)
    #expect(found?.severity == .trouble)
    #expect(found?.message == apart)
    #expect(
      found?.because?.hasPrefix(
        "Of this network only its way out (10.77.0.1) answers, 10.77.0.12 does not.") == true)
  }

  @Test func aNetworkOnWhichOthersAnswerKeepsNobodyApart() {
    for found in [
      wanted(.silent, gateway: "10.77.0.1", others: ["10.77.0.13"]),
      wanted(.silent, gateway: "10.77.0.1", people: [.init(name: "Cy", host: "10.77.0.13")]),
    ] {
      #expect(found?.code == .peerSilent)
      #expect(found?.message.contains("while others on this network do") == true)
    }
    // Who was heard lately and is silent now speaks for nothing.
    let late = wanted(
      .silent, gateway: "10.77.0.1", people: [.init(name: "Bo", host: "10.77.0.12")])
    #expect(late?.code == .devicesKeptApart)
  }

  @Test func whoIsHeardByTheOtherKindOfAddressMayBeWhoAnswers() {
    let found = findings {
      $0.wanted = [
        .init(
          address: "[fe80::5%eth0]:1", host: "fe80::5%eth0", port: 1, isNear: true,
          outcome: .answers)
      ]
    }
    #expect(found.contains { $0.code == .peerAnswers })
    #expect(!found.contains { $0.code == .broadcastsLost })
    #expect(wanted(.answers)?.code == .broadcastsLost)
  }

  @Test func theAddressOfEverybodyIsNotCalledALaptop() {
    let found = wanted(.everybody)
    #expect(found?.code == .peerNoWay)
    #expect(
      found?.message.hasPrefix("10.77.0.12 is the address of everybody on a network, not of one")
        == true)
  }

  @Test func silenceWhereNobodyAnswersIsLeftOpen() {
    let found = wanted(.silent)
    #expect(found?.code == .peerSilent)
    #expect(found?.message.hasPrefix("Nobody answers at 10.77.0.12.") == true)
    #expect(found?.message.hasSuffix(apart) == true)
  }

  @Test(arguments: [
    (NetworkFacts.Wanted.Outcome.refuses, true, Finding.Code.peerRefuses, Finding.Severity.trouble),
    (.drops, true, .peerDrops, .trouble), (.drops, false, .peerDrops, .trouble),
    (
      .noWay(.init(name: "ENETUNREACH", text: "10.77.0.12 is unreachable")), false, .peerNoWay,
      .trouble
    ),
    (.answers, false, .peerAnswers, .ok), (.answers, true, .broadcastsLost, .note),
  ])
  func everyOutcomeHasASentence(
    _ outcome: NetworkFacts.Wanted.Outcome, _ near: Bool, _ code: Finding.Code,
    _ severity: Finding.Severity
  ) {
    let found = wanted(outcome, near: near)
    #expect(found?.code == code)
    #expect(found?.severity == severity)
  }

  @Test func aNodeThatDoesNotAnswerAndACopiedKeyAreNamed() throws {
    let silent = try finding(.notAnswering) { $0.node = .silent(process: 77) }
    #expect(silent.command == "kill 77")
    let copied = try finding(.sameKeyTwice) { $0.isKeyTwice = true }
    #expect(copied.severity == .trouble)
    #expect(try finding(.notRunning) { $0.node = .notRunning }.severity == .note)
  }
}

extension Finding.Severity {
  fileprivate var order: Int { Finding.Severity.allCases.firstIndex(of: self) ?? 0 }
}
