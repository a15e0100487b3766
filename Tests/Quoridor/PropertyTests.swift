import Foundation
import Quoridor
import TestSupport
import Testing

@Suite struct `Random games` {
  static let isLong = ProcessInfo.processInfo.environment["TABLETALK_LONG"] == "1"
  /// Games of `Tests/run`, and of `Tests/run --long`.
  static let games = isLong ? 100_000 : 600
  static let parts = 20

  /// A move of a random game: a wall as often as a step, so that games end.
  private func pick(_ moves: [Move], _ chance: inout SeededBytes) -> Move? {
    let steps = moves.filter { if case .pawn = $0 { true } else { false } }
    return Bool.random(using: &chance)
      ? (steps.randomElement(using: &chance) ?? moves.randomElement(using: &chance))
      : moves.randomElement(using: &chance)
  }

  private func start(_ seed: UInt64) -> Position {
    switch seed % 4 {
    case 0, 1: Position()
    case 2: Position(players: .four)
    default: Position(players: .four, jumps: .sideways)
    }
  }

  @Test(arguments: 0..<parts)
  func `end or reach a limit, and are the same when played again`(part: Int) throws {
    for seed in 0..<UInt64(Self.games / Self.parts) {
      var chance = SeededBytes(seed: seed * UInt64(Self.parts) + UInt64(part))
      var match = Match(from: start(seed))
      for _ in 0..<300 where match.result == nil {
        let moves = match.position.legalMoves
        let move = try #require(pick(moves, &chance), "seed \(seed) of part \(part)")
        try match.play(move, by: match.position.turn)
        let seats = match.position.players.rawValue
        #expect(
          (0..<seats).map { match.position.wallsLeft(of: $0) }.reduce(0, +)
            + match.position.wallsPlaced.count == 20)
      }
      let text = MoveList.text(match.moves, players: match.position.players)
      var again = Match(from: match.start)
      for move in try MoveList.read(text, from: match.start) {
        try again.play(move, by: again.position.turn)
      }
      #expect(again == match)
      if match.result == nil {
        #expect(try Position(text: match.position.text) == match.position)
      }
    }
  }

  /// A candidate is legal exactly when it is taken, and a refused one leaves everything as it was.
  @Test(arguments: 0..<40)
  func `take exactly the legal moves`(seed: UInt64) throws {
    var chance = SeededBytes(seed: seed + 1_000)
    var match = Match(from: start(seed))
    for _ in 0..<120 where match.result == nil {
      let moves = match.position.legalMoves
      var legal = Array(repeating: false, count: Move.codes)
      for move in moves { legal[Int(move.code)] = true }
      for code in 0..<UInt8(Move.codes) {
        let move = try #require(Move(code: code))
        var tried = match.position
        do throws(MoveRefusal) {
          try tried.play(move)
          #expect(legal[Int(code)], "\(move.text) was taken in \(match.position.text)")
        } catch {
          #expect(!legal[Int(code)], "\(move.text) was refused in \(match.position.text): \(error)")
          #expect(tried == match.position)
        }
      }
      try match.play(try #require(pick(moves, &chance)), by: match.position.turn)
    }
  }

  /// The fast generator against the booklet.
  @Test(arguments: 0..<24)
  func `have the moves of the rules as they are told`(seed: UInt64) throws {
    var chance = SeededBytes(seed: seed + 2_000)
    var position = start(seed)
    var naive = NaiveQuoridor(
      players: position.players.rawValue, stepsAside: position.jumps == .sideways)
    for ply in 0..<60 where !position.isOver {
      let moves = position.legalMoves
      #expect(naive.pawnMoves == Set(moves.filter { $0.isStep }.map(\.text)))
      // The walls are dear to find without tricks: of every sixth position.
      if ply % 6 == Int(seed % 6) {
        #expect(naive.moves == Set(moves.map(\.text)), "\(position.text)")
      }
      let move = try #require(pick(moves, &chance))
      try position.play(move)
      naive.make(move.text)
    }
    #expect(naive.isOver == position.isOver)
    #expect(naive.turn == position.turn)
  }
}

extension Move {
  fileprivate var isStep: Bool { if case .pawn = self { true } else { false } }
}
