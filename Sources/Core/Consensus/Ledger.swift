internal import Wire

/// The final log from the genesis on, with its proof, and the epochs it went through.
///
/// It holds flush blocks too, after their seal; they are no part of the log that players see.
struct Ledger: Sendable {
  struct Item: Sendable {
    let block: Block
    let outcomes: [Outcome]
    /// Index into `epochs`.
    let epoch: Int
    let isFlush: Bool
    /// Each widened as late votes come, for the life of the table (CONSENSUS 1.6).
    var notarization: Certificate?
    var finalization: Certificate?
  }

  private(set) var items: [Item] = []
  /// All epochs so far, the current one last.
  private(set) var epochs: [Epoch]
  private var places = SortedMap<Digest, Int>()
  private(set) var tip: Digest
  private(set) var height: UInt64 = 0

  init(_ founding: Founding) {
    epochs = [Epoch(founding)]
    tip = founding.genesis
  }

  func item(_ hash: Digest) -> Item? { places[hash].map { items[$0] } }

  /// What proves a final block, as far as it is held.
  func certificate(_ kind: VoteKind, on hash: Digest) -> Certificate? {
    guard let index = places[hash] else { return nil }
    return switch kind {
    case .notarize: items[index].notarization
    case .finalize: items[index].finalization
    case .nullify: nil
    }
  }

  mutating func append(
    _ block: Block, _ outcomes: [Outcome], isFlush: Bool, notarization: Certificate?,
    finalization: Certificate?
  ) {
    places[block.hash] = items.count
    items.append(
      Item(
        block: block, outcomes: outcomes, epoch: epochs.count - 1, isFlush: isFlush,
        notarization: notarization, finalization: finalization))
    if !isFlush {
      tip = block.hash
      height = block.height
    }
  }

  mutating func begin(_ epoch: Epoch) { epochs.append(epoch) }

  /// Adds signatures to what proves a final block, and returns the certificate if it grew.
  mutating func widen(_ subject: VoteSubject, with signatures: [KeySignature]) -> Certificate? {
    guard let index = places[subject.block], items[index].block.view == subject.view,
      items[index].block.epoch == subject.epoch
    else { return nil }
    let epoch = epochs[items[index].epoch]
    let votes = signatures.filter { epoch.has($0.key) }
    switch subject.kind {
    case .nullify: return nil
    case .notarize:
      let wider = Self.wider(items[index].notarization, subject, votes, epoch.quorum)
      if let wider { items[index].notarization = wider }
      return wider
    case .finalize:
      let wider = Self.wider(items[index].finalization, subject, votes, epoch.quorum)
      if let wider { items[index].finalization = wider }
      return wider
    }
  }

  private static func wider(
    _ old: Certificate?, _ subject: VoteSubject, _ votes: [KeySignature], _ quorum: Int
  ) -> Certificate? {
    if let old { return old.widened(by: votes) }
    return votes.count >= quorum ? Certificate(subject: subject, signatures: votes) : nil
  }

  /// The finalization of the highest block of an epoch; nil for an epoch unknown or without one.
  func finalization(in epoch: Digest) -> Certificate? {
    guard let number = epochs.lastIndex(where: { $0.id == epoch }) else { return nil }
    for item in items.reversed() where item.epoch <= number {
      guard item.epoch == number else { return nil }
      if let found = item.finalization { return found }
    }
    return nil
  }

  /// Every finalization of the seal before the current epoch, on it or on a flush block above it,
  /// the widest first.
  var sealFinalizations: [Certificate] {
    guard epochs.count > 1 else { return [] }
    var found: [Certificate] = []
    for item in items.reversed() where item.epoch <= epochs.count - 2 {
      guard item.epoch == epochs.count - 2 else { break }
      if let certificate = item.finalization { found.append(certificate) }
      if item.block.isSeal { break }
    }
    return found.sorted { $0.signatures.count > $1.signatures.count }
  }

  /// Index of the first item above a height.
  func index(above height: UInt64) -> Int {
    var low = 0
    var high = items.count
    while low < high {
      let middle = (low + high) / 2
      if items[middle].block.height <= height { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// How sure the block at a height is (rule 6); `missing` names those whom a recovery left out of
  /// an epoch and who have not accepted it.
  func finality(at height: UInt64, besides missing: (Int) -> [PublicKey]) -> Finality? {
    let start = index(above: height == 0 ? 0 : height - 1)
    guard height > 0, start < items.count, items[start].block.height == height else { return nil }
    let epoch = epochs[items[start].epoch]
    let number = items[start].epoch
    let needed = epoch.voters + (0...number).flatMap(missing)
    var most = 0
    var isSettled = false
    for item in items[start...] {
      guard let certificate = item.finalization else { continue }
      let signatures = certificate.signatures.count
      if item.epoch == items[start].epoch { most = max(most, signatures) }
      let voters = epochs[item.epoch].voters
      let most = breaks("R6.2-quorum") ? epochs[item.epoch].quorum : voters.count
      if signatures >= most, needed.allSatisfy(voters.contains) {
        isSettled = true
        break
      }
    }
    return Finality(signatures: most, voters: epoch.voters.count, isSettled: isSettled)
  }

  /// The highest view of the current epoch whose block all voters have finalized; 0 for none.
  var settledView: UInt64 {
    guard let epoch = epochs.last else { return 0 }
    for item in items.reversed() {
      guard item.epoch == epochs.count - 1 else { return 0 }
      if item.finalization?.signatures.count == epoch.voters.count { return item.block.view }
    }
    return 0
  }

  /// A bounded run of final blocks above a height that ends, in each epoch, on a block with a
  /// finalization of its own.
  func chain(above height: UInt64, of table: TableID) -> Chain {
    var end = index(above: height)
    let start = end
    var bytes = 0
    var finalizations: [Certificate] = []
    var best = (end: end, finalizations: finalizations)
    while end < items.count {
      let item = items[end]
      // Where an epoch ended without a quorum, nothing proves its last blocks final.
      if end > start, item.epoch != items[end - 1].epoch, epochs[item.epoch].recovery != nil {
        break
      }
      bytes += Limits.sizeEstimate(item.block)
      let isFull = end - start >= Limits.chainBlocks || bytes > Limits.chainBytes
      if isFull && best.end > start { break }
      end += 1
      guard let certificate = item.finalization else { continue }
      if let last = finalizations.last, last.subject.epoch == certificate.subject.epoch {
        finalizations.removeLast()
      }
      finalizations.append(certificate)
      best = (end, finalizations)
    }
    return Chain(
      table: table, blocks: items[start..<best.end].map(\.block),
      finalizations: best.finalizations)
  }
}

extension Limits {
  /// Bytes of a block, from above and without encoding it.
  static func sizeEstimate(_ block: Block) -> Int {
    let signature = 110
    let entries = block.entries.reduce(0) { $0 + $1.body.count + 3 * signature }
    let certificates = block.justification.certificates.reduce(0) {
      $0 + 150 + $1.signatures.count * signature
    }
    let deadlines = block.deadlines.reduce(0) { $0 + 50 + $1.signatures.count * signature }
    let evictions = (block.change?.evictions ?? []).reduce(0) { sum, eviction in
      switch eviction.ground {
      case .lie(let evidence): sum + sizeEstimate(evidence)
      case .votes(let signatures): sum + 50 + signatures.count * signature
      }
    }
    return 400 + entries + certificates + deadlines + evictions
      + (block.change?.joiners.count ?? 0) * 250
  }

  /// Bytes of a proof, from above and without encoding it.
  static func sizeEstimate(_ evidence: Evidence) -> Int {
    switch evidence {
    case .votes: 600
    case .unjustified(_, let block): 300 + sizeEstimate(block)
    }
  }
}
