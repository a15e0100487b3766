internal import CBOR
package import Consensus
package import Wire

/// Invariants 3, 4 and 5: judges every vote that an honest node is about to sign.
///
/// It keeps what each key ever signed, over all its lives, and which block stands on which, from
/// the bodies that pass by.
package struct VoteChecker: Sendable {
  private struct Place: Hashable {
    let epoch: Digest
    let view: UInt64
  }

  private struct Slot: Hashable {
    let voter: PublicKey
    let place: Place
    let kind: VoteKind
  }

  private struct Body {
    let place: Place
    let parentView: UInt64
    let parent: Digest
  }

  private var slots: [Slot: Digest] = [:]
  /// Views in which a key notarized, by epoch, ascending.
  private var notarized: [PublicKey: [Digest: [UInt64]]] = [:]
  private var signers: [Place: [VoteSubject: Set<PublicKey>]] = [:]
  private var bodies: [Digest: Body] = [:]
  /// Votes that were signed, signed again after a restart included.
  package private(set) var votes = 0
  /// Those among them that nullify a view.
  package private(set) var nullifications = 0

  /// Starts with nothing signed.
  package init() {}

  /// A body passes by; its hash says that it is what it says.
  package mutating func saw(_ block: Block) {
    bodies[block.hash] = Body(
      place: Place(epoch: block.epoch, view: block.view), parentView: block.parentView,
      parent: block.parent)
  }

  /// A body is on its way to a disk.
  package mutating func saw(_ record: Record) {
    guard record.kind == .block, let hash = Digest(record.key), bodies[hash] == nil,
      let item = try? CBOR(decoding: record.value ?? []), let block = try? Block(item)
    else { return }
    saw(block)
  }

  /// Judges a vote about to be signed.
  ///
  /// `tip` is the view and hash of the signer's highest final block in `epoch`, its current one.
  package mutating func saw(
    _ vote: ApprovedVote, epoch: Digest, tip: (view: UInt64, hash: Digest), disk: Disk,
    electorate: Electorates.Electorate?
  ) -> (Invariant, String)? {
    votes += 1
    let subject = vote.subject
    let says = "view \(subject.view), \(subject.kind)"
    if subject.kind == .nullify { nullifications += 1 }
    if let fault = contradiction(of: subject, by: vote.voter, on: disk) {
      return (.exclusiveVotes, "\(says): \(fault)")
    }
    guard subject.epoch == epoch else { return (.exclusiveVotes, "\(says): in another epoch") }
    if let fault = conflict(of: subject, by: vote.voter, tip: tip) {
      return (.exclusiveVotes, "\(says): \(fault)")
    }
    if let missing = notDurable(subject, on: disk) {
      return (.durableBeforeSent, "\(says): \(missing) is not on disk")
    }
    note(subject, by: vote.voter)
    return electorate.flatMap { secondBlock(beside: subject, in: $0) }.map {
      (.oneBlockPerView, "\(says): \($0)")
    }
  }

  private mutating func note(_ subject: VoteSubject, by voter: PublicKey) {
    let place = Place(epoch: subject.epoch, view: subject.view)
    slots[Slot(voter: voter, place: place, kind: subject.kind)] = subject.block
    signers[place, default: [:]][subject, default: []].insert(voter)
    guard subject.kind == .notarize else { return }
    let views = notarized[voter]?[subject.epoch] ?? []
    if !views.contains(subject.view) {
      notarized[voter, default: [:]][subject.epoch] = (views + [subject.view]).sorted()
    }
  }

  // MARK: Invariant 3

  private func contradiction(
    of subject: VoteSubject, by voter: PublicKey, on disk: Disk
  ) -> String? {
    let place = Place(epoch: subject.epoch, view: subject.view)
    func held(_ kind: VoteKind) -> Digest? { slots[Slot(voter: voter, place: place, kind: kind)] }
    if let other = held(subject.kind), other != subject.block { return "two votes for one slot" }
    switch subject.kind {
    case .notarize:
      // One that was decided first may be signed last: a crash can come between the two.
      if held(.nullify) != nil && held(.notarize) == nil
        && !disk.took(.vote, key(.notarize, of: subject), before: key(.nullify, of: subject))
      {
        return "notarized after a nullify"
      }
    case .nullify:
      if held(.finalize) != nil { return "nullified after a finalize" }
    case .finalize:
      if held(.nullify) != nil { return "finalized after a nullify" }
      if held(.notarize) != subject.block { return "finalized what it did not notarize" }
    }
    return nil
  }

  private func key(_ kind: VoteKind, of subject: VoteSubject) -> [UInt8] {
    subject.placeBytes + [kind.rawValue]
  }

  private func conflict(
    of subject: VoteSubject, by voter: PublicKey, tip: (view: UInt64, hash: Digest)
  ) -> String? {
    guard subject.kind != .nullify else { return nil }
    let isBelow = subject.view <= tip.view
    let fits =
      isBelow
      ? stands(tip.hash, at: tip.view, on: subject.block, at: subject.view)
      : stands(subject.block, at: subject.view, on: tip.hash, at: tip.view)
    if !fits { return "it conflicts with its own final tip" }
    for view in notarized[voter]?[subject.epoch] ?? [] where view > subject.view {
      let place = Place(epoch: subject.epoch, view: view)
      guard let later = slots[Slot(voter: voter, place: place, kind: .notarize)] else { continue }
      if !stands(later, at: view, on: subject.block, at: subject.view) {
        return "it conflicts with its own notarize in view \(view)"
      }
    }
    return nil
  }

  /// Whether the later block stands on the earlier one or is it.
  private func stands(
    _ later: Digest, at end: UInt64, on earlier: Digest, at view: UInt64
  ) -> Bool {
    var (next, there) = (later, end)
    while there > view {
      guard let body = bodies[next] else { return false }
      (next, there) = (body.parent, body.parentView)
    }
    return there == view && next == earlier
  }

  // MARK: Invariant 4

  private func notDurable(_ subject: VoteSubject, on disk: Disk) -> String? {
    let place = subject.placeBytes
    guard disk.holds(.vote, place + [subject.kind.rawValue]) else { return "the vote" }
    guard subject.kind != .nullify else { return nil }
    guard disk.holds(.block, subject.block.bytes) else { return "the body" }
    guard subject.kind == .finalize else { return nil }
    let proofs = [VoteKind.notarize, .finalize].map {
      place + [$0.rawValue] + subject.block.bytes
    }
    return proofs.contains { disk.holds(.certificate, $0) } ? nil : "the certificate"
  }

  // MARK: Invariant 5

  /// Whether this vote made a certificate possible that may not be, liars signing anything.
  private func secondBlock(
    beside subject: VoteSubject, in electorate: Electorates.Electorate
  ) -> String? {
    guard electorate.isSound, isPossible(subject, in: electorate) else { return nil }
    let place = Place(epoch: subject.epoch, view: subject.view)
    for (other, _) in signers[place] ?? [:] where other != subject {
      let isWrong =
        switch (subject.kind, other.kind) {
        case (.notarize, .notarize), (.finalize, .finalize): true
        case (.nullify, .finalize), (.finalize, .nullify): true
        case (.notarize, .finalize), (.finalize, .notarize): other.block != subject.block
        default: false
        }
      if isWrong, isPossible(other, in: electorate) {
        return "a \(other.kind) of the view is possible as well"
      }
    }
    return nil
  }

  /// Whether any certificate of a view could have been made, liars signing anything.
  package func couldEnd(
    view: UInt64, of epoch: Digest, in electorate: Electorates.Electorate
  ) -> Bool {
    if electorate.liars >= electorate.quorum { return true }
    let place = Place(epoch: epoch, view: view)
    return (signers[place] ?? [:]).keys.contains { isPossible($0, in: electorate) }
  }

  private func isPossible(
    _ subject: VoteSubject, in electorate: Electorates.Electorate
  ) -> Bool {
    let place = Place(epoch: subject.epoch, view: subject.view)
    let honest = (signers[place]?[subject] ?? []).subtracting(electorate.distrusted)
    return honest.count + electorate.liars >= electorate.quorum
  }
}

extension VoteSubject {
  /// Epoch and view, as keys of stored rows begin.
  fileprivate var placeBytes: [UInt8] {
    epoch.bytes + (0..<8).map { UInt8(truncatingIfNeeded: view >> (56 - 8 * $0)) }
  }
}

extension Disk {
  /// Whether the record of a vote is in this folder.
  func remembers(_ vote: Vote) -> Bool {
    has(.vote, vote.subject.placeBytes + [vote.subject.kind.rawValue])
  }
}
