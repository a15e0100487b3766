import Wire

/// A list of words as a file (Protocol/games/bingo.md, "Files of words").
package enum WordFile {
  /// How the words stand in it.
  package enum Format: String, CaseIterable, Sendable {
    case txt, csv, json
  }

  /// What stands where a JSON file has a word.
  package enum Item: Hashable, Sendable {
    case text(String)
    /// A number, a list, or an object that names no word.
    case other
  }

  /// Why a row is left out.
  package enum Reason: String, Sendable {
    /// Begins with a number sign and a space.
    case comment
    /// The names of the columns.
    case header
    case duplicate
    case tooLong
    case unknownCharacters
    /// No text where one is looked for.
    case notText
    /// The list is full already.
    case beyondLimit
  }

  /// A row that is left out.
  package struct Skipped: Hashable, Sendable {
    /// The line, or the item of a JSON list; counted from 1.
    package let row: Int
    package let reason: Reason
    /// The beginning of it, cleaned.
    package let beginning: String
  }

  /// What a file came to, before anybody keeps it.
  package struct Preview: Hashable, Sendable {
    /// The name that the file gives its list; empty when it gives none.
    package let title: String
    /// Different words in their order, at most `BingoSetup.wordLimit`.
    package let words: [Word]
    /// At most `WordFile.skippedShown` of those left out.
    package let skipped: [Skipped]
    /// How many were left out; blank rows are not counted.
    package let skippedCount: Int
  }

  /// Rows left out that a preview names; the rest is only counted.
  package static let skippedShown = 100
  /// Rows that are looked at.
  ///
  /// A list holds far fewer words; a megabyte of short rows would keep its reader waiting.
  package static let rowsRead = 40_000
  /// Names of the column, or of the field, that holds the words; the first that is there counts.
  private static let names = ["word", "phrase", "text", "name", "title"]
  /// Names that make a first record one of names, beside those.
  private static let otherNames = ["category", "difficulty", "note", "notes", "comment", "id"]

  /// Reads a text of one word a line.
  ///
  /// Lines that begin with `# `, and `#` alone, are comments; a backslash before a number sign at the
  /// beginning of a line is taken away.
  package static func read(lines text: String) -> Preview {
    var rows: [(number: Int, row: Row)] = []
    for (index, line) in Words.lines(of: text).enumerated() {
      rows.append(
        (index + 1, isComment(line) ? .skipped(.comment, line) : .word(unescaped(line))))
    }
    return preview(rows, title: "")
  }

  /// Reads separated values.
  ///
  /// With a first record of names, the column of that name holds the words; else the first column does.
  package static func read(separated text: String) -> Preview {
    let records = SeparatedValues(text, separator: SeparatedValues.separator(of: text)).records
    var column = 0
    var rows: [(number: Int, row: Row)] = []
    for (index, record) in records.enumerated() {
      if index == 0, let named = wordColumn(of: record.fields) {
        column = named
        rows.append((record.line, .skipped(.header, record.fields.joined(separator: ", "))))
      } else {
        rows.append((record.line, .word(column < record.fields.count ? record.fields[column] : "")))
      }
    }
    return preview(rows, title: "")
  }

  /// Reads the items of a JSON list.
  package static func read(items: [Item], title: String) -> Preview {
    let rows = items.enumerated().map { index, item -> (number: Int, row: Row) in
      switch item {
      case .text(let text): (index + 1, .word(text))
      case .other: (index + 1, .skipped(.notText, ""))
      }
    }
    return preview(rows, title: PlainText.cleaned(title))
  }

  /// The field of a JSON object that holds the word.
  package static func wordField(among fields: some Collection<String>) -> String? {
    names.first(where: fields.contains)
  }

  private static func isComment(_ line: String) -> Bool {
    let scalars = line.unicodeScalars.drop(while: \.properties.isWhitespace)
    guard scalars.first == "#" else { return false }
    return scalars.dropFirst().first?.properties.isWhitespace ?? true
  }

  private static func unescaped(_ line: String) -> String {
    let scalars = line.unicodeScalars
    let marks = scalars.prefix { $0 == "\\" }
    guard !marks.isEmpty, scalars.dropFirst(marks.count).first == "#" else { return line }
    return String(String.UnicodeScalarView(scalars.dropFirst()))
  }

  /// The words as such a text.
  package static func lines(of words: [Word]) -> String {
    words.map { word in
      let rest = word.text.unicodeScalars.drop { $0 == "\\" }
      return (rest.first == "#" ? "\\" : "") + word.text + "\n"
    }.joined()
  }

  /// The words as comma-separated values with a first record of names.
  package static func separated(_ words: [Word]) -> String {
    "word\r\n" + words.map { SeparatedValues.written($0.text) + "\r\n" }.joined()
  }

  /// The column that a first record of names gives the words; nil when it is an ordinary record.
  private static func wordColumn(of fields: [String]) -> Int? {
    let known = fields.map { PlainText.folded(PlainText.cleaned($0)) }
    let isOther = known.allSatisfy { otherNames.contains($0) || names.contains($0) || $0.isEmpty }
    guard let name = names.first(where: known.contains), known.count > 1 || isOther else {
      return nil
    }
    return known.firstIndex(of: name)
  }

  fileprivate enum Row {
    case word(String)
    case skipped(Reason, String)
  }

  private static func preview(_ rows: [(number: Int, row: Row)], title: String) -> Preview {
    var found: [(place: Int, word: Word)] = []
    var reasons = [Reason?](repeating: nil, count: rows.count)
    for (place, row) in rows.map(\.row).enumerated() {
      switch row {
      case .skipped(let reason, _): reasons[place] = reason
      case .word(let text) where place >= rowsRead:
        reasons[place] = text.isEmpty ? nil : .beyondLimit
      case .word(let text):
        do throws(WordFault) {
          found.append((place, try Word(typed: text)))
        } catch {
          reasons[place] = Reason(error)
        }
      }
    }
    var words: [Word] = []
    for (one, isFirst) in zip(found, Words.areFirst(found.map(\.word))) {
      if !isFirst {
        reasons[one.place] = .duplicate
      } else if words.count == BingoSetup.wordLimit {
        reasons[one.place] = .beyondLimit
      } else {
        words.append(one.word)
      }
    }
    let skipped = zip(rows, reasons).lazy.compactMap { row, reason in
      reason.map { Skipped(row: row.number, reason: $0, beginning: row.row.beginning) }
    }
    return Preview(
      title: title, words: words, skipped: Array(skipped.prefix(skippedShown)),
      skippedCount: reasons.count { $0 != nil })
  }
}

extension WordFile.Row {
  fileprivate var beginning: String {
    switch self {
    case .word(let text), .skipped(_, let text): Words.beginning(of: text)
    }
  }
}

extension WordFile.Reason {
  /// Nothing is said of a blank row.
  fileprivate init?(_ fault: WordFault) {
    switch fault {
    case .empty: return nil
    case .tooLong: self = .tooLong
    case .unknownCharacters, .notClean: self = .unknownCharacters
    }
  }
}
