import Table
import Wire

/// What is counted while a log is read.
struct LogTally {
  /// Rows after the first.
  var rows = 0
  /// Acts of players.
  private(set) var acts = 0
  /// Those of them that are moves of the game.
  private(set) var moves = 0
  /// Limits of time that ended.
  private(set) var deadlines = 0
  /// The time that the first block shows; milliseconds since 1970.
  private(set) var firstShown: UInt64?

  mutating func count(_ block: Block) {
    rows += 1
    acts += block.entries.count
    deadlines += block.deadlines.count
    if firstShown == nil { firstShown = block.shownTime }
    for entry in block.entries {
      if case .move = try? Act(decoding: entry.body) { moves += 1 }
    }
  }
}
