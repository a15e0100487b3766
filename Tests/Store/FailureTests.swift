import CSQLite
import Foundation
import Synchronization
import Testing

@testable import Store

@Suite("Each failure of the disk has its own name")
struct FailureTests {
  let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  @Test("A second opener is told that the database is locked")
  func secondOpener() throws {
    let store = try Store(folder: folder.path)
    #expect(throws: StoreError.locked) { try Store(folder: folder.path) }
    try store.commitNow([.put(collection: 1, key: [1], value: [1])])
    #expect(throws: StoreError.locked) { try Store(folder: folder.path) }
  }

  @Test(
    "A damaged header, a foreign file and a damaged page are damage", arguments: Damage.allCases)
  func damaged(_ damage: Damage) throws {
    do {
      let store = try Store(folder: folder.path)
      let value = [UInt8](repeating: 9, count: 2000)
      for key in 0..<200 as Range<UInt8> {
        try store.commitNow([.put(collection: 1, key: [key], value: value)])
      }
      store.emptyLog()
    }
    try FileManager.default.removeItem(atPath: folder.file("tabletalk.db-wal"))
    var file = try folder.read("tabletalk.db")
    switch damage {
    case .header: file.replaceSubrange(0..<16, with: Data(repeating: 0x41, count: 16))
    case .foreign: file.replaceSubrange(68..<72, with: [1, 2, 3, 4])
    case .pages: file.replaceSubrange(4096..<3 * 4096, with: Data(repeating: 0x5a, count: 8192))
    case .truncated: file = file.prefix(file.count / 2)
    case .noise: file = Data((0..<9000).map { UInt8(truncatingIfNeeded: $0 &* 37 &+ 11) })
    }
    try folder.write("tabletalk.db", file)
    let error = #expect(throws: StoreError.self) { try Store(folder: folder.path) }
    guard case .damaged = error else {
      Issue.record("\(String(describing: error)) is not damage")
      return
    }
    #expect(try folder.read("tabletalk.db") == file, "what is left is left alone")
  }

  enum Damage: CaseIterable { case header, foreign, pages, truncated, noise }

  @Test("A later schema is left alone")
  func newerSchema() throws {
    do {
      let store = try Store(folder: folder.path)
      store.run("PRAGMA user_version = 99")
    }
    #expect(throws: StoreError.newer(version: 99)) { try reopened(folder) }
  }

  @Test("A full disk fails the commit, changes nothing, and passes when there is space again")
  func fullDisk() throws {
    let store = try Store(folder: folder.path, pageLimit: 40)
    try store.commitNow([.put(collection: 1, key: [0], value: [1])])
    let large = [UInt8](repeating: 1, count: 200_000)
    #expect(throws: StoreError.full) {
      try store.commitNow([
        .put(collection: 1, key: [0], value: [2]), .put(collection: 1, key: [1], value: large),
      ])
    }
    let told = Told<Result<Void, StoreError>>()
    store.commit([.put(collection: 1, key: [1], value: large)]) { told.append($0) }
    store.flush()
    #expect(told.values.count == 1)
    #expect(throws: StoreError.full) { try told.values[0].get() }
    #expect(try store.load(collection: 1) == [StoredRow(key: [0], value: [1])])
    try store.commitNow([.put(collection: 1, key: [1], value: [3])])
    #expect(try store.load(collection: 1).map(\.value) == [[1], [3]])
  }

  @Test("After a failed sync nothing is committed until the store is opened again")
  func failedSync() throws {
    var store: Store? = try Store(folder: folder.path)
    try store?.commitNow([.put(collection: 1, key: [0], value: [1])])
    let told = Told<StoreError>()
    for (key, syncs) in [(1, false), (2, true), (3, true)] as [(UInt8, Bool)] {
      store?.letSyncsOfTheLog(succeed: syncs)
      store?.commit([.put(collection: 1, key: [key], value: [1])]) { result in
        guard case .failure(let error) = result else { return }
        told.append(error)
      }
      store?.flush()
    }
    let failed = StoreError.io(code: SQLITE_IOERR | 4 << 8)
    #expect(told.values == [failed, failed, failed], "also where the disk would work again")
    #expect(throws: failed) { try store?.commitNow([.delete(collection: 1, key: [0])]) }
    store = nil

    store = try reopened(folder)
    let keys = try store?.load(collection: 1).map(\.key)
    #expect(keys == [[0]] || keys == [[0], [1]], "only the first of them may have arrived")
    try store?.commitNow([.put(collection: 1, key: [4], value: [1])])
    #expect(try store?.load(collection: 1, prefix: [4]).count == 1)
  }

  @Test("A file system that takes no writes is told apart, and may recover")
  func readOnly() throws {
    let store = try Store(folder: folder.path)
    store.run("PRAGMA query_only = ON")
    #expect(throws: StoreError.readOnly) {
      try store.commitNow([.put(collection: 1, key: [0], value: [1])])
    }
    store.run("PRAGMA query_only = OFF")
    try store.commitNow([.put(collection: 1, key: [0], value: [1])])
  }

  @Test("A folder that is not there is no damage")
  func missingFolder() {
    let error = #expect(throws: StoreError.self) {
      try Store(folder: folder.file("nowhere"))
    }
    #expect(error?.code == "diskFailed")
  }

  @Test("A disk that does not answer makes the store refuse, in turn, not grow")
  func overloaded() throws {
    let store = try Store(folder: folder.path)
    let told = Told<String>()
    let release = store.hold()
    let value = [UInt8](repeating: 0, count: 20 << 20)
    for key in 0..<5 as Range<UInt8> {
      store.commit([.put(collection: 1, key: [key], value: value)]) { result in
        switch result {
        case .success: told.append("done")
        case .failure(let error): told.append(error.code)
        }
      }
    }
    release()
    store.flush()
    #expect(
      told.values == ["done", "done", "done", "storeOverloaded", "storeOverloaded"])
    #expect(try store.load(collection: 1).count == 3)
  }

  @Test("Codes are stable and every error says what to do")
  func codes() {
    let errors: [(StoreError, String)] = [
      (.damaged(reason: ""), "storeDamaged"), (.locked, "storeLocked"),
      (.newer(version: 2), "storeNewer"), (.full, "diskFull"), (.io(code: 10), "diskFailed"),
      (.readOnly, "diskReadOnly"), (.overloaded, "storeOverloaded"),
    ]
    for (error, code) in errors {
      #expect(error.code == code)
      #expect(error.message.hasSuffix("."))
    }
  }
}

extension Store {
  /// Makes SQLite's file of the log report a failure for each sync, or none.
  fileprivate func letSyncsOfTheLog(succeed: Bool) {
    database.withLock { database in
      var log: UnsafeMutablePointer<sqlite3_file>?
      sqlite3_file_control(
        database.connection.handle, "main", SQLITE_FCNTL_JOURNAL_POINTER, &log)
      guard let log, var methods = log.pointee.pMethods?.pointee else {
        Issue.record("SQLite gave no file of the log")
        return
      }
      if succeed {
        methods.xSync = { _, _ in SQLITE_OK }
      } else {
        methods.xSync = { _, _ in SQLITE_IOERR | 4 << 8 }
      }
      // Left allocated: SQLite uses it until the file is closed.
      let replaced = UnsafeMutablePointer<sqlite3_io_methods>.allocate(capacity: 1)
      replaced.initialize(to: methods)
      log.pointee.pMethods = UnsafePointer(replaced)
    }
  }
}
