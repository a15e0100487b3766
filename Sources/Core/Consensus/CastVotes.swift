internal import Wire

// Rules 3-5, the part that looks at this voter; and the two steps of every vote (CONSENSUS 1.5).
extension Replica {
  /// Notarizes and finalizes what may be, in every view from that of the highest final block to
  /// one's own: late votes are safe and let everybody see that a block is settled.
  mutating func castVotes() {
    for view in rounds.keys where view >= max(lineage.finalView, 1) {
      notarize(in: view)
      finalize(in: view)
    }
  }

  /// Rule 3.
  private mutating func notarize(in view: UInt64) {
    guard view <= self.view, let voteGuard,
      voteGuard.vote(.notarize, in: view) == nil || breaks("R3-second"),
      voteGuard.vote(.nullify, in: view) == nil || breaks("R3-nullified"),
      let hash = candidate(in: view), voteGuard.vote(.notarize, in: view) != hash
    else { return }
    if view > lineage.finalView {
      switch judge(hash) {
      case .valid: break
      case .shownFalse(let code):
        guard rounds[view]?.isShownFalse == false else { return }
        round(view) { $0.isShownFalse = true }
        return refuse(code)
      case .needs: return
      }
    }
    reserve(.notarize, hash, in: view)
  }

  /// The block of a view that one could vote for: the final one, the leader's first, or the one
  /// that a quorum notarized.
  private func candidate(in view: UInt64) -> Digest? {
    if view <= lineage.finalView { return lineage.final(at: view) }
    guard let round = rounds[view] else { return nil }
    let notarized = round.certificate(.notarize) ?? round.certificate(.finalize)
    if let hash = notarized?.subject.block { return tree[hash] == nil ? nil : hash }
    return round.proposal?.block
  }

  /// Rule 4.
  private mutating func finalize(in view: UInt64) {
    guard let voteGuard, voteGuard.vote(.finalize, in: view) == nil,
      voteGuard.vote(.nullify, in: view) == nil || breaks("R4-nullified"),
      let hash = voteGuard.vote(.notarize, in: view)
        ?? (breaks("R4-foreign") ? rounds[view]?.certificate(.notarize)?.subject.block : nil),
      let proof = rounds[view]?.proofs(of: hash).first
    else { return }
    reserve(.finalize, hash, in: view, after: .certificate(proof, isLazy: false))
  }

  /// Rule 5.
  mutating func nullify() {
    let view = breaks("R5-finalized") && view > 1 ? view - 1 : view
    guard let voteGuard, view > lineage.finalView, voteGuard.vote(.nullify, in: view) == nil,
      voteGuard.vote(.finalize, in: view) == nil || breaks("R5-finalized"), mayNullify
    else { return }
    reserve(.nullify, .zero, in: view)
  }

  /// R5.1: a view that was skipped with a certificate of a later one, and whose own certificate was
  /// lost in crashes, would keep every later block from its place (R2.4).
  ///
  /// Only at a tick.
  mutating func nullifyGaps() {
    guard canVote, let voteGuard else { return }
    let first = max(lineage.finalView + 1, view > Self.mostGaps ? view - Self.mostGaps : 1)
    guard first < view else { return }
    for gap in first..<view
    where rounds[gap]?.certificates.isEmpty ?? true && voteGuard.vote(.nullify, in: gap) == nil
      && voteGuard.vote(.finalize, in: gap) == nil
    {
      reserve(.nullify, .zero, in: gap)
    }
  }

  /// A block could name no more of them.
  static var mostGaps: UInt64 { UInt64(Limits.nullificationsPerBlock) }

  private var mayNullify: Bool {
    if breaks("R5-never") { return false }
    let round = rounds[view]
    if let armedAt = pace.armedAt, isActive {
      if let due = pace.notarizationDue, clock >= due { return true }
      if round?.proposal == nil, let due = pace.proposalDue, clock >= due { return true }
      if clock >= armedAt + pace.delta, isProposalImpossible { return true }
    }
    let leader = epoch.leader(of: view)
    let isHopeless =
      round?.isShownFalse == true || round?.vote(.nullify, by: leader) != nil
      || (isActive && pace.armedAt != nil && !isLinked(leader))
    guard isHopeless, let soonest = pace.soonestNullify(voters: epoch.voters.count) else {
      return false
    }
    return clock >= soonest
  }

  // MARK: The two steps

  /// First step: the slot is taken and the record on its way to the disk.
  mutating func reserve(
    _ kind: VoteKind, _ hash: Digest, in view: UInt64, after first: Record? = nil
  ) {
    let subject = VoteSubject(
      table: founding.table, epoch: epoch.id, view: view, kind: kind, block: hash)
    // In place: a copy of all slots with every vote would cost more than the vote.
    guard let record = try? voteGuard?.reserve(subject, on: lineage) else { return }
    if kind == .notarize { writeBody(hash) }
    if let first { persist(first) }
    reserved.append((persist(record), subject))
    if breaks("R10-early") { release(subject) }
  }

  /// Second step: what is durable is looked at again, and signed if nothing forbids it now.
  mutating func release(through index: UInt64) {
    let durable = reserved.prefix { $0.index <= index }
    reserved.removeFirst(durable.count)
    for (_, subject) in durable { release(subject) }
  }

  mutating func release(_ subject: VoteSubject) {
    // Its slot is taken, so it is not dropped: nobody else could end the view of one who is alone.
    if isWaitingToVote { return unsent.append(subject) }
    guard subject.epoch == epoch.id, canVote else { return }
    if subject.kind == .nullify && subject.view <= lineage.finalView { return }
    do {
      guard let approved = try voteGuard?.release(subject, on: lineage) else { return }
      outbox.append(.sign(.vote(approved)))
    } catch {
      refuse(error.code)
    }
  }

  /// After a restart, or a time in which nothing was voted: durable votes are signed and sent
  /// (CONSENSUS 1.5).
  mutating func resumeVotes() {
    resumeRecovery()
    guard !unsent.isEmpty, !isWaitingToVote else { return }
    let votes = unsent
    unsent = []
    for subject in votes { release(subject) }
  }

  /// A statement comes back signed; only now does an own vote count.
  mutating func take(_ statement: SignedStatement) {
    guard !isSilenced else { return }
    switch statement {
    case .vote(let vote): take(vote.body)
    case .passed(let passed): take(passed.body)
    case .ready(let ready): take(ready.body)
    case .evict(let evict): take(evict.body)
    case .recovery(let recovery): gather(recovery.body)
    case .assent(let assent): take(assent.body)
    }
  }

  private mutating func take(_ vote: Vote) {
    let subject = vote.subject
    guard vote.voter == voter, voteGuard?.knows(subject) == true, isEntitled else { return }
    if subject.kind == .notarize, epoch.leader(of: subject.view) == voter,
      let node = tree[subject.block]
    {
      round(subject.view) { $0.propose(subject.block, with: vote) }
      send(.proposal(node.block, vote))
    } else {
      send(.vote(vote))
    }
    absorb(vote)
  }

  /// The body of a block, and of all it stands on above the final ones, goes to disk before the
  /// first own vote that rests on it: without them a restart could not tell what conflicts with it.
  mutating func writeBody(_ hash: Digest) {
    for node in tree.path(to: hash) ?? [] where !node.isPersisted {
      persist(.block(node.block, isLazy: false))
      tree.notePersisted(node.block.hash)
    }
  }
}
