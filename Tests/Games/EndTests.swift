import Games
import Testing

@Suite struct `Marking` {
  @Test func `by tap lights up the others' tiles, and a tap marks them`() {
    let play = Play(players: 3)
    #expect(play.marks(1, 4) == "notConfirmed")
    play.agrees(on: 4, by: 0)
    #expect(play.tile(4, 1)?.state == .confirmed)
    #expect(play.game.progress(of: 1).marked == 0)
    #expect(play.marks(1, 4) == nil)
    #expect(play.isMarked(4, 1))
    #expect(play.marks(1, 4) == "alreadyMarked")
    #expect(play.marks(0, 4) == "alreadyMarked")
  }

  @Test func `by tap needs the word on the own board`() throws {
    let play = Play(players: 2, words: 30)
    let board = play.board(0)
    let event = try #require(play.board(1).first { !board.contains($0) })
    play.agrees(on: event, by: 1)
    #expect(play.marks(0, event) == "notOnYourBoard")
  }

  @Test func `of everyone marks all boards at once`() {
    let play = Play(players: 3, marking: .everyone)
    play.agrees(on: 4, by: 0)
    #expect((0..<3).allSatisfy { play.isMarked(4, $0) })
    #expect(play.marks(1, 4) == "notTapMarking")
  }

  @Test func `of finders marks nobody else's board`() {
    let play = Play(players: 3, marking: .finder)
    play.agrees(on: 4, by: 0)
    #expect(play.isMarked(4, 0))
    #expect(play.tile(4, 1)?.state == .open)
    #expect(play.marks(1, 4) == "notTapMarking")
  }
}

@Suite struct `A complete line` {
  @Test(arguments: 0..<6)
  func `in any row or column wins when the two seconds have passed`(line: Int) throws {
    let play = Play(players: 3)
    for event in play.line(line, of: 0) { play.agrees(on: event, by: 0) }
    #expect(play.game.outcome == nil)
    #expect(play.game.closingAt != nil)
    #expect(play.passes("closing"))
    #expect(play.winners == [0])
    #expect(play.game.outcome?.kind == .line)
    let result = try #require(play.game.result)
    #expect(result.lines.map(\.index) == [line % 3])
    #expect(result.lines.map(\.direction) == [line < 3 ? .row : .column])
    #expect(result.timeline.count == 3)
    #expect(result.timeline.allSatisfy { $0.winning && $0.confirms == 2 && $0.of == 3 })
    #expect(result.boards[0].tiles.count { $0.winning } == 3)
    #expect(result.boards[1].tiles.count { $0.winning } == 0)
    #expect(result.boards[0].tiles.compactMap(\.support).map(\.confirms) == [2, 2, 2])
  }

  @Test func `does not run along a diagonal`() {
    let play = Play(players: 3)
    let board = play.board(0)
    for tile in [0, 4, 8] { play.agrees(on: board[tile], by: 0) }
    #expect(play.game.closingAt == nil)
  }

  @Test func `needs marked tiles: confirmed ones do not win`() {
    let play = Play(players: 3)
    let line = play.line(0, of: 1)
    for event in line { play.agrees(on: event, by: 0) }
    #expect(play.game.progress(of: 1).best == 0)
  }

  @Test func `once seen one away, and gone when the game is over`() {
    let play = Play(players: 3)
    let line = play.line(1, of: 0)
    play.agrees(on: line[0], by: 0)
    #expect(!play.game.progress(of: 0).oneAway)
    play.agrees(on: line[1], by: 0)
    #expect(play.game.progress(of: 0).oneAway)
    #expect(play.tile(line[2], 0)?.oneAway == true)
    #expect(play.game.progress(of: 0).best == 2)
    play.agrees(on: line[2], by: 0)
    play.passes("closing")
    #expect(!play.game.progress(of: 0).oneAway)
  }
}

@Suite struct `During closing` {
  /// Seat 0 has a line; seat 1 needs one more tap for his.
  private func closing() -> (Play, last: Int) {
    let play = Play(players: 4)
    let mine = play.line(0, of: 0)
    let other = play.line(0, of: 1)
    for event in other where !mine.contains(event) { play.agrees(on: event, by: 2) }
    for event in mine.dropLast() { play.agrees(on: event, by: 0) }
    if let event = mine.last { play.agrees(on: event, by: 0) }
    for event in other.dropLast() { play.marks(1, event) }
    return (play, other.last ?? 0)
  }

  @Test func `whoever completes a line before the end wins too`() {
    let (play, last) = closing()
    #expect(play.game.closingAt != nil)
    #expect(play.marks(1, last) == nil)
    play.passes("closing")
    #expect(play.winners == [0, 1])
    #expect(play.game.result?.lines.map(\.player) == [key(0), key(1)])
  }

  @Test func `whoever is too late does not`() {
    let (play, last) = closing()
    play.passes("closing")
    #expect(play.winners == [0])
    #expect(play.marks(1, last) == "gameOver")
  }

  @Test func `the two seconds run once, from the first line`() {
    let (play, last) = closing()
    let opened = play.game.closingAt
    play.marks(1, last)
    #expect(play.game.closingAt == opened)
    #expect(play.game.deadlines.count { $0.kind == "closing" } == 1)
    #expect(play.game.deadlines.first { $0.kind == "closing" }?.duration == 2_000)
  }

  @Test func `leaving neither ends it nor unmakes a line`() {
    let (play, last) = closing()
    play.leaves(0)
    play.leaves(2)
    play.leaves(3)
    #expect(play.game.outcome == nil)
    play.marks(1, last)
    play.passes("closing")
    #expect(play.winners == [0, 1])
    #expect(play.game.outcome?.kind == .line)
  }

  @Test func `open claims end undecided at its end`() throws {
    let (play, _) = closing()
    let free = try #require(
      play.board(3).first { event in play.tile(event, 3)?.state == .open })
    #expect(play.claims(3, free) == nil)
    let number = play.game.claims.count - 1
    play.passes("closing")
    #expect(play.state(number) == .undecided)
    #expect(play.game.deadlines.isEmpty)
    #expect(play.confirms(0, number) == "gameOver")
  }
}

@Suite struct `The last player` {
  @Test func `wins when everybody else has left`() {
    let play = Play(players: 3)
    play.leaves(1)
    #expect(play.game.outcome == nil)
    play.leaves(0)
    #expect(play.winners == [2])
    #expect(play.game.outcome?.kind == .lastPlayer)
    #expect(play.game.news.last?.kind == "lastPlayer")
    #expect(play.game.result?.lines == [])
  }

  @Test func `stays winner when he leaves afterwards`() {
    let play = Play(players: 2)
    play.leaves(0)
    play.leaves(1)
    #expect(play.winners == [1])
  }

  @Test func `is nobody where one plays alone, and leaving ends it without a winner`() {
    let play = Play(players: 1)
    #expect(play.claims(0, 0) == nil)
    #expect(play.state(0) == .accepted)
    play.leaves(0)
    #expect(play.game.outcome?.kind == .unfinished)
    #expect(play.winners == [])
  }
}

@Suite struct `A passed limit of time` {
  @Test func `that is not open changes nothing`() throws {
    let play = Play(players: 4)
    play.claims(0, 0)
    let limit = try #require(play.game.deadlines.first)
    play.confirms(1, 0)
    play.confirms(2, 0)
    let before = play.game.stateHash
    play.passes("vote", 0)
    var game = play.game
    game.deadlinePassed(limit, at: limit.opened)
    #expect(game.stateHash == before)
  }

  @Test func `is held back for a vote that is on its way`() throws {
    let play = Play(players: 4)
    play.claims(0, 0)
    let limit = try #require(play.game.deadlines.first)
    #expect(play.game.meets(limit, with: .vote(claim: 0, confirm: true), by: 1))
    #expect(play.game.meets(limit, with: .claim(event: 0), by: 1))
    #expect(!play.game.meets(limit, with: .vote(claim: 0, confirm: true), by: 0))
    #expect(!play.game.meets(limit, with: .vote(claim: 1, confirm: true), by: 1))
    #expect(!play.game.meets(limit, with: .claim(event: 1), by: 1))
  }
}
