package import Wire
import CBOR

/// Meeting bingo (PRODUCT a.1 and decisions 1-4; Protocol/games/bingo.md).
///
/// A tile is marked when a claim of its event was accepted, by the rule of `Marking`. The first
/// complete line opens the two seconds of *closing*; everybody whose line is complete when they
/// end shares a place. How a game ends is in `BingoEnd.swift`.
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
    /// Nobody hears its laptop.
    var isAway = false
    /// Bit `i` is tile `i`, row by row.
    var marks: UInt64 = 0
    /// Where its first line was complete.
    var lineAt: LogPlace?
    /// Where `marks` last changed.
    var markedAt: LogPlace?
    /// Tiles that were marked when who came late sat down, a free one with them: no line of them alone
    /// counts.
    var before: UInt64 = 0
  }

  package let settings: BingoSettings
  /// The keys of the dealt seats, those who came late behind the others.
  package internal(set) var players: [PublicKey]
  package internal(set) var deal: BingoDeal
  /// Where those sat down who came late, in their order.
  package internal(set) var latePlaces: [LogPlace] = []
  /// Every claim of the game; a claim's number is its index.
  package internal(set) var claims: [BingoClaim] = []
  /// Who decides on the claims to come.
  package private(set) var voting: BingoSettings.Voting
  /// Claims in a row that nobody answered.
  package private(set) var expiriesInARow = 0
  /// Where the first line was complete: from there the two seconds run.
  package internal(set) var closingAt: LogPlace?
  /// Who has completed a line, a place each; more than one seat share it.
  package internal(set) var ranks: [[Int]] = []
  /// Seats that want the game settled as it stands, in the order in which they asked.
  package internal(set) var settlers: [Int] = []
  package internal(set) var outcome: GameOutcome?
  package internal(set) var news: [GameNews] = []
  var seats: [Seat]
  /// Per event the first accepted claim.
  var accepted: [Int?]
  /// The claim decided last, while nothing has been built on it.
  var lastDecided: Int?
  let allLines: [BingoLine]
  let freeMask: UInt64
  let seed: Digest
  private var open: [Int] = []
  private let dealHash: Digest
  private var closedHash = Digest.zero

  package init(setup: BingoSetup, players: [PublicKey], seed: Digest) {
    let words = setup.playable
    settings = setup.settings
    voting = setup.settings.voting
    self.players = players
    self.seed = seed
    deal = BingoDeal(
      words: words, poolSize: settings.pool(words: words.count, players: players.count),
      size: settings.size, freeTile: settings.freeTile, players: players, seed: seed)
    allLines = BingoLine.all(size: settings.size, pattern: settings.pattern)
    let free = settings.freeTile.map { 1 << UInt64($0) } ?? 0 as UInt64
    freeMask = free
    seats = players.map { _ in Seat(marks: free) }
    accepted = deal.pool.map { _ in nil }
    dealHash = Digest(
      .state, settings.cbor, seed.cbor, .array(deal.pool.map { .text($0) }),
      .array(players.map(\.cbor)),
      .array(deal.boards.map { .array($0.map { $0.map { CBOR($0) } ?? .null }) }))
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
    case .takeBack(let number): takeBack(number, at: place)
    case .settle(let wish): wishToSettle(wish, by: seat, at: place)
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
      guard claim.present.contains(seat) else { throw .notPresent }
      guard claim.silent.contains(seat) else { throw .alreadyVoted }
    case .mark(let event):
      guard settings.marking == .tap else { throw .notTapMarking }
      let tile = try tile(of: event, on: seat)
      guard !isMarked(tile, seat) else { throw .alreadyMarked }
      guard accepted[event] != nil else { throw .notConfirmed }
    case .voting(let choice):
      guard choice != voting else { throw .sameVoting }
      let isUsual = choice == .majority || choice == settings.voting
      guard isUsual || (offersHelp && choice != .unanimous) else { throw .votingNotOffered }
    case .takeBack(let number): try checkTakeBack(number, by: seat)
    case .settle(let wish):
      guard settlers.contains(seat) != wish else { throw .sameWish }
    }
  }

  private func checkClaim(_ event: Int, by seat: Int) throws(IllegalMove) {
    let tile = try tile(of: event, on: seat)
    guard !isMarked(tile, seat) else { throw .alreadyMarked }
    if settings.marking == .tap && accepted[event] != nil { throw .alreadyConfirmed }
    if let other = openClaim(of: event) {
      guard claims[other].by != seat else { throw .alreadyClaimed }
      guard claims[other].present.contains(seat) else { throw .notPresent }
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
    let present = staying.filter { !seats[$0].isAway }
    claims.append(
      BingoClaim(
        number: number, event: event, by: seat, opened: place, voting: voting,
        present: present, isDeserted: present.count < min(2, staying.count)))
    open.append(number)
    settle(number, as: claims[number].verdict, at: place)
  }

  // MARK: Decisions

  mutating func settle(_ number: Int, as verdict: BingoClaim.State, at place: LogPlace) {
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
    case .open, .undecided, .takenBack: break
    }
  }

  mutating func close(_ number: Int, as state: BingoClaim.State, at place: LogPlace) {
    claims[number].close(as: state, at: place)
    open.removeAll { $0 == number }
    closedHash = Digest(.state, closedHash.cbor, claims[number].digest.cbor)
    lastDecided = number
  }

  /// Ends every open claim without a decision.
  mutating func closeOpenClaims(at place: LogPlace) {
    for number in open { close(number, as: .undecided, at: place) }
  }

  /// Marks a tile on those boards that hold the event and whose players have not left.
  private mutating func mark(_ event: Int, on marked: [Int], at place: LogPlace) {
    for seat in marked where !seats[seat].hasLeft {
      guard let tile = deal.boards[seat].firstIndex(of: event) else { continue }
      seats[seat].marks |= 1 << UInt64(tile)
      seats[seat].markedAt = place
    }
  }

  mutating func checkLines(of changed: [Int], at place: LogPlace) {
    for seat in changed
    where !seats[seat].hasLeft && seats[seat].lineAt == nil && !lines(of: seat).isEmpty {
      seats[seat].lineAt = place
      news.append(GameNews(kind: "lineComplete", place: place, who: [players[seat]]))
      if closingAt == nil { closingAt = place }
    }
  }

  mutating func tell(_ kind: String, _ claim: BingoClaim, who: [Int], at place: LogPlace) {
    news.append(
      GameNews(
        kind: kind, place: place, who: who.map { players[$0] }, word: deal.pool[claim.event],
        confirms: claim.confirms.count, denials: claim.denials.count))
  }

  // MARK: Time

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

  package mutating func seatAway(_ seat: Int, _ isAway: Bool) {
    guard seats.indices.contains(seat) else { return }
    seats[seat].isAway = isAway
  }

  // MARK: Questions

  /// Whether "any one" and "honour" may be chosen now (decision 4).
  package var offersHelp: Bool {
    outcome == nil && expiriesInARow >= Bingo.expiriesForHelp && voting != .honour
  }

  /// Seats that have not left.
  var staying: [Int] { seats.indices.filter { !seats[$0].hasLeft } }

  /// Whether a seat shares one of the places that were given.
  func hasPlace(_ seat: Int) -> Bool { ranks.contains { $0.contains(seat) } }

  /// Claims that are being voted on, oldest first.
  package var openClaims: [BingoClaim] { open.map { claims[$0] } }

  func openClaim(of event: Int) -> Int? { open.first { claims[$0].event == event } }

  func claimCount(of event: Int, by seat: Int) -> Int {
    claims.count { $0.event == event && $0.by == seat }
  }

  /// Per seat, bit `i` for tile `i`: the marks of its board.
  package var markedTiles: [UInt64] { seats.map(\.marks) }

  func isMarked(_ tile: Int, _ seat: Int) -> Bool { seats[seat].marks >> UInt64(tile) & 1 == 1 }

  package func legalMoves(for seat: Int) -> [BingoMove] {
    var moves = deal.pool.indices.map { BingoMove.claim(event: $0) }
    for number in open {
      moves += [.vote(claim: number, confirm: true), .vote(claim: number, confirm: false)]
    }
    moves += deal.pool.indices.map { .mark(event: $0) }
    moves += BingoSettings.Voting.allCases.map { .voting($0) }
    moves += claims.indices.map { .takeBack(claim: $0) }
    moves += [.settle(true), .settle(false)]
    return moves.filter { move in
      do throws(IllegalMove) { try check(move, by: seat) } catch { return false }
      return true
    }
  }

  package var stateHash: Digest {
    let seatParts: [CBOR] = seats.map {
      .array(
        [.bool($0.hasLeft), CBOR($0.marks), Bingo.cbor($0.lineAt)]
          + ($0.isAway ? [.bool(true)] : []))
    }
    var parts: [CBOR] = [
      dealHash.cbor, .text(voting.rawValue), CBOR(expiriesInARow), Bingo.cbor(closingAt),
      .array(seatParts), .array(open.map { claims[$0].digest.cbor }), CBOR(claims.count),
      closedHash.cbor, outcome.map { .text($0.kind.rawValue) } ?? .null,
    ]
    // Further parts stand only where there is something to say, so that games of tables that
    // know none of this keep their hashes.
    if settings.places > 1 && !ranks.isEmpty {
      parts.append(["places", .array(ranks.map { .array($0.map { CBOR($0) }) })])
    }
    if !settlers.isEmpty {
      let settling: [CBOR] = [
        .array(settlers.map { CBOR($0) }), .array(seats.map { Bingo.cbor($0.markedAt) }),
      ]
      parts.append(["settling", .array(settling)])
    }
    if !latePlaces.isEmpty { parts.append(["late", .array(lateParts)]) }
    return Digest(.state, items: parts)
  }

  static func cbor(_ place: LogPlace?) -> CBOR {
    place.map { [CBOR($0.height), CBOR($0.index)] } ?? .null
  }
}
