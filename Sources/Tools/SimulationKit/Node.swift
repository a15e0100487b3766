package import Consensus
package import Wire

/// A simulated laptop: what survives a crash, and what runs while it is up.
package struct Node<App: Application>: Sendable {
  package let person: Person
  /// Nil while it is down.
  package internal(set) var replica: Replica<App>?
  package internal(set) var disk = Disk()
  /// An older copy of its disk.
  var copy: Disk?
  /// Own entries, durable before they are submitted.
  package internal(set) var entries: [Verified<Entry>] = []
  package internal(set) var hasLeft = false
  /// How it lies; nil for an honest one.
  package internal(set) var liar: (any Liar)?
  var memory = Memory()
  /// Its folder can not be read any more, so it never comes back.
  package internal(set) var isLost = false
  /// Its folder was set back or has rotted: it may have forgotten what it signed.
  package internal(set) var isDamaged = false
  /// A write failed in this life, so that it may sign nothing more.
  var isFull = false
  /// In this life it was shown an own vote of the current epoch that its folder does not hold.
  var hasForgotten = false
  /// When this life began, nil for the first, and what linked ones last said of themselves in it.
  var startedAt: UInt64?
  var standings: [PublicKey: Status] = [:]
  /// Counts its lives; what belongs to a former one is dropped.
  var life = 0
  var pausedUntil: UInt64 = 0
  var isAsleep = false
  var wakeAt: UInt64?
  var isSyncing = false
  /// The epoch that it was last seen in.
  var epoch: Digest?
  /// The view of it that it was last seen in.
  var view: UInt64 = 1
  /// Highest height that it was seen to call settled.
  var settledHeight: UInt64 = 0

  /// How far its monotonic clock is ahead of the world's time, in milliseconds.
  package var clockAhead: UInt64 = 0
  /// How much faster its clocks run, in a thousandth part.
  var drift: Int64 = 0

  /// Whom it could reach.
  var reach: ReachChecker

  init(person: Person) {
    self.person = person
    reach = ReachChecker(voter: person.voter)
  }

  /// The sequence of its next entry: the creator has no join.
  var nextSequence: UInt64 { UInt64(entries.count) + (person.index == 0 ? 1 : 0) }

  /// It follows the protocol, and its folder with it: what is promised, is promised of it.
  package var isHonest: Bool { liar == nil && !isDamaged }

  /// Its monotonic clock at a moment of the world.
  func clock(at now: UInt64) -> UInt64 {
    UInt64(Int64(now) + Int64(now) * drift / 1_000) + clockAhead
  }

  /// The first moment of the world at which its clock shows at least so much.
  func moment(of time: UInt64) -> UInt64 {
    guard time > clockAhead else { return 0 }
    let rest = Int64(time - clockAhead)
    return UInt64((rest * 1_000 + 999 + drift) / (1_000 + drift))
  }
}
