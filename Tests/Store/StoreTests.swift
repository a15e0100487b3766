import Foundation
import Testing

@testable import Store

@Suite("What is committed is there, in order")
struct StoreTests {
  let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  @Test("Rows come back in the order of their keys, from their own collection only")
  func rowsAreOrdered() throws {
    let store = try Store(folder: folder.path)
    try store.commitNow([
      .put(collection: 1, key: [2], value: [20]),
      .put(collection: 1, key: [1, 255], value: [19]),
      .put(collection: 1, key: [], value: []),
      .put(collection: 2, key: [1], value: [99]),
      .put(collection: 1, key: [1], value: [10]),
    ])
    #expect(
      try store.load(collection: 1) == [
        StoredRow(key: [], value: []), StoredRow(key: [1], value: [10]),
        StoredRow(key: [1, 255], value: [19]), StoredRow(key: [2], value: [20]),
      ])
    #expect(try store.load(collection: 2) == [StoredRow(key: [1], value: [99])])
    #expect(try store.load(collection: 3).isEmpty)
  }

  @Test(
    "A row of which one bit has turned is told from the others",
    arguments: ["key = X'03'", "value = X'1515'"])
  func turnedBit(_ change: String) throws {
    do {
      let store = try Store(folder: folder.path)
      try store.commitNow([
        .put(collection: 1, key: [1], value: [10]),
        .put(collection: 1, key: [2], value: [0x14, 0x15]),
      ])
      store.run("UPDATE records SET \(change) WHERE key = X'02'")
    }
    let store = try Store(folder: folder.path)
    let rows = try store.load(collection: 1)
    #expect(rows.map(\.isWhole) == [true, false])
    try store.commitNow([.put(collection: 1, key: rows[1].key, value: [22])])
    #expect(try store.load(collection: 1).map(\.isWhole) == [true, true])
  }

  @Test("Rows of before there were checksums are read as they are")
  func oldLayout() throws {
    do {
      let store = try Store(folder: folder.path)
      try store.commitNow([.put(collection: 1, key: [1], value: [10])])
      store.run("ALTER TABLE records DROP COLUMN checksum")
      store.run("PRAGMA user_version = 1")
    }
    let store = try Store(folder: folder.path)
    #expect(try store.load(collection: 1) == [StoredRow(key: [1], value: [10])])
    try store.commitNow([.put(collection: 1, key: [2], value: [20])])
    #expect(try store.load(collection: 1).count == 2)
  }

  @Test("A prefix selects and removes exactly the keys that start with it")
  func prefixes() throws {
    let store = try Store(folder: folder.path)
    let keys: [[UInt8]] = [[], [7], [7, 0], [7, 255], [7, 255, 255], [8], [255], [255, 255]]
    try store.commitNow(keys.map { .put(collection: 1, key: $0, value: []) })
    for prefix in keys {
      let found = try store.load(collection: 1, prefix: prefix).map(\.key)
      #expect(found == keys.filter { $0.starts(with: prefix) })
    }
    try store.commitNow([.deletePrefix(collection: 1, keyPrefix: [7, 255])])
    #expect(
      try store.load(collection: 1).map(\.key) == [[], [7], [7, 0], [8], [255], [255, 255]])
    try store.commitNow([.deletePrefix(collection: 1, keyPrefix: [255])])
    #expect(try store.load(collection: 1).map(\.key) == [[], [7], [7, 0], [8]])
    try store.commitNow([.deletePrefix(collection: 1, keyPrefix: [])])
    #expect(try store.load(collection: 1).isEmpty)
  }

  @Test("After the end of a node the database file alone has everything")
  func finishedFileIsWhole() throws {
    let store = try Store(folder: folder.path)
    try store.commitNow([.put(collection: 1, key: [1], value: [10])])
    store.commit([.put(collection: 1, key: [2], value: [20])]) { _ in }
    store.finish()
    let copy = try ScratchFolder()
    try copy.write(Store.fileName, folder.read(Store.fileName))
    #expect(
      try Store(folder: copy.path).load(collection: 1) == [
        StoredRow(key: [1], value: [10]), StoredRow(key: [2], value: [20]),
      ])
  }

  @Test("Within one call a later record has the last word")
  func laterRecordWins() throws {
    let store = try Store(folder: folder.path)
    try store.commitNow([
      .put(collection: 1, key: [1], value: [1]), .put(collection: 1, key: [1], value: [2]),
      .put(collection: 1, key: [2], value: [1]), .delete(collection: 1, key: [2]),
      .delete(collection: 1, key: [3]),
    ])
    #expect(try store.load(collection: 1) == [StoredRow(key: [1], value: [2])])
  }

  @Test("Calls that queue up share a transaction, and are told in the order of the calls")
  func callsAreGrouped() throws {
    let store = try Store(folder: folder.path)
    let told = Told<Int>()
    let before = try logFrames(of: folder)
    let release = store.hold()
    for call in 0..<500 {
      store.commit([.put(collection: 1, key: [UInt8(call % 128)], value: [UInt8(call / 128)])]) {
        result in
        #expect(throws: Never.self) { try result.get() }
        told.append(call)
      }
    }
    #expect(told.values.isEmpty, "nobody is told before the disk has it")
    release()
    store.flush()
    #expect(told.values == Array(0..<500))
    #expect(try store.load(collection: 1).count == 128)
    #expect(try logFrames(of: folder) - before == 1, "500 calls are one page, written once")
  }

  @Test("While the writer rests and the disk is quick the caller writes, and never out of turn")
  func callerWrites() throws {
    let store = try Store(folder: folder.path)
    let told = Told<Int>()
    func put(_ value: UInt8) -> Record { .put(collection: 1, key: [1], value: [value]) }
    #expect(store.commitAtOnce([put(1)]) == nil, "nobody knows yet how quick the disk is")
    try store.commitNow([put(2)])
    // How quick this machine's disk is today is not for a test to say: either answer is right.
    let isWritten = store.commitAtOnce([put(3)]) != nil
    #expect(try store.load(collection: 1).map(\.value) == [[isWritten ? 3 : 2]])
    let release = store.hold()
    store.commit([put(4)]) { _ in told.append(4) }
    #expect(store.commitAtOnce([put(5)]) == nil, "what was asked for before goes first")
    release()
    store.flush()
    #expect(told.values == [4])
    #expect(try store.load(collection: 1).map(\.value) == [[4]])
  }

  @Test("Every call is told once, whoever calls")
  func concurrentCalls() async throws {
    let store = try Store(folder: folder.path)
    let told = Told<[Int]>()
    await withTaskGroup(of: Void.self) { group in
      for caller in 0..<8 {
        group.addTask {
          for call in 0..<50 {
            store.commit([.put(collection: caller, key: [UInt8(call)], value: [])]) { _ in
              told.append([caller, call])
            }
          }
        }
      }
    }
    store.flush()
    for caller in 0..<8 {
      #expect(told.values.filter { $0[0] == caller }.map { $0[1] } == Array(0..<50))
      #expect(try store.load(collection: caller).count == 50)
    }
  }

  @Test("Everything is there after the store is closed and opened again")
  func reopen() throws {
    do {
      let store = try Store(folder: folder.path)
      #expect(store.wasCreated)
      for value in 0..<20 as Range<UInt8> {
        store.commit([.put(collection: 1, key: [value], value: [value])]) { _ in }
      }
      // The store is let go of with calls waiting; they hold it until they are written.
    }
    let store = try reopened(folder)
    #expect(!store.wasCreated)
    #expect(try store.load(collection: 1).map(\.value) == (0..<20).map { [$0] })
  }

  @Test("The log has its full size from the start, keeps it, and is emptied into the file")
  func logKeepsItsSize() throws {
    var store: Store? = try Store(folder: folder.path)
    let size = try folder.read("tabletalk.db-wal").count
    #expect(size >= 4 << 20)
    for round in 0..<6000 {
      // Bytes that differ from the last ones under the key: equal ones are not written at all.
      let value = [UInt8](repeating: UInt8(round / 200), count: 3000)
      store?.commit([.put(collection: 1, key: [UInt8(round % 200)], value: value)]) { _ in }
      if round % 100 == 0 { store?.flush() }
    }
    #expect(try store?.load(collection: 1).count == 200)
    #expect(try folder.read("tabletalk.db-wal").count == size)
    let fileSize = try folder.read("tabletalk.db").count
    #expect(fileSize > 200 * 3000)
    store = nil
    store = try reopened(folder)
    #expect(try folder.read("tabletalk.db-wal").count == size)
    #expect(try store?.load(collection: 1).count == 200)
  }

  @Test("What SQLite makes is for its owner alone")
  func modes() throws {
    let store = try Store(folder: folder.path)
    #expect(try folder.mode("tabletalk.db") == 0o600)
    #expect(try folder.mode("tabletalk.db-wal") == 0o600)
    #expect(!FileManager.default.fileExists(atPath: folder.file("tabletalk.db-shm")))
    #expect(try store.load(collection: 1).isEmpty)
  }
}

/// Opens the store again; a store that was let go of closes its file on its own queue, soon.
func reopened(_ folder: ScratchFolder) throws -> Store {
  let deadline = ContinuousClock.now + .seconds(30)
  while true {
    do throws(StoreError) {
      return try Store(folder: folder.path)
    } catch {
      guard error == .locked, ContinuousClock.now < deadline else { throw error }
      usleep(1000)
    }
  }
}

/// How many pages the current run of the log holds: the frames that carry the header's salt.
func logFrames(of folder: ScratchFolder) throws -> Int {
  let log = try folder.read("tabletalk.db-wal")
  guard log.count >= 32 else { return 0 }
  let salt = log[16..<24]
  var frames = 0
  var committed = 0
  while 32 + (frames + 1) * 4120 <= log.count {
    let start = 32 + frames * 4120
    guard log[(start + 8)..<(start + 16)] == salt else { break }
    frames += 1
    // A frame that ends a transaction names the size of the file after it.
    if log[(start + 4)..<(start + 8)].contains(where: { $0 != 0 }) { committed = frames }
  }
  return committed
}
