import Foundation
import Games
import TestSupport
import Testing

@testable import Shell

@Suite struct `Reading a file of words` {
  private func read(
    _ bytes: [UInt8], _ format: WordFile.Format = .txt
  ) throws -> WordFile.Preview { try WordFileReader.read(bytes, format) }

  private func utf16(_ text: String, isLittle: Bool, mark: Bool) -> [UInt8] {
    ((mark ? [0xfeff] : []) + Array(text.utf16)).flatMap { unit in
      let (high, low) = (UInt8(unit >> 8), UInt8(unit & 0xff))
      return isLittle ? [low, high] : [high, low]
    }
  }

  private struct Expected: Decodable {
    let file: String
    let words: Int
    let skipped: Int
  }

  @Test func `of each sample file comes to the words it says`() throws {
    let all = try Vectors.load("word-files.json", as: [Expected].self)
    #expect(all.count == 12)
    for expected in all {
      let file = Vectors.folder.appendingPathComponent("bingo/\(expected.file)")
      let format = try #require(WordFile.Format(rawValue: file.pathExtension))
      let preview = try read(Array(Data(contentsOf: file)), format)
      #expect(preview.words.count == expected.words, "\(expected.file)")
      #expect(preview.skippedCount == expected.skipped, "\(expected.file)")
    }
  }

  @Test func `takes the encodings that people's programs write`() throws {
    let text = "größer\r\nétat\r\n"
    let words = ["größer", "état"]
    #expect(try read(Array(text.utf8)).words.map(\.text) == words)
    #expect(try read([0xef, 0xbb, 0xbf] + Array(text.utf8)).words.map(\.text) == words)
    for isLittle in [true, false] {
      for mark in [true, false] {
        let bytes = utf16(text, isLittle: isLittle, mark: mark)
        #expect(try read(bytes).words.map(\.text) == words, "\(isLittle) \(mark)")
      }
    }
    let windows: [UInt8] = Array("gr".utf8) + [0xf6, 0xdf] + Array("er ".utf8) + [0x80]
    #expect(try read(windows).words.first?.text == "größer €")
    // A letter and its mark are one letter afterwards, as everywhere else.
    for (file, format) in [
      ("e\u{301}tat", WordFile.Format.txt), ("e\u{301}tat,1", .csv), (#"["e\u0301tat"]"#, .json),
    ] {
      let word = try read(Array(file.utf8), format).words.first
      #expect(word?.text.unicodeScalars.count == 4, "\(format)")
    }
  }

  @Test func `refuses what is no text, and says what to do`() {
    for bytes: [UInt8] in [
      [0x50, 0x4b, 3, 4, 0, 0, 8], [0xff, 0xfe, 0x00], [0x61, 0x62, 0, 0x63],
      [0xd0, 0xcf, 0x81, 0],
    ] {
      let fault = #expect(throws: WordFileReader.Fault.self) { try read(bytes) }
      #expect(fault?.code == "notText" && fault?.message.hasSuffix(".") == true)
    }
    for text in ["{", "[1,", String(repeating: "[", count: 100_000), "\"only\"", "12", ""] {
      #expect(throws: WordFileReader.Fault.self) { try read(Array(text.utf8), .json) }
    }
    #expect(throws: WordFileReader.Fault.noList) { try read(Array("{\"a\":[\"x\"]}".utf8), .json) }
  }

  @Test func `finds the words of JSON in the forms that are around`() throws {
    let forms = [
      #"["a","b"]"#, #"{"title":"T","words":["a","b"]}"#,
      #"{"name":"T","words":[{"word":"a"},"b"]}"#,
      #"[{"name":"a"},{"name":"b","difficulty":3}]"#,
      #"[{"phrase":"a"},null,7,["c"],{"x":"y"},"b"]"#,
    ]
    for form in forms {
      #expect(try read(Array(form.utf8), .json).words.map(\.text) == ["a", "b"], "\(form)")
    }
    #expect(try read(Array(forms[1].utf8), .json).title == "T")
    let last = try read(Array(forms[4].utf8), .json)
    #expect(last.skipped.map(\.row) == [2, 3, 4, 5])
    #expect(last.skipped.allSatisfy { $0.reason == .notText })
  }
}
