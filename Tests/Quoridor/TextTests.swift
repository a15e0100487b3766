import Quoridor
import Testing

@Suite struct `The text of a position` {
  @Test(arguments: Cases.positions)
  func `reads as it was written`(_ item: Cases.Case) throws {
    let position = try item.position
    #expect(try Position(text: position.text) == position)
  }

  @Test func `of the starts is short`() throws {
    #expect(Position().text == "-/e1,e9/10,10/1")
    #expect(try Position(text: "start") == Position())
    let four = Position(players: .four, jumps: .sideways)
    #expect(four.text == "-/e1,a5,e9,i5/5,5,5,5/1/sideways")
    #expect(try Position(text: four.text) == four)
    #expect(try Position(text: "start4") == Position(players: .four))
  }

  @Test(arguments: [
    ("", "positionForm"), ("-/e1,e9/10,10", "positionForm"), ("-/e1,e9/10,10/1/x", "positionJumps"),
    ("-/e1,e9/10,10/1/sideways", "positionJumps"), ("-/e1,e9/10,10/1/sideways/", "positionForm"),
    ("-/e1/10/1", "positionPlayers"), ("-/e1,e5,e9/5,5,5/1", "positionPlayers"),
    ("e9h/e1,e9/10,9/1", "positionWall"), ("i1h/e1,e9/10,9/1", "positionWall"),
    ("e1x/e1,e9/10,9/1", "positionWall"), ("e3h,f3h/e1,e9/9,9/1", "positionWall"),
    ("e3h,e3v/e1,e9/9,9/1", "positionWall"), (",/e1,e9/9,9/1", "positionWall"),
    ("-/e1,e1/10,10/1", "positionPawn"), ("-/e0,e9/10,10/1", "positionPawn"),
    ("-/-,e9/10,10/1", "positionPawn"), ("-/-,-,-,e9/5,5,5,5/4", "positionPawn"),
    ("-/e1,e9/10,11/1", "positionLeft"), ("-/e1,e9/10,-1/1", "positionLeft"),
    ("-/e1,e9/10/1", "positionLeft"), ("e3h/e1,e9/10,10/1", "positionLeft"),
    ("-/e1,e9/10,10/0", "positionTurn"), ("-/e1,e9/10,10/3", "positionTurn"),
    ("-/-,a5,e9,i5/5,5,5,5/1", "positionTurn"),
    ("a1h,b1v/a1,e9/9,9/1", "positionPath"), ("-/e9,e1/10,10/1", "positionOver"),
    ("-/e9,e5/10,10/1", "positionOver"),
    (String(repeating: "e", count: 201), "positionTooLong"),
  ])
  func `is refused with a reason`(text: String, code: String) {
    do throws(TextFault) {
      let position = try Position(text: text)
      Issue.record("taken: \(position.text)")
    } catch {
      #expect(error.code == code)
      #expect(error.sentence.hasSuffix("."))
    }
  }

  @Test func `of a position draws it`() throws {
    let position = try Position(text: "a2v,e3h/e2,e4/9,9/1")
    #expect(
      position.drawing == """
          +---+---+---+---+---+---+---+---+---+
        9 |                                   |
          +   +   +   +   +   +   +   +   +   +
        8 |                                   |
          +   +   +   +   +   +   +   +   +   +
        7 |                                   |
          +   +   +   +   +   +   +   +   +   +
        6 |                                   |
          +   +   +   +   +   +   +   +   +   +
        5 |                                   |
          +   +   +   +   +   +   +   +   +   +
        4 |                 2                 |
          +   +   +   +   +-------+   +   +   +
        3 |   |                               |
          +   |   +   +   +   +   +   +   +   +
        2 |   |             1                 |
          +   +   +   +   +   +   +   +   +   +
        1 |                                   |
          +---+---+---+---+---+---+---+---+---+
            a   b   c   d   e   f   g   h   i

        """)
  }
}

@Suite struct `A list of moves` {
  @Test(arguments: Cases.games)
  func `reads as it was written`(_ game: Cases.WholeGame) throws {
    let moves = try game.moves.map { try move($0) }
    let text = MoveList.text(moves)
    #expect(text.hasPrefix("1. \(game.moves[0]) \(game.moves[1]) 2. "))
    #expect(try MoveList.read(text) == moves)
    #expect(try MoveList.read(game.moves.joined(separator: "\n")) == moves)
  }

  @Test func `is read in the ways people write`() throws {
    let moves = try ["e2", "e8", "e3h"].map { try move($0) }
    #expect(try MoveList.read("1.e2 E8\t2...E3H\n") == moves)
    #expect(try MoveList.read("") == [])
    #expect(MoveList.text(moves, players: .four) == "1. e2 e8 e3h")
  }

  @Test(arguments: [
    ("e2 x8", "notAMove"), ("e2 e8 e2", "pawnCannotGoThere"), ("e3h d3h", "wallOverlaps"),
    ("e2 1", "notAMove"), (String(repeating: "e", count: 100_001), "movesTooLong"),
  ])
  func `is refused at the first word that is no move`(text: String, code: String) {
    #expect { try MoveList.read(text) } throws: { ($0 as? TextFault)?.code == code }
  }

  @Test func `has a code and a name for each move, and no two share one`() throws {
    for code in UInt8.min...UInt8.max {
      let move = Move(code: code)
      #expect((move == nil) == (Int(code) >= Move.codes))
      guard let move else { continue }
      #expect(move.code == code)
      #expect(Move(move.text) == move)
    }
    for text in ["", "e", "e10", "E2", "e2 ", "e9h", "i3v", "e3x", "pas", "é2"] {
      #expect(Move(text) == nil, "\(text)")
    }
  }
}
