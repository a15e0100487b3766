package import CBOR

/// Where a node stands at a table; rides in the links' keepalive and starts a sync where it differs.
///
/// Not signed: it is only ever taken as the word of the peer at the other end of the link.
package struct Status: Hashable, Sendable {
  package let table: TableID
  package let epoch: Digest
  /// Seals so far.
  package let epochNumber: UInt64
  package let view: UInt64
  /// Height and hash of the highest final block.
  package let height: UInt64
  package let tip: Digest
  /// State hash after that block, for "all laptops agree".
  package let state: Digest
  /// Voter keys this node reaches directly, ascending, itself included.
  package let reached: [PublicKey]
  /// Its disk has refused what it had to write, so it signs nothing until it is started again.
  package let cannotWrite: Bool

  /// Names the fields.
  package init(
    table: TableID, epoch: Digest, epochNumber: UInt64, view: UInt64, height: UInt64, tip: Digest,
    state: Digest, reached: [PublicKey], cannotWrite: Bool = false
  ) {
    self.table = table
    self.epoch = epoch
    self.epochNumber = epochNumber
    self.view = view
    self.height = height
    self.tip = tip
    self.state = state
    self.reached = reached.sorted()
    self.cannotWrite = cannotWrite
  }

  /// Reads the fields.
  package init(_ item: CBOR) throws(DecodeError) {
    let parts = try item.array("status", count: 8...9)
    table = try TableID(parts[0], "status.table")
    epoch = try Digest(parts[1], "status.epoch")
    epochNumber = try parts[2].unsigned("status.epochNumber", maximum: Limits.counter)
    view = try parts[3].unsigned("status.view", maximum: Limits.counter)
    height = try parts[4].unsigned("status.height", maximum: Limits.counter)
    tip = try Digest(parts[5], "status.tip")
    state = try Digest(parts[6], "status.state")
    var reached: [PublicKey] = []
    for part in try parts[7].array("status.reached", count: 0...Limits.voters) {
      let next = try PublicKey(part, "status.reached")
      if let last = reached.last, last >= next { throw .outOfRange("status.reached") }
      reached.append(next)
    }
    self.reached = reached
    cannotWrite = parts.count == 9
    if cannotWrite, try parts[8].unsigned("status.cannotWrite", maximum: 1) != 1 {
      throw .outOfRange("status.cannotWrite")
    }
  }

  /// The fields in order; the last is there only where the disk refuses.
  package var cbor: CBOR {
    .array(
      [
        table.cbor, epoch.cbor, .unsigned(epochNumber), .unsigned(view), .unsigned(height),
        tip.cbor, state.cbor, .array(reached.map(\.cbor)),
      ] + (cannotWrite ? [.unsigned(1)] : []))
  }
}

/// A run of final blocks, parents first, with what proves them final.
package struct Chain: Hashable, Sendable {
  package let table: TableID
  /// Consecutive: each one's parent is the one before it; flush blocks above a seal come with it.
  package let blocks: [Block]
  /// A finalization of the last block of the run in each epoch it touches, in order.
  package let finalizations: [Certificate]

  /// Names the parts.
  package init(table: TableID, blocks: [Block], finalizations: [Certificate]) {
    self.table = table
    self.blocks = blocks
    self.finalizations = finalizations
  }

  fileprivate init(_ item: CBOR) throws(DecodeError) {
    let parts = try item.array("chain", exactly: 3)
    table = try TableID(parts[0], "chain.table")
    var blocks: [Block] = []
    for part in try parts[1].array("chain.blocks", count: 0...Limits.chainBlocks) {
      blocks.append(try Block(part))
    }
    var finalizations: [Certificate] = []
    for part in try parts[2].array("chain.final", count: 0...Limits.chainBlocks) {
      finalizations.append(try Certificate(part))
    }
    self.blocks = blocks
    self.finalizations = finalizations
  }

  fileprivate var cbor: CBOR {
    [table.cbor, .array(blocks.map(\.cbor)), .array(finalizations.map(\.cbor))]
  }
}

/// What members of a table tell one another about its log.
package enum TableMessage: Sendable, Hashable {
  case vote(Vote)
  case certificate(Certificate)
  /// A block with its leader's own notarize.
  case proposal(Block, Vote)
  /// A pending entry, on its way to whoever leads.
  case entry(Entry)
  case passed(Passed)
  case ready(Ready)
  case status(Status)
  /// Asks for final blocks above a height (the asker's own final one).
  case getChain(TableID, above: UInt64)
  case chain(Chain)
  /// Asks for one block by its hash: a parent that is missing.
  case getBlock(TableID, Digest)
  /// Answers `getBlock`.
  case block(Block)
  /// Proof that a voter lied.
  case evidence(Evidence)
  /// A voter's word that another is to vote no more.
  case evict(Evict)
  /// Wants to go on without those who are away, or not any more.
  case wish(RecoveryWish)
  /// A recovery with the signatures that the sender has.
  case recovery(Recovery)
  case assent(Assent)

  /// The table it belongs to.
  package var table: TableID {
    switch self {
    case .vote(let vote): vote.subject.table
    case .certificate(let certificate): certificate.subject.table
    case .proposal(let block, _), .block(let block): block.table
    case .entry(let entry): entry.table
    case .passed(let passed): passed.table
    case .ready(let ready): ready.table
    case .status(let status): status.table
    case .getChain(let table, _), .getBlock(let table, _): table
    case .chain(let chain): chain.table
    case .evidence(let evidence): evidence.table
    case .evict(let evict): evict.table
    case .wish(let wish): wish.table
    case .recovery(let recovery): recovery.table
    case .assent(let assent): assent.table
    }
  }

  /// Reads `[kind, field...]`.
  package init(_ item: CBOR) throws(DecodeError) {
    let parts = try item.array("message", count: 2...3)
    let kind = try parts[0].int("message.kind", in: 0...255)
    func two() throws(DecodeError) {
      guard parts.count == 2 else { throw .wrongCount("message") }
    }
    func three() throws(DecodeError) {
      guard parts.count == 3 else { throw .wrongCount("message") }
    }
    switch kind {
    case 0:
      try two()
      self = .vote(try Vote(parts[1]))
    case 1:
      try two()
      self = .certificate(try Certificate(parts[1]))
    case 2:
      try three()
      self = .proposal(try Block(parts[1]), try Vote(parts[2]))
    case 3:
      try two()
      self = .entry(try Entry(parts[1]))
    case 4:
      try two()
      self = .passed(try Passed(parts[1]))
    case 5:
      try two()
      self = .ready(try Ready(parts[1]))
    case 6:
      try two()
      self = .status(try Status(parts[1]))
    case 7:
      try three()
      self = .getChain(
        try TableID(parts[1], "getChain.table"),
        above: try parts[2].unsigned("getChain.above", maximum: Limits.counter))
    case 8:
      try two()
      self = .chain(try Chain(parts[1]))
    case 9:
      try three()
      self = .getBlock(
        try TableID(parts[1], "getBlock.table"), try Digest(parts[2], "getBlock.hash"))
    case 10:
      try two()
      self = .block(try Block(parts[1]))
    case 11:
      try two()
      self = .evidence(try Evidence(parts[1]))
    case 12:
      try two()
      self = .evict(try Evict(parts[1]))
    case 16:
      try two()
      self = .wish(try RecoveryWish(parts[1]))
    case 17:
      try two()
      self = .recovery(try Recovery(parts[1]))
    case 18:
      try two()
      self = .assent(try Assent(parts[1]))
    default: throw .unknownKind("message.kind")
    }
  }

  /// `[kind, field...]`.
  package var cbor: CBOR {
    switch self {
    case .vote(let vote): [0, vote.cbor]
    case .certificate(let certificate): [1, certificate.cbor]
    case .proposal(let block, let vote): [2, block.cbor, vote.cbor]
    case .entry(let entry): [3, entry.cbor]
    case .passed(let passed): [4, passed.cbor]
    case .ready(let ready): [5, ready.cbor]
    case .status(let status): [6, status.cbor]
    case .getChain(let table, let above): [7, table.cbor, .unsigned(above)]
    case .chain(let chain): [8, chain.cbor]
    case .getBlock(let table, let hash): [9, table.cbor, hash.cbor]
    case .block(let block): [10, block.cbor]
    case .evidence(let evidence): [11, evidence.cbor]
    case .evict(let evict): [12, evict.cbor]
    case .wish(let wish): [16, wish.cbor]
    case .recovery(let recovery): [17, recovery.cbor]
    case .assent(let assent): [18, assent.cbor]
    }
  }
}
