import CBOR
import Testing
import Wire

@testable import Discovery

@Suite struct RosterTests {
  let ana = Signer(1)
  let bo = Signer(2)
  let place = Address(host: .v4(0x0a00_0001), port: 50_000)
  let other = Address(host: .v4(0x0a00_0002), port: 50_000)

  private func hear(
    _ roster: inout Roster, _ beacon: Beacon, from source: Address? = nil, at now: UInt64,
    told: Told = Told(settled: 0, isSent: true, wall: 1_800_000_000_000)
  ) throws -> Hearing {
    roster.hear(
      try beacon.verified(by: Ed25519()),
      by: .datagram(from: source ?? place, linkPort: beacon.linkPort, on: "eth0"), told: told,
      at: now)
  }

  private func expire(_ roster: inout Roster, at now: UInt64) -> [PublicKey] {
    roster.expire(at: now).gone
  }

  @Test func `a peer is its key, not its address`() throws {
    var roster = Roster(me: ana.key)
    #expect(try hear(&roster, bo.beacon(sequence: 1), at: 0) == .new)
    #expect(try hear(&roster, bo.beacon(sequence: 2), from: other, at: 10) == .changed)
    #expect(roster.neighbours.count == 1)
    #expect(roster[bo.key]?.paths.map(\.address.host) == [place.host, other.host])
    #expect(roster[bo.key]?.address == Address(host: place.host, port: 47_474))
  }

  @Test func `one beacon by two ways is two paths of one row`() throws {
    var roster = Roster(me: ana.key)
    #expect(try hear(&roster, bo.beacon(), at: 0) == .new)
    #expect(try hear(&roster, bo.beacon(), from: other, at: 3) == .duplicate)
    #expect(roster[bo.key]?.paths.count == 2)
    #expect(try hear(&roster, bo.beacon(), from: Address("10.0.0.9:1"), at: 2_000) == .duplicate)
    #expect(roster[bo.key]?.paths.count == 2, "later it is a recorded one")
  }

  @Test func `the interfaces where somebody is heard by IPv6 only are known`() throws {
    var roster = Roster(me: ana.key)
    let onLink = try #require(Address("[fe80::1%wlan0]:50000"))
    #expect(try hear(&roster, bo.beacon(), from: onLink, at: 0) == .new)
    #expect(roster[bo.key]?.address == Address("[fe80::1%wlan0]:47474"))
    #expect(roster.zonesWithoutIPv4(at: 1) == ["wlan0"])
    // The same beacon by IPv4 as well: nobody needs the other any more.
    #expect(try hear(&roster, bo.beacon(), from: place, at: 2) == .duplicate)
    #expect(roster.zonesWithoutIPv4(at: 3) == [])
    #expect(roster.zonesWithoutIPv4(at: 1_000_000) == [])
  }

  @Test func `a dial that fails leads to the next path, and round again`() throws {
    var roster = Roster(me: ana.key)
    _ = try hear(&roster, bo.beacon(), at: 0)
    _ = try hear(&roster, bo.beacon(), from: other, at: 3)
    let first = try #require(roster[bo.key]?.address)
    #expect(roster.dialFailed(first, at: 10) == true)
    let second = try #require(roster[bo.key]?.address)
    #expect(second != first)
    #expect(roster.dialFailed(first, at: 11) == false)
    #expect(roster.dialFailed(second, at: 12) == true)
    #expect(roster[bo.key]?.address == first)
    _ = try hear(&roster, bo.beacon(sequence: 2), from: other, at: 20)
    #expect(roster[bo.key]?.address == second, "what was heard since is sound")
  }

  @Test func `a path in use that misses two beacons is left`() throws {
    var roster = Roster(me: ana.key)
    _ = try hear(&roster, bo.beacon(sequence: 1), at: 0)
    _ = try hear(&roster, bo.beacon(sequence: 1), from: other, at: 3)
    _ = try hear(&roster, bo.beacon(sequence: 2), from: other, at: 10_000)
    #expect(roster[bo.key]?.address.host == place.host)
    _ = try hear(&roster, bo.beacon(sequence: 3), from: other, at: 20_000)
    #expect(roster[bo.key]?.address.host == other.host)
    #expect(expire(&roster, at: 31_000).isEmpty)
    #expect(roster[bo.key]?.paths.count == 1)
  }

  @Test func `a path found by introduction gives way to one that is heard`() throws {
    var roster = Roster(me: ana.key)
    let told = Told(settled: 0, isSent: true, wall: 0)
    let place = Address(host: place.host, port: 47_474)
    let cy = Signer(3).key
    let beacon = try bo.beacon().verified(by: Ed25519())
    #expect(
      roster.hear(beacon, by: .introduced(by: cy, at: place), told: told, at: 0) == .new)
    #expect(roster[bo.key]?.path?.how == .introduced(by: cy))
    #expect(roster.heardMarks(at: 1).isEmpty)
    #expect(roster.heardOnLink(bo.key, at: 5) == true)
    #expect(roster[bo.key]?.path?.how == .link)
    _ = try hear(&roster, bo.beacon(sequence: 2), at: 9)
    #expect(roster[bo.key]?.path?.how == .datagram)
    #expect(roster.heardMarks(at: 10) == [KeyMark(bo.key)])
    let again = try bo.beacon(sequence: 3).verified(by: Ed25519())
    _ = roster.hear(again, by: .introduced(by: cy, at: place), told: told, at: 20)
    #expect(roster[bo.key]?.path?.how == .datagram)
  }

  @Test func `made-up paths stay bounded, and never push out the one in use`() throws {
    var roster = Roster(me: ana.key)
    _ = try hear(&roster, bo.beacon(), at: 0)
    for number in 0..<500 as Range<UInt32> {
      let liar = Address(host: .v4(number), port: 1)
      _ = try hear(&roster, bo.beacon(), from: liar, at: 1)
    }
    #expect(roster[bo.key]?.paths.count == Neighbour.mostPaths)
    #expect(roster[bo.key]?.address.host == place.host)
  }

  @Test func `a link that broke ends a row soon, unless something is heard`() throws {
    var roster = Roster(me: ana.key)
    _ = try hear(&roster, bo.beacon(sequence: 1), at: 0)
    let address = try #require(roster[bo.key]?.address)
    roster.linkBroke(bo.key, path: address, at: 100)
    #expect(roster.hasDoubts)
    #expect(expire(&roster, at: 7_099).isEmpty)
    _ = try hear(&roster, bo.beacon(sequence: 2), at: 7_099)
    #expect(!roster.hasDoubts)
    #expect(expire(&roster, at: 10_000).isEmpty)
    roster.linkBroke(bo.key, path: address, at: 10_000)
    #expect(!roster.hasDoubts, "again so soon")
    _ = try hear(&roster, bo.beacon(sequence: 3), at: 30_000)
    roster.linkBroke(bo.key, path: address, at: 31_000)
    #expect(expire(&roster, at: 38_000) == [bo.key])
  }

  @Test func `time in which this laptop stood still ends no rows`() throws {
    var roster = Roster(me: ana.key)
    _ = try hear(&roster, bo.beacon(period: 2_000), at: 0)
    roster.stoodStill(for: 60_000)
    #expect(expire(&roster, at: 66_999).isEmpty)
    #expect(expire(&roster, at: 67_000) == [bo.key])
  }

  @Test func `a recorded beacon played again changes nothing`() throws {
    var roster = Roster(me: ana.key)
    #expect(try hear(&roster, bo.beacon(sequence: 5), at: 0) == .new)
    #expect(try hear(&roster, bo.beacon(sequence: 5), at: 1) == .duplicate)
    #expect(try hear(&roster, bo.beacon(sequence: 4), at: 2) == .replayed)
    #expect(try hear(&roster, bo.beacon(incarnation: 2, sequence: 1), at: 3) == .new)
    #expect(try hear(&roster, bo.beacon(sequence: 6), at: 4) == .replayed)
  }

  @Test func `recorded beacons of earlier runs are no second laptop`() throws {
    var roster = Roster(me: ana.key)
    let start: UInt64 = 1_800_000_000
    _ = try hear(&roster, bo.beacon(incarnation: 50, sequence: 1, clock: start), at: 0)
    // Three that were made before the run that is heard now, of one run and of several.
    for (number, run) in [49, 49, 49, 48, 48, 48].enumerated() {
      let old = bo.beacon(
        incarnation: UInt64(run), sequence: 7 + UInt64(number), clock: start + 1)
      #expect(try hear(&roster, old, at: 5_000 + 1_000 * UInt64(number)) == .replayed)
      #expect(roster[bo.key]?.isTwice == false)
    }
    // A run that goes on to speak beside it, whatever else is played between.
    for number in 0..<3 as Range<UInt64> {
      let other = bo.beacon(incarnation: 49, sequence: 20 + number, clock: start + 2 + number)
      let old = bo.beacon(incarnation: 40, sequence: 20 + number, clock: start - 9)
      _ = try hear(&roster, other, at: 20_000 + 2_000 * number)
      _ = try hear(&roster, old, at: 21_000 + 2_000 * number)
    }
    #expect(roster[bo.key]?.isTwice == true)
  }

  @Test func `three silent periods and a second end a row`() throws {
    var roster = Roster(me: ana.key)
    #expect(try hear(&roster, bo.beacon(period: 2_000), at: 100) == .new)
    #expect(expire(&roster, at: 7_099).isEmpty)
    #expect(expire(&roster, at: 7_100) == [bo.key])
  }

  @Test func `a goodbye ends a row at once and cannot be undone by a replay`() throws {
    var roster = Roster(me: ana.key)
    #expect(try hear(&roster, bo.beacon(sequence: 1), at: 0) == .new)
    #expect(try hear(&roster, bo.beacon(sequence: 2, period: 0), at: 1) == .gone)
    #expect(try hear(&roster, bo.beacon(sequence: 1), at: 2) == .replayed)
    #expect(try hear(&roster, bo.beacon(sequence: 2, period: 0), at: 3) == .duplicate)
    #expect(roster.neighbours.isEmpty)
  }

  @Test func `a goodbye on a link ends a row until a later beacon`() throws {
    var roster = Roster(me: ana.key)
    #expect(try hear(&roster, bo.beacon(sequence: 1), at: 0) == .new)
    roster.saidGoodbye(bo.key)
    #expect(roster.neighbours.isEmpty)
    #expect(try hear(&roster, bo.beacon(sequence: 1), at: 1) == .duplicate)
    #expect(roster.neighbours.isEmpty)
    #expect(try hear(&roster, bo.beacon(incarnation: 2, sequence: 1), at: 2) == .new)
  }

  @Test func `the own beacon is not a neighbour`() throws {
    var roster = Roster(me: ana.key)
    #expect(try hear(&roster, ana.beacon(), at: 0) == .own)
  }
}
