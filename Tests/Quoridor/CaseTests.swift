import Quoridor
import Testing

@Suite struct `Cases of three engines` {
  @Test func `are all there`() {
    #expect(Cases.positions.count == 44)
    #expect(Cases.games.count == 18)
    #expect(Cases.lines.count == 18)
    #expect(Cases.lines.count { $0.players == .four } == 8)
  }

  @Test(arguments: Cases.positions)
  func `have the same legal moves`(_ item: Cases.Case) throws {
    let position = try item.position
    let moves = position.legalMoves
    #expect(moves.count == item.legal_count)
    #expect(Set(moves.map(\.text)) == Set(item.legal_pawn_moves + item.legal_wall_moves))
    #expect(position.distance(of: 0) == item.shortest_path["white"])
    #expect(position.distance(of: 1) == item.shortest_path["black"])
    for seat in 0..<2 {
      #expect(position.shortestPath(of: seat).count == position.distance(of: seat) + 1)
    }
    for (text, isLegal) in item.key_moves ?? [:] {
      #expect((position.refusal(of: try move(text)) == nil) == isLegal, "\(text)")
    }
  }

  @Test(arguments: Cases.positions)
  func `refuse the same walls for the same reason`(_ item: Cases.Case) throws {
    let position = try item.position
    guard position.wallsLeft(of: position.turn) > 0 else { return }
    for (kind, walls) in item.walls_that_do_not_fit {
      for text in walls {
        let expected: MoveRefusal = kind == "cross" ? .wallCrosses : .wallOverlaps
        #expect(position.refusal(of: try move(text)) == expected, "\(kind) \(text)")
      }
    }
    for text in item.walls_that_fit_but_cut_a_path.values.joined() {
      #expect(position.refusal(of: try move(text)) == .wallClosesLastPath, "\(text)")
    }
  }

  @Test(arguments: Cases.positions)
  func `have the same numbers of sequences`(_ item: Cases.Case) throws {
    let position = try item.position
    var mark: UInt64 = 0
    for depth in 1...3 {
      #expect(Perft.count(position, depth: depth) == item.perft["\(depth)"], "depth \(depth)")
    }
    #expect(Perft.countMade(position, depth: 2, mark: &mark) == item.perft["2"])
    let divided = Perft.divide(position, depth: 2)
    #expect(divided.map(\.count).reduce(0, +) == item.perft["2"])
    #expect(divided.map(\.move) == position.legalMoves)
  }

  @Test(arguments: Cases.positions)
  func `come from the moves that are told`(_ item: Cases.Case) throws {
    guard !item.moves_from_start.isEmpty else { return }
    var position = Position()
    for text in item.moves_from_start { try position.play(try move(text)) }
    #expect(position == (try item.position))
  }

  @Test(arguments: Cases.games)
  func `agree on every ply of whole games`(_ game: Cases.WholeGame) throws {
    var match = Match()
    for (text, count) in zip(game.moves, game.legal_counts) {
      #expect(match.position.legalMoves.count == count, "before \(text)")
      try match.play(try move(text), by: match.position.turn)
    }
    #expect(game.moves.count == game.legal_counts.count)
    let position = match.position
    #expect(position.pawn(of: 0)?.text == game.final.white_pawn)
    #expect(position.pawn(of: 1)?.text == game.final.black_pawn)
    #expect(position.wallsLeft(of: 0) == game.final.white_walls_left)
    #expect(position.wallsLeft(of: 1) == game.final.black_walls_left)
    #expect(position.wallsPlaced.map(\.text).sorted() == game.final.walls)
    switch game.winner {
    case "white": #expect(match.result == .arrived(0))
    case "black": #expect(match.result == .arrived(1))
    default: #expect(match.result == nil)
    }
  }

  @Test(arguments: Cases.lines)
  func `agree on every ply with two players and with four`(_ line: Cases.Line) throws {
    var position = Position(players: line.players)
    #expect(line.counts.count == line.moves.count + 1)
    for (text, count) in zip(line.moves, line.counts) {
      #expect(position.legalMoves.count == count, "before \(text)")
      try position.play(try move(text))
    }
    #expect(position.legalMoves.count == line.counts.last)
    #expect(position.isOver == line.isOver)
  }

  @Test func `have the same numbers with four players`() {
    let counts = (1...3).map { Perft.count(Position(players: .four), depth: $0) }
    #expect(counts == [131, 16_677, 2_062_065])
  }
}

@Suite struct `The search for paths` {
  /// The six roots of the benchmark: from the start, early, in the middle and late.
  static let roots = ["start", "game_04", "game_01", "game_11", "game_12", "game_10"]

  @Test func `takes few floods a position`() throws {
    var cost = Perft.Cost()
    for name in Self.roots {
      let root = try #require(Cases.positions.first { $0.id == name })
      _ = Perft.count(try root.position, depth: 3, cost: &cost)
    }
    #expect(cost.positions == 61_477)
    // Two searches for each wall that fits would be 197, the witness alone 23.
    #expect(cost.floods * 10 <= cost.positions * 55, "\(cost)")
  }
}
