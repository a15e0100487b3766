import CBOR
import Consensus
import Games
import Table
import TestSupport
import Testing
import Wire

@Suite struct `A game at a table` {
  private func win(_ log: Log, guests: [Person]) {
    for event in log.bingo?.deal.boards[0].prefix(3).compactMap({ $0 }) ?? [] {
      log.agree(on: event, guests: guests)
    }
  }

  @Test func `is played to a win that every seat sees alike`() throws {
    let log = try Log.playing([bo, cy])
    win(log, guests: [bo, cy])
    #expect(log.table.phase == .playing)
    #expect(log.table.deadlines.filter { $0.silent == nil }.map(\.duration) == [2_000])
    #expect(log.passes("closing", 0))
    #expect(log.table.phase == .over)
    #expect(log.table.isOver)
    for person in [ana, bo, cy] {
      let result = log.table.view(for: person.player).result
      #expect(result?.kind == .line)
      #expect(result?.winners == [ana.player])
      #expect(result?.recap.asBingo?.timeline.count == 3)
      #expect(result?.recap.asBingo?.boards.count == 3)
    }
    #expect(log.table.deadlines.isEmpty)
    #expect(log.plays(bo, .claim(event: 0)) == "gameOver")
    #expect(log.does(bo, .cancel) == "onlyCreator")
    #expect(log.does(ana, .cancel) == "alreadyStarted")
    #expect(log.does(bo, .left) == "done")
  }

  @Test func `void moves use up their number and leave the game as it was`() throws {
    let log = try Log.playing([bo])
    let before = try #require(log.table.game?.stateHash)
    #expect(log.plays(bo, .vote(claim: 0, confirm: true)) == "noSuchClaim")
    #expect(log.table.game?.stateHash == before)
    #expect(log.plays(bo, .claim(event: log.bingo?.deal.boards[1][0] ?? 0)) == "done")
    #expect(log.plays(bo, .vote(claim: 0, confirm: true)) == "ownClaim")
  }

  @Test func `three votes that cross: the one after the outcome is void`() throws {
    let log = try Log.playing([bo, cy, di])
    log.plays(ana, .claim(event: 0))
    let votes = [bo, cy, di].map {
      log.entry($0.player, .move(BingoMove.vote(claim: 0, confirm: true)))
    }
    #expect(votes.map { log.apply($0) } == ["done", "done", "claimClosed"])
    #expect(log.plays(di, .claim(event: 1)) == "done")
  }

  @Test func `an entry sent twice counts once`() throws {
    let log = try Log.playing([bo])
    let claim = log.entry(ana.player, .move(BingoMove.claim(event: 0)))
    #expect(log.apply(claim) == "done")
    #expect(log.apply(claim) == "never: sequenceUsed")
    #expect(log.bingo?.claims.count == 1)
  }

  @Test func `ends with the last player`() throws {
    let log = try Log.playing([bo, cy])
    log.does(ana, .left)
    #expect(log.table.phase == .playing)
    #expect(log.plays(ana, .claim(event: 0)) == "never: seatLeft")
    log.does(cy, .left)
    #expect(log.table.phase == .over)
    let view = log.table.view(for: bo.player)
    #expect(view.result?.kind == .lastPlayer)
    #expect(view.result?.winners == [bo.player])
    #expect(view.feed.prefix(2).map(\.kind) == ["lastPlayer", "left"])
    #expect(view.seats.map(\.presence) == [.left, .here, .left])
  }

  @Test func `who leaves in the two seconds does not end them`() throws {
    let log = try Log.playing([bo])
    win(log, guests: [bo])
    log.does(bo, .left)
    #expect(log.table.phase == .playing)
    log.passes("closing", 0)
    #expect(log.table.outcome?.kind == .line)
  }

  @Test func `a vote that nobody answers runs out by its limit of time`() throws {
    let log = try Log.playing([bo, cy])
    log.plays(ana, .claim(event: 0))
    #expect(log.table.deadlines.filter { $0.silent == nil }.map(\.duration) == [30_000])
    let id = try #require(log.table.deadlines.first?.id)
    let vote = log.entry(bo.player, .move(BingoMove.vote(claim: 0, confirm: true)))
    #expect(log.table.meets(id, with: vote))
    #expect(!log.table.meets(id, with: log.entry(bo.player, .move(BingoMove.claim(event: 1)))))
    #expect(log.passes(id))
    #expect(log.bingo?.claims[0].state == .expired)
    #expect(!log.passes(id))
    #expect(!log.table.meets(id, with: vote))
  }

  @Test func `a limit of time of another table or place is none here`() throws {
    let log = try Log.playing([bo, cy])
    log.plays(ana, .claim(event: 0))
    let before = log.table.stateHash
    let other = log.table.deadlineID(
      of: GameDeadline(
        kind: "vote", subject: 0, opened: LogPlace(height: 1, index: 1), duration: 30_000))
    #expect(!log.passes(other))
    #expect(!log.passes(.zero))
    #expect(log.table.stateHash == before)
  }

  @Test func `asks for a rematch when it is over, also for those who left`() throws {
    let log = try Log.playing([bo, cy])
    #expect(log.does(bo, .rematch) == "notOver")
    log.does(cy, .left)
    log.does(ana, .left)
    #expect(log.does(cy, .rematch) == "done")
    #expect(log.does(cy, .rematch) == "alreadyAsked")
    #expect(log.does(bo, .rematch) == "done")
    #expect(log.table.rematchWishes.map(\.seat) == [2, 1])
    let rematch = log.table.view(for: bo.player).result?.rematch
    #expect(rematch?.asked == [cy.player, bo.player])
    #expect(rematch?.mine == true)
    #expect(log.table.view(for: ana.player).result?.rematch.mine == false)
  }
}

@Suite struct `What the page is shown` {
  @Test func `in a lobby`() throws {
    let log = Log(try genesis { $0.creator = Person(0, "Alex").member })
    log.joins(Person(1, "ALEX"))
    let view = log.table.view(for: bo.player)
    #expect(view.code == "48213")
    #expect(view.title == "Monday meeting")
    #expect(view.phase == "lobby")
    #expect(view.seats.map(\.showTag) == [true, true])
    #expect(view.seats.map(\.me) == [false, true])
    #expect(view.seats.map(\.creator) == [true, false])
    #expect(!view.mine && !view.maySet)
    #expect(view.seatLimit == 24)
    #expect(view.play.asBingo?.words.items.count == 12)
    #expect(view.play.asBingo?.board == nil)
    #expect(view.result == nil)
    #expect(view.promise?.hasSuffix(".") == true)
    let mine = log.table.view(for: ana.player)
    #expect(mine.mine && mine.maySet && mine.start.possible)
    #expect(log.table.view(for: nil).seats.allSatisfy { !$0.me })
  }

  @Test func `of claims and boards`() throws {
    let log = try Log.playing([bo, cy, di])
    let event = log.bingo?.deal.boards[0][0] ?? 0
    log.plays(ana, .claim(event: event))
    log.plays(bo, .vote(claim: 0, confirm: false))
    let mine = try #require(log.table.view(for: ana.player).play.asBingo)
    #expect(mine.claims.map(\.id) == ["0"])
    #expect(mine.claims[0].by == [ana.player])
    #expect(mine.claims[0].mine && !mine.claims[0].mayVote && mine.claims[0].onMyBoard)
    #expect(mine.claims[0].silent == [cy.player, di.player])
    #expect(mine.claims[0].needed == 3)
    #expect(mine.board?.tiles[0].state == .waiting)
    #expect(mine.board?.tiles[0].claim == "0")
    let other = try #require(log.table.view(for: bo.player).play.asBingo)
    #expect(other.claims[0].myVote == "deny" && !other.claims[0].mayVote)
    #expect(log.table.view(for: cy.player).play.asBingo?.claims[0].mayVote == true)
    #expect(log.table.view(for: cy.player).play.asBingo?.words.items.isEmpty == true)
  }

  @Test func `keeps numbers in the feed, newest first, a hundred at most`() throws {
    let log = try Log.playing([bo, cy])
    for number in 0..<60 {
      let event = number % 9
      log.plays([ana, bo, cy][number % 3], .claim(event: event))
      log.passes("vote", UInt64(log.bingo?.openClaims.first?.number ?? 0))
    }
    let feed = log.table.view(for: ana.player).feed
    #expect(feed.map(\.index) == feed.map(\.index).sorted(by: >))
    #expect(feed.count <= 100)
    #expect(feed.first?.kind == "expired")
  }
}

@Suite struct `The refusals` {
  @Test func `have codes of their own and say what to do next`() {
    // What two games refuse in the same words is one refusal.
    let games = Set(GameKind.allCases.flatMap(\.refusals))
    let codes = Refusal.allCases.map(\.code) + games.map(\.code).filter { $0 != "malformed" }
    #expect(Set(codes).count == codes.count)
    for refusal in Refusal.allCases {
      #expect(refusal.sentence.hasSuffix("."), "\(refusal)")
      #expect(refusal.sentence.count < 110, "\(refusal)")
      let words = refusal.sentence.lowercased().split { !$0.isLetter }.map(String.init)
      for banned in ["node", "voter", "quorum", "epoch", "seal", "hash", "entry", "entries"] {
        #expect(!words.contains(banned), "\(refusal)")
      }
    }
  }

  @Test func `are found by their code, those of games too`() {
    for code in Refusal.allCases.map(\.code) + Bingo.refusals.map(\.code) + ["unheardOf"] {
      #expect(Refusal.sentence(of: code).hasSuffix("."))
    }
    #expect(Refusal.sentence(of: "ownClaim") == IllegalMove.ownClaim.sentence)
  }
}
