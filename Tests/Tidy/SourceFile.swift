import Foundation

/// One file of the project, as the rules see it.
struct SourceFile {
  /// Relative to the project's folder, with slashes.
  let path: String
  let text: String
  /// Of a Swift file: its code without comments and without the texts in quotes.
  let tokens: [Token]

  init(path: String, text: String) {
    self.path = path
    self.text = text
    tokens = path.hasSuffix(".swift") ? Lexer.tokens(of: text) : []
  }

  /// The parts of the path.
  var parts: [String] { path.split(separator: "/").map(String.init) }

  var lineCount: Int { lines.count }

  var lines: [Substring] { text.split(separator: "\n", omittingEmptySubsequences: false) }

  /// `Core`, `Edge`, `Tools` or `C` for files of a target in `Sources`, with the target's name.
  var target: (layer: String, name: String)? {
    let parts = parts
    guard parts.count > 3, parts[0] == "Sources" else { return nil }
    return (parts[1], parts[2])
  }
}

/// The files of the clone that these tests were built from.
enum Project {
  static let root = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// Where this clone lies.
  static let place = root.path + "/"

  /// Whether a file is there, named as in `SourceFile.path`.
  static func has(_ path: String) -> Bool {
    FileManager.default.fileExists(atPath: place + path)
  }

  /// Every text file except what git, the builds and the tools keep for themselves.
  static let files: [SourceFile] = walk(root, prefix: "")

  private static func walk(_ folder: URL, prefix: String) -> [SourceFile] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    var out: [SourceFile] = []
    for name in names.sorted() where !isLeftByTools(name) {
      let url = folder.appendingPathComponent(name)
      var isFolder: ObjCBool = false
      guard FileManager.default.fileExists(atPath: url.path, isDirectory: &isFolder) else {
        continue
      }
      if isFolder.boolValue {
        out += walk(url, prefix: prefix + name + "/")
      } else if let text = try? String(contentsOf: url, encoding: .utf8) {
        out.append(SourceFile(path: prefix + name, text: text))
      }
    }
    return out
  }

  private static func isLeftByTools(_ name: String) -> Bool {
    name == ".git" || name.hasPrefix(".build") || name == ".swiftpm" || name == "__pycache__"
      || name == ".pytest_cache"
  }
}
