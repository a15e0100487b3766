import Wire

/// An honest mistake: a claim that was accepted is taken back by who made it (PRODUCT X22).
extension Bingo {
  /// The claim that a seat may take back now; nil when there is none.
  package func mayTakeBack(_ seat: Int) -> Int? {
    guard let number = lastDecided else { return nil }
    do throws(IllegalMove) { try checkTakeBack(number, by: seat) } catch { return nil }
    return outcome == nil && !seats[seat].hasLeft ? number : nil
  }

  /// Only the newest decision can be undone: whatever was agreed later rests on it.
  func checkTakeBack(_ number: Int, by seat: Int) throws(IllegalMove) {
    guard claims.indices.contains(number) else { throw .noSuchClaim }
    let claim = claims[number]
    guard claim.by == seat else { throw .notYourClaim }
    guard claim.state == .accepted else { throw .nothingToTakeBack }
    guard lastDecided == number else { throw .tooLateToTakeBack }
  }

  /// Takes the marks of the claim off the boards, and the lines that stood on them with them.
  mutating func takeBack(_ number: Int, at place: LogPlace) {
    let claim = claims[number]
    close(number, as: .takenBack, at: place)
    lastDecided = nil
    if accepted[claim.event] == number {
      accepted[claim.event] =
        claims.first {
          $0.event == claim.event && $0.state == .accepted
        }?.number
    }
    // Where only finders are marked, somebody else's accepted claim of the word stands.
    let unmarked = settings.marking == .finder ? claim.finders : Array(seats.indices)
    for seat in unmarked {
      guard let tile = deal.boards[seat].firstIndex(of: claim.event), isMarked(tile, seat) else {
        continue
      }
      seats[seat].marks &= ~(1 << UInt64(tile))
      seats[seat].markedAt = place
      if !hasPlace(seat) && lines(of: seat).isEmpty { seats[seat].lineAt = nil }
    }
    if closers.isEmpty { closingAt = nil }
    tell("takenBack", claims[number], who: [claim.by], at: place)
  }
}
