internal import CBOR
package import Consensus
package import Wire

/// A table of simulated laptops on virtual time; all that happens follows from one seed.
///
/// Delivery, syncs, crashes and people are events in one queue. A node's disk loses what was not
/// synced, its messages may be lost, doubled, late or out of order, its links cut on both sides or
/// silent on one. After the storm all is mended, and then everything promised must become true.
package struct Simulation<Load: Workload>: Sendable {
  enum Happening: Sendable {
    case deliver(Verified<TableMessage>, from: Int, to: Int, link: Int)
    case wake(Int, life: Int)
    case synced(Int, life: Int, through: UInt64)
    case signed(Int, life: Int, SignedStatement)
    case keepalive(Int)
    case crash(Int, life: Int)
    case restart(Int)
    case act(Int)
    case trouble
  }

  struct Link: Sendable {
    var isUp = false
    /// Silently drops everything: the other direction may work.
    var isBlocked = false
    var session = 0
  }

  package let seed: UInt64
  package let founding: Founding
  let load: Load
  package var weather: Weather
  package internal(set) var nodes: [Node<Load.App>]
  package internal(set) var oracle = Oracle()
  package internal(set) var now: UInt64 = 0
  /// Messages of consensus that were sent to somebody, and those that were not `Status`.
  package internal(set) var sent = 0
  package internal(set) var crashes = 0
  /// Folds everything that every node did.
  package internal(set) var trace: UInt64 = 0xcbf2_9ce4_8422_2325
  var links: [[Link]]
  var queue = Queue<Happening>()
  var random: Random
  var isStormy = false
  /// What else the network loses: a message from one node to another.
  package var loses: @Sendable (TableMessage, _ from: Int, _ to: Int) -> Bool = { _, _, _ in false }
  package internal(set) var refusals: [String: Int] = [:]
  package internal(set) var accusations: [Evidence] = []

  /// Sets up a table of so many people, everything linked; person 0 created it.
  package init(people: Int, seed: UInt64, weather: Weather, load: Load) {
    self.seed = seed
    self.weather = weather
    self.load = load
    random = Random(seed: seed)
    let persons = (0..<people).map { Person(index: $0, seed: seed) }
    let table = TableID(raw: Digest(.genesis, .unsigned(seed)).raw)
    founding = Founding(table: table, creator: persons[0].voter)
    nodes = persons.map { Node(person: $0) }
    links = Array(repeating: Array(repeating: Link(), count: people), count: people)
    for index in nodes.indices {
      nodes[index].replica = Replica(
        founding: founding, voter: persons[index].voter,
        app: load.genesis(table: table, creator: persons[0]), seed: random.next(), now: 0)
      queue.push(.keepalive(index), at: random.number(0...5_000))
    }
    for (low, high) in pairs { setLink(low, high, isUp: true) }
  }

  /// Every pair of nodes, the lower first.
  var pairs: [(Int, Int)] {
    nodes.indices.flatMap { low in nodes.indices.filter { $0 > low }.map { (low, $0) } }
  }

  // MARK: Running

  /// Lets virtual time pass; stops at the first broken promise.
  package mutating func run(until end: UInt64) {
    while oracle.failure == nil, let time = queue.nextTime, time <= end, let next = queue.pop() {
      now = max(now, next.time)
      handle(next.item)
    }
    now = max(now, end)
  }

  /// Runs until a condition holds; false if it does not by a time.
  package mutating func run(
    until end: UInt64, _ condition: (Simulation) -> Bool
  ) -> Bool {
    while oracle.failure == nil {
      if condition(self) { return true }
      if now >= end { return false }
      run(until: min(end, now + 50))
    }
    return false
  }

  private mutating func handle(_ happening: Happening) {
    switch happening {
    case .deliver(let message, let from, let to, let link):
      guard links[from][to].session == link, !isPaused(to, happening) else { return }
      step(to, .received(message, from: nodes[from].person.identity))
    case .wake(let node, let life):
      guard nodes[node].life == life, nodes[node].wakeAt.map({ $0 <= now }) == true,
        !isPaused(node, happening)
      else { return }
      nodes[node].wakeAt = nil
      tick(node)
    case .synced(let node, let life, let index):
      guard nodes[node].life == life, !isPaused(node, happening) else { return }
      nodes[node].disk.sync(through: index)
      nodes[node].isSyncing = false
      step(node, .persisted(through: index))
      syncIfNeeded(node)
    case .signed(let node, let life, let statement):
      guard nodes[node].life == life, !isPaused(node, happening) else { return }
      step(node, .signed(statement))
    case .keepalive(let node): keepalive(node)
    case .crash(let node, let life):
      if nodes[node].life == life, isStormy { crash(node) }
    case .restart(let node): restart(node)
    case .act(let node): act(node)
    case .trouble: trouble()
    }
  }

  private mutating func isPaused(_ node: Int, _ happening: Happening) -> Bool {
    let until = nodes[node].pausedUntil
    guard until > now else { return false }
    // What came in meanwhile is read before any timer.
    if case .wake = happening {
      queue.push(happening, at: until + 1)
    } else {
      queue.push(happening, at: until)
    }
    return true
  }

  private mutating func keepalive(_ node: Int) {
    queue.push(.keepalive(node), at: now + 5_000)
    guard let status = nodes[node].replica?.status, nodes[node].pausedUntil <= now else { return }
    send(.status(status), from: node, to: .all)
  }

  /// Tells a node the time on its own clock.
  package mutating func tick(_ node: Int) { step(node, .tick(now + nodes[node].clockAhead)) }

  /// Gives a node an event, and the world its effects.
  package mutating func step(_ node: Int, _ event: Event) {
    guard let effects = nodes[node].replica?.step(event) else { return }
    for effect in effects { perform(effect, of: node) }
    syncIfNeeded(node)
  }

  private mutating func perform(_ effect: Effect, of node: Int) {
    switch effect {
    case .persist(let record, let index):
      fold(1, UInt64(record.kind.rawValue), index)
      nodes[node].disk.write(record, index: index)
    case .sign(let statement): sign(statement, of: node)
    case .send(let message, let recipients):
      send(message, from: node, to: recipients)
    case .wake(let time):
      let ahead = nodes[node].clockAhead
      let time = max(time, now + ahead) - ahead
      if let wakeAt = nodes[node].wakeAt, wakeAt <= time { return }
      nodes[node].wakeAt = time
      queue.push(.wake(node, life: nodes[node].life), at: time)
    case .committed(let block, let outcomes):
      fold(2, UInt64(node), block.hash.raw.leadingWord)
      oracle.saw(block, outcomes, final: node, at: now)
    case .recovered(let recovery, _): fold(5, UInt64(node), recovery.id.raw.leadingWord)
    case .accuse(let evidence): accusations.append(evidence)
    case .refused(let code): refusals[code, default: 0] += 1
    }
  }

  private mutating func sign(_ statement: ApprovedStatement, of node: Int) {
    if case .vote(let vote) = statement {
      oracle.saw(vote, by: node, disk: nodes[node].disk, at: now)
      fold(3, vote.subject.view, UInt64(vote.subject.kind.rawValue))
    }
    let signature = CheapSignatures.sign(statement.signedBytes, by: statement.voter)
    do {
      let signed = try statement.signed(with: signature, checker: CheapSignatures())
      queue.push(.signed(node, life: nodes[node].life, signed), at: now)
    } catch {
      oracle.fail("signatures", "\(error)", at: now)
    }
  }

  private mutating func syncIfNeeded(_ node: Int) {
    guard !nodes[node].isSyncing, nodes[node].disk.needsSync,
      let index = nodes[node].disk.lastIndex
    else { return }
    nodes[node].isSyncing = true
    let life = nodes[node].life
    let time = now + random.number(0...weather.sync)
    queue.push(.synced(node, life: life, through: index), at: time)
    if isStormy, random.chance(weather.crashes) {
      queue.push(.crash(node, life: life), at: now + random.number(0...2 * weather.sync))
    }
  }

  private mutating func send(_ message: TableMessage, from: Int, to recipients: Recipients) {
    let others = nodes.indices.filter { other in
      guard links[from][other].isUp else { return false }
      if case .peer(let peer) = recipients { return nodes[other].person.identity == peer }
      return true
    }
    guard !others.isEmpty else { return }
    guard let verified = try? message.verified(by: CheapSignatures()) else {
      return oracle.fail("signatures", "node \(from) sends what does not verify", at: now)
    }
    for other in others { deliver(verified, from: from, to: other) }
  }

  private mutating func deliver(_ verified: Verified<TableMessage>, from: Int, to: Int) {
    let message = verified.body
    if case .status = message {} else { sent += 1 }
    fold(4, UInt64(from) << 8 | UInt64(to), UInt64(message.kindNumber))
    let link = links[from][to]
    guard !link.isBlocked, !loses(message, from, to), !(isStormy && random.chance(weather.loss))
    else { return }
    let copies = isStormy && random.chance(weather.doubled) ? 2 : 1
    for _ in 0..<copies {
      let time = now + random.number(1...weather.delay)
      queue.push(.deliver(verified, from: from, to: to, link: link.session), at: time)
    }
  }

  mutating func fold(_ values: UInt64...) {
    for value in [now] + values { trace = (trace ^ value) &* 0x100_0000_01b3 }
  }
}

extension TableMessage {
  /// Its kind as a number, for the trace.
  var kindNumber: Int {
    switch self {
    case .vote: 0
    case .certificate: 1
    case .proposal: 2
    case .entry: 3
    case .passed: 4
    case .ready: 5
    case .status: 6
    case .getChain: 7
    case .chain: 8
    case .getBlock: 9
    case .block: 10
    case .evidence: 11
    case .evict: 12
    case .wish: 16
    case .recovery: 17
    case .assent: 18
    }
  }
}
