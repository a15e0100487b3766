/// A game from its start: the moves that were made, what has come up how often, draws, giving up.
///
/// `Position` knows what one position allows; this knows what needs the past.
package struct Match: Hashable, Sendable {
  /// How a game has ended.
  package enum Result: Hashable, Sendable {
    /// A pawn has reached its goal.
    case arrived(Int)
    /// Everybody else has given up.
    case lastPlayer(Int)
    /// The same position has come up five times.
    case repetition
    /// Everybody agreed.
    case agreement
  }

  /// A turn and what stood before it.
  private struct Step: Hashable, Sendable {
    let before: Position
    let move: Move
    /// Nothing was done in time; the move is a pass that need not have been legal.
    var ranOut = false
  }

  /// How often a position must have come up, with the same player to move, until a draw may be offered.
  package static let offersFrom = 3
  /// How often until it is a draw.
  package static let drawnFrom = 5

  package let start: Position
  package private(set) var position: Position
  private var steps: [Step] = []
  package private(set) var result: Result?
  /// Who offers a draw.
  package private(set) var offer: Int?
  /// Who has agreed to it so far, as a bit for each seat.
  private var agreed: UInt8 = 0

  /// A game that begins; from any position, for practice.
  package init(from start: Position = Position()) {
    self.start = start
    position = start
    if let winner = start.winner { result = .arrived(winner) }
  }

  /// The moves that stand; a turn that ran out is a pass.
  package var moves: [Move] { steps.map(\.move) }

  /// The turns that stand: whose, what was done, and whether the time was over instead.
  package var turns: [(seat: Int, move: Move, ranOut: Bool)] {
    steps.map { ($0.before.turn, $0.move, $0.ranOut) }
  }

  /// How often the position on the board has come up, this time among them.
  ///
  /// A wall never goes away, so nothing from before the last one can come up again.
  package var timesSeen: Int {
    var times = 1
    for step in steps.reversed() {
      guard step.before.walls == position.walls else { break }
      if step.before == position { times += 1 }
    }
    return times
  }

  /// The positions since the last wall, the present one not among them: what a player might repeat.
  package var repeatable: [Position] {
    steps.reversed().prefix { $0.before.walls == position.walls }.map(\.before).reversed()
  }

  /// Plays a move of a seat, or refuses it and stays as it is.
  ///
  /// It also answers an offered draw with no.
  package mutating func play(_ move: Move, by seat: Int) throws(MoveRefusal) {
    guard result == nil else { throw .gameOver }
    guard seat == position.turn else { throw .notYourTurn }
    let before = position
    try position.play(move)
    finish(Step(before: before, move: move))
  }

  /// The turn of who is to move passes without a move, since their time is over; that never makes a draw.
  package mutating func runOut() {
    guard result == nil else { return }
    let before = position
    position.passTurn()
    finish(Step(before: before, move: .pass, ranOut: true))
  }

  /// Plays a move of whoever is to move, as a list of moves has it: a pass that is not legal stands for a
  /// turn that ran out.
  package mutating func replay(_ move: Move) throws(MoveRefusal) {
    if move == .pass, result == nil, position.refusal(of: .pass) != nil {
      runOut()
    } else {
      try play(move, by: position.turn)
    }
  }

  private mutating func finish(_ step: Step) {
    steps.append(step)
    clearOffer()
    if let winner = position.winner {
      result = .arrived(winner)
    } else if !step.ranOut, timesSeen >= Match.drawnFrom {
      result = .repetition
    }
  }

  /// A seat gives up; the last one has won.
  ///
  /// Gone already, it changes nothing.
  package mutating func giveUp(_ seat: Int) throws(MoveRefusal) {
    guard result == nil else { throw .gameOver }
    position.giveUp(seat)
    clearOffer()
    let present = position.present
    if present.count == 1 { result = .lastPlayer(present[0]) }
  }

  /// Takes the last move back, which everybody has agreed to; nil when there is none.
  ///
  /// Who has given up stays away.
  @discardableResult
  package mutating func takeBack() -> Move? {
    guard result == nil, let step = steps.popLast() else { return nil }
    let gone = (0..<Int(position.seats)).filter { position.pawnIndex($0) == Position.absent }
    position = step.before
    for seat in gone { position.giveUp(seat) }
    clearOffer()
    return step.move
  }

  /// Whether a seat has made a move that could be taken back.
  package func hasMoved(_ seat: Int) -> Bool {
    steps.contains { $0.before.turn == seat && !$0.ranOut }
  }

  /// Takes moves back until the last one of a seat is gone; nothing when it has made none.
  package mutating func takeBack(of seat: Int) {
    guard result == nil, hasMoved(seat) else { return }
    while let step = steps.last {
      takeBack()
      if step.before.turn == seat && !step.ranOut { return }
    }
  }

  // MARK: Draws

  /// A seat offers a draw.
  package mutating func offerDraw(by seat: Int) throws(MoveRefusal) {
    guard result == nil, position.present.contains(seat) else { throw .gameOver }
    guard offer == nil else { throw .drawOfferedAlready }
    guard timesSeen >= Match.offersFrom else { throw .noDrawYet }
    offer = seat
    agreed = 1 << UInt8(seat)
  }

  /// Another seat agrees; with the last one the game is drawn.
  package mutating func agreeToDraw(by seat: Int) throws(MoveRefusal) {
    guard result == nil, position.present.contains(seat) else { throw .gameOver }
    guard let offer else { throw .noDrawOffered }
    guard offer != seat else { throw .ownDrawOffer }
    agreed |= 1 << UInt8(seat)
    guard position.present.allSatisfy({ agreed & 1 << UInt8($0) != 0 }) else { return }
    result = .agreement
  }

  /// A seat wants to play on, or the one who offered thinks again.
  package mutating func declineDraw(by seat: Int) throws(MoveRefusal) {
    guard result == nil, position.present.contains(seat) else { throw .gameOver }
    guard offer != nil else { throw .noDrawOffered }
    clearOffer()
  }

  private mutating func clearOffer() {
    offer = nil
    agreed = 0
  }
}
