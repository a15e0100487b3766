package import Wire

/// Somebody whose beacon was heard: one row per key, whatever the number of paths.
package struct Neighbour: Hashable, Sendable {
  /// Paths that are kept at the most: more than anybody's laptop has, fewer than harm.
  package static let mostPaths = 8
  /// How long somebody whose link broke without a word is still shown, in milliseconds, unless
  /// something is heard.
  package static let doubt: UInt64 = 7_000
  /// A link that breaks again so soon after another, in milliseconds, raises no doubt: whoever closes
  /// links for want of room would be dialled for ever.
  static let doubtPause: UInt64 = 30_000

  /// The newest beacon.
  package internal(set) var beacon: Beacon
  /// Every way by which it is heard, in the order in which they were first heard of.
  package internal(set) var paths: [Path]
  /// Where links are dialled: the address of the path in use.
  package private(set) var address: Address
  /// When the first beacon of this run of its node came, in milliseconds of the monotonic clock.
  package private(set) var metAt: UInt64
  /// When the newest beacon came, likewise.
  package internal(set) var heardAt: UInt64
  /// Where its last datagram came from: what is sent there reaches this node alone.
  package internal(set) var source: Address?
  /// Whether own beacons reach it, as far as its beacons tell.
  package internal(set) var reach: Reach
  /// How far its clock is from the own.
  package internal(set) var clock = ClockGap()
  /// What the clock of this run showed in the first of its beacons, in seconds since 1970.
  private let startClock: UInt64
  /// Signs of another node with the same key.
  var former: FormerRun?
  /// When the row ends unless there is a sign of life before, because a link broke.
  private(set) var doubtedUntil: UInt64?
  private var doubtedAt: UInt64?
  /// When a datagram that was for everybody came last.
  private var openlyAt: UInt64?

  init(_ beacon: Beacon, path: Path, reach: Reach) {
    self.beacon = beacon
    paths = [path]
    address = path.address
    metAt = path.heardAt
    heardAt = path.heardAt
    startClock = beacon.clock
    self.reach = reach
  }

  /// Three periods and a second: how long a sign of life counts (PRODUCT decision 10).
  package var span: UInt64 { 3 * beacon.period + 1_000 }

  /// When the node stops counting as here.
  package var expiresAt: UInt64 {
    var last: UInt64 = 0
    for path in paths { last = max(last, path.heardAt) }
    return min(last + span, doubtedUntil ?? .max)
  }

  /// When something about it changes by time alone: a path dies, and with the last one the row.
  var nextExpiry: UInt64 {
    var next = min(expiresAt, former?.twiceUntil ?? .max)
    for path in paths { next = min(next, path.nextExpiry(span: span)) }
    return next
  }

  /// The path in use.
  package var path: Path? { paths.first { $0.address == address } }

  /// Whether a link broke, and nothing was heard since.
  package var isDoubted: Bool { doubtedUntil != nil }

  /// Whether its newest beacon says that it does not hear another, though it had the time to.
  ///
  /// Two nodes that hear each other do so within a second of the start of either.
  package func isDeaf(to other: Neighbour) -> Bool {
    beacon.tellsHearing(of: other.beacon.identity) == false
      && heardAt >= max(metAt, other.metAt) + 2 * Reach.settling
  }

  /// Those who have told of it lately.
  package var introducers: [PublicKey] {
    paths.compactMap { if case .introduced(let key) = $0.how { key } else { nil } }
  }

  /// Whether it is heard here, not only told of by others.
  package var isHeard: Bool {
    paths.contains { if case .introduced = $0.how { false } else { true } }
  }

  /// Whether its datagrams come, by whatever path.
  package func hasDatagrams(at now: UInt64) -> Bool {
    paths.contains { $0.hasDatagrams(at: now, span: span) }
  }

  /// Whether only those of its datagrams come that are for this laptop alone: what this one sends to
  /// everybody does not get there either, most likely.
  ///
  /// `period` is that of the own beacons.
  package func isHeardAlone(at now: UInt64, period: UInt64) -> Bool {
    guard hasDatagrams(at: now) else { return false }
    if let openlyAt { return now >= openlyAt + span }
    // Who has just been met has not had the time to send to everybody.
    return now >= metAt + min(period, beacon.period) * 3 / 2
  }

  /// Whether two nodes with this key speak at the same time: a copied folder.
  package var isTwice: Bool { former?.isTwice ?? false }

  /// Whether a beacon of an earlier run was made after this run had begun; one that was made before
  /// comes late, or somebody plays what he has recorded.
  func mayBeOutlived(by earlier: Beacon) -> Bool {
    earlier.incarnation < beacon.incarnation && earlier.clock >= startClock + SameKey.margin
  }

  /// Notes where a datagram came from, and for whom it was.
  mutating func noteDatagram(_ arriving: Arriving, at now: UInt64) {
    guard let source = arriving.source else { return }
    self.source = source
    if !arriving.isAlone { openlyAt = now }
  }

  /// Notes a sign of life on the path to an address.
  mutating func heard(
    _ how: Path.How, at address: Address, interface: String?, sequence: UInt64, now: UInt64
  ) {
    doubtedUntil = nil
    let index: Int
    if let known = paths.firstIndex(where: { $0.address == address }) {
      index = known
    } else {
      if paths.count >= Neighbour.mostPaths { dropWorstPath() }
      index = paths.count
      paths.append(Path(address: address, how: how, interface: interface, heardAt: now))
    }
    paths[index].heard(how, interface: interface, at: now, span: span)
    paths[index].sequence = max(paths[index].sequence, sequence)
    choosePath(at: now)
  }

  /// Never the one in use, which no stranger's copies of beacons may push out.
  private mutating func dropWorstPath() {
    let others = paths.indices.filter { paths[$0].address != address }
    if let worst = others.min(by: { paths[$0].heardAt < paths[$1].heardAt }) {
      paths.remove(at: worst)
    }
  }

  /// A dial to an address failed, or a link there broke.
  mutating func failed(at address: Address, now: UInt64) {
    guard let index = paths.firstIndex(where: { $0.address == address }) else { return }
    paths[index].failedAt = now
    choosePath(at: now)
  }

  /// A link is up by the path to an address: that is the one in use now, if it can be dialled.
  mutating func linked(at address: Address, isDialled: Bool, now: UInt64) {
    guard let path = paths.first(where: { $0.address == address }),
      isDialled || path.hasDatagrams(at: now, span: span)
    else { return }
    self.address = address
  }

  /// The link broke and nobody said why: there must be a sign of life soon.
  mutating func doubt(at now: UInt64) {
    if let doubtedAt, now < doubtedAt + Neighbour.doubtPause { return }
    doubtedAt = now
    doubtedUntil = now + Neighbour.doubt
  }

  /// Drops the paths that died, but for the last one, which ends with the row.
  mutating func settle(at now: UInt64) {
    let span = span
    if paths.contains(where: { $0.heardAt + span > now }) {
      paths.removeAll { $0.heardAt + span <= now }
    }
    for index in paths.indices { paths[index].settle(at: now, span: span) }
    former?.settle(at: now)
    choosePath(at: now)
  }

  /// The path in use stays while nothing speaks against it; then the freshest of the others comes,
  /// and of those that failed the one that failed longest ago.
  private mutating func choosePath(at now: UInt64) {
    let sound = paths.filter { $0.failedAt == nil }
    if let used = sound.first(where: { $0.address == address }), !lags(used, at: now) { return }
    if let next = sound.filter({ !lags($0, at: now) }).max(by: { $0.heardAt < $1.heardAt })
      ?? paths.min(by: { ($0.failedAt ?? 0, $1.heardAt) < ($1.failedAt ?? 0, $0.heardAt) })
    {
      address = next.address
    }
  }

  /// Two beacons came by other paths and not by this one: the laptop has left it.
  private func lags(_ path: Path, at now: UInt64) -> Bool {
    path.sequence + 2 <= beacon.sequence && path.heardAt + beacon.period / 2 < now
  }

  mutating func stoodStill(for span: UInt64) {
    heardAt += span
    metAt += span
    openlyAt = openlyAt.map { $0 + span }
    doubtedUntil = doubtedUntil.map { $0 + span }
    doubtedAt = doubtedAt.map { $0 + span }
    former?.stoodStill(for: span)
    for index in paths.indices { paths[index].stoodStill(for: span) }
  }
}

extension Neighbour {
  /// Whether a page shows two states of a row alike.
  package func looksLike(_ other: Neighbour) -> Bool {
    address == other.address && beacon.name == other.beacon.name
      && beacon.tables == other.beacon.tables && beacon.atTable == other.beacon.atTable
      && reach.hearsMe == other.reach.hearsMe && clock.seconds == other.clock.seconds
      && isTwice == other.isTwice && paths.count == other.paths.count
      && zip(paths, other.paths).allSatisfy {
        $0.address == $1.address && $0.interface == $1.interface && $0.how == $1.how
      }
  }
}
