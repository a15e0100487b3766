import CBOR
import Consensus
import Games
import Table
import Testing
import Wire

@Suite struct `Voters` {
  @Test func `are the creator alone until the seal of the start`() throws {
    let log = try Log()
    log.joins(bo)
    log.joins(cy)
    #expect(log.table.voters == [ana.voter])
    #expect(log.table.voterWish == .none)
    #expect(!log.seals(in: [bo]))
    log.does(ana, .start)
    #expect(
      log.table.voterWish == VoterWish(joiners: [bo.voter, cy.voter], isStart: true))
  }

  @Test func `of the start are those who are ready, and never the creator alone`() throws {
    let log = try Log()
    log.joins(bo)
    log.joins(cy)
    log.does(ana, .start)
    let before = log.table.stateHash
    #expect(!log.seals())
    #expect(!log.seals(in: [di]))
    #expect(!log.seals(in: [bo], out: [ana]))
    #expect(log.table.stateHash == before)
    #expect(log.seals(in: [bo]))
    #expect(log.table.voters == [ana.voter, bo.voter].sorted())
    #expect(log.table.phase == .dealing)
    #expect(log.table.voterWish == VoterWish(joiners: [cy.voter], mayEvict: true))
    #expect(!log.seals(in: [bo]))
    #expect(log.seals(in: [cy]))
    #expect(log.table.seals == 2)
    #expect(log.table.voterWish == VoterWish(mayEvict: true))
  }

  @Test func `end when their seat has left, while the game is on`() throws {
    let log = try Log.playing([bo, cy])
    log.does(cy, .left)
    #expect(log.table.voterWish == VoterWish(leavers: [cy.voter], mayEvict: true))
    #expect(!log.seals(out: [bo]))
    #expect(log.seals(out: [cy]))
    #expect(log.table.voters == [ana.voter, bo.voter].sorted())
    log.does(bo, .left)
    #expect(log.table.phase == .over)
    #expect(log.table.voterWish == .none)
    #expect(!log.seals(out: [bo]))
  }

  @Test func `never end all at once`() throws {
    let log = try Log()
    for person in [bo, cy, di] { log.joins(person) }
    log.does(ana, .start)
    log.seals(in: [bo])
    log.does(ana, .left)
    log.does(bo, .left)
    #expect(!log.seals(out: [ana, bo]))
    #expect(log.seals(in: [cy], out: [ana, bo]))
    #expect(log.table.voters == [cy.voter])
  }
}

@Suite struct `The draw` {
  private func dealing(_ guests: [Person]) throws -> Log {
    let log = try Log()
    log.starts(with: guests)
    return log
  }

  @Test func `asks each voter to lay down, then to open, and deals`() throws {
    let log = try dealing([bo])
    #expect(log.table.duty(of: bo.player) == .commit(draw: 0))
    #expect(log.table.deadlines.map(\.duration) == [10_000, 10_000])
    #expect(log.commits(ana) == "done")
    #expect(log.table.duty(of: ana.player) == nil)
    #expect(log.commits(ana) == "alreadyCommitted")
    #expect(log.reveals(ana) == "notInDraw")
    #expect(log.plays(ana, .claim(event: 0)) == "notPlaying")
    #expect(log.commits(bo) == "done")
    #expect(log.table.duty(of: bo.player) == .reveal(draw: 0))
    #expect(log.reveals(bo) == "done")
    #expect(log.reveals(bo) == "alreadyRevealed")
    #expect(log.reveals(ana) == "done")
    #expect(log.table.phase == .playing)
    // What is left measures silence: it stands while everybody is heard.
    #expect(log.table.deadlines.allSatisfy { $0.silent != nil })
    #expect(log.commits(ana) == "notDrawing")
    #expect(log.table.view(for: bo.player).play.asBingo?.board?.tiles.count == 9)
    #expect(log.table.view(for: bo.player).feed.first?.kind == "dealt")
  }

  @Test func `takes no secret but the one laid down`() throws {
    let log = try dealing([bo])
    log.commits(ana)
    log.commits(bo)
    #expect(log.does(bo, .reveal(draw: 0, secret: cy.secret(0))) == "revealMismatch")
    #expect(log.does(bo, .reveal(draw: 1, secret: bo.secret(0))) == "otherDraw")
    #expect(log.table.duty(of: bo.player) == .reveal(draw: 0))
    #expect(log.reveals(bo) == "done")
  }

  @Test func `binds what is laid down to table, draw and key`() {
    let table = TableID(raw: Digest(.state, "a").raw)
    let other = TableID(raw: Digest(.state, "b").raw)
    let secret = bo.secret(0)
    let all = [
      Draw.commitment(table: table, draw: 0, player: bo.player, secret: secret),
      Draw.commitment(table: other, draw: 0, player: bo.player, secret: secret),
      Draw.commitment(table: table, draw: 1, player: bo.player, secret: secret),
      Draw.commitment(table: table, draw: 0, player: cy.player, secret: secret),
      Draw.commitment(table: table, draw: 0, player: bo.player, secret: cy.secret(0)),
    ]
    #expect(Set(all).count == all.count)
  }

  @Test func `comes to one seed in whatever order it is played`() throws {
    func seed(_ order: [Person]) throws -> Digest? {
      let log = try dealing([bo, cy])
      for person in order { log.commits(person) }
      for person in order.reversed() { log.reveals(person) }
      return log.table.seed
    }
    let first = try seed([ana, bo, cy])
    #expect(first != nil)
    #expect(try seed([cy, ana, bo]) == first)
  }

  @Test func `goes on without who lays nothing down in ten seconds`() throws {
    let log = try dealing([bo, cy])
    log.commits(ana)
    log.commits(bo)
    #expect(log.passes("commit", 2))
    #expect(log.table.draw?.stage == .revealing)
    #expect(log.commits(cy) == "notInDraw")
    log.reveals(ana)
    log.reveals(bo)
    #expect(log.table.phase == .playing)
    #expect(log.table.view(for: cy.player).play.asBingo?.board != nil)
    log.agree(on: log.bingo?.deal.boards[0][0] ?? 0, guests: [bo])
    log.does(ana, .left)
    log.does(bo, .left)
    let receipt = log.table.view(for: cy.player).result?.receipt
    #expect(receipt?.people == [ana.player, bo.player])
    #expect(receipt?.silent == [cy.player])
    #expect(receipt?.checked == true)
    #expect(receipt?.draw == log.table.seed)
    #expect((receipt?.size, receipt?.words, receipt?.pool) == (3, 12, 12))
  }

  @Test func `waits for a second one, and takes a late one`() throws {
    let log = try dealing([bo, cy])
    log.commits(ana)
    #expect(log.passes("commit", 1))
    #expect(log.passes("commit", 2))
    #expect(log.table.draw?.stage == .committing)
    #expect(log.table.deadlines.isEmpty)
    #expect(log.table.duty(of: bo.player) == .commit(draw: 0))
    #expect(log.commits(bo) == "done")
    #expect(log.table.draw?.stage == .revealing)
  }

  @Test func `takes a seat that does not vote yet`() throws {
    let log = try Log()
    for person in [bo, cy] { log.joins(person) }
    log.does(ana, .start)
    log.seals(in: [bo])
    #expect(log.table.deadlines.count == 2)
    #expect(log.commits(cy) == "done")
    log.commits(ana)
    log.commits(bo)
    #expect(log.table.draw?.parts.map(\.seat) == [0, 1, 2])
  }

  @Test func `runs again without who does not open in ten seconds`() throws {
    let log = try dealing([bo, cy])
    for person in [ana, bo, cy] { log.commits(person) }
    log.reveals(ana)
    log.reveals(bo)
    #expect(log.passes("reveal", 2))
    #expect(log.table.draw?.number == 1)
    #expect(log.table.draw?.silent == [2])
    #expect(log.reveals(cy) == "otherDraw")
    #expect(log.commits(cy, draw: 1) == "lostSay")
    #expect(log.table.duty(of: cy.player) == nil)
    #expect(log.commits(ana) == "otherDraw")
    for person in [ana, bo] { #expect(log.commits(person, draw: 1) == "done") }
    for person in [ana, bo] { #expect(log.reveals(person, draw: 1) == "done") }
    #expect(log.table.phase == .playing)
    #expect(log.table.dealt == [0, 1, 2])
    #expect(log.plays(cy, .claim(event: log.bingo?.deal.boards[2][0] ?? 0)) == "done")
  }

  @Test func `with two keys left does not run out of time, it waits`() throws {
    let log = try dealing([bo])
    log.commits(ana)
    log.commits(bo)
    log.reveals(ana)
    #expect(log.table.deadlines.isEmpty)
    #expect(!log.passes("reveal", 1))
    #expect(log.reveals(bo) == "done")
  }

  @Test func `goes on when somebody leaves before it is open`() throws {
    let log = try dealing([bo, cy])
    log.commits(cy)
    log.does(cy, .left)
    log.commits(ana)
    log.commits(bo)
    #expect(log.table.draw?.parts.map(\.seat) == [0, 1])
    for person in [ana, bo] { log.reveals(person) }
    #expect(log.table.phase == .playing)
    #expect(log.table.dealt == [0, 1])
  }

  @Test func `runs again when somebody leaves without opening`() throws {
    let log = try dealing([bo, cy])
    for person in [ana, bo, cy] { log.commits(person) }
    log.reveals(ana)
    log.does(cy, .left)
    #expect(log.table.draw?.number == 1)
    #expect(log.table.draw?.stage == .committing)
    for person in [ana, bo] { log.commits(person, draw: 1) }
    for person in [ana, bo] { log.reveals(person, draw: 1) }
    #expect(log.table.phase == .playing)
  }

  @Test func `keeps what a leaver has opened`() throws {
    let log = try dealing([bo, cy])
    for person in [ana, bo, cy] { log.commits(person) }
    log.reveals(cy)
    log.does(cy, .left)
    #expect(log.table.draw?.number == 0)
    for person in [ana, bo] { log.reveals(person) }
    #expect(log.table.phase == .playing)
    #expect(log.table.dealt == [0, 1])
  }

  @Test func `ends with the last player when the others leave`() throws {
    let log = try dealing([bo])
    log.does(bo, .left)
    #expect(log.table.phase == .over)
    #expect(log.table.outcome?.kind == .lastPlayer)
    let result = log.table.view(for: ana.player).result
    #expect(result?.winners == [ana.player])
    #expect(result?.receipt == nil)
    #expect(result?.recap.asBingo?.boards == [])
    #expect(log.commits(ana) == "notDrawing")
    #expect(log.plays(ana, .claim(event: 0)) == "notPlaying")
    #expect(log.does(ana, .rematch) == "done")
  }

  @Test func `is held for a commitment or a secret that is on its way`() throws {
    let log = try dealing([bo, cy])
    func deadline(_ kind: String, _ seat: UInt64) -> Digest {
      log.table.deadlineID(
        of: GameDeadline(
          kind: kind, subject: seat, opened: log.table.draw?.opened ?? log.place, duration: 0))
    }
    let commit = log.entry(bo.player, .commit(draw: 0, commitment: Digest(.state, "c")))
    #expect(log.table.meets(deadline("commit", 1), with: commit))
    #expect(!log.table.meets(deadline("commit", 2), with: commit))
    let late = log.entry(
      bo.player, .commit(draw: 0, commitment: Digest(.state, "c")), sequence: 9)
    #expect(!log.table.meets(deadline("commit", 1), with: late))
    for person in [ana, bo, cy] { log.commits(person) }
    #expect(
      log.table.meets(
        deadline("reveal", 1), with: log.entry(bo.player, .reveal(draw: 0, secret: bo.secret(0)))))
    #expect(
      !log.table.meets(
        deadline("reveal", 1), with: log.entry(bo.player, .reveal(draw: 0, secret: cy.secret(0)))))
    #expect(!log.table.meets(deadline("commit", 1), with: commit))
  }
}

@Suite struct `A try-out` {
  private static let polly = Person(20, "Polly")
  private static let norman = Person(21, "Norman")

  private func start(pretend: [Person]) throws -> Log {
    let log = Log(
      try genesis(
        practice: true,
        pretend: pretend.map { PretendMember(player: $0.player, name: $0.name) }))
    #expect(log.does(ana, .start) == "done")
    return log
  }

  @Test func `needs no seal: the draw opens with its start`() throws {
    let people = [Self.polly, Self.norman]
    let log = try start(pretend: people)
    #expect(log.table.phase == .dealing)
    #expect(log.table.voterWish == .none)
    for person in [ana] + people { #expect(log.commits(person) == "done") }
    for person in [ana] + people { #expect(log.reveals(person) == "done") }
    #expect(log.table.phase == .playing)
    let view = log.table.view(for: ana.player)
    #expect(view.seats.map(\.pretend) == [false, true, true])
    #expect(view.seats.allSatisfy { $0.ready || $0.me })
    #expect(view.pretend)
    #expect(view.promise == nil)
  }

  @Test func `can be played alone, and ends when the person leaves`() throws {
    let log = try start(pretend: [])
    log.commits(ana)
    log.reveals(ana)
    #expect(log.plays(ana, .claim(event: log.bingo?.deal.boards[0][0] ?? 0)) == "done")
    #expect(log.bingo?.claims.first?.state == .accepted)
    log.does(ana, .left)
    #expect(log.table.outcome?.kind == .unfinished)
  }

  @Test func `ends when the person leaves his colleagues`() throws {
    let log = try start(pretend: [Self.polly, Self.norman])
    log.does(ana, .left)
    #expect(log.table.isOver)
    #expect(log.table.outcome?.kind == .unfinished)
    #expect(log.commits(Self.polly) == "notDrawing")
  }
}
