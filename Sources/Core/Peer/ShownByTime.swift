import Consensus
import Wire

/// What the page shows that no event of its own changes: time does, or a stranger's bytes do.
struct ShownByTime: Sendable, Equatable {
  /// Lobbies whose creator has been away for long.
  var deserted: [TableID] = []
  /// What was ignored so far: of the network, then of each table.
  var refused: [Counter] = []
  /// From when counts are told again: a flood must not make a state each.
  var nextCountsAt: Milliseconds = 0

  /// Pause between two states that differ in nothing but counts.
  static let pause: Milliseconds = 1_000
}

extension Peer {
  /// Has the page told what has come to pass since it was last told.
  mutating func noteWhatTimeChanged() {
    let deserted = sessions.filter { $0.creatorIsGone(me: me, at: now) }.map(\.id)
    if deserted != shownByTime.deserted {
      shownByTime.deserted = deserted
      isChanged = true
    }
    guard now >= shownByTime.nextCountsAt else { return }
    let refused = [counter] + sessions.map(\.counter)
    guard refused != shownByTime.refused else { return }
    shownByTime.refused = refused
    shownByTime.nextCountsAt = now + ShownByTime.pause
    isChanged = true
  }
}
