internal import Wire

/// Reading and joining of word lists.
package enum Words {
  /// What a pasted or typed list came to.
  package struct Reading: Hashable, Sendable {
    /// A line that is no word, and why.
    package struct Fault: Hashable, Sendable {
      /// Counted from 1.
      package let line: Int
      package let fault: WordFault
      /// The beginning of the line, cleaned.
      package let beginning: String
    }

    /// Different words, in their order.
    package fileprivate(set) var words: [Word] = []
    /// Lines that repeat a word above them.
    package fileprivate(set) var duplicates = 0
    /// Lines that were left out, at most `Words.faultsShown` of them.
    package fileprivate(set) var faults: [Fault] = []
    /// How many lines were left out for their content.
    package fileprivate(set) var faultCount = 0
    /// Different words beyond the limit of a list.
    package fileprivate(set) var beyondLimit = 0
  }

  /// Faults that a reading names; the rest is only counted.
  package static let faultsShown = 20

  /// Reads a text of one word a line (Protocol/games/bingo.md, "Reading a list").
  ///
  /// Lines end with CR LF, LF or CR; blank ones are skipped; a byte order mark is ignored.
  package static func read(_ text: String) -> Reading {
    var out = Reading()
    var kept: [(line: Int, word: Word)] = []
    for (index, typed) in lines(of: text).enumerated() {
      do throws(WordFault) {
        kept.append((index + 1, try Word(typed: typed)))
      } catch .empty {
        continue
      } catch {
        out.faultCount += 1
        guard out.faults.count < faultsShown else { continue }
        out.faults.append(
          Reading.Fault(line: index + 1, fault: error, beginning: beginning(of: typed)))
      }
    }
    let words = unique(kept.map(\.word))
    out.duplicates = kept.count - words.count
    out.beyondLimit = max(0, words.count - BingoSetup.wordLimit)
    out.words = Array(words.prefix(BingoSetup.wordLimit))
    return out
  }

  /// The lines of a text; they end with CR LF, LF or CR, the last one perhaps with nothing.
  static func lines(of text: String) -> [String] {
    var out: [String] = []
    var line = String.UnicodeScalarView()
    var afterReturn = false
    func close() {
      out.append(String(line))
      line = String.UnicodeScalarView()
    }
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\r": close()
      case "\n": if !afterReturn { close() }
      default: line.append(scalar)
      }
      afterReturn = scalar == "\r"
    }
    if !line.isEmpty { close() }
    return out
  }

  /// Enough of a line to know it by, cleaned.
  static func beginning(of line: String) -> String {
    PlainText.cleaned(String(String.UnicodeScalarView(line.unicodeScalars.prefix(40))))
  }

  /// The first of each group of equal words, in their order.
  package static func unique(_ words: [Word]) -> [Word] {
    zip(words, areFirst(words)).filter(\.1).map(\.0)
  }

  /// For each word whether none before it is equal to it.
  static func areFirst(_ words: [Word]) -> [Bool] {
    let order = words.indices.sorted { left, right in
      let (a, b) = (words[left].key, words[right].key)
      return a == b ? left < right : a < b
    }
    var isFirst = [Bool](repeating: true, count: words.count)
    for (before, after) in zip(order, order.dropFirst())
    where words[before].key == words[after].key {
      isFirst[after] = false
    }
    return isFirst
  }
}
