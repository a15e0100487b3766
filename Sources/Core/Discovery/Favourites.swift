package import Wire

/// The people the player wants to find again: whom to ask for when, and what is to be written.
///
/// Those who are not here are asked for at the addresses they had, slowly: broadcast does not reach
/// them there.
package struct Favourites: Sendable {
  /// People at the most.
  package static let limit = 64
  /// People asked for in one round, at all of their addresses.
  static let roundSize = 16
  /// Time from one round to the next, in milliseconds, varied by a fifth either way.
  static let pause: UInt64 = 30_000
  /// Datagrams that leave together, and the pause between two such bursts in milliseconds.
  static let burst = 4
  static let burstPause: UInt64 = 1_000
  /// How long a change of one person waits for the next time it is written, in milliseconds.
  static let writePause: UInt64 = 60_000

  /// Ascending by key.
  package private(set) var rows: [Favourite] = []
  /// What has changed since it was last written, and when that was; same order as the rows.
  private var writing: [(isNews: Bool, writtenAt: UInt64?)] = []
  private var queue: [(key: PublicKey, address: IPAddress)] = []
  /// Who was asked for last, to go round.
  private var last: PublicKey?
  private var roundAt: UInt64 = 0
  private var burstAt: UInt64 = 0

  /// Those that were read from the store; one key counts once, and more than may be kept are dropped.
  package init(_ stored: [Favourite] = []) {
    for row in stored where rows.count < Favourites.limit && self[row.key] == nil { insert(row) }
  }

  /// The favourite with a key.
  package subscript(key: PublicKey) -> Favourite? { index(of: key).map { rows[$0] } }

  /// Whether no more can be kept.
  package var isFull: Bool { rows.count >= Favourites.limit }

  private func index(of key: PublicKey) -> Int? { rows.firstIndex { $0.key == key } }

  private mutating func insert(_ row: Favourite) {
    let place = rows.firstIndex { $0.key > row.key } ?? rows.count
    rows.insert(row, at: place)
    writing.insert((false, nil), at: place)
  }

  /// Takes somebody in, who is written by the caller; there must be room.
  package mutating func add(_ row: Favourite, at now: UInt64) {
    invariant(!isFull && self[row.key] == nil, "a favourite too many")
    insert(row)
    if let index = index(of: row.key) { writing[index].writtenAt = now }
  }

  /// Returns whether there was one.
  package mutating func remove(_ key: PublicKey) -> Bool {
    guard let index = index(of: key) else { return false }
    rows.remove(at: index)
    writing.remove(at: index)
    queue.removeAll { $0.key == key }
    return true
  }

  // MARK: What is written

  /// Notes what somebody who is here is called and where; returns the row when it is to be written
  /// now: there is news, and a minute has passed since the last time.
  package mutating func note(
    _ key: PublicKey, name: String, at address: IPAddress?, now: UInt64
  ) -> Favourite? {
    guard let index = index(of: key) else { return nil }
    if rows[index].note(name: name, at: address) { writing[index].isNews = true }
    guard writing[index].isNews,
      writing[index].writtenAt.map({ now >= $0 + Favourites.writePause }) ?? true
    else { return nil }
    writing[index] = (false, now)
    return rows[index]
  }

  /// News that were held back, to be written now because the node stops.
  package mutating func takeUnwritten() -> [Favourite] {
    let out = rows.indices.filter { writing[$0].isNews }.map { rows[$0] }
    for index in writing.indices { writing[index].isNews = false }
    return out
  }

  // MARK: Whom to ask for

  /// When to look again whether somebody is to be asked for; nil while nobody can be.
  package var dueAt: UInt64? {
    guard rows.contains(where: { !$0.addresses.isEmpty }) else { return nil }
    return queue.isEmpty ? max(roundAt, burstAt) : burstAt
  }

  /// A round begins then, if none would earlier: the network is another.
  package mutating func hurry(at time: UInt64) { roundAt = min(roundAt, time) }

  /// The addresses whose turn it is, of those who are away: at most four a second.
  package mutating func due(
    at now: UInt64, noise: UInt64, isAway: (PublicKey) -> Bool
  ) -> [IPAddress] {
    guard now >= burstAt else { return [] }
    if queue.isEmpty, now >= roundAt {
      beginRound(isAway)
      roundAt = now + BeaconSchedule.varied(Favourites.pause, by: noise)
    }
    queue.removeAll { !isAway($0.key) }
    let turn = queue.prefix(Favourites.burst).map(\.address)
    queue.removeFirst(turn.count)
    if !turn.isEmpty { burstAt = now + Favourites.burstPause }
    return turn
  }

  /// The newest address of each first, so that whoever is where he was is found soon.
  private mutating func beginRound(_ isAway: (PublicKey) -> Bool) {
    let away = rows.filter { !$0.addresses.isEmpty && isAway($0.key) }
    let start = last.flatMap { last in away.firstIndex { $0.key > last } } ?? 0
    let turn = (0..<min(Favourites.roundSize, away.count)).map {
      away[(start + $0) % away.count]
    }
    last = turn.last?.key
    for place in 0..<Favourite.mostAddresses {
      for row in turn where place < row.addresses.count {
        queue.append((row.key, row.addresses[place]))
      }
    }
  }
}
