import Discovery
import Foundation

/// How the program was started, as a player types it again: sentences that say what to run name it so.
package enum ProgramName {
  /// Of this process.
  package static let own = words(
    of: CommandLine.arguments.first ?? "", in: FileManager.default.currentDirectoryPath,
    path: ProcessInfo.processInfo.environment["PATH"] ?? "")

  /// The words for a program that was called `argument` in a folder, with a search path.
  ///
  /// `swift run` calls what it has built `.build/SYSTEM/CONFIGURATION/tabletalk`, below the package; who
  /// types a path leaves the system out.
  static func words(of argument: String, in folder: String, path: String) -> String {
    guard let slash = argument.lastIndex(of: "/") else {
      return argument.isEmpty ? "tabletalk" : ShellWord.quoted(argument)
    }
    let name = String(argument[argument.index(after: slash)...])
    let whole = argument.hasPrefix("/") ? argument : "\(folder)/\(argument)"
    if let build = whole.range(of: "/.build/") {
      let package = whole[..<build.lowerBound]
      let within = whole[build.upperBound...].split(separator: "/")
      let isHere = folder == package || folder.hasPrefix(package + "/")
      if isHere, within.count == 3, ["debug", "release"].contains(within[1]) {
        return "swift run \(within[1] == "release" ? "-c release " : "")\(name)"
      }
    }
    let isFound = path.split(separator: ":").contains { $0 == argument[..<slash] }
    return ShellWord.quoted(isFound ? name : argument)
  }
}
