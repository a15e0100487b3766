import Foundation
import Keys
import Store
import Testing

@testable import Shell

@Suite struct IdentityFileTests {
  /// A data folder of its own, removed afterwards.
  private func withFolder(_ body: (DataFolder, URL) throws -> Void) throws {
    let place = FileManager.default.temporaryDirectory
      .appendingPathComponent("tabletalk-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: place) }
    let folder = try DataFolder(path: place.path)
    try body(folder, place.appendingPathComponent(Identity.fileName))
  }

  @Test func theFirstRunMakesAnIdentityThatLaterRunsFind() throws {
    try withFolder { folder, file in
      let first = try folder.identity()
      #expect(first.isNew)
      let attributes = try FileManager.default.attributesOfItem(atPath: file.path)
      #expect(attributes[.posixPermissions] as? Int == 0o600)
      #expect(attributes[.size] as? Int == 32)
      let second = try folder.identity()
      #expect(!second.isNew)
      #expect(second.identity.publicKey == first.identity.publicKey)
    }
  }

  @Test func theKeyOfSavedGamesIsNeitherMadeAnewNorExchanged() throws {
    try withFolder { folder, file in
      let owner = Identity.random().publicKey
      #expect(throws: IdentityError.missing) { try folder.identity(owner: owner) }
      #expect(!FileManager.default.fileExists(atPath: file.path))
      let made = try folder.identity().identity.publicKey
      #expect(throws: IdentityError.another) { try folder.identity(owner: owner) }
      let found = try folder.identity(owner: made)
      #expect(!found.isNew && found.identity.publicKey == made)
    }
  }

  @Test func aFileOthersCanReadIsRefusedWithTheCommandThatHelps() throws {
    try withFolder { folder, file in
      _ = try folder.identity()
      try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: file.path)
      let error = #expect(throws: IdentityError.readableByOthers(mode: 0o644)) {
        try folder.identity()
      }
      #expect(error?.message.contains("chmod 600 identity.key") == true)
    }
  }

  @Test(arguments: [0, 31, 33, 1_024, 5_000])
  func aFileOfAnotherLengthIsRefusedAndKept(length: Int) throws {
    try withFolder { folder, file in
      let content = [UInt8](repeating: 7, count: length)
      try folder.write(Identity.fileName, content)
      #expect(throws: IdentityError.self) { try folder.identity() }
      #expect(try Data(contentsOf: file) == Data(content))
    }
  }

  @Test func aFileThatIsNoFileIsRefused() throws {
    try withFolder { folder, file in
      try FileManager.default.createSymbolicLink(
        atPath: file.path, withDestinationPath: "elsewhere")
      #expect(throws: IdentityError.self) { try folder.identity() }
    }
  }
}
