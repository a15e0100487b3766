/// The rules that keep `Sources/Core` a function of its inputs.
extension Rule {
  private static let impureWords: Set<String> = [
    "Date", "ContinuousClock", "SuspendingClock", "SystemRandomNumberGenerator", "randomElement",
    "shuffled", "hashValue", "Double", "Float", "Float16", "Float80", "CGFloat", "TimeInterval",
    "class", "actor", "async", "await", "Task", "AsyncStream", "any", "print", "debugPrint", "dump",
    "readLine", "ObjectIdentifier", "CommandLine", "unsafeBitCast", "Unmanaged",
  ]

  /// Words of Core that mean a clock, chance, the world, a reference or another thread.
  func purityOffences(_ file: SourceFile) -> [Offence] {
    guard file.target?.layer == "Core" else { return [] }
    let tokens = file.tokens
    return tokens.indices.compactMap { index in
      let word = tokens[index].text
      let before = index > 0 ? tokens[index - 1].text : ""
      let after = index + 1 < tokens.count ? tokens[index + 1].text : ""
      // `case any` and `.any` are names; only `any Protocol` is an existential.
      // `any Encoder` is how the standard library asks a value to write itself.
      if word == "any", before == "." || before == "case" || after == "=" || after == "Encoder" {
        return nil
      }
      let isRandom = word == "random" && before == "." && after == "("
      let isShuffle =
        word == "shuffle" && before == "." && after == "(" && closes(tokens, index + 2)
      let isUnchecked =
        (word == "unchecked" && before == "@") || (word == "unsafe" && before == "(")
      guard Self.impureWords.contains(word) || isRandom || isShuffle || isUnchecked else {
        return nil
      }
      return Offence(path: file.path, line: tokens[index].line, what: "\(word) is not pure")
    }
  }

  private func closes(_ tokens: [Token], _ index: Int) -> Bool {
    index < tokens.count && tokens[index].text == ")"
  }

  /// C functions that Core may call.
  func symbolOffences(_ file: SourceFile) -> [Offence] {
    guard file.target?.layer == "Core" else { return [] }
    // Public points and scalars alone: the key that stands for an identity at an anonymous table.
    let aliases = [
      "crypto_core_ed25519_scalar_reduce", "crypto_scalarmult_ed25519_base_noclamp",
      "crypto_core_ed25519_add",
    ]
    let families = ["crypto_", "sodium_", "randombytes", "sqlite3_", "MHD_", "assets_"]
    return file.tokens.filter { token in
      families.contains(where: token.text.hasPrefix)
        && !token.text.hasPrefix("crypto_generichash")
        && token.text != "crypto_sign_verify_detached"
        && token.text != "sodium_memcmp"
        && !aliases.contains(token.text)
    }.map { Offence(path: file.path, line: $0.line, what: "Core may not use \($0.text)") }
  }

  /// A hashed collection that is only ever looked up, and why it is worth it.
  struct Lookup {
    let path: String
    let name: String
    let reason: String
  }

  /// Hashed collections that Core may keep; their order is never seen.
  static let lookups: [Lookup] = []

  private static let lookupUses: Set<String> = [
    "contains", "insert", "remove", "removeValue", "removeAll", "count", "isEmpty", "updateValue",
  ]

  /// Mentions of hashed collections outside the list, and other uses than looking up inside it.
  func hashedOffences(_ file: SourceFile) -> [Offence] {
    hashedOffences(file, lookups: Self.lookups)
  }

  func hashedOffences(_ file: SourceFile, lookups: [Lookup]) -> [Offence] {
    guard file.target?.layer == "Core" else { return [] }
    let allowed = Set(lookups.filter { $0.path == file.path }.map(\.name))
    let tokens = file.tokens
    return tokens.indices.compactMap { index in
      if isHashedType(tokens, index), !declares(tokens, index, allowed) {
        return Offence(
          path: file.path, line: tokens[index].line, what: "a hashed collection has no order")
      }
      if allowed.contains(tokens[index].text), !looksUp(tokens, index) {
        return Offence(
          path: file.path, line: tokens[index].line,
          what: "\(tokens[index].text) is for looking up, and no more")
      }
      return nil
    }
  }

  /// `Set<`, `Set(`, `Dictionary`, `[Key: Value]` or `[:]` begins here.
  private func isHashedType(_ tokens: [Token], _ index: Int) -> Bool {
    func text(_ ahead: Int) -> String {
      index + ahead < tokens.count ? tokens[index + ahead].text : ""
    }
    switch text(0) {
    case "Dictionary": return true
    case "Set": return ["<", "("].contains(text(1))
    case "[":
      if text(1) == ":" { return text(2) == "]" }
      var ahead = 1
      while text(ahead + 1) == "." { ahead += 2 }
      let isType = text(ahead).first?.isUppercase == true && text(ahead + 1) == ":"
      return isType && (text(ahead + 2).first?.isUppercase == true || text(ahead + 2) == "[")
    default: return false
    }
  }

  /// The type or the empty value stands in the declaration of an allowed name.
  private func declares(_ tokens: [Token], _ index: Int, _ allowed: Set<String>) -> Bool {
    let line = tokens[index].line
    return tokens[..<index].reversed().prefix { $0.line == line }
      .contains { allowed.contains($0.text) }
  }

  private func looksUp(_ tokens: [Token], _ index: Int) -> Bool {
    func text(_ ahead: Int) -> String {
      index + ahead >= 0 && index + ahead < tokens.count ? tokens[index + ahead].text : ""
    }
    if text(1) == "[" || text(1) == ":" { return true }
    if text(1) == "." { return Self.lookupUses.contains(text(2)) }
    return ["var", "let"].contains(text(-1)) || (text(1) == "=" && text(2) == "[")
  }
}
