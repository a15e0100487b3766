internal import Consensus
internal import Wire

extension Replica {
  /// Whether neither's log is the beginning of the other's.
  func isApart(from other: Replica) -> Bool {
    let height = min(finalHeight, other.finalHeight)
    guard height > 0 else { return false }
    let own = finalBlocks(above: height - 1).first?.block.hash
    return own != other.finalBlocks(above: height - 1).first?.block.hash
  }
}

// From storm to verdict.
extension Simulation {
  /// Runs a whole world: gathering where there are liars, storm, mending, liveness, agreement,
  /// silence.
  package mutating func runAll() {
    play()
    oracle.judgeNames(at: now)
  }

  private mutating func play() {
    if nodes.contains(where: { $0.liar != nil }) {
      guard gather() else {
        return oracle.fail(.converges, "not gathered in fair weather: " + summary, at: now)
      }
      startLying()
    } else if weather.leavesBeside {
      leaveBeside()
    }
    storm()
    guard oracle.failure == nil else { return }
    heal()
    guard !isSplit else { return judgeSplit() }
    guard isLive else { return run(until: now + 10_000) }
    judgeConvergence()
    guard oracle.failure == nil, !isSplit else { return judgeSplit() }
    stopLying()
    guard isLive else { return }
    judgeEntries()
    judgeIdle()
    judgeReplay()
    judgeSize()
  }

  /// Of three the last leaves while the second is away: who is left goes on with the leaver's vote
  /// until the second is back (S6).
  private mutating func leaveBeside() {
    guard gather() else {
      return oracle.fail(.converges, "not gathered in fair weather: " + summary, at: now)
    }
    let last = nodes.count - 1
    isolate(1)
    nodes[last].hasLeft = true
    submit(load.leave(), by: last)
    let hasEnded = run(until: now + 10_000) { world in
      !world.load.sits(world.nodes[last].person, in: world.app(0))
    }
    submit(load.act(nodes[0].person, in: app(0), &random), by: 0)
    let goesOn = run(until: now + 10_000) { world in
      world.nodes[0].entries.allSatisfy { entry in
        if case .never = world.app(0).admission(of: entry.body) { true } else { false }
      }
    }
    if !hasEnded || !goesOn {
      oracle.fail(
        .entriesInTime, "nothing is final while one leaves and one is away: " + summary, at: now)
    }
    isolate(1, false)
  }

  /// All who are here say something at once in fair weather: each is final within n + 2 views whose
  /// leaders are here.
  private mutating func judgeEntries() {
    guard let first = honest.first.flatMap({ nodes[$0].replica }) else { return }
    let (epoch, view, height) = (first.epoch, first.view, first.finalHeight)
    let here = Set(honest.map { nodes[$0].person.voter })
    for node in honest where !nodes[node].hasLeft {
      guard let app = nodes[node].replica?.app, load.sits(nodes[node].person, in: app) else {
        continue
      }
      submit(load.act(nodes[node].person, in: app, &random), by: node)
    }
    guard run(until: now + 60_000, { $0.isSettledDown }) else {
      return oracle.fail(.entriesInTime, "not final after 60 s: " + summary, at: now)
    }
    // An entry that was still under way to the leader may find others in a block before its own.
    var before = 0
    for (block, _) in nodes[honest[0]].replica?.finalBlocks(above: height) ?? []
    where block.epoch == epoch.id && !block.entries.isEmpty {
      let views = (view...max(view, block.view)).count { here.contains(epoch.leader(of: $0)) }
      oracle.judge(views: views - before, of: epoch, at: now)
      before += 1
    }
  }

  /// What is kept beside the log, and the rows of the log, when all is at rest.
  private mutating func judgeSize() {
    for node in honest {
      guard let replica = nodes[node].replica else { continue }
      oracle.judge(
        kept: replica.footprint, rows: nodes[node].disk.settled.rowCount,
        height: replica.finalHeight,
        views: replica.view, of: node, at: now)
    }
  }

  /// Enough honest nodes for anything to become final, and too few liars to stop it.
  private var isLive: Bool {
    let keys = Set(honest.map { nodes[$0].person.voter })
    let epochs = honest.compactMap { nodes[$0].replica?.epoch }
    return epochs.allSatisfy { epoch in
      epoch.voters.count(where: keys.contains) >= Quorum.size(of: epoch.voters.count)
        && oracle.electorates[epoch.id]?.isSound == true
    }
  }

  /// Liars have made two finalizations that conflict; no more is promised than that they are named.
  package var isSplit: Bool {
    oracle.forks > 0 || honest.contains { nodes[$0].replica?.isHalted == true }
  }

  /// After a while in which some lied all is mended: a split is judged as one, else all come to one
  /// tip; and nobody honest is named.
  mutating func judgeAfterLies() {
    guard oracle.failure == nil else { return }
    run(until: now + 10_000)
    if !isSplit, isLive { judgeConvergence() }
    judgeSplit()
    oracle.judgeNames(at: now)
  }

  /// Both halves of a fork meet: all who see it stop and name who made it.
  private mutating func judgeSplit() {
    guard oracle.failure == nil, isSplit else { return }
    run(until: now + 20_000)
    for node in honest {
      guard let replica = nodes[node].replica, replica.isHalted else { continue }
      oracle.saw(halt: node, in: replica.epoch, at: now)
    }
    for (low, high) in pairs where honest.contains(low) && honest.contains(high) {
      guard let left = nodes[low].replica, let right = nodes[high].replica,
        !left.isHalted, !right.isHalted, left.isApart(from: right)
      else { continue }
      oracle.fail(
        .culprits, "nodes \(low) and \(high) show two logs and neither has stopped: " + summary,
        at: now)
    }
  }

  private mutating func judgeConvergence() {
    let limit = now + 60_000
    if !run(until: limit, { $0.isSettledDown || $0.isSplit }) {
      oracle.fail(.converges, "not settled 60 s after healing: " + summary, at: now)
    }
  }

  /// Who is gone, or votes no more, has been taken out or given up by then (S8): a minute, and the
  /// seal.
  package mutating func judgeIdle() {
    run(until: now + (nodes.contains { $0.replica == nil || $0.isDamaged } ? 90_000 : 12_000))
    let before = sent
    run(until: now + 60_000)
    if sent != before {
      oracle.fail(.idle, "\(sent - before) messages in an idle minute: " + summary, at: now)
    }
    for node in honest where nodes[node].wakeAt != nil {
      oracle.fail(.idle, "a timer runs at node \(node): " + summary, at: now)
    }
  }

  /// What would be read back from every disk is what is there.
  package mutating func judgeReplay() {
    for node in honest {
      guard let live = nodes[node].replica else { continue }
      let app = load.genesis(table: founding.table, creator: nodes[0].person)
      let again = try? Replica(
        restoring: nodes[node].disk.settled.records, founding: founding,
        voter: nodes[node].person.voter, app: app, seed: 0, now: 0)
      let isSame =
        again?.finalTip == live.finalTip && again?.epoch == live.epoch
        && again?.app.stateHash == live.app.stateHash
        && again?.finality(at: live.finalHeight) == live.finality(at: live.finalHeight)
      if !isSame { oracle.fail(.replay, "node \(node) reads back another state", at: now) }
    }
  }
}
