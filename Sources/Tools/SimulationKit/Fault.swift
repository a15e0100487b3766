/// What can go wrong at a simulated table without anybody's lie; the raw value is how the command
/// line names it.
package enum Fault: String, Sendable, CaseIterable {
  // Of the network; the first three by message, the others by half-second.
  /// A message is lost.
  case loss
  /// A message comes twice.
  case double
  /// A message comes with some bytes changed.
  case garble
  /// A link holds everything back for up to 5 s, then brings it all.
  case clog
  /// A link between two goes down.
  case cut
  /// One node loses all links.
  case isolation
  /// The nodes fall into two parts.
  case split
  /// One direction of a link swallows everything, and nobody is told.
  case oneWay = "one-way"
  /// A node has a new address: its links go down and come up one by one, minutes later or never.
  case address
  // Of laptops, by half-second.
  /// A program stands still for up to 6 s.
  case pause
  /// A laptop sleeps for up to eight hours.
  case sleep
  /// All laptops sleep at once.
  case nap
  /// The clock on the wall is set an hour forth or back.
  case clock
  /// Monotonic clocks run up to one percent apart.
  case drift
  // Of programs and disks.
  /// A program ends while something is on its way to the disk; by sync.
  case crash
  /// All programs end at once.
  case blackout
  /// A crash loses all that was not synced; by crash, as the next two.
  case unsynced
  /// Unsynced writes reach the disk in another order; what stands behind a gap does not count.
  case reorder
  /// The last unsynced write is cut short.
  case torn
  /// The disk is full, and is not after the next start; by half-second.
  case full
  /// Bits of a stored row turn.
  case rot
  /// The data folder is set back to an older copy.
  case rollback
}

/// How often each kind of fault happened.
package struct FaultCounts: Sendable {
  private var counts = Array(repeating: 0, count: Fault.allCases.count)

  /// Starts with none.
  package init() {}

  /// How often one kind happened.
  package subscript(fault: Fault) -> Int {
    get { counts[fault.index] }
    set { counts[fault.index] = newValue }
  }

  /// Adds those of another world.
  package mutating func add(_ other: FaultCounts) {
    for fault in Fault.allCases { self[fault] += other[fault] }
  }
}

extension Fault {
  /// Its place among all.
  var index: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}
