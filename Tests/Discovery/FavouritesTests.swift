import CBOR
import Testing
import Wire

@testable import Discovery

/// Whom to ask for, and what is kept (`Protocol/discovery.md`, "Favourites").
@Suite struct `People with a star` {
  private func key(_ number: Int) throws -> PublicKey {
    try #require(PublicKey([UInt8(number)] + [UInt8](repeating: 7, count: 31)))
  }

  private func person(_ number: Int, addresses: Int = 1) throws -> Favourite {
    let hosts = (0..<addresses).map { IPAddress.v4(0x0a00_0000 + UInt32(number * 256 + $0)) }
    return Favourite(key: try key(number), name: "Bo \(number)", addresses: hosts)
  }

  @Test func `are asked for sixteen a round, four datagrams a second, going round`() throws {
    var favourites = Favourites(try (0..<40).map { try person($0, addresses: 4) })
    var asked: [(address: IPAddress, at: UInt64)] = []
    var now: UInt64 = 0
    while now < 115_000 {
      guard let due = favourites.dueAt else { break }
      if now >= due {
        asked += favourites.due(at: now, noise: 0) { _ in true }.map { ($0, now) }
      }
      now += 10
    }
    // A round is 64 datagrams; the shortest pause is 24 s.
    #expect(asked.count == 5 * 64)
    for (index, one) in asked.enumerated() where index + 4 < asked.count {
      #expect(asked[index + 4].at >= one.at + 1_000)
    }
    #expect(Set(asked.prefix(64).map(\.address)).count == 64)
    #expect(Set(asked.prefix(3 * 64).map(\.address)).count == 160, "all forty in three rounds")
    #expect(asked.prefix(16).allSatisfy { $0.address.v4.map { $0 % 256 == 0 } ?? false })
    #expect(asked[64].at >= 24_000)
  }

  @Test func `who are here are not asked for, even when their turn was near`() throws {
    var favourites = Favourites(try (0..<8).map { try person($0, addresses: 2) })
    let here = try key(5)
    let first = favourites.due(at: 0, noise: 0) { _ in true }
    #expect(first.count == 4)
    var asked: [IPAddress] = []
    for now in stride(from: 1_000 as UInt64, to: 20_000, by: 1_000) {
      asked += favourites.due(at: now, noise: 0) { $0 != here }
    }
    #expect(asked.count == 10)
    #expect(!asked.contains { $0.v4.map { $0 >> 8 == 0x0a_0005 } ?? false })
    let nobody = favourites.due(at: 60_000, noise: 0) { _ in false }
    #expect(nobody.isEmpty)
    #expect(favourites.dueAt == 84_000)
    favourites.hurry(at: 61_000)
    #expect(favourites.dueAt == 61_000)
  }

  @Test func `without an address are not asked for`() throws {
    var favourites = Favourites([try person(1, addresses: 0)])
    #expect(favourites.dueAt == nil)
    let asked = favourites.due(at: 0, noise: 0) { _ in true }
    #expect(asked == [])
  }

  @Test func `keep four addresses, newest first, that mean the same everywhere`() throws {
    var row = try person(1, addresses: 4)
    let old = row.addresses
    for text in ["127.0.0.1", "fe80::1%eth0", "0.0.0.0", "255.255.255.255", "::1", "ff02::1"] {
      let isNews = row.note(name: "Bo 1", at: IPAddress(text))
      #expect(!isNews)
    }
    #expect(row.addresses == old)
    let isReordered = row.note(name: "Bo 1", at: old[2])
    #expect(isReordered)
    #expect(row.addresses == [old[2], old[0], old[1], old[3]])
    let new = try #require(IPAddress("2001:db8::5"))
    let isAdded = row.note(name: "Bo 1", at: new)
    #expect(isAdded)
    #expect(row.addresses == [new, old[2], old[0], old[1]])
    let isRenamed = row.note(name: "Bob", at: nil)
    #expect(isRenamed)
    #expect(Favourite(rowKey: row.rowKey, row: row.row) == row)
  }

  @Test func `are written when there is news, once a minute at most`() throws {
    var favourites = Favourites()
    favourites.add(try person(1), at: 0)
    func note(_ host: UInt32, _ now: UInt64) throws -> Favourite? {
      favourites.note(try key(1), name: "Bo 1", at: .v4(host), now: now)
    }
    let same = try note(0x0a00_0100, 90_000)
    let moved = try note(0x0a00_0009, 90_000)
    #expect(same == nil && moved?.addresses.first == .v4(0x0a00_0009))
    let (soon, sooner) = (try note(0x0a00_0008, 100_000), try note(0x0a00_0008, 149_999))
    #expect(soon == nil && sooner == nil)
    let later = try note(0x0a00_0008, 150_000)
    #expect(later?.addresses.first == .v4(0x0a00_0008))
    let last = try note(0x0a00_0007, 151_000)
    #expect(last == nil)
    let unwritten = favourites.takeUnwritten()
    let hosts: [UInt32] = [0x0a00_0007, 0x0a00_0008, 0x0a00_0009, 0x0a00_0100]
    #expect(unwritten.map(\.addresses) == [hosts.map { .v4($0) }])
    let none = favourites.takeUnwritten()
    #expect(none == [])
    let stranger = favourites.note(try key(2), name: "Cy", at: nil, now: 300_000)
    #expect(stranger == nil)
  }

  @Test func `that are damaged on the disk are not read`() throws {
    let good = try person(1, addresses: 2)
    func read(_ value: CBOR) -> Favourite? {
      Favourite(rowKey: good.rowKey, row: value.encoded)
    }
    #expect(read([.text("Bo"), .array([.text("10.0.0.1")])]) != nil)
    #expect(read([.text("Bo"), .array([])]) != nil)
    let bad: [CBOR] = [
      .null, .text("Bo"), [.text("Bo")], [.text("Bo"), .null, .null],
      [.text("B"), .array([])], [.text("Bo\n"), .array([])],
      [.text(String(repeating: "b", count: 25)), .array([])], [.bytes([1]), .array([])],
      [.text("Bo"), .array([.text("10.0.0.256")])], [.text("Bo"), .array([.text("127.0.0.1")])],
      [.text("Bo"), .array([.text("fe80::1")])], [.text("Bo"), .array([.text("255.255.255.255")])],
      [.text("Bo"), .array([.text("ff02::1")])], [.text("Bo"), .array([.bytes([10, 0, 0, 1])])],
      [.text("Bo"), .array([CBOR](repeating: .text("10.0.0.1"), count: 5))],
    ]
    for value in bad { #expect(read(value) == nil, "\(value)") }
    for count in good.row.indices {
      #expect(Favourite(rowKey: good.rowKey, row: Array(good.row.prefix(count))) == nil)
    }
    #expect(Favourite(rowKey: good.rowKey.dropLast() + [], row: good.row) == nil)
    #expect(Favourite(rowKey: good.rowKey + [0], row: good.row) == nil)
    #expect(Favourite(rowKey: Array("name".utf8), row: good.row) == nil)
  }

  @Test func `are 64 at the most, each once`() throws {
    let all = try (0..<200).map { try person($0) }
    var favourites = Favourites(all + all)
    #expect(favourites.rows.count == 64)
    #expect(favourites.isFull)
    #expect(favourites.rows.map(\.key) == favourites.rows.map(\.key).sorted())
    let third = try key(3)
    let (isGone, isGoneAgain) = (favourites.remove(third), favourites.remove(third))
    #expect(isGone && !isGoneAgain)
    #expect(!favourites.isFull)
  }
}
