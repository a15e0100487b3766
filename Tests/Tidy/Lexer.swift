/// A word or a sign of Swift code and the line it stands on.
struct Token: Equatable {
  let text: String
  let line: Int
}

/// Cuts Swift code into words and signs; comments and quoted text fall away, code inside `\( )` stays.
///
/// It knows no regex literals: none is needed where the rules look.
struct Lexer {
  private let bytes: [UInt8]
  private var offset = 0
  private var line = 1
  private var out: [Token] = []

  static func tokens(of text: String) -> [Token] {
    var lexer = Lexer(bytes: Array(text.utf8))
    lexer.code(untilParenthesis: false)
    return lexer.out
  }

  private init(bytes: [UInt8]) { self.bytes = bytes }

  private func peek(_ ahead: Int = 0) -> UInt8 {
    offset + ahead < bytes.count ? bytes[offset + ahead] : 0
  }

  private func starts(with text: StaticString, at ahead: Int = 0) -> Bool {
    for index in 0..<text.utf8CodeUnitCount where peek(ahead + index) != text.utf8Start[index] {
      return false
    }
    return true
  }

  private mutating func advance(_ count: Int = 1) {
    for _ in 0..<count where offset < bytes.count {
      if bytes[offset] == UInt8(ascii: "\n") { line += 1 }
      offset += 1
    }
  }

  /// Reads code up to the end, or up to the parenthesis that closes an interpolation.
  private mutating func code(untilParenthesis: Bool) {
    var depth = 0
    while offset < bytes.count {
      if starts(with: "//") {
        while offset < bytes.count && peek() != UInt8(ascii: "\n") { advance() }
      } else if starts(with: "/*") {
        comment()
      } else if peek() == UInt8(ascii: "\"") || isRawQuote {
        quoted()
      } else if isWordStart(peek()) || (peek() == UInt8(ascii: "#") && isWordStart(peek(1))) {
        word()
      } else if isDigit(peek()) {
        while isWord(peek()) { advance() }
      } else if peek() <= UInt8(ascii: " ") {
        advance()
      } else {
        if peek() == UInt8(ascii: "(") { depth += 1 }
        if peek() == UInt8(ascii: ")") {
          if untilParenthesis && depth == 0 { return advance() }
          depth -= 1
        }
        out.append(Token(text: String(decoding: [peek()], as: UTF8.self), line: line))
        advance()
      }
    }
  }

  private mutating func word() {
    let start = offset
    let first = line
    advance()
    while isWord(peek()) { advance() }
    out.append(Token(text: String(decoding: bytes[start..<offset], as: UTF8.self), line: first))
  }

  private mutating func comment() {
    var depth = 0
    repeat {
      if starts(with: "/*") {
        depth += 1
        advance(2)
      } else if starts(with: "*/") {
        depth -= 1
        advance(2)
      } else {
        advance()
      }
    } while depth > 0 && offset < bytes.count
  }

  private var isRawQuote: Bool {
    var ahead = 0
    while peek(ahead) == UInt8(ascii: "#") { ahead += 1 }
    return ahead > 0 && peek(ahead) == UInt8(ascii: "\"")
  }

  private mutating func quoted() {
    var hashes = 0
    while peek() == UInt8(ascii: "#") {
      hashes += 1
      advance()
    }
    let quotes = starts(with: "\"\"\"") ? 3 : 1
    advance(quotes)
    while offset < bytes.count {
      if peek() == UInt8(ascii: "\\"), hasHashes(hashes, at: 1) {
        if peek(1 + hashes) == UInt8(ascii: "(") {
          advance(2 + hashes)
          code(untilParenthesis: true)
        } else {
          advance(2 + hashes)
        }
      } else if (0..<quotes).allSatisfy({ peek($0) == UInt8(ascii: "\"") }),
        hasHashes(hashes, at: quotes)
      {
        return advance(quotes + hashes)
      } else {
        advance()
      }
    }
  }

  private func hasHashes(_ count: Int, at ahead: Int) -> Bool {
    (0..<count).allSatisfy { peek(ahead + $0) == UInt8(ascii: "#") }
  }

  private func isDigit(_ byte: UInt8) -> Bool { byte >= 0x30 && byte <= 0x39 }

  private func isWordStart(_ byte: UInt8) -> Bool {
    byte >= 0x80 || byte == UInt8(ascii: "_") || (byte | 0x20 >= 0x61 && byte | 0x20 <= 0x7a)
  }

  private func isWord(_ byte: UInt8) -> Bool { isWordStart(byte) || isDigit(byte) }
}
