package import Wire

/// What the Join box and `tabletalk join` take (PRODUCT decision 11).
package enum Invitation: Equatable, Sendable {
  /// Five digits: a table that some beacon announces.
  case code(Int)
  /// A code at an address: `48213@192.168.1.5:47474`.
  case table(code: Int, at: Address)
  /// A private table, by its code and secret; without an address it is asked for around here.
  case secret(code: Int, TableSecret, at: Address?)
  /// An address alone: a node to meet.
  case node(Address)

  /// Reads a bare code, an address, or any text with a line `tabletalk join ...` in it.
  ///
  /// Such a text is copied from a chat, whole: what first can be read behind a "join" counts. A
  /// secret may have been wrapped or grouped into several words. Nil for anything else.
  package init?(_ text: String, defaultPort: UInt16 = 47_474) {
    guard text.utf8.count <= Invitation.limit else { return nil }
    let words = text.split(whereSeparator: \.isWhitespace)
    for (index, word) in words.enumerated() where word == "join" {
      let rest = words[(index + 1)...].prefix(Invitation.wordLimit)
      for count in rest.indices.map({ $0 - index }) {
        let run = rest.prefix(count).joined(separator: " ")
        guard let found = Invitation(run: run, defaultPort: defaultPort) else { continue }
        self = found
        return
      }
    }
    guard words.count <= Invitation.wordLimit else { return nil }
    self.init(run: words.joined(separator: " "), defaultPort: defaultPort)
  }

  /// Bytes of a text at the most, and words that one invitation may have been broken into.
  private static let limit = 16 * 1_024
  private static let wordLimit = 16

  private init?(run word: String, defaultPort: UInt16) {
    let parts = word.split(separator: "@", omittingEmptySubsequences: false)
    switch parts.count {
    case 1:
      if let code = Invitation.code(parts[0]) {
        self = .code(code)
      } else if let address = Address(parts[0], defaultPort: defaultPort) {
        self = .node(address)
      } else if let (code, secret) = Invitation.secret(parts[0]) {
        self = .secret(code: code, secret, at: nil)
      } else {
        return nil
      }
    case 2:
      // A secret that somebody wrapped may have left a space before the address.
      guard let address = Address(parts[1].drop { $0 == " " }, defaultPort: defaultPort) else {
        return nil
      }
      if let code = Invitation.code(parts[0]) {
        self = .table(code: code, at: address)
      } else if let (code, secret) = Invitation.secret(parts[0]) {
        self = .secret(code: code, secret, at: address)
      } else {
        return nil
      }
    default: return nil
    }
  }

  private static func code(_ text: Substring) -> Int? {
    guard text.utf8.count == 5, text.utf8.allSatisfy({ (48...57).contains($0) }) else {
      return nil
    }
    return Int(text)
  }

  /// Five digits, a dash, and a secret.
  private static func secret(_ text: Substring) -> (Int, TableSecret)? {
    let rest = text.dropFirst(5)
    guard let code = code(text.prefix(5)), rest.first == "-",
      let secret = SecretText.read(rest)
    else { return nil }
    return (code, secret)
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
    case .secret(let code, let secret, let address):
      "tabletalk join \(Invitation.digits(code))-\(SecretText.write(secret))"
        + (address.map { "@\($0)" } ?? "")
    case .node(let address): "tabletalk join \(address)"
    }
  }
}
