import Consensus
import Wire

/// What the page shows that has no event of its own here: it follows from time, from a stranger's
/// bytes, or from what a replica keeps to itself.
struct ShownByTime: Sendable, Equatable {
  /// For what a table waits.
  struct Waiting: Sendable, Equatable {
    let table: TableID
    /// Its creator has been away from the lobby for long.
    let isDeserted: Bool
    let reachable: Int
    let leaving: [String]
    /// Blocks in which a word may have been denied that still rests.
    let resting: Int
  }

  /// What is only counted.
  struct Counts: Sendable, Equatable {
    let refused: Counter
    let finalVotes: Int
  }

  var waiting: [Waiting] = []
  /// What was ignored so far of the network; then of each table, with the votes for its last block.
  var refused = Counter()
  var counts: [Counts] = []
  /// From when counts are told again: a flood must not make a state each.
  var nextCountsAt: Milliseconds = 0

  /// Pause between two states that differ in nothing but counts.
  static let pause: Milliseconds = 1_000
}

extension Peer {
  private mutating func noteLeaving(_ index: Int) {
    let mark = sessions[index].replica.poolChanges
    guard sessions[index].leaving.at != mark else { return }
    sessions[index].leaving = (sessions[index].leavingNames, mark)
  }

  /// Has the page told what has come to pass since it was last told.
  mutating func noteWhatTimeChanged() {
    // What is told anyway is compared the next time.
    guard !isChanged else { return }
    var waiting: [ShownByTime.Waiting] = []
    // By index, here and below: to copy sessions with every frame would cost more than the frame.
    for index in sessions.indices where isSatAt(index) {
      noteLeaving(index)
      waiting.append(
        ShownByTime.Waiting(
          table: sessions[index].id, isDeserted: isDeserted(index),
          reachable: sessions[index].replica.reachableCount,
          leaving: sessions[index].leaving.names, resting: restingBlocks(index)))
    }
    if waiting != shownByTime.waiting {
      shownByTime.waiting = waiting
      isChanged = true
    }
    guard now >= shownByTime.nextCountsAt else { return }
    let counts = sessions.indices.map { index in
      ShownByTime.Counts(
        refused: sessions[index].counter,
        finalVotes: sessions[index].replica.finality(at: sessions[index].replica.finalHeight)?
          .signatures ?? 0)
    }
    guard counter != shownByTime.refused || counts != shownByTime.counts else { return }
    shownByTime.refused = counter
    shownByTime.counts = counts
    shownByTime.nextCountsAt = now + ShownByTime.pause
    isChanged = true
  }
}
