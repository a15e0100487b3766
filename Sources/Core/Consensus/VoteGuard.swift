internal import CBOR
package import Wire

/// Why a vote must not be made.
package enum VoteRefusal: Error, Equatable, Sendable {
  /// The epoch is over, or has not begun.
  case otherEpoch
  /// This slot, a kind in a view, is taken.
  case slotTaken
  /// The view was nullified; it gets no block from this voter (rules 3, 4).
  case nullified
  /// The view was finalized; it can not be given up (rule 5).
  case finalized
  /// Another block, or none, was notarized in this view (rule 4).
  case notNotarized
  /// It contradicts a finalization held (rule 3).
  case conflictsWithFinal
  /// It contradicts an own notarize of a later view (rule 3).
  case conflictsWithOwn

  /// A stable name for counters and logs.
  package var code: String {
    switch self {
    case .otherEpoch: "voteOtherEpoch"
    case .slotTaken: "voteSlotTaken"
    case .nullified: "voteNullified"
    case .finalized: "voteFinalized"
    case .notNotarized: "voteNotNotarized"
    case .conflictsWithFinal: "voteConflictsWithFinal"
    case .conflictsWithOwn: "voteConflictsWithOwn"
    }
  }
}

/// A vote that may be signed: allowed, durable, and looked at again after it became so.
///
/// Only a `VoteGuard` makes one.
package struct ApprovedVote: Hashable, Sendable {
  package let subject: VoteSubject
  /// The key that is to sign.
  package let voter: PublicKey

  fileprivate init(subject: VoteSubject, voter: PublicKey) {
    self.subject = subject
    self.voter = voter
  }
}

/// Keeps one voter from ever contradicting itself (CONSENSUS 1.5; rules 3-5).
///
/// A vote takes two steps. `reserve` takes its slot for good and returns the record to write;
/// once that is durable, `release` looks again at what is held now and lets the vote be signed.
/// A reserved vote that may not be released stays unsigned, and its slot stays taken. The guard of
/// a restarted node is made from the records, so every slot that could have been signed is taken.
package struct VoteGuard: Sendable {
  private struct Slot: Sendable {
    var notarize: Held?
    var nullify: Held?
    var finalize: Held?

    subscript(kind: VoteKind) -> Held? {
      get {
        switch kind {
        case .notarize: notarize
        case .nullify: nullify
        case .finalize: finalize
        }
      }
      set {
        switch kind {
        case .notarize: notarize = newValue
        case .nullify: nullify = newValue
        case .finalize: finalize = newValue
        }
      }
    }
  }

  private struct Held: Sendable {
    let block: Digest
    var isReleased = false
  }

  /// The key this guard speaks for.
  package let voter: PublicKey
  private let table: TableID
  private let epoch: Digest
  private var slots = SortedMap<UInt64, Slot>()

  /// Starts with no vote made in this epoch.
  package init(table: TableID, epoch: Digest, voter: PublicKey) {
    self.table = table
    self.epoch = epoch
    self.voter = voter
  }

  /// The block of a vote made, or about to be; `Digest.zero` for a nullification.
  package func vote(_ kind: VoteKind, in view: UInt64) -> Digest? { slots[view]?[kind]?.block }

  /// Whether this very statement was reserved here.
  package func knows(_ subject: VoteSubject) -> Bool {
    subject.epoch == epoch && vote(subject.kind, in: subject.view) == subject.block
  }

  /// The highest view with a vote in it.
  package var highestView: UInt64? { slots.keys.last }

  /// All votes from a view on, in order.
  package func votes(from view: UInt64) -> [VoteSubject] {
    var out: [VoteSubject] = []
    for index in slots.firstIndex(notBelow: view)..<slots.count {
      for kind in VoteKind.allCases {
        guard let held = slots.values[index][kind] else { continue }
        out.append(subject(kind, slots.keys[index], held.block))
      }
    }
    return out
  }

  /// First step: takes the slot and returns what must be durable before the second.
  package mutating func reserve(
    _ subject: VoteSubject, on lineage: Lineage
  ) throws(VoteRefusal) -> Record {
    guard subject.epoch == epoch, subject.table == table else { throw .otherEpoch }
    let slot = slots[subject.view] ?? Slot()
    guard slot[subject.kind] == nil || breaks("R3-second") else { throw .slotTaken }
    try judge(subject, beside: slot, on: lineage)
    slots.update(subject.view, default: Slot()) { $0[subject.kind] = Held(block: subject.block) }
    return record(of: subject, value: CBOR.array([voter.cbor, subject.block.cbor]).encoded)
  }

  /// Second step, after the record is durable: the vote to sign, if nothing held now forbids it.
  package mutating func release(
    _ subject: VoteSubject, on lineage: Lineage
  ) throws(VoteRefusal) -> ApprovedVote {
    guard subject.epoch == epoch, let slot = slots[subject.view],
      slot[subject.kind]?.block == subject.block
    else { throw .otherEpoch }
    if !breaks("R10-unseen") { try judge(subject, beside: slot, on: lineage) }
    // Held back until now, while the view was given up: rule 3 forbids it as if it were new.
    if subject.kind == .notarize, slot.nullify?.isReleased == true { throw .nullified }
    if subject.kind == .finalize {
      guard slot.notarize?.isReleased == true || breaks("R4-foreign") else {
        throw .notNotarized
      }
    }
    slots.update(subject.view, default: slot) { $0[subject.kind]?.isReleased = true }
    return ApprovedVote(subject: subject, voter: voter)
  }

  private func judge(
    _ subject: VoteSubject, beside slot: Slot, on lineage: Lineage
  ) throws(VoteRefusal) {
    switch subject.kind {
    case .nullify:
      guard slot.finalize == nil || breaks("R5-finalized") else { throw .finalized }
    case .notarize:
      guard
        slot.nullify == nil || slot.notarize != nil || breaks("R3-nullified")
          || breaks("R2-nullified")
      else { throw .nullified }
      try judgeConflicts(of: subject, on: lineage)
    case .finalize:
      guard slot.nullify == nil || breaks("R4-nullified") else { throw .nullified }
      guard slot.notarize?.block == subject.block || breaks("R4-foreign") else {
        throw .notNotarized
      }
      try judgeConflicts(of: subject, on: lineage)
    }
  }

  private func judgeConflicts(
    of subject: VoteSubject, on lineage: Lineage
  ) throws(VoteRefusal) {
    switch lineage.relation(of: subject.block, at: subject.view) {
    case .final, .above: break
    case .conflicting: if !breaks("R3-final") { throw .conflictsWithFinal }
    case .unknown: if !breaks("R4-foreign") { throw .conflictsWithFinal }
    }
    for index in slots.firstIndex(notBelow: subject.view + 1)..<slots.count {
      guard let own = slots.values[index].notarize else { continue }
      let fits = lineage.isAncestor(
        subject.block, at: subject.view, of: own.block, at: slots.keys[index])
      guard fits || breaks("R3-own") else { throw .conflictsWithOwn }
    }
  }

  private func subject(_ kind: VoteKind, _ view: UInt64, _ block: Digest) -> VoteSubject {
    VoteSubject(table: table, epoch: epoch, view: view, kind: kind, block: block)
  }

  // MARK: Records

  private func record(of subject: VoteSubject, value: [UInt8]?) -> Record {
    Record(
      .vote, key: Record.key(subject.epoch, subject.view, subject.kind), value: value,
      isLazy: value == nil)
  }

  /// Takes back a vote that was made before a restart; other keys' and other epochs' are not taken.
  package mutating func restore(_ record: Record) throws(RestoreError) {
    guard record.kind == .vote, let place = Record.place(record.key) else {
      throw .inconsistent(.vote)
    }
    guard place.epoch == epoch else { return }
    let parts: (PublicKey, Digest)
    do {
      let items = try CBOR(decoding: record.value ?? []).array("vote", exactly: 2)
      parts = (try PublicKey(items[0], "vote.voter"), try Digest(items[1], "vote.block"))
    } catch {
      throw .malformed(.vote, error)
    }
    guard parts.0 == voter else { return }
    guard (place.kind == .nullify) == (parts.1 == .zero) else { throw .inconsistent(.vote) }
    slots.update(place.view, default: Slot()) { $0[place.kind] = Held(block: parts.1) }
  }

  /// Deletes the rows of the epoch; for when it is closed, and that is asked to be written first.
  package func closingRecords() -> [Record] {
    votes(from: 0).map { record(of: $0, value: nil) }
  }
}
