import Foundation
import Testing

@testable import WebFace

@Suite("The page's files are in the program")
struct PageFilesTests {
  private static let folder = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appending(path: "Sources/Edge/WebFace/Page", directoryHint: .isDirectory)

  /// The paths of the files below the folder; declarations for the type checker are no part of it.
  private static func files() throws -> [String] {
    let all = try FileManager.default.subpathsOfDirectory(
      atPath: folder.path(percentEncoded: false))
    return all.filter { path in
      let url = folder.appending(path: path)
      let isFolder = (try? url.resourceValues(forKeys: [.isDirectoryKey]).isDirectory) ?? false
      return !isFolder && !path.hasSuffix(".d.ts")
    }.sorted()
  }

  @Test("Sources/C/CAssets/assets.c lists exactly the files of the page's folder")
  func listIsComplete() throws {
    let listed = Asset.all.map { $0.path == "/" ? "index.html" : String($0.path.dropFirst()) }
    #expect(try listed.sorted() == Self.files())
  }

  @Test("The program holds what the folder holds")
  func contentIsCurrent() throws {
    for asset in Asset.all {
      let name = asset.path == "/" ? "index.html" : String(asset.path.dropFirst())
      let file = try Data(contentsOf: Self.folder.appending(path: name))
      #expect(Array(file) == Array(asset.bytes), "\(name) is not compiled in as it is now")
    }
  }

  @Test("Different files have different tags")
  func tags() {
    #expect(Set(Asset.all.map(\.tag)).count == Asset.all.count)
  }
}
