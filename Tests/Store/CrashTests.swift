import Foundation
import Testing

@testable import Store

@Suite("A crash loses no commit that was told, and no commit by half")
struct CrashTests {
  let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  @Test("The files as a killed process leaves them hold every commit that was told")
  func killed() throws {
    let store = try Store(folder: folder.path)
    for value in 0..<30 as Range<UInt8> {
      try store.commitNow([.put(collection: 1, key: [value], value: [value])])
      if value % 10 == 9 {
        let copy = try ScratchFolder()
        try copy.write("tabletalk.db", folder.read("tabletalk.db"))
        try copy.write("tabletalk.db-wal", folder.read("tabletalk.db-wal"))
        let survivor = try Store(folder: copy.path)
        #expect(try survivor.load(collection: 1).map(\.key) == (0...value).map { [$0] })
        #expect(!survivor.wasCreated)
      }
    }
  }

  @Test("The log cut anywhere shows the first commits, whole")
  func cutLog() throws {
    let commits = 12
    let store = try Store(folder: folder.path)
    var ends: [Int] = []
    for commit in 0..<commits {
      // Two rows a commit, one of them larger than a page, so that a torn commit would show.
      try store.commitNow([
        .put(collection: 1, key: [UInt8(commit)], value: [UInt8(commit)]),
        .put(
          collection: 2, key: [UInt8(commit)],
          value: [UInt8](repeating: UInt8(commit), count: 5000)),
      ])
      ends.append(32 + (try logFrames(of: folder)) * 4120)
    }
    let database = try folder.read("tabletalk.db")
    let log = try folder.read("tabletalk.db-wal")
    let end = try #require(ends.last)
    #expect(database.count == 4096, "nothing has been moved out of the log yet")

    // At every byte of the last frame and around its start, elsewhere at every 64th.
    let lastFrame = end - 4120
    let cuts = Array(stride(from: 0, to: lastFrame, by: 64)) + Array(lastFrame - 40...end)
    let copy = try ScratchFolder(inMemory: true)
    for cut in cuts {
      try? FileManager.default.removeItem(atPath: copy.file("tabletalk.db-wal"))
      try copy.write("tabletalk.db", database)
      try copy.write("tabletalk.db-wal", log.prefix(cut))
      let whole = ends.count(where: { $0 <= cut })
      let survivor = try Store(folder: copy.path)
      let keys = (0..<whole).map { [UInt8($0)] }
      let first = try survivor.load(collection: 1).map(\.key)
      let second = try survivor.load(collection: 2)
      try #require(first == keys, "cut at \(cut)")
      try #require(second.map(\.key) == keys, "cut at \(cut)")
      try #require(second.allSatisfy { $0.value.count == 5000 }, "cut at \(cut)")
    }
  }

  @Test("A flipped bit in the log ends it there")
  func flippedLog() throws {
    let store = try Store(folder: folder.path)
    var ends: [Int] = []
    for commit in 0..<6 as Range<UInt8> {
      try store.commitNow([.put(collection: 1, key: [commit], value: [commit])])
      ends.append(32 + (try logFrames(of: folder)) * 4120)
    }
    let database = try folder.read("tabletalk.db")
    let log = try folder.read("tabletalk.db-wal")
    let copy = try ScratchFolder(inMemory: true)
    for place in stride(from: ends[2], to: ends[5], by: 517) {
      var torn = log
      torn[place] ^= 0x10
      try copy.write("tabletalk.db", database)
      try copy.write("tabletalk.db-wal", torn)
      let whole = ends.count(where: { $0 <= place })
      let survivor = try Store(folder: copy.path)
      try #require(
        survivor.load(collection: 1).map(\.key) == (0..<whole).map { [UInt8($0)] },
        "flipped at \(place)")
    }
  }
}
