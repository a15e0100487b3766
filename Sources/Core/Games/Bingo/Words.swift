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
    var line: [Unicode.Scalar] = []
    var kept: [(line: Int, word: Word)] = []
    var number = 0
    var afterReturn = false
    func close() {
      number += 1
      var view = String.UnicodeScalarView()
      view.append(contentsOf: line)
      line.removeAll(keepingCapacity: true)
      let typed = String(view)
      do throws(WordFault) {
        kept.append((number, try Word(typed: typed)))
      } catch .empty {
        return
      } catch {
        out.faultCount += 1
        guard out.faults.count < faultsShown else { return }
        let beginning = PlainText.cleaned(String(typed.unicodeScalars.prefix(40)))
        out.faults.append(Reading.Fault(line: number, fault: error, beginning: beginning))
      }
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
    let words = unique(kept.map(\.word))
    out.duplicates = kept.count - words.count
    out.beyondLimit = max(0, words.count - BingoSetup.wordLimit)
    out.words = Array(words.prefix(BingoSetup.wordLimit))
    return out
  }

  /// The first of each group of equal words, in their order.
  package static func unique(_ words: [Word]) -> [Word] {
    let order = words.indices.sorted { left, right in
      let (a, b) = (words[left].key, words[right].key)
      return a == b ? left < right : a < b
    }
    var isFirst = [Bool](repeating: true, count: words.count)
    for (before, after) in zip(order, order.dropFirst())
    where words[before].key == words[after].key {
      isFirst[after] = false
    }
    return words.indices.filter { isFirst[$0] }.map { words[$0] }
  }
}
