import CBOR
import TestSupport
import Testing

@testable import Peer

/// Protocol/vectors/relay.json, which a second implementation made.
private struct RelayVectors: Decodable {
  struct Message: Decodable {
    let name: String
    let hex: String
    let zeros: Int?
    let code: String?

    var bytes: [UInt8] {
      TestSupport.bytes(hex: hex) + [UInt8](repeating: 0, count: zeros ?? 0)
    }
  }

  let read: [Message]
  let refused: [Message]
}

@Suite struct `The vectors of what is passed on` {
  private let vectors: RelayVectors

  init() throws { vectors = try Vectors.load("relay.json") }

  @Test func `are read, and come out as they went in`() throws {
    #expect(vectors.read.count > 10)
    for row in vectors.read {
      #expect(try LinkMessage(frame: row.bytes).frame == row.bytes, "\(row.name)")
    }
  }

  @Test func `are refused for their reason`() {
    #expect(vectors.refused.count > 10)
    for row in vectors.refused {
      var code: String?
      do { _ = try LinkMessage(frame: row.bytes) } catch { code = error.code }
      #expect(code == row.code, "\(row.name)")
    }
  }
}
