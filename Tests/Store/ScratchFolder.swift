import Dispatch
import Foundation
import Synchronization
import Testing

@testable import Store

/// A folder of one test, removed with everything in it.
final class ScratchFolder {
  let path: String

  /// Makes the folder; in memory, where the system can, for tests that open thousands of files.
  init(inMemory: Bool = false) throws {
    let memory = URL(filePath: "/dev/shm")
    let hasMemory = inMemory && FileManager.default.isWritableFile(atPath: "/dev/shm")
    let parent = hasMemory ? memory : FileManager.default.temporaryDirectory
    let url = parent.appending(
      path: "tabletalk-store-\(UUID().uuidString)", directoryHint: .isDirectory)
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    path = url.path(percentEncoded: false).trimmingSuffix("/")
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  func file(_ name: String) -> String { path + "/" + name }

  func read(_ name: String) throws -> Data {
    try Data(contentsOf: URL(filePath: file(name)))
  }

  func write(_ name: String, _ data: Data) throws {
    try data.write(to: URL(filePath: file(name)))
  }

  /// The permission bits of a file or folder.
  func mode(_ name: String) throws -> Int {
    let attributes = try FileManager.default.attributesOfItem(atPath: file(name))
    return (attributes[.posixPermissions] as? NSNumber)?.intValue ?? -1
  }
}

extension String {
  fileprivate func trimmingSuffix(_ suffix: String) -> String {
    hasSuffix(suffix) ? String(dropLast(suffix.count)) : self
  }
}

extension Store {
  /// Runs SQL that no caller of the store can ask for.
  func run(_ sql: String) {
    #expect(throws: Never.self) {
      try database.withLock { database throws(StoreError) in
        try database.connection.execute(sql)
      }
    }
  }

  /// Moves everything out of the log and cuts its file to nothing.
  func emptyLog() { run("PRAGMA wal_checkpoint(TRUNCATE)") }

  /// Lets nothing be written until the function it returns has been called.
  func hold() -> @Sendable () -> Void {
    queue.suspend()
    return { self.queue.resume() }
  }
}

/// What completions were called with, in the order of the calls.
final class Told<Value: Sendable>: Sendable {
  private let list = Mutex<[Value]>([])

  var values: [Value] { list.withLock { $0 } }

  func append(_ value: Value) {
    list.withLock { $0.append(value) }
  }
}
