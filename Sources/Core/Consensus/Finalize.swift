internal import Wire

// Rule 6: what is final, what that does, and what two conflicting finalizations do.
extension Replica {
  /// Makes final whatever a held finalization covers, as far as the bodies are here.
  mutating func finalizeBlocks() {
    var isMoving = true
    while isMoving {
      isMoving = false
      for certificate in openFinalizations {
        let subject = certificate.subject
        switch lineage.relation(of: subject.block, at: subject.view) {
        case .final, .unknown: continue
        case .conflicting: conflict(certificate)
        case .above: isMoving = !isHalted && commit(subject.block)
        }
        if isMoving { break }
      }
    }
  }

  /// Finalizations held of blocks that are not final here, the highest first.
  private var openFinalizations: [Certificate] {
    var open: [Certificate] = []
    for index in rounds.values.indices.reversed() {
      guard rounds.keys[index] >= max(lineage.finalView, 1) else { break }
      open += rounds.values[index].certificates.filter {
        ($0.subject.kind == .finalize || breaks("R6-notarized")) && $0.subject.kind != .nullify
          && lineage.final(at: $0.subject.view) != $0.subject.block
      }
    }
    return open
  }

  /// Moves the final tip up to a block; false when a body is missing on the way.
  private mutating func commit(_ hash: Digest) -> Bool {
    switch judge(hash, isFinal: true) {
    case .valid: break
    case .needs: return false
    case .shownFalse(let code):
      // A quorum made final what no honest voter may notarize: more liars than the table bears.
      isHalted = true
      refuse("final" + code.prefix(1).uppercased() + code.dropFirst())
      return false
    }
    guard let path = tree.path(to: hash) else { return false }
    var seal: Block?
    for node in path {
      guard case .valid(let base, let outcomes) = node.verdict else { return false }
      let isFlush = seal != nil
      append(node, outcomes, isFlush: isFlush)
      if isFlush { continue }
      app = base.app
      outbox.append(.committed(node.block, outcomes))
      if node.block.isSeal { seal = node.block }
    }
    if let certificate = rounds[lineage.finalView]?.certificate(.finalize, on: hash) {
      persist(.certificate(certificate, isLazy: true))
    }
    if let seal, let change = seal.change {
      begin(Epoch(after: epoch, seal: seal, change: change))
    } else if let base = tree.base(hash) {
      tree.advance(to: base)
      rounds.removeAll(below: lineage.finalView)
      pace.reset()
    }
    afterCommit()
    return true
  }

  mutating func append(
    _ node: BlockTree<App>.Node, _ outcomes: [Outcome], isFlush: Bool
  ) {
    let block = node.block
    let round = rounds[block.view]
    if !node.isPersisted { persist(.block(block, isLazy: true)) }
    ledger.append(
      block, outcomes, isFlush: isFlush,
      notarization: round?.certificate(.notarize, on: block.hash),
      finalization: round?.certificate(.finalize, on: block.hash))
    lineage.finalize(block)
  }

  /// A final seal ends the epoch: nothing is signed in it again (CONSENSUS 1.7).
  mutating func begin(_ next: Epoch) {
    if breaks("S1-old") { for (_, subject) in reserved { release(subject) } }
    let closing = voteGuard?.closingRecords() ?? []
    epoch = next
    ledger.begin(next)
    persist(.epoch(next))
    for record in closing { persist(record) }
    voteGuard = voter.map { VoteGuard(table: founding.table, epoch: next.id, voter: $0) }
    reserved = []
    lineage = Lineage(anchor: next.anchor)
    tree = BlockTree(
      root: Base(
        hash: next.anchor, view: 0, height: next.anchorHeight, emptyRun: 0, isSealed: false,
        app: app))
    rounds = SortedMap()
    view = 1
    wanted = SortedMap()
    oldFlush = []
    overruled = []
    unshared = nil
    passed = SortedMap()
    readies = SortedMap()
    ownReady = OwnReady()
    evictions = Evictions()
    clocks.updateAll { $1.isPassed = false }
    recoveries.begin()
    pace.reset()
  }

  /// What follows from a new final state.
  mutating func afterCommit() {
    countReach()
    pool.prune(with: app)
    poolChanges += 1
    hasAdmissible = pool.hasAdmissible(in: app)
    syncClocks()
    startWait.set(app.voterWish.isStart)
    settleWait.set(false)
    passDeadlines()
  }

  /// Another finalization than those held exists: stop, show both, unless exactly one is settled;
  /// and find out who lied.
  mutating func conflict(_ certificate: Certificate) {
    let subject = certificate.subject
    if breaks("R6.3-ignored") { return }
    guard !isHalted, !overruled.contains(subject), overruled.count < 16 else { return }
    overruled.append(subject)
    guard let own = ledger.finalization(in: epoch.id) else { return }
    refuse("finalConflict")
    send(.certificate(own))
    send(.certificate(certificate))
    examine(certificate, in: ledger.epochs.count - 1)
    judgeConflict(certificate)
  }

  /// Whether this log ends here or stands: asked again with every body of the other chain that comes.
  mutating func judgeConflict(_ certificate: Certificate) {
    guard let isSettledHere = isSettled(against: certificate.subject) else { return }
    let isSettledThere = certificate.signatures.count == epoch.voters.count
    if !isSettledHere || isSettledThere { isHalted = true }
  }

  /// Whether a block that all have finalized can not be final beside this one; nil while a body is
  /// missing to tell whether it stands on that block.
  private func isSettled(against subject: VoteSubject) -> Bool? {
    let settled = ledger.settledView
    guard settled > 0, let block = lineage.final(at: settled) else { return false }
    var (view, hash) = (subject.view, subject.block)
    if view <= settled { return true }
    while view > settled {
      guard let parent = lineage.parent(of: hash) ?? forkedParent(of: hash) else { return nil }
      (view, hash) = parent
    }
    return view < settled || hash != block
  }
}
