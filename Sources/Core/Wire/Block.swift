package import CBOR

/// A deadline that q voters say has passed; goes into a block after the players' entries.
package struct PassedDeadline: Hashable, Sendable {
  /// The deadline's id.
  package let id: Digest
  /// Signatures of `Passed` by voters of the block's epoch, ascending.
  package let signatures: [KeySignature]

  /// Gathers the signatures; sorts them.
  package init(id: Digest, signatures: [KeySignature]) {
    self.id = id
    self.signatures = signatures.sorted()
  }

  /// The single statements, as each voter made it.
  package func statements(table: TableID, epoch: Digest) -> [Passed] {
    signatures.map {
      Passed(
        table: table, epoch: epoch, deadline: id, voter: $0.key, signature: $0.signature)
    }
  }

  fileprivate init(_ item: CBOR) throws(DecodeError) {
    let parts = try item.array("deadline", exactly: 2)
    id = try Digest(parts[0], "deadline.id")
    signatures = try KeySignature.list(parts[1], "deadline.signatures", maximum: Limits.voters)
  }

  fileprivate var cbor: CBOR { [id.cbor, .array(signatures.map(\.cbor))] }
}

/// A change of the voters; the block that holds one is a *seal* (CONSENSUS 1.7).
package struct VoterChange: Hashable, Sendable {
  /// One `Ready` per new voter, ascending by voter key.
  package let joiners: [Ready]
  /// Voter keys that end, ascending.
  package let leavers: [PublicKey]
  /// What stands against those of them who have not left, ascending by key.
  package let evictions: [Eviction]

  /// Names the change; sorts the lists, and counts the evicted among the leavers.
  package init(joiners: [Ready], leavers: [PublicKey], evictions: [Eviction] = []) {
    self.joiners = joiners.sorted { $0.voter < $1.voter }
    let evicted = evictions.map(\.target)
    self.leavers = (leavers.filter { !evicted.contains($0) } + evicted).sorted()
    self.evictions = evictions.sorted { $0.target < $1.target }
  }

  /// Keys that are taken out though they have not left.
  package var evicted: [PublicKey] { evictions.map(\.target) }

  /// Reads the lists; they must ascend, the first two not both be empty, and the third, which is
  /// only there where somebody is evicted, be about keys of the second.
  package init(_ item: CBOR) throws(DecodeError) {
    let parts = try item.array("voters", count: 2...3)
    var joiners: [Ready] = []
    for part in try parts[0].array("voters.in", count: 0...Limits.voters) {
      let next = try Ready(part)
      if let last = joiners.last, last.voter >= next.voter { throw .outOfRange("voters.in") }
      joiners.append(next)
    }
    var leavers: [PublicKey] = []
    for part in try parts[1].array("voters.out", count: 0...Limits.voters) {
      let next = try PublicKey(part, "voters.out")
      if let last = leavers.last, last >= next { throw .outOfRange("voters.out") }
      leavers.append(next)
    }
    guard !joiners.isEmpty || !leavers.isEmpty else { throw .wrongCount("voters") }
    var evictions: [Eviction] = []
    if parts.count == 3 {
      for part in try parts[2].array("voters.evictions", count: 1...Limits.voters) {
        let next = try Eviction(part)
        if let last = evictions.last, last.target >= next.target {
          throw .outOfRange("voters.evictions")
        }
        guard leavers.contains(next.target) else { throw .outOfRange("voters.evictions") }
        evictions.append(next)
      }
    }
    self.joiners = joiners
    self.leavers = leavers
    self.evictions = evictions
  }

  /// The lists in order.
  package var cbor: CBOR {
    let both: [CBOR] = [.array(joiners.map(\.cbor)), .array(leavers.map(\.cbor))]
    return .array(evictions.isEmpty ? both : both + [.array(evictions.map(\.cbor))])
  }
}

/// Why a block may stand where it stands; hashed with it (CONSENSUS 1.3).
package struct Justification: Hashable, Sendable {
  /// Notarization or finalization of the parent; nil for the first block of an epoch, whose
  /// parent is the old seal or the genesis.
  package let parent: Certificate?
  /// For a seal that is the first block of its epoch: the finalization of the old seal.
  package let oldSeal: Certificate?
  /// One per view strictly between the parent's and the block's, ascending.
  package let nullifications: [Certificate]

  /// Names the three parts.
  package init(parent: Certificate?, oldSeal: Certificate? = nil, nullifications: [Certificate]) {
    self.parent = parent
    self.oldSeal = oldSeal
    self.nullifications = nullifications
  }

  /// All certificates in it.
  package var certificates: [Certificate] {
    [parent, oldSeal].compactMap { $0 } + nullifications
  }

  fileprivate init(_ item: CBOR) throws(DecodeError) {
    let parts = try item.array("just", exactly: 3)
    parent = parts[0].isNull ? nil : try Certificate(parts[0])
    oldSeal = parts[1].isNull ? nil : try Certificate(parts[1])
    var nullifications: [Certificate] = []
    for part in try parts[2].array("just.nullified", count: 0...Limits.nullificationsPerBlock) {
      nullifications.append(try Certificate(part))
    }
    self.nullifications = nullifications
  }

  fileprivate var cbor: CBOR {
    [parent?.cbor ?? .null, oldSeal?.cbor ?? .null, .array(nullifications.map(\.cbor))]
  }
}

/// A leader's batch of entries on top of its parent.
package struct Block: Hashable, Sendable {
  package let table: TableID
  package let epoch: Digest
  package let view: UInt64
  /// The genesis has height 0.
  package let height: UInt64
  /// The parent's view in this epoch; 0 when the parent is the old seal or the genesis.
  package let parentView: UInt64
  package let parent: Digest
  /// Hash of the application's state after the parent.
  package let stateAfterParent: Digest
  /// Empty blocks in a row up to and with this one.
  package let emptyRun: UInt64
  package let entries: [Entry]
  package let deadlines: [PassedDeadline]
  package let change: VoterChange?
  package let justification: Justification
  /// Milliseconds since 1970 by the leader's clock, for display only; no rule reads it.
  package let shownTime: UInt64
  /// Names the block: BLAKE2b-256 over the tag and all fields.
  package let hash: Digest

  /// Puts a block together and hashes it.
  package init(
    table: TableID, epoch: Digest, view: UInt64, height: UInt64, parentView: UInt64,
    parent: Digest, stateAfterParent: Digest, emptyRun: UInt64, entries: [Entry],
    deadlines: [PassedDeadline], change: VoterChange?, justification: Justification,
    shownTime: UInt64
  ) {
    self.table = table
    self.epoch = epoch
    self.view = view
    self.height = height
    self.parentView = parentView
    self.parent = parent
    self.stateAfterParent = stateAfterParent
    self.emptyRun = emptyRun
    self.entries = entries
    self.deadlines = deadlines
    self.change = change
    self.justification = justification
    self.shownTime = shownTime
    hash = Digest(
      .block, table.cbor, epoch.cbor, .unsigned(view), .unsigned(height), .unsigned(parentView),
      parent.cbor, stateAfterParent.cbor, .unsigned(emptyRun), .array(entries.map(\.cbor)),
      .array(deadlines.map(\.cbor)), change?.cbor ?? .null, justification.cbor,
      .unsigned(shownTime))
  }

  /// Whether it changes the voters.
  package var isSeal: Bool { change != nil }
  /// Whether it holds nothing but its place.
  package var isEmpty: Bool { entries.isEmpty && deadlines.isEmpty && change == nil }

  package static func == (left: Block, right: Block) -> Bool { left.hash == right.hash }

  package func hash(into hasher: inout Hasher) { hasher.combine(hash) }

  /// Reads the fields, bounded by `Limits`.
  package init(_ item: CBOR) throws(DecodeError) {
    let parts = try item.array("block", exactly: 13)
    var entries: [Entry] = []
    var bytes = 0
    for part in try parts[8].array("block.entries", count: 0...Limits.entriesPerBlock) {
      let entry = try Entry(part)
      bytes += entry.body.count
      entries.append(entry)
    }
    guard bytes <= Limits.entryBytesPerBlock else { throw .outOfRange("block.entries") }
    var deadlines: [PassedDeadline] = []
    for part in try parts[9].array("block.deadlines", count: 0...Limits.deadlinesPerBlock) {
      deadlines.append(try PassedDeadline(part))
    }
    self.init(
      table: try TableID(parts[0], "block.table"),
      epoch: try Digest(parts[1], "block.epoch"),
      view: try parts[2].unsigned("block.view", maximum: Limits.counter),
      height: try parts[3].unsigned("block.height", maximum: Limits.counter),
      parentView: try parts[4].unsigned("block.parentView", maximum: Limits.counter),
      parent: try Digest(parts[5], "block.parent"),
      stateAfterParent: try Digest(parts[6], "block.state"),
      emptyRun: try parts[7].unsigned("block.emptyRun", maximum: Limits.counter),
      entries: entries, deadlines: deadlines,
      change: parts[10].isNull ? nil : try VoterChange(parts[10]),
      justification: try Justification(parts[11]),
      shownTime: try parts[12].unsigned("block.shownTime", maximum: Limits.counter))
  }

  /// The fields in order.
  package var cbor: CBOR {
    [
      table.cbor, epoch.cbor, .unsigned(view), .unsigned(height), .unsigned(parentView),
      parent.cbor, stateAfterParent.cbor, .unsigned(emptyRun), .array(entries.map(\.cbor)),
      .array(deadlines.map(\.cbor)), change?.cbor ?? .null, justification.cbor,
      .unsigned(shownTime),
    ]
  }
}
