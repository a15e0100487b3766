import Wire

/// The names people go by (PRODUCT decision 9).
///
/// Names arrive in Unicode NFC: who takes them in from a person sees to that.
package enum PlayerName {
  /// Without white space at the ends, and single spaces within.
  package static func trimmed(_ text: String) -> String {
    text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }

  /// Whether a trimmed name may be borne: what every beacon and table takes, and nothing else.
  package static func isAllowed(_ name: String) -> Bool { PlainText.isName(name) }

  /// Whether two names would be taken for one: equal without regard to case.
  package static func looksLike(_ left: String, _ right: String) -> Bool {
    trimmed(left).lowercased() == trimmed(right).lowercased()
  }

  /// The name with the first number from 2 on that makes it one nobody bears: "Ana 2".
  package static func proposal(for name: String, besides taken: [String]) -> String {
    for number in 2... {
      let ending = " \(number)"
      var stem = name
      while !stem.isEmpty, !isAllowed(stem + ending) { stem.removeLast() }
      let proposal = stem + ending
      if !taken.contains(where: { looksLike($0, proposal) }) { return proposal }
    }
    return name
  }
}
