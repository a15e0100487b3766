import Testing

@testable import Sockets

private let up: UInt32 = 0x1
private let broadcasting: UInt32 = 0x2
private let loopback: UInt32 = 0x8
private let pointToPoint: UInt32 = 0x10
private let running: UInt32 = 0x40

private func interface(
  _ address: String, _ netmask: String, _ flags: UInt32
) throws -> NetworkInterface {
  NetworkInterface(
    name: "if0", index: 7, address: try #require(IPv4Address(address)),
    netmask: try #require(IPv4Address(netmask)), flags: flags)
}

@Suite struct NetworkInterfaceTests {
  @Test(arguments: [
    ("192.168.1.5", "255.255.255.0", "192.168.1.255"),
    ("10.1.2.3", "255.0.0.0", "10.255.255.255"),
    ("172.16.5.9", "255.255.252.0", "172.16.7.255"),
    ("10.0.0.1", "255.255.255.252", "10.0.0.3"),
  ])
  func theBroadcastAddressFollowsFromTheNetmask(
    address: String, netmask: String, broadcast: String
  ) throws {
    let found = try interface(address, netmask, up | broadcasting | running)
    #expect(found.broadcast == IPv4Address(broadcast))
    #expect(found.broadcastTarget == IPv4Address(broadcast))
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

  @Test func loopbackReachesEveryNodeOfThisHost() throws {
    let found = try interface("127.0.0.1", "255.0.0.0", up | running | loopback)
    #expect(found.broadcastTarget == .loopbackBroadcast)
  }

  @Test func thisHostHasALoopback() throws {
    let found = try #require(
      try NetworkInterface.all().first { $0.address == .loopback })
    #expect(found.name == loopbackName)
    #expect(found.isLoopback && found.isUp)
    #expect(found.index > 0)
    #expect(found.netmask == IPv4Address("255.0.0.0"))
  }

  @Test func theFilterKnowsItsInterfacesByNameNumberAndAddress() throws {
    let loopback = try #require(try NetworkInterface.all().first { $0.address == .loopback })
    #expect(loopbackOnly.allows(index: loopback.index))
    #expect(!loopbackOnly.allows(index: 4_000_000))
    #expect(loopbackOnly.allows(local: .loopback))
    #expect(loopbackOnly.isLoopbackOnly)
    #expect(loopbackOnly.allows(sendingTo: Endpoint(.loopback, port: 9)))
    let other = InterfaceFilter(names: ["nosuch0"])
    #expect(!other.allows(index: loopback.index))
    #expect(!other.allows(local: .loopback))
    #expect(!other.allows(sendingTo: Endpoint(.loopback, port: 9)))
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
