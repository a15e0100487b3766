import Archive
import CBOR
import Discovery
import Foundation
import Peer
import Table
import TestSupport
import Testing
import Wire

/// `Protocol/vectors/refused.json`, which a second implementation made: each has one fault.
private struct RefusedVectors: Decodable {
  struct Row: Decodable {
    let id: String
    let hex: String
    let zeros: Int?
    let code: String

    var bytes: [UInt8] {
      TestSupport.bytes(hex: hex) + [UInt8](repeating: 0, count: zeros ?? 0)
    }
  }

  let messages: [Row]
  let frames: [Row]
  let geneses: [Row]
  let logs: [Row]
  /// The log that the others were made from.
  let right: String
}

@Suite struct `What must be refused` {
  private let vectors: RefusedVectors

  init() throws { vectors = try Vectors.load("refused.json") }

  /// Says with which codes rows are refused that are refused with others than they say.
  private func differences(
    in rows: [RefusedVectors.Row], least: Int, _ read: ([UInt8]) throws -> Void
  ) -> [String] {
    #expect(rows.count >= least)
    return rows.compactMap { row in
      var code = "taken"
      do { try read(row.bytes) } catch {
        code =
          (error as? WireError)?.code ?? (error as? DecodeError)?.code
          ?? (error as? LogFault)?.code ?? "\(error)"
      }
      return code == row.code ? nil : "\(row.id): \(code), not \(row.code)"
    }
  }

  @Test func `messages about a table are, for their reason`() {
    let found = differences(in: vectors.messages, least: 180) {
      _ = try TableMessage(CBOR(decoding: $0)).verified(by: Ed25519())
    }
    #expect(found == [])
  }

  @Test func `frames are, for their reason`() {
    let found = differences(in: vectors.frames, least: 40) {
      if case .beacon(let beacon) = try LinkMessage(frame: $0) {
        _ = try beacon.verified(by: Ed25519())
      }
    }
    #expect(found == [])
  }

  @Test func `geneses are, for their reason`() {
    let found = differences(in: vectors.geneses, least: 24) {
      _ = try Genesis(decoding: $0).verified(by: Ed25519())
    }
    #expect(found == [])
  }

  @Test func `logs are, for their reason`() {
    let found = differences(in: vectors.logs, least: 54) {
      _ = try LogVerifier.verify($0, checker: Ed25519())
    }
    #expect(found == [])
  }

  @Test func `the log that they were made from is not among them`() throws {
    let proof = try LogVerifier.verify(bytes(hex: vectors.right), checker: Ed25519())
    #expect(proof.epochs == 2)
  }
}

/// `Protocol/conformance/*.frames`: what nodes sent one another in games of long ago.
@Suite struct `Every frame ever kept` {
  @Test(arguments: ["bingo", "quoridor"])
  func `is read, holds, and is written as it was`(game: String) throws {
    let file = Vectors.folder.deletingLastPathComponent()
      .appendingPathComponent("conformance/\(game).frames")
    let frames = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
    #expect(frames.count > 50)
    for line in frames {
      let frame = bytes(hex: String(line))
      let message = try LinkMessage(frame: frame)
      #expect(message.frame == frame)
      if case .table(let inner) = message { _ = try inner.verified(by: Ed25519()) }
      if case .beacon(let beacon) = message { _ = try beacon.verified(by: Ed25519()) }
    }
  }
}
