import CBOR
import Games
import Quoridor
import TestSupport
import Testing
import Wire

/// A table of Quoridor with the places of the log counted along.
private final class Duel {
  private(set) var game: QuoridorGame
  private(set) var height: UInt64 = 10

  init(_ settings: QuoridorSettings = QuoridorSettings(), seed: UInt64 = 1) {
    game = QuoridorGame(
      setup: QuoridorSetup(settings: settings),
      players: (0..<settings.players.rawValue).map { key(UInt64($0)) },
      seed: Digest(.draw, .unsigned(seed)))
  }

  /// Nil when it was taken, else the code of its refusal.
  @discardableResult
  func does(_ seat: Int, _ move: QuoridorMove) -> String? {
    height += 1
    let before = game.stateHash
    do throws(IllegalMove) {
      try game.apply(move, by: seat, at: LogPlace(height: height, index: 0))
    } catch {
      return game.stateHash == before ? error.code : "a refused move changed the state"
    }
    return nil
  }

  /// Plays moves, each by whoever is to move; the code of the first refusal.
  @discardableResult
  func plays(_ moves: String...) -> String? {
    for text in moves {
      guard let move = Move(text), let seat = game.seatToMove else { return "no move \(text)" }
      if let code = does(seat, .play(move, turn: game.turn)) { return code }
    }
    return nil
  }

  func runsOut() {
    guard let deadline = game.deadlines.first else { return }
    height += 1
    game.deadlinePassed(deadline, at: LogPlace(height: height, index: 0))
  }

  func leaves(_ seat: Int) {
    height += 1
    game.seatLeft(seat, at: LogPlace(height: height, index: 0))
  }

  /// The dealt seat of player 1, 2...
  func seat(_ player: Int) -> Int { game.order[player - 1] }

  /// Both go to and fro until the position has come up `times` times.
  func shuffles(times: Int) {
    for _ in 1..<times { plays("e2", "e8", "e1", "e9") }
  }
}

@Suite struct `Quoridor at a table` {
  @Test func `lets the draw decide who begins, about as often each`() {
    let first = (0..<100).count { Duel(seed: UInt64($0)).game.order[0] == 0 }
    #expect((35...65).contains(first))
    let four = Duel(QuoridorSettings(players: .four), seed: 3)
    #expect(four.game.order.sorted() == [0, 1, 2, 3])
    #expect(four.game.seatToMove == four.seat(1))
  }

  @Test func `ends with the first pawn on the far side`() {
    let duel = Duel()
    #expect(
      duel.plays("e2", "a8h", "e3", "c8h", "e4", "a7h", "e5", "c7h", "e6", "a6h", "e7", "d9") == nil
    )
    #expect(duel.plays("e8", "c9", "e9") == nil)
    #expect(duel.game.outcome?.kind == .line)
    #expect(duel.game.outcome?.winners == [key(UInt64(duel.seat(1)))])
    #expect(duel.game.seatToMove == nil)
    #expect(duel.game.deadlines.isEmpty)
    #expect(duel.does(0, .giveUp(turn: duel.game.turn)) == "gameOver")
  }

  @Test func `takes a move only of who is to move, and only for the present turn`() throws {
    let duel = Duel()
    let step = try #require(Move("e2"))
    #expect(duel.does(duel.seat(2), .play(step, turn: 0)) == "notYourTurn")
    #expect(duel.does(duel.seat(1), .play(step, turn: 1)) == "turnIsOver")
    #expect(duel.does(7, .play(step, turn: 0)) == "seatGone")
    #expect(duel.does(duel.seat(1), .play(step, turn: 0)) == nil)
    // A second click means a turn that is over.
    #expect(duel.does(duel.seat(1), .play(step, turn: 0)) == "turnIsOver")
    #expect(duel.plays("e1h") == nil)
    #expect(duel.plays("e1v") == "wallCrosses")
  }

  @Test func `is lost by who signs two moves for one turn`() throws {
    let duel = Duel()
    let (one, other) = (try #require(Move("e2")), try #require(Move("d1")))
    duel.plays("e2", "e8")
    #expect(duel.does(duel.seat(1), .play(one, turn: 0)) == "turnIsOver", "the same once more")
    #expect(duel.does(duel.seat(2), .play(other, turn: 0)) == "turnIsOver", "not its turn then")
    #expect(duel.does(duel.seat(1), .play(other, turn: 0)) == nil)
    #expect(duel.game.outcome?.winners == [key(UInt64(duel.seat(2)))])
    #expect(duel.game.news.map(\.kind) == ["forfeited", "gaveUp"])
  }

  @Test func `gives 40 seconds, 8 after a turn that ran out, and 40 again after a move`() {
    let duel = Duel()
    #expect(duel.game.deadlines.map(\.duration) == [40_000])
    duel.runsOut()
    #expect(duel.game.seatToMove == duel.seat(2))
    #expect(duel.game.deadlines.map(\.duration) == [40_000])
    duel.plays("e8")
    #expect(duel.game.deadlines.map(\.duration) == [8_000])
    for step in ["e9", "e8", "e9"] {
      duel.runsOut()
      #expect(duel.plays(step) == nil)
    }
    #expect(duel.game.strikes[duel.seat(1)] == 4)
    duel.plays("e2")
    #expect(duel.game.strikes[duel.seat(1)] == 0)
    #expect(duel.game.outcome == nil)
  }

  @Test func `is lost with the fifth turn in a row that runs out`() {
    let duel = Duel()
    for round in 0..<5 {
      #expect(duel.game.outcome == nil)
      duel.runsOut()
      if duel.game.outcome == nil { duel.plays(round % 2 == 0 ? "e8" : "e9") }
    }
    #expect(duel.game.outcome?.kind == .lastPlayer)
    #expect(duel.game.outcome?.winners == [key(UInt64(duel.seat(2)))])
  }

  @Test func `has no clock where the table wants none`() {
    #expect(Duel(QuoridorSettings(isTimed: false)).game.deadlines.isEmpty)
  }

  @Test func `waits with its clock for the move that would end the turn, and for no other`() throws
  {
    let duel = Duel()
    let limit = try #require(duel.game.deadlines.first)
    let step = try #require(Move("e2"))
    let far = try #require(Move("e5"))
    #expect(duel.game.meets(limit, with: .play(step, turn: 0), by: duel.seat(1)))
    #expect(!duel.game.meets(limit, with: .play(far, turn: 0), by: duel.seat(1)))
    #expect(!duel.game.meets(limit, with: .play(step, turn: 1), by: duel.seat(1)))
    #expect(!duel.game.meets(limit, with: .play(step, turn: 0), by: duel.seat(2)))
    #expect(!duel.game.meets(limit, with: .offerDraw(turn: 0), by: duel.seat(1)))
    duel.plays("e2")
    // A deadline of a turn that is over ends nothing.
    var game = duel.game
    let before = game.stateHash
    game.deadlinePassed(limit, at: LogPlace(height: 99, index: 0))
    #expect(game.stateHash == before)
  }

  @Test func `is drawn when everybody agrees, from the third time on`() {
    let duel = Duel()
    #expect(duel.does(0, .offerDraw(turn: 0)) == "noDrawYet")
    duel.shuffles(times: 3)
    let turn = duel.game.turn
    #expect(duel.does(1, .answer(true, turn: turn)) == "nothingAsked")
    #expect(duel.does(0, .offerDraw(turn: turn)) == nil)
    #expect(duel.does(1, .offerDraw(turn: turn)) == "askedAlready")
    #expect(duel.does(0, .answer(true, turn: turn)) == "ownQuestion")
    #expect(duel.does(1, .answer(false, turn: turn)) == nil)
    #expect(duel.does(1, .offerDraw(turn: turn)) == nil)
    #expect(duel.does(0, .answer(true, turn: turn)) == nil)
    #expect(duel.game.outcome?.kind == .drawn)
    #expect(duel.game.outcome?.winners == [])
    let other = Duel()
    other.shuffles(times: 5)
    #expect(other.game.outcome?.kind == .drawn)
  }

  @Test func `has nobody asked again in a turn in which they have said no`() {
    let duel = Duel()
    duel.plays("e2", "e8")
    let asking: [QuoridorMove] = [.askTakeBack(turn: 2), .askEnd(turn: 2)]
    for (seat, move) in asking.enumerated() {
      let before = duel.game.stateHash
      #expect(duel.does(seat, move) == nil)
      #expect(duel.does(1 - seat, .answer(false, turn: 2)) == nil)
      #expect(duel.game.stateHash != before)
      for again in asking { #expect(duel.does(seat, again) == "turnedDown") }
      #expect(!duel.game.legalMoves(for: seat).contains(where: asking.contains))
    }
    // To agree with what another one asks is no question.
    duel.plays("e3")
    #expect(duel.does(0, .askEnd(turn: 3)) == nil)
    #expect(duel.does(0, .answer(false, turn: 3)) == nil)
    #expect(duel.does(1, .askEnd(turn: 3)) == nil)
    #expect(duel.does(0, .askEnd(turn: 3)) == nil)
    #expect(duel.game.outcome?.kind == .unfinished)
  }

  @Test func `ends without a winner when everybody agrees`() {
    let duel = Duel()
    duel.plays("e2")
    #expect(duel.does(0, .askEnd(turn: 1)) == nil)
    #expect(duel.does(0, .askEnd(turn: 1)) == "askedAlready")
    #expect(duel.does(1, .answer(true, turn: 1)) == nil)
    #expect(duel.game.outcome?.kind == .unfinished)
    #expect(duel.game.deadlines.isEmpty)
  }

  @Test func `is given up and ended whatever turn it has become`() {
    let late = Duel()
    late.plays("e2", "e8", "e3")
    #expect(late.does(late.seat(1), .offerDraw(turn: 0)) == "turnIsOver")
    #expect(late.does(late.seat(1), .askEnd(turn: 0)) == nil)
    // Neither a move that was on its way nor another question is in the way of it.
    #expect(late.plays("e7") == nil)
    #expect(late.does(late.seat(2), .askTakeBack(turn: late.game.turn)) == "askedAlready")
    #expect(late.does(late.seat(2), .answer(false, turn: late.game.turn)) == nil)
    #expect(late.does(late.seat(2), .askTakeBack(turn: late.game.turn)) == nil)
    #expect(late.does(late.seat(2), .askEnd(turn: 1)) == nil)
    #expect(late.does(late.seat(1), .askEnd(turn: 2)) == nil)
    #expect(late.game.outcome?.kind == .unfinished)

    let duel = Duel()
    duel.plays("e2")
    duel.runsOut()
    #expect(duel.does(duel.seat(2), .giveUp(turn: 1)) == nil)
    #expect(duel.game.outcome?.winners == [key(UInt64(duel.seat(1)))])
  }

  @Test func `ends when those who play on have agreed, whoever has given up meanwhile`() {
    let duel = Duel(QuoridorSettings(players: .four))
    let turn = duel.game.turn
    #expect(duel.does(duel.seat(1), .askEnd(turn: turn)) == nil)
    #expect(duel.does(duel.seat(2), .askEnd(turn: turn)) == nil)
    #expect(duel.does(duel.seat(2), .askEnd(turn: turn)) == "askedAlready")
    #expect(duel.does(duel.seat(3), .giveUp(turn: turn)) == nil)
    #expect(duel.game.asked?.agreed == [duel.seat(2)])
    #expect(duel.does(duel.seat(4), .giveUp(turn: turn)) == nil)
    #expect(duel.game.outcome?.kind == .unfinished)

    let other = Duel(QuoridorSettings(players: .four))
    other.does(other.seat(1), .askEnd(turn: 0))
    other.does(other.seat(2), .askEnd(turn: 0))
    // Who asked has gone: nobody asks any more.
    other.leaves(other.seat(1))
    #expect(other.game.asked == nil && other.game.outcome == nil)
  }

  @Test func `agrees on return to what was ended meanwhile, once, and to nothing else`() {
    let duel = Duel()
    duel.plays("e2", "e8")
    #expect(duel.game.agreementOnReturn(of: 0) == nil)
    duel.does(duel.seat(1), .askTakeBack(turn: 2))
    #expect(duel.game.agreementOnReturn(of: duel.seat(2)) == nil)
    duel.does(duel.seat(1), .askEnd(turn: 2))
    #expect(duel.game.agreementOnReturn(of: duel.seat(1)) == nil)
    #expect(duel.game.agreementOnReturn(of: duel.seat(2)) == .askEnd(turn: 2))
  }

  private func practice(_ moves: String, players: Int = 2) throws -> QuoridorSetup {
    try QuoridorSetup.practice(
      from: GameCommand(
        "tryItNow",
        [("opponent", .int(0)), ("players", .int(players)), ("moves", .text(moves))]))
  }

  private func game(_ setup: QuoridorSetup) -> QuoridorGame {
    QuoridorGame(
      setup: setup, players: (0..<setup.settings.players.rawValue).map { key(UInt64($0)) },
      seed: Digest(.draw, .unsigned(1)))
  }

  @Test func `goes on from the moves of another game, for whoever is to move`() throws {
    let setup = try practice("1. e2 e8 2. e3 pass 3. E3H")
    let game = game(try QuoridorSetup(setup.genesisCBOR))
    #expect(game.match.position.text == "e3h/e3,e8/9,10/2")
    #expect(game.match.turns.map(\.ranOut) == [false, false, false, true, false])
    #expect(game.seatToMove == 0)
    #expect(game.stateHash != self.game(try practice("e2 e8 e3 e7 e3h")).stateHash)
    #expect(setup.renewed(after: game, by: 0).genesisCBOR != setup.genesisCBOR)

    let over = self.game(try practice("e2 a8h e3 c8h e4 a7h e5 c7h e6 a6h e7 d9 e8 c9 e9"))
    #expect(over.outcome?.kind == .line)
    #expect(over.outcome?.winners == [key(UInt64(over.order[0]))])
    let four = self.game(try practice("e2 b5 e8 h5 e3", players: 4))
    #expect(four.match.position.turn == 1)
  }

  @Test(arguments: [
    ("e2 e9", "pawnCannotGoThere"), ("e2 x1", "notAMove"), (" . ", "notAMove"),
    ("e2 e8 e1 e9 e2 e8 e1 e9 e2 e8 e1 e9 e2 e8 e1 e9 e2", "pastIsOver"),
  ])
  func `says which of the moves to go on from is none`(moves: String, code: String) {
    let refusal = #expect(throws: IllegalMove.self) { try practice(moves) }
    #expect(refusal?.code == code)
  }

  @Test func `takes back the last move of who asks, when all agree`() {
    let duel = Duel()
    #expect(duel.does(duel.seat(1), .askTakeBack(turn: 0)) == "noMoveToTakeBack")
    duel.plays("e2", "e8")
    #expect(duel.does(duel.seat(1), .askTakeBack(turn: 2)) == nil)
    #expect(duel.does(duel.seat(2), .answer(true, turn: 2)) == nil)
    #expect(duel.game.match.position.text == "-/e1,e9/10,10/1")
    #expect(duel.game.turn == 3)
    duel.plays("f1")
    #expect(duel.does(duel.seat(1), .askTakeBack(turn: 4)) == nil)
    duel.plays("e8")
    #expect(duel.game.asked == nil, "a move answers with no")
  }

  @Test func `goes on with the others when one of four leaves`() {
    let duel = Duel(QuoridorSettings(players: .four))
    duel.plays("e2")
    duel.leaves(duel.seat(2))
    #expect(duel.game.seatToMove == duel.seat(3))
    #expect(duel.does(duel.seat(2), .giveUp(turn: duel.game.turn)) == "seatGone")
    #expect(duel.plays("e8", "h5", "e3") == nil)
    duel.leaves(duel.seat(1))
    #expect(duel.does(duel.seat(4), .giveUp(turn: duel.game.turn)) == nil)
    #expect(duel.game.outcome?.kind == .lastPlayer)
    #expect(duel.game.outcome?.winners == [key(UInt64(duel.seat(3)))])
  }

  @Test func `needs as many as it is for`() {
    let four = QuoridorSetup(settings: QuoridorSettings(players: .four))
    #expect(four.startRefusal(players: 2)?.code == "wrongPlayerCount")
    #expect(four.startRefusal(players: 4) == nil)
    var setup = four
    let change = QuoridorSetupMove.settings(QuoridorSettings())
    #expect(throws: IllegalMove.onlyCreatorSets) { try setup.apply(change, by: 1) }
    #expect(setup.stateHash == four.stateHash)
    #expect(throws: Never.self) { try setup.apply(change, by: 0) }
    #expect(setup.startRefusal(players: 2) == nil)
    #expect(setup.stateHash != four.stateHash)
  }
}

@Suite struct `A table of Quoridor in bytes` {
  @Test func `reads what it writes`() throws {
    let step = try #require(Move("e3v"))
    for move in [
      QuoridorMove.play(step, turn: 3), .play(.pass, turn: 0), .giveUp(turn: 1),
      .offerDraw(turn: 2), .askTakeBack(turn: 9), .askEnd(turn: 7), .answer(true, turn: 4),
      .answer(false, turn: 4),
    ] {
      #expect(try QuoridorMove(move.cbor) == move)
    }
    for settings in [
      QuoridorSettings(), QuoridorSettings(players: .four, jumps: .sideways, isTimed: false),
    ] {
      let setup = QuoridorSetup(settings: settings)
      #expect(try QuoridorSetup(setup.genesisCBOR).settings == settings)
      let change = QuoridorSetupMove.settings(settings)
      #expect(try QuoridorSetupMove(change.cbor) == change)
    }
  }

  @Test(
    arguments: [
      [[2, "never", .bool(false)], .null, 0, .bytes([])],
      [[2, "never", .bool(false)], .null, 0, .bytes([210])],
      [[2, "never", .bool(false)], .null, 0, .bytes([76])],
      [[2, "never", .bool(false)], .null, 0, .bytes(Array(repeating: 209, count: 2_049))],
      [[2, "never", .bool(false)], .null, 5, .bytes([13])],
    ] as [CBOR])
  func `refuses to go on from what is no game`(item: CBOR) {
    #expect(throws: DecodeError.self) { try QuoridorSetup(item) }
  }

  @Test(
    arguments: [
      [], [0, 0], [0, 0, 210], [0, -1, 3], [0, 0, 3, 4], [1], [1, 0, 0], [4, 0], [4, 0, 1], [6, 0],
      ["play", 0, 3], [0, 1_048_577, 3],
    ] as [CBOR])
  func `refuses what is no move`(item: CBOR) {
    #expect(throws: DecodeError.self) { try QuoridorMove(item) }
  }

  @Test(
    arguments: [
      [3, "never", .bool(true)], [2, "sideways", .bool(true)], [4, "often", .bool(true)],
      [4, "never"],
      [5, "never", .bool(true)],
    ] as [CBOR])
  func `refuses what are no settings`(item: CBOR) {
    #expect(throws: DecodeError.self) { try QuoridorSettings(item) }
  }
}

@Suite struct `A table of Quoridor with any moves` {
  private func move(_ game: QuoridorGame, _ chance: inout SeededBytes) -> QuoridorMove {
    let turn = game.turn + (Int.random(in: 0..<30, using: &chance) == 0 ? 1 : 0)
    switch Int.random(in: 0..<20, using: &chance) {
    case 0..<12:
      let legal = game.match.position.legalMoves
      let any = Move(code: UInt8.random(in: 0..<UInt8(Move.codes), using: &chance)) ?? .pass
      let isLegal = Int.random(in: 0..<4, using: &chance) > 0
      return .play(isLegal ? legal.randomElement(using: &chance) ?? .pass : any, turn: turn)
    case 12..<14: return .offerDraw(turn: turn)
    case 14: return .askTakeBack(turn: turn)
    case 15: return .askEnd(turn: game.turn)
    case 16 where Int.random(in: 0..<40, using: &chance) == 0: return .giveUp(turn: game.turn)
    default: return .answer(Bool.random(using: &chance), turn: turn)
    }
  }

  @Test(arguments: 0..<24)
  func `takes exactly the legal ones, and is the same when played again`(seed: UInt64) {
    var chance = SeededBytes(seed: seed)
    let settings =
      seed % 2 == 0 ? QuoridorSettings() : QuoridorSettings(players: .four, jumps: .sideways)
    let duel = Duel(settings, seed: seed)
    let again = Duel(settings, seed: seed)
    for _ in 0..<150 {
      let seat = Int.random(in: 0..<settings.players.rawValue, using: &chance)
      if Int.random(in: 0..<25, using: &chance) == 0 {
        duel.runsOut()
        again.runsOut()
      } else {
        let move = move(duel.game, &chance)
        let by = Bool.random(using: &chance) ? seat : duel.game.seatToMove ?? seat
        let isLegal = duel.game.legalMoves(for: by).contains(move)
        let code = duel.does(by, move)
        #expect((code == nil) == isLegal, "\(move) by \(by): \(code ?? "taken")")
        if let code { #expect(QuoridorGame.refusals.contains { $0.code == code }, "\(code)") }
        again.does(by, move)
      }
      #expect(duel.game.stateHash == again.game.stateHash)
    }
  }
}
