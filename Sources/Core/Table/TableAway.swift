import Games
import Wire

/// Who is away: no voter has heard the laptop for a minute, as a quorum says (CONSENSUS 1.3, 1.4;
/// PRODUCT decision 4). The seat is kept, and is present again with its next entry.
extension Table {
  /// Milliseconds without a link to a seat's laptop.
  package static let awayAfter: UInt64 = 60_000

  /// Seats that may become away: dealt in, present, a person's, and not at a practice table.
  var mayBecomeAway: [Int] {
    guard phase == .playing, !genesis.draft.practice else { return [] }
    return dealt.filter { !seats[$0].hasLeft && !seats[$0].isAway && !seats[$0].isPretend }
  }

  /// Named by the seat's next sequence: whatever it does makes signatures from before worthless.
  func awayDeadline(_ seat: Int) -> GameDeadline {
    GameDeadline(
      kind: "away", subject: UInt64(seat),
      opened: LogPlace(height: seats[seat].nextSequence, index: 0), duration: Table.awayAfter)
  }

  mutating func becomeAway(_ seat: Int, at place: LogPlace) {
    seats[seat].isAway = true
    news.append(GameNews(kind: "away", place: place, who: [seats[seat].player]))
    if let player = dealt.firstIndex(of: seat) { game?.seatAway(player, true) }
  }

  /// An entry of the seat stands in the log; whether it was away until then.
  mutating func comeBack(_ seat: Int, toLeave isLeaving: Bool, at place: LogPlace) -> Bool {
    guard seats[seat].isAway else { return false }
    seats[seat].isAway = false
    if !isLeaving {
      news.append(GameNews(kind: "back", place: place, who: [seats[seat].player]))
    }
    if let player = dealt.firstIndex(of: seat) { game?.seatAway(player, false) }
    return true
  }
}
