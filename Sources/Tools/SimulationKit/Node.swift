package import Consensus
package import Wire

/// A simulated laptop: what survives a crash, and what runs while it is up.
package struct Node<App: Application>: Sendable {
  package let person: Person
  /// Nil while it is down.
  package internal(set) var replica: Replica<App>?
  package internal(set) var disk = Disk()
  /// Own entries, durable before they are submitted.
  package internal(set) var entries: [Verified<Entry>] = []
  package internal(set) var hasLeft = false
  /// Counts its lives; what belongs to a former one is dropped.
  var life = 0
  var pausedUntil: UInt64 = 0
  var wakeAt: UInt64?
  var isSyncing = false

  /// How far its monotonic clock is ahead of the world's time, in milliseconds.
  package var clockAhead: UInt64 = 0

  init(person: Person) { self.person = person }

  /// The sequence of its next entry: the creator has no join.
  var nextSequence: UInt64 { UInt64(entries.count) + (person.index == 0 ? 1 : 0) }
}
