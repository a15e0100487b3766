package import Wire

/// Somebody whose beacon was heard: one row per key, whatever the number of paths.
package struct Neighbour: Hashable, Sendable {
  /// The newest beacon.
  package var beacon: Beacon
  /// Where links are dialled: the datagram's source host and the advertised port.
  package var address: Address
  /// When the newest one came, in milliseconds of the monotonic clock.
  package var heardAt: UInt64
  /// When the newest one came as a datagram.
  package var datagramAt: UInt64?
  /// When the node stops counting as here.
  package var expiresAt: UInt64
}

/// What a beacon changed.
package enum Hearing: Equatable, Sendable {
  /// Somebody new, or back with a new start: worth a unicast answer at once.
  case new
  /// Known before, something about it changed.
  case changed
  /// Known before, nothing changed.
  case same
  /// It said goodbye.
  case gone
  /// The newest one once more: it came by another path as well.
  case duplicate
  /// Older than what came before.
  case replayed
  /// Our own, come back.
  case own
  /// More people than a roster holds.
  case full
}

/// Who is on the network: a value that hears verified beacons and time.
package struct Roster: Sendable {
  /// Rows at the most; a flood of made-up keys cannot grow it further.
  package static let capacity = 256
  /// Keys whose newest counters are remembered after they are gone, against replays.
  package static let memory = 1_024
  /// How much later than first the same beacon may come by another path, in milliseconds; later it
  /// is a recorded one.
  package static let echo: UInt64 = 2_000

  private let me: PublicKey
  /// Ascending by key.
  package private(set) var neighbours: [Neighbour] = []
  private var newest: [(key: PublicKey, incarnation: UInt64, sequence: UInt64)] = []

  /// An empty roster of the node with identity `me`.
  package init(me: PublicKey) { self.me = me }

  /// Takes in a beacon that has come through the door.
  ///
  /// Senders expire after three of their periods and a second (PRODUCT decision 10).
  package mutating func hear(
    _ verified: Verified<Beacon>, from host: IPAddress, at now: UInt64, byDatagram: Bool = true
  ) -> Hearing {
    let beacon = verified.body
    guard beacon.identity != me else { return .own }
    if let refusal = replay(of: beacon) {
      if refusal == .duplicate, byDatagram { again(beacon, at: now) }
      return refusal
    }
    let index = neighbours.firstIndex { $0.beacon.identity >= beacon.identity } ?? neighbours.count
    let known = index < neighbours.count && neighbours[index].beacon.identity == beacon.identity
    if beacon.isGoodbye {
      if known { neighbours.remove(at: index) }
      return .gone
    }
    let last = known ? neighbours[index].datagramAt : nil
    let row = Neighbour(
      beacon: beacon, address: Address(host: host, port: beacon.linkPort), heardAt: now,
      datagramAt: byDatagram ? now : last, expiresAt: now + 3 * beacon.period + 1_000)
    guard known else {
      guard neighbours.count < Roster.capacity else { return .full }
      neighbours.insert(row, at: index)
      return .new
    }
    let old = neighbours[index]
    neighbours[index] = row
    if old.beacon.incarnation != beacon.incarnation { return .new }
    return old.address == row.address && old.beacon.name == beacon.name
      && old.beacon.tables == beacon.tables && old.beacon.atTable == beacon.atTable
      ? .same : .changed
  }

  /// The newest beacon once more: by a datagram where it came over a link first.
  private mutating func again(_ beacon: Beacon, at now: UInt64) {
    guard let index = neighbours.firstIndex(where: { $0.beacon.identity == beacon.identity }),
      now < neighbours[index].heardAt + Roster.echo
    else { return }
    neighbours[index].datagramAt = now
  }

  private mutating func replay(of beacon: Beacon) -> Hearing? {
    let counters = (beacon.incarnation, beacon.sequence)
    if let index = newest.firstIndex(where: { $0.key == beacon.identity }) {
      let known = (newest[index].incarnation, newest[index].sequence)
      guard known < counters else { return known == counters ? .duplicate : .replayed }
      newest.remove(at: index)
    } else if newest.count == Roster.memory {
      newest.removeFirst()
    }
    newest.append((beacon.identity, beacon.incarnation, beacon.sequence))
    return nil
  }

  /// Drops whoever has been silent too long; returns their keys.
  package mutating func expire(at now: UInt64) -> [PublicKey] {
    let gone = neighbours.filter { $0.expiresAt <= now }.map(\.beacon.identity)
    if !gone.isEmpty { neighbours.removeAll { $0.expiresAt <= now } }
    return gone
  }

  /// Ends a row because its node said goodbye on a link; a later beacon begins another.
  package mutating func saidGoodbye(_ key: PublicKey) {
    neighbours.removeAll { $0.beacon.identity == key }
  }

  /// Prolongs a row because its node was heard on a link.
  package mutating func heardOnLink(_ key: PublicKey, at now: UInt64) {
    guard let index = neighbours.firstIndex(where: { $0.beacon.identity == key }) else { return }
    let expiry = now + 3 * neighbours[index].beacon.period + 1_000
    neighbours[index].expiresAt = max(neighbours[index].expiresAt, expiry)
  }

  /// The row of a key.
  package subscript(key: PublicKey) -> Neighbour? {
    neighbours.first { $0.beacon.identity == key }
  }

  /// The marks of all whose datagrams are heard now, ascending, none twice.
  package func heardMarks(at now: UInt64) -> [KeyMark] {
    var out: [KeyMark] = []
    for row in neighbours {
      guard let heard = row.datagramAt, now < heard + 3 * row.beacon.period + 1_000 else {
        continue
      }
      let mark = KeyMark(row.beacon.identity)
      if out.last != mark { out.append(mark) }
    }
    return out
  }

  /// When the next row expires.
  package var nextExpiry: UInt64? { neighbours.map(\.expiresAt).min() }

  /// The neighbour whose beacon announces a table with this code, with its notice.
  package func table(code: Int) -> [(Neighbour, TableNotice)] {
    neighbours.flatMap { row in
      row.beacon.tables.filter { $0.code == code }.map { (row, $0) }
    }
  }
}

/// When the next beacon is due (PRODUCT decision 10).
package struct BeaconSchedule: Sendable {
  /// Every 2 s while an own table is open, else every 10 s, 30 s above sixteen neighbours.
  package static func period(openTable: Bool, neighbours: Int) -> UInt64 {
    openTable ? 2_000 : neighbours > 16 ? 30_000 : 10_000
  }

  /// A period varied by up to a fifth either way, so that laptops do not fall into step.
  package static func varied(_ period: UInt64, by noise: UInt64) -> UInt64 {
    period - period / 5 + noise % (2 * period / 5 + 1)
  }
}
