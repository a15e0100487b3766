/// The names people go by (PRODUCT decision 9).
///
/// Names arrive in Unicode NFC: who takes them in from a person sees to that.
package enum PlayerName {
  /// Characters, as a person counts them.
  package static let length = 2...24

  /// Without white space at the ends, and single spaces within.
  package static func trimmed(_ text: String) -> String {
    text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }

  /// Whether a trimmed name may be borne: 2 to 24 characters, at most 96 bytes, nothing that moves
  /// or hides text.
  package static func isAllowed(_ name: String) -> Bool {
    length.contains(name.count) && name.utf8.count <= 96
      && name.unicodeScalars.allSatisfy { scalar in
        switch scalar.properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator, .surrogate, .unassigned: false
        case .format: scalar == "\u{200d}" || scalar == "\u{200c}"
        default: true
        }
      }
  }

  /// Whether two names would be taken for one: equal without regard to case.
  package static func looksLike(_ left: String, _ right: String) -> Bool {
    trimmed(left).lowercased() == trimmed(right).lowercased()
  }

  /// The name with the first number from 2 on that makes it one nobody bears: "Ana 2".
  package static func proposal(for name: String, besides taken: [String]) -> String {
    for number in 2... {
      let ending = " \(number)"
      let proposal = String(name.prefix(length.upperBound - ending.count)) + ending
      if !taken.contains(where: { looksLike($0, proposal) }) { return proposal }
    }
    return name
  }
}
