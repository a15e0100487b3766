package import Consensus
package import Discovery
package import Wire

/// The links to other nodes: which are up, which of two survives, whom to dial next and when.
///
/// A peer is its key: of two links to one key both ends keep the same one, without a word about it.
package struct Switchboard: Sendable {
  /// One link that is up.
  package struct Link: Sendable {
    package let id: LinkID
    package let peer: PublicKey
    package let remote: Address
    package let outbound: Bool
    /// When the last frame came.
    package var heardAt: Milliseconds
    /// From when the next ping is counted.
    package var pingedAt: Milliseconds
    /// The number of the last ping while it is not answered, and when it went.
    package var number: UInt64 = 0
    package var sentAt: Milliseconds = 0
    /// When the link came up.
    package let upAt: Milliseconds
  }

  /// An effort to reach somebody or some address.
  private struct Attempt: Sendable {
    var failures: Int
    var nextAt: Milliseconds
    var underWay: Bool
  }

  /// Back-off between dials: half a second, doubled up to eight.
  package static let firstPause: Milliseconds = 500
  package static let longestPause: Milliseconds = 8_000
  /// The side with the higher key dials only after this long without a link, so that both do not
  /// dial at once; it still must, for the other may sit behind a firewall.
  package static let patience: Milliseconds = 1_500
  /// A ping goes this often while a table is running, and a peer silent for four of them is gone.
  package static let busyPing: Milliseconds = 1_000
  package static let busySilence: Milliseconds = 4_000
  package static let idlePing: Milliseconds = 5_000
  /// What became final is told this much later, together with what else does until then.
  package static let newsPause: Milliseconds = 200
  /// Links that may be up without a table in common; beyond it the oldest of them goes.
  package static let strangers = 64
  package static let idleSilence: Milliseconds = 15_000

  private let me: PublicKey
  /// Ascending by id.
  package private(set) var links: [Link] = []
  private var attempts: [(address: Address, attempt: Attempt)] = []
  private var missedSince: [(peer: PublicKey, at: Milliseconds)] = []
  private var pings: UInt64 = 0

  /// No links yet, for the node with identity `me`.
  package init(me: PublicKey) { self.me = me }

  /// The link to a peer, if one is up.
  package func link(to peer: PublicKey) -> Link? { links.first { $0.peer == peer } }

  /// The link with an id.
  package subscript(id: LinkID) -> Link? { links.first { $0.id == id } }

  /// What became of a link that came up.
  package enum Arrival: Equatable, Sendable {
    /// The first one to this peer.
    case first
    /// It takes the place of an older one, which is to be closed.
    case replaces(LinkID)
    /// The older one stays; this one is to be closed.
    case surplus
  }

  /// Takes a link in.
  ///
  /// Of two, the one that the lower key dialled stays; unless it has fallen silent, or both were
  /// dialled from one side: then the newer one.
  package mutating func up(
    _ id: LinkID, peer: PublicKey, remote: Address, outbound: Bool, at now: Milliseconds
  ) -> Arrival {
    attempts.removeAll { $0.address == remote }
    missedSince.removeAll { $0.peer == peer }
    let link = Link(
      id: id, peer: peer, remote: remote, outbound: outbound, heardAt: now, pingedAt: now,
      upAt: now)
    guard let old = self.link(to: peer) else {
      insert(link)
      return .first
    }
    let lowerDials = me < peer
    let oldStays =
      old.outbound != outbound && old.outbound == lowerDials
      && now < old.heardAt + Switchboard.patience
    if oldStays { return .surplus }
    links.removeAll { $0.id == old.id }
    insert(link)
    return .replaces(old.id)
  }

  private mutating func insert(_ link: Link) {
    links.insert(link, at: links.firstIndex { $0.id > link.id } ?? links.count)
  }

  /// Forgets a link; returns its peer if it was the one in use.
  package mutating func down(_ id: LinkID, at now: Milliseconds) -> PublicKey? {
    guard let index = links.firstIndex(where: { $0.id == id }) else { return nil }
    let link = links.remove(at: index)
    let peer = link.peer
    if link.outbound {
      attempts.removeAll { $0.address == link.remote }
      attempts.append(
        (
          link.remote,
          Attempt(failures: 1, nextAt: now + Switchboard.firstPause, underWay: false)
        ))
    }
    missedSince.removeAll { $0.peer == peer }
    missedSince.append((peer, now))
    if missedSince.count > Roster.capacity { missedSince.removeFirst() }
    return peer
  }

  /// Notes a frame from a link.
  package mutating func heard(_ id: LinkID, at now: Milliseconds) {
    guard let index = links.firstIndex(where: { $0.id == id }) else { return }
    links[index].heardAt = now
  }

  /// The links that are silent for too long and count as dead.
  package func silent(at now: Milliseconds, busy: (PublicKey) -> Bool) -> [LinkID] {
    links.filter {
      now >= $0.heardAt + (busy($0.peer) ? Switchboard.busySilence : Switchboard.idleSilence)
    }.map(\.id)
  }

  /// Has a link pinged soon: `pause` after now, unless one is due before.
  package mutating func hurryPing(to peer: PublicKey, at now: Milliseconds, busy: Bool) {
    guard let index = links.firstIndex(where: { $0.peer == peer }) else { return }
    let usual = busy ? Switchboard.busyPing : Switchboard.idlePing
    let due = now + Switchboard.newsPause
    guard links[index].pingedAt + usual > due else { return }
    links[index].pingedAt = due > usual ? due - usual : 0
  }

  /// How long a ping took that this pong answers; nil when it was not the last one.
  package mutating func answered(_ id: LinkID, number: UInt64, at now: Milliseconds)
    -> Milliseconds?
  {
    guard let index = links.firstIndex(where: { $0.id == id }), links[index].number == number
    else { return nil }
    links[index].number = 0
    return now - min(now, links[index].sentAt)
  }

  /// The links that are due for a ping, each with its number.
  package mutating func duePings(
    at now: Milliseconds, busy: (PublicKey) -> Bool
  ) -> [(Link, UInt64)] {
    var out: [(Link, UInt64)] = []
    for index in links.indices {
      let pause = busy(links[index].peer) ? Switchboard.busyPing : Switchboard.idlePing
      guard now >= links[index].pingedAt + pause else { continue }
      links[index].pingedAt = now
      pings += 1
      links[index].number = pings
      links[index].sentAt = now
      out.append((links[index], pings))
    }
    return out
  }

  /// Whether to dial an address now, for a peer (nil: whoever is there); notes the dial.
  package mutating func shouldDial(
    _ address: Address, for peer: PublicKey?, at now: Milliseconds
  ) -> Bool {
    if let peer {
      guard link(to: peer) == nil else { return false }
      if me > peer {
        guard let missed = missedSince.first(where: { $0.peer == peer }) else {
          missedSince.append((peer, now))
          if missedSince.count > Roster.capacity { missedSince.removeFirst() }
          return false
        }
        guard now >= missed.at + Switchboard.patience else { return false }
      }
    }
    if let index = attempts.firstIndex(where: { $0.address == address }) {
      guard !attempts[index].attempt.underWay, now >= attempts[index].attempt.nextAt else {
        return false
      }
      attempts[index].attempt.underWay = true
    } else {
      if attempts.count > Roster.capacity { attempts.removeFirst() }
      attempts.append((address, Attempt(failures: 0, nextAt: now, underWay: true)))
    }
    return true
  }

  /// Notes that a dial came to nothing; the next one waits longer.
  package mutating func dialFailed(_ address: Address, at now: Milliseconds) {
    guard let index = attempts.firstIndex(where: { $0.address == address }) else { return }
    var attempt = attempts[index].attempt
    let pause = Switchboard.firstPause << UInt64(min(attempt.failures, 4))
    attempt.failures += 1
    attempt.underWay = false
    attempt.nextAt = now + min(pause, Switchboard.longestPause)
    attempts[index].attempt = attempt
  }

  /// Ends the waiting for an address, because something was just heard from it.
  package mutating func hope(for address: Address, at now: Milliseconds) {
    guard let index = attempts.firstIndex(where: { $0.address == address }),
      !attempts[index].attempt.underWay
    else { return }
    attempts[index].attempt = Attempt(failures: 0, nextAt: now, underWay: false)
  }
}
