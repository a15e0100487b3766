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
    /// Names this link to both ends: what is proved on it holds on no other.
    package let handshakeHash: Digest
    package let remote: Address
    package let outbound: Bool
    /// Who passes it on; nil for a link of its own.
    package let through: PublicKey?
    /// When the last frame came.
    package var heardAt: Milliseconds
    /// From when the next ping is counted.
    package var pingedAt: Milliseconds
    /// The number of the last ping while it is not answered, and when it went.
    package var number: UInt64 = 0
    package var sentAt: Milliseconds = 0
    /// When the link came up.
    package let upAt: Milliseconds
    /// When the other end last sent a ping.
    fileprivate var askedAt: Milliseconds = 0
    /// When a frame last counted as a sign of life of the peer.
    fileprivate var notedAt: Milliseconds?
  }

  /// Back-off between dials: half a second, doubled up to eight.
  package static let firstPause: Milliseconds = 500
  package static let longestPause: Milliseconds = 8_000
  /// The side with the higher key dials only after this long without a link, so that both do not
  /// dial at once; it still must, for the other may sit behind a firewall.
  package static let patience: Milliseconds = 1_500
  /// How often a way of its own is tried to a peer that somebody passes us on to.
  package static let relayedPause: Milliseconds = 60_000
  /// A ping goes this often while a table is running, and a peer silent for four of them is gone.
  package static let busyPing: Milliseconds = 1_000
  package static let busySilence: Milliseconds = 4_000
  package static let idlePing: Milliseconds = 5_000
  /// In a quiet game one end pings this often, and who does not answer for `busySilence` is gone.
  package static let quietPing: Milliseconds = 4_000
  /// What became final is told this much later, together with what else does until then.
  package static let newsPause: Milliseconds = 200
  /// Links that may be up without a table in common; beyond it the oldest of them goes.
  package static let strangers = 64
  /// Of those, links to one address: some nodes on one laptop are at ease with it.
  package static let strangersAtOneAddress = 24
  package static let idleSilence: Milliseconds = 15_000
  /// Frames of one link within this time are one sign of life.
  package static let notePause: Milliseconds = 25

  private let me: PublicKey
  /// Ascending by id.
  package private(set) var links: [Link] = []
  private var attempts: [DialAttempt] = []
  private var relayDials = RelayDials()
  /// Who was last met where, newest last.
  private var owners: [(address: Address, peer: PublicKey)] = []
  private var missedSince: [(peer: PublicKey, at: Milliseconds)] = []
  private var pings: UInt64 = 0

  /// No links yet, for the node with identity `me`.
  package init(me: PublicKey) { self.me = me }

  /// The link to a peer, if one is up.
  package func link(to peer: PublicKey) -> Link? { links.first { $0.peer == peer } }

  /// The link with an id.
  package subscript(id: LinkID) -> Link? { links.first { $0.id == id } }

  /// The link to whoever was last met at an address, if one is up.
  package func link(at address: Address) -> Link? {
    let owner = owners.last { $0.address == address }?.peer
    return links.first { ($0.remote == address || $0.peer == owner) && $0.through == nil }
  }

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
  /// Of two, the one that nobody passes on stays; else the one that the lower key dialled; unless
  /// it has fallen silent, or both were dialled from one side: then the newer one.
  package mutating func up(
    _ id: LinkID, peer: PublicKey, handshakeHash: Digest, remote: Address, outbound: Bool,
    through: PublicKey? = nil,
    at now: Milliseconds
  ) -> Arrival {
    if outbound, through == nil { reached(remote, peer, at: now) }
    if let through { relayDials.succeeded(to: peer, through: through) }
    missedSince.removeAll { $0.peer == peer }
    let link = Link(
      id: id, peer: peer, handshakeHash: handshakeHash, remote: remote, outbound: outbound,
      through: through, heardAt: now, pingedAt: now, upAt: now)
    guard let old = self.link(to: peer) else {
      insert(link)
      return .first
    }
    if stays(old, against: link), now < old.heardAt + Switchboard.patience { return .surplus }
    links.removeAll { $0.id == old.id }
    insert(link)
    return .replaces(old.id)
  }

  /// Whether of two links that both work the older one is kept; both ends answer alike.
  private func stays(_ old: Link, against new: Link) -> Bool {
    guard (old.through == nil) == (new.through == nil) else { return old.through == nil }
    let lowerDials = me < new.peer
    return old.outbound != new.outbound && old.outbound == lowerDials
  }

  /// A dial has led to somebody: to whom it was meant for, or it counts as a failure.
  private mutating func reached(_ address: Address, _ peer: PublicKey, at now: Milliseconds) {
    owners.removeAll { $0.address == address }
    owners.append((address, peer))
    if owners.count > Roster.capacity { owners.removeFirst() }
    guard let index = attempts.firstIndex(where: { $0.address == address }) else { return }
    if let wanted = attempts[index].peer, wanted != peer {
      attempts[index].failed(at: now)
    } else {
      attempts.remove(at: index)
    }
  }

  private mutating func insert(_ link: Link) {
    links.insert(link, at: links.firstIndex { $0.id > link.id } ?? links.count)
  }

  /// Forgets a link; returns its peer if it was the one in use.
  package mutating func down(_ id: LinkID, at now: Milliseconds) -> PublicKey? {
    guard let index = links.firstIndex(where: { $0.id == id }) else { return nil }
    let link = links.remove(at: index)
    let peer = link.peer
    if let through = link.through {
      relayDials.failed(to: peer, through: through, at: now)
    } else if link.outbound {
      attempts.removeAll { $0.address == link.remote }
      note(
        DialAttempt(
          address: link.remote, peer: peer, failures: 1, nextAt: now + Switchboard.firstPause,
          startedAt: now))
    }
    missedSince.removeAll { $0.peer == peer }
    missedSince.append((peer, now))
    if missedSince.count > Roster.capacity { missedSince.removeFirst() }
    return peer
  }

  /// Notes a frame from a link; says whether it is worth telling the roster.
  ///
  /// While a table agrees frames come by the thousand a second, and one of them says as much of who is
  /// here as all.
  package mutating func heard(_ id: LinkID, at now: Milliseconds) -> Bool {
    guard let index = links.firstIndex(where: { $0.id == id }) else { return false }
    links[index].heardAt = now
    if let notedAt = links[index].notedAt, now < notedAt + Switchboard.notePause { return false }
    links[index].notedAt = now
    return true
  }

  /// How closely a peer is watched.
  package enum Watch: Sendable {
    /// Something goes on at a table in common.
    case closely
    /// A game in common is on, in which nothing happens.
    case quietly
    /// No game is on.
    case loosely
  }

  /// The links that are silent for too long and count as dead.
  package func silent(at now: Milliseconds, _ watch: (PublicKey) -> Watch) -> [LinkID] {
    links.filter { now >= silentAt($0, watch($0.peer)) }.map(\.id)
  }

  /// From when on a link counts as dead.
  private func silentAt(_ link: Link, _ watch: Watch) -> Milliseconds {
    switch watch {
    case .closely: link.heardAt + Switchboard.busySilence
    case .quietly where link.number != 0:
      max(link.heardAt, link.sentAt) + Switchboard.busySilence
    case .quietly, .loosely: link.heardAt + Switchboard.idleSilence
    }
  }

  /// When the next ping is due, or silence becomes too long.
  package func nextDue(_ watch: (PublicKey) -> Watch) -> Milliseconds {
    var due = Milliseconds.max
    for link in links {
      let watch = watch(link.peer)
      due = min(due, pingDue(link, watch), silentAt(link, watch))
    }
    return due
  }

  /// When a link is to be pinged: where nothing goes on, the end with the lower key does it for both,
  /// unless it fails to.
  private func pingDue(_ link: Link, _ watch: Watch) -> Milliseconds {
    let pause = watch == .quietly ? Switchboard.quietPing : Switchboard.idlePing
    guard watch != .closely else { return link.pingedAt + Switchboard.busyPing }
    return max(link.pingedAt, link.askedAt) + pause + (me < link.peer ? 0 : pause / 4)
  }

  /// Somebody is watched closely from now on: he is asked at once, and silence counts from here.
  package mutating func enliven(_ peer: PublicKey, at now: Milliseconds) {
    for index in links.indices where links[index].peer == peer {
      links[index].heardAt = max(links[index].heardAt, now)
      links[index].pingedAt = 0
    }
  }

  /// Notes a ping from the other end: it says as much as an answer to one's own would.
  package mutating func pinged(_ id: LinkID, at now: Milliseconds) {
    guard let index = links.firstIndex(where: { $0.id == id }) else { return }
    links[index].askedAt = now
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
    at now: Milliseconds, _ watch: (PublicKey) -> Watch
  ) -> [(Link, UInt64)] {
    // Who is due soon is asked along with those who are due: every waking costs.
    let isAnyDue = links.contains { now >= pingDue($0, watch($0.peer)) }
    guard isAnyDue else { return [] }
    var out: [(Link, UInt64)] = []
    for index in links.indices {
      let watch = watch(links[index].peer)
      let grace = watch == .closely || me > links[index].peer ? 0 : Switchboard.quietPing / 4
      guard now + grace >= pingDue(links[index], watch) else { continue }
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
    let relayed = peer.flatMap { link(to: $0) }
    if let peer {
      if let relayed {
        guard relayed.through != nil else { return false }
      } else {
        guard isMyTurn(towards: peer, at: now) else { return false }
      }
    }
    if let index = attempts.firstIndex(where: { $0.address == address }) {
      let attempt = attempts[index]
      guard !attempt.underWay, now >= attempt.nextAt,
        relayed == nil || now >= attempt.startedAt + Switchboard.relayedPause
      else { return false }
      attempts[index].begin(for: peer, at: now)
    } else {
      note(
        DialAttempt(address: address, peer: peer, nextAt: now, startedAt: now, underWay: true))
    }
    return true
  }

  /// The lower key dials at once, the other after a while without a link.
  private mutating func isMyTurn(towards peer: PublicKey, at now: Milliseconds) -> Bool {
    guard me > peer else { return true }
    guard let missed = missedSince.first(where: { $0.peer == peer }) else {
      missedSince.append((peer, now))
      if missedSince.count > Roster.capacity { missedSince.removeFirst() }
      return false
    }
    return now >= missed.at + Switchboard.patience
  }

  private mutating func note(_ attempt: DialAttempt) {
    if attempts.count >= Roster.capacity { attempts.removeFirst() }
    attempts.append(attempt)
  }

  /// Notes that a dial came to nothing; the next one waits longer.
  package mutating func dialFailed(_ address: Address, at now: Milliseconds) {
    guard let index = attempts.firstIndex(where: { $0.address == address }) else { return }
    attempts[index].failed(at: now)
  }

  /// Ends the waiting for an address, because something was just heard from it.
  package mutating func hope(for address: Address, at now: Milliseconds) {
    guard let index = attempts.firstIndex(where: { $0.address == address }),
      !attempts[index].underWay
    else { return }
    attempts.remove(at: index)
  }

  /// Whether an address has been dialled in vain, or for so long that another way is to be tried.
  ///
  /// The end of a link that this node had dialled counts as a failure; `failures` asks for more.
  package func isOutOfReach(
    _ address: Address, after failures: Int = 1, at now: Milliseconds
  ) -> Bool {
    guard let attempt = attempts.first(where: { $0.address == address }) else { return false }
    return attempt.failures >= failures
      || attempt.underWay && now >= attempt.startedAt + Switchboard.patience
  }

  /// Through whom to dial a peer now, of those who may reach it; notes the dial.
  package mutating func relay(
    to peer: PublicKey, among relays: [PublicKey], at now: Milliseconds
  ) -> PublicKey? {
    guard !relays.isEmpty, isMyTurn(towards: peer, at: now) else { return nil }
    return relayDials.begin(to: peer, among: relays, at: now)
  }

  /// Notes that a dial through somebody came to nothing; the next one through him waits longer.
  package mutating func dialFailed(
    _ peer: PublicKey, through relay: PublicKey, at now: Milliseconds
  ) {
    relayDials.failed(to: peer, through: relay, at: now)
  }

  /// Time in which this laptop stood still is not silence of the others.
  package mutating func stoodStill(for span: Milliseconds) {
    for index in links.indices { links[index].heardAt += span }
  }
}
