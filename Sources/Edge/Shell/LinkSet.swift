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

  /// Whose budget is charged for what comes in: the peer's, and that of all peers at its address.
  private enum Payer: Hashable {
    case peer(PublicKey)
    case address(IPv4Address)
  }

  private let local: LinkIdentity
  private let filter: InterfaceFilter
  private let limits: LinkLimits
  private let queue: DispatchQueue
  private let log: (String) -> Void
  private let onEvent: (LinkEvent) -> Void
  private let clock = ContinuousClock()
  private let pump: any DispatchSourceUserDataAdd

  private var listener: StreamListener?
  private var links: [LinkID: Link] = [:]
  private var nextNumber: UInt64 = 1
  private var budgets: [Payer: TokenBucket] = [:]
  private var limiter: LogLimiter
  private var pending: [LinkEvent] = []
  private var deliveredCount = 0
  private var isDelivering = false

  /// A set without links.
  ///
  /// - Parameters:
  ///   - local: who this node is.
  ///   - filter: the interfaces it may use.
  ///   - limits: the numbers that bound it.
  ///   - queue: where it lives.
  ///   - log: gets lines for the log, few of each kind.
  ///   - onEvent: gets every event.
  package init(
    local: LinkIdentity, filter: InterfaceFilter = InterfaceFilter(),
    limits: LinkLimits = LinkLimits(), queue: DispatchQueue,
    log: @escaping (String) -> Void, onEvent: @escaping (LinkEvent) -> Void
  ) {
    self.local = local
    self.filter = filter
    self.limits = limits
    self.queue = queue
    self.log = log
    self.onEvent = onEvent
    self.limiter = LogLimiter(interval: .seconds(limits.logSeconds))
    self.pump = DispatchSource.makeUserDataAddSource(queue: queue)
    pump.setEventHandler { [weak self] in self?.deliver() }
    pump.activate()
  }

  deinit {
    pump.cancel()
  }

  /// Whether links from others are taken; while not, a connection is closed without a byte.
  package var takesLinks = true

  /// How many links there are, those without a finished handshake included.
  package var count: Int { links.count }

  /// Listens on `port`, or on the first free one of the `attempts` that start there.
  ///
  /// Returns where; throws when none is free.
  package func listen(port: UInt16, attempts: Int = 1) throws(SocketError) -> Endpoint {
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
  package func dial(_ remote: Endpoint) -> LinkID {
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
      link.connection = try StreamConnection(
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
    guard let link = links[id], link.identity != nil, let connection = link.connection else {
      return .notUp
    }
    do throws(ChannelError) {
      guard let records = try link.transport?.seal(frame) else { return .notUp }
      switch connection.send(records) {
      case .queued(let pending): return .queued(pending: pending)
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
    dropFrames(of: id)
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

  private func makeLink(remote: Endpoint, isOutbound: Bool) -> Link {
    defer { nextNumber += 1 }
    return Link(
      id: LinkID(number: nextNumber), remote: remote, isOutbound: isOutbound, local: local)
  }

  private func accept(_ accepted: AcceptedStream) {
    let halfOpen = links.values.filter { !$0.isOutbound && $0.identity == nil }
    let sameAddress = halfOpen.filter { $0.remote.address == accepted.remote.address }
    // Dropping what was accepted closes it.
    guard takesLinks else { return }
    guard links.count < limits.links, halfOpen.count < limits.halfOpen,
      sameAddress.count < limits.halfOpenPerAddress
    else {
      note("inbound tooManyLinks") {
        "A link from \(accepted.remote) was refused: \(LinkEnd.tooManyLinks)"
      }
      return
    }
    // A new link would read a first chunk on credit.
    guard waitOfAddress(accepted.remote.address) == nil else {
      note("inbound budget") {
        "A link from \(accepted.remote) was refused: it sends faster than it may."
      }
      return
    }
    let link = makeLink(remote: accepted.remote, isOutbound: false)
    do throws(SocketError) {
      link.connection = try StreamConnection(
        accepted, settings: settings, queue: queue, onEvent: handler(for: link))
      links[link.id] = link
      limitHandshake(of: link)
    } catch {
      fail(link, .connection(.failed(error)))
    }
  }

  private func handler(for link: Link) -> (StreamConnection.Event) -> Void {
    // The link owns the connection, which owns this closure: the link is looked up by its name.
    { [weak self, id = link.id] event in
      guard let self, let link = self.links[id] else { return }
      self.handle(event, of: link)
      self.deliver()
    }
  }

  private func limitHandshake(of link: Link) {
    let delay = DispatchTimeInterval(seconds: limits.handshakeSeconds)
    link.alarm = Alarm(after: delay, queue: queue) { [weak self, id = link.id] in
      guard let self, let link = self.links[id] else { return }
      self.end(link, .handshakeTimedOut)
      self.deliver()
    }
  }

  // MARK: What connections say

  private func handle(_ event: StreamConnection.Event, of link: Link) {
    switch event {
    case .connected:
      limitHandshake(of: link)
      do throws(ChannelError) {
        if let first = try link.handshake?.start() { sendHandshake(first, on: link) }
      } catch {
        end(link, .channel(error))
      }
    case .bytes(let bytes):
      link.reader.append(bytes)
      take(bytes.count, from: link)
    case .closed(let reason):
      end(link, .connection(reason))
    }
  }

  /// Handles what has come in; returns the number of whole frames.
  private func advance(_ link: Link) -> Int {
    var frames = 0
    do throws(ChannelError) {
      while links[link.id] != nil {
        switch try link.step() {
        case .answer(let answer): sendHandshake(answer, on: link)
        case .up(let identity, let answer):
          if let answer { sendHandshake(answer, on: link) }
          comeUp(link, identity)
        case .frame(let frame):
          frames += 1
          emit(.frame(link.id, frame))
        case .part: continue
        case .nothing: return frames
        }
      }
    } catch {
      end(link, .channel(error))
    }
    return frames
  }

  private func sendHandshake(_ message: [UInt8], on link: Link) {
    guard case .queued = link.connection?.send(RecordReader.framed(message)) else {
      return end(link, .tooSlow)
    }
  }

  private func comeUp(_ link: Link, _ identity: PublicKey) {
    link.alarm = nil
    emit(.up(link.id, identity: identity, remote: link.remote, isOutbound: link.isOutbound))
  }

  /// Handles what has come in and counts it; says whether the peer may send on.
  ///
  /// In debt it is read no further, and what has come waits. Debts are those of the identity and of
  /// the address: neither a new link nor a new identity has none.
  @discardableResult
  private func take(_ count: Int, from link: Link) -> Bool {
    // Asked once before and once after: were a debt asked for twice, it might be paid in between,
    // and what waits would wait for ever.
    var wait = debt(of: link, adding: count)
    if wait == nil {
      let frames = advance(link)
      guard links[link.id] != nil else { return false }
      wait = debt(of: link, adding: frames * limits.frameCost)
    }
    guard let wait else { return true }
    link.connection?.pauseReading()
    note("budget") { "\(link.remote) sends faster than it may; it is read more slowly." }
    let delay = DispatchTimeInterval(seconds: wait / .seconds(1))
    link.alarm = Alarm(after: delay, queue: queue) { [weak self, id = link.id] in
      guard let self, let link = self.links[id] else { return }
      if self.take(0, from: link) { link.connection?.resumeReading() }
      self.deliver()
    }
    return false
  }

  /// How long until a peer and its address have paid for what they sent, `count` included.
  private func debt(of link: Link, adding count: Int) -> Duration? {
    guard let identity = link.identity else { return nil }
    let now = clock.now
    let waits = [
      take(count, from: .peer(identity), budgets: 1, now: now),
      waitOfAddress(link.remote.address, for: count, now: now),
    ]
    return waits.compactMap(\.self).max()
  }

  private func waitOfAddress(
    _ address: IPv4Address, for count: Int = 0, now: ContinuousClock.Instant? = nil
  ) -> Duration? {
    take(
      count, from: .address(address), budgets: limits.budgetsPerAddress, now: now ?? clock.now)
  }

  private func take(
    _ count: Int, from payer: Payer, budgets share: Int, now: ContinuousClock.Instant
  ) -> Duration? {
    var budget =
      budgets[payer]
      ?? TokenBucket(
        capacity: limits.burstBytes * share, perSecond: limits.bytesPerSecond * share, now: now)
    defer { budgets[payer] = budget }
    return budget.take(count, now: now)
  }

  // MARK: Ends

  private func fail(_ link: Link, _ reason: LinkEnd) {
    links[link.id] = link
    end(link, reason)
  }

  private func end(_ link: Link, _ reason: LinkEnd, sendingTheRest: Bool = false) {
    guard links.removeValue(forKey: link.id) != nil else { return }
    link.alarm = nil
    if sendingTheRest { link.connection?.finish() } else { link.connection?.close() }
    link.connection = nil
    link.handshake = nil
    link.transport = nil
    forgetFullBudgets()

    let direction = link.isOutbound ? "to" : "from"
    note("\(direction) \(reason.code)") {
      "The link \(direction) \(link.remote) is over: \(reason) (\(reason.code))"
    }
    if let identity = link.identity {
      emit(.down(link.id, identity: identity, reason))
    } else if link.isOutbound {
      emit(.dialFailed(link.id, to: link.remote, reason))
    }
  }

  /// Keeps the budgets of those that have a link or have not yet refilled.
  private func forgetFullBudgets() {
    var present: Set<Payer> = []
    for link in links.values {
      guard let identity = link.identity else { continue }
      present.insert(.peer(identity))
      present.insert(.address(link.remote.address))
    }
    let now = clock.now
    budgets = budgets.filter { payer, budget in
      present.contains(payer) || !budget.isFull(now: now)
    }
  }

  // MARK: Events and log

  private func emit(_ event: LinkEvent) {
    pending.append(event)
    pump.add(data: 1)
  }

  /// Hands out what has happened until now.
  ///
  /// What the owner's answers cause waits for the pump, so that other work on the queue gets its
  /// turn even if every answer causes another event.
  private func deliver() {
    guard !isDelivering else { return }
    isDelivering = true
    defer { isDelivering = false }
    var left = pending.count
    while left > 0, deliveredCount < pending.count {
      left -= 1
      deliveredCount += 1
      onEvent(pending[deliveredCount - 1])
    }
    pending.removeFirst(deliveredCount)
    deliveredCount = 0
  }

  /// The owner that has closed a link does not want what else came on it.
  private func dropFrames(of id: LinkID) {
    pending = pending[deliveredCount...].filter { event in
      if case .frame(id, _) = event { false } else { true }
    }
    deliveredCount = 0
  }

  private func note(_ kind: String, _ text: () -> String) {
    if let line = limiter.line(kind, now: clock.now, text) { log(line) }
  }
}
