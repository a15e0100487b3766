package import Consensus
package import Wire

/// A promise that was broken, and when.
package struct Failure: Error, Hashable, Sendable, CustomStringConvertible {
  package let promise: String
  package let detail: String
  package let time: UInt64

  package var description: String { "\(promise) at \(time) ms: \(detail)" }
}

/// Judges from outside, over all nodes and all their lives, with nothing of the replica's own code.
package struct Oracle: Sendable {
  private struct Slot: Hashable, Sendable {
    let voter: PublicKey
    let epoch: Digest
    let view: UInt64
    let kind: VoteKind
  }

  private var log: [UInt64: Digest] = [:]
  private var sequences: [Int: [PublicKey: UInt64]] = [:]
  private var heights: [Int: UInt64] = [:]
  private var slots: [Slot: Digest] = [:]
  /// The first promise that was broken.
  package private(set) var failure: Failure?
  /// Blocks and entries that became final, counted once.
  package private(set) var blocks = 0
  package private(set) var entries = 0
  /// Void ones among them.
  package private(set) var voids = 0
  /// Votes that were signed, signed again after a restart included.
  package private(set) var votes = 0

  /// Votes among them that nullify a view.
  package private(set) var nullifications = 0

  /// Starts with nothing seen.
  package init() {}

  /// Notes a broken promise, if it is the first.
  package mutating func fail(_ promise: String, _ detail: String, at time: UInt64) {
    if failure == nil { failure = Failure(promise: promise, detail: detail, time: time) }
  }

  /// A node is asked to sign a vote: once per slot, and only what is durable.
  package mutating func saw(
    _ vote: ApprovedVote, by node: Int, disk: Disk, at time: UInt64
  ) {
    votes += 1
    let subject = vote.subject
    if subject.kind == .nullify { nullifications += 1 }
    func slot(_ kind: VoteKind) -> Slot {
      Slot(voter: vote.voter, epoch: subject.epoch, view: subject.view, kind: kind)
    }
    let says = "node \(node), view \(subject.view), \(subject.kind)"
    if let other = slots[slot(subject.kind)], other != subject.block {
      fail("exclusive votes", "\(says): two votes for one slot", at: time)
    }
    slots[slot(subject.kind)] = subject.block
    let nullified = slots[slot(.nullify)] != nil
    if nullified, slots[slot(.finalize)] != nil {
      fail("exclusive votes", "\(says): nullified and finalized", at: time)
    }
    if subject.kind == .finalize, slots[slot(.notarize)] != subject.block {
      fail("exclusive votes", "\(says): finalized what it did not notarize", at: time)
    }
    let view = (0..<8).map { UInt8(truncatingIfNeeded: subject.view >> (56 - 8 * $0)) }
    if !disk.holds(.vote, subject.epoch.bytes + view + [subject.kind.rawValue]) {
      fail("durable before sent", "\(says): the vote is not on disk", at: time)
    }
    if subject.kind != .nullify, !disk.holds(.block, subject.block.bytes) {
      fail("durable before sent", "\(says): the body is not on disk", at: time)
    }
  }

  /// A node shows a block as final.
  package mutating func saw(
    _ block: Block, _ outcomes: [Outcome], final node: Int, at time: UInt64
  ) {
    if let other = log[block.height] {
      if other != block.hash {
        fail("agreement", "node \(node), height \(block.height): two blocks", at: time)
      }
    } else {
      log[block.height] = block.hash
      blocks += 1
      entries += block.entries.count
      voids += outcomes.count { $0 != .done }
    }
    let height = heights[node] ?? 0
    if block.height != height + 1 {
      fail("order", "node \(node): height \(block.height) after \(height)", at: time)
    }
    heights[node] = block.height
    for entry in block.entries {
      let last = sequences[node]?[entry.author]
      if let last, entry.sequence != last + 1 {
        fail("each entry once", "node \(node): \(entry.sequence) after \(last)", at: time)
      }
      sequences[node, default: [:]][entry.author] = entry.sequence
    }
  }

  /// A node came back from its disk with a log up to a height; what it shows goes on from there.
  package mutating func restarted(
    _ node: Int, with blocks: [(block: Block, outcomes: [Outcome])], at time: UInt64
  ) {
    heights[node] = 0
    sequences[node] = [:]
    for (block, outcomes) in blocks { saw(block, outcomes, final: node, at: time) }
  }
}
