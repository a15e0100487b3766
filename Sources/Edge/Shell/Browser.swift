import Foundation

/// Opens the page in the person's browser.
enum Browser {
  /// Whether there is a screen to open it on.
  static var isPossible: Bool {
    #if canImport(Darwin)
      true
    #else
      ["DISPLAY", "WAYLAND_DISPLAY"].contains { (name: String) in
        !(ProcessInfo.processInfo.environment[name] ?? "").isEmpty
      }
    #endif
  }

  /// Hands the address to the system's opener; says whether one could be started.
  @discardableResult
  static func open(_ address: String) -> Bool {
    guard isPossible else { return false }
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    #if canImport(Darwin)
      process.arguments = ["open", address]
    #else
      process.arguments = ["xdg-open", address]
    #endif
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    do {
      try process.run()
      return true
    } catch {
      return false
    }
  }
}
