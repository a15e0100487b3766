import Games
import Testing

@Suite struct `The four outcomes of a vote among four` {
  @Test func `two others confirm: accepted at once`() {
    let play = Play(players: 4)
    play.claims(0, 0)
    #expect(play.confirms(1, 0) == nil)
    #expect(play.state(0) == .open)
    #expect(play.confirms(2, 0) == nil)
    #expect(play.state(0) == .accepted)
    #expect(play.isMarked(0, 0))
  }

  @Test func `two deny: denied at once`() {
    let play = Play(players: 4)
    play.claims(0, 0)
    play.denies(1, 0)
    #expect(play.state(0) == .open)
    play.denies(2, 0)
    #expect(play.state(0) == .denied)
    #expect(!play.isMarked(0, 0))
    #expect(play.tile(0, 0)?.state == .denied)
  }

  @Test func `one confirms and nobody denies: accepted when the time has passed`() {
    let play = Play(players: 4)
    play.claims(0, 0)
    play.confirms(3, 0)
    #expect(play.state(0) == .open)
    #expect(play.passes("vote", 0))
    #expect(play.state(0) == .accepted)
  }

  @Test func `nobody answers: expired when the time has passed`() {
    let play = Play(players: 4)
    play.claims(0, 0)
    #expect(play.passes("vote", 0))
    #expect(play.state(0) == .expired)
    #expect(play.tile(0, 0)?.askAgain == true)
  }

  @Test func `one confirms and one denies: accepted when the time has passed`() {
    let play = Play(players: 4)
    play.claims(0, 0)
    play.confirms(1, 0)
    play.denies(2, 0)
    play.passes("vote", 0)
    #expect(play.state(0) == .accepted)
  }

  @Test func `one denies and nobody confirms: expired when the time has passed`() {
    let play = Play(players: 4)
    play.claims(0, 0)
    play.denies(1, 0)
    play.passes("vote", 0)
    #expect(play.state(0) == .expired)
  }
}

@Suite struct `A vote` {
  @Test(arguments: [(2, 1, 1), (3, 1, 2), (4, 2, 2), (5, 2, 3), (8, 4, 4), (16, 8, 8)])
  func `needs more than half to confirm and at least half to deny`(
    players: Int, confirms: Int, denials: Int
  ) {
    let yes = Play(players: players, size: 3)
    yes.claims(0, 0)
    for seat in 1...confirms {
      #expect(yes.state(0) == .open, "\(seat)")
      yes.confirms(seat, 0)
    }
    #expect(yes.state(0) == .accepted)
    let no = Play(players: players, size: 3)
    no.claims(0, 0)
    for seat in 1...denials {
      #expect(no.state(0) == .open, "\(seat)")
      no.denies(seat, 0)
    }
    #expect(no.state(0) == .denied)
  }

  @Test func `of the claimant is refused`() {
    let play = Play(players: 4)
    play.claims(0, 0)
    #expect(play.confirms(0, 0) == "ownClaim")
    #expect(play.denies(0, 0) == "ownClaim")
  }

  @Test func `is given once and stands`() {
    let play = Play(players: 5)
    play.claims(0, 0)
    play.denies(1, 0)
    #expect(play.denies(1, 0) == "alreadyVoted")
    #expect(play.confirms(1, 0) == "alreadyVoted")
    #expect(play.claims(1, 0) == "alreadyVoted")
    #expect(play.game.claims[0].denials == [1])
  }

  @Test func `after the outcome is refused, and its author acts on`() {
    let play = Play(players: 4)
    play.claims(0, 0)
    play.confirms(1, 0)
    play.confirms(2, 0)
    #expect(play.confirms(3, 0) == "claimClosed")
    #expect(play.claims(3, 1) == nil)
  }

  @Test func `on a claim that was never made is refused`() {
    let play = Play(players: 4)
    #expect(play.confirms(1, 0) == "noSuchClaim")
    #expect(play.confirms(1, Int.max) == "noSuchClaim")
  }

  @Test func `of somebody who has left counts, and he gives no more`() {
    let play = Play(players: 5)
    play.claims(0, 0)
    play.confirms(1, 0)
    play.leaves(1)
    #expect(play.confirms(1, 0) == "seatGone")
    #expect(play.game.claims[0].needed == 3)
    play.confirms(2, 0)
    #expect(play.state(0) == .accepted)
  }

  @Test func `counts those who had not left when the claim was made`() {
    let play = Play(players: 5)
    play.leaves(4)
    play.claims(0, 0)
    #expect(play.game.claims[0].present == [0, 1, 2, 3])
    play.leaves(3)
    play.denies(1, 0)
    #expect(play.state(0) == .open)
    play.denies(2, 0)
    #expect(play.state(0) == .denied)
  }

  @Test func `goes on when the claimant leaves`() {
    let play = Play(players: 4)
    play.claims(0, 0)
    play.leaves(0)
    play.confirms(1, 0)
    play.confirms(2, 0)
    #expect(play.state(0) == .accepted)
    #expect(play.game.progress(of: 0).marked == 0)
    #expect(play.tile(0, 1)?.state == .confirmed)
  }
}

@Suite struct `A claim` {
  @Test func `of a word that is not on the own board is refused`() throws {
    let play = Play(players: 2, words: 30)
    let board = play.game.deal.boards[0]
    let other = try #require(play.game.deal.pool.indices.first { !board.contains($0) })
    #expect(play.claims(0, other) == "notOnYourBoard")
    #expect(play.claims(0, play.game.deal.pool.count) == "noSuchEvent")
    #expect(play.claims(0, -1) == "noSuchEvent")
  }

  @Test func `of a marked tile is refused`() {
    let play = Play(players: 3)
    play.agrees(on: 4, by: 0)
    #expect(play.claims(0, 4) == "alreadyMarked")
  }

  @Test func `of a word that waits for the own tap is refused`() {
    let play = Play(players: 3)
    play.agrees(on: 4, by: 0)
    #expect(play.claims(1, 4) == "alreadyConfirmed")
  }

  @Test func `is made once while it is open`() {
    let play = Play(players: 4)
    play.claims(0, 0)
    #expect(play.claims(0, 0) == "alreadyClaimed")
  }

  @Test func `of one word is made three times by one player, and no more`() {
    let play = Play(players: 4)
    for number in 0..<3 {
      #expect(play.claims(0, 0) == nil)
      play.passes("vote", UInt64(number))
    }
    #expect(play.claims(0, 0) == "claimLimit")
    #expect(play.tile(0, 0)?.claimsLeft == 0)
    #expect(play.claims(1, 0) == nil)
  }

  @Test func `by somebody without a seat is refused`() {
    let play = Play(players: 2)
    #expect(play.claims(2, 0) == "seatGone")
    #expect(play.claims(-1, 0) == "seatGone")
  }
}

@Suite struct `Two people hear the same word` {
  @Test func `the second claim is a confirm and shares the credit`() {
    let play = Play(players: 4)
    play.claims(0, 0)
    #expect(play.claims(1, 0) == nil)
    #expect(play.game.claims.count == 1)
    #expect(play.game.claims[0].finders == [0, 1])
    #expect(play.game.claims[0].confirms == [0, 1])
    play.confirms(2, 0)
    #expect(play.isMarked(0, 0))
    #expect(play.isMarked(0, 1))
    #expect(!play.isMarked(0, 2))
    #expect(play.game.news.last?.who == [key(0), key(1)])
  }

  @Test func `at a table of two they agree at once`() {
    let play = Play(players: 2)
    play.claims(0, 0)
    play.claims(1, 0)
    #expect(play.state(0) == .accepted)
    #expect(play.isMarked(0, 0) && play.isMarked(0, 1))
  }

  @Test func `it does not count among the three of the second one`() {
    let play = Play(players: 6)
    play.claims(0, 0)
    play.claims(1, 0)
    for seat in 2...4 { play.denies(seat, 0) }
    #expect(play.state(0) == .denied)
    #expect(play.tile(0, 0)?.claimsLeft == 2)
    #expect(play.tile(0, 1)?.claimsLeft == 3)
  }

  @Test func `after it was decided, it is a claim of its own where only finders are marked`() {
    let play = Play(players: 3, marking: .finder)
    play.agrees(on: 0, by: 0)
    #expect(play.claims(1, 0) == nil)
    play.confirms(2, 1)
    #expect(play.isMarked(0, 1))
    #expect(!play.isMarked(0, 2))
  }
}

@Suite struct `When nobody answers` {
  private func threeExpiries(_ play: Play) {
    for number in 0..<3 {
      play.claims(number % 2, number)
      play.passes("vote", UInt64(number))
    }
  }

  @Test func `three times in a row, other voting may be chosen`() {
    let play = Play(players: 4)
    #expect(play.does(2, .voting(.anyone)) == "votingNotOffered")
    threeExpiries(play)
    #expect(play.view(1).voteHelp == "offer")
    #expect(play.does(2, .voting(.majority)) == "sameVoting")
    #expect(play.does(2, .voting(.anyone)) == nil)
    #expect(play.view(1).voteHelp == nil)
    play.claims(0, 5)
    play.confirms(3, 3)
    #expect(play.state(3) == .accepted)
  }

  @Test func `an answer between breaks the row`() {
    let play = Play(players: 4)
    play.claims(0, 0)
    play.passes("vote", 0)
    play.claims(0, 1)
    play.passes("vote", 1)
    play.agrees(on: 2, by: 0)
    play.claims(0, 3)
    play.passes("vote", 3)
    #expect(play.view(0).voteHelp == nil)
  }

  @Test func `honour needs no vote`() {
    let play = Play(players: 4)
    threeExpiries(play)
    #expect(play.does(0, .voting(.honour)) == nil)
    play.claims(0, 5)
    #expect(play.state(3) == .accepted)
    #expect(play.game.deadlines.isEmpty)
    #expect(play.does(1, .voting(.majority)) == nil)
  }

  @Test func `what was asked before the choice is decided as it was asked`() {
    let play = Play(players: 5)
    play.claims(4, 8)
    threeExpiriesFrom1(play)
    play.does(0, .voting(.anyone))
    play.confirms(1, 0)
    #expect(play.state(0) == .open)
  }

  private func threeExpiriesFrom1(_ play: Play) {
    for number in 1...3 {
      play.claims(0, number)
      play.passes("vote", UInt64(number))
    }
  }
}
