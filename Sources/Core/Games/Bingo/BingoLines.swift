/// Tiles of a board that win together (PRODUCT decision 3, 6.3).
package struct BingoLine: Hashable, Sendable {
  /// Which way a line runs, or what figure it is.
  package enum Direction: String, Sendable, Encodable {
    case row
    case column
    /// Index 0 runs down from the top left, 1 from the top right.
    case diagonal
    case corners
    case cross
    case frame
    case blackout
  }

  package let direction: Direction
  /// Counted from 0, from the top or from the left; 0 for a figure.
  package let index: Int
  let mask: UInt64

  private init(_ direction: Direction, _ index: Int, _ tiles: some Sequence<Int>) {
    self.direction = direction
    self.index = index
    mask = tiles.reduce(0) { $0 | 1 << UInt64($1) }
  }

  /// Every line by which a board can win, rows first.
  static func all(size: Int, pattern: BingoSettings.Pattern) -> [BingoLine] {
    let along = 0..<size
    func line(_ direction: Direction, _ index: Int, _ tile: (Int) -> Int) -> BingoLine {
      BingoLine(direction, index, along.map(tile))
    }
    func figure(_ direction: Direction, _ isIn: (_ row: Int, _ column: Int) -> Bool) -> BingoLine {
      BingoLine(direction, 0, (0..<size * size).filter { isIn($0 / size, $0 % size) })
    }
    let last = size - 1
    func isEdge(_ index: Int) -> Bool { index == 0 || index == last }
    let straight =
      along.map { row in line(.row, row) { row * size + $0 } }
      + along.map { column in line(.column, column) { $0 * size + column } }
    switch pattern {
    case .lines: return straight
    case .diagonals:
      return straight + [
        line(.diagonal, 0) { $0 * size + $0 }, line(.diagonal, 1) { $0 * size + last - $0 },
      ]
    case .corners: return [figure(.corners) { isEdge($0) && isEdge($1) }]
    case .cross: return [figure(.cross) { $0 == $1 || $0 + $1 == last }]
    case .frame: return [figure(.frame) { isEdge($0) || isEdge($1) }]
    case .blackout: return [figure(.blackout) { _, _ in true }]
    }
  }

  /// How many tiles it has.
  package var length: Int { mask.nonzeroBitCount }

  /// Whether the line holds tile `tile`.
  package func holds(_ tile: Int) -> Bool { mask >> UInt64(tile) & 1 == 1 }
}

extension Bingo {
  /// The complete lines of a seat, rows first.
  package func lines(of seat: Int) -> [BingoLine] {
    let (marks, before) = (seats[seat].marks, seats[seat].before)
    return allLines.filter { marks & $0.mask == $0.mask && $0.mask & ~before != 0 }
  }

  /// The tiles whose marking would complete a line.
  func tilesToGo(of seat: Int) -> UInt64 {
    let marks = seats[seat].marks
    return allLines.reduce(0) { tiles, line in
      let missing = line.mask & ~marks
      return missing.nonzeroBitCount == 1 ? tiles | missing : tiles
    }
  }

  package func progress(of seat: Int) -> Progress {
    let marks = seats[seat].marks
    var out = Progress()
    out.marked = (marks & ~freeMask).nonzeroBitCount
    out.best = allLines.map { (marks & $0.mask).nonzeroBitCount }.max() ?? 0
    out.oneAway =
      outcome == nil && !seats[seat].hasLeft && seats[seat].lineAt == nil
      && tilesToGo(of: seat) != 0
    return out
  }
}
