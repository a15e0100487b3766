import CBOR
import Consensus
import Games
import Quoridor
import Table
import TestSupport
import Testing
import Wire

extension Log {
  /// A lobby of Quoridor by Ana.
  convenience init(
    _ settings: QuoridorSettings, first: Int? = nil
  ) throws {
    self.init(
      try genesis { $0.setup = .quoridor(QuoridorSetup(settings: settings, first: first)) })
  }

  var quoridor: QuoridorGame? {
    if case .quoridor(let game) = table.game { return game }
    return nil
  }

  /// Everybody sits down, is ready, and draws.
  func deals(_ people: [Person]) {
    for guest in people.dropFirst() { joins(guest) }
    for guest in people.dropFirst() { does(guest, .ready(true)) }
    does(ana, .start)
    seals(in: Array(people.dropFirst()))
    for person in people { commits(person) }
    for person in people { reveals(person) }
  }

  /// Whoever's turn it is plays; the outcome.
  @discardableResult
  func plays(_ text: String, among people: [Person]) -> String {
    guard let game = quoridor, let seat = game.seatToMove, let move = Quoridor.Move(text) else {
      return "no move"
    }
    return does(people[seat], .move(QuoridorMove.play(move, turn: game.turn)))
  }
}

extension AnyGameView {
  /// The view of a table of Quoridor.
  var asQuoridor: QuoridorView? { if case .quoridor(let view) = self { view } else { nil } }
}

private let pair = [ana, bo]
private let all = [ana, bo, cy, di]
private let four = QuoridorSettings(players: .four)

@Suite struct `A lobby of Quoridor` {
  @Test func `has as many seats as play, and starts when all have said to be ready`() throws {
    let log = try Log(QuoridorSettings())
    #expect(log.does(ana, .start) == "wrongPlayerCount")
    #expect(log.joins(bo) == "done")
    #expect(log.joins(cy) == "never: tableFull")
    #expect(log.table.view(for: ana.player).seatLimit == 2)
    #expect(log.does(ana, .start) == "notReady")
    #expect(log.table.view(for: ana.player).start.code == "notReady")
    log.does(bo, .ready(true))
    #expect(log.table.view(for: ana.player).start.possible)
    log.does(bo, .ready(false))
    #expect(log.does(ana, .start) == "notReady")
    log.does(bo, .ready(true))
    #expect(log.does(bo, .start) == "onlyCreator")
    #expect(log.does(ana, .start) == "done")
  }

  @Test func `grows and shrinks with its rules, at the creator's word`() throws {
    let log = try Log(QuoridorSettings())
    log.joins(bo)
    let change = Act.setup(QuoridorSetupMove.settings(four))
    #expect(log.does(bo, change) == "onlyCreatorSets")
    #expect(log.does(ana, change) == "done")
    #expect(log.joins(cy) == "done")
    log.does(ana, .setup(QuoridorSetupMove.settings(QuoridorSettings())))
    for guest in [bo, cy] { log.does(guest, .ready(true)) }
    #expect(log.does(ana, .start) == "wrongPlayerCount")
    #expect(log.joins(di) == "never: tableFull")
  }

  @Test func `opens again when one of four leaves before the seal`() throws {
    let log = try Log(four)
    for guest in [bo, cy, di] { log.joins(guest) }
    for guest in [bo, cy, di] { log.does(guest, .ready(true)) }
    #expect(log.does(ana, .start) == "done")
    log.does(cy, .left)
    #expect(log.table.phase == .lobby)
    #expect(log.does(ana, .start) == "wrongPlayerCount")
  }

  @Test func `ends without a game when one of four leaves during the draw`() throws {
    let log = try Log(four)
    for guest in [bo, cy, di] { log.joins(guest) }
    for guest in [bo, cy, di] { log.does(guest, .ready(true)) }
    log.does(ana, .start)
    log.seals(in: [bo, cy, di])
    log.commits(bo)
    log.does(cy, .left)
    #expect(log.table.phase == .over)
    #expect(log.table.outcome?.kind == .unfinished)
  }
}

@Suite struct `A game of Quoridor at a table` {
  @Test func `is shown to both alike, to each from the own side`() throws {
    let log = try Log(QuoridorSettings())
    log.deals(pair)
    let first = try #require(log.quoridor?.order[0])
    let view = try #require(log.table.view(for: pair[first].player).play.asQuoridor?.board)
    #expect(view.mine == 0 && view.toMove == 0)
    #expect(view.squares == ["d1", "f1", "e2"])
    #expect(view.slots.count == 128)
    #expect(view.pawns == ["e1", "e9"] && view.left == [10, 10] && view.steps == [8, 8])
    #expect(view.clock?.ofMs == 40_000)
    let other = try #require(log.table.view(for: pair[1 - first].player).play.asQuoridor)
    #expect(other.board?.mine == 1)
    #expect(other.sign == nil)
    #expect(log.table.view(for: nil).play.asQuoridor?.board?.mine == nil)
    #expect(log.plays("e2", among: pair) == "done")
    let next = try #require(log.table.view(for: pair[1 - first].player).play.asQuoridor)
    #expect(next.sign?.kind == "turn")
    #expect(next.board?.turns.map(\.move) == ["e2"])
  }

  @Test func `is won on the far side, and nothing moves any more`() throws {
    let log = try Log(QuoridorSettings())
    log.deals(pair)
    let first = try #require(log.quoridor?.order[0])
    for text in [
      "e2", "a8h", "e3", "c8h", "e4", "a7h", "e5", "c7h", "e6", "a6h", "e7", "d9", "e8", "c9",
    ] {
      #expect(log.plays(text, among: pair) == "done")
    }
    #expect(log.plays("e9", among: pair) == "done")
    #expect(log.table.phase == .over)
    let result = try #require(log.table.view(for: ana.player).result)
    #expect(result.kind == .line && result.winners == [pair[first].player])
    #expect(result.receipt?.checked == true && result.receipt?.words == nil)
    #expect(log.does(bo, .move(QuoridorMove.giveUp(turn: 15))) == "gameOver")
  }

  @Test func `goes to the other when one gives up or leaves`() throws {
    let log = try Log(QuoridorSettings())
    log.deals(pair)
    #expect(log.does(bo, .move(QuoridorMove.giveUp(turn: 0))) == "done")
    #expect(log.table.outcome?.kind == .lastPlayer)
    #expect(log.table.outcome?.winners == [ana.player])
    #expect(log.table.view(for: ana.player).feed.first?.kind == "gaveUp")
    let left = try Log(QuoridorSettings())
    left.deals(pair)
    #expect(left.does(ana, .left) == "done")
    #expect(left.table.outcome?.winners == [bo.player])
  }

  @Test func `lets a turn run out, and five in a row lose`() throws {
    let log = try Log(QuoridorSettings())
    log.deals(pair)
    for turn in 0..<8 {
      #expect(log.passes("turn", UInt64(turn)))
      #expect(log.table.phase == .playing)
    }
    #expect(log.passes("turn", 8))
    #expect(log.table.phase == .over)
    #expect(log.table.outcome?.kind == .lastPlayer)
  }

  @Test func `is drawn at the fifth time, with no winners`() throws {
    let log = try Log(QuoridorSettings(isTimed: false))
    log.deals(pair)
    for text in (0..<4).flatMap({ _ in ["e2", "e8", "e1", "e9"] }) {
      #expect(log.plays(text, among: pair) == "done")
    }
    #expect(log.table.outcome?.kind == .drawn)
    #expect(log.table.view(for: ana.player).result?.winners == [])
  }

  @Test func `is begun by the other one after a rematch`() throws {
    for seed in 0..<6 {
      let log = try Log(QuoridorSettings(), first: seed % 2)
      log.deals(pair)
      #expect(log.quoridor?.order[0] == seed % 2)
      // Bo makes the next table, so he sits down first there.
      guard case .quoridor(let setup) = log.table.setup.renewed(after: log.table.game, by: 1) else {
        Issue.record("another game")
        return
      }
      #expect(setup.firstSeat == (seed % 2 == 1 ? 1 : 0))
    }
    let log = try Log(four)
    log.deals(all)
    let next = log.table.setup.renewed(after: log.table.game, by: 0)
    #expect(next.genesisCBOR == log.table.setup.genesisCBOR, "four draw anew")
  }
}

@Suite struct `Vectors of Quoridor at a table` {
  /// A game by chance: moves legal and not, questions, turns that run out, leaving.
  private func story(_ seed: UInt64) throws -> Transcript {
    var chance = SeededBytes(seed: seed)
    let isOfFour = seed % 2 == 1
    let people = isOfFour ? all : pair
    let settings =
      isOfFour ? QuoridorSettings(players: .four, jumps: .sideways) : QuoridorSettings()
    let log = try Log(settings, first: seed == 2 ? 1 : nil)
    let state = log.table.stateHash.hex
    log.deals(people)
    for _ in 0..<60 where log.table.phase == .playing {
      let person = people[Int.random(in: 0..<people.count, using: &chance)]
      guard let game = log.quoridor else { break }
      let mover = game.seatToMove.map { people[$0] } ?? person
      switch Int.random(in: 0..<40, using: &chance) {
      case 0, 1: log.passes("turn", UInt64(game.turn))
      case 2: log.does(person, .move(QuoridorMove.askTakeBack(turn: game.turn)))
      case 3:
        log.does(person, .move(QuoridorMove.offerDraw(turn: game.turn)))
        // In the first six nobody agrees to an end by asking for it too: they would be short.
        if seed > 5 || game.asked?.question != .end {
          log.does(person, .move(QuoridorMove.askEnd(turn: seed > 5 ? 0 : game.turn)))
        }
      case 4...6:
        let yes = Bool.random(using: &chance)
        log.does(person, .move(QuoridorMove.answer(yes, turn: game.turn)))
      case 7 where isOfFour: log.does(person, .move(QuoridorMove.giveUp(turn: game.turn)))
      case 8...10:
        let any = Quoridor.Move(code: UInt8.random(in: 0..<210, using: &chance)) ?? .pass
        log.does(mover, .move(QuoridorMove.play(any, turn: game.turn)))
      case 11: log.does(mover, .move(QuoridorMove.play(.pass, turn: game.turn + 1)))
      case 12 where isOfFour && game.turn > 0:
        // Whoever moved last says that it was something else.
        let last = people[game.order[game.match.turns.last?.seat ?? 0]]
        log.does(last, .move(QuoridorMove.play(.pass, turn: game.turn - 1)))
      default:
        let legal = game.match.position.legalMoves.filter {
          // Walls now and then, so that pawns get somewhere.
          if case .wall = $0 { return Int.random(in: 0..<16, using: &chance) == 0 }
          return true
        }
        guard let move = legal.randomElement(using: &chance) else { continue }
        log.does(mover, .move(QuoridorMove.play(move, turn: game.turn)))
      }
    }
    // Whoever is left wins, so that the end stands in the story too.
    for person in people.dropFirst() where log.table.phase == .playing { log.does(person, .left) }
    return Transcript(
      genesis: Hex.encode(log.table.genesis.encoded), state: state, steps: log.steps)
  }

  @Test func `are what comes out`() throws {
    let stories = try (0..<8).map { try story($0) }
    for story in stories {
      #expect(story.steps.count { $0.outcome == "done" } > 20)
      #expect(Set(story.steps.map(\.outcome)).count > 2)
    }
    try Vectors.approve("quoridor.json", stories)
    #expect(try Vectors.load("quoridor.json", as: [Transcript].self) == stories)
  }
}
