import CBOR
package import Wire

/// How a game of bingo ends: by lines, by being the last, or because the meeting is over.
extension Bingo {
  // MARK: Time

  package var deadlines: [GameDeadline] {
    guard outcome == nil else { return [] }
    var out = openClaims.map(\.deadline)
    if let closingAt {
      out.append(
        GameDeadline(
          kind: "closing", subject: UInt64(ranks.count), opened: closingAt,
          duration: Bingo.closingDuration))
    }
    return out
  }

  package mutating func deadlinePassed(_ deadline: GameDeadline, at place: LogPlace) {
    guard deadlines.contains(deadline) else { return }
    if deadline.kind == "closing" {
      endClosing(at: place)
    } else {
      let number = Int(deadline.subject)
      settle(number, as: claims[number].verdictAtEnd, at: place)
    }
  }

  /// Everybody with a line shares the next place; the game goes on while places are left, and
  /// two or more to play for them.
  private mutating func endClosing(at place: LogPlace) {
    let rank = closers
    ranks.append(rank)
    lastDecided = nil
    let isLast = ranks.joined().count >= settings.places
    guard !isLast, unplaced.count > 1, !isSettled else {
      return end(.line, winners: ranks[0], at: place)
    }
    closingAt = nil
    news.append(GameNews(kind: "placed", place: place, who: rank.map { players[$0] }))
  }

  /// Seats that have a line and no place yet: for them closing is open.
  var closers: [Int] { seats.indices.filter { seats[$0].lineAt != nil && !hasPlace($0) } }

  /// Seats that have not left and have no place yet.
  private var unplaced: [Int] { staying.filter { !hasPlace($0) } }

  // MARK: Leaving

  package mutating func seatLeft(_ seat: Int, at place: LogPlace) {
    guard seats.indices.contains(seat), !seats[seat].hasLeft else { return }
    seats[seat].hasLeft = true
    settlers.removeAll { $0 == seat }
    guard outcome == nil, closingAt == nil else { return }
    let staying = staying
    if let first = ranks.first {
      if unplaced.count < 2 { end(.line, winners: first, at: place) }
    } else {
      switch staying.count {
      case 0: end(.unfinished, winners: [], at: place)
      case 1: end(.lastPlayer, winners: staying, at: place)
      default: break
      }
    }
    if outcome == nil && isSettled { endSettled(at: place) }
  }

  // MARK: Settling (PRODUCT C10)

  /// Seats that must ask before the game is settled: more than half of those who have not left.
  package var settlersNeeded: Int { staying.count / 2 + 1 }

  private var isSettled: Bool { settlers.count >= settlersNeeded }

  mutating func wishToSettle(_ wish: Bool, by seat: Int, at place: LogPlace) {
    if wish {
      settlers.append(seat)
      news.append(GameNews(kind: "settleAsked", place: place, who: [players[seat]]))
    } else {
      settlers.removeAll { $0 == seat }
    }
    if isSettled && closingAt == nil { endSettled(at: place) }
  }

  /// Who has completed a line has won; where nobody has, who is closest.
  private mutating func endSettled(at place: LogPlace) {
    if let first = ranks.first {
      end(.line, winners: first, at: place)
    } else {
      end(.settled, winners: closest, at: place)
    }
  }

  /// How close a seat is, the closest last (PRODUCT 6.3): most marked in one line, then most lines
  /// with as many, then most marked.
  private func closeness(of seat: Int) -> [Int] {
    let marks = seats[seat].marks
    let counts = allLines.map { (marks & $0.mask).nonzeroBitCount }
    let best = counts.max() ?? 0
    return [best, counts.count { $0 == best }, (marks & ~freeMask).nonzeroBitCount]
  }

  /// Who is closest to a line; of several, whose last mark stands earliest in the log.
  private var closest: [Int] {
    let staying = staying
    guard let best = staying.map(closeness).max(by: { $0.lexicographicallyPrecedes($1) }) else {
      return []
    }
    let level = staying.filter { closeness(of: $0) == best }
    guard let earliest = level.compactMap({ seats[$0].markedAt }).min() else { return level }
    return level.filter { seats[$0].markedAt == earliest }
  }

  /// Ends the game: open claims stay undecided (decision 3).
  private mutating func end(_ kind: GameOutcome.Kind, winners: [Int], at place: LogPlace) {
    closeOpenClaims(at: place)
    let keys = winners.map { players[$0] }
    outcome = GameOutcome(kind: kind, winners: keys, place: place)
    switch kind {
    case .line: news.append(GameNews(kind: "won", place: place, who: keys))
    case .lastPlayer: news.append(GameNews(kind: "lastPlayer", place: place, who: keys))
    case .settled: news.append(GameNews(kind: "settled", place: place, who: keys))
    case .unfinished, .drawn: break
    }
  }
}
