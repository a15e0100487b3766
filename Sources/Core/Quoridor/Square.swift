/// A square of the board: columns a to i from the left of player 1, rows 1 to 9 from their side.
package struct Square: Hashable, Sendable, Comparable {
  /// Row times nine plus column, both from 0: the number of its bit in a mask of squares.
  package let index: UInt8

  /// Squares of the board.
  package static let count = 81

  /// The square with this number; nil from 81 on.
  package init?(index: Int) {
    guard (0..<Square.count).contains(index) else { return nil }
    self.index = UInt8(index)
  }

  /// The square of a column and a row, both from 0; nil beyond the board.
  package init?(column: Int, row: Int) {
    guard (0..<9).contains(column), (0..<9).contains(row) else { return nil }
    index = UInt8(row * 9 + column)
  }

  /// A number that is known to be one of the board's.
  init(_ index: UInt8) { self.index = index }

  /// Reads a name such as `e2`, in small letters.
  package init?(_ text: some StringProtocol) {
    let bytes = Array(text.utf8.prefix(3))
    guard bytes.count == 2, let column = Notation.column(bytes[0]), let row = Notation.row(bytes[1])
    else { return nil }
    self.init(column: column, row: row)
  }

  /// From 0, for the letters a to i.
  package var column: Int { Int(index) % 9 }
  /// From 0, for the digits 1 to 9.
  package var row: Int { Int(index) / 9 }
  /// Its name, for example `e2`.
  package var text: String { Notation.text(column: column, row: row) }

  /// The mask that holds it alone.
  var bit: UInt128 { 1 &<< UInt128(truncatingIfNeeded: index) }

  package static func < (left: Square, right: Square) -> Bool { left.index < right.index }
}

/// Letters and digits of the notation (Protocol/games/quoridor.md).
enum Notation {
  static func column(_ byte: UInt8) -> Int? {
    (UInt8(ascii: "a")...UInt8(ascii: "i")).contains(byte) ? Int(byte - UInt8(ascii: "a")) : nil
  }

  static func row(_ byte: UInt8) -> Int? {
    (UInt8(ascii: "1")...UInt8(ascii: "9")).contains(byte) ? Int(byte - UInt8(ascii: "1")) : nil
  }

  static func text(column: Int, row: Int) -> String {
    let letters: [Character] = ["a", "b", "c", "d", "e", "f", "g", "h", "i"]
    return "\(letters[column])\(row + 1)"
  }
}
