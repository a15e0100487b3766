package import Wire

/// Who is on the network: a value that hears verified beacons and time.
package struct Roster: Sendable {
  /// Rows at the most; a flood of made-up keys cannot grow it further.
  package static let capacity = 256
  /// Rows of one address at the most, so that a laptop with many identities keeps nobody out; nodes on
  /// this same laptop are not counted.
  package static let capacityPerAddress = 16
  /// Keys whose newest counters are remembered after they are gone, against replays.
  package static let memory = 1_024
  /// How much later than first the same beacon may come by another path, in milliseconds; later it
  /// is a recorded one.
  package static let echo: UInt64 = 2_000
  /// People who are sent beacons alone, besides the broadcast, at the most.
  package static let mostUnicasts = 16

  private let me: PublicKey
  /// Ascending by key.
  package internal(set) var neighbours: [Neighbour] = []
  private var newest: [(key: PublicKey, incarnation: UInt64, sequence: UInt64)] = []

  /// An empty roster of the node with identity `me`.
  package init(me: PublicKey) { self.me = me }

  /// The row of a key.
  package subscript(key: PublicKey) -> Neighbour? { index(of: key).map { neighbours[$0] } }

  func index(of key: PublicKey) -> Int? {
    neighbours.firstIndex { $0.beacon.identity == key }
  }

  /// The neighbour whose beacon announces a table with this code, with its notice.
  package func table(code: Int) -> [(Neighbour, TableNotice)] {
    neighbours.flatMap { row in
      row.beacon.tables.filter { $0.code == code }.map { (row, $0) }
    }
  }

  // MARK: Hearing

  /// Takes in a beacon that has come through the door.
  ///
  /// One of `friends` finds room also where it `isCrowded`.
  package mutating func hear(
    _ verified: Verified<Beacon>, by arriving: Arriving, told: Told, friends: [PublicKey] = [],
    at now: UInt64
  ) -> Hearing {
    let beacon = verified.body
    guard beacon.identity != me else { return .own }
    if let refusal = replay(of: beacon) {
      hearAgain(beacon, refusal, by: arriving, at: now)
      return refusal
    }
    guard !beacon.isGoodbye else {
      saidGoodbye(beacon.identity)
      return .gone
    }
    guard let index = index(of: beacon.identity) else {
      guard makeRoom(for: beacon.identity, by: arriving, friends: friends) else {
        return .full
      }
      insert(first(beacon, by: arriving, told: told, at: now))
      return .new
    }
    let old = neighbours[index]
    guard old.beacon.incarnation == beacon.incarnation else {
      neighbours[index] = first(beacon, by: arriving, told: told, at: now)
      neighbours[index].former = FormerRun(
        incarnation: old.beacon.incarnation, sequence: old.beacon.sequence, at: now)
      return .new
    }
    neighbours[index].beacon = beacon
    neighbours[index].heardAt = now
    note(beacon, by: arriving, told: told, at: now, in: &neighbours[index])
    return neighbours[index].looksLike(old) ? .same : .changed
  }

  /// A row that begins: what was known of an earlier run of the same node is worth nothing.
  private func first(
    _ beacon: Beacon, by arriving: Arriving, told: Told, at now: UInt64
  ) -> Neighbour {
    let path = Path(
      address: arriving.address, how: arriving.how, interface: arriving.interface, heardAt: now)
    var row = Neighbour(beacon, path: path, reach: Reach(settled: told.settled))
    note(beacon, by: arriving, told: told, at: now, in: &row)
    return row
  }

  private func note(
    _ beacon: Beacon, by arriving: Arriving, told: Told, at now: UInt64, in row: inout Neighbour
  ) {
    row.heard(
      arriving.how, at: arriving.address, interface: arriving.interface,
      sequence: beacon.sequence, now: now)
    row.noteDatagram(arriving, at: now)
    row.reach.read(
      beacon.tellsHearing(of: me), byDatagram: arriving.how == .datagram,
      settled: told.isSent ? told.settled : nil, period: beacon.period, at: now)
    row.clock.note(clock: beacon.clock, wall: told.wall)
  }

  /// A beacon that is not new may have come by a new path, or from another run than the newest.
  private mutating func hearAgain(
    _ beacon: Beacon, _ refusal: Hearing, by arriving: Arriving, at now: UInt64
  ) {
    guard let index = index(of: beacon.identity) else { return }
    if refusal == .duplicate, beacon.signature != neighbours[index].beacon.signature {
      // One node signs one beacon under one number.
      neighbours[index].former = FormerRun(twiceAt: now, beacon)
    } else if refusal == .duplicate {
      guard now < neighbours[index].heardAt + Roster.echo, !beacon.isGoodbye else { return }
      neighbours[index].heard(
        arriving.how, at: arriving.address, interface: arriving.interface,
        sequence: beacon.sequence, now: now)
      neighbours[index].noteDatagram(arriving, at: now)
    } else if neighbours[index].mayBeOutlived(by: beacon) {
      if neighbours[index].former?.incarnation != beacon.incarnation {
        neighbours[index].former = FormerRun(
          incarnation: beacon.incarnation, sequence: beacon.sequence, at: now)
      }
      neighbours[index].former?.heard(beacon, at: now)
    }
  }

  private mutating func insert(_ row: Neighbour) {
    let key = row.beacon.identity
    neighbours.insert(
      row, at: neighbours.firstIndex { $0.beacon.identity > key } ?? neighbours.count)
  }

  private mutating func replay(of beacon: Beacon) -> Hearing? {
    let counters = (beacon.incarnation, beacon.sequence)
    if let index = newest.firstIndex(where: { $0.key == beacon.identity }) {
      let known = (newest[index].incarnation, newest[index].sequence)
      guard known < counters else { return known == counters ? .duplicate : .replayed }
      newest.remove(at: index)
    } else if newest.count == Roster.memory {
      // Not of those who are here: an old goodbye of theirs would be new again.
      newest.remove(at: newest.firstIndex { self.index(of: $0.key) == nil } ?? 0)
    }
    newest.append((beacon.identity, beacon.incarnation, beacon.sequence))
    return nil
  }
}
