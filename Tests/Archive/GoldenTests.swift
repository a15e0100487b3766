import Archive
import Foundation
import Games
import TestSupport
import Testing
import Wire

/// The files of `Protocol/conformance`: each must be proven, with the same result, for ever.
@Suite struct `Every log ever saved` {
  struct Expected: Decodable, Sendable, CustomTestStringConvertible {
    let file: String
    let table: String
    let blocks: Int
    let height: UInt64
    let tip: String
    let state: String
    let epochs: Int
    let acts: Int
    let refused: Int
    let phase: String
    let kind: String?
    let winners: [String]
    let signed: Int
    let voters: Int

    var testDescription: String { file }
  }

  static let folder = Vectors.folder.deletingLastPathComponent()
    .appendingPathComponent("conformance")
  static let all = (try? Vectors.load("../conformance/logs.json", as: [Expected].self)) ?? []

  @Test(arguments: all)
  func `proves what it proved`(expected: Expected) throws {
    let bytes = try Data(contentsOf: Self.folder.appendingPathComponent(expected.file))
    let proof = try LogVerifier.verify(Array(bytes), checker: Ed25519())
    #expect(proof.table.hex == expected.table)
    #expect(proof.blocks == expected.blocks)
    #expect(proof.height == expected.height)
    #expect(proof.tip.hex == expected.tip)
    #expect(proof.state.hex == expected.state)
    #expect(proof.epochs == expected.epochs)
    #expect(proof.acts == expected.acts)
    #expect(proof.refused == expected.refused)
    #expect(proof.phase == expected.phase)
    #expect(proof.kind?.rawValue == expected.kind)
    #expect(proof.winners == expected.winners)
    #expect(proof.signed == expected.signed)
    #expect(proof.voters == expected.voters)
  }

  @Test func `is in the list`() throws {
    let files = try FileManager.default.contentsOfDirectory(atPath: Self.folder.path)
      .filter { $0.hasSuffix(".ttlog") }
    #expect(files.count >= 13)
    #expect(files.sorted() == Self.all.map(\.file).sorted())
  }
}
