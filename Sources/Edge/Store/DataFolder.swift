import Synchronization

/// Why the data folder cannot be used.
package enum DataFolderError: Error, Equatable, Sendable {
  /// Another running node holds the folder; its process number where that can be read.
  case heldBy(pid: Int32?)
  /// Neither the environment nor the system names a home folder.
  case noHome
  /// The name is not that of a plain file in the folder.
  case badName(String)
  /// The file is longer than its reader allows.
  case tooLong(name: String)
  /// The system refused a call.
  case system(SystemError)

  /// The stable name of the case, for the page and the log.
  package var code: String {
    switch self {
    case .heldBy: "folderHeld"
    case .noHome: "noHome"
    case .badName: "badFileName"
    case .tooLong: "fileTooLong"
    case .system: "folderFailed"
    }
  }

  /// One sentence for people that says what to do next.
  package var message: String {
    switch self {
    case .heldBy(let pid?):
      "Tabletalk runs already (process \(pid)); use its page, or choose another folder with --data."
    case .heldBy(nil):
      "Tabletalk runs already; use its page, or choose another folder with --data."
    case .noHome: "No home folder is known; choose a data folder with --data."
    case .badName(let name): "\(name) is not the name of a file; use a name without slashes."
    case .tooLong(let name): "The file \(name) in the data folder is too long; remove it."
    case .system(let error):
      "The data folder cannot be used (\(error.text)); choose another with --data."
    }
  }
}

/// The folder that holds everything a node keeps, held by one process at a time.
///
/// The lock is the system's own (`flock` on a file named `lock`), so that it ends with the process,
/// however that ends. Files in the folder are for their owner alone.
package final class DataFolder: Sendable {
  /// The path of the folder.
  package let path: String

  private let lock: OpenFile
  /// Held while a file is written: each has one temporary name.
  private let writing = Mutex(())

  /// Makes the folder where it is missing, with those above it, and takes its lock.
  ///
  /// - Throws: `.heldBy` while another node runs in it.
  package init(path: String) throws(DataFolderError) {
    self.path = path
    lock = try orSystem { () throws(SystemError) in
      try makeFolders(path)
      return try OpenFile(path + "/lock", .lock)
    }
    let isOurs = try orSystem { () throws(SystemError) in try lock.lock() }
    guard isOurs else { throw .heldBy(pid: Self.holder(of: path)) }
    try orSystem { () throws(SystemError) in
      try lock.empty()
      try lock.write(Array("\(processID())\n".utf8))
    }
  }

  /// Where a kind of system wants programs to keep their data.
  package enum Convention: Sendable {
    /// `$XDG_DATA_HOME/tabletalk`, else `~/.local/share/tabletalk`.
    case xdg
    /// `~/Library/Application Support/Tabletalk`.
    case macOS
  }

  /// Returns the folder used when none is named.
  ///
  /// - Parameters:
  ///   - environment: the environment of the process.
  ///   - convention: the kind of system this is.
  /// - Returns: an absolute path; the folder may be missing.
  /// - Throws: `.noHome`.
  package static func defaultPath(
    environment: [String: String], convention: Convention
  ) throws(DataFolderError) -> String {
    // The XDG base directory specification wants a relative path to be ignored.
    if convention == .xdg, let data = environment["XDG_DATA_HOME"], data.hasPrefix("/") {
      return data + "/tabletalk"
    }
    guard let home = homeFolder(environment: environment) else { throw .noHome }
    return switch convention {
    case .xdg: home + "/.local/share/tabletalk"
    case .macOS: home + "/Library/Application Support/Tabletalk"
    }
  }

  /// Writes a small file so that after a crash either the old bytes are there or the new ones.
  ///
  /// - Parameters:
  ///   - name: a plain file name in the folder.
  ///   - bytes: the whole content.
  /// - Throws: `.badName`, or what the system said; then the old bytes are still there.
  package func write(_ name: String, _ bytes: [UInt8]) throws(DataFolderError) {
    let target = try place(of: name)
    let temporary = path + "/." + name + ".new"
    try writing.withLock { _ in
      Result { () throws(DataFolderError) in
        try orSystem { () throws(SystemError) in
          do throws(SystemError) {
            // A rest of another mode or kind, from whoever left it, must not be written into.
            try removeFile(temporary)
            let file = try OpenFile(temporary, .create)
            try file.write(bytes)
            try file.sync()
            try renameFile(temporary, to: target)
          } catch {
            try? removeFile(temporary)
            throw error
          }
          try OpenFile(path, .folder).sync()
        }
      }
    }.get()
  }

  /// Reads a small file.
  ///
  /// - Parameters:
  ///   - name: a plain file name in the folder.
  ///   - limit: the most bytes it may have.
  /// - Returns: the whole content; nil when the file is missing.
  /// - Throws: `.badName`, `.tooLong`, or what the system said.
  package func read(_ name: String, limit: Int = 1 << 16) throws(DataFolderError) -> [UInt8]? {
    _ = try place(of: name)
    return try Self.read(name, in: path, limit: limit)
  }

  /// Removes a file; it may be missing.
  package func remove(_ name: String) throws(DataFolderError) {
    let target = try place(of: name)
    try orSystem { () throws(SystemError) in
      try removeFile(target)
      try OpenFile(path, .folder).sync()
    }
  }

  /// Returns the content of a small file of a folder that this process may not hold; nil when it is
  /// missing.
  static func read(
    _ name: String, in path: String, limit: Int
  ) throws(DataFolderError) -> [UInt8]? {
    let bytes: [UInt8]
    do throws(SystemError) {
      bytes = try OpenFile(path + "/" + name, .read).read(atMost: limit + 1)
    } catch {
      if error.isMissing { return nil }
      throw .system(error)
    }
    guard bytes.count <= limit else { throw .tooLong(name: name) }
    return bytes
  }

  /// Returns the number of the process that holds a folder, if it wrote one.
  private static func holder(of path: String) -> Int32? {
    guard let bytes = try? read("lock", in: path, limit: 32),
      let line = String(validating: bytes, as: UTF8.self)?.split(separator: "\n").first
    else { return nil }
    return Int32(line)
  }

  private func place(of name: String) throws(DataFolderError) -> String {
    let isPlain = !name.isEmpty && name.utf8.count <= 64 && !name.hasPrefix(".")
    guard isPlain, name.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7f && $0 != UInt8(ascii: "/") })
    else { throw .badName(name) }
    return path + "/" + name
  }
}

/// Runs calls to the system and wraps what they throw.
private func orSystem<Value: ~Copyable>(
  _ body: () throws(SystemError) -> Value
) throws(DataFolderError) -> Value {
  do throws(SystemError) {
    return try body()
  } catch {
    throw .system(error)
  }
}
