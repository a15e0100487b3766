/// A text of records whose fields are separated by commas, semicolons or tabs (RFC 4180, section 2).
///
/// Read as spreadsheets write it: a record ends with CR LF, LF or CR, fields may stand in quotation
/// marks, within which separators and line breaks count for nothing and two marks mean one. A mark
/// inside a field that does not begin with one is an ordinary character. Marks that are never closed
/// end with the text.
struct SeparatedValues {
  /// One record and where it begins.
  struct Record: Hashable {
    /// The line, counted from 1.
    let line: Int
    let fields: [String]
  }

  private(set) var records: [Record] = []

  private var fields: [String] = []
  private var field: [Unicode.Scalar] = []
  private var isQuoted = false
  /// A mark has just ended the quotation, or is the first of two.
  private var hasClosed = false
  private var wasQuoted = false
  private var line = 1
  private var begin = 1
  private var afterReturn = false

  /// Reads a text; a byte order mark is ignored.
  init(_ text: String, separator: Unicode.Scalar) {
    for scalar in text.unicodeScalars { take(scalar, separator) }
    if !field.isEmpty || !fields.isEmpty || wasQuoted { closeRecord() }
  }

  private mutating func take(_ scalar: Unicode.Scalar, _ separator: Unicode.Scalar) {
    let isSecondHalf = scalar == "\n" && afterReturn
    afterReturn = scalar == "\r"
    if isQuoted && !hasClosed {
      if scalar == "\"" { hasClosed = true } else { field.append(scalar) }
      if (scalar == "\n" || scalar == "\r") && !isSecondHalf { line += 1 }
      return
    }
    if hasClosed && scalar == "\"" {
      field.append(scalar)
      hasClosed = false
      return
    }
    switch scalar {
    case separator: closeField()
    case "\n" where isSecondHalf: break
    case "\n", "\r":
      closeRecord()
      line += 1
      begin = line
    case "\"" where !wasQuoted && field.allSatisfy(\.properties.isWhitespace):
      field.removeAll(keepingCapacity: true)
      isQuoted = true
      wasQuoted = true
    default: field.append(scalar)
    }
  }

  private mutating func closeField() {
    var view = String.UnicodeScalarView()
    view.append(contentsOf: field)
    fields.append(String(view))
    field.removeAll(keepingCapacity: true)
    isQuoted = false
    hasClosed = false
    wasQuoted = false
  }

  private mutating func closeRecord() {
    closeField()
    records.append(Record(line: begin, fields: fields))
    fields.removeAll(keepingCapacity: true)
  }

  /// The separator of a text: of comma, semicolon and tab the one that stands outside of quotation
  /// marks in the most lines of the first hundred; a comma where none does.
  static func separator(of text: String) -> Unicode.Scalar {
    var lines = [Int](repeating: 0, count: candidates.count)
    var isSeen = [Bool](repeating: false, count: candidates.count)
    var isQuoted = false
    var seen = 0
    for scalar in text.unicodeScalars {
      if scalar == "\"" { isQuoted.toggle() }
      if isQuoted { continue }
      if let index = candidates.firstIndex(of: scalar), !isSeen[index] {
        isSeen[index] = true
        lines[index] += 1
      } else if scalar == "\n" || scalar == "\r" {
        isSeen = [Bool](repeating: false, count: candidates.count)
        seen += 1
        if seen == 100 { break }
      }
    }
    let most = lines.max() ?? 0
    return most == 0 ? "," : candidates[lines.firstIndex(of: most) ?? 2]
  }

  private static let candidates: [Unicode.Scalar] = ["\t", ";", ","]

  /// A field as it is written: in quotation marks where it could be misread without.
  static func written(_ field: String) -> String {
    let needsMarks = field.unicodeScalars.contains {
      candidates.contains($0) || $0 == "\"" || $0 == "\n" || $0 == "\r"
    }
    let isPadded =
      field.unicodeScalars.first?.properties.isWhitespace == true
      || field.unicodeScalars.last?.properties.isWhitespace == true
    guard needsMarks || isPadded else { return field }
    var out = String.UnicodeScalarView("\"".unicodeScalars)
    for scalar in field.unicodeScalars {
      if scalar == "\"" { out.append(scalar) }
      out.append(scalar)
    }
    out.append("\"")
    return String(out)
  }
}
