package import Discovery
package import Dispatch
package import SecureChannel
package import Sockets
import Wire

/// All encrypted links of a node: the listener, the dials, and what travels on them.
///
/// It owns the sockets and the numbers that bound them (`LinkLimits`), and decides nothing else:
/// whom to dial and when, which of two links to one peer stays, and when a silent one is given up
/// are decided in `Peer`. It lives on one queue: every call must be made there and every event is
/// delivered there, never inside a call.
package final class LinkSet {
  /// What became of a frame to be sent.
  package enum SendResult: Equatable, Sendable {
    /// It waits or is sent; `pending` bytes wait in all.
    case queued(pending: Int)
    /// The frame itself cannot be sent, being empty or too long; the link stays.
    case refused(ChannelError)
    /// The link is not up, or has just been closed because it does not keep up.
    case notUp
  }

  let local: LinkIdentity
  let limits: LinkLimits
  private let filter: InterfaceFilter
  private let queue: DispatchQueue
  private let log: (String) -> Void
  let time: () -> ContinuousClock.Instant
  let events: LinkEventQueue

  private var listener: StreamListener?
  var links: [LinkID: Link] = [:]
  /// Links that travel on others, by their place there.
  var relayed: [RelayedStream.Channel: LinkID] = [:]
  private var nextNumber: UInt64 = 1
  var nextChannel: UInt64 = 0
  var budgets: LinkBudgets
  private var limiter: LogLimiter

  /// A set without links.
  ///
  /// - Parameters:
  ///   - local: who this node is.
  ///   - filter: the interfaces it may use.
  ///   - limits: the numbers that bound it.
  ///   - queue: where it lives.
  ///   - time: the clock that budgets are paid by.
  ///   - log: gets lines for the log, few of each kind.
  ///   - onEvent: gets every event.
  package init(
    local: LinkIdentity, filter: InterfaceFilter = InterfaceFilter(),
    limits: LinkLimits = LinkLimits(), queue: DispatchQueue,
    time: @escaping () -> ContinuousClock.Instant = { ContinuousClock.now },
    log: @escaping (String) -> Void, onEvent: @escaping (LinkEvent) -> Void
  ) {
    self.local = local
    self.filter = filter
    self.limits = limits
    self.queue = queue
    self.time = time
    self.log = log
    self.budgets = LinkBudgets(limits: limits)
    self.limiter = LogLimiter(interval: .seconds(limits.logSeconds))
    self.events = LinkEventQueue(queue: queue, onEvent: onEvent)
  }

  /// Whether links from others are taken; while not, a connection is closed without a byte.
  package var takesLinks = true

  /// How many links there are, those without a finished handshake included.
  package var count: Int { links.count }

  /// Listens on `port`, or on the first free one of the `attempts` that start there.
  ///
  /// Returns where; throws when none is free.
  package func listen(port: UInt16, attempts: Int = 1) throws(SocketError) -> Address {
    let listener = try StreamListener(
      port: port, attempts: attempts, filter: filter, queue: queue,
      onTrouble: { [weak self] error in
        self?.note("accept \(error.name)") { "A connection could not be accepted. \(error)" }
      },
      onConnection: { [weak self] accepted in self?.accept(accepted) })
    self.listener = listener
    return listener.local
  }

  /// Starts a link to `remote`; `up` or `dialFailed` with the same id follows.
  package func dial(_ remote: Address) -> LinkID {
    let link = makeLink(remote: remote, isOutbound: true)
    guard links.count < limits.links else {
      fail(link, .tooManyLinks)
      return link.id
    }
    guard filter.allows(sendingTo: remote) else {
      fail(link, .connection(.interfaceNotAllowed))
      return link.id
    }
    do throws(SocketError) {
      link.stream = try StreamConnection(
        to: remote, settings: settings, queue: queue, onEvent: handler(for: link))
      links[link.id] = link
    } catch {
      fail(link, .connection(.failed(error)))
    }
    return link.id
  }

  /// Sends one frame on a link that is up.
  ///
  /// When more than `LinkLimits.outgoingBytes` would wait, the link is closed instead.
  @discardableResult
  package func send(_ frame: [UInt8], on id: LinkID) -> SendResult {
    guard let link = links[id], link.identity != nil, let stream = link.stream else {
      return .notUp
    }
    do throws(ChannelError) {
      guard let records = try link.transport?.seal(frame) else { return .notUp }
      switch stream.send(records) {
      case .queued(let pending):
        // Only a backlog of some size is worth adding up.
        if pending > limits.outgoingBytesPerAddress / 32 {
          endTheMost(
            like: link, limit: limits.outgoingBytesPerAddress, .tooSlow,
            of: { $0.stream?.pendingCount ?? 0 })
        }
        return links[id] == nil ? .notUp : .queued(pending: pending)
      case .overflow: end(link, .tooSlow)
      case .closed: break
      }
      return .notUp
    } catch {
      switch error {
      case .frameEmpty, .frameTooLong: return .refused(error)
      default:
        end(link, .channel(error))
        return .notUp
      }
    }
  }

  /// Closes a link after what waits on it has been sent, for a reason that is logged.
  ///
  /// `down` follows if it was up, `dialFailed` if it was being dialled.
  package func close(_ id: LinkID, reason: String) {
    guard let link = links[id] else { return }
    end(link, .closedHere(reason), sendingTheRest: true)
    events.dropFrames(of: id)
  }

  /// Closes everything and stops listening.
  package func closeAll(reason: String) {
    listener?.close()
    listener = nil
    for id in links.keys.sorted() { close(id, reason: reason) }
  }

  // MARK: Making links

  private var settings: StreamConnection.Settings {
    var settings = StreamConnection.Settings()
    settings.outgoingBytes = limits.outgoingBytes
    settings.connectTimeout = DispatchTimeInterval(seconds: limits.connectSeconds)
    return settings
  }

  /// A link that is not yet among the others.
  func makeLink(remote: Address, isOutbound: Bool) -> Link {
    defer { nextNumber += 1 }
    return Link(
      id: LinkID(number: nextNumber), remote: remote, isOutbound: isOutbound, local: local)
  }

  private func accept(_ accepted: AcceptedStream) {
    // Dropping what was accepted closes it.
    guard takesLinks else { return }
    let host = accepted.remote.host
    guard makeRoom(for: host) else {
      note("inbound tooManyLinks") {
        "A link from \(accepted.remote) was refused: \(LinkEnd.tooManyLinks)"
      }
      return
    }
    // A new link would read a first chunk on credit.
    guard budgets.take(0, from: LinkBudgets.Payer.of(host), now: time()) == nil else {
      note("inbound budget") {
        "A link from \(accepted.remote) was refused: it sends faster than it may."
      }
      return
    }
    let link = makeLink(remote: accepted.remote, isOutbound: false)
    do throws(SocketError) {
      link.stream = try StreamConnection(
        accepted, settings: settings, queue: queue, onEvent: handler(for: link))
      links[link.id] = link
      limitHandshake(of: link)
    } catch {
      fail(link, .connection(.failed(error)))
    }
  }

  /// Ends the oldest unfinished handshake where there are too many; says whether there is room.
  ///
  /// An honest handshake takes a moment, so the oldest ones are those that only hold a place: were
  /// the newest refused instead, a few silent connections would keep everybody else out.
  private func makeRoom(for host: IPAddress) -> Bool {
    let halfOpen = links.values.filter { $0.isHalfOpen && $0.route == nil }
    let sameAddress = halfOpen.filter { $0.remote.host == host }
    let sameNetwork = halfOpen.filter { $0.remote.host.network == host.network }
    let candidates: [Link]
    if sameAddress.count >= limits.halfOpenPerAddress {
      candidates = sameAddress
    } else if sameNetwork.count >= limits.halfOpenPerAddress * share(of: host) {
      candidates = sameNetwork
    } else if links.count >= limits.links || halfOpen.count >= limits.halfOpen {
      candidates = halfOpen
    } else {
      return true
    }
    guard let oldest = candidates.min(by: { $0.id < $1.id }) else { return false }
    end(oldest, .madeRoom)
    return true
  }

  /// For how many addresses those of a machine count that may have any number of them.
  private func share(of host: IPAddress) -> Int {
    host.isV4 ? 1 : limits.addressesPerNetwork
  }

  private func handler(for link: Link) -> (StreamConnection.Event) -> Void {
    // The link owns the connection, which owns this closure: the link is looked up by its name.
    { [weak self, id = link.id] event in
      guard let self, let link = self.links[id] else { return }
      self.handle(event, of: link)
      self.events.deliver()
    }
  }

  /// Begins to count the time a handshake may take.
  func limitHandshake(of link: Link) {
    let delay = DispatchTimeInterval(seconds: limits.handshakeSeconds)
    link.alarm = Alarm(after: delay, queue: queue) { [weak self, id = link.id] in
      guard let self, let link = self.links[id] else { return }
      self.end(link, .handshakeTimedOut)
      self.events.deliver()
    }
  }

  // MARK: What connections say

  private func handle(_ event: StreamConnection.Event, of link: Link) {
    switch event {
    case .connected:
      limitHandshake(of: link)
      startHandshake(of: link)
    case .bytes(let bytes): take(bytes, from: link)
    case .closed(let reason):
      end(link, .connection(reason))
    }
  }

  /// Sends the first message of a link that was dialled.
  func startHandshake(of link: Link) {
    do throws(ChannelError) {
      if let first = try link.handshake?.start() { sendHandshake(first, on: link) }
    } catch {
      end(link, .channel(error))
    }
  }

  /// Takes in the next bytes of a link's stream.
  func take(_ bytes: [UInt8], from link: Link) {
    link.reader.append(bytes)
    take(bytes.count, from: link)
  }

  /// Handles what has come in, as far as one turn goes; returns the number of whole frames, and of
  /// those the number that the peer has to pay for.
  private func advance(_ link: Link) -> (frames: Int, own: Int) {
    var frames = 0
    var own = 0
    do throws(ChannelError) {
      while links[link.id] != nil, frames < limits.framesPerTurn {
        switch try link.step() {
        case .answer(let answer): sendHandshake(answer, on: link)
        case .up(let identity, let handshakeHash, let answer):
          // Who passes a stream on must not answer in the place of the peer it leads to.
          if let wanted = link.route?.channel.peer, wanted != identity {
            link.identity = nil
            end(link, .wrongPeer)
            return (frames, own)
          }
          if let answer { sendHandshake(answer, on: link) }
          comeUp(link, identity, handshakeHash)
        case .frame(let frame):
          frames += 1
          if !chargeChannel(for: frame, on: link) { own += 1 }
          events.add(.frame(link.id, frame))
        case .part: continue
        case .nothing: return (frames, own)
        }
      }
    } catch {
      end(link, .channel(error))
    }
    return (frames, own)
  }

  private func sendHandshake(_ message: [UInt8], on link: Link) {
    guard case .queued = link.stream?.send(RecordReader.framed(message)) else {
      return end(link, .tooSlow)
    }
  }

  private func comeUp(_ link: Link, _ identity: PublicKey, _ handshakeHash: Digest) {
    link.alarm = nil
    events.add(
      .up(
        link.id, identity: identity, handshakeHash: handshakeHash, remote: link.remote,
        isOutbound: link.isOutbound, through: link.route?.relay))
  }

  /// Handles what has come in and counts it; says whether the peer may send on.
  ///
  /// In debt it is read no further, and what has come waits, as it does for its next turn. Debts are
  /// those of the identity and of the address: neither a new link nor a new identity has none.
  @discardableResult
  private func take(_ count: Int, from link: Link) -> Bool {
    // Asked once before and once after: were a debt asked for twice, it might be paid in between,
    // and what waits would wait for ever.
    var wait = debt(of: link, adding: count)
    if wait == nil {
      let (frames, own) = advance(link)
      guard links[link.id] != nil else { return false }
      if link.unfinished > 0 {
        endTheMost(
          like: link, limit: limits.unfinishedBytesPerAddress, .unfinished, of: \.unfinished)
        guard links[link.id] != nil else { return false }
      }
      wait = debt(of: link, adding: own * limits.frameCost)
      if wait == nil, frames >= limits.framesPerTurn {
        goOn(link, after: .microseconds(1))
        return false
      }
    }
    guard let wait else { return true }
    note("budget") { "\(link.remote) sends faster than it may; it is read more slowly." }
    goOn(link, after: DispatchTimeInterval(seconds: wait / .seconds(1)))
    return false
  }

  /// Handles what a link has left waiting, later, and reads on when that is done.
  private func goOn(_ link: Link, after delay: DispatchTimeInterval) {
    link.stream?.pauseReading()
    link.alarm = Alarm(after: delay, queue: queue) { [weak self, id = link.id] in
      guard let self, let link = self.links[id] else { return }
      if self.take(0, from: link) { link.stream?.resumeReading() }
      self.events.deliver()
    }
  }

  /// Ends the link that holds the most of something, where those to one address, or all, hold too
  /// much of it together.
  private func endTheMost(
    like link: Link, limit: Int, _ reason: LinkEnd, of amount: (Link) -> Int
  ) {
    let host = link.remote.host
    let same = links.values.filter { $0.remote.host.network == host.network }
    let bounds = [
      (same, limit * share(of: host)), (Array(links.values), limit * limits.addresses),
    ]
    for (some, limit) in bounds {
      guard some.reduce(0, { $0 + amount($1) }) > limit,
        let most = some.max(by: { (amount($0), $1.id) < (amount($1), $0.id) })
      else { continue }
      return end(most, reason)
    }
  }

  /// How long until a peer and its address have paid for what they sent, `count` included.
  private func debt(of link: Link, adding count: Int) -> Duration? {
    let now = time()
    // What travels on another link has been charged to its channel; what that owes counts here.
    let owed = link.route.flatMap { budgets.take(0, from: $0.payer, now: now) }
    guard let identity = link.identity else { return owed }
    var payers: [LinkBudgets.Payer] = [.peer(identity)]
    if link.route == nil { payers += LinkBudgets.Payer.of(link.remote.host) }
    let wait = budgets.take(count, from: payers, now: now)
    return [owed, wait].compactMap(\.self).max()
  }

  // MARK: Ends

  /// Ends a link that never was among the others.
  func fail(_ link: Link, _ reason: LinkEnd) {
    links[link.id] = link
    end(link, reason)
  }

  /// Ends a link and tells the owner, and those whose links travel on it.
  func end(_ link: Link, _ reason: LinkEnd, sendingTheRest: Bool = false) {
    guard links.removeValue(forKey: link.id) != nil else { return }
    link.alarm = nil
    if let route = link.route {
      relayed[route.channel] = nil
      route.stream.end(telling: reason.asRelayEnd)
    } else if sendingTheRest {
      link.stream?.finish()
    } else {
      link.stream?.close()
    }
    link.stream = nil
    link.handshake = nil
    link.transport = nil
    forgetFullBudgets()
    note(reason, of: link)
    if let identity = link.identity {
      events.add(.down(link.id, identity: identity, reason))
    } else if link.isOutbound, let route = link.route {
      events.add(
        .relayedDialFailed(link.id, to: route.channel.peer, through: route.relay, reason))
    } else if link.isOutbound {
      events.add(.dialFailed(link.id, to: link.remote, reason))
    }
    endThose(on: link.id)
  }

  private func note(_ reason: LinkEnd, of link: Link) {
    let direction = link.isOutbound ? "to" : "from"
    let way = link.route.map { " through \($0.relay)" } ?? ""
    note("\(direction)\(link.route == nil ? "" : " relayed") \(reason.code)") {
      "The link \(direction) \(link.name)\(way) is over: \(reason) (\(reason.code))"
    }
  }

  private func forgetFullBudgets() {
    var present: Set<LinkBudgets.Payer> = []
    for link in links.values {
      guard let identity = link.identity else { continue }
      present.insert(.peer(identity))
      if let route = link.route { present.insert(route.payer) }
      present.formUnion(LinkBudgets.Payer.of(link.remote.host))
      present.formUnion(LinkBudgets.Payer.passingOn(at: link.remote.host))
    }
    budgets.forgetFull(except: present, now: time())
  }

  /// Writes a line of the log, unless one of its kind has just been written.
  func note(_ kind: String, _ text: () -> String) {
    if let line = limiter.line(kind, now: time(), text) { log(line) }
  }
}
