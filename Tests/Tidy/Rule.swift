/// A habit of the project that no compiler enforces.
enum Rule: String, CaseIterable {
  /// Every target imports only what `Matrix` grants it.
  case importMatrix
  /// Core has no clock, randomness, output, floating point, reference or concurrency.
  case purity
  /// Core keeps no `Dictionary` or `Set`, whose order differs between runs, unless looked up only.
  case hashedCollections
  /// Core calls of C only hashing, signature verification and the moving of public keys.
  case cSymbols
  /// Questions for the platform, in `#if`, stand only where it is talked to.
  case platformConditions
  /// No file is longer than 600 lines, none of an executable longer than 150.
  case fileLength
  /// Nothing names a path of the machine it was written on.
  case machinePaths
  /// Nothing unfinished is left behind.
  case unfinished
  /// The project's folder holds only what a reader expects there.
  case topLevel
  /// Every type that other modules see says in a comment what it is.
  case documentedTypes
  /// A file of the project that a text speaks of is there.
  case references

  /// What breaks the rule in a file, each with its line.
  func offences(in file: SourceFile) -> [Offence] {
    switch self {
    case .importMatrix: importOffences(file)
    case .purity: purityOffences(file)
    case .hashedCollections: hashedOffences(file)
    case .cSymbols: symbolOffences(file)
    case .platformConditions: conditionOffences(file)
    case .fileLength: lengthOffences(file)
    case .machinePaths: textOffences(file, Self.pathMarks, "is a path of one machine")
    case .unfinished: textOffences(file, Self.unfinishedMarks, "marks unfinished work")
    case .topLevel: topLevelOffences(file)
    case .documentedTypes: documentationOffences(file)
    case .references: referenceOffences(file)
    }
  }
}

/// One breach of a rule.
struct Offence: CustomStringConvertible {
  let path: String
  let line: Int
  let what: String

  var description: String { "\(path):\(line): \(what)" }
}

extension Rule {
  private func importOffences(_ file: SourceFile) -> [Offence] {
    guard let target = file.target, file.path.hasSuffix(".swift") else { return [] }
    guard let allowed = Matrix.allowed(layer: target.layer, name: target.name) else {
      return [Offence(path: file.path, line: 1, what: "\(target.name) is not in the matrix")]
    }
    let granted = allowed.union(Matrix.isPlatformPlace(file.path) ? Matrix.platform : [])
    return imports(file).filter { !granted.contains($0.text) }.map {
      Offence(path: file.path, line: $0.line, what: "\(target.name) may not import \($0.text)")
    }
  }

  private func imports(_ file: SourceFile) -> [Token] {
    let kinds: Set<String> = [
      "struct", "class", "enum", "protocol", "func", "var", "let", "typealias",
    ]
    let tokens = file.tokens
    return tokens.indices.compactMap { index in
      guard tokens[index].text == "import", index + 1 < tokens.count else { return nil }
      let next = index + (kinds.contains(tokens[index + 1].text) ? 2 : 1)
      return next < tokens.count ? tokens[next] : nil
    }
  }

  private func conditionOffences(_ file: SourceFile) -> [Offence] {
    guard file.target != nil, !Matrix.isPlatformPlace(file.path) else { return [] }
    let asking = ["os", "arch", "targetEnvironment"] + Matrix.platform + ["Musl", "Android"]
    return file.tokens.indices.filter { index in
      guard ["#if", "#elseif"].contains(file.tokens[index].text) else { return false }
      return file.tokens[(index + 1)...].prefix { $0.line == file.tokens[index].line }
        .contains { asking.contains($0.text) }
    }.map {
      Offence(
        path: file.path, line: file.tokens[$0].line, what: "asks for the platform out of place")
    }
  }

  private func lengthOffences(_ file: SourceFile) -> [Offence] {
    let isData = ["Protocol/vectors/", "Protocol/conformance/"].contains(where: file.path.hasPrefix)
    guard !isData else { return [] }
    let isLibrary = ["SimulationKit", "SafetySearch"].contains(file.target?.name)
    let isExecutable = file.target?.layer == "Tools" && !isLibrary
    let limit = isExecutable && file.path.hasSuffix(".swift") ? 150 : 600
    guard file.lineCount > limit + 1 else { return [] }
    return [Offence(path: file.path, line: limit, what: "has \(file.lineCount) lines")]
  }

  private func topLevelOffences(_ file: SourceFile) -> [Offence] {
    let expected: Set<String> = [
      "Package.swift", "Sources", "Tests", "Protocol", "README.md", "LICENSE", ".swift-format",
      ".gitignore", ".ci",
    ]
    guard let first = file.parts.first, !expected.contains(first) else { return [] }
    return [Offence(path: file.path, line: 1, what: "\(first) is not expected at the top")]
  }

  private func documentationOffences(_ file: SourceFile) -> [Offence] {
    guard file.target != nil, file.path.hasSuffix(".swift") else { return [] }
    let lines = file.lines
    return lines.indices.compactMap { index in
      let words = lines[index].split(separator: " ")
      guard words.first == "package",
        words.contains(where: { ["struct", "enum", "protocol", "actor", "class"].contains($0) }),
        !words.contains("func"), !words.contains("import")
      else { return nil }
      var above = index - 1
      while above >= 0, lines[above].drop(while: { $0 == " " }).hasPrefix("@") { above -= 1 }
      if above >= 0, lines[above].drop(while: { $0 == " " }).hasPrefix("///") { return nil }
      return Offence(path: file.path, line: index + 1, what: "does not say what it is")
    }
  }

  /// Paths such as `Protocol/README.md`; the samples of these tests are not meant.
  private func referenceOffences(_ file: SourceFile) -> [Offence] {
    let isText = [".swift", ".md", ".py", ".js", ".yaml"].contains(where: file.path.hasSuffix)
    guard isText, !file.path.hasPrefix("Tests/Tidy/") else { return [] }
    return file.lines.enumerated().flatMap { index, line in
      line.split { !$0.isLetter && !$0.isNumber && !"/._-".contains($0) }.compactMap { word in
        let path = word.drop { $0 == "." || $0 == "/" }.split(separator: "/")
        guard ["Protocol", "Sources", "Tests"].contains(path.first ?? ""), path.count > 1,
          path.last?.dropFirst().contains(".") == true
        else { return nil }
        var wanted = path.joined(separator: "/")
        while let last = wanted.last, last == "." || last == "-" { wanted.removeLast() }
        guard wanted.contains("."), !Project.has(wanted) else { return nil }
        return Offence(path: file.path, line: index + 1, what: "\(wanted) is not there")
      }
    }
  }

  private func textOffences(
    _ file: SourceFile, _ marks: [String], _ what: String
  ) -> [Offence] {
    guard marks.contains(where: file.text.contains) else { return [] }
    return file.lines.enumerated().compactMap { index, line in
      guard let mark = marks.first(where: line.contains) else { return nil }
      return Offence(path: file.path, line: index + 1, what: "\(mark) \(what)")
    }
  }

  // Put together from halves, so that this file does not break its own rules.
  private static let pathMarks = [
    "/" + "work/", "/" + "farm/", "/" + "root/", "/tmp/" + "wt", "../" + "shared",
    Project.place,
  ]
  private static let unfinishedMarks = [
    "TO" + "DO", "FIX" + "ME", "XX" + "X:", "not " + "implemented", "un" + "implemented",
  ]
}
