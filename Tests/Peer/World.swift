import CBOR
import Consensus
import Discovery
import Games
import Table
import TestSupport
import Wire

@testable import Peer

/// Several whole nodes on virtual time: the same seed gives the same run.
///
/// It does for each node what `NodeShell` does for one: events are stepped one after the other,
/// effects are done at once, and what a batch asked to write is one transaction.
final class World {
  private enum Happening {
    case alarm(Int)
    case event(Int, PeerEvent)
    case written(Int)
    case act((World) -> Void)
  }

  private(set) var now: UInt64 = 1_000_000
  /// What laptops show on their walls, but for `clockAhead`.
  private let wallAtStart: UInt64 = 1_800_000_000_000
  private var chance: SeededBytes
  let seed: UInt64
  private var agenda = Agenda<(run: UInt64, happening: Happening)>()
  private(set) var laptops: [Laptop]
  var cables = Cables()
  /// Links that travel on others.
  var streams = Streams()
  /// Those who do not keep up with what is passed on to or from them.
  var full: [PublicKey] = []
  private var commands: UInt64 = 0
  /// Events that nodes have taken.
  private var steps: UInt64 = 0
  /// Sees every frame that leaves a laptop.
  var onFrame: ((_ from: Int, _ to: Int, LinkMessage) -> Void)?
  /// Frames that a node is made to keep to itself.
  var keepsBack: ((_ from: Int, LinkMessage) -> Bool)?
  /// Sees everything a node asks for.
  var onEffect: ((_ laptop: Int, PeerEffect) -> Void)?
  /// Compares what each page would be shown with what it was last told, after every fourth step.
  var watchesPages = false
  private var pages: [Int: [String: String]] = [:]
  /// What must never happen, and did.
  private(set) var offences: [String] = []
  private var truth: [String: AgreedEntry] = [:]

  convenience init(_ names: String..., seed: UInt64 = 1, isStarted: Bool = true) {
    self.init(names: names, seed: seed, isStarted: isStarted)
  }

  init(names: [String], seed: UInt64 = 1, isStarted: Bool = true) {
    self.seed = seed
    chance = SeededBytes(seed: seed)
    laptops = []
    for (index, name) in names.enumerated() {
      laptops.append(
        Laptop(
          name: name, host: .v4(0xc0a8_0100 + UInt32(index + 5)),
          keys: Keyring(seed: seed &* 1_000 &+ UInt64(index))))
    }
    guard isStarted else { return }
    for index in laptops.indices { start(index) }
  }

  // MARK: Laptops

  subscript(laptop: Int) -> Laptop {
    get { laptops[laptop] }
    set { laptops[laptop] = newValue }
  }

  func wall(_ laptop: Int) -> UInt64 {
    UInt64(Int64(wallAtStart + now) + laptops[laptop].clockAhead)
  }

  /// Starts a node from what its disk holds.
  func start(_ laptop: Int) {
    laptops[laptop].run += 1
    laptops[laptop].isFrozen = false
    laptops[laptop].waiting = []
    let setup = laptops[laptop].setup(startedAt: wall(laptop))
    let peer = Peer(setup: setup, rows: laptops[laptop].disk.stored, now: now)
    laptops[laptop].peer = peer
    laptops[laptop].keys.restart(needing: peer.neededKeys)
    deliver(.interfaces(laptops[laptop].interfaces), to: laptop)
  }

  /// The process is killed: its connections are reset, what was not durable is lost.
  func kill(_ laptop: Int) {
    forget(laptop)
    for link in cables.links(of: laptop) { hangUp(link.id, by: laptop) }
  }

  /// The power is gone: nobody is told.
  func unplug(_ laptop: Int) {
    forget(laptop)
    for other in laptops.indices where other != laptop { cut(laptop, other) }
  }

  private func forget(_ laptop: Int) {
    laptops[laptop].peer = nil
    laptops[laptop].alarm = nil
    laptops[laptop].run += 1
    laptops[laptop].disk.crash()
    _ = streams.forget(at: laptop)
  }

  /// Plugged in again, and started.
  func plugIn(_ laptop: Int) {
    for other in laptops.indices where other != laptop { mend(laptop, other) }
    start(laptop)
  }

  /// Stops a node as Ctrl-C does.
  func stop(_ laptop: Int) {
    deliver(.stopping, to: laptop)
    while laptops[laptop].disk.commit() != nil {}
    kill(laptop)
  }

  func freeze(_ laptop: Int) { laptops[laptop].isFrozen = true }

  /// What waited in the sockets is heard before the timers ring.
  func resume(_ laptop: Int) {
    laptops[laptop].isFrozen = false
    let waiting = laptops[laptop].waiting
    laptops[laptop].waiting = []
    for event in waiting { deliver(event, to: laptop) }
    if let alarm = laptops[laptop].alarm, alarm <= now { deliver(.tick, to: laptop) }
  }

  // MARK: The network

  /// Everything between two laptops is lost; connections do not notice.
  func cut(_ one: Int, _ other: Int) {
    cables.block(from: one, to: other)
    cables.block(from: other, to: one)
  }

  func mend(_ one: Int, _ other: Int) {
    cables.unblock(from: one, to: other)
    cables.unblock(from: other, to: one)
  }

  /// Both ends of every link between two laptops are told that it is closed.
  func reset(_ one: Int, _ other: Int) {
    for link in cables.links(of: one) where link.ends.0 == other || link.ends.1 == other {
      for end in [one, other] { schedule(.event(end, .linkDown(link.id)), for: end, in: 1) }
      cables[link.id] = nil
    }
  }

  func delay() -> UInt64 { 1 + chance.next() % 3 }

  private func hangUp(_ id: LinkID, by laptop: Int) {
    if let stream = streams[id] { return hangUp(stream) }
    if streams.all.values.contains(where: { $0.carrier == id && $0.laptop == laptop }) {
      schedule(.act { $0.endStreams(at: laptop, on: id) }, for: -1, in: 0)
    }
    guard var link = cables[id] else { return }
    let isDialler = link.ends.0 == laptop
    let other = isDialler ? link.ends.1 : link.ends.0
    if isDialler { link.isHeld.0 = false } else { link.isHeld.1 = false }
    let otherHolds = isDialler ? link.isHeld.1 : link.isHeld.0
    cables[id] = otherHolds ? link : nil
    let run = isDialler ? link.runs.1 : link.runs.0
    guard otherHolds, laptops[other].run == run, cables.isOpen(from: laptop, to: other) else {
      return
    }
    let at = max(now + delay(), isDialler ? link.busyUntil.1 : link.busyUntil.0)
    schedule(.event(other, .linkDown(id)), for: other, in: at - now)
    cables[id] = nil
  }

  private func dial(_ address: Address, by laptop: Int) {
    func fail(in time: UInt64) {
      schedule(.event(laptop, .dialFailed(address)), for: laptop, in: time)
    }
    guard let other = laptops.firstIndex(where: { $0.takesLinks(at: address) }),
      cables.isOpen(from: laptop, to: other), cables.isOpen(from: other, to: laptop),
      !laptops[other].isFrozen
    else { return fail(in: 5_000) }
    guard laptops[other].peer != nil, !cables.refusing.contains(other) else {
      return fail(in: 2)
    }
    let runs = (laptops[laptop].run, laptops[other].run)
    let id = cables.connect(laptop, other, runs)
    let host = laptops[laptop].liveHosts.first ?? laptops[laptop].host
    let remote = Address(host: host, port: UInt16(40_000 + id % 20_000))
    let up = (2 + delay(), 2 + delay())
    let hash = Digest(.link, .unsigned(seed), .unsigned(id))
    cables[id]?.busyUntil = (now + up.0, now + up.1)
    schedule(
      .event(
        laptop,
        .linkUp(
          id, peer: laptops[other].me, handshakeHash: hash, remote: address, outbound: true)),
      for: laptop, in: up.0)
    schedule(
      .event(
        other,
        .linkUp(
          id, peer: laptops[laptop].me, handshakeHash: hash, remote: remote, outbound: false)),
      for: other, in: up.1)
  }

  /// Whether a laptop holds an end of a link.
  func holds(_ id: LinkID, _ laptop: Int) -> Bool {
    guard let link = cables[id] else { return false }
    return link.ends.0 == laptop ? link.isHeld.0 : link.isHeld.1
  }

  func send(_ frame: [UInt8], on id: LinkID, by laptop: Int) {
    if let stream = streams[id] { return send(frame, on: stream) }
    guard let link = cables[id] else { return }
    let isDialler = link.ends.0 == laptop
    guard isDialler ? link.isHeld.0 : link.isHeld.1 else { return }
    let other = isDialler ? link.ends.1 : link.ends.0
    if let onFrame {
      do { onFrame(laptop, other, try LinkMessage(frame: frame)) } catch {
        offences.append("\(laptops[laptop].name) sent an unreadable frame: \(error.code)")
      }
    }
    if let keepsBack, let message = try? LinkMessage(frame: frame), keepsBack(laptop, message) {
      return
    }
    guard cables.isOpen(from: laptop, to: other),
      laptops[other].run == (isDialler ? link.runs.1 : link.runs.0)
    else { return }
    let at = max(now + delay(), isDialler ? link.busyUntil.1 : link.busyUntil.0)
    if isDialler { cables[id]?.busyUntil.1 = at } else { cables[id]?.busyUntil.0 = at }
    schedule(.event(other, .frame(id, frame)), for: other, in: at - now)
  }

  /// Sends bytes as if a laptop's node had, on its newest link to another.
  func inject(_ frame: [UInt8], from laptop: Int, to other: Int) {
    guard
      let link = cables.links(of: laptop).last(where: {
        ($0.ends.0 == other || $0.ends.1 == other) && $0.isHeld.0 && $0.isHeld.1
      })
    else { return }
    deliver(.frame(link.id, frame), to: other)
  }

  private func broadcast(_ bytes: [UInt8], by laptop: Int) {
    guard laptops[laptop].hasBroadcast else { return }
    for other in laptops.indices where laptops[other].hasBroadcast {
      guard !cables.isMuted(from: laptop, to: other, isBroadcast: true) else { continue }
      datagram(bytes, from: laptop, to: other, isAlone: false)
    }
  }

  private func datagram(_ bytes: [UInt8], from laptop: Int, to other: Int, isAlone: Bool) {
    guard laptops[other].peer != nil, cables.isOpen(from: laptop, to: other) else { return }
    guard !cables.isMuted(from: laptop, to: other, isBroadcast: false) else { return }
    for (number, host) in laptops[laptop].liveHosts.enumerated() {
      let source = Address(host: host, port: Laptop.datagramPort)
      schedule(
        .event(other, .datagram(bytes, from: source, on: "eth\(number)", isAlone: isAlone)),
        for: other, in: delay())
    }
  }

  // MARK: Time

  private func schedule(_ happening: Happening, for laptop: Int, in time: UInt64) {
    let run = laptops.indices.contains(laptop) ? laptops[laptop].run : 0
    agenda.add((run, happening), at: now + time)
  }

  /// Has something done later.
  func after(_ time: UInt64, _ act: @escaping (World) -> Void) {
    schedule(.act(act), for: -1, in: time)
  }

  /// Lets time pass.
  func run(for span: UInt64) {
    let end = now + span
    while let next = agenda.next, next <= end { happen() }
    now = end
  }

  private func happen() {
    guard let (time, (run, happening)) = agenda.take() else { return }
    now = max(now, time)
    switch happening {
    case .alarm(let laptop):
      guard laptops[laptop].run == run, laptops[laptop].alarm == time,
        !laptops[laptop].isFrozen
      else { return }
      laptops[laptop].alarm = nil
      deliver(.tick, to: laptop)
    case .event(let laptop, let event):
      guard laptops[laptop].run == run else { return }
      deliver(event, to: laptop)
      if case .linkDown(let id) = event { endStreams(at: laptop, on: id) }
    case .written(let laptop):
      guard laptops[laptop].run == run else { return }
      written(laptop)
    case .act(let act): act(self)
    }
  }

  /// Lets time pass until something holds, looking whenever some node has taken a step, at most
  /// every five milliseconds.
  @discardableResult
  func run(
    until what: String, within limit: UInt64 = 5_000, _ holds: (World) throws -> Bool
  ) throws -> UInt64 {
    let start = now
    var seen: UInt64?
    while true {
      if seen != steps, try holds(self) { return now - start }
      seen = steps
      guard now < start + limit else {
        throw Trouble("\(what): not within \(limit) ms (seed \(seed)). \(story)")
      }
      run(for: 5)
    }
  }

  // MARK: A node

  /// Steps a node with an event and all that follows from it at once.
  func deliver(_ event: PeerEvent, to laptop: Int) {
    guard laptops[laptop].peer != nil else { return }
    guard !laptops[laptop].isFrozen else {
      laptops[laptop].waiting.append(event)
      return
    }
    var events = [event]
    var transaction = Disk.Transaction()
    let wall = wall(laptop)
    steps += 1
    var isChanged = false
    while !events.isEmpty {
      let effects = laptops[laptop].peer?.step(events, at: now, shown: wall) ?? []
      events = []
      for effect in effects {
        onEffect?(laptop, effect)
        if case .changed = effect { isChanged = true }
        events += perform(effect, of: laptop, &transaction)
      }
    }
    if case .tick = event { checkKeys(laptop) }
    if watchesPages { comparePage(laptop, after: event, isTold: isChanged) }
    guard !transaction.records.isEmpty else { return }
    laptops[laptop].disk.begin(transaction)
    schedule(.written(laptop), for: laptop, in: 1)
  }

  private func written(_ laptop: Int) {
    guard !laptops[laptop].isFrozen else {
      schedule(.written(laptop), for: laptop, in: 20)
      return
    }
    guard !laptops[laptop].disk.isFull else {
      deliver(.persistFailed("The disk of this laptop is full."), to: laptop)
      return
    }
    let crash = laptops[laptop].crash.flatMap {
      $0.commit == laptops[laptop].disk.commits ? $0 : nil
    }
    if let crash, !crash.isAfter {
      laptops[laptop].crash = nil
      return kill(laptop)
    }
    guard let through = laptops[laptop].disk.commit() else { return }
    if crash != nil {
      laptops[laptop].crash = nil
      return kill(laptop)
    }
    deliver(.persisted(through: through), to: laptop)
  }

  private func perform(
    _ effect: PeerEffect, of laptop: Int, _ transaction: inout Disk.Transaction
  ) -> [PeerEvent] {
    switch effect {
    case .broadcast(let bytes, _): broadcast(bytes, by: laptop)
    case .datagram(let bytes, let address):
      if let other = laptops.firstIndex(where: { $0.liveHosts.contains(address.host) }) {
        datagram(bytes, from: laptop, to: other, isAlone: true)
      }
    case .dial(let address): dial(address, by: laptop)
    case .dialThrough, .takeCarried, .pass: return perform(relayed: effect, of: laptop)
    case .lookAtMachine, .stopThinking: break
    case .think(let table, let thinking):
      return [.thought(table, turn: thinking.turn, move: thinking.find(budget: 500))]
    case .send(let frame, let link): send(frame, on: link, by: laptop)
    case .close(let link, _): hangUp(link, by: laptop)
    case .persist(let record, let index):
      transaction.records.append(record)
      transaction.through = index
    case .makeKeys(let request, let pretend, let withSecret):
      let player = laptops[laptop].keys.make()
      let voter = laptops[laptop].keys.make()
      let others = (0..<pretend).map { _ in laptops[laptop].keys.make() }
      return [
        .keysMade(
          request, TableKeys(player: player, voter: voter, pretend: others),
          secret: withSecret ? laptops[laptop].keys.makeTableSecret() : nil)
      ]
    case .hold(let alias): laptops[laptop].keys.hold(alias)
    case .forget(let names): laptops[laptop].keys.forget(names)
    case .sign(let purpose, let bytes, let ids):
      checkDurable(purpose, laptop)
      let signatures = ids.compactMap { id in
        laptops[laptop].keys.sign(bytes, with: id).map { KeySignature(id, $0) }
      }
      if signatures.count < ids.count {
        offences.append("\(laptops[laptop].name) signs with a key it does not have")
      }
      return [.signed(purpose, signatures)]
    case .drawSecret(let table, let player, let draw):
      let secret = laptops[laptop].keys.drawSecret(table, player: player, draw: draw)
      return [.drawSecret(table, player: player, draw: draw, secret: secret)]
    case .wake(let time):
      laptops[laptop].alarm = max(time, now + 1)
      schedule(.alarm(laptop), for: laptop, in: max(time, now + 1) - now)
    case .reply(let id, let reply):
      if laptops[laptop].replies[id] == nil { laptops[laptop].replies[id] = reply }
    case .agreed(let entry): agreed(entry, laptop)
    case .changed: break
    case .log(let level, let text):
      if level == .error { laptops[laptop].errors.append(text) }
    }
    return []
  }

  /// An own entry is on the disk before it is signed, and a sequence stands for one entry for ever.
  private func checkDurable(_ purpose: Purpose, _ laptop: Int) {
    guard case .entry(let table, let author, let sequence) = purpose else { return }
    var key = table.bytes + author.bytes
    for shift in stride(from: UInt64(56), through: 0, by: -8) {
      key.append(UInt8(truncatingIfNeeded: sequence >> shift))
    }
    if laptops[laptop].disk.rows[.drafts]?[key] == nil {
      offences.append("\(laptops[laptop].name) signs entry \(sequence) before it is durable")
    }
  }

  /// In memory are the keys that something signs with, and no others.
  private func checkKeys(_ laptop: Int) {
    guard let peer = laptops[laptop].peer, !peer.isStopping, offences.count < 8 else { return }
    let idle = laptops[laptop].keys.held.subtracting(peer.neededKeys)
    if !idle.isEmpty { offences.append("\(laptops[laptop].name) holds \(idle.count) idle keys") }
  }

  /// What one laptop shows as agreed, every other shows alike, and it never changes.
  private func agreed(_ entry: AgreedEntry, _ laptop: Int) {
    laptops[laptop].agreed.append(entry)
    let place = "\(entry.table) \(entry.index)"
    if let known = truth[place], known != entry {
      offences.append("\(laptops[laptop].name) agreed on \(entry), not on \(known)")
    }
    truth[place] = entry
  }

  /// A page is told of every change that is not the mere passing of time.
  private func comparePage(_ laptop: Int, after event: PeerEvent, isTold: Bool) {
    guard isTold || steps % 4 == 0, let state = try? state(laptop) else { return }
    let page = state.parts
    if !isTold, let shown = pages[laptop] {
      for (path, value) in page where shown[path] != value && offences.count < 8 {
        offences.append(
          "\(laptops[laptop].name)'s page is not told of \(path): \(shown[path] ?? "nothing") "
            + "is \(value) after \("\(event)".prefix(60))")
      }
    }
    pages[laptop] = page
  }

  // MARK: Commands

  func freshID() -> CommandID {
    commands += 1
    guard let id = CommandID("command-\(commands)") else { fatalError("a well-formed id") }
    return id
  }

  /// Gives a node a command, as its page does.
  @discardableResult
  func tell(_ laptop: Int, _ command: Command, id: CommandID? = nil) -> CommandID {
    let id = id ?? freshID()
    deliver(.command(command, id: id), to: laptop)
    return id
  }

  /// Gives a node a command and waits for its answer.
  @discardableResult
  func ask(
    _ laptop: Int, _ command: Command, id: CommandID? = nil, within limit: UInt64 = 12_000
  ) throws -> CommandReply {
    let id = tell(laptop, command, id: id)
    try run(until: "an answer to \(command)", within: limit) {
      $0[laptop].replies[id] != nil
    }
    guard let reply = laptops[laptop].replies[id] else { throw Trouble("no answer") }
    return reply
  }

  // MARK: What pages show

  func session(_ laptop: Int, _ table: TableID) -> TableSession? {
    laptops[laptop].peer?.sessions.first { $0.id == table }
  }

  func state(_ laptop: Int) throws -> PageState {
    guard let peer = laptops[laptop].peer else {
      throw Trouble("\(laptops[laptop].name)'s node does not run")
    }
    return peer.pageState(revision: 1, boot: "test", at: now)
  }

  /// Where everybody stands, for the message of a failure.
  private var story: String {
    laptops.map { laptop in
      guard let peer = laptop.peer else { return "\(laptop.name): off" }
      let tables = peer.sessions.map { session in
        "[\(session.genesis.codeText) \(session.table.phase) h\(session.replica.finalHeight)"
          + " e\(session.replica.epoch.number) v\(session.replica.view)"
          + " linked \(session.linked.count) quorum \(session.replica.hasQuorum)"
          + (session.isJoining ? " joining" : "") + (session.refusal.map { " \($0.code)" } ?? "")
          + (session.mayAuthor ? "" : " mayNot") + (session.hasQuit ? " quit" : "") + "]"
      }
      return "\(laptop.name): \(peer.switchboard.links.count) links \(tables.joined())"
        + laptop.errors.map { " ! \($0)" }.joined()
    }.joined(separator: "; ")
  }
}

/// Something did not come about.
struct Trouble: Error, CustomStringConvertible {
  let description: String
  init(_ description: String) { self.description = description }
}
