import Consensus
import Games
package import Wire

/// People without a seat who look on (PRODUCT X6): they hold the log, act on nothing and do not vote.
///
/// What they are shown of the boards is for the rules to say and for their own laptop to keep to: whoever holds
/// the log could deal the boards again.
extension Table {
  /// Who look on at a time, and who a log ever names.
  package static let watcherLimit = 16
  static let watchLimit = 64

  /// Whether somebody may come to look on.
  package var mayBeWatched: Bool {
    setup.takesWatchers && !genesis.draft.practice && !isLocked && phase != .over
      && phase != .cancelled
  }

  /// Whoever looks on with a player key.
  package func watcher(of player: PublicKey) -> Int? {
    watchers.firstIndex { $0.player == player }
  }

  /// Those who look on now: neither gone nor seated after all.
  package var watching: [Int] {
    watchers.indices.filter { index in
      !watchers[index].hasLeft
        && !seats.contains { $0.identity == watchers[index].identity && !$0.hasLeft }
    }
  }

  /// Why somebody may not look on; nil when it may.
  func watchRefusal(_ entry: Entry, _ member: Member) -> Refusal? {
    guard isSigned(entry, by: member) else { return .badJoin }
    guard phase != .over, phase != .cancelled else { return .tableOver }
    guard setup.takesWatchers, !genesis.draft.practice else { return .notWatched }
    guard isName(of: member) else { return .badName }
    let others = seats + witnesses + watchers
    if others.contains(where: { $0.isTakenOff && $0.identity == member.identity }) {
      return .takenOff
    }
    if others.contains(where: { !$0.hasLeft && $0.identity == member.identity }) {
      return .alreadySeated
    }
    if isUsed(member, besides: others) { return .keyUsed }
    guard !isLocked else { return .tableLocked }
    return watching.count < Table.watcherLimit && watchers.count < Table.watchLimit
      ? nil : .watchersFull
  }

  /// What somebody who looks on says in the log: that it goes.
  mutating func apply(
    _ act: Act?, _ entry: Entry, ofWatcher index: Int, at place: LogPlace
  ) -> Outcome {
    watchers[index].nextSequence += 1
    guard act == .left, entry.turn == 0 else { return .void(code: Refusal.notMember.code) }
    watchers[index].leftAt = place
    return .done
  }
}
