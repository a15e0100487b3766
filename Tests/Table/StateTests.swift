import CBOR
import Consensus
import Games
import Table
import TestSupport
import Testing
import Wire

@Suite struct `The state hash` {
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
    let line = log.bingo?.deal.boards[0].prefix(3).compactMap { $0 } ?? []
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

  /// Two of four go on without the others in the draw, one of whom comes back while they play.
  private func recovered() throws -> Transcript {
    let log = try Log(words: 9)
    let state = log.table.stateHash.hex
    log.starts(with: [bo, cy, di])
    for person in [bo, cy] { log.commits(person) }
    log.recovers([ana, bo])
    #expect(log.does(cy, .start) == "onlyCreator")
    log.passes("commit", 3, opened: log.table.draw?.opened)
    log.commits(ana)
    log.passes("reveal", 2, opened: log.table.draw?.opened)
    #expect(log.table.draw?.awaited == [0, 1])
    for person in [ana, bo] { log.commits(person, draw: 1) }
    for person in [ana, bo] { log.reveals(person, draw: 1) }
    #expect(log.plays(ana, .claim(event: 9)) == "noSuchEvent")
    log.seals(in: [di])
    #expect(log.reveals(di, draw: 1) == "notDrawing")
    #expect(log.does(bo, .rematch) == "notOver")
    log.recovers([bo, di])
    #expect(log.does(di, .cancel) == "onlyCreator")
    log.does(ana, .left)
    #expect(!log.seals(out: [ana]))
    #expect(log.table.voters == [bo.voter, di.voter].sorted())
    return Transcript(
      genesis: Hex.encode(log.table.genesis.encoded), state: state, steps: log.steps)
  }

  /// A table where anything is tried.
  private func chances(_ seed: UInt64) throws -> Transcript {
    var chance = SeededBytes(seed: seed)
    let marking = BingoSettings.Marking.allCases[Int(seed % 3)]
    let log = Log(
      try genesis { draft in
        draft.setup = .bingo(
          BingoSetup(
            settings: BingoSettings(size: 3, minutes: 30, marking: marking), words: words(10)))
      })
    let state = log.table.stateHash.hex
    if seed > 0 { log.starts(with: [bo, cy, di]) }
    if seed > 2 {
      for person in [ana, bo, cy, di] { log.commits(person) }
      for person in [ana, bo, cy, di] { log.reveals(person) }
    }
    for _ in 0..<140 { `Any entries`.step(log, [ana, bo, cy, di], &chance, garbage: false) }
    return Transcript(
      genesis: Hex.encode(log.table.genesis.encoded), state: state, steps: log.steps)
  }

  /// A table with house rules where claims are taken back and the end is asked for.
  private func houseRules(_ seed: UInt64) throws -> Transcript {
    var chance = SeededBytes(seed: seed)
    let patterns: [BingoSettings.Pattern] = [.diagonals, .corners, .cross, .lines]
    let settings = BingoSettings(
      size: 3, minutes: 30, marking: BingoSettings.Marking.allCases[Int(seed % 3)],
      voting: seed % 2 == 0 ? .anyone : .unanimous, pattern: patterns[Int(seed % 4)],
      freeCentre: seed % 2 == 0, places: 2)
    let log = Log(
      try genesis { $0.setup = .bingo(BingoSetup(settings: settings, words: words(10))) })
    let state = log.table.stateHash.hex
    let people = [ana, bo, cy, di]
    log.starts(with: [bo, cy, di])
    for person in people { log.commits(person) }
    for person in people { log.reveals(person) }
    for _ in 0..<200 {
      let person = people[Int.random(in: 0..<4, using: &chance)]
      switch Int.random(in: 0..<40, using: &chance) {
      case 0: log.plays(person, .settle(true))
      case 1: log.plays(person, .settle(false))
      case 2...9:
        let claim = log.bingo?.claims.last
        let author = Bool.random(using: &chance) ? person : people[claim?.by ?? 0]
        log.plays(author, .takeBack(claim: claim?.number ?? 0))
      default: `Any entries`.step(log, people, &chance, garbage: false)
      }
    }
    return Transcript(
      genesis: Hex.encode(log.table.genesis.encoded), state: state, steps: log.steps)
  }

  @Test func `changes with every step, and is the one of the vectors`() throws {
    let stories = [try story()] + (try (0..<7).map { try chances($0) }) + [try recovered()]
    for story in stories {
      let states = [story.state] + story.steps.map(\.state)
      #expect(Set(states).count == states.count)
      #expect(Set(story.steps.map(\.outcome)).count > 4)
    }
    let house = try (0..<4).map { try houseRules($0) }
    let more = try [strict(), away(), witnessed(), rekeyed()]
    let all = stories + [try evictions()] + house + more
    try Vectors.approve("table.json", all)
    #expect(try Vectors.load("table.json", as: [Transcript].self) == all)
  }

  /// Who is taken out for being away comes back among the voters; who lied plays on and does not.
  private func evictions() throws -> Transcript {
    let log = try Log.playing([bo, cy])
    let state = Table(log.table.genesis).stateHash.hex
    #expect(log.evicts(bo, forLie: false))
    #expect(!log.evicts(bo, forLie: false))
    #expect(log.table.voterWish.joiners == [bo.voter])
    #expect(log.seals(in: [bo]))
    #expect(log.table.seats.allSatisfy { !$0.hasLied })
    #expect(log.evicts(bo, forLie: true))
    #expect(log.table.seats.map(\.hasLied) == [false, true, false])
    #expect(log.table.voterWish.joiners.isEmpty)
    #expect(!log.seals(in: [bo]))
    #expect(log.does(bo, .move(BingoMove.claim(event: 0))) == "done")
    #expect(log.does(bo, .left) == "done")
    #expect(log.table.voterWish.leavers.isEmpty)
    #expect(log.table.view(for: ana.player).feed.contains { $0.kind == "lied" })
    return Transcript(
      genesis: Hex.encode(log.table.genesis.encoded), state: state, steps: log.steps)
  }

  /// Three who must all agree: the table is another one, and means the same.
  private func strict() throws -> Transcript {
    let log = Log(try genesis(words: 9) { $0.isStrict = true })
    let state = log.table.stateHash.hex
    log.starts(with: [bo, cy])
    for person in [ana, bo, cy] { log.commits(person) }
    #expect(log.table.view(for: bo.player).promise?.hasPrefix("Everybody must agree") == true)
    return Transcript(
      genesis: Hex.encode(log.table.genesis.encoded), state: state, steps: log.steps)
  }

  /// One goes away and comes back with the first thing he does, twice; the other never does.
  private func away() throws -> Transcript {
    let log = try Log.playing([bo, cy])
    let state = Table(log.table.genesis).stateHash.hex
    func goesAway(_ seat: Int) -> Bool {
      let next = log.table.seats[seat].nextSequence
      return log.passes("away", UInt64(seat), opened: LogPlace(height: next, index: 0))
    }
    #expect(log.does(bo, .back) == "notAway")
    #expect(goesAway(1) && !goesAway(1))
    #expect(log.table.seats.map(\.isAway) == [false, true, false])
    let events = log.bingo?.deal.boards[0].compactMap { $0 } ?? []
    log.plays(ana, .claim(event: events[0]))
    #expect(log.bingo?.claims[0].present == [0, 2])
    #expect(log.does(bo, .start) == "onlyCreator")
    #expect(!log.table.seats[1].isAway)
    #expect(log.plays(bo, .vote(claim: 0, confirm: true)) == "notPresent")
    #expect(log.plays(cy, .vote(claim: 0, confirm: true)) == "done")
    #expect(log.bingo?.claims[0].state == .accepted)
    #expect(goesAway(1) && goesAway(2))
    log.plays(ana, .claim(event: events[1]))
    #expect(log.bingo?.claims[1].present == [0])
    #expect(log.bingo?.claims[1].state == .open && log.bingo?.claims[1].needed == 2)
    #expect(log.does(cy, .back) == "done")
    log.passes("vote", 1)
    #expect(log.bingo?.claims[1].state == .expired)
    #expect(log.does(bo, .left) == "done")
    #expect(!log.table.seats[1].isAway)
    let kinds = log.table.view(for: ana.player).feed.map(\.kind)
    #expect(kinds.count { $0 == "away" } == 3)
    #expect(kinds.count { $0 == "back" } == 2)
    #expect(goesAway(2))
    return Transcript(
      genesis: Hex.encode(log.table.genesis.encoded), state: state, steps: log.steps)
  }

  /// Two play and two more laptops help to agree; one of these goes, and so does a player.
  private func witnessed() throws -> Transcript {
    let log = try Log(words: 9)
    let state = log.table.stateHash.hex
    let eve = Person(4, "Eve")
    let flo = Person(5, "Flo")
    log.joins(bo)
    #expect(log.witnesses(bo) == "never: sequenceUsed")
    #expect(log.witnesses(Person(6, "F")) == "never: badName")
    #expect(log.witnesses(cy) == "done" && log.witnesses(di) == "done")
    #expect(log.witnesses(cy) == "never: sequenceUsed")
    #expect(log.witnesses(eve) == "never: witnessesFull")
    #expect(log.does(cy, .ready(true)) == "notMember")
    #expect(log.joins(flo) == "done" && log.does(flo, .left) == "done")
    #expect(log.table.view(for: ana.player).witnesses == ["Cy", "Di"])
    #expect(log.table.view(for: ana.player).promise == nil)
    #expect(log.does(ana, .start) == "done")
    #expect(log.table.voterWish.joiners == [bo, cy, di].map(\.voter))
    #expect(log.table.voterWish.witnesses == [cy, di].map(\.voter))
    #expect(!log.seals(in: [cy, di]))
    #expect(log.seals(in: [bo, cy].sorted { $0.voter < $1.voter }))
    #expect(log.table.draw?.awaited == [0, 1])
    #expect(log.seals(in: [di]))
    #expect(log.table.voters.count == 4)
    for person in [ana, bo] { log.commits(person) }
    for person in [ana, bo] { log.reveals(person) }
    #expect(log.table.phase == .playing && log.table.dealt == [0, 1])
    #expect(log.plays(di, .claim(event: 0)) == "notMember")
    #expect(log.witnesses(eve) == "never: tableStarted")
    #expect(log.does(cy, .left) == "done" && log.does(cy, .left) == "never: seatLeft")
    #expect(log.seals(out: [cy]))
    #expect(log.evicts(di, forLie: true))
    #expect(log.table.witnesses.map(\.hasLied) == [false, true])
    #expect(log.table.voterWish.joiners.isEmpty)
    #expect(log.does(bo, .left) == "done")
    #expect(log.table.phase == .over)
    return Transcript(
      genesis: Hex.encode(log.table.genesis.encoded), state: state, steps: log.steps)
  }

  /// Two lose their voter keys, one of them twice and while all sixteen vote.
  private func rekeyed() throws -> Transcript {
    let log = try Log.playing([bo, cy])
    let state = Table(log.table.genesis).stateHash.hex
    let eve = Person(4, "Eve")
    func rekeys(
      _ person: Person, to other: Person, _ generation: UInt64, cosigner: Person? = nil
    ) -> String {
      let act = Act.rekey(Act.Rekey(voter: other.voter, generation: generation))
      return log.apply(
        log.entry(person.player, act, cosigners: [(cosigner ?? other).voter]))
    }
    #expect(rekeys(bo, to: di, 2) == "badKey")
    #expect(rekeys(bo, to: ana, 1) == "badKey")
    #expect(rekeys(bo, to: di, 1, cosigner: eve) == "badKey")
    #expect(rekeys(bo, to: di, 1) == "done")
    #expect(log.table.seats[1].retired == [bo.voter])
    #expect(log.table.identity(ofVoter: bo.voter) == bo.identity)
    #expect(log.table.identity(ofVoter: di.voter) == bo.identity)
    #expect(log.table.voterWish.joiners == [di.voter])
    #expect(log.table.voterWish.successions == [Succession(old: bo.voter, new: di.voter)])
    // Both in one seal, or neither.
    #expect(!log.seals(in: [di]))
    #expect(!log.seals(out: [bo]))
    #expect(log.seals(in: [di], out: [bo]))
    #expect(log.table.voters == [ana, cy, di].map(\.voter).sorted())
    #expect(rekeys(cy, to: bo, 1) == "badKey")
    #expect(rekeys(bo, to: eve, 2) == "done")
    #expect(log.evicts(di, forLie: true))
    #expect(log.table.seats[1].hasLied && log.table.voterWish.joiners.isEmpty)
    #expect(rekeys(bo, to: Person(5), 3) == "badKey")
    #expect(rekeys(cy, to: Person(6), 1) == "done")
    #expect(log.does(cy, .left) == "done")
    #expect(log.table.voterWish.leavers == [cy.voter] && log.seals(out: [cy]))
    return Transcript(
      genesis: Hex.encode(log.table.genesis.encoded), state: state, steps: log.steps)
  }

  @Test func `comes out of the vectors' bytes alone`() throws {
    for name in ["table.json", "table-people.json", "quoridor.json"] {
      for story in try Vectors.load(name, as: [Transcript].self) { try replay(story) }
    }
  }

  private func replay(_ story: Transcript) throws {
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
      case "recovery":
        table.recover(
          try item(step.bytes).array("voters").map { try PublicKey($0, "voter") }, at: place)
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
      log.plays(([ana] + guests)[board.offset], .claim(event: board.element[0] ?? 0))
    }
    let clock = ContinuousClock()
    let table = log.table
    let best = (0..<50).map { _ in clock.measure { _ = table.stateHash } }.min()
    #expect(best ?? .seconds(1) < .milliseconds(5), "in a debug build: \(best ?? .zero)")
  }
}

@Suite struct `Any entries` {
  /// Any act, sensible or not.
  private static func act(_ log: Log, _ person: Person, _ chance: inout SeededBytes) -> Act {
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

  /// One step of any kind.
  static func step(
    _ log: Log, _ people: [Person], _ chance: inout SeededBytes, garbage: Bool = true
  ) {
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
    case 5 where garbage:
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
      Self.step(log, people, &chance)
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
