internal import Wire

/// What came of asking whether a block may stand where it stands.
enum Judgement<App: Application>: Sendable {
  case valid(Base<App>, [Outcome])
  /// Invalid for ever.
  case shownFalse(code: String)
  /// Not to be judged before this body is here.
  case needs(Digest)
}

// Rule 3, the part that looks at the block: everything but the voter's own history.
extension Replica {
  /// Judges a held block, its ancestors first; remembers what came of it.
  ///
  /// `isFinal`: a quorum finalized the block or one above it, so that no body of the epoch before
  /// is asked for.
  mutating func judge(_ hash: Digest, isFinal: Bool = false) -> Judgement<App> {
    if let missing = tree.missing(under: hash) { return .needs(missing) }
    guard let path = tree.path(to: hash) else { return .shownFalse(code: "blockConflicts") }
    var base = tree.root
    var outcomes: [Outcome] = []
    for node in path {
      switch node.verdict {
      case .valid(let next, let done):
        base = next
        outcomes = done
        continue
      case .shownFalse(let code): return .shownFalse(code: code)
      case .unjudged: break
      }
      switch judge(node.block, on: base, isFinal: isFinal) {
      case .valid(let next, let done):
        tree.note(.valid(next, done), of: node.block.hash)
        base = next
        outcomes = done
      case .shownFalse(let code):
        tree.note(.shownFalse(code: code), of: node.block.hash)
        return .shownFalse(code: code)
      case .needs(let missing): return .needs(missing)
      }
    }
    return .valid(base, outcomes)
  }

  private func judge(_ block: Block, on base: Base<App>, isFinal: Bool) -> Judgement<App> {
    if let code = misplacement(of: block, on: base) { return .shownFalse(code: code) }
    if !breaks("R3-just"), let code = block.faultOfJustification(in: epoch) {
      return .shownFalse(code: code)
    }
    if !isFinal, let missing = missingOldSeal(of: block) { return .needs(missing) }
    return replay(block, on: base, isFinal: isFinal)
  }

  /// Place, height, state and run of empty blocks.
  private func misplacement(of block: Block, on base: Base<App>) -> String? {
    guard block.table == founding.table, block.epoch == epoch.id else { return "blockElsewhere" }
    guard block.parent == base.hash, block.parentView == base.view, block.view > base.view else {
      return "blockParent"
    }
    guard block.height == base.height + (base.isSealed ? 0 : 1) else { return "blockHeight" }
    guard block.stateAfterParent == base.stateHash || breaks("R3-state") else {
      return "blockState"
    }
    guard block.emptyRun == Self.emptyRun(of: block, on: base) || breaks("R3-empty") else {
      return "blockEmptyRun"
    }
    guard block.emptyRun <= Self.mostEmpty else { return "blockTooManyEmpty" }
    guard block.isEmpty || !base.isSealed else { return "blockAfterSeal" }
    return nil
  }

  /// Empty blocks in a row that may stand without anything new (rule 3).
  static var mostEmpty: UInt64 { breaks("R2.3-endless") ? .max : 3 }

  static func emptyRun(of block: Block, on base: Base<App>) -> UInt64 {
    guard block.isEmpty else { return 0 }
    return block.justification.nullifications.isEmpty ? base.emptyRun + 1 : 1
  }

  /// *Finalization of a seal* may lie on a flush block above it, which must then be known.
  private func missingOldSeal(of block: Block) -> Digest? {
    guard let certificate = block.justification.oldSeal else { return nil }
    var hash = certificate.subject.block
    while hash != epoch.anchor {
      guard let flush = flushBlock(hash) else { return hash }
      hash = flush.parent
    }
    return nil
  }

  /// A flush block of the epoch before, from the log or fetched on its own.
  private func flushBlock(_ hash: Digest) -> Block? {
    if let item = ledger.item(hash), item.isFlush { return item.block }
    return oldFlush.first { $0.hash == hash }
  }

  /// Takes a flush block of the epoch before that was asked for.
  mutating func holdOldFlush(_ block: Block) {
    guard ledger.epochs.count > 1, block.isEmpty, oldFlush.count < 16,
      block.epoch == ledger.epochs[ledger.epochs.count - 2].id
    else { return }
    wanted[block.hash] = nil
    oldFlush.append(block)
  }

  private func replay(_ block: Block, on base: Base<App>, isFinal: Bool) -> Judgement<App> {
    var app = base.app
    var outcomes: [Outcome] = []
    if let code = replayEntries(of: block, on: &app, &outcomes) {
      return .shownFalse(code: code)
    }
    if let code = replayDeadlines(of: block, on: &app) { return .shownFalse(code: code) }
    if let change = block.change {
      let proofs = proofs(in: block.justification)
      guard isFinal || epoch.permits(change, by: proofs) else {
        return .shownFalse(code: "sealTooNarrow")
      }
      if let code = faultOf(change) { return .shownFalse(code: code) }
      do {
        try app.apply(change, at: place(in: block, UInt64(block.deadlines.count)))
      } catch {
        if !breaks("S3-unwanted") { return .shownFalse(code: "sealNotEffective") }
      }
    }
    let next = Base(
      hash: block.hash, view: block.view, height: block.height, emptyRun: block.emptyRun,
      isSealed: base.isSealed || block.isSeal, app: app)
    return .valid(next, outcomes)
  }

  private func place(in block: Block, _ system: UInt64) -> LogPlace {
    LogPlace(height: block.height, index: UInt64(block.entries.count) + system)
  }

  private func replayEntries(
    of block: Block, on app: inout App, _ outcomes: inout [Outcome]
  ) -> String? {
    guard block.entries.count <= Limits.entriesPerBlock,
      block.entries.reduce(0, { $0 + $1.body.count }) <= Limits.entryBytesPerBlock
    else { return "blockTooLarge" }
    var perAuthor = SortedMap<PublicKey, Int>()
    for (index, entry) in block.entries.enumerated() {
      let count = (perAuthor[entry.author] ?? 0) + 1
      perAuthor[entry.author] = count
      guard count <= Limits.entriesPerAuthor else { return "blockTooManyOfAuthor" }
      guard entry.table == founding.table,
        app.admission(of: entry) == .now || breaks("R3-entries")
      else { return "entryNotAdmissible" }
      let place = LogPlace(height: block.height, index: UInt64(index))
      outcomes.append(app.apply(entry, at: place))
      if breaks("R3.1-false"), outcomes.last != .done { return "entryVoid" }
    }
    return nil
  }

  private func replayDeadlines(of block: Block, on app: inout App) -> String? {
    guard block.deadlines.count <= Limits.deadlinesPerBlock else { return "blockTooLarge" }
    for (index, deadline) in block.deadlines.enumerated() {
      guard deadline.signatures.count >= epoch.quorum || breaks("D3-any"),
        deadline.signatures.allSatisfy({ epoch.has($0.key) })
      else { return "deadlineNotQuorum" }
      do {
        try app.apply(deadline: deadline.id, at: place(in: block, UInt64(index)))
      } catch {
        return "deadlineNotOpen"
      }
    }
    return nil
  }
}
