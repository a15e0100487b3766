import Testing

@testable import Discovery

/// Asking every address of the own subnets (PRODUCT "Look harder").
@Suite struct `Look harder` {
  private func subnet(_ address: String, _ prefix: Int) throws -> Subnet? {
    Subnet(around: try #require(IPAddress(address)?.v4), prefix: prefix)
  }

  @Test(
    arguments: [
      ("192.168.1.5", 24, "192.168.1.0/24", 253), ("192.168.1.5", 30, "192.168.1.4/30", 1),
      ("10.1.2.3", 22, "10.1.0.0/22", 1_021), ("10.1.7.3", 8, "10.1.4.0/22", 1_021),
      ("172.16.255.254", 23, "172.16.254.0/23", 509),
      ("255.255.255.254", 22, "255.255.252.0/22", 1_021),
      ("0.0.0.1", 0, "0.0.0.0/22", 1_021),
    ])
  func `asks all of a subnet but its ends and oneself, at most the /22 around`(
    address: String, prefix: Int, name: String, count: Int
  ) throws {
    let subnet = try #require(try subnet(address, prefix))
    #expect(subnet.description == name)
    #expect(subnet.hosts.count == count)
    let own = try #require(IPAddress(address)?.v4)
    #expect(!subnet.hosts.contains(own))
    let mask = UInt32.max << UInt32(32 - subnet.prefix)
    #expect(subnet.hosts.allSatisfy { $0 & mask == subnet.base && $0 != subnet.base })
    #expect(Set(subnet.hosts).count == count)
  }

  @Test(arguments: [31, 32, 33, -1])
  func `has nobody to ask where a subnet has no room for others`(prefix: Int) throws {
    #expect(try subnet("192.168.1.5", prefix) == nil)
    #expect(Sweep(of: [], at: 0) == nil)
  }

  @Test func `asks fifty a second, each once, and waits for the last answers`() throws {
    let subnet = try #require(try subnet("192.168.1.5", 24))
    var sweep = try #require(Sweep(of: [subnet, subnet], at: 1_000))
    #expect(sweep.count == 253)
    var asked: [(host: UInt32, at: UInt64)] = []
    var now: UInt64 = 1_000
    while sweep.endedAt == nil, now < 60_000 {
      asked += sweep.due(at: now).map { ($0, now) }
      now += 7  // Called more often than there is something to do.
    }
    #expect(asked.map(\.host) == subnet.hosts)
    for (index, one) in asked.enumerated() where index + 55 < asked.count {
      #expect(asked[index + 55].at >= one.at + 1_000, "never more than 55 within a second")
    }
    let last = try #require(asked.last?.at)
    #expect(last <= 1_000 + 253 * 20 + 400)
    #expect(sweep.endedAt.map { $0 >= last + Sweep.lastAnswers } == true)
    #expect(!sweep.mayRepeat(at: now))
    #expect(sweep.mayRepeat(at: now + Sweep.rest))
  }

  @Test func `does not make up for time in which the laptop stood still`() throws {
    let subnet = try #require(try subnet("10.0.0.1", 24))
    var sweep = try #require(Sweep(of: [subnet], at: 0))
    #expect(sweep.due(at: 0).count == 5)
    #expect(sweep.due(at: 50).isEmpty)
    #expect(sweep.due(at: 60_000).count == 5)
    sweep.stop(at: 60_001)
    #expect(sweep.due(at: 70_000).isEmpty)
    #expect(sweep.asked == 10)
  }
}
