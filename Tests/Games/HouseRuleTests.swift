import CBOR
import Games
import Testing
import Wire

@Suite struct `House rules` {
  private static func form(
    _ size: Int, _ voting: String, _ pattern: String, _ freeCentre: Bool, _ places: Int
  ) -> CBOR {
    [CBOR(size), 60, "tap", .text(voting), .text(pattern), .bool(freeCentre), CBOR(places)]
  }

  private static func people(
    _ suggesting: String, _ latecomers: Bool, _ watching: String
  ) -> CBOR {
    [
      3, 60, "tap", "majority", "lines", .bool(false), 1, .text(suggesting), .bool(latecomers),
      .text(watching),
    ]
  }

  private static let forms: [(CBOR, String?)] = [
    (form(3, "majority", "diagonals", false, 1), nil),
    (form(5, "unanimous", "lines", true, 1), nil),
    (form(7, "honour", "blackout", true, 3), nil),
    // The short form stands for what is usual.
    (form(3, "majority", "lines", false, 1), "outOfRange"),
    // A board without a middle.
    (form(4, "majority", "lines", true, 1), "outOfRange"),
    (form(3, "majority", "lines", false, 4), "outOfRange"),
    (form(3, "majority", "lines", false, 0), "outOfRange"),
    (form(3, "majority", "spiral", false, 1), "unknownKind"),
    ([3, 60, "tap", "majority", "cross"], "wrongCount"),
    // Words, latecomers and onlookers stand behind the rest, and only where one is not as usual.
    (people("half", false, "nobody"), nil),
    (people("anyone", true, "boards"), nil),
    (people("anyone", false, "nobody"), "outOfRange"),
    (people("anyone", true, "all"), "unknownKind"),
    (people("some", true, "boards"), "unknownKind"),
    ([3, 60, "tap", "majority", "lines", .bool(false), 1, "half", .bool(true)], "wrongCount"),
    ([2, 60, "tap", "majority"], "outOfRange"),
    ([8, 60, "tap", "majority"], "outOfRange"),
  ]

  @Test(arguments: forms)
  func `are read from their one form only`(item: CBOR, code: String?) throws {
    do throws(DecodeError) {
      let settings = try BingoSettings(item)
      #expect(code == nil)
      #expect(settings.cbor == item)
    } catch {
      #expect(error.code == code)
    }
  }

  @Test(arguments: [3, 4, 5, 6, 7])
  func `of every size are dealt and won`(size: Int) {
    let play = Play(players: 2, size: size, words: 100)
    #expect(play.board(0).count == size * size)
    #expect(Set(play.board(0)).count == size * size)
    for event in play.line(size - 1, of: 0) { play.agrees(on: event, by: 0) }
    #expect(play.passes("closing"))
    #expect(play.winners == [0])
    #expect(play.game.result?.lines.map(\.index) == [size - 1])
  }

  @Test(arguments: [
    (BingoSettings.Pattern.diagonals, [0, 4, 8], BingoLine.Direction.diagonal),
    (.diagonals, [2, 4, 6], .diagonal), (.diagonals, [3, 4, 5], .row),
    (.corners, [0, 2, 6, 8], .corners), (.cross, [0, 2, 4, 6, 8], .cross),
    (.frame, [0, 1, 2, 3, 5, 6, 7, 8], .frame), (.blackout, Array(0..<9), .blackout),
  ])
  func `of a pattern need each of its tiles`(
    pattern: BingoSettings.Pattern, tiles: [Int], direction: BingoLine.Direction
  ) throws {
    let play = Play(players: 2, pattern: pattern)
    let board = play.board(0)
    for tile in tiles.dropLast() { play.agrees(on: board[tile], by: 0) }
    #expect(play.game.closingAt == nil)
    #expect(play.game.progress(of: 0).oneAway)
    play.agrees(on: board[try #require(tiles.last)], by: 0)
    play.passes("closing")
    #expect(play.winners == [0])
    #expect(play.game.result?.lines.map(\.direction) == [direction])
  }

  @Test func `with a pattern take no other line`() {
    let play = Play(players: 2, pattern: .corners)
    for event in play.line(1, of: 0) { play.agrees(on: event, by: 0) }
    #expect(play.game.closingAt == nil)
  }

  @Test func `with a free centre mark it from the start, and need a word less`() throws {
    let play = Play(players: 2, words: 8, freeCentre: true)
    #expect(play.game.settings.need == 8)
    #expect(play.game.deal.boards.allSatisfy { $0[4] == nil && $0.count == 9 })
    let view = try #require(play.view(0).board)
    #expect(view.tiles[4].state == .free)
    #expect(play.game.progress(of: 0).marked == 0)
    #expect(play.game.progress(of: 0).best == 1)
    let middle = play.game.deal.boards[0][3...5].compactMap { $0 }
    for event in middle { play.agrees(on: event, by: 0) }
    play.passes("closing")
    #expect(play.winners == [0])
    #expect(play.game.result?.boards[0].tiles[4].word == "")
  }

  @Test func `with a free centre claim no word there`() throws {
    let play = Play(players: 2, words: 8, freeCentre: true)
    do throws(IllegalMove) {
      _ = try play.game.move(for: GameCommand("claim", [("tile", .int(4))]), seat: 0)
      Issue.record("a claim of the free tile was made")
    } catch {
      #expect(error.code == "alreadyMarked")
    }
  }

  @Test func `by which all must agree end a claim with one denial`() {
    let play = Play(players: 4, voting: .unanimous)
    play.claims(0, 0)
    play.confirms(1, 0)
    play.confirms(2, 0)
    #expect(play.state(0) == .open)
    play.confirms(3, 0)
    #expect(play.state(0) == .accepted)
    play.claims(1, 1)
    play.confirms(0, 1)
    play.denies(2, 1)
    #expect(play.state(1) == .denied)
    play.claims(2, 2)
    play.confirms(0, 2)
    play.confirms(1, 2)
    play.passes("vote", 2)
    #expect(play.state(2) == .expired)
  }
}

@Suite struct `Second and third place` {
  /// Completes the line of a seat without marking another one's tiles.
  private func win(_ play: Play, _ seat: Int) {
    for event in play.line(0, of: seat) { play.agrees(on: event, by: seat) }
    play.passes("closing", UInt64(play.game.ranks.count))
  }

  @Test func `are played for after the first`() {
    let play = Play(players: 4, words: 40, marking: .finder, places: 3)
    win(play, 2)
    #expect(play.game.outcome == nil)
    #expect(play.game.ranks == [[2]])
    #expect(play.view(0).places == [[key(2)]])
    win(play, 0)
    #expect(play.game.outcome == nil)
    win(play, 3)
    #expect(play.winners == [2])
    #expect(play.game.ranks == [[2], [0], [3]])
    #expect(play.game.result?.lines.map(\.place) == [1, 2, 3])
  }

  @Test func `end when only one is left to play for them`() {
    let play = Play(players: 2, words: 40, marking: .finder, places: 3)
    win(play, 1)
    #expect(play.winners == [1])
  }

  @Test func `end when all but one of the others leave`() {
    let play = Play(players: 3, words: 40, marking: .finder, places: 2)
    win(play, 1)
    #expect(play.game.outcome == nil)
    play.leaves(0)
    #expect(play.winners == [1])
    #expect(play.game.outcome?.kind == .line)
  }

  @Test func `leave whoever has one his votes`() {
    let play = Play(players: 3, words: 40, marking: .finder, places: 2)
    win(play, 1)
    let event = play.line(1, of: 0)[0]
    #expect(play.claims(0, event) == nil)
    #expect(play.confirms(1, play.game.claims.count - 1) == nil)
    #expect(play.isMarked(event, 0))
  }
}

@Suite struct `An accepted claim` {
  @Test func `can be taken back by who made it`() {
    let play = Play(players: 3)
    play.agrees(on: 4, by: 0)
    play.marks(1, 4)
    #expect(play.view(0).takeBack?.claim == "0")
    #expect(play.view(1).takeBack == nil)
    #expect(play.does(1, .takeBack(claim: 0)) == "notYourClaim")
    #expect(play.does(0, .takeBack(claim: 1)) == "noSuchClaim")
    #expect(play.does(0, .takeBack(claim: 0)) == nil)
    #expect(!play.isMarked(4, 0) && !play.isMarked(4, 1))
    #expect(play.tile(4, 0)?.state == .open)
    #expect(play.does(0, .takeBack(claim: 0)) == "nothingToTakeBack")
    #expect(play.marks(1, 4) == "notConfirmed")
    #expect(play.claims(0, 4) == nil)
  }

  @Test func `stands once something else was decided`() {
    let play = Play(players: 3)
    play.agrees(on: 4, by: 0)
    play.claims(1, 5)
    #expect(play.view(0).takeBack != nil)
    play.denies(0, 1)
    play.denies(2, 1)
    #expect(play.view(0).takeBack == nil)
    #expect(play.does(0, .takeBack(claim: 0)) == "tooLateToTakeBack")
    #expect(play.isMarked(4, 0))
  }

  @Test func `takes its line with it, and the end that was near`() {
    let play = Play(players: 3)
    let line = play.line(0, of: 0)
    for event in line { play.agrees(on: event, by: 0) }
    #expect(play.game.closingAt != nil)
    #expect(play.does(0, .takeBack(claim: 2)) == nil)
    #expect(play.game.closingAt == nil)
    #expect(play.game.deadlines.isEmpty)
    #expect(play.game.progress(of: 0).oneAway)
    play.agrees(on: line[2], by: 0)
    #expect(play.passes("closing"))
    #expect(play.winners == [0])
  }

  @Test func `leaves the end near for whoever has another line`() {
    let play = Play(players: 3, marking: .everyone)
    let mine = play.line(0, of: 0)
    let other = play.line(0, of: 1).filter { !mine.contains($0) }
    for event in mine.dropLast() + other { play.agrees(on: event, by: 0) }
    if play.game.closingAt == nil { play.agrees(on: mine[2], by: 0) }
    #expect(play.game.closingAt != nil)
    let before = play.game.closingAt
    let newest = play.game.claims.count - 1
    let hasOther = play.game.players.indices.contains { seat in
      play.game.lines(of: seat).contains { line in
        !play.game.deal.boards[seat].indices.contains {
          line.holds($0) && play.game.deal.boards[seat][$0] == play.game.claims[newest].event
        }
      }
    }
    #expect(play.does(0, .takeBack(claim: newest)) == nil)
    #expect(play.game.closingAt == (hasOther ? before : nil))
  }
}

@Suite struct `A meeting that ends early` {
  @Test func `is settled when more than half ask, for whoever is closest`() {
    let play = Play(players: 4, words: 40, marking: .finder)
    play.agrees(on: play.line(0, of: 1)[0], by: 1)
    play.agrees(on: play.line(0, of: 2)[0], by: 2)
    play.agrees(on: play.line(0, of: 2)[1], by: 2)
    #expect(play.does(0, .settle(true)) == nil)
    #expect(play.does(0, .settle(true)) == "sameWish")
    #expect(play.does(3, .settle(false)) == "sameWish")
    #expect(play.does(1, .settle(true)) == nil)
    #expect(play.view(3).settling?.asked == [key(0), key(1)])
    #expect(play.view(3).settling?.needed == 3)
    #expect(play.game.outcome == nil)
    #expect(play.does(1, .settle(false)) == nil)
    #expect(play.does(3, .settle(true)) == nil)
    #expect(play.game.outcome == nil)
    #expect(play.does(1, .settle(true)) == nil)
    #expect(play.game.outcome?.kind == .settled)
    #expect(play.winners == [2])
    #expect(play.game.result?.lines == [])
  }

  @Test func `goes to the earlier last mark of two who are as close`() {
    let play = Play(players: 3, words: 40, marking: .finder)
    play.agrees(on: play.line(0, of: 2)[0], by: 2)
    play.agrees(on: play.line(0, of: 1)[0], by: 1)
    // A tile in the middle is in as many lines as any other; corners too: all have one line each
    // way, so that one mark is as close as another.
    play.does(0, .settle(true))
    play.does(1, .settle(true))
    #expect(play.winners == [2])
  }

  @Test func `is shared where nothing tells two apart`() {
    let play = Play(players: 2)
    play.does(0, .settle(true))
    #expect(play.game.outcome == nil)
    play.does(1, .settle(true))
    #expect(play.winners == [0, 1])
  }

  @Test func `needs fewer wishes when somebody leaves`() {
    let play = Play(players: 4)
    play.does(0, .settle(true))
    play.does(1, .settle(true))
    #expect(play.game.outcome == nil)
    play.leaves(3)
    #expect(play.game.outcome?.kind == .settled)
  }

  @Test func `keeps the places that were won`() {
    let play = Play(players: 3, words: 40, marking: .finder, places: 3)
    for event in play.line(0, of: 1) { play.agrees(on: event, by: 1) }
    play.passes("closing")
    play.does(0, .settle(true))
    play.does(2, .settle(true))
    #expect(play.game.outcome?.kind == .line)
    #expect(play.winners == [1])
  }

  @Test func `waits for a line that has just been completed`() {
    let play = Play(players: 2)
    for event in play.line(0, of: 0) { play.agrees(on: event, by: 0) }
    play.does(0, .settle(true))
    play.does(1, .settle(true))
    #expect(play.game.outcome == nil)
    play.passes("closing")
    #expect(play.game.outcome?.kind == .line)
    #expect(play.winners == [0])
  }
}
