internal import CBOR
package import Consensus
package import Wire

/// A table of simulated laptops on virtual time; all that happens follows from one seed.
///
/// Delivery, syncs, crashes, lies and people are events in one queue. A node's disk loses what was
/// not synced, its messages may be lost, doubled, garbled, late or out of order, its links cut on
/// both sides or silent on one. After the storm all is mended, and then everything promised must
/// become true.
package struct Simulation<Load: Workload>: Sendable {
  enum Happening: Sendable {
    case deliver(Verified<TableMessage>, from: Int, to: Int, link: Int)
    case wake(Int, life: Int)
    case resume(Int, life: Int)
    case synced(Int, life: Int, through: UInt64)
    case signed(Int, life: Int, SignedStatement)
    case keepalive(Int)
    case crash(Int, life: Int)
    case restart(Int)
    case act(Int)
    case lie(Int)
    case found(Int, Int)
    case trouble
  }

  struct Link: Sendable {
    var isUp = false
    /// Silently drops everything: the other direction may work.
    var isBlocked = false
    /// Holds everything back until then.
    var cloggedUntil: UInt64 = 0
    /// The two do not find one another before then.
    var lostUntil: UInt64 = 0
    var session = 0
  }

  package let seed: UInt64
  package let founding: Founding
  let load: Load
  package var weather: Weather
  /// One for each person, and one more for each liar's twin.
  package internal(set) var nodes: [Node<Load.App>]
  package internal(set) var oracle: Oracle<Load.App>
  package internal(set) var now: UInt64 = 0
  /// Messages of honest nodes that were sent to somebody, those that are `Status` left out.
  package internal(set) var sent = 0
  package internal(set) var crashes = 0
  package internal(set) var faults = FaultCounts()
  /// Folds everything that every node did.
  package internal(set) var trace: UInt64 = 0xcbf2_9ce4_8422_2325
  /// The last things that happened, for who looks into a failure; kept only when asked for.
  package var transcript: Transcript?
  var links: [[Link]]
  /// By node: what happened while its program stood still.
  private var backlogs: [[Happening]]
  var queue = Queue<Happening>()
  var random: Random
  var isStormy = false
  var isLying = false
  var stormEnd: UInt64 = 0
  /// How much has happened; in a world that ends by itself it is a tenth of the most.
  private var happenings = 0
  package var patience = 600_000
  /// How often links say that they are there, and where their ends stand, in milliseconds.
  package var keepalive: UInt64 = 5_000
  /// What else the network loses: a message from one node to another.
  package var loses: @Sendable (TableMessage, _ from: Int, _ to: Int) -> Bool = { _, _, _ in false }
  /// What becomes of bytes from outside; nil for what is no message.
  package var door: @Sendable ([UInt8]) -> TableMessage? = { bytes in
    (try? CBOR(decoding: bytes)).flatMap { try? TableMessage($0) }
  }
  package internal(set) var refusals: [String: Int] = [:]
  package internal(set) var accusations: [Evidence] = []

  /// Sets up a table of so many people, everything linked; person 0 created it.
  ///
  /// `liars` says who lies and how; they do from `startLying` on, and the creator never.
  package init(
    people: Int, seed: UInt64, weather: Weather, load: Load, liars: [Int: LiarKind] = [:]
  ) {
    self.seed = seed
    self.weather = weather
    self.load = load
    random = Random(seed: seed)
    var persons = (0..<people).map { Person(index: $0, seed: seed) }
    let table = TableID(raw: Digest(.genesis, .unsigned(seed)).raw)
    founding = Founding(table: table, creator: persons[0].voter)
    let app = load.genesis(table: table, creator: persons[0])
    oracle = Oracle(genesis: app, founding: founding)
    let lying = liars.filter { 0 < $0.key && $0.key < people }.sorted { $0.key < $1.key }
    persons += lying.filter { $0.value == .twins }.map { persons[$0.key] }
    nodes = persons.map { Node(person: $0) }
    backlogs = Array(repeating: [], count: persons.count)
    links = Array(
      repeating: Array(repeating: Link(), count: persons.count), count: persons.count)
    for (index, kind) in lying {
      nodes[index].liar = kind.makeLiar()
      oracle.distrust(persons[index])
    }
    for index in nodes.indices {
      if index >= people { nodes[index].liar = Twin(half: 1) }
      nodes[index].replica = Replica(
        founding: founding, voter: persons[index].voter, app: app, seed: random.next(), now: 0)
      if weather[.drift] > 0 { nodes[index].drift = Int64(random.below(21)) - 10 }
      queue.push(.keepalive(index), at: random.number(0...5_000))
    }
    for (low, high) in pairs where nodes[high].person.index == high {
      setLink(low, high, isUp: true)
    }
  }

  /// Every pair of nodes of different persons, the lower first.
  var pairs: [(Int, Int)] {
    nodes.indices.flatMap { low in
      nodes.indices.filter { $0 > low && nodes[$0].person != nodes[low].person }.map { (low, $0) }
    }
  }

  /// The nodes of whom everything is promised.
  package var honest: [Int] { nodes.indices.filter { nodes[$0].isHonest && !nodes[$0].isLost } }

  // MARK: Running

  /// Lets virtual time pass; stops at the first broken promise.
  package mutating func run(until end: UInt64) {
    while oracle.failure == nil, let time = queue.nextTime, time <= end, let next = queue.pop() {
      now = max(now, next.time)
      happenings += 1
      if happenings > patience {
        oracle.fail(.bounded, "it never comes to rest: " + summary, at: now)
      }
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
      deliver(message, from: from, to: to)
    case .wake(let node, let life):
      guard nodes[node].life == life, nodes[node].wakeAt.map({ $0 <= now }) == true,
        !isPaused(node, happening)
      else { return }
      nodes[node].wakeAt = nil
      tick(node)
    case .resume(let node, let life):
      if nodes[node].life == life, nodes[node].pausedUntil <= now { resume(node) }
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
    case .lie(let node): lie(node)
    case .found(let one, let other):
      if now >= links[one][other].lostUntil { setLink(one, other, isUp: true) }
    case .trouble: trouble()
    }
  }

  /// Keeps for later what happens to a program that stands still.
  private mutating func isPaused(_ node: Int, _ happening: Happening) -> Bool {
    guard nodes[node].pausedUntil > now else { return false }
    backlogs[node].append(happening)
    return true
  }

  /// A program goes on: what came in meanwhile is read before any timer.
  mutating func resume(_ node: Int) {
    let backlog = backlogs[node]
    backlogs[node] = []
    nodes[node].reach.rested(at: now)
    if nodes[node].isAsleep { wakeUp(node) }
    for happening in backlog { if case .wake = happening {} else { handle(happening) } }
    for happening in backlog { if case .wake = happening { handle(happening) } }
  }

  private mutating func keepalive(_ node: Int) {
    queue.push(.keepalive(node), at: now + keepalive)
    guard let status = nodes[node].replica?.status, nodes[node].pausedUntil <= now else { return }
    send(.status(status), from: node, to: .all)
  }

  /// Tells a node the time on its own clock.
  package mutating func tick(_ node: Int) { step(node, .tick(nodes[node].clock(at: now))) }

  /// Gives a node an event, and the world its effects.
  package mutating func step(_ node: Int, _ event: Event) {
    // A liar does not care what its key has signed elsewhere.
    if nodes[node].liar != nil { nodes[node].replica?.isAmnesiac = false }
    let wasWarned = isWarned(node)
    follow(event, at: node)
    guard let effects = nodes[node].replica?.step(event) else { return }
    var isTimed = false
    if case .tick = event { isTimed = true }
    for (index, effect) in effects.enumerated() {
      switch effect {
      case .sign(let statement):
        judge(statement, of: node, isTimed: isTimed, wasWarned: wasWarned)
      case .send(let message, _) where isTimed: judge(said: message, of: node)
      default: break
      }
      perform(effect, of: node, effects[index...])
    }
    look(at: node)
    lookAround(from: node)
    syncIfNeeded(node)
  }

  private mutating func perform(
    _ effect: Effect, of node: Int, _ rest: ArraySlice<Effect>
  ) {
    switch effect {
    case .persist(let record, let index):
      fold(1, UInt64(record.kind.rawValue), index)
      oracle.saw(record)
      nodes[node].disk.write(record, index: index)
    case .sign(let statement): sign(statement, of: node)
    case .send(let message, let recipients):
      send(message, from: node, to: recipients)
    case .wake(let time):
      let time = max(nodes[node].moment(of: time), now)
      if let wakeAt = nodes[node].wakeAt, wakeAt <= time { return }
      nodes[node].wakeAt = time
      queue.push(.wake(node, life: nodes[node].life), at: time)
    case .committed(let block, let outcomes):
      fold(2, UInt64(node), block.hash.raw.leadingWord)
      transcript?.note("\(now) ms: node \(node) has \(block.brief) as final")
      guard nodes[node].isHonest else { return }
      let next = block.isSeal ? nextEpoch(of: node, after: rest) : nil
      oracle.saw(block, outcomes, final: node, next: next, at: now)
    case .recovered(let recovery, _):
      fold(5, UInt64(node), recovery.id.raw.leadingWord)
      oracle.lookAway()
    case .accuse(let evidence):
      transcript?.note("\(now) ms: node \(node) accuses \(Digest(raw: evidence.culprit.raw).brief)")
      guard nodes[node].liar == nil else { return }
      accusations.append(evidence)
      if nodes[node].isHonest { oracle.saw(evidence, by: node) }
    case .refused(let code): refusals[code, default: 0] += 1
    }
  }

  /// The epoch that a seal begins: that of the next block in the same step, or the one it ends in.
  private func nextEpoch(of node: Int, after rest: ArraySlice<Effect>) -> Digest? {
    for effect in rest.dropFirst() {
      if case .committed(let block, _) = effect { return block.epoch }
    }
    return nodes[node].replica?.epoch.id
  }

  /// What a node shows after a step that is no effect: its epoch, and what it calls settled.
  private mutating func look(at node: Int) {
    guard nodes[node].isHonest, let replica = nodes[node].replica else { return }
    if nodes[node].epoch != replica.epoch.id {
      nodes[node].epoch = replica.epoch.id
      nodes[node].view = 1
      oracle.saw(replica.epoch, of: node, at: now)
    }
    if replica.view > nodes[node].view {
      nodes[node].view = replica.view
      oracle.saw(view: replica.view, in: replica.epoch, of: node, at: now)
    }
    let height = replica.finalHeight
    guard height > nodes[node].settledHeight, replica.finality(at: height)?.isSettled == true
    else { return }
    for (block, _) in replica.finalBlocks(above: nodes[node].settledHeight) {
      oracle.saw(settled: block, by: node, at: now)
    }
    nodes[node].settledHeight = height
  }

  private mutating func sign(_ statement: ApprovedStatement, of node: Int) {
    if case .vote(let vote) = statement {
      if nodes[node].isHonest { oracle.saw(vote, by: node, disk: nodes[node].disk, at: now) }
      fold(3, vote.subject.view, UInt64(vote.subject.kind.rawValue))
      transcript?.note("\(now) ms: node \(node) signs \(vote.subject.brief)")
    }
    let signature = CheapSignatures.sign(statement.signedBytes, by: statement.voter)
    do {
      let signed = try statement.signed(with: signature, checker: CheapSignatures())
      queue.push(.signed(node, life: nodes[node].life, signed), at: now)
    } catch {
      oracle.fail(.exclusiveVotes, "node \(node) signs what does not verify: \(error)", at: now)
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
    if isStormy, random.chance(weather[.crash]) {
      queue.push(.crash(node, life: life), at: now + random.number(0...2 * weather.sync))
    }
  }

  mutating func fold(_ values: UInt64...) {
    for value in [now] + values { trace = (trace ^ value) &* 0x100_0000_01b3 }
  }
}
