import Foundation

/// Runs a program of the system that answers a question and changes nothing.
///
/// No shell is involved, the arguments are fixed texts, the time and the output are limited.
enum Tool {
  /// What came of asking.
  enum Answer: Equatable, Sendable {
    /// There is no such program here.
    case missing
    /// It did not end in time, or said more than the limit.
    case silent
    /// What it printed, and its exit status.
    case said(String, status: Int32)
  }

  /// Where plain users do not look, but the tools of networks live.
  private static let systemFolders = ["/usr/sbin", "/sbin", "/usr/local/sbin"]

  /// The full path of a program, or nil.
  static func path(of name: String) -> String? {
    if name.hasPrefix("/") {
      return FileManager.default.isExecutableFile(atPath: name) ? name : nil
    }
    let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
      .map(String.init)
    return (folders + systemFolders).lazy.map { "\($0)/\(name)" }
      .first { $0.hasPrefix("/") && FileManager.default.isExecutableFile(atPath: $0) }
  }

  /// Runs a program to its end and returns both its outputs together; after `seconds` it is ended.
  static func ask(
    _ name: String, _ arguments: [String], seconds: Int = 4, limit: Int = 1 << 20
  ) -> Answer {
    guard let path = path(of: name) else { return .missing }
    let process = Process()
    process.executableURL = URL(fileURLWithPath: path)
    process.arguments = arguments
    // Its words are read by a program, so they must be the untranslated ones.
    process.environment = ProcessInfo.processInfo.environment.merging(["LC_ALL": "C"]) { $1 }
    let pipe = Pipe()
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = pipe
    process.standardError = pipe
    let ended = DispatchSemaphore(value: 0)
    process.terminationHandler = { _ in ended.signal() }
    do {
      try process.run()
    } catch {
      return .missing
    }
    try? pipe.fileHandleForWriting.close()
    let reader = Reader(pipe.fileHandleForReading, limit: limit)
    let isRead = reader.done.wait(timeout: .now() + .seconds(seconds)) == .success
    guard isRead, !reader.isCut, ended.wait(timeout: .now() + .seconds(1)) == .success else {
      process.terminate()
      return .silent
    }
    return .said(
      String(decoding: reader.bytes, as: UTF8.self), status: process.terminationStatus)
  }

  /// Reads a pipe on a thread of its own, so that the caller can stop waiting.
  private final class Reader: @unchecked Sendable {
    let done = DispatchSemaphore(value: 0)
    // Written before `done` is signalled and read after it.
    private(set) var bytes: [UInt8] = []
    private(set) var isCut = false

    init(_ handle: FileHandle, limit: Int) {
      Thread.detachNewThread { [self] in
        while let part = try? handle.read(upToCount: 65_536), !part.isEmpty {
          bytes += part
          guard bytes.count <= limit else {
            isCut = true
            break
          }
        }
        try? handle.close()
        done.signal()
      }
    }
  }
}

/// Small files in which the kernel says how things are.
enum KernelFile {
  /// The text of a file, cut at the limit; nil when it is not there or not for us.
  static func text(_ path: String, limit: Int = 1 << 20) -> String? {
    guard let handle = FileHandle(forReadingAtPath: path) else { return nil }
    defer { try? handle.close() }
    var bytes: [UInt8] = []
    while bytes.count < limit, let part = try? handle.read(upToCount: min(65_536, limit)),
      !part.isEmpty
    {
      bytes += part
    }
    return String(decoding: bytes.prefix(limit), as: UTF8.self)
  }
}
