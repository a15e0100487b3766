/// What the Join box and `tabletalk join` take (PRODUCT decision 11).
package enum Invitation: Equatable, Sendable {
  /// Five digits: a table that some beacon announces.
  case code(Int)
  /// A code at an address: `48213@192.168.1.5:47474`.
  case table(code: Int, at: Address)
  /// An address alone: a node to meet.
  case node(Address)

  /// Reads a bare code, an address, or any text with a line `tabletalk join ...` in it.
  ///
  /// Such a text is copied from a chat, whole: the first word behind a "join" that can be read
  /// counts. Nil for anything else.
  package init?(_ text: String, defaultPort: UInt16 = 47_474) {
    let words = text.split(whereSeparator: \.isWhitespace)
    for (word, next) in zip(words, words.dropFirst()) where word == "join" {
      guard let found = Invitation(word: next, defaultPort: defaultPort) else { continue }
      self = found
      return
    }
    guard words.count == 1 else { return nil }
    self.init(word: words[0], defaultPort: defaultPort)
  }

  private init?(word: Substring, defaultPort: UInt16) {
    let parts = word.split(separator: "@", omittingEmptySubsequences: false)
    switch parts.count {
    case 1:
      if let code = Invitation.code(parts[0]) {
        self = .code(code)
      } else if let address = Address(parts[0], defaultPort: defaultPort) {
        self = .node(address)
      } else {
        return nil
      }
    case 2:
      guard let code = Invitation.code(parts[0]),
        let address = Address(parts[1], defaultPort: defaultPort)
      else { return nil }
      self = .table(code: code, at: address)
    default: return nil
    }
  }

  private static func code(_ text: Substring) -> Int? {
    guard text.utf8.count == 5, text.utf8.allSatisfy({ (48...57).contains($0) }) else {
      return nil
    }
    return Int(text)
  }

  /// Five digits with leading zeros.
  package static func digits(_ code: Int) -> String {
    let text = String(code)
    return String(repeating: "0", count: max(0, 5 - text.count)) + text
  }

  /// The line to paste into the meeting's chat.
  package var line: String {
    switch self {
    case .code(let code): "tabletalk join \(Invitation.digits(code))"
    case .table(let code, let address): "tabletalk join \(Invitation.digits(code))@\(address)"
    case .node(let address): "tabletalk join \(address)"
    }
  }
}
