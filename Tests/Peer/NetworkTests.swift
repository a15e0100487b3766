import Consensus
import Discovery
import Table
import Testing
import Wire

@testable import Peer

@Suite struct NetworkTests {
  private func address(_ text: String) throws -> Address { try #require(Address(text)) }

  @Test func aLookAtTheMachineIsAskedForOnceAtATime() throws {
    var peer = try Laptop.alone()
    let first = peer.ask(.checkNetwork, "one")
    #expect(first.contains { if case .lookAtMachine = $0 { true } else { false } })
    let second = peer.ask(.checkNetwork, "two")
    #expect(!second.contains { $0.isLook })
    #expect(peer.networkView.checking)
    #expect(!peer.networkView.checked)
    var seen = NetworkFacts.Machine()
    seen.firewalls = [.init(.ufw, discovery: .dropped, links: .open)]
    // Who asked meanwhile may have mended what the first look saw.
    #expect(peer.step(.machine(.init()), at: peer.now, shown: 0).contains { $0.isLook })
    #expect(peer.networkView.checking)
    #expect(!peer.step(.machine(seen), at: peer.now, shown: 0).contains { $0.isLook })
    #expect(!peer.networkView.checking)
    #expect(peer.networkView.findings.contains { $0.code == .firewallDrops })
    let third = peer.ask(.checkNetwork, "three")
    #expect(third.contains { if case .lookAtMachine = $0 { true } else { false } })
  }

  @Test func beingAloneOnANetworkIsNoWarning() throws {
    var peer = try Laptop.alone()
    _ = peer.step(
      .interfaces([
        InterfaceView(
          name: "eth0", address: "10.77.0.5", broadcast: "10.77.0.255", sends: true, lastError: nil)
      ]), at: peer.now, shown: 0)
    #expect(peer.networkView.warning == nil)
    _ = peer.step(.machine(.init()), at: peer.now, shown: 0)
    #expect(peer.networkView.warning == nil)
    #expect(peer.networkView.findings.contains { $0.code == .nobodyHeard })
  }

  @Test func anAddressThatFailedIsTriedByTheNextLook() throws {
    var peer = try Laptop.alone()
    let bo = try address("10.77.0.12:47474")
    _ = peer.step(.dialFailed(bo), at: peer.now, shown: 0)
    let effects = peer.ask(.checkNetwork, "one")
    let wanted = effects.compactMap {
      if case .lookAtMachine(let wanted) = $0 { wanted } else { nil }
    }
    #expect(wanted == [[bo]])
  }

  private let card = InterfaceView(
    name: "eth0", address: "10.77.0.5", broadcast: "10.77.0.255", sends: true, lastError: nil)

  @Test func whoHearsNobodyLooksAtTheLaptopUnaskedAndAgainWhileSomethingIsWrong() throws {
    var peer = try Laptop.alone()
    #expect(peer.looks(after: 60_000) == 0)  // On no network nothing can be heard.
    _ = peer.step(.interfaces([card]), at: peer.now, shown: 0)
    #expect(peer.looks(after: 9_000) == 0)
    #expect(peer.looks(after: 2_000) == 1)
    var seen = NetworkFacts.Machine()
    seen.firewalls = [.init(.nftables, discovery: .dropped, links: .open)]
    _ = peer.step(.machine(seen), at: peer.now, shown: 0)
    #expect(peer.networkView.warning?.code == "firewallDrops")
    #expect(peer.looks(after: 61_000) == 1)
    _ = peer.step(.machine(.init()), at: peer.now, shown: 0)
    #expect(peer.networkView.warning == nil)
    #expect(peer.looks(after: 300_000) == 0)
  }

  @Test func beforeANameIsSaidNothingIsLookedAt() throws {
    var peer = try Laptop.alone(named: nil)
    _ = peer.step(.interfaces([card]), at: peer.now, shown: 0)
    #expect(peer.looks(after: 60_000) == 0)
  }

  @Test func anAddressThatAPersonAskedForInVainIsAReasonToLook() throws {
    var peer = try Laptop.alone()
    let bo = try address("10.77.0.12:47474")
    _ = peer.ask(.join("48213@\(bo)"), "join")
    let effects = peer.step(.dialFailed(bo), at: peer.now, shown: 0)
    #expect(
      effects.contains { if case .lookAtMachine(let wanted) = $0 { wanted == [bo] } else { false } }
    )
  }
}

extension Laptop {
  /// A node with a name on no network yet.
  fileprivate static func alone(named name: String? = "Ana") throws -> Peer {
    let me = PublicKey(raw: Digest(ofBytes: [7]).raw)
    let setup = Peer.Setup(
      identity: me, name: name, proposedName: nil, incarnation: 1, startedAt: 0,
      linkPort: 47_474, discoveryPort: 47_474, peers: [], seed: .zero)
    return Peer(
      setup: setup, rows: StoredRows(node: [], tables: [], log: [], drafts: []), now: 0)
  }
}

extension Peer {
  fileprivate mutating func ask(_ command: Command, _ id: String) -> [PeerEffect] {
    guard let id = CommandID(id) else { return [] }
    return step(.command(command, id: id), at: now, shown: 0)
  }
}

extension Peer {
  /// How many looks at the machine are asked for in a time in which nothing happens.
  fileprivate mutating func looks(after time: Milliseconds) -> Int {
    let end = now + time
    var count = 0
    while now < end {
      for case .lookAtMachine in step(.tick, at: min(end, now + 500), shown: 0) { count += 1 }
    }
    return count
  }
}

extension PeerEffect {
  fileprivate var isLook: Bool { if case .lookAtMachine = self { true } else { false } }
}
