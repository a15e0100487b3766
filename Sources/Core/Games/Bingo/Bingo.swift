package import Wire
import CBOR

/// Meeting bingo (PRODUCT a.1 and decisions 1-4; Protocol/games/bingo.md).
///
/// A tile is marked when a claim of its event was accepted, by the rule of `Marking`. The first
/// complete row or column opens the two seconds of *closing*; everybody whose line is complete
/// when they end has won.
package struct Bingo: Game {
  /// Claims of one event that one player may make.
  package static let claimsEach = 3
  /// Claims without an answer, in a row, after which other voting is offered.
  package static let expiriesForHelp = 3
  /// Milliseconds from the first complete line to the end.
  package static let closingDuration: UInt64 = 2_000

  /// What the log has made of one seat.
  struct Seat: Hashable, Sendable {
    var hasLeft = false
    /// Bit `i` is tile `i`, row by row.
    var marks: UInt32 = 0
    /// Where its first line was complete.
    var lineAt: LogPlace?
  }

  package let settings: BingoSettings
  /// The keys of the dealt seats.
  package let players: [PublicKey]
  package let deal: BingoDeal
  /// Every claim of the game; a claim's number is its index.
  package private(set) var claims: [BingoClaim] = []
  /// Who decides on the claims to come.
  package private(set) var voting: BingoSettings.Voting
  /// Claims in a row that nobody answered.
  package private(set) var expiriesInARow = 0
  /// Where the first line was complete: from there the two seconds run.
  package private(set) var closingAt: LogPlace?
  package private(set) var outcome: GameOutcome?
  package private(set) var news: [GameNews] = []
  var seats: [Seat]
  /// Per event the first accepted claim.
  private(set) var accepted: [Int?]
  private var open: [Int] = []
  private let dealHash: Digest
  private var closedHash = Digest.zero

  package init(setup: BingoSetup, players: [PublicKey], seed: Digest) {
    let words = setup.playable
    settings = setup.settings
    voting = setup.settings.voting
    self.players = players
    deal = BingoDeal(
      words: words, poolSize: settings.pool(words: words.count, players: players.count),
      size: settings.size, players: players, seed: seed)
    seats = players.map { _ in Seat() }
    accepted = deal.pool.map { _ in nil }
    dealHash = Digest(
      .state, settings.cbor, seed.cbor, .array(deal.pool.map { .text($0) }),
      .array(players.map(\.cbor)),
      .array(deal.boards.map { .array($0.map { CBOR($0) }) }))
  }

  // MARK: Moves

  package mutating func apply(
    _ move: BingoMove, by seat: Int, at place: LogPlace
  ) throws(IllegalMove) {
    try check(move, by: seat)
    switch move {
    case .claim(let event): claim(event, by: seat, at: place)
    case .vote(let number, let confirm):
      if confirm { claims[number].confirm(by: seat) } else { claims[number].deny(by: seat) }
      settle(number, as: claims[number].verdict, at: place)
    case .mark(let event):
      mark(event, on: [seat], at: place)
      checkLines(of: [seat], at: place)
    case .voting(let choice):
      voting = choice
      expiriesInARow = 0
    }
  }

  /// Refuses what the rules refuse; whatever passes is played without a further question.
  private func check(_ move: BingoMove, by seat: Int) throws(IllegalMove) {
    guard outcome == nil else { throw .gameOver }
    guard seats.indices.contains(seat), !seats[seat].hasLeft else { throw .seatGone }
    switch move {
    case .claim(let event): try checkClaim(event, by: seat)
    case .vote(let number, _):
      guard claims.indices.contains(number) else { throw .noSuchClaim }
      let claim = claims[number]
      guard claim.state == .open else { throw .claimClosed }
      guard claim.by != seat else { throw .ownClaim }
      guard claim.silent.contains(seat) else { throw .alreadyVoted }
    case .mark(let event):
      guard settings.marking == .tap else { throw .notTapMarking }
      let tile = try tile(of: event, on: seat)
      guard !isMarked(tile, seat) else { throw .alreadyMarked }
      guard accepted[event] != nil else { throw .notConfirmed }
    case .voting(let choice):
      guard choice != voting else { throw .sameVoting }
      guard choice == .majority || offersHelp else { throw .votingNotOffered }
    }
  }

  private func checkClaim(_ event: Int, by seat: Int) throws(IllegalMove) {
    let tile = try tile(of: event, on: seat)
    guard !isMarked(tile, seat) else { throw .alreadyMarked }
    if settings.marking == .tap && accepted[event] != nil { throw .alreadyConfirmed }
    if let other = openClaim(of: event) {
      guard claims[other].by != seat else { throw .alreadyClaimed }
      guard claims[other].silent.contains(seat) else { throw .alreadyVoted }
    } else {
      guard claimCount(of: event, by: seat) < Bingo.claimsEach else { throw .claimLimit }
    }
  }

  private func tile(of event: Int, on seat: Int) throws(IllegalMove) -> Int {
    guard deal.pool.indices.contains(event) else { throw .noSuchEvent }
    guard let tile = deal.boards[seat].firstIndex(of: event) else { throw .notOnYourBoard }
    return tile
  }

  /// Opens a claim, or joins the open one of the same event (decision 2).
  private mutating func claim(_ event: Int, by seat: Int, at place: LogPlace) {
    if let other = openClaim(of: event) {
      claims[other].share(with: seat)
      settle(other, as: claims[other].verdict, at: place)
      return
    }
    let number = claims.count
    claims.append(
      BingoClaim(
        number: number, event: event, by: seat, opened: place, voting: voting,
        present: seats.indices.filter { !seats[$0].hasLeft }))
    open.append(number)
    settle(number, as: claims[number].verdict, at: place)
  }

  // MARK: Decisions

  private mutating func settle(_ number: Int, as verdict: BingoClaim.State, at place: LogPlace) {
    guard verdict != .open else { return }
    close(number, as: verdict, at: place)
    let claim = claims[number]
    switch verdict {
    case .accepted:
      expiriesInARow = 0
      if accepted[claim.event] == nil { accepted[claim.event] = number }
      tell("confirmed", claim, who: claim.finders, at: place)
      let marked =
        settings.marking == .everyone ? Array(seats.indices) : claim.finders
      mark(claim.event, on: marked, at: place)
      checkLines(of: marked, at: place)
    case .denied:
      expiriesInARow = 0
      tell("denied", claim, who: [claim.by], at: place)
    case .expired:
      expiriesInARow += 1
      tell("expired", claim, who: [claim.by], at: place)
    case .open, .undecided: break
    }
  }

  private mutating func close(_ number: Int, as state: BingoClaim.State, at place: LogPlace) {
    claims[number].close(as: state, at: place)
    open.removeAll { $0 == number }
    closedHash = Digest(.state, closedHash.cbor, claims[number].digest.cbor)
  }

  /// Marks a tile on those boards that hold the event and whose players have not left.
  private mutating func mark(_ event: Int, on marked: [Int], at place: LogPlace) {
    for seat in marked where !seats[seat].hasLeft {
      guard let tile = deal.boards[seat].firstIndex(of: event) else { continue }
      seats[seat].marks |= 1 << UInt32(tile)
    }
  }

  private mutating func checkLines(of changed: [Int], at place: LogPlace) {
    for seat in changed
    where !seats[seat].hasLeft && seats[seat].lineAt == nil && !lines(of: seat).isEmpty {
      seats[seat].lineAt = place
      news.append(GameNews(kind: "lineComplete", place: place, who: [players[seat]]))
      if closingAt == nil { closingAt = place }
    }
  }

  private mutating func tell(_ kind: String, _ claim: BingoClaim, who: [Int], at place: LogPlace) {
    news.append(
      GameNews(
        kind: kind, place: place, who: who.map { players[$0] }, word: deal.pool[claim.event],
        confirms: claim.confirms.count, denials: claim.denials.count))
  }

  /// Ends the game: open claims stay undecided (decision 3).
  private mutating func end(_ kind: GameOutcome.Kind, winners: [Int], at place: LogPlace) {
    for number in open { close(number, as: .undecided, at: place) }
    let keys = winners.map { players[$0] }
    outcome = GameOutcome(kind: kind, winners: keys, place: place)
    switch kind {
    case .line: news.append(GameNews(kind: "won", place: place, who: keys))
    case .lastPlayer: news.append(GameNews(kind: "lastPlayer", place: place, who: keys))
    case .unfinished: break
    }
  }

  // MARK: Time and leaving

  package var deadlines: [GameDeadline] {
    guard outcome == nil else { return [] }
    var out = open.map { claims[$0].deadline }
    if let closingAt {
      out.append(
        GameDeadline(
          kind: "closing", subject: 0, opened: closingAt, duration: Bingo.closingDuration))
    }
    return out
  }

  package mutating func deadlinePassed(_ deadline: GameDeadline, at place: LogPlace) {
    guard deadlines.contains(deadline) else { return }
    if deadline.kind == "closing" {
      end(.line, winners: seats.indices.filter { seats[$0].lineAt != nil }, at: place)
    } else {
      let number = Int(deadline.subject)
      settle(number, as: claims[number].verdictAtEnd, at: place)
    }
  }

  package func meets(_ deadline: GameDeadline, with move: BingoMove, by seat: Int) -> Bool {
    guard deadline.kind == "vote", deadlines.contains(deadline) else { return false }
    let number = Int(deadline.subject)
    switch move {
    case .vote(number, _): break
    case .claim(claims[number].event): break
    default: return false
    }
    do throws(IllegalMove) { try check(move, by: seat) } catch { return false }
    return true
  }

  package mutating func seatLeft(_ seat: Int, at place: LogPlace) {
    guard seats.indices.contains(seat), !seats[seat].hasLeft else { return }
    seats[seat].hasLeft = true
    guard outcome == nil, closingAt == nil else { return }
    let staying = seats.indices.filter { !seats[$0].hasLeft }
    switch staying.count {
    case 0: end(.unfinished, winners: [], at: place)
    case 1: end(.lastPlayer, winners: staying, at: place)
    default: break
    }
  }

  // MARK: Questions

  /// Whether "any one" and "honour" may be chosen now (decision 4).
  package var offersHelp: Bool {
    outcome == nil && expiriesInARow >= Bingo.expiriesForHelp && voting != .honour
  }

  /// Claims that are being voted on, oldest first.
  package var openClaims: [BingoClaim] { open.map { claims[$0] } }

  func openClaim(of event: Int) -> Int? { open.first { claims[$0].event == event } }

  func claimCount(of event: Int, by seat: Int) -> Int {
    claims.count { $0.event == event && $0.by == seat }
  }

  func isMarked(_ tile: Int, _ seat: Int) -> Bool { seats[seat].marks >> UInt32(tile) & 1 == 1 }

  package func legalMoves(for seat: Int) -> [BingoMove] {
    var moves = deal.pool.indices.map { BingoMove.claim(event: $0) }
    for number in open {
      moves += [.vote(claim: number, confirm: true), .vote(claim: number, confirm: false)]
    }
    moves += deal.pool.indices.map { .mark(event: $0) }
    moves += BingoSettings.Voting.allCases.map { .voting($0) }
    return moves.filter { move in
      do throws(IllegalMove) { try check(move, by: seat) } catch { return false }
      return true
    }
  }

  package var stateHash: Digest {
    let seatParts: [CBOR] = seats.map {
      [.bool($0.hasLeft), CBOR($0.marks), Bingo.cbor($0.lineAt)]
    }
    return Digest(
      .state, dealHash.cbor, .text(voting.rawValue), CBOR(expiriesInARow), Bingo.cbor(closingAt),
      .array(seatParts), .array(open.map { claims[$0].digest.cbor }), CBOR(claims.count),
      closedHash.cbor, outcome.map { .text($0.kind.rawValue) } ?? .null)
  }

  private static func cbor(_ place: LogPlace?) -> CBOR {
    place.map { [CBOR($0.height), CBOR($0.index)] } ?? .null
  }
}
