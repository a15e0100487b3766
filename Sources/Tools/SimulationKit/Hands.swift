package import Consensus
internal import Wire

// What people do and what tests do by hand.
extension Simulation {
  /// Puts a link up or down, with both ends told; two nodes of one person never have one.
  package mutating func setLink(_ one: Int, _ other: Int, isUp: Bool) {
    guard links[one][other].isUp != isUp, nodes[one].person != nodes[other].person else { return }
    if isUp, nodes[one].replica == nil || nodes[other].replica == nil { return }
    for (from, to) in [(one, other), (other, one)] {
      links[from][to].isUp = isUp
      links[from][to].session += 1
      links[from][to].cloggedUntil = 0
    }
    for (from, to) in [(one, other), (other, one)] {
      let peer = nodes[to].person.identity
      // A twin may still be there.
      let isReached = nodes.indices.contains {
        $0 != to && links[from][$0].isUp && nodes[$0].person.identity == peer
      }
      if !isUp, isReached { continue }
      step(from, isUp ? .linkUp(peer) : .linkDown(peer))
    }
  }

  /// Changes what lies on a node's disk behind its back, and behind the checkers'.
  package mutating func tamper(with node: Int, _ change: (inout Disk) -> Void) {
    change(&nodes[node].disk)
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
    faults[.crash] += 1
    transcript?.note("\(now) ms: node \(node) crashes")
    let kept = programOnly ? nodes[node].disk.atRisk : keptAfterCrash(of: node)
    nodes[node].disk.crash(keeping: kept)
    nodes[node].replica = nil
    nodes[node].life += 1
    nodes[node].wakeAt = nil
    nodes[node].isSyncing = false
    nodes[node].isFull = false
    nodes[node].hasForgotten = false
    nodes[node].isAsleep = false
    nodes[node].pausedUntil = 0
    for other in nodes.indices where other != node { setLink(node, other, isUp: false) }
    if isStormy {
      queue.push(.restart(node), at: now + random.number(50...weather.down))
      nodes[node].clockAhead = random.number(0...3_600_000)
    }
  }

  /// Starts a node from its disk.
  package mutating func restart(_ node: Int) {
    guard nodes[node].replica == nil, !nodes[node].isLost else { return }
    let person = nodes[node].person
    transcript?.note("\(now) ms: node \(node) starts")
    let isDamaged = nodes[node].disk.isDamaged
    if isDamaged { nodes[node].disk.clear() }
    do {
      var replica = try Replica(
        restoring: nodes[node].disk.records.shuffled(using: &random), founding: founding,
        voter: person.voter, app: load.genesis(table: founding.table, creator: nodes[0].person),
        seed: random.next(), now: nodes[node].clock(at: now))
      if isDamaged { forget(node, &replica) }
      nodes[node].replica = replica
      nodes[node].reach = ReachChecker(voter: person.voter)
      nodes[node].startedAt = now
      nodes[node].standings = [:]
      lookAround(from: node)
      if nodes[node].isHonest {
        oracle.restarted(
          node, with: replica.finalBlocks(above: 0), in: replica.epoch, at: now)
      }
    } catch {
      if nodes[node].isHonest {
        oracle.fail(.replay, "node \(node) does not start: \(error.code)", at: now)
      }
      nodes[node].isLost = true
      return
    }
    for other in nodes.indices
    where other != node && links[node][other].lostUntil <= now {
      setLink(node, other, isUp: true)
    }
    tick(node)
    for entry in nodes[node].entries { resubmit(entry, by: node) }
  }

  /// Rows are damaged: the log begins anew, and with the transaction that deletes them it is written
  /// that this key votes no more (R10.3).
  private mutating func forget(_ node: Int, _ replica: inout Replica<Load.App>) {
    for case .persist(let record, let index) in replica.loseMemory() {
      nodes[node].disk.write(record, index: index)
      nodes[node].disk.sync(through: index)
    }
  }

  private mutating func resubmit(_ entry: Verified<Entry>, by node: Int) {
    if case .never = nodes[node].replica?.app.admission(of: entry.body) { return }
    step(node, .submitted(entry))
  }

  /// Stops a node's program for a while; what comes in waits.
  package mutating func pause(_ node: Int, for span: UInt64) {
    nodes[node].pausedUntil = max(nodes[node].pausedUntil, now + span)
    queue.push(.resume(node, life: nodes[node].life), at: nodes[node].pausedUntil)
  }

  /// Closes a lid: the links end, nothing runs, and on waking the node is told that it slept.
  package mutating func sleep(_ node: Int, for span: UInt64) {
    guard nodes[node].replica != nil, !nodes[node].isAsleep else { return }
    nodes[node].isAsleep = true
    pause(node, for: span)
    for other in nodes.indices where other != node { setLink(node, other, isUp: false) }
  }

  mutating func wakeUp(_ node: Int) {
    guard nodes[node].isAsleep else { return }
    nodes[node].isAsleep = false
    step(node, .woke)
    for other in nodes.indices
    where other != node && links[node][other].lostUntil <= now && !nodes[other].isAsleep {
      setLink(node, other, isUp: true)
    }
    tick(node)
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

  /// Everybody joins, some of them only as witnesses, and the creator starts; false if it does not
  /// come to a seal with all of them.
  package mutating func gather(witnesses: Range<Int> = 0..<0) -> Bool {
    for node in nodes.indices where node > 0 && nodes[node].person.index == node {
      let person = nodes[node].person
      submit(witnesses.contains(node) ? load.watch(person) : load.join(person), by: node)
    }
    let count = Set(nodes.map(\.person)).count
    guard run(until: now + 5_000, { $0.load.seats(in: $0.app(0)) == count }) else { return false }
    submit(load.start(), by: 0)
    return run(until: now + 10_000) { world in
      (0..<count).allSatisfy {
        world.nodes[$0].replica?.epoch.voters.count == min(count, Limits.voters)
      }
    }
  }

  /// Lets the liars lie from now on, their twins among them.
  package mutating func startLying() {
    guard !isLying else { return }
    isLying = true
    for node in nodes.indices where nodes[node].liar != nil {
      if nodes[node].person.index != node {
        for other in nodes.indices where other != node { setLink(node, other, isUp: true) }
      }
      queue.push(.lie(node), at: now + random.number(1...200))
    }
  }

  /// Takes the liars away, as if they had shut their lids for good.
  package mutating func stopLying() {
    isLying = false
    for node in nodes.indices where nodes[node].liar != nil {
      crash(node)
      nodes[node].isLost = true
    }
  }

  /// The final application of a node that is up.
  package func app(_ node: Int) -> Load.App { replica(node).app }

  /// The replica of a node that is up.
  package func replica(_ node: Int) -> Replica<Load.App> {
    guard let replica = nodes[node].replica else { fatalError("node \(node) is down") }
    return replica
  }

  /// Lets messages be lost and doubled as the weather says, and nothing else go wrong.
  package mutating func makeStormy() { isStormy = true }
}
