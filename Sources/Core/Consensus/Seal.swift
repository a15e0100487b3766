internal import Wire

/// A `Ready` and when it came, on the monotonic clock; nil until the tick after.
struct HeldReady: Sendable {
  let ready: Ready
  var receivedAt: Milliseconds?
}

/// When this node last asked to be sealed in.
struct OwnReady: Sendable {
  var ready: Ready?
  var askedAt: Milliseconds?
}

// Membership (CONSENSUS 1.7, 1.9): seals, and `Ready` from those who want in.
extension Replica {
  /// Who signed for the parent of a block, as its justification shows.
  func proofs(in just: Justification) -> [PublicKey] {
    if let parent = just.parent { return parent.voters }
    if !epoch.startsFromSeal { return epoch.voters }
    return signers(ofOldSeal: just.oldSeal)
  }

  /// The signers of the old seal's finalization who still vote; none when it does not hold.
  func signers(ofOldSeal certificate: Certificate?) -> [PublicKey] {
    guard let certificate, certificate.subject.kind == .finalize, ledger.epochs.count > 1,
      ledger.epochs[ledger.epochs.count - 2].holds(certificate)
    else { return [] }
    return certificate.voters
  }

  /// What of a change no application can see.
  func faultOf(_ change: VoterChange) -> String? {
    for ready in change.joiners {
      guard ready.table == founding.table, ready.epoch == epoch.id, !epoch.has(ready.voter) else {
        return "sealReady"
      }
    }
    guard change.leavers.allSatisfy(epoch.has) else { return "sealLeaver" }
    guard change.evictions.allSatisfy(stands) else { return "sealEviction" }
    guard epoch.voters(after: change).count <= Limits.voters else { return "sealTooManyVoters" }
    return nil
  }

  // MARK: Whether a seal is due

  /// Changes that the state wants and for which all are ready, the widest first.
  func dueChanges(in app: App) -> [VoterChange] {
    let wish = app.voterWish
    guard wish.isStart || !wish.joiners.isEmpty || !wish.leavers.isEmpty || mayEvictAny else {
      return []
    }
    let joining = wish.joiners.filter { !epoch.has($0) }
    let leavers = wish.leavers.filter(epoch.has)
    let successions = wish.successions.filter { epoch.has($0.old) && !leavers.contains($0.old) }
    let fresh = firstReady(
      of: joining, room: Limits.voters - epoch.voters.count + leavers.count + successions.count,
      isStart: wish.isStart)
    /// A new key of a voter comes with the old one's going, also where there is no room (S11).
    func change(_ room: Int, _ leavers: [PublicKey], _ evictions: [Eviction]) -> VoterChange? {
      let gone = evictions.map(\.target)
      let following = successions.filter { one in
        !gone.contains(one.old) && fresh.contains { $0.voter == one.new }
      }
      let others = fresh.filter { ready in !following.contains { $0.new == ready.voter } }
        .prefix(max(0, room))
      let joiners = fresh.filter { ready in
        others.contains(ready) || following.contains { $0.new == ready.voter }
      }
      guard !joiners.isEmpty else { return nil }
      return VoterChange(
        joiners: joiners, leavers: leavers + following.map(\.old), evictions: evictions)
    }
    if wish.isStart {
      if breaks("S5-none"), fresh.isEmpty { return [VoterChange(joiners: [], leavers: [])] }
      guard fresh.contains(where: { !wish.witnesses.contains($0.voter) }),
        self.app.voterWish.isStart
      else { return [] }
      let hasWaited = startWait.since.map { clock >= $0 + Pace.startWait } ?? false
      guard fresh.count == joining.count || hasWaited else { return [] }
    }
    let evictions = wish.mayEvict ? dueEvictions.filter { !leavers.contains($0.target) } : []
    var outs: [(leavers: [PublicKey], evictions: [Eviction])] = [(leavers, evictions)]
    let lies = evictions.filter(\.isForLie)
    if lies.count < evictions.count { outs.append((leavers, lies)) }
    if !evictions.isEmpty && !leavers.isEmpty { outs.append((leavers, [])) }
    outs = outs.filter { !$0.leavers.isEmpty || !$0.evictions.isEmpty } + [([], [])]
    var changes: [VoterChange] = []
    if !fresh.isEmpty {
      for out in outs {
        let gone = out.leavers.count + out.evictions.count
        let room = Limits.voters - epoch.voters.count + gone
        if let change = change(room, out.leavers, out.evictions) { changes.append(change) }
      }
    }
    for out in outs.dropLast() {
      changes.append(VoterChange(joiners: [], leavers: out.leavers, evictions: out.evictions))
    }
    return changes.filter { !epoch.voters(after: $0).isEmpty }
  }

  /// A seal that meets the rule with one of these certificates for the parent.
  func dueSeal(in app: App, proofs: [[PublicKey]]) -> (change: VoterChange, proof: Int)? {
    for change in dueChanges(in: app) {
      for (index, signers) in proofs.enumerated() where epoch.permits(change, by: signers) {
        return (change, index)
      }
    }
    return nil
  }

  /// A seal is due whose rule an empty block could meet: enough of those who stay are reachable.
  func needsWidening(for app: App) -> Bool {
    let reachable = reachableVoters
    return dueChanges(in: app).contains { epoch.permits($0, by: reachable) }
  }

  // MARK: Ready

  /// Who is ready, in order; where more want in than there is room, who comes later waits a second
  /// for those before who are linked here and whose `Ready` has not come.
  private func firstReady(of joining: [PublicKey], room: Int, isStart: Bool) -> [Ready] {
    var ready: [Ready] = []
    var isHeldUp = false
    let isContested = joining.count > room && !isStart
    for voter in joining {
      guard let held = readies[voter], isFresh(held) else {
        let peer = app.identity(ofVoter: voter)
        isHeldUp = isHeldUp || (peer.flatMap { neighbours[$0] }?.isLinked ?? false)
        continue
      }
      let hasWaited = held.receivedAt.map { now >= $0 + Pace.readyBefore } ?? false
      if !isContested || !isHeldUp || hasWaited { ready.append(held.ready) }
    }
    return ready
  }

  private func isFresh(_ held: HeldReady) -> Bool {
    guard let receivedAt = held.receivedAt else { return true }
    return now < receivedAt + Pace.readyFor
  }

  mutating func receive(_ ready: Ready) {
    guard ready.epoch == epoch.id else { return refuse("readyOtherEpoch") }
    guard app.voterWish.joiners.contains(ready.voter), !epoch.has(ready.voter) else {
      return refuse("readyNotWanted")
    }
    readies[ready.voter] = HeldReady(ready: ready, receivedAt: nil)
  }

  /// Whether the state wants this node's key as a voter and it may still become one.
  var wantsIn: Bool {
    guard let voter, !isSilenced, !isAmnesiac, !isHalted, !isDoubled, !epoch.has(voter) else {
      return false
    }
    return app.voterWish.joiners.contains(voter)
  }

  /// At a tick: asks to be sealed in, afresh every 4 s, while a voter is there to hear it.
  mutating func askToVote() {
    guard let voter, wantsIn, reachableCount > 0 else {
      ownReady = OwnReady()
      return
    }
    if let askedAt = ownReady.askedAt, clock < askedAt + Pace.readyEvery || breaks("S4-once") {
      return
    }
    ownReady.askedAt = clock
    outbox.append(
      .sign(
        .ready(
          ApprovedReady(
            table: founding.table, epoch: epoch.id, block: ledger.tip, voter: voter))))
  }

  /// An own `Ready` comes back signed.
  mutating func take(_ ready: Ready) {
    guard wantsIn, ready.voter == voter, ready.epoch == epoch.id else { return }
    ownReady.ready = ready
    send(.ready(ready))
  }
}
