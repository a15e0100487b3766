import Games
import Wire

/// Who runs a table, and what that is good for: to lock it, to take somebody off it and to let them
/// back (PRODUCT X34, X5).
extension Table {
  /// The seat that runs the table: its creator's until it is dealt; from then on the first in the order of
  /// seats that has not left and is not away.
  package var runner: Int {
    guard phase != .lobby, phase != .starting, !genesis.draft.practice else { return 0 }
    return members.first { !seats[$0].isAway } ?? members.first ?? 0
  }

  /// Tells who runs the table, once it is somebody else than before.
  mutating func noteRunner(_ before: Int, at place: LogPlace) {
    guard phase == .dealing || phase == .playing, runner != before else { return }
    news.append(GameNews(kind: "runs", place: place, who: [seats[runner].player]))
  }

  private func checkRunner(_ seat: Int) throws(IllegalMove) {
    guard seat == runner else { throw IllegalMove(.onlyHost) }
    guard !genesis.draft.practice else { throw IllegalMove(.practice) }
    guard phase != .over else { throw IllegalMove(.tableOver) }
  }

  mutating func lock(_ isLocked: Bool, by seat: Int, at place: LogPlace) throws(IllegalMove) {
    try checkRunner(seat)
    guard self.isLocked != isLocked else { throw IllegalMove(.sameLock) }
    self.isLocked = isLocked
    let kind = isLocked ? "locked" : "unlocked"
    news.append(GameNews(kind: kind, place: place, who: [seats[seat].player]))
  }

  mutating func takeOff(
    _ player: PublicKey, by seat: Int, at place: LogPlace
  ) throws(IllegalMove) {
    try checkRunner(seat)
    if let watcher = watcher(of: player), !watchers[watcher].hasLeft {
      watchers[watcher].leftAt = place
      watchers[watcher].isTakenOff = true
      return
    }
    guard let target = self.seat(of: player), !seats[target].hasLeft else {
      throw IllegalMove(.noSuchSeat)
    }
    guard target != seat else { throw IllegalMove(.ownSeat) }
    // Whoever runs the table does not win by being the only one who is left.
    guard phase == .lobby || phase == .starting || members.count > 2 else {
      throw IllegalMove(.tooFewWouldStay)
    }
    seats[target].isTakenOff = true
    if seats[target].isAway {
      seats[target].isAway = false
      if let player = dealt.firstIndex(of: target) { game?.seatAway(player, false) }
    }
    leave(target, as: "takenOff", at: place)
  }

  mutating func letBack(
    _ player: PublicKey, by seat: Int, at place: LogPlace
  ) throws(IllegalMove) {
    try checkRunner(seat)
    guard let target = self.seat(of: player), seats[target].isTakenOff else {
      throw IllegalMove(.notTakenOff)
    }
    guard members.count < seatLimit else { throw IllegalMove(.tableFull) }
    let dealtSeat = dealt.firstIndex(of: target)
    if phase == .playing {
      guard dealtSeat == nil ? takesLatecomers : game?.mayReturn ?? false else {
        throw IllegalMove(.noReturn)
      }
    }
    seats[target].isTakenOff = false
    seats[target].leftAt = nil
    seats[target].leftEarly = false
    news.append(GameNews(kind: "letBack", place: place, who: [player]))
    guard phase == .playing else { return }
    if let dealtSeat {
      game?.seatReturned(dealtSeat, at: place)
    } else {
      dealIn(target, at: place)
    }
  }

  /// Somebody gets a board though the game is being played.
  mutating func dealIn(_ seat: Int, at place: LogPlace) {
    seats[seat].lateAt = place
    dealt.append(seat)
    game?.seatJoined(seats[seat].player, at: place)
    news.append(GameNews(kind: "joinedLate", place: place, who: [seats[seat].player]))
  }
}
