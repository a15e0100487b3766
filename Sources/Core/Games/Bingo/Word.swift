package import CBOR
import Wire

/// Why a text cannot be a word of a list.
package enum WordFault: Error, Hashable, Sendable {
  /// Nothing to see is left of it.
  case empty
  /// Longer than `Word.maximumLength`, or than `Word.maximumBytes`.
  case tooLong
  /// Holds characters that not every laptop knows (PlainText).
  case unknownCharacters
  /// Not as cleaning leaves it; only met in what another laptop sent.
  case notClean
}

/// A word or a phrase of a bingo list (PRODUCT B7, B20).
package struct Word: Hashable, Sendable {
  /// Characters, as `PlainText.length` counts them.
  package static let maximumLength = 60
  /// Bytes of UTF-8: four for each character.
  package static let maximumBytes = 240
  /// Bytes that a word may have before it is cleaned; longer ones are not even looked at.
  private static let typedBytes = 4_096

  /// As typed, cleaned.
  package let text: String
  /// Two words are one when their keys are canonically equivalent.
  package let key: String

  /// Takes what a person typed.
  package init(typed: String) throws(WordFault) {
    guard typed.utf8.count <= Word.typedBytes else { throw .tooLong }
    try self.init(PlainText.cleaned(typed))
  }

  /// Takes what another laptop sent: it must be clean already.
  package init(clean: String) throws(WordFault) {
    guard clean.utf8.count <= Word.maximumBytes else { throw .tooLong }
    guard PlainText.cleaned(clean).utf8.elementsEqual(clean.utf8) else { throw .notClean }
    try self.init(clean)
  }

  /// Reads a clean word; throws `outOfRange` for any other.
  package init(_ item: CBOR, _ field: String) throws(DecodeError) {
    let text = try item.text(field, maximum: Word.maximumBytes)
    do throws(WordFault) { try self.init(clean: text) } catch { throw .outOfRange(field) }
  }

  private init(_ cleaned: String) throws(WordFault) {
    let length = PlainText.length(cleaned)
    guard length >= 1 else { throw .empty }
    guard length <= Word.maximumLength, cleaned.utf8.count <= Word.maximumBytes else {
      throw .tooLong
    }
    guard PlainText.isKnown(cleaned) else { throw .unknownCharacters }
    text = cleaned
    key = Word.key(of: cleaned)
  }

  /// Folds, and trims punctuation and spaces off both ends unless nothing else is there.
  private static func key(of text: String) -> String {
    let folded = PlainText.folded(text)
    let scalars = folded.unicodeScalars
    guard
      let first = scalars.firstIndex(where: { !isTrimmed($0) }),
      let last = scalars.lastIndex(where: { !isTrimmed($0) })
    else { return folded }
    return String(String.UnicodeScalarView(scalars[first...last]))
  }

  private static func isTrimmed(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .connectorPunctuation, .dashPunctuation, .openPunctuation, .closePunctuation,
      .initialPunctuation, .finalPunctuation, .otherPunctuation:
      true
    default: scalar.properties.isWhitespace
    }
  }

  package static func == (left: Word, right: Word) -> Bool {
    left.text.utf8.elementsEqual(right.text.utf8)
  }

  package func hash(into hasher: inout Hasher) { hasher.combine(text) }
}

extension IllegalMove {
  /// Tells whoever typed it why a text is no word.
  init(_ fault: WordFault) {
    switch fault {
    case .empty: self.init("wordEmpty", "Type a word or a phrase first.")
    case .tooLong:
      self.init(
        "wordTooLong", "A word has at most \(Word.maximumLength) characters. Shorten it.")
    case .unknownCharacters, .notClean:
      self.init(
        "wordUnknownCharacters",
        "Some characters in it cannot be shown on every laptop. Write it another way.")
    }
  }
}
