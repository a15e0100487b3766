import Discovery
import Testing

@testable import Sockets

private let up: UInt32 = 0x1
private let broadcasting: UInt32 = 0x2
private let loopback: UInt32 = 0x8
private let pointToPoint: UInt32 = 0x10
private let running: UInt32 = 0x40
private let multicasting = System.multicastFlag

private func interface(
  _ address: String, _ netmask: String, _ flags: UInt32, name: String = "if0"
) throws -> NetworkInterface {
  NetworkInterface(
    name: name, index: 7, address: try #require(IPAddress(address)),
    netmask: try #require(IPAddress(netmask)), flags: flags)
}

@Suite struct NetworkInterfaceTests {
  @Test(arguments: [
    ("192.168.1.5", "255.255.255.0", "192.168.1.255"),
    ("10.1.2.3", "255.0.0.0", "10.255.255.255"),
    ("172.16.5.9", "255.255.252.0", "172.16.7.255"),
    ("10.0.0.1", "255.255.255.252", "10.0.0.3"),
    ("192.168.1.5", "255.255.255.128", "192.168.1.127"),
    ("192.168.1.200", "255.255.255.128", "192.168.1.255"),
    ("203.0.113.7", "0.0.0.0", "255.255.255.255"),
    ("10.9.8.7", "255.255.0.255", "10.9.255.7"),
  ])
  func theBroadcastAddressFollowsFromTheNetmask(
    address: String, netmask: String, broadcast: String
  ) throws {
    let found = try interface(address, netmask, up | broadcasting | running)
    #expect(found.broadcast == IPAddress(broadcast))
    #expect(found.broadcastTarget == IPAddress(broadcast))
  }

  @Test func aNetworkTooSmallForABroadcastFallsBackToTheLimitedOne() throws {
    for netmask in ["255.255.255.254", "255.255.255.255"] {
      let found = try interface("10.0.0.1", netmask, up | broadcasting | running)
      #expect(found.broadcast == nil)
      #expect(found.broadcastTarget == .limitedBroadcast)
    }
  }

  @Test func nothingIsSentWhereNobodyCouldHear() throws {
    let mask = "255.255.255.0"
    #expect(try interface("10.0.0.1", mask, broadcasting | running).broadcastTarget == nil)
    #expect(try interface("10.0.0.1", mask, up | broadcasting).broadcastTarget == nil)
    #expect(try interface("10.0.0.1", mask, up | running).broadcastTarget == nil)
    let tunnel = try interface("10.0.0.1", mask, up | running | broadcasting | pointToPoint)
    #expect(tunnel.broadcastTarget == nil)
  }

  @Test func everyLengthOfNetworkHasItsBroadcast() throws {
    let number: UInt32 = 0x0a6f_1234
    for length in 0...30 as ClosedRange<UInt32> {
      let mask = length == 0 ? 0 : UInt32.max << (32 - length)
      let found = NetworkInterface(
        name: "if0", index: 7, address: .v4(number), netmask: .v4(mask),
        flags: up | broadcasting | running)
      #expect(found.broadcastTarget == .v4(number | ~mask))
      #expect(found.reaches(.v4(number ^ (length == 32 ? 0 : 1))))
      #expect(length == 0 || !found.reaches(.v4(number ^ 0x8000_0000)))
    }
  }

  @Test func byIPv6AGroupHearsWhereTheLinkCarriesIt() throws {
    let flags = up | running | multicasting
    let link = try interface("fe80::1%if0", "::", flags)
    #expect(link.broadcastTarget == .beaconGroup)
    #expect(try interface("fe80::1%if0", "::", up | multicasting).broadcastTarget == nil)
    #expect(try interface("fe80::1%if0", "::", running | multicasting).broadcastTarget == nil)
    #expect(try interface("fe80::1%if0", "::", up | running).broadcastTarget == nil)
    #expect(try interface("fe80::1%if0", "::", flags | pointToPoint).broadcastTarget == nil)
    #expect(try interface("fe80::1%if0", "::", flags | loopback).broadcastTarget == nil)
    // The link-local address alone is sent from: one datagram for each link.
    #expect(try interface("2001:db8::1", "::", flags).broadcastTarget == nil)
    #expect(link.reaches(try #require(IPAddress("fe80::2%if0"))))
    #expect(!link.reaches(try #require(IPAddress("fe80::2%if1"))))
    #expect(!link.reaches(try #require(IPAddress("10.0.0.1"))))
  }

  @Test func theGroupIsATransientOneOfTheLink() {
    // RFC 4291, 2.7: T set, scope 2; RFC 3307, 4.3: the first bit of the group's number set.
    #expect(IPAddress.beaconGroup.description == "ff12::d454:6231")
  }

  @Test(arguments: [
    ("eth0", InterfaceKind.wired), ("en0", .wired), ("tun0", .tunnel), ("utun3", .tunnel),
    ("wg0", .tunnel), ("docker0", .virtual), ("br-1a2b3c", .virtual), ("veth12ab", .virtual),
    ("vboxnet0", .virtual), ("bridge100", .virtual),
  ])
  func withoutOtherFactsTheNameTellsTheKind(name: String, kind: InterfaceKind) throws {
    let flags = up | running | broadcasting | multicasting
    #expect(try interface("10.0.0.1", "255.0.0.0", flags, name: name).kind == kind)
  }

  @Test func whatTheSystemSaysOfAnAdapterCountsMore() {
    func kind(_ name: String, _ facts: System.AdapterFacts) -> InterfaceKind {
      .of(name: name, isLoopback: false, isPointToPoint: false, facts: facts)
    }
    // A bridge with a card below it is how some people are connected.
    #expect(kind("br0", .init(isKnown: true, hasCard: true)) == .wired)
    #expect(kind("office", .init(isKnown: true, isTunnel: true)) == .tunnel)
    #expect(kind("x", .init(isKnown: true, hasCard: true, isWireless: true)) == .wifi)
    #expect(kind("eth0", .init(isKnown: true)) == .virtual)
    #expect(
      InterfaceKind.of(name: "eth0", isLoopback: false, isPointToPoint: true, facts: .init())
        == .tunnel)
  }

  @Test func loopbackReachesEveryNodeOfThisHost() throws {
    let found = try interface("127.0.0.1", "255.0.0.0", up | running | loopback)
    #expect(found.broadcastTarget == .loopbackBroadcast)
  }

  @Test func thisHostHasALoopback() throws {
    let found = try #require(
      try NetworkInterface.all().first { $0.address == .loopback })
    #expect(found.name == loopbackName)
    #expect(found.isLoopback && found.isUp && found.kind == .loopback)
    #expect(found.index > 0)
    #expect(found.netmask == IPAddress("255.0.0.0"))
  }

  @Test func theFilterKnowsItsInterfacesByNameNumberAndAddress() throws {
    let loopback = try #require(try NetworkInterface.all().first { $0.address == .loopback })
    #expect(loopbackOnly.allows(index: loopback.index))
    #expect(!loopbackOnly.allows(index: 4_000_000))
    #expect(loopbackOnly.allows(local: .loopback))
    #expect(loopbackOnly.isLoopbackOnly)
    #expect(loopbackOnly.allows(sendingTo: Address(host: .loopback, port: 9)))
    let nearby = try #require(Address("[fe80::1%\(loopbackName)]:9"))
    #expect(loopbackOnly.allows(sendingTo: nearby) && loopbackOnly.allows(local: nearby.host))
    let far = try #require(Address("[fe80::1%nosuch0]:9"))
    #expect(!loopbackOnly.allows(sendingTo: far) && !loopbackOnly.allows(local: far.host))
    #expect(!loopbackOnly.allows(sendingTo: Address(host: .v4(0xc000_0201), port: 9)))
    #expect(!loopbackOnly.allows(sendingTo: try #require(Address("[2001:db8::1]:9"))))
    let other = InterfaceFilter(names: ["nosuch0"])
    #expect(!other.allows(index: loopback.index))
    #expect(!other.allows(local: .loopback))
    #expect(!other.allows(sendingTo: Address(host: .loopback, port: 9)))
    #expect(InterfaceFilter().allows(index: 4_000_000))
    #expect(!InterfaceFilter().isLoopbackOnly)
  }

  @Test func aMonitorReportsOnlyChanges() throws {
    let bench = Bench(0)
    let monitor = try bench.on { _ in
      Kept(
        try InterfaceMonitor(filter: loopbackOnly, queue: bench.queue) { _ in
          bench.note { $0 += 1 }
        })
    }
    try bench.on { count in
      try monitor.value.refresh()
      try monitor.value.refresh()
      #expect(count == 0)
      #expect(monitor.value.interfaces.map(\.name).allSatisfy { $0 == loopbackName })
      monitor.value.close()
    }
  }
}

/// Carries something that is used on one queue only.
struct Kept<Value>: @unchecked Sendable {
  let value: Value
  init(_ value: Value) { self.value = value }
}
