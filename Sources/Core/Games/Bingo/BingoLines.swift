/// Rows and columns of a board (PRODUCT decision 3).
package struct BingoLine: Hashable, Sendable {
  /// Which way a line runs.
  package enum Direction: String, Sendable, Encodable {
    case row
    case column
  }

  package let direction: Direction
  /// Counted from 0, from the top or from the left.
  package let index: Int
  let mask: UInt32

  /// Every line of a board: the rows, then the columns.
  static func all(size: Int) -> [BingoLine] {
    let row: UInt32 = (1 << UInt32(size)) - 1
    var column: UInt32 = 0
    for index in 0..<size { column |= 1 << UInt32(index * size) }
    return (0..<size).map {
      BingoLine(direction: .row, index: $0, mask: row << UInt32($0 * size))
    }
      + (0..<size).map {
        BingoLine(direction: .column, index: $0, mask: column << UInt32($0))
      }
  }

  /// Whether the line holds tile `tile`.
  package func holds(_ tile: Int) -> Bool { mask >> UInt32(tile) & 1 == 1 }
}

extension Bingo {
  /// The complete lines of a seat, rows first.
  package func lines(of seat: Int) -> [BingoLine] {
    let marks = seats[seat].marks
    return BingoLine.all(size: settings.size).filter { marks & $0.mask == $0.mask }
  }

  /// The tiles whose marking would complete a line.
  func tilesToGo(of seat: Int) -> UInt32 {
    let marks = seats[seat].marks
    return BingoLine.all(size: settings.size).reduce(0) { tiles, line in
      let missing = line.mask & ~marks
      return missing.nonzeroBitCount == 1 ? tiles | missing : tiles
    }
  }

  package func progress(of seat: Int) -> Progress {
    let marks = seats[seat].marks
    var out = Progress()
    out.marked = marks.nonzeroBitCount
    out.best =
      BingoLine.all(size: settings.size).map { (marks & $0.mask).nonzeroBitCount }.max() ?? 0
    out.oneAway = outcome == nil && !seats[seat].hasLeft && tilesToGo(of: seat) != 0
    return out
  }
}
