/// The rules of Quoridor as the booklet tells them: arrays, names and a search for each pawn and wall.
///
/// Slow and obviously right; the real generator is compared with it, in tests for its moves and in
/// `bench` for its speed.
package struct NaiveQuoridor {
  /// A square, columns and rows from 0.
  package struct Place: Hashable {
    let column: Int
    let row: Int

    init(_ column: Int, _ row: Int) {
      self.column = column
      self.row = row
    }

    fileprivate var isOnBoard: Bool { (0..<9).contains(column) && (0..<9).contains(row) }
    fileprivate var name: String { "\(Array("abcdefghi")[column])\(row + 1)" }
    fileprivate func next(_ way: (Int, Int)) -> Place { Place(column + way.0, row + way.1) }
  }

  private struct Wall: Hashable {
    let at: Place
    let isHorizontal: Bool
    var name: String { at.name + (isHorizontal ? "h" : "v") }
  }

  private static let ways = [(0, 1), (1, 0), (0, -1), (-1, 0)]

  private var pawns: [Place]
  private var left: [Int]
  private var walls: Set<Wall> = []
  package private(set) var turn = 0
  private let stepsAside: Bool

  /// The start for two players or four; `stepsAside` is the house rule for a second pawn behind the first.
  package init(players: Int, stepsAside: Bool = false) {
    self.stepsAside = stepsAside
    pawns =
      players == 2
      ? [Place(4, 0), Place(4, 8)] : [Place(4, 0), Place(0, 4), Place(4, 8), Place(8, 4)]
    left = Array(repeating: 20 / players, count: players)
  }

  private func hasArrived(_ place: Place, _ player: Int) -> Bool {
    switch pawns.count == 2 ? player * 2 : player {
    case 0: place.row == 8
    case 1: place.column == 8
    case 2: place.row == 0
    default: place.column == 0
    }
  }

  /// A pawn has reached its far side.
  package var isOver: Bool { pawns.indices.contains { hasArrived(pawns[$0], $0) } }

  /// Two neighbouring squares with a wall between them.
  private func isWalled(_ one: Place, _ other: Place) -> Bool {
    let low = Place(min(one.column, other.column), min(one.row, other.row))
    if one.column == other.column {
      return walls.contains(Wall(at: low, isHorizontal: true))
        || walls.contains(Wall(at: low.next((-1, 0)), isHorizontal: true))
    }
    return walls.contains(Wall(at: low, isHorizontal: false))
      || walls.contains(Wall(at: low.next((0, -1)), isHorizontal: false))
  }

  private func canStep(_ from: Place, _ to: Place) -> Bool { to.isOnBoard && !isWalled(from, to) }

  /// Names of the squares the pawn may go to.
  package var pawnMoves: Set<String> {
    let own = pawns[turn]
    var out: Set<String> = []
    for way in Self.ways {
      let beside = own.next(way)
      guard canStep(own, beside) else { continue }
      guard pawns.contains(beside) else {
        out.insert(beside.name)
        continue
      }
      let behind = beside.next(way)
      if canStep(beside, behind), !pawns.contains(behind) {
        out.insert(behind.name)
      } else if !canStep(beside, behind) || stepsAside {
        for side in [(way.1, way.0), (-way.1, -way.0)] {
          let end = beside.next(side)
          if canStep(beside, end), !pawns.contains(end) { out.insert(end.name) }
        }
      }
    }
    return out
  }

  /// Names of the walls that may be placed.
  package var wallMoves: Set<String> {
    guard left[turn] > 0 else { return [] }
    var out: Set<String> = []
    for column in 0..<8 {
      for row in 0..<8 {
        for isHorizontal in [true, false] {
          let wall = Wall(at: Place(column, row), isHorizontal: isHorizontal)
          if fits(wall), leavesEveryPath(wall) { out.insert(wall.name) }
        }
      }
    }
    return out
  }

  private func fits(_ wall: Wall) -> Bool {
    let along = wall.isHorizontal ? (1, 0) : (0, 1)
    let back = wall.isHorizontal ? (-1, 0) : (0, -1)
    return !walls.contains(wall)
      && !walls.contains(Wall(at: wall.at, isHorizontal: !wall.isHorizontal))
      && !walls.contains(Wall(at: wall.at.next(along), isHorizontal: wall.isHorizontal))
      && !walls.contains(Wall(at: wall.at.next(back), isHorizontal: wall.isHorizontal))
  }

  private func leavesEveryPath(_ wall: Wall) -> Bool {
    var tried = self
    tried.walls.insert(wall)
    return pawns.indices.allSatisfy { tried.hasPath($0) }
  }

  private func hasPath(_ player: Int) -> Bool {
    var seen = Array(repeating: false, count: 81)
    var open = [pawns[player]]
    while let place = open.popLast() {
      if hasArrived(place, player) { return true }
      for way in Self.ways {
        let next = place.next(way)
        guard canStep(place, next), !seen[next.row * 9 + next.column] else { continue }
        seen[next.row * 9 + next.column] = true
        open.append(next)
      }
    }
    return false
  }

  /// Names of all legal moves.
  package var moves: Set<String> {
    if isOver { return [] }
    let all = pawnMoves.union(wallMoves)
    return all.isEmpty ? ["pass"] : all
  }

  /// Makes a move that is one of `moves`.
  package mutating func make(_ name: String) {
    let letters = Array(name)
    if letters != Array("pass") {
      let place = Place(
        Int(letters[0].asciiValue ?? 0) - 97, (letters[1].wholeNumberValue ?? 0) - 1)
      if letters.count == 2 {
        pawns[turn] = place
      } else {
        walls.insert(Wall(at: place, isHorizontal: letters[2] == "h"))
        left[turn] -= 1
      }
    }
    turn = (turn + 1) % pawns.count
  }

  /// Sequences of exactly `depth` legal moves.
  package func perft(_ depth: Int) -> Int {
    let moves = moves
    if depth == 1 { return moves.count }
    return moves.reduce(0) { sum, move in
      var next = self
      next.make(move)
      return sum + next.perft(depth - 1)
    }
  }
}
