import CBOR
package import Quoridor
package import Wire

/// Quoridor at a table (PRODUCT a.4; Protocol/games/quoridor.md).
///
/// The draw decides who plays which pawn. A turn takes at most 40 seconds, 8 after one that ran out, and
/// whoever lets five run out in a row has given up; anything one does in time starts anew at 40.
package struct QuoridorGame: Game {
  /// Milliseconds of a turn.
  package static let turnDuration: UInt64 = 40_000
  /// Milliseconds of a turn of who let the last one run out.
  package static let hastyDuration: UInt64 = 8_000
  /// Turns in a row that run out until their player has given up.
  package static let idleTurns = 5

  /// What a player asks the others for.
  package enum Question: String, Hashable, Sendable {
    case draw, takeBack
    /// To end without a winner (PRODUCT decision 13).
    case end
  }

  /// A question that waits for answers.
  package struct Asked: Hashable, Sendable {
    package let question: Question
    /// A dealt seat.
    package let by: Int
    /// Dealt seats that have said yes.
    package fileprivate(set) var agreed: [Int] = []
  }

  package let settings: QuoridorSettings
  /// Who plays the pretend seats of a practice table.
  let opponent: QuoridorSetup.Opponent?
  /// The keys of the dealt seats.
  package let players: [PublicKey]
  /// The dealt seats in the order in which they move: the first is player 1, on e1.
  package let order: [Int]
  package private(set) var match: Match
  /// Turns that have ended.
  package private(set) var turn = 0
  /// Per dealt seat, turns in a row that ran out.
  package private(set) var strikes: [Int]
  /// Per dealt seat, its last move and the turn that it was for.
  private var lastMoves: [(turn: Int, code: UInt8)?]
  package private(set) var asked: Asked?
  /// Dealt seats whose question was answered with no in this turn: they ask nothing more in it, so that nobody
  /// is asked again and again while his time runs.
  private var turnedDown: [Int] = []
  package private(set) var outcome: GameOutcome?
  package private(set) var news: [GameNews] = []
  /// Where the turn began; the first one begins with the deal.
  private var turnBegan = LogPlace(height: 0, index: 0)
  private let dealHash: Digest

  package init(setup: QuoridorSetup, players: [PublicKey], seed: Digest) {
    settings = setup.settings
    opponent = setup.opponent
    self.players = players
    invariant(
      players.count == settings.players.rawValue, "\(players.count) for \(settings.players)")
    var order = Array(players.indices)
    var stream = DigestStream(key: Digest(.board, seed.cbor))
    stream.shuffle(&order)
    if let first = setup.firstSeat { order = [first, 1 - first] }
    self.order = order
    match = setup.match
    strikes = players.map { _ in 0 }
    lastMoves = players.map { _ in nil }
    let past: [CBOR] = setup.past.isEmpty ? [] : [.bytes(setup.past.map(\.code))]
    dealHash = Digest(
      .state,
      items: [
        settings.cbor, seed.cbor, .array(players.map(\.cbor)), .array(order.map { CBOR($0) }),
      ] + past)
    settle(at: turnBegan)
  }

  /// The pawn that a dealt seat plays, as the board counts; nil for who was not dealt in.
  package func side(of seat: Int) -> Int? { order.firstIndex(of: seat) }

  /// The dealt seat whose turn it is; nil when the game is over.
  package var seatToMove: Int? { outcome == nil ? order[match.position.turn] : nil }

  // MARK: Moves

  package mutating func apply(
    _ move: QuoridorMove, by seat: Int, at place: LogPlace
  ) throws(IllegalMove) {
    guard outcome == nil else { throw .gameOver }
    guard let side = side(of: seat), match.position.pawn(of: side) != nil else { throw .seatGone }
    guard move.turn == turn || !move.isForOneTurn else {
      guard hasPlayedAnother(move, seat) else { throw .turnIsOver }
      // Two moves for one turn: no honest laptop signs that (PRODUCT N5).
      tell("forfeited", [players[seat]], at: place)
      giveUp(seat, at: place)
      return
    }
    switch move {
    case .play(let move, _):
      do throws(MoveRefusal) {
        try match.play(move, by: side)
      } catch {
        throw IllegalMove(error)
      }
      strikes[seat] = 0
      lastMoves[seat] = (turn, move.code)
      endTurn(at: place)
    case .giveUp: giveUp(seat, at: place)
    case .offerDraw:
      try checkAsking(seat)
      guard match.timesSeen >= Match.offersFrom else { throw IllegalMove(.noDrawYet) }
      asked = Asked(question: .draw, by: seat)
    case .askTakeBack:
      try checkAsking(seat)
      guard match.hasMoved(side) else { throw .noMoveToTakeBack }
      asked = Asked(question: .takeBack, by: seat)
    case .askEnd: try askEnd(by: seat, at: place)
    case .answer(let yes, _): try answer(yes, by: seat, at: place)
    }
  }

  /// Whether a seat has made another move for the turn that this one names.
  private func hasPlayedAnother(_ move: QuoridorMove, _ seat: Int) -> Bool {
    guard case .play(let other, let turn) = move, let last = lastMoves[seat] else { return false }
    return last.turn == turn && last.code != other.code
  }

  /// Takes the place of what else is asked; who asks as another one has asked already agrees with them.
  private mutating func askEnd(by seat: Int, at place: LogPlace) throws(IllegalMove) {
    guard let asked, asked.question == .end else {
      guard mayAsk(seat) else { throw .turnedDown }
      self.asked = Asked(question: .end, by: seat)
      return
    }
    guard asked.by != seat, !asked.agreed.contains(seat) else { throw .askedAlready }
    self.asked?.agreed.append(seat)
    closeIfAgreed(at: place)
  }

  /// One no is enough; the last yes does what was asked for.
  private mutating func answer(
    _ yes: Bool, by seat: Int, at place: LogPlace
  ) throws(IllegalMove) {
    guard var question = asked else { throw .nothingAsked }
    if yes, question.by == seat { throw .ownQuestion }
    guard yes else {
      if mayAsk(question.by) { turnedDown.append(question.by) }
      asked = nil
      return
    }
    if !question.agreed.contains(seat) { question.agreed.append(seat) }
    asked = question
    closeIfAgreed(at: place)
  }

  /// Nothing else is asked, and a seat may ask.
  private func checkAsking(_ seat: Int) throws(IllegalMove) {
    guard asked == nil else { throw .askedAlready }
    guard mayAsk(seat) else { throw .turnedDown }
  }

  /// Whether a seat has not been told no in this turn.
  package func mayAsk(_ seat: Int) -> Bool { !turnedDown.contains(seat) }

  /// Does what is asked for once everybody else has said yes.
  private mutating func closeIfAgreed(at place: LogPlace) {
    guard let question = asked else { return }
    let needed = present.filter { $0 != question.by }
    guard needed.allSatisfy(question.agreed.contains) else { return }
    switch question.question {
    case .draw:
      asked = nil
      outcome = GameOutcome(kind: .drawn, winners: [], place: place)
      tell("drawn", [], at: place)
    case .end:
      asked = nil
      outcome = GameOutcome(kind: .unfinished, winners: [], place: place)
    case .takeBack:
      if let side = side(of: question.by) { match.takeBack(of: side) }
      endTurn(at: place)
    }
  }

  /// Dealt seats that still play.
  package var present: [Int] { match.position.present.map { order[$0] }.sorted() }

  private mutating func giveUp(_ seat: Int, at place: LogPlace) {
    guard let side = side(of: seat) else { return }
    let wasToMove = match.position.turn == side
    guard (try? match.giveUp(side)) != nil else { return }
    tell("gaveUp", [players[seat]], at: place)
    if asked?.question != .end || asked?.by == seat { asked = nil }
    if wasToMove { endTurn(at: place) } else { settle(at: place) }
    if outcome == nil { closeIfAgreed(at: place) } else { asked = nil }
  }

  private mutating func endTurn(at place: LogPlace) {
    turn += 1
    turnBegan = place
    turnedDown = []
    // Whoever ends a game that cannot go on has ended it, whatever was still on its way.
    if asked?.question != .end { asked = nil }
    settle(at: place)
    if outcome != nil { asked = nil }
  }

  /// Writes down how the game ended, once it has.
  private mutating func settle(at place: LogPlace) {
    guard outcome == nil, let result = match.result else { return }
    switch result {
    case .arrived(let side):
      outcome = GameOutcome(kind: .line, winners: [players[order[side]]], place: place)
    case .lastPlayer(let side):
      outcome = GameOutcome(kind: .lastPlayer, winners: [players[order[side]]], place: place)
    case .repetition, .agreement:
      outcome = GameOutcome(kind: .drawn, winners: [], place: place)
      tell("drawn", [], at: place)
    }
  }

  private mutating func tell(_ kind: String, _ who: [PublicKey], at place: LogPlace) {
    news.append(GameNews(kind: kind, place: place, who: who))
  }

  // MARK: Time

  package var deadlines: [GameDeadline] {
    guard settings.isTimed, let seat = seatToMove else { return [] }
    return [
      GameDeadline(
        kind: "turn", subject: UInt64(turn), opened: turnBegan,
        duration: strikes[seat] == 0 ? QuoridorGame.turnDuration : QuoridorGame.hastyDuration)
    ]
  }

  package mutating func deadlinePassed(_ deadline: GameDeadline, at place: LogPlace) {
    guard deadlines.contains(deadline), let seat = seatToMove else { return }
    strikes[seat] += 1
    tell("ranOut", [players[seat]], at: place)
    guard strikes[seat] < QuoridorGame.idleTurns else {
      giveUp(seat, at: place)
      return
    }
    match.runOut()
    endTurn(at: place)
  }

  package func meets(_ deadline: GameDeadline, with move: QuoridorMove, by seat: Int) -> Bool {
    guard deadlines.contains(deadline), case .play(let played, turn) = move else { return false }
    return seat == seatToMove && match.position.refusal(of: played) == nil
  }

  package mutating func seatLeft(_ seat: Int, at place: LogPlace) {
    guard outcome == nil else { return }
    giveUp(seat, at: place)
  }

  // MARK: What is shown and hashed

  package func legalMoves(for seat: Int) -> [QuoridorMove] {
    guard outcome == nil, let side = side(of: seat), match.position.pawn(of: side) != nil else {
      return []
    }
    var out: [QuoridorMove] = [.giveUp(turn: turn)]
    if seat == seatToMove { out += match.position.legalMoves.map { .play($0, turn: turn) } }
    if let asked {
      out.append(.answer(false, turn: turn))
      if asked.by != seat { out.append(.answer(true, turn: turn)) }
      let mayEnd =
        asked.question == .end ? asked.by != seat && !asked.agreed.contains(seat) : mayAsk(seat)
      if mayEnd {
        out.append(.askEnd(turn: turn))
      }
    } else if mayAsk(seat) {
      if match.timesSeen >= Match.offersFrom { out.append(.offerDraw(turn: turn)) }
      out.append(.askEnd(turn: turn))
      if match.hasMoved(side) { out.append(.askTakeBack(turn: turn)) }
    }
    return out
  }

  package var stateHash: Digest {
    let question: CBOR =
      asked.map {
        [.text($0.question.rawValue), CBOR($0.by), .array($0.agreed.map { CBOR($0) })]
      } ?? .null
    let parts: [CBOR] = [
      dealHash.cbor, .bytes(match.moves.map(\.code)), .text(match.position.text),
      CBOR(turn), [.unsigned(turnBegan.height), .unsigned(turnBegan.index)],
      .array(strikes.map { CBOR($0) }),
      .array(lastMoves.map { $0.map { [CBOR($0.turn), CBOR($0.code)] } ?? .null }), question,
      outcome.map { .text($0.kind.rawValue) } ?? .null,
    ]
    let more: [CBOR] = turnedDown.isEmpty ? [] : [.array(turnedDown.map { CBOR($0) })]
    return Digest(.state, items: parts + more)
  }

  /// Nothing: what a seat has to go stands on the board, for all to see.
  package func progress(of seat: Int) -> Progress { Progress() }
}
