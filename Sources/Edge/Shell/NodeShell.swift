import Consensus
import Discovery
import Dispatch
import Games
import Keys
import Peer
import Sockets
import Store
import WebFace
import Wire
import Synchronization

/// The one actor of a node: it feeds `Peer` with what happens and does what `Peer` asks.
///
/// It runs on one queue. Sockets, timers and the page's server call in on that queue, so events
/// keep their order and nothing else runs within a step.
actor NodeShell {
  private let executor: QueueExecutor
  nonisolated var unownedExecutor: UnownedSerialExecutor {
    executor.asUnownedSerialExecutor()
  }
  /// Where everything happens.
  nonisolated var queue: DispatchQueue { executor.queue }

  private(set) var peer: Peer
  private let keys: Keys
  let store: Store
  let log: Log

  var network: Network?
  var face: PageFace?
  /// Set while a step's effects are done; what they cause waits in `events`.
  private var isDraining = false
  /// What waits in `events` is taken in when the sockets that wait before have been read.
  private var isDrainDue = false
  private var events: [PeerEvent] = []
  private var records: [Store::Record] = []
  /// Somebody waits for one of them.
  private var isUrgent = false
  /// They are written as soon as what was sent before has left.
  private var isWriteDue = false
  /// Writes those for which nobody waits.
  private var writeAlarm: Alarm?
  private var lastIndex: UInt64 = 0
  private let written = Written()
  private let thinkers = Thinkers()
  private var timer: Alarm?
  /// When the timer rings, and from when on there is something to do: a timer that rings sooner is
  /// left alone, for most of what happens only puts off what was due.
  private var timerAt: Milliseconds = .max
  private var dueAt: Milliseconds = .max
  private var isHeldBack = false
  private var asleep = NodeShell.timeAsleep()
  private var isStopped = false

  /// A tick that comes later than this is held back once, so that what waits in the sockets of a
  /// frozen laptop is heard before its timers (CONSENSUS 1.4).
  private static let late: Milliseconds = 1_000
  private static let grace: Milliseconds = 150
  /// Records for which nobody waits are written this much later at the latest, and before there are
  /// so many of them: each sync costs as much as a vote's.
  private static let writePause = DispatchTimeInterval.seconds(1)
  private static let mostLazy = 256
  /// More of a difference than this between the clocks means that the laptop slept.
  private static let nap: Milliseconds = 2_000

  init(executor: QueueExecutor, peer: Peer, keys: Keys, store: Store, log: Log) {
    self.executor = executor
    self.peer = peer
    self.keys = keys
    self.store = store
    self.log = log
  }

  // MARK: The loop

  /// Takes an event in, with all that came before it and all that follows from it at once.
  func handle(_ event: PeerEvent) {
    events.append(event)
    drain()
  }

  /// Takes an event of the network in, as soon as what else waits in the sockets is here too: one
  /// step, one transaction and one write to each link serve all of it.
  private func take(_ event: PeerEvent) {
    guard !isStopped else { return }
    events.append(event)
    guard !isDraining, !isDrainDue else { return }
    isDrainDue = true
    queue.soon { [weak self] in self?.assumeIsolated { $0.drain() } }
  }

  private func drain() {
    isDrainDue = false
    guard !isDraining, !isStopped, !events.isEmpty else { return }
    isDraining = true
    while !events.isEmpty {
      let batch = events
      events = []
      for effect in peer.step(batch, at: Clock.monotonic, shown: Clock.wall) { perform(effect) }
    }
    isDraining = false
    commit()
    network?.takesLinks(peer.name != nil)
    face?.publishIfChanged(by: self)
  }

  /// One transaction for all that this batch of events asked to write, and what was left from others.
  private func commit() {
    guard !records.isEmpty else { return }
    guard isUrgent || records.count >= NodeShell.mostLazy else { return writeLater() }
    guard !isWriteDue else { return }
    isWriteDue = true
    queue.soon { [weak self] in self?.assumeIsolated { $0.writeDue() } }
  }

  private func writeDue() {
    isWriteDue = false
    guard !records.isEmpty, !isStopped else { return }
    guard let outcome = store.commitAtOnce(records) else { return write() }
    let index = lastIndex
    records = []
    isUrgent = false
    take(outcome.map { index })
  }

  private func writeLater() {
    guard writeAlarm == nil else { return }
    writeAlarm = Alarm(after: NodeShell.writePause, queue: queue) { [weak self] in
      self?.assumeIsolated { $0.writeLazy() }
    }
  }

  private func writeLazy() {
    writeAlarm = nil
    if !records.isEmpty { write() }
  }

  private func write() {
    let batch = records
    let index = lastIndex
    records = []
    isUrgent = false
    store.commit(batch) { [written, weak self] result in
      written.note(through: index, result)
      guard let self else { return }
      queue.enter { self.assumeIsolated { $0.takeWritten() } }
    }
  }

  private func takeWritten() {
    if let outcome = written.take() { take(outcome) }
  }

  private func take(_ outcome: Result<UInt64, StoreError>) {
    switch outcome {
    case .success(let index): handle(.persisted(through: index))
    case .failure(let error): handle(.persistFailed(error.message))
    }
  }

  /// Waits until what was asked for is on the disk; for answers that promise it.
  func settle() {
    if !records.isEmpty { write() }
    store.flush()
    takeWritten()
  }

  // MARK: Effects

  private func perform(_ effect: PeerEffect) {
    switch effect {
    case .broadcast(let bytes, let zones): network?.broadcast(bytes, alsoIPv6On: zones)
    case .datagram(let bytes, let address): network?.send(bytes, to: address)
    case .dial(let address): network?.dial(address)
    case .dialThrough(let relay, let link, let peer):
      if network?.dial(peer, through: link) == false {
        events.append(.relayedDialFailed(peer, through: relay))
      }
    case .takeCarried(let frame, let link): network?.take(frame, on: link)
    case .pass(let frame, let link, let channel):
      if network?.sendIfRoom(frame, on: link) == false { events.append(.relayFull(channel)) }
    case .lookAtMachine(let wanted): lookAtMachine(wanted)
    case .think(let table, let thinking): think(thinking, at: table)
    case .stopThinking(let table): thinkers.stop(table)
    case .send(let frame, let link): network?.send(frame, on: link)
    case .close(let link, let reason): network?.close(link, reason: reason)
    case .persist(let record, let index):
      records.append(row(record))
      if !record.isLazy { isUrgent = true }
      lastIndex = index
    case .makeKeys(let request, let pretend, let withSecret):
      makeKeys(request, pretend: pretend, withSecret: withSecret)
    case .hold(let alias): keys.hold(alias)
    case .forget(let names): keys.forget(names)
    case .sign(let purpose, let bytes, let ids): sign(purpose, bytes, with: ids)
    case .drawSecret(let table, let player, let draw):
      drawSecret(table, player: player, draw: draw)
    case .wake(let time): wake(at: time)
    case .reply(let id, let reply): face?.answers[id] = reply
    case .agreed(let entry): face?.add(entry)
    case .changed: face?.isChanged = true
    case .log(let level, let text): log.write(level, text)
    }
  }

  /// Tools and tests take seconds, so they run beside the queue; their news come as an event.
  private func lookAtMachine(_ wanted: [Address]) {
    guard let look = network?.machineLook(wanted: wanted) else { return }
    DispatchQueue.global(qos: .utility).async { [weak self] in
      let seen = look.look()
      guard let self else { return }
      queue.async { self.assumeIsolated { $0.handle(.machine(seen)) } }
    }
  }

  private func think(_ thinking: Thinking, at table: TableID) {
    thinkers.think(thinking, at: table) { [weak self] move in
      guard let self else { return }
      queue.async {
        self.assumeIsolated { $0.handle(.thought(table, turn: thinking.turn, move: move)) }
      }
    }
  }

  private func row(_ record: StoredRecord) -> Store::Record {
    let collection = record.collection.rawValue
    guard let value = record.value else {
      return .delete(collection: collection, key: record.key)
    }
    return .put(collection: collection, key: record.key, value: value)
  }

  private func sign(_ purpose: Purpose, _ bytes: [UInt8], with ids: [PublicKey]) {
    do {
      var signatures: [KeySignature] = []
      for id in ids { signatures.append(KeySignature(id, try keys.sign(bytes, with: id))) }
      events.append(.signed(purpose, signatures))
      if case .entry = purpose { face?.watchSigned?() }
    } catch {
      log.write(.error, "a key of this laptop is missing: \(error.code)")
    }
  }

  /// Makes a player key per own seat and a voter key; they are on the disk before they are used.
  ///
  /// A table's secret is written with the table, in one row, before the player is told of either.
  private func makeKeys(_ request: KeyRequest, pretend: Int, withSecret: Bool) {
    do throws(StoreError) {
      let player = try admit(keys.makePlayerKey())
      let voter = try admit(keys.makeVoterKey(generation: 0))
      var others: [PublicKey] = []
      for _ in 0..<pretend { others.append(try admit(keys.makePlayerKey())) }
      events.append(
        .keysMade(
          request, TableKeys(player: player, voter: voter, pretend: others),
          secret: withSecret ? Keys.makeTableSecret() : nil))
    } catch {
      events.append(.persistFailed(error.message))
    }
  }

  private func admit(_ fresh: consuming FreshSecret) throws(StoreError) -> PublicKey {
    try keep(fresh)
    guard let key = keys.admit(fresh).publicKey else { fatalError("a signing key has no name") }
    return key
  }

  private func keep(_ fresh: borrowing FreshSecret) throws(StoreError) {
    let key = fresh.rowKey
    try fresh.withRowValue { value throws(StoreError) in
      try store.commitNow([
        .put(collection: StoredRecord.Collection.keys.rawValue, key: key, value: value)
      ])
    }
  }

  /// Finds or makes the secret of one own seat for one draw; it is on the disk before it is used.
  private func drawSecret(_ table: TableID, player: PublicKey, draw: UInt64) {
    do {
      if !keys.holds(.nonce(player, draw: draw)) {
        let fresh = try keys.makeNonce(player: player, draw: draw)
        try keep(fresh)
        _ = keys.admit(fresh)
      }
      guard let secret = Digest(try keys.nonce(player: player, draw: draw)) else { return }
      events.append(.drawSecret(table, player: player, draw: draw, secret: secret))
    } catch let error as StoreError {
      events.append(.persistFailed(error.message))
    } catch {
      log.write(.error, "the secret for a draw is missing")
    }
  }

  // MARK: Time

  private func wake(at time: Milliseconds) {
    dueAt = time
    if time < timerAt { setTimer(to: time) }
  }

  private func setTimer(to time: Milliseconds) {
    timerAt = time
    let now = Clock.monotonic
    let delay = time > now ? Int(time - now) : 0
    timer = Alarm(after: .milliseconds(max(1, delay)), queue: queue) { [weak self] in
      self?.assumeIsolated { $0.ring() }
    }
  }

  private func ring() {
    let due = timerAt
    timer = nil
    timerAt = .max
    let now = Clock.monotonic
    noticeSleep()
    if now > due + NodeShell.late && !isHeldBack {
      isHeldBack = true
      setTimer(to: now + NodeShell.grace)
      return
    }
    isHeldBack = false
    guard now >= dueAt else { return setTimer(to: dueAt) }
    network?.refreshInterfaces(at: now)
    handle(.tick)
  }

  /// How long the laptop has slept since it was started, in milliseconds.
  private static func timeAsleep() -> UInt64 {
    // Monotonic time is read first: the other way round it may be ahead of the time since boot.
    let monotonic = Clock.monotonic
    let sinceBoot = Clock.sinceBoot
    return sinceBoot > monotonic ? sinceBoot - monotonic : 0
  }

  private func noticeSleep() {
    let difference = NodeShell.timeAsleep()
    guard difference > asleep, difference - asleep > NodeShell.nap else { return }
    asleep = difference
    log.write(.info, "the laptop slept; looking for the others again")
    handle(.woke)
  }

  // MARK: Start and stop

  /// Begins to listen, to speak if there is a name, and to serve the page.
  nonisolated func begin(network: Network, face: PageFace) {
    queue.sync { assumeIsolated { $0.take(network, face) } }
  }

  private func take(_ network: Network, _ face: PageFace) {
    self.network = network
    self.face = face
    network.start { [weak self] event in self?.assumeIsolated { $0.take(event) } }
    handle(.tick)
  }

  /// Names of the interfaces in use.
  nonisolated func interfaceNames() -> [String] {
    queue.sync { assumeIsolated { $0.network?.interfaceNames ?? [] } }
  }

  /// Who is here, in a line for the terminal.
  nonisolated func company() -> String {
    queue.sync { assumeIsolated { $0.peer.company } }
  }

  /// Says goodbye, writes what waits and closes everything.
  nonisolated func end() {
    queue.sync { assumeIsolated { $0.stop() } }
  }

  private func stop() {
    guard !isStopped else { return }
    handle(.stopping)
    settle()
    store.finish()
    thinkers.stopAll()
    isStopped = true
    timer = nil
    writeAlarm = nil
    network?.stop()
  }
}

/// What the store has written, told from its own queue.
final class Written: Sendable {
  private let state = Mutex<Result<UInt64, StoreError>?>(nil)

  func note(through index: UInt64, _ result: Result<Void, StoreError>) {
    state.withLock { state in
      if case .failure = state { return }
      state = result.map { index }
    }
  }

  func take() -> Result<UInt64, StoreError>? {
    state.withLock { state in
      defer { state = nil }
      return state
    }
  }
}
