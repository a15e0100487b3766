import Foundation
import Testing

@testable import Store

@Suite("The data folder belongs to one node and its owner")
struct DataFolderTests {
  let scratch: ScratchFolder

  init() throws { scratch = try ScratchFolder() }

  @Test("Missing folders are made for their owner alone")
  func foldersAreMade() throws {
    let folder = try DataFolder(path: scratch.file("a/b/c"))
    #expect(folder.path == scratch.file("a/b/c"))
    for made in ["a", "a/b", "a/b/c"] { #expect(try scratch.mode(made) == 0o700) }
  }

  @Test("A second holder is told who holds the folder, until it is let go of")
  func secondHolder() throws {
    var first: DataFolder? = try DataFolder(path: scratch.file("data"))
    #expect(throws: DataFolderError.heldBy(pid: ProcessInfo.processInfo.processIdentifier)) {
      try DataFolder(path: scratch.file("data"))
    }
    #expect(first != nil)
    first = nil
    #expect(throws: Never.self) { try DataFolder(path: scratch.file("data")) }
  }

  @Test("A file in the place of the folder is refused")
  func fileInTheWay() throws {
    try scratch.write("data", Data())
    let error = #expect(throws: DataFolderError.self) {
      try DataFolder(path: scratch.file("data"))
    }
    #expect(error?.code == "folderFailed")
  }

  @Test("A small file is replaced whole, for its owner alone, and leaves nothing beside it")
  func smallFiles() throws {
    let folder = try DataFolder(path: scratch.file("data"))
    #expect(try folder.read("thing") == nil)
    try folder.write("thing", [1, 2, 3])
    try folder.write("thing", [4])
    #expect(try folder.read("thing") == [4])
    #expect(try scratch.mode("data/thing") == 0o600)
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    #expect(names == ["lock", "thing"])
    try folder.remove("thing")
    try folder.remove("thing")
    #expect(try folder.read("thing") == nil)
  }

  @Test("A rest of a crash, even a link, is not written through")
  func leftovers() throws {
    let folder = try DataFolder(path: scratch.file("data"))
    try scratch.write("victim", Data([9]))
    try FileManager.default.createSymbolicLink(
      atPath: scratch.file("data/.thing.new"), withDestinationPath: scratch.file("victim"))
    try folder.write("thing", [1])
    #expect(try folder.read("thing") == [1])
    #expect(try scratch.read("victim") == Data([9]))
  }

  @Test(
    "Only plain names are taken",
    arguments: ["", ".", "..", "a/b", "/etc/passwd", ".hidden", "a b", "a\u{0}", "ü"])
  func badNames(_ name: String) throws {
    let folder = try DataFolder(path: scratch.file("data"))
    #expect(throws: DataFolderError.badName(name)) { try folder.write(name, []) }
    #expect(throws: DataFolderError.badName(name)) { try folder.read(name) }
    #expect(throws: DataFolderError.badName(name)) { try folder.remove(name) }
  }

  @Test("A file that is too long is not read")
  func tooLong() throws {
    let folder = try DataFolder(path: scratch.file("data"))
    try folder.write("thing", [UInt8](repeating: 0, count: 101))
    #expect(throws: DataFolderError.tooLong(name: "thing")) {
      try folder.read("thing", limit: 100)
    }
    #expect(try folder.read("thing", limit: 101)?.count == 101)
  }

  @Test("The default folder follows the environment")
  func defaultPath() throws {
    #expect(
      try DataFolder.defaultPath(
        environment: ["HOME": "/home/ada", "XDG_DATA_HOME": "/data"], convention: .xdg)
        == "/data/tabletalk")
    for ignored in ["", "relative/path"] {
      #expect(
        try DataFolder.defaultPath(
          environment: ["HOME": "/home/ada", "XDG_DATA_HOME": ignored], convention: .xdg)
          == "/home/ada/.local/share/tabletalk")
    }
    #expect(
      try DataFolder.defaultPath(
        environment: ["HOME": "/Users/ada", "XDG_DATA_HOME": "/data"], convention: .macOS)
        == "/Users/ada/Library/Application Support/Tabletalk")
  }

  @Test("The token of the page stays until it is renewed, or is no token")
  func token() throws {
    var folder: DataFolder? = try DataFolder(path: scratch.file("data"))
    let first = try #require(try folder?.pageToken())
    #expect(first.utf8.count == 32)
    #expect(first.allSatisfy { $0.isHexDigit && !$0.isUppercase })
    folder = nil
    let reopened = try DataFolder(path: scratch.file("data"))
    #expect(try reopened.pageToken() == first)
    let second = try reopened.pageToken(renew: true)
    #expect(second != first)
    #expect(try reopened.pageToken() == second)
    try reopened.write("page-token", Array("short\n".utf8))
    #expect(try reopened.pageToken().utf8.count == 32)
  }

  @Test("The port of the page is remembered")
  func port() throws {
    let folder = try DataFolder(path: scratch.file("data"))
    #expect(try folder.lastPagePort() == nil)
    try folder.keepPagePort(4747)
    #expect(try folder.lastPagePort() == 4747)
    try folder.write("page-port", Array("99999\n".utf8))
    #expect(try folder.lastPagePort() == nil)
  }

  @Test("node.json comes back as it was written, and goes")
  func nodeFile() throws {
    let folder = try DataFolder(path: scratch.file("data"))
    #expect(try NodeFile.read(folder: folder.path) == nil)
    let node = NodeFile(
      pid: 42, page: "http://127.0.0.1:4747/#token=00ff", identity: "ab12", linkPort: 47474,
      interfaces: ["lo", "wlan0"])
    try folder.write(node)
    #expect(try NodeFile.read(folder: folder.path) == node)
    #expect(try scratch.mode("data/node.json") == 0o600)
    let text = String(decoding: try #require(try folder.read("node.json")), as: UTF8.self)
    #expect(text.contains("http://127.0.0.1:4747/#token=00ff"))
    try folder.write(NodeFile.name, Array("{\"pid\": \"x\"}".utf8))
    #expect(try NodeFile.read(folder: folder.path) == nil)
    try folder.removeNodeFile()
    #expect(try folder.read(NodeFile.name) == nil)
  }
}
