internal import Consensus
internal import Wire

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
    judgeIdle()
    judgeReplay()
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

  /// Both halves of a fork meet: all who see it stop and name who made it.
  private mutating func judgeSplit() {
    guard oracle.failure == nil, isSplit else { return }
    run(until: now + 20_000)
    for node in honest {
      guard let replica = nodes[node].replica, replica.isHalted else { continue }
      oracle.saw(halt: node, in: replica.epoch, at: now)
    }
  }

  private mutating func judgeConvergence() {
    let limit = now + 60_000
    if !run(until: limit, { $0.isSettledDown || $0.isSplit }) {
      oracle.fail(.converges, "not settled 60 s after healing: " + summary, at: now)
    }
  }

  /// Who is gone has been taken out or given up by then (S8): a minute, and the seal.
  private mutating func judgeIdle() {
    run(until: now + (nodes.contains { $0.replica == nil } ? 90_000 : 12_000))
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
  private mutating func judgeReplay() {
    for node in honest {
      guard let live = nodes[node].replica else { continue }
      let app = load.genesis(table: founding.table, creator: nodes[0].person)
      let again = try? Replica(
        restoring: nodes[node].disk.settled.records, founding: founding,
        voter: nodes[node].person.voter, app: app, seed: 0, now: 0)
      let isSame =
        again?.finalTip == live.finalTip && again?.epoch == live.epoch
        && again?.finalApp.stateHash == live.finalApp.stateHash
        && again?.finality(at: live.finalHeight) == live.finality(at: live.finalHeight)
      if !isSame { oracle.fail(.replay, "node \(node) reads back another state", at: now) }
    }
  }
}
