import Quoridor
import Testing

@Suite struct `A match` {
  /// Both pawns go to and fro: after each round of four moves the position is there again.
  private func shuffle(_ match: inout Match, moves count: Int) throws {
    let there = ["e2", "e8", "e1", "e9"]
    for index in 0..<count {
      try match.play(try move(there[match.moves.count % 4]), by: match.position.turn)
      _ = index
    }
  }

  @Test func `offers a draw at the third time and is drawn at the fifth`() throws {
    var match = Match()
    try shuffle(&match, moves: 7)
    #expect(match.timesSeen == 2)
    #expect(throws: MoveRefusal.noDrawYet) { try match.offerDraw(by: 0) }
    try shuffle(&match, moves: 1)
    #expect(match.timesSeen == 3)
    try match.offerDraw(by: 1)
    #expect(throws: MoveRefusal.drawOfferedAlready) { try match.offerDraw(by: 0) }
    #expect(throws: MoveRefusal.ownDrawOffer) { try match.agreeToDraw(by: 1) }
    try match.declineDraw(by: 0)
    #expect(match.offer == nil)
    #expect(throws: MoveRefusal.noDrawOffered) { try match.agreeToDraw(by: 0) }
    try shuffle(&match, moves: 7)
    #expect(match.result == nil)
    try shuffle(&match, moves: 1)
    #expect(match.result == .repetition)
    #expect(throws: MoveRefusal.gameOver) { try match.play(try move("e2"), by: 0) }
  }

  @Test func `counts the same squares with another player to move as another position`() throws {
    var match = Match(from: try Position(text: "-/e4,e7/10,10/1"))
    for text in ["e5", "e8", "e4", "e7"] {
      try match.play(try move(text), by: match.position.turn)
    }
    #expect(match.timesSeen == 2)
    // Three moves by each through a triangle of sidesteps bring the pawns back a move later.
    #expect(match.repeatable.count == 4)
    try match.play(try move("a1h"), by: 0)
    #expect(match.timesSeen == 1)
    #expect(match.repeatable.isEmpty)
  }

  @Test func `is drawn when everybody agrees`() throws {
    var match = Match(from: Position(players: .four))
    let there = ["e2", "b5", "e8", "h5", "e1", "a5", "e9", "i5"]
    for index in 0..<16 { try match.play(try move(there[index % 8]), by: index % 4) }
    try match.offerDraw(by: 2)
    try match.agreeToDraw(by: 0)
    try match.agreeToDraw(by: 0)
    try match.giveUp(1)
    #expect(match.offer == nil, "whoever gives up has not agreed")
    var other = Match(from: Position(players: .four))
    for index in 0..<16 { try other.play(try move(there[index % 8]), by: index % 4) }
    try other.offerDraw(by: 3)
    for seat in 0..<3 { try other.agreeToDraw(by: seat) }
    #expect(other.result == .agreement)
  }

  @Test func `forgets an offer with the next move`() throws {
    var match = Match()
    try shuffle(&match, moves: 8)
    try match.offerDraw(by: 0)
    try match.play(try move("e2"), by: 0)
    #expect(match.offer == nil)
  }

  @Test func `takes moves back one by one`() throws {
    var match = Match()
    let start = match
    for text in ["e2", "e4h", "d2"] { try match.play(try move(text), by: match.position.turn) }
    #expect(match.takeBack() == (try move("d2")))
    #expect(match.position.text == "e4h/e2,e9/10,9/1")
    #expect(match.takeBack() == (try move("e4h")))
    #expect(match.position.wallsLeft(of: 1) == 10)
    match.takeBack()
    #expect(match == start)
    #expect(match.takeBack() == nil)
  }

  @Test func `does not bring back who has given up`() throws {
    var match = Match(from: Position(players: .four))
    try match.play(try move("e2"), by: 0)
    try match.play(try move("b5"), by: 1)
    try match.giveUp(0)
    match.takeBack()
    #expect(match.position.text == "-/-,a5,e9,i5/5,5,5,5/2")
  }

  @Test func `goes on without a move when a turn runs out`() throws {
    var match = Match()
    try match.play(try move("e2"), by: 0)
    match.runOut()
    try match.play(try move("e3"), by: 0)
    #expect(match.position.text == "-/e3,e9/10,10/2")
    let text = MoveList.text(match.moves)
    #expect(text == "1. e2 pass 2. e3")
    var again = Match()
    for move in try MoveList.read(text) { try again.replay(move) }
    #expect(again == match)
    #expect(!match.hasMoved(1))
    match.takeBack(of: 1)
    #expect(again == match)
    match.takeBack(of: 0)
    #expect(match.position.text == "-/e2,e9/10,10/1")
    match.takeBack(of: 0)
    #expect(match == Match())
  }

  @Test func `takes back up to the last move of one seat`() throws {
    var match = Match()
    for text in ["e2", "e8", "e3", "e7"] { try match.play(try move(text), by: match.position.turn) }
    match.takeBack(of: 0)
    #expect(match.position.text == "-/e2,e8/10,10/1")
  }

  @Test func `refuses who is not to move`() throws {
    var match = Match()
    #expect(throws: MoveRefusal.notYourTurn) { try match.play(try move("e8"), by: 1) }
    #expect(throws: MoveRefusal.notYourTurn) { try match.play(try move("e8"), by: 7) }
    #expect(match == Match())
  }
}
