/// A list of phrases that comes with the program (PRODUCT B24).
package struct WordPack: Hashable, Sendable {
  /// Stable; what a command names it by.
  package let id: String
  /// For people.
  package let title: String
  /// As they stand on boards.
  package let words: [String]

  /// Every pack, in the order in which they are offered.
  package static let all: [WordPack] = [
    corporate, standup, remote, product, design, sales, people, keynote,
  ]

  /// The pack of an id.
  package static func named(_ id: String) -> WordPack? { all.first { $0.id == id } }
}
