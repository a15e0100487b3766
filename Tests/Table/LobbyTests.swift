import CBOR
import Consensus
import Games
import Table
import Testing
import Wire

@Suite struct `A join` {
  @Test func `takes the next seat, and its author acts from 1 on`() throws {
    let log = try Log()
    #expect(log.joins(bo) == "done")
    #expect(log.table.seats.map(\.name) == ["Ana", "Bo"])
    #expect(log.table.seats.map(\.nextSequence) == [1, 1])
    #expect(log.does(bo, .ready(true)) == "done")
    #expect(log.table.seats[1].nextSequence == 2)
    #expect(log.table.identity(ofVoter: bo.voter) == bo.identity)
    #expect(log.table.identity(ofVoter: cy.voter) == nil)
  }

  @Test func `twice is refused`() throws {
    let log = try Log()
    let entry = log.join(bo)
    log.apply(entry)
    #expect(log.apply(entry) == "never: sequenceUsed")
    #expect(
      log.apply(
        log.entry(
          Person(9).player,
          .join(
            Act.Join(
              identity: bo.identity, voter: Person(9).voter, generation: 1, name: "Bo again")),
          sequence: 0, cosigners: [bo.identity, Person(9).voter]))
        == "never: alreadySeated")
    #expect(log.does(bo, bo.join) == "alreadySeated")
  }

  @Test func `is cosigned by exactly identity and voter key`() throws {
    let log = try Log()
    for cosigners in [
      [], [bo.identity], [bo.voter], [bo.identity, cy.voter], [bo.identity, bo.voter, cy.voter],
    ] {
      let entry = log.entry(bo.player, bo.join, sequence: 0, cosigners: cosigners)
      #expect(log.apply(entry) == "never: badJoin", "\(cosigners)")
    }
    let turned = log.entry(
      bo.player, bo.join, sequence: 0, turn: 1, cosigners: [bo.identity, bo.voter])
    #expect(log.apply(turned) == "never: badJoin")
    let other = log.entry(
      bo.player, .ready(true), sequence: 0, cosigners: [bo.identity, bo.voter])
    #expect(log.apply(other) == "never: badJoin")
  }

  @Test func `uses keys of its own`() throws {
    let log = try Log()
    func join(_ identity: PublicKey, _ player: PublicKey, _ voter: PublicKey) -> String {
      log.apply(
        log.entry(
          player,
          .join(Act.Join(identity: identity, voter: voter, generation: 0, name: "Eve")),
          sequence: 0, cosigners: [identity, voter]))
    }
    #expect(join(bo.identity, bo.player, bo.identity) == "never: badJoin")
    #expect(join(bo.identity, bo.identity, bo.voter) == "never: badJoin")
    #expect(join(ana.player, bo.player, bo.voter) == "never: keyUsed")
    #expect(join(bo.identity, ana.voter, bo.voter) == "never: keyUsed")
    #expect(join(bo.identity, bo.player, ana.voter) == "never: keyUsed")
    #expect(join(ana.identity, bo.player, bo.voter) == "never: alreadySeated")
  }

  @Test(arguments: [
    "A", "", " Bo", "Bo ", "B  o", "Bo\u{202e}", "B\u{e000}o", String(repeating: "b", count: 25),
  ])
  func `needs a name of 2 to 24 clean letters`(name: String) throws {
    let log = try Log()
    let entry = log.entry(
      bo.player,
      .join(Act.Join(identity: bo.identity, voter: bo.voter, generation: 0, name: name)),
      sequence: 0, cosigners: [bo.identity, bo.voter])
    #expect(log.apply(entry) == "never: badName")
  }

  @Test func `is refused at a full table`() throws {
    let log = try Log()
    for number in 1..<24 { #expect(log.joins(Person(UInt64(number))) == "done") }
    #expect(!log.table.isOpen)
    #expect(log.joins(Person(24)) == "never: tableFull")
    log.does(Person(3), .left)
    #expect(log.joins(Person(24)) == "done")
  }

  @Test func `is refused once the table has started, ended or is a try-out`() throws {
    let log = try Log.playing([bo])
    #expect(log.joins(cy) == "never: tableStarted")
    log.does(bo, .left)
    #expect(log.joins(cy) == "never: tableOver")
    let cancelled = try Log()
    cancelled.does(ana, .cancel)
    #expect(cancelled.joins(bo) == "never: tableOver")
    #expect(Log(try genesis(practice: true)).joins(bo) == "never: practice")
  }

  @Test func `for another table is refused`() throws {
    let log = try Log()
    let other = Log(try genesis { $0.code = 1 })
    #expect(log.apply(other.join(bo)) == "never: foreignTable")
  }

  @Test func `is possible again for who has left the lobby, with a new key`() throws {
    let log = try Log()
    log.joins(bo)
    log.does(bo, .left)
    let back = Person(11)
    let entry = log.entry(
      back.player,
      .join(Act.Join(identity: bo.identity, voter: back.voter, generation: 1, name: "Bo")),
      sequence: 0, cosigners: [bo.identity, back.voter])
    #expect(log.apply(entry) == "done")
    #expect(log.table.members == [0, 2])
    let view = log.table.view(for: ana.player)
    #expect(view.seats.map(\.player) == [ana.player, back.player])
    #expect(!view.seats[1].showTag)
    #expect(view.feed.map(\.who) == [[back.player], [back.player], [back.player]])
  }

  @Test func `is taken at most sixty-four times`() throws {
    let log = try Log()
    for number in 1..<64 {
      #expect(log.joins(Person(UInt64(number))) == "done", "\(number)")
      log.does(Person(UInt64(number)), .left)
    }
    #expect(log.joins(Person(64)) == "never: tableFull")
  }
}

@Suite struct `An entry` {
  @Test func `out of its turn waits, and a used number is refused`() throws {
    let log = try Log()
    log.joins(bo)
    #expect(log.apply(log.entry(bo.player, .ready(true), sequence: 2)) == "later")
    log.does(bo, .ready(true))
    #expect(log.apply(log.entry(bo.player, .ready(false), sequence: 1)) == "never: sequenceUsed")
  }

  @Test func `of a stranger waits for his join in the lobby, and is refused after it`() throws {
    let log = try Log()
    #expect(log.apply(log.entry(bo.player, .ready(true), sequence: 1)) == "later")
    let playing = try Log.playing([bo])
    #expect(
      playing.apply(playing.entry(cy.player, .ready(true), sequence: 1)) == "never: notMember")
  }

  @Test func `that is void uses up its number and changes nothing else`() throws {
    let log = try Log()
    log.joins(bo)
    let before = log.table
    #expect(log.does(bo, .start) == "onlyCreator")
    #expect(log.table.seats[1].nextSequence == 2)
    #expect(log.table.stateHash != before.stateHash)
    #expect(log.table.phase == before.phase)
    #expect(
      log.table.view(for: bo.player) == before.view(for: bo.player))
    #expect(log.does(bo, .ready(true)) == "done")
  }

  @Test func `of a witness is for tables that have any, and of keys nobody has`() throws {
    for table in [
      try genesis { $0.isPrivate = true }, try genesis { $0.isStrict = true },
    ] {
      #expect(Log(table).witnesses(bo) == "never: noWitnesses")
    }
    #expect(Log(try genesis(practice: true)).witnesses(bo) == "never: noWitnesses")
    let log = try Log()
    let act = Act.witness(
      Act.Join(identity: bo.identity, voter: bo.voter, generation: 0, name: "Bo"))
    let bare = log.entry(bo.player, act, sequence: 0, cosigners: [bo.identity])
    #expect(log.apply(bare) == "never: badJoin")
    log.witnesses(bo)
    let same = log.entry(cy.player, act, sequence: 0, cosigners: [bo.identity, bo.voter].sorted())
    #expect(log.apply(same) == "never: alreadySeated")
    let stolen = Act.join(
      Act.Join(identity: cy.identity, voter: bo.voter, generation: 0, name: "Cy"))
    let thief = log.entry(
      cy.player, stolen, sequence: 0, cosigners: [cy.identity, bo.voter].sorted())
    #expect(log.apply(thief) == "never: keyUsed")
    // Whoever helps may sit down all the same, with other keys, and then plays.
    let seated = Act.join(
      Act.Join(identity: bo.identity, voter: di.voter, generation: 0, name: "Bo"))
    let join = log.entry(
      di.player, seated, sequence: 0, cosigners: [bo.identity, di.voter].sorted())
    #expect(log.apply(join) == "done")
    #expect(log.table.wantedWitnesses.isEmpty && log.table.members == [0, 1])
  }

  @Test func `that nobody can read is void`() throws {
    let log = try Log()
    for body: [UInt8] in [[0xff], [0x80], [0x81, 0x18, 0x63], CBOR.array([10, 0]).encoded] {
      let seat = log.table.seats[0]
      let draft = Entry.Draft(
        table: log.table.id, author: ana.player, sequence: seat.nextSequence, body: body)
      #expect(log.apply(Entry(draft: draft, signature: signature)) == "malformed")
    }
    #expect(log.apply(log.entry(ana.player, .ready(true), turn: 5)) == "malformed")
    #expect(log.does(ana, .setup(BingoMove.claim(event: 70))) == "malformed")
  }

  @Test func `applied out of turn does nothing`() throws {
    var table = try Log().table
    let before = table.stateHash
    let entry = Entry(
      draft: Entry.Draft(table: table.id, author: ana.player, sequence: 4, body: [0x81, 3]),
      signature: signature)
    #expect(
      table.apply(entry, at: LogPlace(height: 1, index: 0)) == .void(code: "notAdmissible"))
    #expect(table.stateHash == before)
  }
}

@Suite struct `A lobby` {
  @Test func `takes words and rules`() throws {
    let log = try Log(words: 9)
    log.joins(bo)
    let word = try Word(typed: "Circle back")
    #expect(log.does(bo, .setup(BingoSetupMove.suggest(word))) == "done")
    #expect(log.does(ana, .setup(BingoSetupMove.suggest(word))) == "alreadyInList")
    #expect(log.does(ana, .setup(BingoSetupMove.veto(word))) == "done")
    let rules = BingoSettings(size: 4, minutes: 30)
    #expect(log.does(bo, .setup(BingoSetupMove.settings(rules))) == "onlyCreatorSets")
    #expect(log.does(ana, .setup(BingoSetupMove.settings(rules))) == "done")
    #expect(log.table.view(for: bo.player).play.asBingo?.words.missing == 7)
    #expect(log.table.startRefusal?.code == "wordsMissing")
  }

  @Test func `takes no words from hostile entries`() throws {
    let log = try Log(words: 9)
    for text in [
      "", " a", "a\u{202e}", String(repeating: "x", count: 61), "Phrase\u{0}", "\u{e000}",
    ] {
      let body = CBOR.array([1, [1, .text(text)]]).encoded
      let draft = Entry.Draft(
        table: log.table.id, author: ana.player, sequence: log.table.seats[0].nextSequence,
        body: body)
      #expect(log.apply(Entry(draft: draft, signature: signature)) == "malformed", "\(text)")
    }
    #expect(log.table.view(for: ana.player).play.asBingo?.words.count == 9)
  }

  @Test func `knows who is ready`() throws {
    let log = try Log()
    log.joins(bo)
    #expect(log.does(bo, .ready(true)) == "done")
    #expect(log.does(bo, .ready(true)) == "sameReady")
    #expect(log.table.view(for: bo.player).ready)
    #expect(!log.table.view(for: ana.player).ready)
    #expect(log.does(bo, .ready(false)) == "done")
  }

  @Test func `starts with two people and enough words, at the creator's word`() throws {
    let log = try Log(words: 8)
    #expect(log.does(ana, .start) == "wordsMissing")
    #expect(
      log.table.view(for: ana.player).start.message
        == "1 more word and you can start. Add it below.")
    log.does(ana, .setup(BingoSetupMove.suggest(try Word(typed: "One more"))))
    #expect(log.does(ana, .start) == "playersMissing")
    log.joins(bo)
    #expect(log.does(bo, .start) == "onlyCreator")
    #expect(log.table.view(for: bo.player).start.possible)
    #expect(log.does(ana, .start) == "done")
    #expect(log.table.phase == .starting)
    #expect(log.does(ana, .start) == "alreadyStarted")
    #expect(log.does(bo, .ready(true)) == "lobbyClosed")
    #expect(log.does(bo, .setup(BingoSetupMove.suggest(try Word(typed: "Late")))) == "lobbyClosed")
  }

  @Test func `is called off by the creator, by cancelling or by leaving`() throws {
    let log = try Log()
    log.joins(bo)
    #expect(log.does(bo, .cancel) == "onlyCreator")
    #expect(log.does(ana, .cancel) == "done")
    #expect(log.table.phase == .cancelled)
    #expect(log.table.isOver)
    #expect(log.does(bo, .ready(true)) == "tableCancelled")
    #expect(log.does(ana, .rematch) == "tableCancelled")
    #expect(log.does(bo, .left) == "done")
    let left = try Log()
    left.joins(bo)
    #expect(left.does(ana, .left) == "done")
    #expect(left.table.phase == .cancelled)
    #expect(left.table.view(for: bo.player).feed.map(\.kind) == ["cancelled", "left", "joined"])
  }

  @Test func `opens again when the last guest leaves before the seal`() throws {
    let log = try Log()
    log.joins(bo)
    log.does(ana, .start)
    log.does(bo, .left)
    #expect(log.table.phase == .lobby)
    #expect(log.joins(cy) == "done")
    #expect(log.does(ana, .setup(BingoSetupMove.suggest(try Word(typed: "Again")))) == "done")
    #expect(log.does(ana, .start) == "done")
  }

  @Test func `has no move, no draw and no rematch`() throws {
    let log = try Log()
    log.joins(bo)
    #expect(log.plays(bo, .claim(event: 0)) == "notPlaying")
    #expect(log.commits(bo) == "notDrawing")
    #expect(log.reveals(bo) == "notDrawing")
    #expect(log.does(bo, .rematch) == "notOver")
    #expect(log.table.deadlines.isEmpty)
    #expect(log.table.duty(of: bo.player) == nil)
  }

  @Test func `after leaving, nothing is taken but a rematch`() throws {
    let log = try Log()
    log.joins(bo)
    log.joins(cy)
    log.does(bo, .left)
    #expect(log.does(bo, .ready(true)) == "never: seatLeft")
    #expect(log.does(bo, .left) == "never: seatLeft")
    #expect(log.does(bo, .rematch) == "notOver")
  }
}
