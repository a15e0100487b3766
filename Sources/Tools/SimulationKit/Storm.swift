internal import Consensus
internal import Wire

// A whole world by its seed: people act, the weather does its worst, all is mended, and everything
// promised must come true.
extension Simulation {
  /// Guests join, the creator starts, everybody acts, until enough entries are final or the
  /// weather's time is over.
  package mutating func storm() {
    let end = now + weather.span
    stormEnd = end
    isStormy = true
    for node in nodes.indices { queue.push(.act(node), at: now + random.number(0...800)) }
    queue.push(.trouble, at: now + 500)
    let most = weather.entries
    _ = run(until: end) { $0.oracle.entries >= most }
    if weather.ends, oracle.failure == nil, let app = nodes[0].replica?.app,
      load.hasStarted(app)
    {
      let deaf = deafen()
      submit(load.end(), by: deaf ?? 0)
      run(until: now + (deaf == nil ? 1_000 : 5_000))
    }
    isStormy = false
  }

  /// In some worlds whoever ends the game hears nothing for a while, gives the view up in which the
  /// others agree on it, and so can not finalize its last block (R6.4).
  private mutating func deafen() -> Int? {
    guard nodes.count > 2, random.number(0...3) == 0 else { return nil }
    let deaf = Int(random.number(0...UInt64(nodes.count - 1)))
    guard nodes[deaf].isHonest, !nodes[deaf].hasLeft, nodes[deaf].pausedUntil <= now,
      nodes[deaf].replica?.isVoting == true
    else {
      return nil
    }
    for other in nodes.indices where other != deaf { block(other, to: deaf, true) }
    return deaf
  }

  mutating func act(_ node: Int) {
    guard isStormy else { return }
    queue.push(.act(node), at: now + random.number(50...weather.pause))
    guard let replica = nodes[node].replica, nodes[node].pausedUntil <= now, !nodes[node].hasLeft,
      nodes[node].person.index == node || isLying
    else { return }
    let app = replica.app
    if node > 0, nodes[node].entries.isEmpty, nodes[node].person.index == node {
      return submit(load.join(nodes[node].person), by: node)
    }
    guard load.sits(nodes[node].person, in: app) else { return }
    if !load.hasStarted(app), nodes.count > 1 {
      let isLate = now + weather.span > stormEnd + weather.span / 4
      let mayStart = load.seats(in: app) == nodes.count || isLate
      if node == 0, nodes[0].entries.isEmpty, mayStart { submit(load.start(), by: 0) }
      return
    }
    let mayLeave = weather.someoneLeaves && node == nodes.count - 1 && nodes.count > 1
    if mayLeave, oracle.entries > min(weather.entries, 40) / 2, nodes[node].isHonest {
      nodes[node].hasLeft = true
      return submit(load.leave(), by: node)
    }
    submit(load.act(nodes[node].person, in: app, &random), by: node)
  }

  /// Mends everything: all run that can, all links are up, nothing is lost.
  package mutating func heal() {
    isStormy = false
    weather.delay = min(weather.delay, 20)
    for node in nodes.indices {
      if nodes[node].replica?.isSilenced == true { crash(node, programOnly: true) }
      nodes[node].pausedUntil = min(nodes[node].pausedUntil, now)
      resume(node)
      for other in nodes.indices { links[node][other].lostUntil = 0 }
    }
    for node in nodes.indices { restart(node) }
    for (low, high) in pairs {
      guard isLying || [low, high].allSatisfy({ nodes[$0].person.index == $0 }) else { continue }
      block(low, to: high, false)
      block(high, to: low, false)
      setLink(low, high, isUp: true)
    }
  }

  // MARK: What must be true afterwards

  /// All honest nodes stand at one tip, and none of them waits for anything.
  package var isSettledDown: Bool {
    guard hasOneTip, let first = honest.first.flatMap({ nodes[$0].replica }) else { return false }
    return first.app.deadlines.isEmpty && hasItsVoters(first) && isSettledAfterTheEnd
  }

  /// Who of the honest is to vote does, and who has left does not.
  private func hasItsVoters(_ replica: Replica<Load.App>) -> Bool {
    let wish = replica.app.voterWish
    let here = Set(honest.map { nodes[$0].person.voter })
    return !wish.joiners.contains { here.contains($0) && !replica.epoch.has($0) }
      && !wish.leavers.contains(where: replica.epoch.has)
  }

  /// The last block of a game that is over is settled, where all voters are honest and here.
  private var isSettledAfterTheEnd: Bool {
    let here = Set(honest.map { nodes[$0].person.voter })
    return honest.compactMap { nodes[$0].replica }.allSatisfy { replica in
      !replica.app.isOver || !replica.epoch.voters.allSatisfy(here.contains)
        || replica.finality(at: replica.finalHeight)?.isSettled == true
    }
  }

  /// All honest nodes are at one tip, in whose log all their entries are.
  package var hasOneTip: Bool {
    let honest = honest
    let replicas = honest.compactMap { nodes[$0].replica }
    guard replicas.count == honest.count, let first = replicas.first else { return false }
    guard replicas.allSatisfy({ $0.status.agrees(with: first.status) }) else { return false }
    return honest.flatMap { nodes[$0].entries }.allSatisfy { entry in
      if case .never = first.app.admission(of: entry.body) { true } else { false }
    }
  }

  /// Where every node stands, for a failure's text.
  package var summary: String {
    nodes.map { node in
      guard let replica = node.replica else { return "\(node.person.index): down" }
      let status = replica.status
      return "\(node.person.index): epoch \(status.epochNumber) view \(status.view) "
        + "height \(status.height) voting \(replica.isVoting) quorum \(replica.hasQuorum) "
        + "waits for \(waits(node, in: replica))"
    }.joined(separator: "; ")
  }
}

/// What of a node's own is not in the log, and what has no end yet.
private func waits<App>(_ node: Node<App>, in replica: Replica<App>) -> String {
  let entries = node.entries.count { entry in
    if case .never = replica.app.admission(of: entry.body) { false } else { true }
  }
  return "\(entries) entries, \(replica.app.deadlines.count) deadlines"
}

extension Status {
  /// The same final log and the same epoch.
  fileprivate func agrees(with other: Status) -> Bool {
    (epoch, height, tip, state) == (other.epoch, other.height, other.tip, other.state)
  }
}
