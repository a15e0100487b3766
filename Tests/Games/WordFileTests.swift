import TestSupport
import Testing

@testable import Games

@Suite struct `A file of words` {
  private func words(_ preview: WordFile.Preview) -> [String] { preview.words.map(\.text) }

  private func reasons(_ preview: WordFile.Preview) -> [String] {
    preview.skipped.map { "\($0.row) \($0.reason) \($0.beginning)" }
  }

  @Test func `of lines has remarks, hashtags and blank lines`() {
    let preview = WordFile.read(
      lines:
        "# a remark\r\n\r\ncircle back\r#hashtag\n#\n\\# no remark\n  Circle  back! \n\u{feff}x")
    #expect(words(preview) == ["circle back", "#hashtag", "# no remark", "x"])
    #expect(
      reasons(preview) == ["1 comment # a remark", "5 comment #", "7 duplicate Circle back!"])
    #expect(preview.skippedCount == 3)
  }

  @Test func `of separated values has quoted fields, line breaks in them, and names of columns`() {
    let text = """
      note,Phrase\r
      n0,"He said ""synergy"", twice"\r
      n1,"line one
      line two"\r
      n2,  padded  \r
      n3,"comma, inside"\r
      n4\r
      n5,say "cheese"
      """
    let preview = WordFile.read(separated: text)
    #expect(
      words(preview) == [
        "He said \"synergy\", twice", "line one line two", "padded", "comma, inside",
        "say \"cheese\"",
      ])
    #expect(reasons(preview) == ["1 header note, Phrase"])
  }

  @Test(arguments: [";", "\t", ","]) func `tells its separator`(_ separator: String) {
    let rows = [["word", "note"], ["a b, c; d", "x"], ["e", "y"]]
    let text = rows.map { row in
      row.map(SeparatedValues.written).joined(separator: separator)
    }.joined(separator: "\n")
    #expect(words(WordFile.read(separated: text)) == ["a b, c; d", "e"])
  }

  @Test func `of one column needs no separator and no names`() {
    let preview = WordFile.read(separated: "\"Sorry, you go ahead\"\n*noise*\nname\nAligned")
    #expect(words(preview) == ["Sorry, you go ahead", "*noise*", "name", "Aligned"])
    // A lone name of a column at the top is one; beside values it is one as well.
    #expect(words(WordFile.read(separated: "word\nAligned")) == ["Aligned"])
    #expect(words(WordFile.read(separated: "Word;Kategorie\nAligned;work")) == ["Aligned"])
    #expect(WordFile.read(separated: "\"never closed, \n and on").words.count == 1)
    #expect(WordFile.read(separated: "").words.isEmpty)
  }

  @Test func `of items says which are no text, too long or too many`() {
    let long = String(repeating: "a", count: 61)
    let many = (1...503).map { WordFile.Item.text("word \($0)") }
    let preview = WordFile.read(
      items: [.other, .text(long), .text("\u{e000}"), .text(" ")] + many, title: " My  list ")
    #expect(preview.title == "My list")
    #expect(preview.words.count == BingoSetup.wordLimit)
    #expect(
      preview.skipped.map(\.reason) == [
        .notText, .tooLong, .unknownCharacters, .beyondLimit, .beyondLimit, .beyondLimit,
      ])
    #expect(preview.skipped.first { $0.reason == .beyondLimit }?.row == 505)
    let endless = WordFile.read(lines: String(repeating: "same\n", count: 20_000))
    #expect(endless.words.count == 1 && endless.skippedCount == 19_999)
    #expect(endless.skipped.count == WordFile.skippedShown)
    // What stands behind the rows that are looked at is not even a duplicate.
    let rows = Array(repeating: WordFile.Item.text("same"), count: WordFile.rowsRead + 2)
    let cut = WordFile.read(items: rows + [.text("new"), .text("")], title: "")
    #expect(words(cut) == ["same"])
    #expect(cut.skippedCount == WordFile.rowsRead + 2)
  }

  /// Whatever words a list may hold come back from a file of each format.
  @Test func `comes back as it was saved`() throws {
    let alphabet: [Character] = [
      "a", "B", "é", "#", "\\", "\"", ",", ";", "'", "ß", "漢", "😀", "=", "-", "1",
    ]
    var chance = SeededBytes(seed: 23)
    var typed: [String] = ["# x", "#", "\\# y", "\\\\#z", "word", "name", "\"", "\"\"", ",", ";"]
    for _ in 0..<400 {
      let letters = (0..<(1 + Int(chance.next() % 6))).map { _ in
        alphabet[Int(chance.next() % UInt64(alphabet.count))]
      }
      typed.append(letters.map(String.init).joined(separator: chance.next() % 2 == 0 ? " " : ""))
    }
    let list = Words.unique(try typed.map { try Word(typed: $0) })
    #expect(list.count > 200)
    let back = [
      WordFile.read(lines: WordFile.lines(of: list)),
      WordFile.read(separated: WordFile.separated(list)),
      WordFile.read(items: list.map { .text($0.text) }, title: ""),
    ]
    for preview in back { #expect(preview.words.elementsEqual(list)) }
  }
}
