import CBOR
import Testing
import TestSupport
import Wire

@testable import Discovery

/// Protocol/vectors/beacon.json, which a second implementation made.
private struct BeaconVectors: Decodable {
  struct Accepted: Decodable {
    let name: String
    let datagram: String
    let beacon: Content
  }

  struct Content: Decodable, Equatable {
    let identity: String
    let name: String
    let incarnation: UInt64
    let sequence: UInt64
    let period: UInt64
    let linkPort: UInt16
    let atTable: Bool
    let tables: [Notice]
    let clock: UInt64
    let hears: Int
    let heard: [String]
    let calls: [String]

    init(_ beacon: Beacon) {
      identity = beacon.identity.hex
      name = beacon.name
      incarnation = beacon.incarnation
      sequence = beacon.sequence
      period = beacon.period
      linkPort = beacon.linkPort
      atTable = beacon.atTable
      tables = beacon.tables.map {
        Notice(
          table: $0.table.hex, code: $0.code, title: $0.title, game: $0.game, size: $0.size,
          minutes: $0.minutes, players: $0.players, seats: $0.seats)
      }
      clock = beacon.clock
      hears = beacon.hears
      let hex = { (mark: KeyMark) in
        String(String(UInt64(mark.number) + 1 << 32, radix: 16).dropFirst())
      }
      heard = beacon.heard.map(hex)
      calls = beacon.calls.map(hex)
    }
  }

  struct Notice: Decodable, Equatable {
    let table: String
    let code: Int
    let title: String
    let game: String
    let size: Int
    let minutes: Int
    let players: Int
    let seats: Int
  }

  struct Refused: Decodable {
    let name: String
    let code: String
    let datagram: String
  }

  struct OtherVersion: Decodable {
    let name: String
    let version: Int
    let identity: String
    let datagram: String
  }

  struct Heard: Decodable {
    let means: String
    let datagram: String
  }

  let accepted: [Accepted]
  let refused: [Refused]
  let otherVersions: [OtherVersion]
  let heard: [Heard]
}

@Suite struct `The vectors of beacons` {
  private let vectors: BeaconVectors

  init() throws { vectors = try Vectors.load("beacon.json") }

  @Test func `are read, and come out as they went in`() throws {
    #expect(vectors.accepted.count > 5)
    for row in vectors.accepted {
      let datagram = bytes(hex: row.datagram)
      let beacon = try Beacon(datagram: datagram).verified(by: Ed25519()).body
      #expect(BeaconVectors.Content(beacon) == row.beacon, "\(row.name)")
      #expect(beacon.datagram == datagram, "\(row.name)")
    }
  }

  @Test func `are refused for their reason`() {
    #expect(vectors.refused.count > 50)
    for row in vectors.refused {
      var code: String?
      do {
        _ = try Beacon(datagram: bytes(hex: row.datagram)).verified(by: Ed25519())
      } catch let error as WireError {
        code = error.code
      } catch {
        code = (error as? DecodeError)?.code
      }
      #expect(code == row.code, "\(row.name)")
    }
  }

  @Test func `of other versions are understood in part`() throws {
    #expect(vectors.otherVersions.count > 2)
    for row in vectors.otherVersions {
      let datagram = bytes(hex: row.datagram)
      #expect(throws: DecodeError.unknownKind("beacon.version")) { try Beacon(datagram: datagram) }
      let beacon = try ForeignBeacon(datagram: datagram).verified(by: Ed25519()).body
      #expect(
        [beacon.name, "\(beacon.version)", beacon.identity.hex]
          == [row.name, "\(row.version)", row.identity])
    }
  }

  @Test func `mean in their order what they say`() throws {
    #expect(vectors.heard.count > 10)
    var roster = Roster(me: Signer(9).key)
    for (index, row) in vectors.heard.enumerated() {
      let beacon = try Beacon(datagram: bytes(hex: row.datagram)).verified(by: Ed25519())
      let hearing = roster.hear(
        beacon,
        by: .datagram(
          from: Address(host: .v4(0x0a00_0001), port: 50_000), linkPort: beacon.body.linkPort,
          on: nil), told: Told(settled: 0, isSent: true, wall: 0), at: UInt64(index))
      #expect("\(hearing)" == row.means, "\(index)")
    }
  }
}
