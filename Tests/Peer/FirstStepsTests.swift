import CBOR
import Consensus
import Table
import TestSupport
import Testing
import Wire

/// `Protocol/vectors/first-steps.json`, which a second implementation made.
private struct FirstSteps: Decodable {
  struct Join: Decodable {
    let name, table, id, entry: String
  }
  struct Spans: Decodable {
    let table, creator, first, block, recovery, id: String
    let view, height: UInt64
    let voters, leaders: [String]
    let quorum: Int
  }

  let joins: [Join]
  let epochs: [Spans]
}

@Suite struct `First steps of another node` {
  private let vectors: FirstSteps

  init() throws { vectors = try Vectors.load("first-steps.json") }

  @Test func `joins are read, hold, and have the id that they say`() throws {
    #expect(vectors.joins.count == 2)
    for row in vectors.joins {
      let entry = try Entry(CBOR(decoding: bytes(hex: row.entry)))
      _ = try entry.verified(by: Ed25519())
      #expect(entry.id.hex == row.id && entry.table.hex == row.table)
      guard case .join(let join) = try Act(decoding: entry.body) else {
        Issue.record("no join")
        continue
      }
      #expect(join.name == row.name)
    }
  }

  @Test func `epochs have the id, the quorum and the leaders that they say`() throws {
    #expect(vectors.epochs.count == 6)
    for row in vectors.epochs {
      let table = try #require(TableID(hex: row.table))
      let first = Epoch(Founding(table: table, creator: try #require(PublicKey(hex: row.creator))))
      #expect(first.id.hex == row.first)
      let recovery = Recovery(
        table: table, epoch: first.id, view: row.view, height: row.height,
        block: try #require(Digest(hex: row.block)),
        voters: try row.voters.map { try #require(PublicKey(hex: $0)) })
      #expect(recovery.id.hex == row.recovery)
      let epoch = Epoch(after: first, recovery)
      #expect(epoch.id.hex == row.id && epoch.quorum == row.quorum)
      #expect((1...8).map { epoch.leader(of: $0).hex } == row.leaders)
    }
  }
}
