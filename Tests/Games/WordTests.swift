import Foundation
import Games
import TestSupport
import Testing
import Wire

@Suite struct `A word` {
  private func fault(_ typed: String) -> WordFault? {
    do throws(WordFault) {
      _ = try Word(typed: typed)
      return nil
    } catch { return error }
  }

  private func text(_ typed: String) throws -> String { try Word(typed: typed).text }
  private func key(_ typed: String) throws -> String { try Word(typed: typed).key }

  @Test func `is kept as typed, with its spaces put right`() throws {
    #expect(try text("  Circle\t\u{a0} Back! ") == "Circle Back!")
    #expect(try text("a\u{2028}b\u{85}c") == "a b c")
    #expect(try text("<script>alert(1)</script>") == "<script>alert(1)</script>")
  }

  @Test(arguments: [
    ("Circle back", "circle  back!"), ("Straße", "STRASSE"), ("Café", "CAFE\u{301}"),
    ("\"Quick win\"", "quick win..."), ("ﬁnal", "FINAL"), ("Σίσυφος", "ΣΊΣΥΦΟΣ"),
    ("(on mute)", "On mute"), ("❤\u{fe0f}", "❤"), ("a\u{200d}b", "ab"), ("a\u{200b}b", "ab"),
  ])
  func `is one with another that people take for the same`(one: String, other: String) throws {
    #expect(try key(one) == key(other))
  }

  @Test(arguments: [
    ("Syn ergy", "Synergy"), ("circle-back", "circle back"), ("You're", "You’re"),
    ("Ｄeep", "Deep"), ("İstanbul", "istanbul"), ("Cafe", "Café"), ("100", "101"), ("?!", "!?"),
  ])
  func `differs from another that is written otherwise`(one: String, other: String) throws {
    #expect(try key(one) != key(other))
  }

  @Test func `of punctuation alone keeps it`() throws {
    #expect(try key("?!") == "?!")
    #expect(try key("...") == "...")
  }

  @Test func `loses controls and the marks that turn writing round`() throws {
    #expect(try text("a\u{0}b\u{7}c\u{9f}") == "abc")
    #expect(try text("\u{202e}evil\u{2066}\u{200f}") == "evil")
    #expect(try text("\u{feff}first") == "first")
    #expect(try text("soft\u{ad}ly") == "softly")
  }

  @Test func `keeps what emoji and scripts are made of`() throws {
    for emoji in ["👨‍👩‍👧", "🤷🏽‍♀️", "🏴󠁧󠁢󠁳󠁣󠁴󠁿", "🇫🇷", "1️⃣", "हिन्दी", "สวัสดี", "한글"] {
      #expect(try text(emoji) == emoji)
    }
  }

  @Test func `has one to sixty letters, marks not counted`() {
    #expect(fault("") == .empty)
    #expect(fault(" \t\u{200b}") == .empty)
    #expect(fault("\u{301}") == .empty)
    #expect(fault(String(repeating: "w", count: 60)) == nil)
    #expect(fault(String(repeating: "w", count: 61)) == .tooLong)
    #expect(fault(String(repeating: "e\u{301}", count: 60)) == nil)
    #expect(fault(String(repeating: "🎲", count: 60)) == nil)
    #expect(fault(String(repeating: "👨‍👩‍👧", count: 20)) == .tooLong)
    #expect(fault(String(repeating: "w", count: 10_000)) == .tooLong)
  }

  @Test func `has no characters that not every laptop knows`() {
    #expect(fault("\u{e000}") == .unknownCharacters)
    #expect(fault("a\u{378}") == .unknownCharacters)
    #expect(fault("\u{1fae9} is younger than Unicode 15") == .unknownCharacters)
    #expect(fault("a\u{fffe}") == .unknownCharacters)
    #expect(fault("e" + String(repeating: "\u{301}", count: 8)) == nil)
    #expect(fault("e" + String(repeating: "\u{301}", count: 9)) == .unknownCharacters)
  }

  @Test func `from another laptop must be clean`() {
    for unclean in [" a", "a ", "a  b", "a\tb", "a\u{200b}", "\u{202e}a"] {
      do throws(WordFault) {
        _ = try Word(clean: unclean)
        Issue.record("\(unclean) was taken")
      } catch { #expect(error == .notClean) }
    }
    #expect((try? Word(clean: "a b")) != nil)
  }

  @Test(arguments: 0..<400)
  func `once cleaned is clean`(seed: UInt64) throws {
    var chance = SeededBytes(seed: seed)
    var text = String.UnicodeScalarView()
    for _ in 0..<Int.random(in: 0...40, using: &chance) {
      let value = UInt32.random(in: 0...0x10ffff, using: &chance)
      let near = [0x20, 0x41, 0x200d, 0x301, 0xfe0f, 0x9, 0x1f600, value % 0x300, value]
      if let scalar = Unicode.Scalar(near[Int(value % 9)]) { text.append(scalar) }
    }
    let once = PlainText.cleaned(String(text))
    #expect(PlainText.cleaned(once).utf8.elementsEqual(once.utf8))
    guard let word = try? Word(typed: String(text)) else { return }
    #expect(try Word(clean: word.text) == word)
    #expect(word.text.count <= Word.maximumLength)
  }
}

@Suite struct `A pasted list` {
  private struct Expected: Decodable {
    let file: String
    let words: Int
    let duplicates: Int
    let faults: Int
  }

  private func read(_ file: String) throws -> Words.Reading {
    let data = try Data(contentsOf: Vectors.folder.appendingPathComponent("bingo/\(file)"))
    return Words.read(String(decoding: data, as: UTF8.self))
  }

  @Test func `of each sample file comes to the words it says`() throws {
    let all = try Vectors.load("words.json", as: [Expected].self)
    #expect(all.count == 10)
    for expected in all {
      let reading = try read(expected.file)
      #expect(reading.words.count == expected.words, "\(expected.file)")
      #expect(reading.duplicates == expected.duplicates, "\(expected.file)")
      #expect(reading.faultCount == expected.faults, "\(expected.file)")
    }
  }

  @Test func `ends lines with CR LF, LF or CR`() {
    let reading = Words.read("one\r\ntwo\nthree\rfour\n\r\n\r\rfive")
    #expect(reading.words.map(\.text) == ["one", "two", "three", "four", "five"])
    #expect(reading.duplicates == 0)
  }

  @Test func `says where a line is too long, and keeps the others`() {
    let long = String(repeating: "x", count: 10_000)
    let reading = Words.read("one\n\(long)\ntwo\nbad\u{e000}")
    #expect(reading.words.map(\.text) == ["one", "two"])
    #expect(reading.faults.map(\.line) == [2, 4])
    #expect(reading.faults.map(\.fault) == [.tooLong, .unknownCharacters])
    #expect(reading.faults[0].beginning.count == 40)
  }

  @Test func `of thirty lines with two duplicates is twenty-eight words`() {
    let lines = (1...28).map { "Phrase \($0)" } + ["phrase 3!", " PHRASE  4 "]
    let reading = Words.read(lines.joined(separator: "\r\n"))
    #expect(reading.words.count == 28)
    #expect(reading.duplicates == 2)
  }

  @Test func `holds five hundred words and counts what is beyond`() {
    let reading = Words.read((1...512).map { "Phrase \($0)" }.joined(separator: "\n"))
    #expect(reading.words.count == 500)
    #expect(reading.beyondLimit == 12)
  }

  @Test func `names twenty faults and counts the rest`() {
    let long = String(repeating: "x", count: 61)
    let reading = Words.read([String](repeating: long, count: 33).joined(separator: "\n"))
    #expect(reading.faults.count == Words.faultsShown)
    #expect(reading.faultCount == 33)
  }
}

@Suite struct `The packs` {
  @Test(arguments: WordPack.all)
  func `hold sixty different phrases or more`(pack: WordPack) throws {
    #expect(pack.words.count >= 60)
    let words = try pack.words.map { try Word(clean: $0) }
    #expect(Words.unique(words).count == words.count)
  }

  @Test func `are eight, each with its own name`() {
    #expect(WordPack.all.count == 8)
    for pack in WordPack.all { #expect(WordPack.named(pack.id) == pack) }
    #expect(WordPack.named("nothing") == nil)
  }

  @Test func `together fit one list`() throws {
    let words = try WordPack.all.flatMap(\.words).map { try Word(clean: $0) }
    #expect(Words.unique(words).count > BingoSetup.wordLimit - 30)
  }
}
