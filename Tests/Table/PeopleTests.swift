import CBOR
import Consensus
import Games
import Table
import TestSupport
import Testing
import Wire

/// A genesis of bingo with other rules for words and people.
private func open(
  _ suggesting: BingoSettings.Suggesting = .anyone, latecomers: Bool = false,
  watching: BingoSettings.Watching = .nobody, marking: BingoSettings.Marking = .tap,
  words count: Int = 12, change: @escaping (inout Genesis.Draft) -> Void = { _ in }
) throws(Genesis.Fault) -> Genesis {
  try genesis { draft in
    draft.setup = .bingo(
      BingoSetup(
        settings: BingoSettings(
          size: 3, minutes: 15, marking: marking, suggesting: suggesting, latecomers: latecomers,
          watching: watching), words: words(count)))
    change(&draft)
  }
}

extension Log {
  /// A game by a genesis, with Bo, Cy and perhaps more.
  fileprivate static func playing(_ genesis: Genesis, _ guests: [Person]) -> Log {
    let log = Log(genesis)
    log.starts(with: guests)
    for person in [ana] + guests { log.commits(person) }
    for person in [ana] + guests { log.reveals(person) }
    return log
  }

  /// Ana claims, and others confirm, so many words that more than half agree on.
  fileprivate func agrees(_ count: Int, with guests: [Person]) {
    let events = bingo?.deal.boards[0].compactMap { $0 } ?? []
    for event in events.prefix(count) {
      agree(on: event, guests: guests)
      for guest in guests { plays(guest, .mark(event: event)) }
    }
  }

  fileprivate func words() -> BingoView.WordList? {
    table.view(for: ana.player).play.asBingo?.words
  }
}

private func suggest(_ text: String) throws -> Act {
  .setup(BingoSetupMove.suggest(try Word(typed: text)))
}

private func want(_ text: String) throws -> Act {
  .setup(BingoSetupMove.want(try Word(typed: text)))
}

@Suite struct `A suggested word` {
  @Test func `is in the list when half of those at the table want it`() throws {
    let log = Log(try open(.half))
    for person in [bo, cy, di] { log.joins(person) }
    #expect(log.does(bo, try suggest("Circle back")) == "done")
    #expect(log.words()?.count == 12)
    #expect(log.words()?.proposals.map(\.wanted) == [1])
    #expect(log.words()?.proposals.map(\.needed) == [2])
    #expect(log.does(cy, try suggest("circle  back!")) == "alreadySuggested")
    #expect(log.does(bo, try want("Circle back")) == "alreadyWanted")
    #expect(log.does(cy, try want("CIRCLE back")) == "done")
    #expect(log.words()?.count == 13 && log.words()?.proposals == [])
    #expect(log.words()?.items.last?.by == bo.player)
    #expect(log.does(cy, try want("Circle back")) == "alreadyInList")
    #expect(log.does(cy, try want("Synergy")) == "noSuchWord")
  }

  @Test func `is in the list when enough leave who did not want it`() throws {
    let log = Log(try open(.half))
    for person in [bo, cy, di] { log.joins(person) }
    log.does(bo, try suggest("Circle back"))
    log.does(cy, try suggest("Synergy"))
    log.does(cy, .left)
    #expect(log.words()?.proposals.map(\.text) == ["Circle back", "Synergy"])
    log.does(ana, .takeOff(di.player))
    // One of two wants the first; nobody who is left wants the second.
    #expect(log.words()?.proposals.map(\.text) == ["Synergy"])
    #expect(log.words()?.items.last?.text == "Circle back")
  }

  @Test func `is in the list when its creator takes it, and nobody else can`() throws {
    let log = Log(try open(.creator))
    for person in [bo, cy] { log.joins(person) }
    log.does(bo, try suggest("Circle back"))
    log.does(bo, try suggest("Synergy"))
    log.does(bo, try suggest("Deep dive"))
    #expect(log.does(cy, try want("Circle back")) == "onlyCreatorTakes")
    #expect(
      log.does(cy, .setup(BingoSetupMove.veto(try Word(typed: "Synergy")))) == "notYourWord")
    #expect(log.does(ana, try want("Circle back")) == "done")
    #expect(log.does(ana, .setup(BingoSetupMove.veto(try Word(typed: "Synergy")))) == "done")
    #expect(log.does(bo, .setup(BingoSetupMove.veto(try Word(typed: "deep dive")))) == "done")
    #expect(log.words()?.proposals == [] && log.words()?.count == 13)
    #expect(log.does(ana, try suggest("Own word")) == "done")
    #expect(log.words()?.count == 14)
    // What waits is in the list as soon as anybody's word is.
    log.does(bo, try suggest("Late word"))
    let free = BingoSettings(size: 3, minutes: 15)
    #expect(log.does(ana, .setup(BingoSetupMove.settings(free))) == "done")
    #expect(log.words()?.count == 15)
  }
}

@Suite struct `Whoever runs a table` {
  @Test func `takes people off it and lets them back, in the lobby and at the board`() throws {
    let log = try Log(words: 9)
    for person in [bo, cy, di] { log.joins(person) }
    #expect(log.does(bo, .takeOff(cy.player)) == "onlyHost")
    #expect(log.does(ana, .takeOff(ana.player)) == "ownSeat")
    #expect(log.does(ana, .takeOff(Person(9).player)) == "noSuchSeat")
    #expect(log.does(ana, .letBack(cy.player)) == "notTakenOff")
    #expect(log.does(ana, .takeOff(cy.player)) == "done")
    #expect(log.table.members == [0, 1, 3])
    #expect(log.does(cy, .ready(true)) == "never: seatLeft")
    let again = Person(12)
    let entry = log.entry(
      again.player,
      .join(Act.Join(identity: cy.identity, voter: again.voter, generation: 1, name: "Cy")),
      sequence: 0, cosigners: [cy.identity, again.voter])
    #expect(log.apply(entry) == "never: takenOff")
    #expect(log.does(ana, .letBack(cy.player)) == "done")
    #expect(log.does(cy, .ready(true)) == "done")
    log.does(ana, .start)
    log.seals(in: [bo, cy, di].sorted { $0.voter < $1.voter })
    for person in [ana, bo, cy, di] { log.commits(person) }
    for person in [ana, bo, cy, di] { log.reveals(person) }
    #expect(log.does(ana, .takeOff(cy.player)) == "done")
    #expect(log.plays(cy, .claim(event: 0)) == "never: seatLeft")
    #expect(log.table.voterWish.leavers == [cy.voter])
    #expect(log.seals(out: [cy]))
    #expect(log.does(ana, .letBack(cy.player)) == "done")
    #expect(log.table.voterWish.joiners == [cy.voter])
    #expect(log.plays(cy, .claim(event: 0)) == "done")
    let view = log.table.view(for: bo.player)
    #expect(view.feed.prefix(2).map(\.kind) == ["letBack", "takenOff"])
    #expect(view.seats.map(\.takenOff) == [false, false, false, false])
  }

  @Test func `does not win by taking the others off`() throws {
    let log = try Log.playing([bo, cy])
    #expect(log.does(ana, .takeOff(bo.player)) == "done")
    #expect(log.does(ana, .takeOff(cy.player)) == "tooFewWouldStay")
    #expect(log.table.phase == .playing)
  }

  @Test func `is the next one when it is away or has left, and everybody is told`() throws {
    let log = try Log.playing([bo, cy, di])
    #expect(log.table.runner == 0)
    func goesAway(_ seat: Int) {
      let next = log.table.seats[seat].nextSequence
      #expect(log.passes("away", UInt64(seat), opened: LogPlace(height: next, index: 0)))
    }
    goesAway(0)
    #expect(log.table.runner == 1)
    #expect(log.table.view(for: bo.player).mayRun && !log.table.view(for: cy.player).mayRun)
    #expect(log.does(cy, .lock(true)) == "onlyHost")
    #expect(log.does(bo, .lock(true)) == "done" && log.does(bo, .lock(true)) == "sameLock")
    goesAway(1)
    #expect(log.table.runner == 2)
    // Whoever comes back is the first again; what he sends counts as being here.
    #expect(log.does(bo, .lock(false)) == "done")
    log.does(bo, .left)
    #expect(log.table.runner == 2)
    let told = log.table.view(for: di.player).feed.filter { $0.kind == "runs" }.map(\.who)
    #expect(told == [[cy.player], [bo.player], [cy.player], [bo.player]])
  }

  @Test func `locks it: nobody new sits down, who was there comes back`() throws {
    let log = Log(try open(watching: .progress))
    log.joins(bo)
    log.does(bo, .left)
    #expect(log.does(ana, .lock(true)) == "done")
    #expect(!log.table.isOpen && log.table.view(for: nil).locked)
    #expect(log.joins(cy) == "never: tableLocked" && log.watches(cy) == "never: tableLocked")
    let back = Person(11)
    let entry = log.entry(
      back.player,
      .join(Act.Join(identity: bo.identity, voter: back.voter, generation: 1, name: "Bo")),
      sequence: 0, cosigners: [bo.identity, back.voter])
    #expect(log.apply(entry) == "done")
    #expect(log.does(ana, .lock(false)) == "done" && log.joins(cy) == "done")
  }
}

@Suite struct `Who comes late` {
  @Test(arguments: BingoSettings.Marking.allCases)
  func `has a board no better than half of the others, and the words heard before`(
    marking: BingoSettings.Marking
  ) throws {
    let log = Log.playing(try open(latecomers: true, marking: marking), [bo, cy])
    log.agrees(5, with: [bo, cy])
    #expect(log.joins(di) == "done")
    let game = try #require(log.bingo)
    #expect(log.table.dealt == [0, 1, 2, 3] && game.players.last == di.player)
    let bests = (0..<3).map { game.progress(of: $0).best }.sorted()
    #expect(game.progress(of: 3).best <= bests[1])
    let accepted = Set(game.claims.filter { $0.state == .accepted }.map(\.event))
    let board = game.deal.boards[3].compactMap { $0 }
    #expect(Set(board).count == 9)
    let tiles = log.table.view(for: di.player).play.asBingo?.board?.tiles ?? []
    for (tile, event) in zip(tiles, board) {
      let isHeard = accepted.contains(event) && marking != .finder
      #expect((tile.state == .marked) == isHeard, "\(tile.word)")
    }
    let view = log.table.view(for: ana.player)
    #expect(view.seats.map(\.late) == [false, false, false, true])
    #expect(view.feed.first?.kind == "joinedLate")
    #expect(log.table.voterWish.joiners == [di.voter] && log.seals(in: [di]))
  }

  @Test func `says nothing to what was claimed before, and claims nothing that was heard before`()
    throws
  {
    let log = Log.playing(try open(latecomers: true), [bo, cy])
    log.agrees(2, with: [bo, cy])
    let event = try #require(
      log.bingo?.deal.boards[1].compactMap { $0 }.first { event in
        log.bingo?.claims.contains { $0.event == event } == false
      })
    log.plays(bo, .claim(event: event))
    #expect(log.joins(di) == "done")
    #expect(log.plays(di, .vote(claim: 2, confirm: false)) == "notPresent")
    let board = log.bingo?.deal.boards[3].compactMap { $0 } ?? []
    let heard = log.bingo?.claims.prefix(2).map(\.event) ?? []
    for event in heard where board.contains(event) {
      #expect(log.plays(di, .claim(event: event)) == "alreadyMarked")
    }
    // A decision of before rests: this board was dealt by it.
    #expect(log.plays(ana, .takeBack(claim: 1)) == "tooLateToTakeBack")
    let own = try #require(board.first { !heard.contains($0) && $0 != event })
    #expect(log.plays(di, .claim(event: own)) == "done")
    #expect(log.bingo?.claims.last?.present == [0, 1, 2, 3])
  }

  @Test func `wins by no line that was complete before, whatever key he has`() throws {
    // Every word is on every board, and all are heard: no board is without a complete line.
    let settings = BingoSettings(
      size: 3, minutes: 15, marking: .everyone, pattern: .blackout, latecomers: true)
    let log = Log.playing(
      try genesis { $0.setup = .bingo(BingoSetup(settings: settings, words: words(12))) },
      [bo, cy])
    let pool = try #require(log.bingo?.deal.pool.indices)
    let anas = Set(log.bingo?.deal.boards[0].compactMap { $0 } ?? [])
    for event in pool where event != anas.min() {
      for person in [ana, bo, cy] where log.plays(person, .claim(event: event)) == "done" {
        let number = (log.bingo?.claims.count ?? 0) - 1
        for other in [ana, bo, cy] { log.plays(other, .vote(claim: number, confirm: true)) }
        break
      }
    }
    guard log.table.phase == .playing, log.bingo?.closingAt == nil else { return }
    for number in 20..<28 {
      #expect(log.joins(Person(UInt64(number))) == "done")
    }
    #expect(log.bingo?.closingAt == nil && log.table.phase == .playing)
  }

  @Test func `is taken only where the rules say so, and while a game is on`() throws {
    #expect(try Log.playing([bo]).joins(cy) == "never: tableStarted")
    let log = Log(try open(latecomers: true))
    log.starts(with: [bo])
    #expect(log.joins(cy) == "never: tableStarted")
    for person in [ana, bo] { log.commits(person) }
    for person in [ana, bo] { log.reveals(person) }
    #expect(log.table.isOpen)
    log.does(bo, .left)
    #expect(log.joins(cy) == "never: tableOver" && !log.table.isOpen)
  }
}

@Suite struct `Who looks on` {
  @Test func `and who helps as a witness leaves outside of any turn`() throws {
    let log = Log(try open(latecomers: true, watching: .progress))
    let eve = Person(4, "Eve")
    #expect(log.witnesses(eve) == "done")
    #expect(log.apply(log.entry(eve.player, .left, turn: 7)) == "notMember")
    #expect(log.does(eve, .left) == "done")
  }

  @Test func `is seen by all, acts on nothing and goes`() throws {
    let log = Log(try open(latecomers: true, watching: .progress))
    #expect(log.watches(di) == "done")
    log.starts(with: [bo, cy])
    for person in [ana, bo, cy] { log.commits(person) }
    for person in [ana, bo, cy] { log.reveals(person) }
    let eve = Person(4, "Eve")
    #expect(log.watches(eve) == "done" && log.watches(eve) == "never: sequenceUsed")
    #expect(log.watches(bo) == "never: sequenceUsed")
    #expect(log.table.view(for: bo.player).watchers.map(\.name) == ["Di", "Eve"])
    #expect(log.table.view(for: eve.player).watchers.map(\.me) == [false, true])
    #expect(log.plays(eve, .claim(event: 0)) == "notMember")
    #expect(log.plays(eve, .vote(claim: 0, confirm: true)) == "notMember")
    #expect(log.does(eve, .lock(true)) == "notMember")
    #expect(log.table.voterWish.joiners.isEmpty)
    #expect(log.apply(log.entry(eve.player, .left, turn: 7)) == "notMember")
    #expect(log.does(eve, .left) == "done" && log.does(eve, .left) == "never: seatLeft")
    #expect(log.does(bo, .takeOff(di.player)) == "onlyHost")
    #expect(log.does(ana, .takeOff(di.player)) == "done")
    #expect(log.table.view(for: bo.player).watchers.isEmpty)
    let again = Person(12)
    let act = Act.watch(
      Act.Join(identity: di.identity, voter: again.voter, generation: 1, name: "Di"))
    let entry = log.entry(
      again.player, act, sequence: 0, cosigners: [di.identity, again.voter])
    #expect(log.apply(entry) == "never: takenOff")
  }

  @Test func `sees boards only where the rules show them`() throws {
    for watching in BingoSettings.Watching.allCases {
      let log = Log.playing(try open(watching: watching), [bo])
      guard watching != .nobody else {
        #expect(log.watches(cy) == "never: notWatched")
        continue
      }
      #expect(log.watches(cy) == "done")
      let view = log.table.view(for: cy.player).play.asBingo
      #expect(view?.board == nil)
      #expect(view?.boards.count == (watching == .boards ? 2 : 0))
      #expect(log.table.view(for: bo.player).play.asBingo?.boards == [])
    }
    let practice = Log(try open(watching: .boards) { $0.practice = true })
    #expect(practice.watches(cy) == "never: notWatched")
  }

  @Test func `may sit down late and is then no watcher any more; there are sixteen at most`() throws
  {
    let log = Log.playing(try open(latecomers: true, watching: .boards), [bo])
    log.watches(cy)
    let seated = Person(12)
    let entry = log.entry(
      seated.player,
      .join(Act.Join(identity: cy.identity, voter: seated.voter, generation: 1, name: "Cy")),
      sequence: 0, cosigners: [cy.identity, seated.voter])
    #expect(log.apply(entry) == "done")
    #expect(log.table.watching.isEmpty && log.table.members == [0, 1, 2])
    for number in 30..<46 { #expect(log.watches(Person(UInt64(number))) == "done") }
    #expect(log.watches(Person(46)) == "never: watchersFull")
  }
}

@Suite struct `A table of people who come and go` {
  /// Words are voted in, people come late, look on, are taken off and let back.
  private func story(
    _ suggesting: BingoSettings.Suggesting, _ marking: BingoSettings.Marking, _ seed: UInt64
  ) throws -> Transcript {
    var chance = SeededBytes(seed: seed)
    let log = Log(
      try open(
        suggesting, latecomers: true, watching: seed % 2 == 0 ? .boards : .progress,
        marking: marking, words: 10))
    let state = log.table.stateHash.hex
    let guests = [bo, cy, di]
    for guest in guests { log.joins(guest) }
    log.watches(Person(7, "Gus"))
    for (number, person) in ([ana] + guests + guests).enumerated() {
      log.does(person, try suggest("Word \(number % 5)"))
      log.does(guests[number % 3], try want("word \(number % 4)"))
    }
    log.does(ana, .takeOff(cy.player))
    log.does(ana, .letBack(cy.player))
    log.does(ana, .lock(true))
    log.does(ana, .start)
    log.seals(in: guests.sorted { $0.voter < $1.voter })
    for person in [ana] + guests { log.commits(person) }
    for person in [ana] + guests { log.reveals(person) }
    log.does(ana, .lock(false))
    log.agrees(2, with: guests)
    var people = [ana] + guests
    for round in 0..<160 {
      if round % 25 == 20 {
        let late = Person(UInt64(round) + 100, "Late \(round)")
        log.joins(late)
        people.append(late)
      }
      let person = people[Int.random(in: 0..<people.count, using: &chance)]
      switch Int.random(in: 0..<40, using: &chance) {
      case 0: log.does(ana, .takeOff(person.player))
      case 1, 2: log.does(ana, .letBack(person.player))
      case 3: log.does(person, .takeOff(cy.player))
      case 4: log.does(person, .lock(Bool.random(using: &chance)))
      case 5: log.watches(Person(UInt64(round) + 300, "Eve \(round)"))
      case 6:
        if let seat = log.table.seat(of: person.player) {
          let next = log.table.seats[seat].nextSequence
          log.passes("away", UInt64(seat), opened: LogPlace(height: next, index: 0))
        }
      case 7:
        let wish = log.table.voterWish
        let coming = people.filter { wish.joiners.contains($0.voter) }
        let going = people.filter { wish.leavers.contains($0.voter) }
        log.seals(
          in: coming.sorted { $0.voter < $1.voter }, out: going.sorted { $0.voter < $1.voter })
      default: `Any entries`.step(log, people, &chance, garbage: false)
      }
    }
    return Transcript(
      genesis: Hex.encode(log.table.genesis.encoded), state: state, steps: log.steps)
  }

  @Test func `comes to the states of the vectors`() throws {
    let all = try [
      story(.half, .tap, 1), story(.creator, .everyone, 2), story(.anyone, .finder, 3),
      story(.half, .everyone, 4), anonymousStory(),
    ]
    for outcome in ["onlyHost", "noSuchSeat", "alreadyMarked"] {
      #expect(all.contains { $0.steps.contains { $0.outcome == outcome } }, "\(outcome)")
    }
    try Vectors.approve("table-people.json", all)
    #expect(try Vectors.load("table-people.json", as: [Transcript].self) == all)
  }
}
