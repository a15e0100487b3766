import Foundation
import Shell

/// Nodes of the built program, each a process of its own, all on the loopback interface.
final class Company {
  let processes: [Process]
  let root: URL

  /// Starts so many, with nothing in their folders.
  init(_ count: Int) throws {
    root = FileManager.default.temporaryDirectory.appendingPathComponent(
      "tabletalk-idle-\(ProcessInfo.processInfo.processIdentifier)")
    var started: [Process] = []
    do {
      for number in 1...count { started.append(try Self.start(number, in: root)) }
    } catch {
      Self.end(started, root)
      throw error
    }
    processes = started
  }

  /// Stops all and leaves nothing behind.
  func end() { Self.end(processes, root) }

  private static func end(_ processes: [Process], _ root: URL) {
    for process in processes { process.interrupt() }
    for process in processes { process.waitUntilExit() }
    try? FileManager.default.removeItem(at: root)
  }

  func folder(_ number: Int) -> String { root.appendingPathComponent("\(number)").path }

  private static func start(_ number: Int, in root: URL) throws -> Process {
    let process = Process()
    let own = URL(fileURLWithPath: CommandLine.arguments[0]).resolvingSymlinksInPath()
    let program = own.deletingLastPathComponent().appendingPathComponent("tabletalk")
    guard FileManager.default.isExecutableFile(atPath: program.path) else {
      throw Trouble("\(program.path) is missing: build the product tabletalk first")
    }
    process.executableURL = program
    process.arguments = [
      "--interface", IdleBench.loopback, "--name", "Guest \(number)", "--no-open", "--log", "error",
      "--data", root.appendingPathComponent("\(number)").path,
    ]
    process.standardOutput = FileHandle.nullDevice
    try FileManager.default.createDirectory(at: root, withIntermediateDirectories: true)
    try process.run()
    return process
  }

  /// Processor seconds of each until now.
  func times() throws -> [Double] {
    try processes.map { process in
      guard process.isRunning else { throw Trouble("a node has ended") }
      return try ProcessorTime.seconds(of: process.processIdentifier)
    }
  }
}
