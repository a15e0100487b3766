// The one file of the store that calls the system: each call once, with its retries and its error.
import CSQLite
import Foundation

/// A system call that failed.
package struct SystemError: Error, Equatable, Sendable {
  /// The call, for example "open".
  package let call: String
  /// The number the system gave, as in `errno`.
  package let number: Int32

  /// Whether the named file is not there.
  package var isMissing: Bool { number == ENOENT }

  /// Whether there is no space left.
  package var isFull: Bool { number == ENOSPC || number == EDQUOT }

  /// What the system says about it.
  package var text: String { "\(call): \(String(cString: strerror(number)))" }
}

/// Repeats a system call that a signal interrupted, and throws what `errno` says when it fails.
@discardableResult
private func system<Value: SignedInteger>(
  _ call: String, _ body: () -> Value
) throws(SystemError) -> Value {
  while true {
    let value = body()
    if value >= 0 { return value }
    let number = errno
    if number != EINTR { throw SystemError(call: call, number: number) }
  }
}

/// An open file or folder, closed when it goes out of scope.
struct OpenFile: ~Copyable {
  private let descriptor: Int32

  /// How a file is opened.
  enum Mode {
    /// An existing file, to be read.
    case read
    /// A file to be written from its start; made where it is missing, emptied where it is not.
    case replace
    /// A file made just now; `EEXIST` where it is not missing.
    case create
    /// A file to be locked, read and written; made where it is missing.
    case lock
    /// An existing folder, to be synced.
    case folder
  }

  /// Opens `path`; what is made is for its owner alone.
  ///
  /// A symbolic link in the place of a file is refused.
  init(_ path: String, _ mode: Mode) throws(SystemError) {
    let flags =
      switch mode {
      case .read: O_RDONLY
      case .replace: O_WRONLY | O_CREAT | O_TRUNC
      case .create: O_RDWR | O_CREAT | O_EXCL
      case .lock: O_RDWR | O_CREAT
      case .folder: O_RDONLY | O_DIRECTORY
      }
    let noFollow: Int32 = if case .folder = mode { 0 } else { O_NOFOLLOW }
    descriptor = try system("open") { open(path, flags | noFollow | O_CLOEXEC, 0o600) }
  }

  deinit { close(descriptor) }

  /// Reads the file from its start, at most `limit` bytes of it.
  func read(atMost limit: Int) throws(SystemError) -> [UInt8] {
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: min(limit, 4096))
    while bytes.count < limit {
      let offset = off_t(bytes.count)
      let wanted = min(chunk.count, limit - bytes.count)
      let count = try system("read") { pread(descriptor, &chunk, wanted, offset) }
      if count == 0 { break }
      bytes += chunk[..<count]
    }
    return bytes
  }

  /// Writes the bytes at the start of the file.
  func write(_ bytes: [UInt8]) throws(SystemError) {
    var done = 0
    while done < bytes.count {
      done += try system("write") {
        bytes.withUnsafeBytes { buffer in
          let rest = UnsafeRawBufferPointer(rebasing: buffer[done...])
          return pwrite(descriptor, rest.baseAddress, rest.count, off_t(done))
        }
      }
    }
  }

  /// Cuts the file to nothing.
  func empty() throws(SystemError) {
    try system("ftruncate") { ftruncate(descriptor, 0) }
  }

  /// Returns after everything written is on the disk.
  func sync() throws(SystemError) {
    try system("fsync") { tabletalk_sync(descriptor) }
  }

  /// Takes the lock that lasts until this file is closed or the process ends; false if another
  /// open file holds it.
  func lock() throws(SystemError) -> Bool {
    do throws(SystemError) {
      try system("flock") { flock(descriptor, LOCK_EX | LOCK_NB) }
      return true
    } catch {
      if error.number == EWOULDBLOCK { return false }
      throw error
    }
  }
}

/// Makes a folder for its owner alone, with the folders above it that are missing.
///
/// A folder that is there already keeps its mode: it may be anything the user named.
func makeFolders(_ path: String) throws(SystemError) {
  do throws(SystemError) {
    try system("mkdir") { mkdir(path, 0o700) }
  } catch {
    switch error.number {
    case EEXIST:
      // Also for a file of that name; then opening it as a folder says so.
      _ = try OpenFile(path, .folder)
    case ENOENT:
      guard let parent = folder(of: path) else { throw error }
      try makeFolders(parent)
      try system("mkdir") { mkdir(path, 0o700) }
    default: throw error
    }
  }
}

/// Returns the path without its last part; nil when that leaves nothing.
private func folder(of path: String) -> String? {
  var rest = path[...]
  while rest.count > 1, rest.last == "/" { rest = rest.dropLast() }
  guard let slash = rest.lastIndex(of: "/") else { return nil }
  let parent = slash == rest.startIndex ? "/" : String(rest[..<slash])
  return parent == path ? nil : parent
}

/// Puts a file in the place of another in one step.
func renameFile(_ from: String, to target: String) throws(SystemError) {
  try system("rename") { rename(from, target) }
}

/// Removes a file; it may be missing.
func removeFile(_ path: String) throws(SystemError) {
  do throws(SystemError) {
    try system("unlink") { unlink(path) }
  } catch {
    guard error.isMissing else { throw error }
  }
}

/// Makes an empty file for its owner alone, so that SQLite gives its own files that mode too.
///
/// A file that is there is not even opened: closing it would drop the locks SQLite holds on it in
/// this process.
func createPrivateFile(at path: String) throws(StoreError) {
  do throws(SystemError) {
    _ = try OpenFile(path, .create)
  } catch {
    if error.number == EEXIST { return }
    if error.isFull { throw .full }
    if error.number == EROFS || error.number == EACCES { throw .readOnly }
    throw .io(code: error.number)
  }
}

/// Returns the number of this process.
func processID() -> Int32 { getpid() }

/// Returns the home folder of the user as the environment or the system names it.
func homeFolder(environment: [String: String]) -> String? {
  if let home = environment["HOME"], home.hasPrefix("/") { return home }
  guard let entry = getpwuid(getuid()), let home = entry.pointee.pw_dir else { return nil }
  return String(cString: home)
}
