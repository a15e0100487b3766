package import CBOR
import Wire

/// A list of words that a player keeps on the own laptop, under a title (PRODUCT B23).
package struct WordList: Hashable, Sendable {
  /// Names it on this laptop, for good: a number that no later list gets.
  package let id: Int
  /// As typed, cleaned; no two lists have titles that look alike.
  package internal(set) var title: String
  /// Different ones, in the order they came in.
  package internal(set) var words: [Word]

  /// Makes a list.
  package init(id: Int, title: String, words: [Word] = []) {
    self.id = id
    self.title = title
    self.words = words
  }

  /// As it is kept: `[title, [word...]]`.
  package var row: CBOR { [.text(title), .array(words.map { .text($0.text) })] }

  /// Reads what is kept; throws where it is damaged.
  package init(id: Int, row: CBOR) throws(DecodeError) {
    let parts = try row.array("list", exactly: 2)
    let title = try parts[0].text("list.title", maximum: Limits.titleBytes)
    guard PlainText.isTitle(title) else { throw .outOfRange("list.title") }
    let items = try parts[1].array("list.words", count: 0...BingoSetup.wordLimit)
    var words: [Word] = []
    for item in items { words.append(try Word(item, "list.word")) }
    guard Words.unique(words).count == words.count else { throw .outOfRange("list.words") }
    self.init(id: id, title: title, words: words)
  }
}
