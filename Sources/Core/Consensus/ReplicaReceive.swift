package import Wire

// Messages from members. Every signature in them has been checked; who may say what has not.
extension Replica {
  mutating func receive(_ message: TableMessage, from peer: PeerID) {
    guard message.table == founding.table else { return refuse("otherTable") }
    if let id = message.epoch, !ledger.epochs.contains(where: { $0.id == id }) {
      return keepEarly(message, from: peer)
    }
    switch message {
    case .vote(let vote): receive(vote, from: peer)
    case .certificate(let certificate): receive(certificate, from: peer)
    case .proposal(let block, let vote): receive(block, with: vote, from: peer)
    case .entry(let entry):
      guard !playsElsewhere(peer) else { return refuse("entryElsewhere") }
      receive(entry, isOwn: false)
    case .passed(let passed): receive(passed)
    case .ready(let ready): receive(ready)
    case .status(let status): receive(status, from: peer)
    case .getChain(_, let height): serveChain(above: height, to: peer)
    case .chain(let chain): receive(chain, from: peer)
    case .getBlock(_, let hash): serveBlock(hash, to: peer)
    case .block(let block): receive(block)
    case .evidence(let evidence): receive(evidence)
    case .evict(let evict): receive(evict)
    case .wish(let wish): receive(wish, from: peer)
    case .recovery(let recovery): gather(recovery)
    case .assent(let assent): receive(assent)
    }
  }

  /// What is known of a message before its signatures are looked at.
  package enum Interest {
    case wanted
    /// It says nothing new.
    case known
    /// A vote for what has its quorum already; it can wait, and may be superseded meanwhile.
    case surplus
    /// An answer to what was never asked.
    case unasked(code: String)
  }

  /// Whether a message is worth the work of verifying it: an answer that nobody asked for is not
  /// (CONSENSUS 1.6).
  package func interest(in message: TableMessage, from peer: PeerID) -> Interest {
    switch message {
    case .chain where neighbours[peer]?.chainAskedAt == nil: .unasked(code: "chainUnasked")
    case .block(let block) where wanted[block.hash] == nil:
      tree[block.hash] == nil && ledger.item(block.hash) == nil
        ? .unasked(code: "blockUnasked") : .known
    case .entry(let entry) where pool.holds(entry): .known
    case .vote(let vote) where isSurplus(vote, from: peer): .surplus
    default: .wanted
    }
  }

  /// Whether a vote, from its voter, only widens a certificate that is held, and contradicts nothing.
  private func isSurplus(_ vote: Vote, from peer: PeerID) -> Bool {
    let subject = vote.subject
    guard subject.epoch == epoch.id, subject.kind != .nullify, epoch.has(vote.voter),
      app.identity(ofVoter: vote.voter) == peer
    else { return false }
    guard subject.view >= lineage.finalView else {
      guard let held = ledger.certificate(subject.kind, on: subject.block) else { return false }
      return held.subject == subject && !held.hasSigned(vote.voter)
    }
    guard let round = rounds[subject.view],
      let held = round.certificate(subject.kind, on: subject.block), held.subject == subject
    else { return false }
    return VoteKind.allCases.allSatisfy { kind in
      guard let other = round.vote(kind, by: vote.voter) else { return true }
      return kind != subject.kind && !Evidence.contradict(other.subject, subject)
    }
  }

  /// Whether all have finalized a block above that of a vote of this epoch: then nothing is missing
  /// below it.
  package func isSuperseded(_ vote: Vote) -> Bool {
    vote.subject.epoch != epoch.id || vote.subject.view < ledger.settledView
  }

  /// A message of an epoch that has not begun here: kept until it has, a few from each peer.
  private mutating func keepEarly(_ message: TableMessage, from peer: PeerID) {
    askChain(of: peer)
    guard early.count < Self.mostEarly, early.count(where: { $0.peer == peer }) < Self.mostEarly / 4
    else { return refuse("unknownEpoch") }
    early.append((message, peer))
    earlySince = epoch.number
  }

  private static var mostEarly: Int { 64 }

  /// Takes up what came before its epoch, once another one has begun.
  mutating func receiveEarly() {
    guard !early.isEmpty, earlySince != epoch.number else { return }
    let messages = early
    early = []
    for (message, peer) in messages { receive(message, from: peer) }
  }

  // MARK: Votes and certificates

  private mutating func receive(_ vote: Vote, from peer: PeerID) {
    let subject = vote.subject
    guard subject.epoch == epoch.id else {
      return receiveForeign(subject, [KeySignature(vote.voter, vote.signature)], from: peer)
    }
    guard epoch.has(vote.voter) else { return refuse("voteNotVoter") }
    guard subject.view > 0, subject.view <= view + Limits.viewsAhead else {
      return refuse("voteTooFarAhead")
    }
    noteIfForgotten(vote)
    let isNew = absorb(vote)
    let isBehind = subject.view <= lineage.finalView && subject.kind == .nullify
    if isBehind || (!isNew && subject.view < view) { answer(peer) }
  }

  private mutating func receive(_ certificate: Certificate, from peer: PeerID) {
    let subject = certificate.subject
    guard subject.epoch == epoch.id else {
      examineOld(certificate)
      return receiveForeign(subject, certificate.signatures, from: peer)
    }
    guard epoch.holds(certificate), subject.view > 0 else {
      return refuse("certificateNotQuorum")
    }
    let isOld = subject.kind == .finalize && subject.view < lineage.finalView
    absorb(certificate)
    if isOld || isNarrow(certificate) { answer(peer) }
    syncIfBehind(certificate, from: peer)
  }

  /// More have finalized the tip than who sent this knows: the last vote may have been lost, and
  /// nobody but him has a reason to speak.
  private func isNarrow(_ certificate: Certificate) -> Bool {
    guard certificate.subject.kind == .finalize, certificate.subject.view == lineage.finalView,
      let held = ledger.finalization(in: epoch.id), held.subject == certificate.subject
    else { return false }
    return held.signatures.count > certificate.signatures.count
  }

  /// Takes a vote of this epoch into the tally, or widens what proves a final block; whether it
  /// was new.
  @discardableResult
  mutating func absorb(_ vote: Vote) -> Bool {
    let subject = vote.subject
    guard subject.view >= lineage.finalView else {
      return absorbLate(subject, [KeySignature(vote.voter, vote.signature)])
    }
    let had = rounds[subject.view]?.certificates.count ?? 0
    let quorum = epoch.quorum
    let absorbed = round(subject.view) { $0.absorb(vote, quorum: quorum) }
    if case .contradicts(let other) = absorbed { accuse(.between(other, vote)) }
    blameVoters(forUnjudged: subject.block)
    if subject.view == lineage.finalView { widenLedger(at: subject.view) }
    if let made = rounds[subject.view]?.certificates, made.count > had, let last = made.last {
      enter(beyond: last)
    }
    if breaks("R1-lone"), subject.kind == .nullify, vote.voter != voter, subject.view >= view {
      view = subject.view + 1
    }
    if case .new = absorbed { return true }
    return false
  }

  /// Takes in a certificate of this epoch that holds.
  mutating func absorb(_ certificate: Certificate) {
    let subject = certificate.subject
    for vote in certificate.votes { noteIfForgotten(vote) }
    guard subject.view >= lineage.finalView else {
      if subject.kind == .finalize, lineage.final(at: subject.view) != subject.block {
        return conflict(certificate)
      }
      absorbLate(subject, certificate.signatures)
      return
    }
    let quorum = epoch.quorum
    let contradictions = round(subject.view) { $0.absorb(certificate, quorum: quorum) }
    for (left, right) in contradictions { accuse(.between(left, right)) }
    blameVoters(forUnjudged: subject.block)
    if subject.view == lineage.finalView { widenLedger(at: subject.view) }
    enter(beyond: certificate)
  }

  /// Rule 1: a certificate of a view at or above one's own leads into the view after it, and is
  /// passed on once: a nullification at once, any other a little later to whoever lacks it then.
  private mutating func enter(beyond certificate: Certificate) {
    let subject = certificate.subject
    guard subject.view >= view else { return }
    view = subject.view + 1
    pace.enter(afterNullification: subject.kind == .nullify)
    guard epoch.voters.count > 1 else { return }
    if subject.kind == .nullify {
      send(.certificate(certificate))
    } else {
      unshared = Unshared(certificate: certificate)
    }
  }

  /// R1.1: nearly always all have made the certificate themselves by now, and have shown it.
  ///
  /// Only at a tick.
  mutating func shareCertificate() {
    if unshared?.since == nil { unshared?.since = clock }
    guard let held = unshared, let due = held.dueAt(pace.delta), clock >= due else { return }
    unshared = nil
    // Below a quorum time makes nobody speak (R7); whoever comes back is shown all there is.
    guard hasQuorum else { return }
    for peer in neighbours.linked where !isBeyond(held.certificate.subject.view, peer) {
      send(.certificate(held.certificate), to: .peer(peer))
    }
  }

  /// Whether a member has shown that it is in a later view than this one: by where it says that it
  /// stands, by a finalize, which needs a notarization, or by any vote of a later view.
  private func isBeyond(_ view: UInt64, _ peer: PeerID) -> Bool {
    if let status = neighbours[peer]?.status,
      status.epochNumber > epoch.number || (status.epoch == epoch.id && status.view > view)
    {
      return true
    }
    guard let voter = epoch.voters.first(where: { app.identity(ofVoter: $0) == peer }) else {
      return false
    }
    for index in rounds.firstIndex(notBelow: view)..<rounds.count {
      let round = rounds.values[index]
      if round.vote(.finalize, by: voter) != nil { return true }
      guard rounds.keys[index] > view else { continue }
      if round.vote(.notarize, by: voter) != nil || round.vote(.nullify, by: voter) != nil {
        return true
      }
    }
    return false
  }

  /// Late votes widen what proves a final block, for the life of the table (CONSENSUS 1.6).
  @discardableResult
  private mutating func absorbLate(_ subject: VoteSubject, _ signatures: [KeySignature]) -> Bool {
    blame(subject, signatures)
    guard let wider = ledger.widen(subject, with: signatures) else { return false }
    persist(.certificate(wider, isLazy: true))
    return true
  }

  /// Copies what the round of the highest final view has gathered.
  mutating func widenLedger(at view: UInt64) {
    guard let final = lineage.final(at: view), let round = rounds[view] else { return }
    for certificate in round.proofs(of: final) {
      if let wider = ledger.widen(certificate.subject, with: certificate.signatures) {
        persist(.certificate(wider, isLazy: true))
      }
    }
  }

  /// A vote or certificate of another epoch: an older one's sender is behind, a newer one's ahead.
  private mutating func receiveForeign(
    _ subject: VoteSubject, _ signatures: [KeySignature], from peer: PeerID
  ) {
    guard absorbLate(subject, signatures) else { return answer(peer, in: subject.epoch) }
  }

  // MARK: Proposals

  private mutating func receive(_ block: Block, with vote: Vote, from peer: PeerID) {
    guard block.epoch == epoch.id else { return receiveForeign(vote.subject, [], from: peer) }
    guard block.view > 0, block.parentView < block.view, vote.voter == epoch.leader(of: block.view),
      vote.subject
        == VoteSubject(
          table: founding.table, epoch: epoch.id, view: block.view, kind: .notarize,
          block: block.hash)
    else { return refuse("proposalNotLeader") }
    noteIfForgotten(vote)
    for certificate in block.justification.certificates
    where certificate.subject.epoch == epoch.id && epoch.holds(certificate) {
      absorb(certificate)
    }
    guard block.view <= view else { return refuse("proposalNotJustified") }
    guard block.view > lineage.finalView else {
      if !absorb(vote) { answer(peer) }
      return
    }
    if rounds[block.view]?.proposal == nil || breaks("R3-second") {
      round(block.view) { $0.propose(block.hash, with: vote) }
      hold(block)
      for entry in block.entries { receive(entry, isOwn: false) }
    }
    absorb(vote)
  }

  /// Keeps a body of this epoch above the highest final block.
  mutating func hold(_ block: Block) {
    tree.insert(block)
    lineage.insert(block)
    wanted[block.hash] = nil
    blameVoters(for: block)
  }

  // MARK: Entries

  /// An own entry, signed and durable: takes it in and tells the others.
  mutating func submit(_ entry: Entry) {
    guard !isSilenced else { return refuse("storeFailed") }
    guard receive(entry, isOwn: true) else { return }
    send(.entry(entry))
  }

  /// Takes an entry into the pool; whether it is new there.
  @discardableResult
  mutating func receive(_ entry: Entry, isOwn: Bool) -> Bool {
    guard entry.table == founding.table else {
      refuse("otherTable")
      return false
    }
    let admission = app.admission(of: entry)
    if case .never(let code) = admission {
      refuse(code)
      return false
    }
    switch pool.insert(entry, isOwn: isOwn) {
    case .new:
      poolChanges += 1
      if admission == .now { hasAdmissible = true }
      return true
    case .known: return false
    case .refused(let code):
      refuse(code)
      return false
    }
  }
}

extension TableMessage {
  /// The epoch of a vote, a certificate, a proposal or what proves a lie.
  fileprivate var epoch: Digest? {
    switch self {
    case .vote(let vote): vote.subject.epoch
    case .certificate(let certificate): certificate.subject.epoch
    case .proposal(let block, _): block.epoch
    case .evidence(let evidence): evidence.epoch
    default: nil
    }
  }
}
