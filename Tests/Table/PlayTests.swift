import CBOR
import Consensus
import Games
import Table
import TestSupport
import Testing
import Wire

@Suite struct `A game at a table` {
  private func win(_ log: Log, guests: [Person]) {
    for event in log.bingo?.deal.boards[0].prefix(3) ?? [] { log.agree(on: event, guests: guests) }
  }

  @Test func `is played to a win that every seat sees alike`() throws {
    let log = try Log.playing([bo, cy])
    win(log, guests: [bo, cy])
    #expect(log.table.phase == .playing)
    #expect(log.table.deadlines.map(\.duration) == [2_000])
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
    #expect(log.table.deadlines.map(\.duration) == [30_000])
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
    #expect(view.seatLimit == 16)
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
    let games = GameKind.allCases.flatMap(\.refusals)
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

@Suite struct `The state hash` {
  private struct Transcript: Codable, Equatable {
    let genesis: String
    let state: String
    let steps: [Step]
  }

  /// A table from the first join to the second rematch, with void entries and silent seats.
  private func story() throws -> Transcript {
    let log = try Log(words: 9)
    let state = log.table.stateHash.hex
    for person in [bo, cy, di] { log.joins(person) }
    log.does(bo, .setup(BingoSetupMove.suggest(try Word(typed: "Circle back"))))
    log.does(cy, .setup(BingoSetupMove.suggest(try Word(typed: "circle back!"))))
    log.does(cy, .setup(BingoSetupMove.veto(try Word(typed: "phrase number 4"))))
    log.does(ana, .setup(BingoSetupMove.settings(BingoSettings(size: 3, minutes: 15))))
    log.does(bo, .ready(true))
    log.does(bo, .start)
    log.does(ana, .start)
    log.seals(in: [bo, cy])
    log.seals(in: [di])
    for person in [ana, cy, bo] { log.commits(person) }
    for person in [bo, cy] { log.reveals(person) }
    log.passes("reveal", 0)
    log.commits(bo, draw: 1)
    log.passes("commit", 3, opened: log.table.draw?.opened)
    log.commits(cy, draw: 1)
    log.reveals(cy, draw: 1)
    log.reveals(ana, draw: 1)
    log.reveals(bo, draw: 1)
    log.plays(ana, .claim(event: 8))
    log.plays(ana, .claim(event: 8))
    log.plays(cy, .vote(claim: 9, confirm: true))
    log.passes("vote", 0)
    log.plays(bo, .claim(event: 7))
    for person in [ana, cy] { log.plays(person, .vote(claim: 1, confirm: false)) }
    let line = log.bingo?.deal.boards[0].prefix(3) ?? []
    for (number, event) in line.enumerated() {
      log.plays(ana, .claim(event: event))
      log.plays(bo, number == 0 ? .claim(event: event) : .vote(claim: number + 2, confirm: true))
      log.plays(cy, .vote(claim: number + 2, confirm: true))
      log.plays(di, .mark(event: event))
    }
    log.does(di, .left)
    log.seals(out: [di])
    log.passes("closing", 0)
    log.does(cy, .rematch)
    log.does(di, .rematch)
    #expect(log.table.phase == .over)
    return Transcript(
      genesis: Hex.encode(log.table.genesis.encoded), state: state, steps: log.steps)
  }

  @Test func `changes with every step, and is the one of the vectors`() throws {
    let story = try story()
    let states = [story.state] + story.steps.map(\.state)
    #expect(Set(states).count == states.count)
    #expect(Set(story.steps.map(\.outcome)).count > 5)
    try Vectors.approve("table.json", story)
    #expect(try Vectors.load("table.json", as: Transcript.self) == story)
  }

  @Test func `comes out of the vectors' bytes alone`() throws {
    let story = try Vectors.load("table.json", as: Transcript.self)
    func item(_ hex: String) throws -> CBOR {
      try CBOR(decoding: try #require(Hex.decode(hex)))
    }
    var table = Table(try Genesis(try item(story.genesis)))
    #expect(table.stateHash.hex == story.state)
    for step in story.steps {
      let place = LogPlace(height: step.height, index: step.index)
      switch step.kind {
      case "entry":
        let entry = try Entry(try item(step.bytes))
        #expect(table.admission(of: entry) == .now)
        let outcome = table.apply(entry, at: place)
        #expect(outcome == (step.outcome == "done" ? .done : .void(code: step.outcome)))
      case "deadline":
        try table.apply(deadline: try #require(Digest(hex: step.bytes)), at: place)
      default:
        try table.apply(try VoterChange(try item(step.bytes)), at: place)
      }
      #expect(table.stateHash.hex == step.state, "\(step.kind) at \(step.height)")
    }
  }

  @Test func `is that of a copy that went the same way`() throws {
    let log = try Log.playing([bo, cy])
    var copy = log.table
    let entry = log.entry(ana.player, .move(BingoMove.claim(event: 0)))
    let place = LogPlace(height: 99, index: 0)
    #expect(copy.apply(entry, at: place) == .done)
    #expect(copy.stateHash != log.table.stateHash)
    var other = log.table
    #expect(other.apply(entry, at: place) == .done)
    #expect(copy.stateHash == other.stateHash)
  }

  @Test func `costs little with five hundred words and sixteen seats`() throws {
    let log = try Log(words: 500)
    let guests = (1..<16).map { Person(UInt64($0)) }
    log.starts(with: guests)
    for person in [ana] + guests { log.commits(person) }
    for person in [ana] + guests { log.reveals(person) }
    for board in (log.bingo?.deal.boards ?? []).enumerated() {
      log.plays(([ana] + guests)[board.offset], .claim(event: board.element[0]))
    }
    let clock = ContinuousClock()
    let table = log.table
    let best = (0..<50).map { _ in clock.measure { _ = table.stateHash } }.min()
    #expect(best ?? .seconds(1) < .milliseconds(5), "in a debug build: \(best ?? .zero)")
  }
}

@Suite struct `Any entries` {
  /// Any act, sensible or not.
  private func act(_ log: Log, _ person: Person, _ chance: inout SeededBytes) -> Act {
    let draw = UInt64.random(in: 0...1, using: &chance)
    return switch Int.random(in: 0..<24, using: &chance) {
    case 0: person.join
    case 1: .setup(BingoSetupMove.suggest(words(20)[Int.random(in: 0..<20, using: &chance)]))
    case 2: .setup(BingoSetupMove.veto(words(20)[Int.random(in: 0..<20, using: &chance)]))
    case 3: .ready(Bool.random(using: &chance))
    case 4, 5: .start
    case 6: Int.random(in: 0..<8, using: &chance) == 0 ? .cancel : .start
    case 7: Int.random(in: 0..<6, using: &chance) == 0 ? .left : .rematch
    case 8..<11:
      .commit(
        draw: draw,
        commitment: Draw.commitment(
          table: log.table.id, draw: draw, player: person.player, secret: person.secret(draw)))
    case 11..<14: .reveal(draw: draw, secret: person.secret(draw))
    case 14..<19: .move(BingoMove.claim(event: Int.random(in: 0...12, using: &chance)))
    case 19: .move(BingoMove.mark(event: Int.random(in: 0...12, using: &chance)))
    case 20: .rematch
    default:
      .move(
        BingoMove.vote(
          claim: Int.random(in: 0...5, using: &chance), confirm: Bool.random(using: &chance)))
    }
  }

  private func step(_ log: Log, _ people: [Person], _ chance: inout SeededBytes) {
    let person = people.randomElement(using: &chance) ?? ana
    switch Int.random(in: 0..<20, using: &chance) {
    case 0: log.joins(person)
    case 1, 2:
      if let limit = log.table.deadlines.randomElement(using: &chance) { log.passes(limit.id) }
    case 3, 4:
      let wish = log.table.voterWish
      log.seals(
        in: people.filter { wish.joiners.contains($0.voter) && Bool.random(using: &chance) },
        out: people.filter { wish.leavers.contains($0.voter) })
    case 5:
      let draft = Entry.Draft(
        table: log.table.id, author: person.player,
        sequence: UInt64.random(in: 0...5, using: &chance),
        body: chance.bytes(Int.random(in: 1...40, using: &chance)))
      log.apply(Entry(draft: draft, signature: signature))
    default: log.does(person, act(log, person, &chance))
    }
  }

  @Test(arguments: 0..<40)
  func `never trap, and leave a table that can be shown`(seed: UInt64) throws {
    var chance = SeededBytes(seed: seed)
    let log = try Log(words: 9 + Int(seed % 5))
    let people = [ana, bo, cy, di]
    if seed % 2 == 0 { log.starts(with: [bo, cy]) }
    var phases = [log.table.phase]
    for _ in 0..<150 {
      step(log, people, &chance)
      let table = log.table
      #expect(!table.voters.isEmpty && table.voters == table.voters.sorted())
      #expect(Set(table.deadlines.map(\.id)).count == table.deadlines.count)
      #expect(table.isOver == (table.phase == .over || table.phase == .cancelled))
      #expect((table.outcome != nil) == (table.phase == .over))
      if table.phase != .lobby { #expect(!table.isOpen) }
      for person in people { _ = table.view(for: person.player) }
      if phases.last != table.phase { phases.append(table.phase) }
    }
    let ends = phases.drop { $0 != .over && $0 != .cancelled }
    #expect(ends.count <= 1, "\(phases)")
  }
}
