/// Scripts that import one another, as one script.
///
/// Each becomes a function that is called once, in the order in which a browser would run them, and
/// what it exports is a constant of the whole. The page's scripts keep to a few forms of import and
/// export, one a line, and do not import in a circle; anything else is refused, never guessed at.
struct ModuleBundle {
  /// Why scripts cannot be put together.
  enum Fault: Error, Equatable {
    /// A script that is imported is not there.
    case missing(String)
    /// A script imports itself by way of others.
    case circle(String)
    /// A line imports or exports in a form that is not known.
    case unknownForm(String, line: String)
  }

  private let entry: String
  private let sources: [String: UnsafeRawBufferPointer]
  private var begun: Set<String> = []
  private var done: Set<String> = []
  private var out: [UInt8] = []

  /// Puts a script and all that it needs together; its own lines stay at the top level, at the end.
  ///
  /// - Parameters:
  ///   - entry: the path of the script, with a leading slash.
  ///   - sources: the scripts by their paths.
  /// - Returns: the text of the whole.
  /// - Throws: the first of them that cannot be put in.
  static func make(
    of entry: String, from sources: [String: UnsafeRawBufferPointer]
  ) throws(Fault) -> [UInt8] {
    var bundle = ModuleBundle(entry: entry, sources: sources)
    try bundle.add(entry)
    return bundle.out
  }

  private init(entry: String, sources: [String: UnsafeRawBufferPointer]) {
    self.entry = entry
    self.sources = sources
  }

  /// Adds a script behind all that it imports.
  private mutating func add(_ path: String) throws(Fault) {
    if done.contains(path) { return }
    guard let source = sources[path] else { throw .missing(path) }
    guard begun.insert(path).inserted else { throw .circle(path) }
    var body: [UInt8] = []
    var names: [String] = []
    for bytes in source.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
      var line = Substring(decoding: bytes.prefix(7), as: UTF8.self)
      if line == "import " || line == "export " {
        line = Substring(decoding: bytes, as: UTF8.self)
        guard let form = Form(line) else { throw .unknownForm(path, line: String(line)) }
        if let target = form.target {
          let other = Self.path(of: target, from: path)
          try add(other)
          line = form.pattern.map { "const \($0) = \(Self.name(of: other));" } ?? ""
        } else {
          line = line.dropFirst("export ".count)
        }
        names += form.exports
        body += line.utf8
      } else {
        body += bytes
      }
      body.append(UInt8(ascii: "\n"))
    }
    if path == entry {
      out += body
    } else {
      out += "const \(Self.name(of: path)) = (() => {\n".utf8
      out += body
      out += "return { \(names.joined(separator: ", ")) };\n})();\n".utf8
    }
    done.insert(path)
  }

  /// The path that a script names, from where it is.
  private static func path(of target: Substring, from path: String) -> String {
    var parts = path.split(separator: "/").dropLast()
    for part in target.split(separator: "/") where part != "." {
      if part == ".." { parts = parts.dropLast() } else { parts.append(part) }
    }
    return "/" + parts.joined(separator: "/")
  }

  /// What a script's exports are called in the whole: no name of the page's own begins like that.
  private static func name(of path: String) -> String {
    "$" + String(path.dropFirst().map { $0.isLetter || $0.isNumber ? $0 : "_" })
  }
}

/// A line that imports or exports.
private struct Form {
  /// The script that is imported, as it is named.
  var target: Substring?
  /// What stands for it in the script, as the left side of a constant.
  var pattern: String?
  var exports: [String] = []

  init?(_ line: Substring) {
    let parts = line.split(separator: "\"", omittingEmptySubsequences: false)
    if parts.count == 3, parts[2] == ";", parts[1].hasPrefix(".") {
      target = parts[1]
      let words = parts[0].split(separator: " ")
      if words == ["import"] { return }
      guard words.count > 2, words.last == "from" else { return nil }
      let named = words[1..<words.count - 1]
      if words[0] == "import", named.count == 3, named.starts(with: ["*", "as"]) {
        pattern = String(words[3])
        return
      }
      guard named.first == "{", named.last == "}" else { return nil }
      // A last name has no comma behind it, all others have one.
      let list = named.dropFirst().dropLast()
      let names = list.map { $0.hasSuffix(",") ? $0.dropLast() : $0 }
      guard !names.isEmpty, names.allSatisfy(Form.isName),
        list.dropLast().allSatisfy({ $0.hasSuffix(",") })
      else { return nil }
      pattern = "{ \(names.joined(separator: ", ")) }"
      if words[0] == "export" { exports = names.map(String.init) }
      return
    }
    var words = line.prefix { $0 != "(" && $0 != "=" && $0 != "{" }.split(separator: " ")
    if words.count > 1, words[1] == "async" { words.remove(at: 1) }
    guard words.count >= 3, words[0] == "export",
      ["function", "const", "class"].contains(words[1]),
      Form.isName(words[2])
    else { return nil }
    exports = [String(words[2])]
  }

  private static func isName(_ word: Substring) -> Bool {
    !word.isEmpty && word.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" }
  }
}
