package import Wire

/// What is wrong with a log: the code of the first rule that it breaks, and the block that does.
package struct AuditFault: Error, Equatable, Sendable {
  /// Stable, as in `Replica`'s judgements.
  package let code: String
  package let height: UInt64

  /// Names a fault.
  package init(_ code: String, at height: UInt64) {
    self.code = code
    self.height = height
  }
}

/// Judges a whole log from outside, block by block from the genesis on.
///
/// It is a replica that does not vote: places, certificates, epochs, seals, entries and deadlines
/// are judged by the code with which nodes judge proposals. Nodes trust the justification of what a
/// quorum made final; here even that is judged.
package struct Audit<App: Application>: Sendable {
  private var replica: Replica<App>
  /// The block taken last; the anchor of the epoch before there is one.
  private var last: Digest
  private var taken = 0
  /// Finalizations of a seal and of flush blocks above it: taken together when the epoch is over,
  /// since the first would end it.
  private var waiting: [Certificate] = []
  /// What the outcomes of the log's entries were, in their order.
  package private(set) var outcomes: [Outcome] = []
  /// Signatures in the log that no honest voter makes together.
  package private(set) var lies: [Evidence] = []
  /// Seals that lean on a flush block which the log does not have.
  package private(set) var leaningSeals = 0

  /// Starts at the genesis.
  package init(founding: Founding, app: App) {
    replica = Replica(founding: founding, voter: nil, app: app, seed: 0, now: 0)
    last = founding.genesis
  }

  /// Takes the next block, which stands on the one taken last.
  ///
  /// Throws the first fault; nothing more is to be taken then.
  package mutating func take(_ row: Verified<ProvenBlock>) throws(AuditFault) {
    let block = row.body.block
    guard block.table == replica.founding.table else { throw fault("otherTable", block) }
    if block.epoch != replica.epoch.id { try closeEpoch() }
    guard block.epoch == replica.epoch.id else { throw fault("blockOtherEpoch", block) }
    guard block.parent == last else { throw fault("blockParent", block) }
    guard block.view > 0, block.parentView < block.view else { throw fault("blockView", block) }
    replica.hold(block)
    let isSealed = try judge(block)
    last = block.hash
    taken += 1
    for (kind, certificate) in [
      (VoteKind.notarize, row.body.notarization), (.finalize, row.body.finalization),
    ] {
      guard let certificate else { continue }
      guard certificate.subject.kind == kind, certificate.subject.view == block.view,
        certificate.subject.block == block.hash
      else { throw fault("certificateOther", block) }
      guard replica.epoch.holds(certificate) else { throw fault("certificateNotQuorum", block) }
      if kind == .finalize && isSealed {
        waiting.append(certificate)
      } else {
        replica.absorb(certificate)
      }
    }
    try finalize(upTo: block.height)
  }

  /// Takes that some voters went on from the block taken last, all of whom have signed it.
  package mutating func take(_ recovery: Verified<Recovery>) throws(AuditFault) {
    let recovery = recovery.body
    let epoch = replica.epoch
    guard recovery.table == replica.founding.table, recovery.epoch == epoch.id, epoch.number > 0,
      recovery.isComplete, recovery.voters.allSatisfy(epoch.has), recovery.block == last
    else { throw AuditFault("recoveryOther", at: recovery.height) }
    replica.recoveries.chosen = recovery
    replica.adoptRecovery()
    guard replica.epoch.recovery == recovery.id else {
      throw AuditFault("recoveryOther", at: recovery.height)
    }
    waiting = []
    try finalize(upTo: recovery.height)
  }

  /// Nothing more is to come: the last block must be final, and with it the others.
  package mutating func finish() throws(AuditFault) {
    try closeEpoch()
    guard replica.ledger.items.count == taken else {
      throw AuditFault("notFinal", at: replica.finalHeight + 1)
    }
  }

  /// Whether the block is a seal, or stands on one.
  private mutating func judge(_ block: Block) throws(AuditFault) -> Bool {
    switch replica.judge(block.hash) {
    case .valid(let base, _): return base.isSealed
    case .shownFalse(let code): throw fault(code, block)
    case .needs:
      // The old seal's finalization lies on a flush block that whoever saved the log never had.
      guard let change = block.change,
        replica.epoch.permits(change, by: replica.proofs(in: block.justification))
      else { throw fault("sealTooNarrow", block) }
      guard case .valid(let base, _) = replica.judge(block.hash, isFinal: true) else {
        throw fault("blockOtherEpoch", block)
      }
      leaningSeals += 1
      return base.isSealed
    }
  }

  private mutating func closeEpoch() throws(AuditFault) {
    for certificate in waiting { replica.absorb(certificate) }
    waiting = []
    try finalize(upTo: replica.finalHeight)
  }

  private mutating func finalize(upTo height: UInt64) throws(AuditFault) {
    replica.finalizeBlocks()
    for effect in replica.outbox {
      switch effect {
      case .committed(_, let done): outcomes += done
      case .accuse(let evidence): lies.append(evidence)
      default: break
      }
    }
    replica.outbox = []
    guard !replica.isHalted else { throw AuditFault("conflictingFinal", at: height) }
  }

  private func fault(_ code: String, _ block: Block) -> AuditFault {
    AuditFault(code, at: block.height)
  }

  // MARK: What came of it

  /// The application after the last final block.
  package var app: App { replica.app }
  /// Height and hash of the last final block that players see.
  package var height: UInt64 { replica.finalHeight }
  package var tip: Digest { replica.finalTip }
  /// All epochs, the current one last.
  package var epochs: [Epoch] { replica.ledger.epochs }
  /// Blocks with entries, deadlines or a change of voters, or none: without flush blocks.
  package var blocks: Int { replica.ledger.items.count { !$0.isFlush } }

  /// How sure the block at a height is.
  package func finality(at height: UInt64) -> Finality? { replica.finality(at: height) }

  /// The time that the block at a height shows, by its leader's clock; milliseconds since 1970.
  package func shownTime(at height: UInt64) -> UInt64? {
    replica.finalBlocks(above: height == 0 ? 0 : height - 1).first.map(\.block.shownTime)
  }

  /// Whether two votes prove that a voter of one of the log's epochs lied.
  package func proves(_ evidence: (Verified<Vote>, Verified<Vote>)) -> Bool {
    let (left, right) = (evidence.0.body, evidence.1.body)
    return left.voter == right.voter && left.subject.table == replica.founding.table
      && Evidence.contradict(left.subject, right.subject)
      && epochs.contains { $0.id == left.subject.epoch && $0.has(left.voter) }
  }
}

extension Replica {
  /// The final log from the genesis on with its certificates, flush blocks included: what an
  /// exported log holds.
  package var history: [ProvenBlock] {
    ledger.items.map {
      ProvenBlock($0.block, notarization: $0.notarization, finalization: $0.finalization)
    }
  }
}
