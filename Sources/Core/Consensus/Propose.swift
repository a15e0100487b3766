internal import Wire

// Rule 2, and the empty blocks of rules 6, 7 (seals) and 9.
extension Replica {
  /// What a proposal in the current view would stand on.
  enum Footing {
    /// The parent, and what allows the place.
    case on(Base<App>, proofs: [Certificate], nullifications: [Certificate])
    /// A body or a certificate is missing.
    case missing
  }

  /// The highest notarized block with nullifications for all views between it and one's own.
  func footing() -> Footing {
    var nullifications: [Certificate] = []
    var below = view - 1
    while true {
      let round = rounds[below]
      if below <= lineage.finalView {
        let proofs = round?.proofs(of: tree.root.hash) ?? []
        guard below == 0 || !proofs.isEmpty else { return .missing }
        return .on(tree.root, proofs: proofs, nullifications: nullifications.reversed())
      }
      if let hash = (round?.certificate(.notarize) ?? round?.certificate(.finalize))?.subject.block,
        let base = tree.base(hash), let proofs = round?.proofs(of: hash)
      {
        return .on(base, proofs: proofs, nullifications: nullifications.reversed())
      }
      if breaks("R2-gap"), round?.certificate(.nullify) == nil {
        below -= 1
        continue
      }
      guard let nullification = round?.certificate(.nullify),
        nullifications.count < Limits.nullificationsPerBlock
      else { return .missing }
      nullifications.append(nullification)
      below -= 1
    }
  }

  /// The leader of this view has work, and can not propose for want of a body or a certificate.
  var isProposalImpossible: Bool {
    guard epoch.leader(of: view) == voter, rounds[view]?.proposal == nil else { return false }
    if case .missing = footing() { return true }
    return false
  }

  mutating func propose() {
    guard epoch.leader(of: view) == voter, let voteGuard,
      voteGuard.vote(.notarize, in: view) == nil,
      voteGuard.vote(.nullify, in: view) == nil || breaks("R2-nullified"),
      (voteGuard.highestView ?? 0) <= view, view > lineage.finalView
    else { return }
    judgeNotarized()
    guard case .on(let base, let proofs, let nullifications) = footing(),
      let (block, verdict) = makeBlock(on: base, proofs: proofs, nullifications: nullifications)
    else { return }
    tree.insert(block, verdict: verdict)
    lineage.insert(block)
    reserve(.notarize, block.hash, in: view)
  }

  /// A parent need not have been voted for here, but it must have been replayed.
  mutating func judgeNotarized() {
    for view in rounds.keys where view > lineage.finalView {
      guard let round = rounds[view],
        let hash = (round.certificate(.notarize) ?? round.certificate(.finalize))?.subject.block,
        tree.base(hash) == nil
      else { continue }
      _ = judge(hash)
    }
  }

  /// A block with everything admissible, or an empty one that is due; nil when there is no reason.
  private func makeBlock(
    on base: Base<App>, proofs: [Certificate], nullifications: [Certificate]
  ) -> (Block, BlockTree<App>.Verdict)? {
    var app = base.app
    let height = base.height + (base.isSealed ? 0 : 1)
    var batch: [(entry: Entry, outcome: Outcome)] = []
    var deadlines: [PassedDeadline] = []
    var seal: (change: VoterChange, proof: Int)?
    let oldSeals = base.view == 0 && epoch.startsFromSeal ? ledger.sealFinalizations : []
    if !base.isSealed {
      batch = pool.batch(applyingTo: &app, height: height)
      deadlines = endDeadlines(in: &app, at: LogPlace(height: height, index: UInt64(batch.count)))
      seal = dueSeal(in: app, proofs: signers(on: base, proofs, oldSeals))
      if let change = seal?.change {
        let index = UInt64(batch.count + deadlines.count)
        let place = LogPlace(height: height, index: index)
        do { try app.apply(change, at: place) } catch { seal = nil }
      }
    }
    let isEmpty =
      batch.isEmpty && (deadlines.isEmpty || breaks("R2.2-passed")) && seal == nil
    let emptyRun = !isEmpty ? 0 : nullifications.isEmpty ? base.emptyRun + 1 : 1
    if isEmpty { guard emptyRun <= Self.mostEmpty, isEmptyBlockDue(on: base) else { return nil } }
    let just = Justification(
      parent: base.view == 0 ? nil : proofs[oldSeals.isEmpty ? seal?.proof ?? 0 : 0],
      oldSeal: seal.flatMap { oldSeals.isEmpty ? nil : oldSeals[$0.proof] },
      nullifications: breaks("R2.4-short") ? [] : nullifications)
    let block = Block(
      table: founding.table, epoch: epoch.id, view: view, height: height, parentView: base.view,
      parent: base.hash, stateAfterParent: base.stateHash, emptyRun: emptyRun,
      entries: batch.map(\.entry), deadlines: deadlines, change: seal?.change,
      justification: just, shownTime: shownTime)
    let next = Base(
      hash: block.hash, view: view, height: height, emptyRun: emptyRun,
      isSealed: base.isSealed || seal != nil, app: app)
    return (block, .valid(next, batch.map(\.outcome)))
  }

  /// Who signed for the parent, once per certificate that could be quoted.
  private func signers(
    on base: Base<App>, _ proofs: [Certificate], _ oldSeals: [Certificate]
  ) -> [[PublicKey]] {
    if base.view > 0 { return proofs.map(\.voters) }
    return epoch.startsFromSeal ? oldSeals.map(\.voters) : [epoch.voters]
  }

  /// A flush, when the tip stays unfinal (rule 9); an empty block that widens the certificate for
  /// a seal (CONSENSUS 1.7); or the one that settles a finished game (rule 6).
  private func isEmptyBlockDue(on base: Base<App>) -> Bool {
    if breaks("R2.3-endless") { return true }
    guard isActive, let due = pace.flushDue, clock >= due else { return false }
    if base.hash != tree.root.hash { return !breaks("R9-never") }
    return needsWidening(for: base.app) || isSettlingDue
  }

  /// The game is over, all voters are reachable, and the tip was not settled for 5 s: once.
  var isSettlingDue: Bool {
    guard let since = settleWait.since, tree.root.emptyRun == 0, !breaks("R6.4-never")
    else { return false }
    return clock >= since + Pace.settleWait
  }
}
