internal import CBOR
package import Consensus
internal import Wire

// What people and misfortune do.
extension Simulation {
  // MARK: By hand, for tests

  /// Puts a link up or down, with both ends told.
  package mutating func setLink(_ one: Int, _ other: Int, isUp: Bool) {
    guard links[one][other].isUp != isUp else { return }
    if isUp, nodes[one].replica == nil || nodes[other].replica == nil { return }
    for (from, to) in [(one, other), (other, one)] {
      links[from][to].isUp = isUp
      links[from][to].session += 1
    }
    for (from, to) in [(one, other), (other, one)] {
      let peer = nodes[to].person.identity
      step(from, isUp ? .linkUp(peer) : .linkDown(peer))
    }
  }

  /// Makes one direction swallow everything, or work again.
  package mutating func block(_ from: Int, to: Int, _ isBlocked: Bool = true) {
    links[from][to].isBlocked = isBlocked
  }

  /// Cuts a node off from all others, or links it again.
  package mutating func isolate(_ node: Int, _ isIsolated: Bool = true) {
    for other in nodes.indices where other != node { setLink(node, other, isUp: !isIsolated) }
  }

  /// Sets how far a node's monotonic clock is ahead of the world's, in milliseconds.
  package mutating func setClock(of node: Int, ahead: UInt64) {
    nodes[node].clockAhead = ahead
    nodes[node].replica?.shows(time: ahead)
  }

  /// Ends a node's life.
  ///
  /// Unsynced records are lost but for a prefix that reached the disk by chance; all reached it when
  /// only the program ended.
  package mutating func crash(_ node: Int, programOnly: Bool = false) {
    guard nodes[node].replica != nil else { return }
    crashes += 1
    let risk = nodes[node].disk.atRisk
    let chance = weather.losesAll || random.chance(50) ? 0 : random.below(risk + 1)
    let kept = programOnly ? risk : chance
    nodes[node].disk.crash(keeping: kept)
    nodes[node].replica = nil
    nodes[node].life += 1
    nodes[node].wakeAt = nil
    nodes[node].isSyncing = false
    nodes[node].pausedUntil = 0
    for other in nodes.indices where other != node { setLink(node, other, isUp: false) }
    if isStormy {
      queue.push(.restart(node), at: now + random.number(50...weather.down))
      nodes[node].clockAhead = random.number(0...3_600_000)
    }
  }

  /// Starts a node from its disk.
  package mutating func restart(_ node: Int) {
    guard nodes[node].replica == nil else { return }
    let person = nodes[node].person
    do {
      let replica = try Replica(
        restoring: nodes[node].disk.records.shuffled(using: &random), founding: founding,
        voter: person.voter, app: load.genesis(table: founding.table, creator: nodes[0].person),
        seed: random.next(), now: now + nodes[node].clockAhead)
      nodes[node].replica = replica
      oracle.restarted(node, with: replica.finalBlocks(above: 0), at: now)
    } catch {
      return oracle.fail("restart", "node \(node): \(error.code)", at: now)
    }
    for other in nodes.indices where other != node { setLink(node, other, isUp: true) }
    tick(node)
    for entry in nodes[node].entries { resubmit(entry, by: node) }
  }

  private mutating func resubmit(_ entry: Verified<Entry>, by node: Int) {
    if case .never = nodes[node].replica?.finalApp.admission(of: entry.body) { return }
    step(node, .submitted(entry))
  }

  /// Stops a node's program for a while; what comes in waits.
  package mutating func pause(_ node: Int, for span: UInt64) {
    nodes[node].pausedUntil = now + span
  }

  /// A person does something: a durable own entry is submitted.
  package mutating func submit(_ body: [UInt8], by node: Int) {
    guard nodes[node].replica != nil else { return }
    let draft = Entry.Draft(
      table: founding.table, author: nodes[node].person.player,
      sequence: nodes[node].nextSequence, body: body)
    let entry = nodes[node].person.sign(draft)
    nodes[node].entries.append(entry)
    step(node, .submitted(entry))
  }

  /// Everybody joins and the creator starts; false if it does not come to a seal with all of them.
  package mutating func gather() -> Bool {
    for node in nodes.indices where node > 0 { submit(load.join(nodes[node].person), by: node) }
    let count = nodes.count
    guard run(until: now + 5_000, { $0.load.seats(in: $0.app(0)) == count }) else { return false }
    submit(load.start(), by: 0)
    return run(until: now + 10_000) { world in
      world.nodes.allSatisfy { $0.replica?.epoch.voters.count == min(count, Limits.voters) }
    }
  }

  /// The final application of a node that is up.
  package func app(_ node: Int) -> Load.App { replica(node).finalApp }

  /// The replica of a node that is up.
  package func replica(_ node: Int) -> Replica<Load.App> {
    guard let replica = nodes[node].replica else { fatalError("node \(node) is down") }
    return replica
  }

  /// Lets messages be lost and doubled as the weather says, and nothing else go wrong.
  package mutating func makeStormy() { isStormy = true }

  // MARK: By the seed

  /// Guests join, the creator starts, everybody acts, and the weather of the seed does its worst.
  package mutating func storm() {
    isStormy = true
    for node in nodes.indices { queue.push(.act(node), at: now + random.number(0...800)) }
    queue.push(.trouble, at: now + 500)
    run(until: now + weather.span)
    isStormy = false
  }

  mutating func act(_ node: Int) {
    guard isStormy else { return }
    queue.push(.act(node), at: now + random.number(50...weather.pause))
    guard let replica = nodes[node].replica, nodes[node].pausedUntil <= now, !nodes[node].hasLeft
    else { return }
    let app = replica.finalApp
    if node > 0, nodes[node].entries.isEmpty {
      return submit(load.join(nodes[node].person), by: node)
    }
    guard load.sits(nodes[node].person, in: app) else { return }
    if !load.hasStarted(app), nodes.count > 1 {
      let isLate = now > weather.span / 4
      let mayStart = load.seats(in: app) == nodes.count || isLate
      if node == 0, nodes[0].entries.isEmpty, mayStart { submit(load.start(), by: 0) }
      return
    }
    let mayLeave = weather.someoneLeaves && node == nodes.count - 1 && nodes.count > 1
    if mayLeave, now > weather.span / 2 {
      nodes[node].hasLeft = true
      return submit(load.leave(), by: node)
    }
    submit(load.act(nodes[node].person, in: app, &random), by: node)
  }

  mutating func trouble() {
    guard isStormy else { return }
    queue.push(.trouble, at: now + 500)
    guard nodes.count > 1 else { return }
    let one = random.below(nodes.count)
    let other = (one + 1 + random.below(nodes.count - 1)) % nodes.count
    if random.chance(weather.cuts) { setLink(one, other, isUp: false) }
    if random.chance(weather.cuts / 2) { isolate(one) }
    if random.chance(weather.blackouts) { for node in nodes.indices { crash(node) } }
    if random.chance(weather.oneWay) { block(one, to: other) }
    if random.chance(weather.pauses) { pause(one, for: random.number(100...6_000)) }
    for (low, high) in pairs where random.chance(20) {
      setLink(low, high, isUp: true)
      block(low, to: high, false)
      block(high, to: low, false)
    }
  }

  /// Mends everything: all run, all links are up, nothing is lost.
  package mutating func heal() {
    isStormy = false
    weather.delay = min(weather.delay, 20)
    for node in nodes.indices {
      nodes[node].pausedUntil = min(nodes[node].pausedUntil, now + 1)
      restart(node)
    }
    for (low, high) in pairs {
      block(low, to: high, false)
      block(high, to: low, false)
      setLink(low, high, isUp: true)
    }
  }

  // MARK: What must be true afterwards

  /// Everybody stands at one tip, and nobody waits for anything.
  package var isSettledDown: Bool {
    let replicas = nodes.compactMap(\.replica)
    guard replicas.count == nodes.count, let first = replicas.first else { return false }
    guard replicas.allSatisfy({ $0.status.agrees(with: first.status) }) else { return false }
    guard first.finalApp.deadlines.isEmpty else { return false }
    let entries = nodes.flatMap(\.entries)
    return entries.allSatisfy { entry in
      if case .never = first.finalApp.admission(of: entry.body) { true } else { false }
    }
  }

  /// Runs a whole world: storm, mending, liveness, agreement, silence.
  package mutating func runAll() {
    storm()
    guard oracle.failure == nil else { return }
    heal()
    let limit = now + 60_000
    if !run(until: limit, \.isSettledDown) {
      return oracle.fail("liveness", "not settled 60 s after healing: " + summary, at: now)
    }
    run(until: now + 12_000)
    let before = sent
    run(until: now + 60_000)
    if sent != before {
      oracle.fail("silence", "\(sent - before) messages in an idle minute: " + summary, at: now)
    }
    if let evidence = accusations.first {
      oracle.fail("nobody framed", "\(evidence)", at: now)
    }
  }

  /// Where every node stands, for a failure's text.
  package var summary: String {
    nodes.map { node in
      guard let replica = node.replica else { return "\(node.person.index): down" }
      let status = replica.status
      return "\(node.person.index): epoch \(status.epochNumber) view \(status.view) "
        + "height \(status.height) voting \(replica.isVoting) quorum \(replica.hasQuorum)"
    }.joined(separator: "; ")
  }
}

extension Status {
  /// The same final log and the same epoch.
  fileprivate func agrees(with other: Status) -> Bool {
    (epoch, height, tip, state) == (other.epoch, other.height, other.tip, other.state)
  }
}
