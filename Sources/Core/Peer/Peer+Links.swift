import CBOR
import Consensus
import Discovery
import Games
import Table
import Wire

/// Links: whom to dial, who has fallen silent, what came over them.
extension Peer {
  mutating func send(_ message: LinkMessage, on link: LinkID) {
    effects.append(.send(message.frame, on: link))
  }

  /// Sends to a peer if a link reaches it; a message that finds none is lost, as on any network.
  mutating func send(_ message: LinkMessage, to peer: PublicKey) {
    guard let link = switchboard.link(to: peer) else { return }
    send(message, on: link.id)
  }

  mutating func linkUp(
    _ id: LinkID, peer: PublicKey, handshakeHash: Digest, remote: Address, outbound: Bool,
    through: PublicKey?
  ) {
    guard name != nil else {
      effects.append(.close(id, reason: "nobody has said a name here yet"))
      return
    }
    guard peer != me else {
      mirrorUp(id)
      return
    }
    // Such a link would seem to be needed for the other, and so never be one too many.
    guard through != peer else {
      effects.append(.close(id, reason: "nobody passes on links to himself"))
      return
    }
    let arrival = switchboard.up(
      id, peer: peer, handshakeHash: handshakeHash, remote: remote, outbound: outbound,
      through: through, at: now)
    // Only a dial to the place itself says who is there.
    let outbound = outbound && through == nil
    if outbound { _ = roster.reached(peer, at: remote, now: now) }
    if outbound { forgetFailedDial(remote) }
    metSinceStart(peer, at: outbound ? remote : nil)
    switch arrival {
    case .surplus:
      effects.append(.close(id, reason: "a link to this peer exists"))
      arrivalLinkUp(peer, remote: remote, outbound: outbound)
      return
    case .replaces(let old):
      effects.append(.close(old, reason: "a newer link took its place"))
      lostLink(to: peer)
    case .first: break
    }
    isChanged = true
    if let link = switchboard[id], let place = place(of: link) {
      _ = roster.linked(
        peer, path: place, isDialled: outbound, through: through, at: now)
    }
    if let lastBeacon { send(.beacon(lastBeacon), on: id) }
    // Before anything about the table itself, which is taken only from who has proved the secret.
    if let link = switchboard[id] {
      for index in sessions.indices { prove(index, on: link) }
    }
    noteLaptops()
    for index in sessions.indices { reconcileLinks(index) }
    for index in sessions.indices where isMember(peer, of: index) {
      retellSuccessors(to: peer, of: index)
    }
    arrivalLinkUp(peer, remote: remote, outbound: outbound)
    sayNo(to: peer)
  }

  mutating func linkDown(_ id: LinkID) {
    let link = switchboard[id]
    guard let peer = switchboard.down(id, at: now) else { return }
    if let link { linkBroke(link) }
    lostLink(to: peer)
  }

  /// A link ended and its other end said nothing of it: that one may be gone, or only the path.
  private mutating func linkBroke(_ link: Switchboard.Link) {
    roster.linkBroke(link.peer, path: link.through == nil ? place(of: link) : nil, at: now)
  }

  /// Where the other end of a link takes links: where it was dialled, or its host and the port that
  /// its beacon names; a relayed link comes from where its relay is and says nothing of its peer.
  private func place(of link: Switchboard.Link, port: UInt16? = nil) -> Address? {
    guard link.through == nil else { return address(of: link.peer) }
    guard !link.outbound else { return link.remote }
    return Address(
      host: link.remote.host,
      port: port ?? roster[link.peer]?.beacon.linkPort ?? link.remote.port)
  }

  /// Ends a link of our own accord.
  mutating func closeLink(_ id: LinkID, reason: String) {
    effects.append(.close(id, reason: reason))
    guard let peer = switchboard.down(id, at: now) else { return }
    // What differs from link to link stands behind the colon: the lines are one kind for the log.
    log(.info, "a link is closed (\(reason)): to \(peer)")
    lostLink(to: peer)
  }

  /// What went over the link last may be lost, even if another one is up by now.
  private mutating func lostLink(to peer: PublicKey) {
    isChanged = true
    relayLost(peer)
    for index in sessions.indices { loseLink(to: peer, at: index) }
    arrivalLinkDown(peer)
    mayBeUnsaid(to: peer)
  }

  mutating func dialFailed(_ address: Address) {
    switchboard.dialFailed(address, at: now)
    if roster.dialFailed(address, at: now) { isChanged = true }
    noteFailedDial(address)
    arrivalDialFailed(address)
  }

  mutating func hearFrame(_ bytes: [UInt8], on id: LinkID) {
    guard !hearMirror(bytes, on: id), let link = switchboard[id] else { return }
    if switchboard.heard(id, at: now),
      roster.heardOnLink(link.peer, at: now, path: place(of: link), through: link.through)
    {
      isChanged = true
    }
    let message: LinkMessage
    do {
      message = try LinkMessage(frame: bytes)
    } catch .unknownKind("beacon.version") {
      hearForeign(bytes, from: link.peer, at: link.remote.host)
      return
    } catch {
      counter.count("frame.\(error.code)")
      return
    }
    hear(message, from: link)
  }

  /// A link to somebody with another version brings a beacon that is understood in part.
  private mutating func hearForeign(
    _ frame: [UInt8], from peer: PublicKey, at remote: IPAddress
  ) {
    guard let beacon = try? LinkMessage.foreignBeacon(in: frame), beacon.identity == peer,
      hear(beacon, from: remote)
    else { return counter.count("frame.unknownKind") }
  }

  private mutating func hear(_ message: LinkMessage, from link: Switchboard.Link) {
    switch message {
    case .beacon(let beacon):
      guard beacon.identity == link.peer, let verified = try? beacon.verified(by: Ed25519())
      else {
        counter.count("frame.foreignBeacon")
        return
      }
      let nowhere = Address(host: .any, port: beacon.linkPort)
      hear(
        verified,
        by: .link(place(of: link, port: beacon.linkPort) ?? nowhere, through: link.through))
    case .ping(let number, let statuses):
      switchboard.pinged(link.id, at: now)
      send(.pong(number, ownStatuses(for: link.peer)), on: link.id)
      hear(statuses, from: link.peer)
    case .pong(let number, let statuses):
      noteRoundTrip(link, number)
      hear(statuses, from: link.peer)
    case .table(let message):
      hear(message, from: link.peer)
      if case .status(let status) = message { catchUp(link.peer, from: status) }
    case .find(let code): answerFind(code: code, to: link.peer)
    case .get(let table): answerGet(table, to: link.peer)
    case .genesis(let bytes): hearGenesis(bytes, from: link.peer)
    case .refusal(let table, let entry, let code):
      hearRefusal(table, entry, code: code, from: link.peer)
    case .startAgain(let table): hearStartAgain(table, from: link.peer)
    case .whereabouts(let list): hearWhereabouts(list, from: link.peer)
    case .introductions(let list): hear(list, from: link)
    case .carry(let frame): hearCarry(frame, from: link)
    case .carried(let frame): hearCarried(frame, from: link)
    case .findPrivate(let proof): answerFindPrivate(proof, on: link)
    case .privateTable(let proof, let genesis): hearPrivateTable(proof, genesis, on: link)
    case .invite(let bytes): hearInvitation(bytes, from: link.peer)
    case .offer(let bytes, let secret): hearOffer(bytes, secret, from: link.peer)
    case .decline(let table): hearDecline(of: table, from: link.peer)
    case .give(let list): hearGiven(list, from: link.peer)
    case .chat(let table, let text): hearChat(table, text, from: link.peer)
    case .goodbye:
      roster.saidGoodbye(link.peer)
      closeLink(link.id, reason: "the other node stopped")
    }
  }

  /// Where I stand at the tables that a peer and I share.
  private func ownStatuses(for peer: PublicKey) -> [Status] {
    sessions.indices.lazy.filter { isMember(peer, of: $0) }.prefix(LinkMessage.statusLimit)
      .map { sessions[$0].replica.status }
  }

  /// Peers that are watched closely: those at games in which something goes on, and in lobbies, where
  /// all wait for the creator's laptop and for nobody's log; and those at games that run.
  private var watchedPeers: (closely: [PublicKey], playing: [PublicKey]) {
    var closely: [PublicKey] = []
    var playing: [PublicKey] = []
    for index in sessions.indices {
      let isClose = sessions[index].isWatchedClosely
      guard isClose || sessions[index].isRunning else { continue }
      for link in switchboard.links where isMember(link.peer, of: index) {
        if isClose { closely.append(link.peer) } else { playing.append(link.peer) }
      }
    }
    return (closely, playing)
  }

  /// Tells the replicas of shared tables how long the way to a member and back takes.
  private mutating func noteRoundTrip(_ link: Switchboard.Link, _ number: UInt64) {
    guard let time = switchboard.answered(link.id, number: number, at: now) else { return }
    for index in sessions.indices where isMember(link.peer, of: index) {
      sessions[index].replica.measured(roundTrip: time)
    }
  }

  /// Members hear soon of what has become final here, so that all can show that they agree; and who
  /// has just come hears of the others, once what gave it a seat has gone out.
  private mutating func tellNews() {
    for index in sessions.indices {
      for peer in sessions[index].newcomers { sendWhereabouts(about: peer, at: index) }
      sessions[index].newcomers = []
      guard sessions[index].hasNews else { continue }
      sessions[index].hasNews = false
      linksDueAt = min(linksDueAt, now + Switchboard.newsPause)
      let isBusy = sessions[index].isWatchedClosely
      for peer in sessions[index].linked {
        switchboard.hurryPing(to: peer, at: now, busy: isBusy)
      }
    }
  }

  /// Nothing joins this node to whom a link leads to: no table, and nobody is asked for anything.
  private func isStranger(_ link: Switchboard.Link) -> Bool {
    !sessions.indices.contains { isMember(link.peer, of: $0) }
      && !arrivals.contains { $0.peer == link.peer || $0.address == link.remote }
  }

  /// One laptop with many identities must not keep friends out.
  ///
  /// Who passes on a friend's link is no stranger. Strangers who are passed on here are spared as long
  /// as there are others at their address, and count like them: pairs of them cannot hold all links.
  private mutating func closeStrangers() {
    guard switchboard.links.count > Switchboard.strangersAtOneAddress else { return }
    let helpers = switchboard.links.filter { !isStranger($0) }.compactMap(\.through)
    let strangers = switchboard.links.filter { isStranger($0) && !helpers.contains($0.peer) }
    guard strangers.count > Switchboard.strangersAtOneAddress else { return }
    // The laptop that holds the most makes the room; of several, the one that was there first.
    let inOrder = strangers.sorted { ($0.upAt, $0.id) < ($1.upAt, $1.id) }
    let counts = inOrder.map { link in
      strangers.count { $0.remote.host == link.remote.host }
    }
    guard let most = counts.max(),
      strangers.count > Switchboard.strangers || most > Switchboard.strangersAtOneAddress
    else { return }
    let candidates = zip(inOrder, counts).filter { $0.1 == most }.map(\.0)
    guard let oldest = candidates.first(where: { !isRelaying($0.peer) }) ?? candidates.first else {
      return
    }
    closeLink(oldest.id, reason: "too many laptops without a table in common")
  }

  /// How often links are looked at while somebody is sought.
  private static let look: Milliseconds = 250

  mutating func advanceLinks() {
    tellNews()
    guard now >= linksDueAt else { return }
    closeStrangers()
    if name != nil { advanceIntroductions() }
    let (busy, playing) = watchedPeers
    let watch: (PublicKey) -> Switchboard.Watch = {
      busy.contains($0) ? .closely : playing.contains($0) ? .quietly : .loosely
    }
    for id in switchboard.silent(at: now, watch) {
      // Who is not watched may be slow to answer: its beacons tell whether it is here.
      if let link = switchboard[id], watch(link.peer) != .loosely { linkBroke(link) }
      closeLink(id, reason: "nothing was heard from it")
    }
    for (link, number) in switchboard.duePings(at: now, watch) {
      send(.ping(number, ownStatuses(for: link.peer)), on: link.id)
    }
    guard name != nil else {
      linksDueAt = now + Peer.look
      return
    }
    noteLaptops()
    forgetWhatWasSaid()
    let wanted = wanted
    for (address, peer) in wanted where switchboard.shouldDial(address, for: peer, at: now) {
      effects.append(.dial(address))
    }
    dialThroughOthers()
    let isSeeking = !wanted.isEmpty || isMissingSomebody
    linksDueAt =
      isSeeking ? now + Peer.look : min(switchboard.nextDue(watch), now + Peer.rest)
  }

  /// How often links are looked at while nobody is sought and no ping is due.
  private static let rest: Milliseconds = 5_000

  /// Whom this node wants a link with, and where: people at shared tables, people a table is asked
  /// of, people whose link broke without a word, and the addresses it was told.
  private var wanted: [(Address, PublicKey?)] {
    var out: [(Address, PublicKey?)] = []
    for index in sessions.indices where sessions[index].wantsLinks {
      for peer in sessions[index].members where peer != me && !hasOwnLink(to: peer) {
        if let address = address(of: peer), !isTaken(address, instead: peer) {
          out.append((address, peer))
        }
      }
    }
    for peer in asked.map(\.peer) + goBetweens + passersOn where switchboard.link(to: peer) == nil {
      if let address = address(of: peer) { out.append((address, peer)) }
    }
    for row in unsaid where row.saidAt == nil && switchboard.link(to: row.to) == nil {
      if let heard = roster[row.to]?.address { out.append((heard, row.to)) }
    }
    for arrival in arrivals where !arrival.isAsked {
      if let address = arrival.peer.flatMap(address(of:)) ?? arrival.address {
        out.append((address, arrival.peer))
      }
    }
    for row in roster.neighbours
    where row.isDoubted && switchboard.link(to: row.beacon.identity) == nil {
      out.append((row.address, row.beacon.identity))
    }
    for peer in searchedFor + foundByLooking where switchboard.link(to: peer) == nil {
      if let address = address(of: peer) { out.append((address, peer)) }
    }
    for address in setup.peers where !isReached(address) { out.append((address, nil)) }
    return out
  }

  /// Somebody else is reached at an address where no beacon of this one comes from.
  private func isTaken(_ address: Address, instead peer: PublicKey) -> Bool {
    roster[peer] == nil && isReached(address)
  }

  private func isReached(_ address: Address) -> Bool {
    link(at: address) != nil
  }

  /// The link to whoever takes links at an address, if one is up.
  func link(at address: Address) -> Switchboard.Link? {
    switchboard.link(at: address)
      ?? switchboard.links.first { self.address(of: $0.peer) == address }
  }

  /// Where to dial somebody: the live beacon wins over what was remembered (FIELD F11).
  func address(of peer: PublicKey) -> Address? {
    if let address = roster[peer]?.address, !address.host.isForNobody { return address }
    return addresses.first { $0.identity == peer }?.address
  }

  /// Remembers where somebody was met.
  mutating func metSinceStart(_ peer: PublicKey, at address: Address?) {
    guard let address, !addresses.contains(Whereabouts(peer, address)) else { return }
    addresses.removeAll { $0.identity == peer }
    if addresses.count >= Roster.capacity { addresses.removeFirst() }
    addresses.append(Whereabouts(peer, address))
    keepAddresses()
  }

  private mutating func hear(_ statuses: [Status], from peer: PublicKey) {
    for status in statuses { hear(.status(status), from: peer) }
  }
}
