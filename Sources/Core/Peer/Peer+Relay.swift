import Consensus
import Discovery
import Wire

/// Passing on between two peers that do not reach each other, and being passed on.
extension Peer {
  /// How long a link is sought to somebody whom a peer asked to be passed on to.
  private static let askedSpan: Milliseconds = 10_000
  private static let askedLimit = 16
  /// Links sought at a time only to be passed on.
  private static let passersOnLimit = 4

  /// Takes a frame that is to be passed on.
  mutating func hearCarry(_ frame: RelayFrame, from link: Switchboard.Link) {
    guard link.through == nil else { return counter.count("relay.chained") }
    let linked = switchboard.links.filter { $0.through == nil }.map(\.peer)
    let sender = Relay.Sender(link.peer, at: link.remote.host)
    perform(relay.hear(frame, from: sender, at: now) { linked.contains($0) })
  }

  /// Takes a frame that a peer has passed on to this node.
  mutating func hearCarried(_ frame: RelayFrame, from link: Switchboard.Link) {
    guard link.through == nil else { return counter.count("relay.chained") }
    effects.append(.takeCarried(frame, on: link.id))
  }

  mutating func relayFull(_ channel: Relay.Channel) {
    counter.count("relay.tooSlow")
    perform(relay.full(channel))
  }

  /// Channels that nothing comes by any more end.
  mutating func expireRelay() { perform(relay.expire(at: now)) }

  /// What was passed on from and to a peer ends with the link to it.
  mutating func relayLost(_ peer: PublicKey) { perform(relay.lost(peer)) }

  private mutating func perform(_ steps: [Relay.Step]) {
    for step in steps {
      switch step {
      case .send(let frame, let peer): send(.carried(frame), to: peer)
      case .pass(let frame, let peer, let channel):
        guard let link = switchboard.link(to: peer) else { continue }
        effects.append(.pass(LinkMessage.carried(frame).frame, on: link.id, of: channel))
      case .missing(let peer): seek(peer)
      case .refused(let code): counter.count(code)
      }
    }
  }

  /// Looks for a link to somebody it would be passed on to, so that the next time it can be.
  private mutating func seek(_ peer: PublicKey) {
    asked.removeAll { $0.until <= now || $0.peer == peer }
    guard roster[peer]?.isHeard == true, asked.count < Peer.askedLimit else { return }
    asked.append((peer, now + Peer.askedSpan))
    linksDueAt = 0
  }

  // MARK: Calling

  /// Whom the next beacon asks to dial this node, as they take no connections themselves.
  ///
  /// People it wants a link with and hears. Who was asked already is asked until there is a link, so
  /// that what beacons say does not change to and fro.
  var callMarks: [KeyMark] {
    let marks = (missed + asked.map(\.peer)).filter { peer in
      guard switchboard.link(to: peer) == nil else { return false }
      guard let row = roster[peer] else { return false }
      return switchboard.isOutOfReach(row.address, after: 2, at: now)
        || beaconSaid?.calls.contains(KeyMark(peer)) ?? false
    }.map { KeyMark($0) }.sorted()
    // Two people may share a mark.
    var out: [KeyMark] = []
    for mark in marks where mark != out.last { out.append(mark) }
    return Array(out.prefix(Beacon.callsPerBeacon))
  }

  /// Dials somebody who cannot dial this node.
  ///
  /// For a seat at an open table, or for a table in common; nobody else sends this laptop anywhere.
  mutating func called(by peer: PublicKey) {
    guard switchboard.link(to: peer) == nil,
      sessions.indices.contains(where: { index in
        sessions[index].notice != nil || sessions[index].wantsLinks && isMember(peer, of: index)
      })
    else { return }
    seek(peer)
  }

  // MARK: Dialling

  /// Whether a link to a peer is up that nobody passes on.
  func hasOwnLink(to peer: PublicKey) -> Bool {
    switchboard.link(to: peer).map { $0.through == nil } ?? false
  }

  /// Whether links of this node or of others travel on the one to a peer.
  func isRelaying(_ peer: PublicKey) -> Bool {
    switchboard.links.contains { $0.through == peer } || relay.serves(peer)
  }

  /// Dials those whom no way of their own leads to, through somebody who may reach them.
  mutating func dialThroughOthers() {
    asked.removeAll { $0.until <= now }
    for peer in missed where isOutOfReach(peer) {
      let relays = relays(to: peer).map(\.peer)
      guard let relay = switchboard.relay(to: peer, among: relays, at: now),
        let link = switchboard.link(to: relay)
      else { continue }
      effects.append(.dialThrough(relay, on: link.id, to: peer))
      for index in arrivals.indices
      where arrivals[index].peer == peer && arrivals[index].passedOnAt == nil {
        arrivals[index].passedOnAt = now
      }
    }
  }

  /// Whether somebody hears another, or has not had the time yet to say so where both are heard here.
  private func mayReach(_ row: Neighbour, _ peer: PublicKey) -> Bool {
    if row.beacon.tellsHearing(of: peer) == true { return true }
    guard let other = roster[peer], other.hasDatagrams(at: now) else { return false }
    return row.hasDatagrams(at: now) && !row.isDeaf(to: other)
  }

  /// People to have a link with so that they pass on: who may reach somebody whom this node hears,
  /// dials in vain, and cannot be passed on to yet.
  var passersOn: [PublicKey] {
    var out: [PublicKey] = []
    for peer in missed where out.count < Peer.passersOnLimit {
      guard let row = roster[peer], switchboard.isOutOfReach(row.address, after: 2, at: now),
        relays(to: peer).isEmpty
      else { continue }
      let able = roster.neighbours.filter { other in
        other.beacon.identity != peer && other.hasDatagrams(at: now) && mayReach(other, peer)
          && !switchboard.isOutOfReach(other.address, at: now)
      }
      let best = able.first { $0.beacon.tellsHearing(of: peer) == true } ?? able.first
      if let best, !out.contains(best.beacon.identity) { out.append(best.beacon.identity) }
    }
    return out
  }

  /// Whether a link is sought with somebody, or somebody is to be told of somebody else.
  var isMissingSomebody: Bool { !asked.isEmpty || !unheard.isEmpty || !missed.isEmpty }

  /// People this node wants a link with and has none to.
  private var missed: [PublicKey] {
    var out: [PublicKey] = []
    func add(_ peer: PublicKey) {
      guard peer != me, switchboard.link(to: peer) == nil, !out.contains(peer) else { return }
      out.append(peer)
    }
    for index in sessions.indices where sessions[index].wantsLinks {
      sessions[index].members.forEach(add)
    }
    for arrival in arrivals where !arrival.isAsked {
      if let peer = arrival.peer { add(peer) }
    }
    return out
  }

  /// No address is known, or dialling it has failed or takes suspiciously long.
  private func isOutOfReach(_ peer: PublicKey) -> Bool {
    guard let address = address(of: peer) else { return true }
    return switchboard.isOutOfReach(address, at: now)
  }

  /// Peers with a link of their own that may pass on to another: those who told of him or hear him,
  /// and those at a table with both.
  private func relays(to peer: PublicKey) -> [Switchboard.Link] {
    let introducers = roster[peer]?.introducers ?? []
    return switchboard.links.filter { link in
      link.through == nil && link.peer != peer
        && (introducers.contains(link.peer)
          || roster[link.peer].map { mayReach($0, peer) } ?? false
          || sessions.indices.contains { isMember(link.peer, of: $0) && isMember(peer, of: $0) })
    }
  }
}
