import CBOR
import Testing
import Wire

@testable import Discovery

@Suite struct CrowdTests {
  private static let signers = (0...255).map { Signer($0) }

  private func hear(
    _ roster: inout Roster, _ number: Int, from host: UInt32, at now: UInt64,
    sequence: UInt64 = 1, friends: [PublicKey] = []
  ) throws -> Hearing {
    let beacon = CrowdTests.signers[number].beacon(sequence: sequence)
    return take(try beacon.verified(by: Ed25519()), &roster, host, now, friends)
  }

  private func take(
    _ beacon: Verified<Beacon>, _ roster: inout Roster, _ host: UInt32, _ now: UInt64,
    _ friends: [PublicKey] = []
  ) -> Hearing {
    let source = Address(host: .v4(host), port: 50_000)
    return roster.hear(
      beacon, by: .datagram(from: source, linkPort: beacon.body.linkPort, on: "eth0"),
      told: Told(settled: 0, isSent: true, wall: 0), friends: friends, at: now)
  }

  @Test func `many identities of one laptop leave room, except for friends`() throws {
    var roster = Roster(me: Signer(0).key)
    for number in 1...40 {
      let hearing = try hear(&roster, number, from: 7, at: 1)
      #expect(hearing == (number <= Roster.capacityPerAddress ? .new : .full))
    }
    #expect(roster.isCrowded(at: .v4(7)) && !roster.isCrowded(at: .v4(8)))
    #expect(try hear(&roster, 41, from: 8, at: 2) == .new)
    #expect(try hear(&roster, 42, from: 7, at: 2, friends: [Signer(42).key]) == .new)
    // Who is here already is heard on.
    #expect(try hear(&roster, 1, from: 7, at: 3, sequence: 2) == .same)
    // And who was refused gets in when there is room.
    roster.saidGoodbye(Signer(1).key)
    roster.saidGoodbye(Signer(2).key)
    #expect(try hear(&roster, 40, from: 7, at: 4, sequence: 2) == .new)
  }

  @Test func `nodes on this laptop are not counted`() throws {
    var roster = Roster(me: Signer(0).key)
    for number in 1...40 { #expect(try hear(&roster, number, from: 0x7f00_0001, at: 1) == .new) }
  }

  @Test func `in a full roster the most crowded address makes room`() throws {
    var roster = Roster(me: PublicKey(raw: .zero))
    // Fifteen at each of seventeen addresses, and one more.
    for number in 0...254 {
      let hearing = try hear(&roster, number, from: UInt32(number / 15) + 1, at: UInt64(number) + 1)
      #expect(hearing == .new)
    }
    let extra = Extra.all
    #expect(take(try extra[0].verified(by: Ed25519()), &roster, 99, 300) == .new)
    #expect(roster.neighbours.count == Roster.capacity)
    #expect(take(try extra[1].verified(by: Ed25519()), &roster, 98, 301) == .new)
    #expect(roster.neighbours.count == Roster.capacity)
    // Heard longest ago at the first of the most crowded addresses.
    #expect(roster[Signer(0).key] == nil && roster[Signer(1).key] != nil)
    // One of a crowd itself finds no room, unless it is a friend.
    let third = try extra[2].verified(by: Ed25519())
    #expect(take(third, &roster, 2, 302) == .full)
    let again = try Extra.beacon(2, sequence: 2).verified(by: Ed25519())
    #expect(take(again, &roster, 2, 303, [again.body.identity]) == .new)
    #expect(roster.neighbours.count == Roster.capacity)
  }

  /// Others tell of somebody at an address of his own.
  private func tell(
    _ roster: inout Roster, _ number: Int, by introducer: Int, at now: UInt64,
    sequence: UInt64 = 1, friends: [PublicKey] = []
  ) throws -> Hearing {
    let address = Address(host: .v4(0x0a09_0000 + UInt32(number)), port: 47_474)
    return roster.hear(
      try CrowdTests.signers[number].beacon(sequence: sequence).verified(by: Ed25519()),
      by: .introduced(by: CrowdTests.signers[introducer].key, at: address),
      told: Told(settled: 0, isSent: true, wall: 0), friends: friends, at: now)
  }

  @Test func `whom others only tell of takes no place of anybody who is heard`() throws {
    var roster = Roster(me: PublicKey(raw: .zero))
    // One introducer tells of three, another of all the others.
    for number in 0...255 {
      let by = number < 3 ? 200 : 201
      #expect(try tell(&roster, number, by: by, at: UInt64(number) + 1) == .new)
    }
    #expect(roster.neighbours.count == Roster.capacity)
    let extra = Extra.all
    #expect(take(try extra[0].verified(by: Ed25519()), &roster, 7, 300) == .new)
    #expect(roster.neighbours.count == Roster.capacity)
    #expect(roster[Signer(0).key] != nil && roster[Signer(3).key] == nil, "of the many, the oldest")
    // Nor is the share of an address used up by hearsay.
    for number in 0..<Roster.capacityPerAddress {
      let beacon = Extra.beacon(10 + number, sequence: 1)
      let hearing = take(try beacon.verified(by: Ed25519()), &roster, 0x0a09_0001, 301)
      #expect(hearing == .new)
    }
    #expect(roster.neighbours.count == Roster.capacity)
  }

  @Test func `in a list of people who are heard there is no room for hearsay`() throws {
    var roster = Roster(me: PublicKey(raw: .zero))
    for number in 0...239 {
      let hearing = try hear(&roster, number, from: UInt32(number / 15) + 1, at: UInt64(number) + 1)
      #expect(hearing == .new)
    }
    for number in 240...254 { #expect(try tell(&roster, number, by: 0, at: 300) == .new) }
    #expect(try hear(&roster, 255, from: 99, at: 301) == .new)
    let first = Extra.all[0]
    #expect(take(try first.verified(by: Ed25519()), &roster, 98, 302) == .new)
    #expect(roster.neighbours.count { !$0.isHeard } == 14)
    for number in 0..<14 {
      let beacon = Extra.beacon(20 + number, sequence: 1)
      #expect(take(try beacon.verified(by: Ed25519()), &roster, 200 + UInt32(number), 303) == .new)
    }
    #expect(roster.neighbours.allSatisfy(\.isHeard) && roster.neighbours.count == Roster.capacity)
    #expect(try tell(&roster, 254, by: 0, at: 304, sequence: 2) == .full)
    // A friend is more than a stranger, by whatever way.
    let friend = CrowdTests.signers[253].key
    #expect(try tell(&roster, 253, by: 0, at: 305, sequence: 2, friends: [friend]) == .new)
  }

  @Test func `counters of those are never forgotten`() throws {
    var roster = Roster(me: PublicKey(raw: .zero))
    let ana = Signer(1)
    let goodbye = ana.beacon(sequence: 1, period: 0)
    _ = take(try ana.beacon(sequence: 2).verified(by: Ed25519()), &roster, 1, 1)
    for number in 0..<2_000 {
      let beacon = Extra.beacon(number, sequence: 1)
      _ = take(try beacon.verified(by: Ed25519()), &roster, 2, 2)
    }
    #expect(take(try goodbye.verified(by: Ed25519()), &roster, 1, 3) == .replayed)
    #expect(roster[ana.key] != nil)
  }

  /// Beacons of signers beyond the 256 that one byte names.
  private enum Extra {
    static let all = (0..<3).map { beacon($0, sequence: 1) }

    static func beacon(_ number: Int, sequence: UInt64) -> Beacon {
      Signer(seed: Digest(.state, .unsigned(UInt64(number))).raw.bytes).beacon(sequence: sequence)
    }
  }
}
