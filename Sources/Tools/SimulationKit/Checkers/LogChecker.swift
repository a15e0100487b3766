package import Consensus
package import Wire

/// Invariants 1, 2, 6, 7 and 9: reads the log of every honest node as the node shows it, plays it
/// through an application of its own, and compares.
package struct LogChecker<App: Application>: Sendable {
  /// Where one node's log stands.
  private struct Reader: Sendable {
    var app: App
    var epoch: Digest
    var height: UInt64 = 0
    /// View and hash of its highest final block in its epoch.
    var tip: (view: UInt64, hash: Digest)
    var sequences: [PublicKey: UInt64] = [:]
    var emptyRun: UInt64 = 0
    /// It stands on another branch than the first that was seen.
    var isApart = false
  }

  private let genesis: App
  private let first: Epoch
  private var readers: [Int: Reader] = [:]
  private var log: [UInt64: Block] = [:]
  private var settled: [UInt64: Block] = [:]
  private var epochs: [UInt64: Digest] = [:]
  /// Heights at which liars split the log, where they are more than the epoch bears.
  package private(set) var forks: [(height: UInt64, epoch: Digest)] = []
  /// Blocks and entries that became final, counted once.
  package private(set) var blocks = 0
  package private(set) var entries = 0
  /// Void ones among them.
  package private(set) var voids = 0

  /// Starts at a genesis.
  package init(genesis: App, first: Epoch) {
    self.genesis = genesis
    self.first = first
    epochs[0] = first.id
  }

  private func fresh() -> Reader { Reader(app: genesis, epoch: first.id, tip: (0, first.anchor)) }

  /// The highest final block of a node in its epoch; the anchor, of view 0, before there is one.
  package func tip(of node: Int) -> (epoch: Digest, view: UInt64, hash: Digest) {
    let reader = readers[node] ?? fresh()
    return (reader.epoch, reader.tip.view, reader.tip.hash)
  }

  /// A node begins to show its log anew, after a restart.
  package mutating func restarted(_ node: Int) { readers[node] = fresh() }

  /// A node shows its next final block; `next` names the epoch that a seal begins.
  package mutating func saw(
    _ block: Block, _ outcomes: [Outcome], final node: Int, next: Digest?,
    electorates: inout Electorates
  ) -> (Invariant, String)? {
    var reader = readers[node] ?? fresh()
    defer { readers[node] = reader }
    let says = "node \(node), height \(block.height)"
    guard block.height == reader.height + 1 else {
      return (.agreement, "\(says) after \(reader.height)")
    }
    if let fault = compare(block, outcomes, &reader, electorates) {
      return (.agreement, "\(says): \(fault)")
    }
    if let fault = count(block, &reader) { return (.entriesOnce, "\(says): \(fault)") }
    if let fault = BlockChecker.fault(
      of: block, after: reader.emptyRun, electorates: electorates)
    {
      return (.validBlocks, "\(says): \(fault)")
    }
    if let fault = replay(block, outcomes, &reader) {
      return (.validBlocks, "\(says): \(fault)")
    }
    reader.emptyRun = block.emptyRun
    reader.height = block.height
    reader.tip = (block.view, block.hash)
    guard block.isSeal else { return nil }
    guard let next else { return (.epochChain, "\(says): a seal begins no epoch") }
    electorates.follow(block, as: next)
    reader.epoch = next
    reader.emptyRun = 0
    reader.tip = (0, block.hash)
    guard !reader.isApart, let number = electorates[next]?.number else { return nil }
    if let other = epochs[number], other != next {
      return (.epochChain, "\(says): two epochs \(number)")
    }
    epochs[number] = next
    return nil
  }

  // MARK: Invariant 1

  private mutating func compare(
    _ block: Block, _ outcomes: [Outcome], _ reader: inout Reader, _ electorates: Electorates
  ) -> String? {
    guard block.epoch == reader.epoch else { return "of another epoch" }
    guard !reader.isApart else { return nil }
    guard let other = log[block.height] else {
      log[block.height] = block
      blocks += 1
      entries += block.entries.count
      voids += outcomes.count { $0 != .done }
      return nil
    }
    guard other != block else { return nil }
    guard electorates[block.epoch]?.isSound == false else { return "two blocks" }
    reader.isApart = true
    if !forks.contains(where: { $0.height == block.height }) {
      forks.append((block.height, block.epoch))
    }
    return nil
  }

  // MARK: Invariants 6 and 7

  private func count(_ block: Block, _ reader: inout Reader) -> String? {
    for entry in block.entries {
      let last = reader.sequences[entry.author]
      if let last, entry.sequence != last + 1 { return "\(entry.sequence) after \(last)" }
      reader.sequences[entry.author] = entry.sequence
    }
    return nil
  }

  private func replay(
    _ block: Block, _ outcomes: [Outcome], _ reader: inout Reader
  ) -> String? {
    guard block.stateAfterParent == reader.app.stateHash else { return "another state" }
    guard outcomes.count == block.entries.count else { return "other outcomes" }
    for (index, entry) in block.entries.enumerated() {
      guard reader.app.admission(of: entry) == .now else { return "an entry out of turn" }
      let place = LogPlace(height: block.height, index: UInt64(index))
      let outcome = reader.app.apply(entry, at: place)
      guard outcome == outcomes[index] else { return "another outcome" }
    }
    for (index, deadline) in block.deadlines.enumerated() {
      let place = LogPlace(height: block.height, index: UInt64(block.entries.count + index))
      do { try reader.app.apply(deadline: deadline.id, at: place) } catch {
        return "a deadline that was not open"
      }
    }
    if let change = block.change {
      let index = UInt64(block.entries.count + block.deadlines.count)
      do {
        try reader.app.apply(change, at: LogPlace(height: block.height, index: index))
      } catch {
        return "voters that nobody wanted"
      }
    }
    return nil
  }

  // MARK: Invariant 2

  /// A node shows a block of its log as settled; for each height the first time counts.
  package mutating func saw(
    settled block: Block, by node: Int, electorates: Electorates
  ) -> (Invariant, String)? {
    guard let electorate = electorates[block.epoch], electorate.liars < electorate.quorum else {
      return nil
    }
    guard let other = settled[block.height] else {
      settled[block.height] = block
      return nil
    }
    guard other != block else { return nil }
    return (.settled, "node \(node), height \(block.height): two settled blocks")
  }
}
