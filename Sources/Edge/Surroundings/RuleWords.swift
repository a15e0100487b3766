/// Words of a rule: a text in quotes is one, marks such as braces stand alone.
enum RuleWords {
  static func split(_ line: some StringProtocol, marks: String = "{},;") -> [String] {
    var out: [String] = []
    var word = ""
    var isQuoted = false
    for character in line {
      if isQuoted {
        if character == "\"" {
          isQuoted = false
          out.append(word)
          word = ""
        } else {
          word.append(character)
        }
        continue
      }
      if character == "#" && word.isEmpty { break }
      if character == "\"" {
        isQuoted = true
      } else if character.isWhitespace || marks.contains(character) {
        if !word.isEmpty { out.append(word) }
        word = ""
        if !character.isWhitespace { out.append(String(character)) }
      } else {
        word.append(character)
      }
    }
    if !word.isEmpty { out.append(word) }
    return out
  }

  /// Braces opened and not closed.
  static func depth(_ words: [String]) -> Int {
    words.reduce(0) { $0 + ($1 == "{" ? 1 : $1 == "}" ? -1 : 0) }
  }
}
