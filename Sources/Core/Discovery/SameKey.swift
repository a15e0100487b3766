import Wire

/// An earlier run of somebody's node, which may turn out to run still: two nodes with one key.
///
/// A copied folder makes one. Late or recorded beacons of a run that was killed do not: two different
/// ones that were not heard before have to come, a second or more after the later run began, and their
/// clock has to show that they were made after it.
struct FormerRun: Hashable, Sendable {
  let incarnation: UInt64
  private var sequence: UInt64
  private var since: UInt64
  private var strange = 0
  /// Until when both count as running.
  private(set) var twiceUntil: UInt64?

  /// The run whose newest beacon had this sequence gives way to another.
  init(incarnation: UInt64, sequence: UInt64, at now: UInt64) {
    self.incarnation = incarnation
    self.sequence = sequence
    since = now
  }

  /// Two nodes have signed different beacons under the same numbers.
  init(twiceAt now: UInt64, _ beacon: Beacon) {
    self.init(incarnation: beacon.incarnation, sequence: beacon.sequence, at: now)
    twiceUntil = now + SameKey.memory
  }

  var isTwice: Bool { twiceUntil != nil }

  /// A beacon of the earlier run came after those of the later one.
  mutating func heard(_ beacon: Beacon, at now: UInt64) {
    guard beacon.incarnation == incarnation, beacon.sequence > sequence else { return }
    sequence = beacon.sequence
    guard now >= since + 1_000 else { return }
    strange += 1
    if strange > 1 { twiceUntil = now + SameKey.memory }
  }

  mutating func settle(at now: UInt64) {
    guard let until = twiceUntil, until <= now else { return }
    twiceUntil = nil
    strange = 0
  }

  mutating func stoodStill(for span: UInt64) {
    since += span
    twiceUntil = twiceUntil.map { $0 + span }
  }
}

/// Watches for another node that speaks with the own key: a copied folder.
package struct SameKey: Sendable {
  /// How long the last sign of it counts, in milliseconds.
  package static let memory: UInt64 = 60_000
  /// A beacon of an earlier run is of another node only where its clock shows this many seconds more
  /// than that of the later run at its start.
  static let margin: UInt64 = 2
  /// Own beacons that are remembered, to know one from another node's with the same numbers.
  static let remembered = 64

  private let incarnation: UInt64
  /// Seconds since 1970.
  private let startedAt: UInt64
  private var sent: [(sequence: UInt64, signature: Signature)] = []
  private var last: UInt64 = 0
  /// The newest of an earlier run that might still be running.
  private var doubtful: (incarnation: UInt64, sequence: UInt64)?
  /// When the last sign came of another node with the own key.
  private var heardAt: UInt64?

  /// The run that begins now; `startedAt` is the wall clock in milliseconds since 1970.
  package init(incarnation: UInt64, startedAt: UInt64) {
    self.incarnation = incarnation
    self.startedAt = startedAt / 1_000
  }

  /// Remembers a beacon that this node sends.
  package mutating func sent(_ beacon: Beacon) {
    last = max(last, beacon.sequence)
    sent.append((beacon.sequence, beacon.signature))
    if sent.count > SameKey.remembered { sent.removeFirst() }
  }

  /// Judges a beacon with the own key; returns whether it is another node's for certain.
  @discardableResult
  package mutating func hear(_ beacon: Beacon, at now: UInt64) -> Bool {
    guard isAnothers(beacon) else { return false }
    heardAt = now
    return true
  }

  private mutating func isAnothers(_ beacon: Beacon) -> Bool {
    if beacon.incarnation == incarnation {
      if let mine = sent.first(where: { $0.sequence == beacon.sequence }) {
        return mine.signature != beacon.signature
      }
      return beacon.sequence > last
    }
    // Every start takes a higher number than all before it in the same folder.
    if beacon.incarnation > incarnation { return true }
    // What an own earlier run said may come late, or be played by somebody who has recorded it.
    guard beacon.clock >= startedAt + SameKey.margin else { return false }
    defer {
      if doubtful.map({ $0 < (beacon.incarnation, beacon.sequence) }) ?? true {
        doubtful = (beacon.incarnation, beacon.sequence)
      }
    }
    guard let doubtful, doubtful.incarnation == beacon.incarnation else { return false }
    return beacon.sequence > doubtful.sequence
  }

  /// Whether another node with the own key was heard within the last minute.
  package func isTwice(at now: UInt64) -> Bool {
    heardAt.map { now < $0 + SameKey.memory } ?? false
  }

  /// When that is no longer so.
  package var expiresAt: UInt64? { heardAt.map { $0 + SameKey.memory } }

  /// What people are told, on both pages; the program is named as they start it.
  package static func sentence(program: String) -> String {
    "Another Tabletalk on this network uses the same key as this one (its folder was copied). Stop one of them, or start it with another folder: \(program) --data FOLDER."
  }
}
