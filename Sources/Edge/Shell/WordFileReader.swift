import Foundation
package import Games
import WebFace

/// Files of words as people have them: in whatever encoding, as lines, separated values or JSON.
package enum WordFileReader {
  /// A file that cannot be read at all.
  package struct Fault: Error, Equatable, Sendable {
    /// Stable.
    package let code: String
    package let message: String

    static let binary = Fault(
      code: "notText", message: "This file is no text. Save your list as TXT, CSV or JSON first.")
    static let notJSON = Fault(
      code: "notJSON",
      message: "This file is not JSON that can be read. Save the list as TXT, one word a line.")
    static let noList = Fault(
      code: "noList",
      message:
        "There is no list of words in this JSON. It wants [\"word\", ...] or {\"words\": [...]}.")
  }

  /// Reads a file of a format, `txt`, `csv` or `json`.
  package static func read(
    _ bytes: [UInt8], _ format: WordFile.Format
  ) throws(Fault) -> WordFile.Preview {
    let text = try text(of: bytes)
    switch format {
    case .txt: return WordFile.read(lines: composed(text))
    case .csv: return WordFile.read(separated: composed(text))
    case .json:
      guard
        let root = try? JSONSerialization.jsonObject(
          with: Data(text.utf8), options: .fragmentsAllowed)
      else { throw .notJSON }
      if let items = root as? [Any] { return WordFile.read(items: self.items(items), title: "") }
      guard let fields = root as? [String: Any],
        let list = (fields["words"] ?? fields["phrases"] ?? fields["items"]) as? [Any]
      else { throw .noList }
      let title = (fields["title"] ?? fields["name"]) as? String
      return WordFile.read(
        items: items(list), title: title?.precomposedStringWithCanonicalMapping ?? "")
    }
  }

  /// The rows that are looked at in Unicode NFC, which takes long; the others as they are.
  private static func composed(_ text: String) -> String {
    var lines = 0
    let end = text.unicodeScalars.firstIndex { scalar in
      if scalar == "\n" || scalar == "\r" { lines += 1 }
      return lines > WordFile.rowsRead
    }
    let read = text[..<(end ?? text.endIndex)]
    return String(read).precomposedStringWithCanonicalMapping + text[read.endIndex...]
  }

  /// The text of a file: UTF-16 with a byte order mark or with the zeros of Latin
  /// letters, UTF-8, or else Windows-1252.
  static func text(of bytes: [UInt8]) throws(Fault) -> String {
    let decoded: String?
    switch (bytes.first, bytes.dropFirst().first) {
    case (0xff, 0xfe): decoded = utf16(bytes.dropFirst(2), isLittle: true)
    case (0xfe, 0xff): decoded = utf16(bytes.dropFirst(2), isLittle: false)
    case (_?, 0): decoded = utf16(bytes[...], isLittle: true)
    case (0, _?): decoded = utf16(bytes[...], isLittle: false)
    default:
      let isMarked = bytes.starts(with: [0xef, 0xbb, 0xbf])
      decoded =
        String(validating: isMarked ? bytes.dropFirst(3) : bytes[...], as: UTF8.self)
        ?? String(bytes: bytes, encoding: .windowsCP1252)
    }
    // Nobody types a zero; what holds one is a picture or a workbook.
    guard let decoded, !decoded.unicodeScalars.contains("\0") else { throw .binary }
    return decoded
  }

  private static func utf16(_ bytes: ArraySlice<UInt8>, isLittle: Bool) -> String? {
    guard bytes.count % 2 == 0 else { return nil }
    let units = stride(from: bytes.startIndex, to: bytes.endIndex, by: 2).map { index in
      let (first, second) = (UInt16(bytes[index]), UInt16(bytes[index + 1]))
      return isLittle ? second << 8 | first : first << 8 | second
    }
    return String(validating: units, as: UTF16.self)
  }

  /// A list in JSON: each item is a text, or an object that names one.
  private static func items(_ list: [Any]) -> [WordFile.Item] {
    list.enumerated().map { index, value in
      guard let text = text(value) else { return .other }
      return .text(index < WordFile.rowsRead ? text.precomposedStringWithCanonicalMapping : text)
    }
  }

  private static func text(_ value: Any) -> String? {
    if let text = value as? String { return text }
    guard let fields = value as? [String: Any], let name = WordFile.wordField(among: fields.keys)
    else { return nil }
    return fields[name] as? String
  }
}

extension WordFileReader {
  /// A preview as the page gets it.
  struct View: Encodable {
    struct Skipped: Encodable {
      let row: Int
      let reason: String
      let beginning: String
    }

    let title: String
    let words: [String]
    let skipped: [Skipped]
    let skippedCount: Int
  }

  /// Answers with what a file came to, or with why it cannot be read.
  static func preview(_ bytes: [UInt8], _ format: String) -> Reply {
    do throws(Fault) {
      let preview = try read(bytes, WordFile.Format(rawValue: format) ?? .txt)
      return reply(
        200,
        View(
          title: preview.title, words: preview.words.map(\.text),
          skipped: preview.skipped.map {
            View.Skipped(row: $0.row, reason: $0.reason.rawValue, beginning: $0.beginning)
          }, skippedCount: preview.skippedCount))
    } catch {
      return reply(400, AnswerView(code: error.code, message: error.message))
    }
  }

  private static func reply(_ status: Int, _ body: some Encodable) -> Reply {
    Reply(status: status, body: (try? JSONEncoder().encode(body)).map(Array.init) ?? [])
  }
}
