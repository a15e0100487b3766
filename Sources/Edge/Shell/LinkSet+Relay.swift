import Discovery
package import Peer
import SecureChannel
import Sockets
package import Wire

/// Links that travel on others: to peers that only a third one reaches.
extension LinkSet {
  /// Starts a link to `peer` that the peer of `carrier` passes on.
  ///
  /// `up` or `relayedDialFailed` with the same id follows; nil when the carrier is not up, or is
  /// itself relayed.
  package func dial(_ peer: PublicKey, through carrier: LinkID) -> LinkID? {
    guard let below = links[carrier], below.route == nil, let relay = below.identity else {
      return nil
    }
    let number = 2 * nextChannel + RelayFrame.parity(of: local.identity, towards: peer)
    nextChannel += 1
    let link = makeRelayedLink(
      .init(carrier: carrier, peer: peer, number: number), relay: relay, on: below, outbound: true)
    guard links.count < limits.links else {
      fail(link, .tooManyLinks)
      return link.id
    }
    add(link)
    guard case .queued = carry(.open, on: carrier, as: link.route?.channel) else {
      end(link, .tooSlow)
      return link.id
    }
    limitHandshake(of: link)
    startHandshake(of: link)
    return link.id
  }

  /// Takes in a frame that the peer of `carrier` has passed on.
  package func take(_ frame: RelayFrame, on carrier: LinkID) {
    guard let below = links[carrier], below.route == nil, let relay = below.identity else { return }
    let channel = RelayedStream.Channel(
      carrier: carrier, peer: frame.peer, number: frame.number)
    let known = relayed[channel].flatMap { links[$0] }
    switch frame.part {
    case .open:
      guard known == nil, frame.peer != local.identity,
        frame.isOpened(by: frame.peer, towards: local.identity)
      else { return note("relayed open") { "\(relay) passes on a channel that cannot be." } }
      accept(channel, relay: relay, on: below)
    case .data(let bytes):
      guard let link = known, let stream = link.route?.stream else { return }
      if !stream.arrive(bytes) { end(link, .tooSlow) }
    case .close(let reason):
      if let link = known { end(link, .relay(reason)) }
    }
  }

  /// Sends a frame unless more than `LinkLimits.relayedBytes` would wait on the link; says whether
  /// it did.
  ///
  /// For what is passed on for others: a receiver that does not keep up with them keeps its link.
  package func sendIfRoom(_ frame: [UInt8], on id: LinkID) -> Bool {
    guard let link = links[id], let stream = link.stream,
      stream.pendingCount + frame.count <= limits.relayedBytes
    else { return false }
    guard case .queued = send(frame, on: id) else { return false }
    return true
  }

  /// Has the channel pay for a frame that was passed on; says whether it does, or the peer is to.
  ///
  /// All channels of an address together have a budget as well. Where it is used up, the one that
  /// sent the most of late is ended, unless that is little: the link that carries them is not slowed
  /// by what others send.
  /// Frames of channels that are not there (any more: the other end may not know yet) are paid from
  /// it while it lasts.
  func chargeChannel(for frame: [UInt8], on carrier: Link) -> Bool {
    guard carrier.route == nil, let relay = carrier.identity,
      LinkMessage.mayBeCarried(frame), case .carried(let part)? = try? LinkMessage(frame: frame)
    else { return false }
    let cost = frame.count + limits.frameCost
    let now = time()
    let host = carrier.remote.host
    let shared = LinkBudgets.Payer.passingOn(at: host)
    let isUsedUp = shared.contains { budgets.left(of: $0, now: now) < cost }
    let channel = RelayedStream.Channel(carrier: carrier.id, peer: part.peer, number: part.number)
    if isUsedUp {
      guard relayed[channel] != nil else { return false }
      endTheBusiest(passedOnAt: host)
    }
    _ = budgets.take(cost, from: shared, now: now)
    _ = budgets.take(cost, from: .channel(part.peer, through: relay), now: now)
    budgets.giveBack(
      frame.count, to: [.peer(relay)] + LinkBudgets.Payer.of(host), now: now)
    return true
  }

  private func endTheBusiest(passedOnAt host: IPAddress) {
    let now = time()
    let same = links.values.filter { $0.route != nil && $0.remote.host.network == host.network }
    let left = same.map { link in
      (link, link.route.map { budgets.left(of: $0.payer, now: now) } ?? 0)
    }
    guard let busiest = left.min(by: { ($0.1, $1.0.id) < ($1.1, $0.0.id) }),
      busiest.1 < limits.burstBytes - limits.burstBytes / 4
    else { return }
    end(busiest.0, .tooSlow)
  }

  private func accept(_ channel: RelayedStream.Channel, relay: PublicKey, on below: Link) {
    guard takesLinks, makeRoom(for: channel) else {
      _ = carry(.close(.tooMany), on: channel.carrier, as: channel)
      note("inbound relayed tooManyLinks") {
        "A link from \(channel.peer) through \(relay) was refused: \(LinkEnd.tooManyLinks)"
      }
      return
    }
    let link = makeRelayedLink(channel, relay: relay, on: below, outbound: false)
    add(link)
    limitHandshake(of: link)
  }

  /// Ends the oldest unfinished handshake where there are too many, as for links of their own.
  private func makeRoom(for channel: RelayedStream.Channel) -> Bool {
    let halfOpen = links.values.filter { $0.isHalfOpen && $0.route != nil }
    let sameRelay = halfOpen.filter { $0.route?.channel.carrier == channel.carrier }
    let candidates: [Link]
    if sameRelay.count >= limits.halfOpenPerRelay {
      candidates = sameRelay
    } else if links.count >= limits.links || halfOpen.count >= limits.halfOpenRelayed {
      candidates = halfOpen
    } else {
      return true
    }
    guard let oldest = candidates.min(by: { $0.id < $1.id }) else { return false }
    end(oldest, .madeRoom)
    return true
  }

  private func add(_ link: Link) {
    links[link.id] = link
    if let channel = link.route?.channel { relayed[channel] = link.id }
  }

  private func makeRelayedLink(
    _ channel: RelayedStream.Channel, relay: PublicKey, on below: Link, outbound: Bool
  ) -> Link {
    let link = makeLink(remote: below.remote, isOutbound: outbound)
    let stream = RelayedStream(
      channel, limit: limits.relayedBytes, frameCost: limits.frameCost,
      carry: { [weak self] in self?.carry($0, on: channel.carrier, as: channel) ?? .closed },
      pendingBelow: { [weak below] in below?.stream?.pendingCount ?? 0 },
      onBytes: { [weak self, id = link.id] bytes in
        guard let self, let link = self.links[id] else { return }
        self.take(bytes, from: link)
      })
    link.stream = stream
    link.route = Link.Route(stream: stream, relay: relay)
    return link
  }

  /// Sends a part of a channel on the link that carries it.
  private func carry(
    _ part: RelayFrame.Part, on carrier: LinkID, as channel: RelayedStream.Channel?
  ) -> StreamConnection.SendResult {
    guard let channel, let pending = links[carrier]?.stream?.pendingCount else { return .closed }
    let frame = RelayFrame(peer: channel.peer, number: channel.number, part: part)
    let bytes = LinkMessage.carry(frame).frame
    // The end is told even where there is no room for more.
    if case .data = part, pending + bytes.count > limits.relayedBytes { return .overflow }
    guard case .queued(let pending) = send(bytes, on: carrier) else { return .closed }
    return .queued(pending: pending)
  }

  /// Ends the links that travelled on one that is over.
  func endThose(on carrier: LinkID) {
    let lost = links.values.filter { $0.route?.channel.carrier == carrier }
    for link in lost.sorted(by: { $0.id < $1.id }) { end(link, .carrierEnded) }
  }
}
