/// The page in few pieces: its scripts in one, its sheets in one, the sentences of a language in one.
///
/// A request costs a browser milliseconds, whatever it brings, and a script that names others makes
/// it wait once more at every step. The pieces are put together of the files when a page is first
/// asked for; a page that is opened asks for six of them in three steps, where the files would be a
/// hundred in eight. The files themselves stay where they are.
enum Pieces {
  private static let script = "/app/all.js"
  private static let sheet = "/style/all.css"

  /// The files and the pieces, the start page among them as it names the pieces.
  static func make(of files: [Asset]) -> [Asset] {
    guard let index = files.first(where: { $0.path == "/" }),
      let scripts = try? ModuleBundle.make(
        of: "/app/main.js",
        from: Dictionary(files.map { ($0.path, $0.bytes) }, uniquingKeysWith: { first, _ in first })
      )
    else { return files + languages(of: files) }
    var sheets: [UInt8] = []
    var lines: [Substring] = []
    for line in String(decoding: index.bytes, as: UTF8.self).split(
      separator: "\n", omittingEmptySubsequences: false)
    {
      let parts = line.split(separator: "\"", omittingEmptySubsequences: false)
      if parts.count == 5, parts[1] == "stylesheet" {
        guard let file = files.first(where: { $0.path == "/\(parts[3])" }) else { continue }
        if sheets.isEmpty {
          lines.append("<link rel=\"stylesheet\" href=\"\(sheet.dropFirst())\">")
        }
        sheets += file.bytes
      } else if parts.contains("app/main.js") {
        lines.append("<script type=\"module\" src=\"\(script.dropFirst())\"></script>")
      } else {
        lines.append(line)
      }
    }
    return files.filter { $0.path != "/" } + languages(of: files) + [
      Asset(path: "/", type: index.type, made: Array(lines.joined(separator: "\n").utf8)),
      Asset(path: script, type: "text/javascript; charset=utf-8", made: scripts),
      Asset(path: sheet, type: "text/css; charset=utf-8", made: sheets),
    ]
  }

  /// For each language `/locales/en.all.json`: an object with the objects of its files, each by what
  /// its name has behind the language.
  private static func languages(of files: [Asset]) -> [Asset] {
    let folder = "/locales/"
    let names = files.map(\.path).filter { $0.hasPrefix(folder) && $0.hasSuffix(".json") }
      .map { $0.dropFirst(folder.count).dropLast(".json".count) }
    let languages = names.filter { name in !names.contains { name.hasPrefix("\($0)-") } }
    return languages.map { language in
      var out: [UInt8] = []
      for name in names.sorted() where name == language || name.hasPrefix("\(language)-") {
        guard let file = files.first(where: { $0.path == "\(folder)\(name).json" }) else {
          continue
        }
        out += out.isEmpty ? "{".utf8 : ",".utf8
        out += "\"\(name.dropFirst(language.count))\":".utf8
        out += file.bytes
      }
      out += "}".utf8
      return Asset(path: "\(folder)\(language).all.json", type: "application/json", made: out)
    }
  }
}
