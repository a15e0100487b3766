internal import Wire

// Time: rule 7, and when the next tick must come.
extension Replica {
  mutating func tick(_ time: Milliseconds) {
    let span = skipsNextSpan ? 0 : min(time > now ? time - now : 0, Pace.mostPerTick)
    skipsNextSpan = false
    now = max(now, time)
    clock += span
    countReach()
    runClocks(for: span)
    readies.updateAll { _, held in if held.receivedAt == nil { held.receivedAt = now } }
    startWait.arm(at: clock)
    settleWait.set(wantsSettling)
    settleWait.arm(at: clock)
    askToVote()
    noteAbsences(for: span)
    if isActive {
      pace.arm(at: clock, hasWork: hasWorkForLeader)
    } else if hasEntriesUnderWay {
      pace.armStandstill(at: clock)
    } else {
      pace.disarm()
    }
    shareCertificate()
    if let due = pace.standstillAt, clock >= due {
      if !breaks("R8-never") { rebroadcast(to: .all) }
      nullifyGaps()
      pace.scheduleStandstill(at: clock)
    }
  }

  /// Rule 7: there is work or something unfinished, and a quorum to do it.
  ///
  /// Never at n = 1: there is nobody to wait for.
  var isActive: Bool {
    guard epoch.voters.count > 1, !isHalted, let voter, epoch.has(voter),
      hasQuorum || breaks("R7-minority")
    else { return false }
    if hasWork || isUnfinal || breaks("R7-idle") { return true }
    let nullifies = rounds[view]?.votes(.nullify).count ?? 0
    return nullifies >= epoch.faults + 1
  }

  /// Something stands above the final tip: a notarized block, or a proposal of this view.
  private var isUnfinal: Bool {
    for index in rounds.values.indices.reversed() {
      guard rounds.keys[index] > lineage.finalView else { return false }
      let round = rounds.values[index]
      if round.certificate(.notarize) != nil || round.certificate(.finalize) != nil { return true }
      if rounds.keys[index] == view, round.proposal != nil, !round.isShownFalse { return true }
    }
    return false
  }

  /// *Work* (rule 2), seen from the final state.
  var hasWork: Bool {
    if hasAdmissible || isSettlingDue { return true }
    if hasPassedDeadline, !breaks("R2.2-passed") { return true }
    let changes = dueChanges(in: app)
    guard !changes.isEmpty else { return false }
    return isSealPossible(changes)
  }

  /// A seal is due on the final tip that meets its rule, or would after an empty block.
  private func isSealPossible(_ changes: [VoterChange]) -> Bool {
    let reachable = reachableVoters
    let proofs = tipSigners
    return changes.contains { change in
      if proofs.contains(where: { epoch.permits(change, by: $0) }) { return true }
      return tree.root.emptyRun < Self.mostEmpty && epoch.permits(change, by: reachable)
    }
  }

  private var tipSigners: [[PublicKey]] {
    if lineage.finalView > 0 {
      return (rounds[lineage.finalView]?.proofs(of: tree.root.hash) ?? []).map(\.voters)
    }
    return epoch.startsFromSeal ? ledger.sealFinalizations.map(\.voters) : [epoch.voters]
  }

  /// Whether the leader of this view has anything to propose but an empty block: seen from the
  /// highest block that was replayed here.
  private var hasWorkForLeader: Bool {
    guard case .on(let base, _, _) = footing() else { return hasWork }
    guard !base.isSealed else { return false }
    if base.hash == tree.root.hash { return hasWork }
    return pool.hasAdmissible(in: base.app)
  }

  /// The game is over and all could see that its last block is settled, but it is not.
  private var wantsSettling: Bool {
    guard app.isOver, epoch.voters.count > 1, tree.root.view > 0, !isUnfinal else { return false }
    return reachableCount == epoch.voters.count && ledger.settledView < lineage.finalView
  }

  /// A node that does not vote has entries that are not final; or a voter has some and can not vote.
  private var hasEntriesUnderWay: Bool {
    hasAdmissible && hasQuorum && !isHalted && !(epoch.voters == [voter].compactMap { $0 })
  }

  /// Asks for the next tick: at once when something waits to be timed, else when the first span
  /// ends, and at least every half second while anything runs.
  mutating func wakeIfNeeded() {
    if needsTickNow { return outbox.append(.wake(at: now)) }
    guard let span = nextSpan else { return }
    outbox.append(.wake(at: now + min(span, Pace.tick)))
  }

  private var needsTickNow: Bool {
    let isActive = isActive
    if isActive, pace.armedAt == nil { return true }
    if isActive, pace.workAt == nil, hasWorkForLeader { return true }
    if unshared != nil, unshared?.since == nil { return true }
    if hasEntriesUnderWay, pace.standstillAt == nil { return true }
    if startWait.isOn && startWait.since == nil { return true }
    if wantsSettling && settleWait.since == nil { return true }
    if wantsIn && ownReady.askedAt == nil && reachableCount > 0 { return true }
    return clocks.values.contains(where: \.needsTick)
      || readies.values.contains { $0.receivedAt == nil }
  }

  private var nextSpan: Milliseconds? {
    var next: Milliseconds?
    func end(at due: Milliseconds?) {
      guard let due, due > clock else { return }
      next = min(next ?? due, due)
    }
    if pace.armedAt != nil {
      end(at: pace.proposalDue)
      end(at: pace.notarizationDue)
      end(at: pace.flushDue)
      end(at: pace.soonestNullify(voters: epoch.voters.count))
    }
    end(at: unshared?.dueAt(pace.delta))
    end(at: pace.standstillAt)
    if isHeeding { end(at: heedsUntil) }
    end(at: startWait.since.map { $0 + Pace.startWait })
    end(at: settleWait.since.map { $0 + Pace.settleWait })
    end(at: restUntilEviction.map { clock + $0 })
    if wantsIn { end(at: ownReady.askedAt.map { $0 + Pace.readyEvery }) }
    if !neighbours.areRested(at: clock, delta: pace.delta) { end(at: clock + pace.delta) }
    if !wanted.isEmpty { end(at: clock + pace.delta) }
    if !clocks.isEmpty, hasQuorum {
      for running in clocks.values where !running.isOver && !hears(running.deadline) {
        end(at: clock + running.remaining)
      }
    }
    return next.map { $0 - clock }
  }
}
