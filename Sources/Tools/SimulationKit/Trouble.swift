internal import Consensus

// Misfortune: what the weather does twice a second, and what a crash leaves on the disk.
extension Simulation {
  /// How many of the unsynced records of a node that crashes are found again.
  ///
  /// A store finds the longest run of whole records from the last sync on: what stands behind a gap
  /// or behind a torn record is not there.
  mutating func keptAfterCrash(of node: Int) -> Int {
    let risk = nodes[node].disk.atRisk
    guard risk > 0 else { return 0 }
    if random.chance(weather[.unsynced]) {
      faults[.unsynced] += 1
      return 0
    }
    var kept = random.chance(50) ? 0 : random.below(risk + 1)
    if random.chance(weather[.reorder]) {
      faults[.reorder] += 1
      let arrived = (0..<risk).map { _ in random.chance(70) }
      kept = arrived.prefix { $0 }.count
    }
    if kept > 0, random.chance(weather[.torn]) {
      faults[.torn] += 1
      kept -= 1
    }
    return kept
  }

  mutating func trouble() {
    guard isStormy else { return }
    queue.push(.trouble, at: now + 500)
    guard nodes.count > 1 else { return }
    let one = random.below(nodes.count)
    let other = (one + 1 + random.below(nodes.count - 1)) % nodes.count
    troubleLinks(one, other)
    troubleLaptop(one)
    troubleDisk(one)
    for (low, high) in pairs where random.chance(20) { mend(low, high) }
  }

  private mutating func strikes(_ fault: Fault) -> Bool {
    guard random.chance(weather[fault]) else { return false }
    faults[fault] += 1
    transcript?.note("\(now) ms: \(fault)")
    return true
  }

  private mutating func troubleLinks(_ one: Int, _ other: Int) {
    if strikes(.cut) { setLink(one, other, isUp: false) }
    if strikes(.isolation) { isolate(one) }
    if strikes(.oneWay) { block(one, to: other) }
    if strikes(.clog) { links[one][other].cloggedUntil = now + random.number(200...5_000) }
    if strikes(.split) {
      let part = nodes.indices.map { _ in random.chance(50) }
      for (low, high) in pairs where part[low] != part[high] { setLink(low, high, isUp: false) }
    }
    if strikes(.address) {
      for peer in nodes.indices where peer != one {
        setLink(one, peer, isUp: false)
        let time = now + random.number(500...20_000)
        links[one][peer].lostUntil = time
        links[peer][one].lostUntil = time
        queue.push(.found(one, peer), at: time)
      }
    }
  }

  private mutating func mend(_ low: Int, _ high: Int) {
    guard links[low][high].lostUntil <= now, !nodes[low].isAsleep, !nodes[high].isAsleep else {
      return
    }
    setLink(low, high, isUp: true)
    block(low, to: high, false)
    block(high, to: low, false)
  }

  private mutating func troubleLaptop(_ one: Int) {
    if strikes(.pause) { pause(one, for: random.number(100...6_000)) }
    if strikes(.sleep) { sleep(one, for: napLength()) }
    if strikes(.nap) {
      let span = napLength()
      for node in nodes.indices { sleep(node, for: span + random.number(0...2_000)) }
    }
    if strikes(.clock) {
      let wall = now + 7_200_000
      nodes[one].replica?.shows(time: random.chance(50) ? wall + 3_600_000 : wall - 3_600_000)
    }
    if strikes(.blackout) { for node in nodes.indices { crash(node) } }
  }

  /// Minutes mostly, sometimes a night; the storm goes on after it.
  private mutating func napLength() -> UInt64 {
    random.chance(80) ? random.number(1_000...20_000) : random.number(600_000...28_800_000)
  }

  private mutating func troubleDisk(_ one: Int) {
    if strikes(.full), nodes[one].replica != nil {
      nodes[one].isFull = true
      step(one, .persistFailed)
      let life = nodes[one].life
      queue.push(.crash(one, life: life), at: now + random.number(100...5_000))
    }
    if weather[.rollback] > 0, nodes[one].copy == nil, random.chance(20) {
      nodes[one].copy = nodes[one].disk
    }
    guard mayLoseVoter(one), nodes[one].replica != nil else { return }
    if let copy = nodes[one].copy, strikes(.rollback) {
      distrust(one)
      crash(one)
      nodes[one].disk = copy
      nodes[one].disk.crash(keeping: 0)
    }
    if weather[.rot] > 0, mayLoseVoter(one), strikes(.rot) {
      distrust(one)
      crash(one)
      if !nodes[one].disk.rot() { faults[.rot] -= 1 }
    }
  }

  /// From now on nothing is promised of a node: its folder is not what it was, or a test lies with
  /// its key.
  package mutating func distrust(_ node: Int) {
    nodes[node].isDamaged = true
    oracle.distrust(nodes[node].person)
  }

  /// Whether the table bears the loss of one more voter, who might even contradict itself.
  private func mayLoseVoter(_ node: Int) -> Bool {
    let people = Set(nodes.map(\.person)).count
    let epoch = nodes.compactMap(\.replica?.epoch).max { $0.number < $1.number }
    guard nodes[node].isHonest, node > 0, let epoch, epoch.voters.count == people,
      nodes.allSatisfy({ $0.isLost || $0.epoch == epoch.id || !$0.isHonest })
    else { return false }
    let gone = Set(nodes.filter { !$0.isHonest }.map(\.person)).count
    let quorum = Quorum.size(of: people)
    return gone < min(people - quorum, 2 * quorum - people - 1)
  }
}
