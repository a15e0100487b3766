import TestSupport
import Testing

@testable import Quoridor

@Suite struct `The computer opponent` {
  private func think(
    _ text: String, level: Engine.Level = .master, budget: Int = 2_000, seed: UInt64 = 0
  ) throws -> Engine.Thought {
    var engine = Engine(tableBits: 12)
    let position = try Position(text: text)
    let thoughtOrNone = engine.think(position, level: level, budget: budget, seed: seed)
    return try #require(thoughtOrNone)
  }

  @Test(arguments: Engine.Level.allCases)
  func `always finds a legal move, with two and with four`(level: Engine.Level) throws {
    for start in [Position(), Position(players: .four), Position(players: .four, jumps: .sideways)]
    {
      var engine = Engine(tableBits: 12)
      var match = Match(from: start)
      for _ in 0..<120 where match.result == nil {
        let thoughtOrNone = engine.think(
          match.position, past: match.repeatable, level: level, budget: 60,
          seed: UInt64(level.rawValue))
        let thought = try #require(thoughtOrNone)
        try match.play(thought.move, by: match.position.turn)
      }
      #expect(match.moves.count > 15)
    }
  }

  @Test func `has nothing to say in a game that is over`() throws {
    var engine = Engine(tableBits: 8)
    #expect(engine.think(try Position(text: "-/a9,e5/10,10/2")) == nil)
  }

  @Test(arguments: Engine.Level.allCases)
  func `steps to the goal when it can`(level: Engine.Level) throws {
    #expect(try think("-/e8,a5/10,10/1", level: level).move.text == "e9")
    #expect(try think("-/a5,e2/0,3/2", level: level).move.text == "e1")
  }

  @Test func `stops a pawn that is about to arrive`() throws {
    // Player 2 stands before the goal; only a wall in front of it keeps the game open.
    let thought = try think("-/e5,e2/10,10/1", budget: 20_000)
    var position = try Position(text: "-/e5,e2/10,10/1")
    try position.play(thought.move)
    #expect(position.distance(of: 1) > 1, "\(thought.move.text)")
  }

  @Test func `sees a race that it wins`() throws {
    let thought = try think("-/e6,e6/0,0/1".replacing(",e6", with: ",a5"), budget: 20_000)
    #expect(thought.score > Evaluation.sure)
    let lost = try think("-/e3,a4/0,0/1", budget: 20_000)
    #expect(lost.score < -Evaluation.sure)
  }

  @Test func `answers the same to the same budget, whatever it thought before`() throws {
    var engine = Engine(tableBits: 12)
    let position = try Position(text: "a1v,e4h/e5,e7/9,9/1")
    let firstOrNone = engine.think(position, budget: 3_000)
    let first = try #require(firstOrNone)
    _ = engine.think(Position(), budget: 3_000)
    let againOrNone = engine.think(position, budget: 3_000)
    let again = try #require(againOrNone)
    var fresh = Engine(tableBits: 12)
    let otherOrNone = fresh.think(position, budget: 3_000)
    let other = try #require(otherOrNone)
    for thought in [again, other] {
      #expect(thought.move == first.move)
      #expect(thought.score == first.score)
      #expect(thought.expansions == first.expansions)
    }
    #expect(first.expansions <= 3_000)
  }

  @Test func `plays differently on weak levels with another seed`() throws {
    let moves = try (0..<12).map {
      try think("-/e4,e6/8,8/1", level: .beginner, seed: $0).move.text
    }
    #expect(Set(moves).count > 1)
  }

  @Test func `stops when it is told to`() throws {
    var engine = Engine(tableBits: 12)
    var asked = 0
    let thoughtOrNone = engine.think(Position()) {
      asked += 1
      return asked > 5
    }
    let thought = try #require(thoughtOrNone)
    #expect(asked == 6)
    #expect(Position().legalMoves.contains(thought.move))
    let atOnceOrNone = engine.think(Position()) { true }
    let atOnce = try #require(atOnceOrNone)
    #expect(Position().legalMoves.contains(atOnce.move))
  }

  @Test func `does not repeat a position that it has better than drawn`() throws {
    // Ahead by far, it could step back to where it was.
    var match = Match(from: try Position(text: "-/e6,a8/0,0/1"))
    try match.play(try move("e7"), by: 0)
    try match.play(try move("a9"), by: 1)
    var engine = Engine(tableBits: 12)
    let thoughtOrNone = engine.think(match.position, past: match.repeatable, budget: 2_000)
    let thought = try #require(thoughtOrNone)
    #expect(thought.move.text == "e8")
  }

  /// What the search believes of a position must be what the rules say.
  @Test(arguments: 0..<20)
  func `lists the legal moves with the distances behind them`(seed: UInt64) throws {
    var chance = SeededBytes(seed: seed + 5_000)
    var position = seed % 3 == 2 ? Position(players: .four) : Position()
    for _ in 0..<70 where !position.isOver {
      try check(position)
      let move = try #require(position.legalMoves.randomElement(using: &chance))
      try position.play(move)
    }
  }

  private func check(_ position: Position) throws {
    var counter = Evaluation()
    counter.tempo = 0
    counter.wall = 0
    counter.race = 0
    let choices = UnsafeMutablePointer<Choice>.allocate(capacity: Search.mostChoices)
    let scratch = UnsafeMutablePointer<Int8>.allocate(capacity: 4 * Wall.count)
    defer {
      choices.deallocate()
      scratch.deallocate()
    }
    var expansion = Expansion(position, evaluation: counter, hero: position.turn)
    let count = expansion.list(into: choices, scratch: scratch)
    let legal = position.legalMoves
    guard count >= 0 else {
      let winning = try #require(Move(code: choices[0].code))
      var next = position
      try next.play(winning)
      #expect(next.winner == position.turn)
      return
    }
    let listed = UnsafeBufferPointer(start: choices, count: count)
    #expect(Set(listed.map(\.code)) == Set(legal.map(\.code)), "\(position.text)")
    guard position.players == .two else { return }
    for choice in listed {
      var next = position
      next.make(Move(known: choice.code))
      let hero = position.turn
      let expected = (next.distance(of: 1 - hero) - next.distance(of: hero)) * counter.step
      #expect(Int(choice.score) == expected, "\(Move(known: choice.code).text) \(position.text)")
    }
  }
}

@Suite struct `The lines of the engine` {
  @Test func `are read`() throws {
    #expect(try EngineLine("  ") == .empty)
    #expect(try EngineLine("stop") == .stop)
    #expect(try EngineLine("quit") == .quit)
    #expect(try EngineLine("show") == .show)
    #expect(try EngineLine("position start") == .position(Match()))
    guard case .position(let match) = try EngineLine("position start4 moves e2 a5h 2. c5v") else {
      Issue.record("no position")
      return
    }
    #expect(match.moves.map(\.text) == ["e2", "a5h", "c5v"])
    #expect(match.position.players == .four)
    guard case .go(let order) = try EngineLine("go movetime 50 level 2 nodes 9") else {
      Issue.record("no order")
      return
    }
    #expect(order.milliseconds == 50)
    #expect(order.nodes == 9)
    #expect(order.level == .casual)
  }

  @Test(arguments: [
    ("hello", "unknownCommand"), ("stop it", "unknownCommand"), ("GO", "unknownCommand"),
    ("position", "positionForm"), ("position e2", "positionForm"),
    ("position start e2", "positionForm"), ("position start moves e2 e2", "pawnCannotGoThere"),
    ("position start moves e2 e99", "notAMove"), ("go", "engineOrder"),
    ("go level 2", "engineOrder"),
    ("go movetime", "engineOrder"), ("go movetime 0", "engineOrder"),
    ("go movetime -5", "engineOrder"), ("go movetime 99999999999999999999", "engineOrder"),
    ("go movetime 9 level 5", "engineLevel"), ("go nodes 0", "engineOrder"),
    (String(repeating: "x", count: 100_001), "lineTooLong"), ("\u{0}", "unknownCommand"),
  ])
  func `are answered with a sentence when they are bad`(text: String, code: String) {
    #expect { try EngineLine(text) } throws: {
      guard let fault = $0 as? TextFault else { return false }
      return fault.code == code && fault.sentence.count < 300
    }
  }
}
