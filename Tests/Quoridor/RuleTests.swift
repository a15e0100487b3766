import Quoridor
import Testing

@Suite struct `A pawn` {
  /// The golden jumps of the rules: position of two players, what player 1's pawn may do.
  static let jumps = [
    ("-/e4,e5/10,10/1", "d4 e3 e6 f4"),
    ("e5h/e4,e5/10,9/1", "d4 d5 e3 f4 f5"),
    ("d4v,e5h/e4,e5/9,9/1", "e3 f4 f5"),
    ("e4h/e4,e5/10,9/1", "d4 e3 f4"),
    ("-/e8,e9/10,10/1", "d8 d9 e7 f8 f9"),
    ("a5h/a4,a5/10,9/1", "a3 b4 b5"),
    ("e5v/d5,e5/10,9/1", "c5 d4 d6 e4 e6"),
  ]

  @Test(arguments: jumps)
  func `steps and jumps`(text: String, expected: String) throws {
    let position = try Position(text: text)
    let squares = position.legalMoves.filter { if case .pawn = $0 { true } else { false } }
    #expect(squares.map(\.text).sorted().joined(separator: " ") == expected)
  }

  @Test func `of four never jumps over two, unless the table plays the other rule`() throws {
    let never = try Position(text: "-/e4,e5,e6,i5/5,5,5,5/1")
    #expect(targets(never) == ["d4", "e3", "f4"])
    let sideways = try Position(text: "-/e4,e5,e6,i5/5,5,5,5/1/sideways")
    #expect(targets(sideways) == ["d4", "d5", "e3", "f4", "f5"])
    // A wall behind the first pawn allows the sides under both rules.
    let walled = try Position(text: "e5h/e4,e5,e6,i5/5,5,5,4/1")
    #expect(targets(walled) == ["d4", "d5", "e3", "f4", "f5"])
    // Never onto a third pawn.
    let third = try Position(text: "e5h/e4,e5,e7,d5/5,5,5,4/1")
    #expect(targets(third) == ["d4", "e3", "f4", "f5"])
  }

  private func targets(_ position: Position) -> [String] {
    position.legalMoves.filter { if case .pawn = $0 { true } else { false } }.map(\.text).sorted()
  }

  @Test func `wins on any square of the far side, and nothing moves any more`() throws {
    for column in "abcdefghi" {
      var position = try Position(text: "-/\(column)8,e5/10,10/1")
      try position.play(try move("\(column)9"))
      #expect(position.winner == 0)
      #expect(position.legalMoves.isEmpty)
      #expect(position.refusal(of: try move("e4")) == .gameOver)
      #expect(Perft.count(position, depth: 1) == 0)
    }
    for (seat, text) in [(1, "-/e5,h5,e6,d7/5,5,5,5/2"), (3, "-/e5,d7,e6,b5/5,5,5,5/4")] {
      var position = try Position(text: text)
      try position.play(try move(seat == 1 ? "i5" : "a5"))
      #expect(position.winner == seat)
    }
  }
}

@Suite struct `A refused move` {
  @Test(arguments: [
    ("start", "e3", MoveRefusal.pawnCannotGoThere), ("start", "e1", .pawnCannotGoThere),
    ("start", "e9", .pawnCannotGoThere), ("start", "pass", .mustMove),
    ("-/e1,e9/0,10/1", "e4h", .noWallsLeft), ("e4h/e1,e9/10,9/1", "d4h", .wallOverlaps),
    ("e4h/e1,e9/10,9/1", "f4h", .wallOverlaps), ("e4h/e1,e9/10,9/1", "e4h", .wallOverlaps),
    ("e4h/e1,e9/10,9/1", "e4v", .wallCrosses),
    ("a1h,c1h/b1,e9/10,8/1", "d1v", .wallClosesLastPath), ("a1h,c1h/b2,e9/10,8/1", "d1v", nil),
    ("-/a9,e5/10,10/2", "e4", .gameOver),
  ])
  func `says why and changes nothing`(text: String, name: String, expected: MoveRefusal?) throws {
    let position = try Position(text: text)
    let move = try move(name)
    var after = position
    do throws(MoveRefusal) {
      try after.play(move)
      #expect(expected == nil)
      #expect(after != position)
    } catch {
      #expect(error == expected)
      #expect(after == position)
      #expect(error.sentence.hasSuffix("."))
    }
  }
}

@Suite struct `With four players` {
  @Test func `who cannot move must pass`() throws {
    // In the corner, two pawns in front of player 1 and a wall on the side.
    var stuck = try Position(text: "a1v/a1,a2,a3,i5/0,5,5,5/1")
    #expect(stuck.legalMoves == [.pass])
    #expect(Perft.count(stuck, depth: 1) == 1)
    #expect(Perft.count(stuck, depth: 2) == UInt64(stuck.afterPass.legalMoves.count))
    try stuck.play(.pass)
    #expect(stuck.turn == 1)
    let free = try Position(text: "-/a1,a2,a3,b1/0,5,5,5/1")
    #expect(free.legalMoves.map(\.text) == ["c1"])
    #expect(free.refusal(of: .pass) == .mustMove)
  }

  @Test func `who has walls left need not pass`() throws {
    let walls = try Position(text: "a1v/a1,a2,a3,i5/1,5,5,5/1")
    #expect(walls.refusal(of: .pass) == .mustMove)
  }

  @Test func `who gives up leaves the board, and the others play on`() throws {
    var match = Match(from: Position(players: .four))
    try match.play(try move("e2"), by: 0)
    try match.giveUp(1)
    #expect(match.position.pawn(of: 1) == nil)
    #expect(match.position.turn == 2)
    try match.giveUp(1)
    try match.play(try move("e8"), by: 2)
    try match.play(try move("h5"), by: 3)
    #expect(match.position.turn == 0)
    #expect(match.position.text == "-/e2,-,e8,h5/5,5,5,5/1")
    #expect(try Position(text: match.position.text) == match.position)
    try match.giveUp(3)
    #expect(match.result == nil)
    try match.giveUp(0)
    #expect(match.result == .lastPlayer(2))
  }
}

extension Position {
  fileprivate var afterPass: Position {
    var next = self
    try? next.play(.pass)
    return next
  }
}
