internal import CBOR
package import Wire

// From stored rows back to a replica (CONSENSUS 1.5): the same rules run over what was written.
extension Replica {
  /// Starts from stored rows, in any order; the world gives it a `tick` at once, so that it can ask
  /// for the next.
  ///
  /// Throws when a row can not be read or the rows contradict one another; the table's log is then
  /// as good as lost, and its voter key must not vote again. Entries that became final in a former
  /// run are not reported again as `committed`; `finalBlocks` has them.
  package init(
    restoring records: [Record], founding: Founding, voter: PublicKey?, app: App, seed: UInt64,
    now: Milliseconds
  ) throws(RestoreError) {
    self.init(founding: founding, voter: voter, app: app, seed: seed, now: now)
    var blocks: [Block] = []
    var certificates: [Certificate] = []
    for record in records {
      guard let value = record.value else { continue }
      do {
        switch record.kind {
        case .block: blocks.append(try Block(CBOR(decoding: value)))
        case .certificate: certificates.append(try Certificate(CBOR(decoding: value)))
        case .clock:
          guard let id = Digest(record.key) else { throw RestoreError.inconsistent(.clock) }
          storedClocks[id] = try CBOR(decoding: value).unsigned("clock")
        case .evidence: _ = book.insert(try Evidence(CBOR(decoding: value)))
        case .vote, .epoch, .amnesia, .recovery: break
        }
      } catch let error as DecodeError {
        throw .malformed(record.kind, error)
      } catch {
        throw .inconsistent(record.kind)
      }
    }
    try restoreRecoveries(records)
    try replay(blocks, certificates)
    try restoreEpochs(records)
    try restoreVotes(records)
    // What the rules asked for while they ran over the rows is not asked of the world, and is again.
    clocks.updateAll { $1.isPassed = false }
    outbox = []
    nextIndex = 1
  }

  /// Makes final what the rows prove, epoch by epoch.
  private mutating func replay(
    _ blocks: [Block], _ certificates: [Certificate]
  ) throws(RestoreError) {
    syncClocks()
    let written = recoveries
    var last: Digest?
    while last != epoch.id {
      last = epoch.id
      for block in blocks where block.epoch == epoch.id && block.table == founding.table {
        tree.insert(block, isPersisted: true)
        lineage.insert(block)
        for entry in block.entries { receive(entry, isOwn: false) }
      }
      for certificate in certificates where epoch.holds(certificate) && certificate.subject.view > 0
      {
        absorb(certificate)
      }
      restoreJustifications()
      finalizeBlocks()
      if last == epoch.id { resumeRecoveries(written) }
    }
    guard !isHalted else { throw .inconsistent(.certificate) }
    pool.prune(with: self.app)
    hasAdmissible = pool.hasAdmissible(in: self.app)
    storedClocks = SortedMap()
    for certificate in certificates where !epoch.holds(certificate) {
      _ = ledger.widen(certificate.subject, with: certificate.signatures)
    }
    adoptProposals()
  }

  /// What a written block stands on may be held by nobody else any more.
  private mutating func restoreJustifications() {
    for node in tree.all {
      for certificate in node.block.justification.certificates
      where epoch.holds(certificate) && certificate.subject.view > 0 {
        absorb(certificate)
      }
    }
  }

  /// Certificates of a former run widen what was made final with narrower ones.
  private mutating func adoptProposals() {
    for certificate in rounds.values.flatMap(\.certificates) {
      _ = ledger.widen(certificate.subject, with: certificate.signatures)
    }
  }

  /// An epoch that began before the restart must begin again, or its votes would be forgotten.
  private func restoreEpochs(_ records: [Record]) throws(RestoreError) {
    for record in records where record.kind == .epoch {
      guard record.key.count == 8 else { throw .inconsistent(.epoch) }
      let number = record.key.reduce(0) { $0 << 8 | UInt64($1) }
      guard number <= epoch.number else { throw .inconsistent(.epoch) }
    }
  }

  private mutating func restoreVotes(_ records: [Record]) throws(RestoreError) {
    guard var voteGuard else { return }
    // The certificates above showed own votes before the guard knew of them.
    isAmnesiac = false
    for record in records {
      if record.kind == .vote, !breaks("R10.2-forgets") { try voteGuard.restore(record) }
      if record.kind == .amnesia && record.key == voter?.bytes { isAmnesiac = true }
    }
    self.voteGuard = voteGuard
    heedsUntil = clock + Self.heed
    unsent = voteGuard.votes(from: max(lineage.finalView, 1))
    resumeStatements()
  }
}
