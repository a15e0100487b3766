package import Consensus
package import Wire

/// Judges from outside, over all nodes and all their lives, with nothing of the replica's own code.
///
/// It only gathers the checkers and keeps the first thing that was wrong.
package struct Oracle<App: Application>: Sendable {
  package private(set) var electorates: Electorates
  package private(set) var log: LogChecker<App>
  package private(set) var ballots = VoteChecker()
  /// The first invariant that was broken.
  package private(set) var failure: Failure?
  private var looksAway = false
  private var named: [Int: Set<PublicKey>] = [:]

  /// Blocks and entries that became final, counted once.
  package var blocks: Int { log.blocks }
  package var entries: Int { log.entries }
  /// Void ones among them.
  package var voids: Int { log.voids }
  /// Votes that honest keys signed, signed again after a restart included.
  package var votes: Int { ballots.votes }
  /// Those among them that nullify a view.
  package var nullifications: Int { ballots.nullifications }
  /// How often liars made honest nodes show two logs, being more than an epoch bears.
  package var forks: Int { log.forks.count }

  /// Starts at a genesis with nothing seen.
  package init(genesis: App, founding: Founding) {
    let first = Epoch(founding)
    electorates = Electorates(first: first)
    log = LogChecker(genesis: genesis, first: first)
  }

  /// Some go on below a quorum, on a click of each: from then on nothing is judged.
  package mutating func lookAway() { looksAway = true }

  /// Notes a broken invariant, if it is the first.
  package mutating func fail(_ invariant: Invariant, _ detail: String, at time: UInt64) {
    if failure == nil, !looksAway { failure = Failure(invariant, detail, at: time) }
  }

  private mutating func note(_ fault: (Invariant, String)?, at time: UInt64) {
    if let fault { fail(fault.0, fault.1, at: time) }
  }

  /// From now on a key may say anything: its owner lies, or its folder was set back.
  package mutating func distrust(_ person: Person) { electorates.distrust(person.voter) }

  /// A body passes by, in a message.
  package mutating func saw(_ block: Block) { ballots.saw(block) }

  /// A record is on its way to a disk.
  package mutating func saw(_ record: Record) { ballots.saw(record) }

  /// An honest node is asked to sign a vote.
  package mutating func saw(_ vote: ApprovedVote, by node: Int, disk: Disk, at time: UInt64) {
    let tip = log.tip(of: node)
    let fault = ballots.saw(
      vote, epoch: tip.epoch, tip: (tip.view, tip.hash), disk: disk,
      electorate: electorates[vote.subject.epoch])
    note(fault.map { ($0.0, "node \(node), \($0.1)") }, at: time)
  }

  /// An honest node shows a block as final; `next` names the epoch that a seal begins.
  package mutating func saw(
    _ block: Block, _ outcomes: [Outcome], final node: Int, next: Digest?, at time: UInt64
  ) {
    saw(block)
    note(
      log.saw(block, outcomes, final: node, next: next, electorates: &electorates), at: time)
  }

  /// A node came back from its disk with a log; what it shows goes on from there.
  package mutating func restarted(
    _ node: Int, with blocks: [(block: Block, outcomes: [Outcome])], in epoch: Epoch,
    at time: UInt64
  ) {
    log.restarted(node)
    for (index, item) in blocks.enumerated() {
      let next = index + 1 < blocks.count ? blocks[index + 1].block.epoch : epoch.id
      saw(
        item.block, item.outcomes, final: node, next: item.block.isSeal ? next : nil, at: time)
    }
    saw(epoch, of: node, at: time)
  }

  /// An honest node says in which epoch it is.
  package mutating func saw(_ epoch: Epoch, of node: Int, at time: UInt64) {
    if let fault = electorates.fault(of: epoch) {
      fail(.epochChain, "node \(node): \(fault)", at: time)
    }
  }

  /// A node shows a block as settled.
  package mutating func saw(settled block: Block, by node: Int, at time: UInt64) {
    note(log.saw(settled: block, by: node, electorates: electorates), at: time)
  }

  /// An honest node is in a view, to which a certificate of the one before has led it.
  package mutating func saw(view: UInt64, in epoch: Epoch, of node: Int, at time: UInt64) {
    guard let electorate = electorates[epoch.id],
      !ballots.couldEnd(view: view - 1, of: epoch.id, in: electorate)
    else { return }
    fail(
      .oneBlockPerView, "node \(node) is in view \(view), and the one before can not have ended",
      at: time)
  }

  // MARK: Invariants 11 and 14

  /// An entry became final after so many views whose leaders were there.
  package mutating func judge(views: Int, of epoch: Epoch, at time: UInt64) {
    if views > epoch.voters.count + 2 {
      fail(.entriesInTime, "final only after \(views) views of good leaders", at: time)
    }
  }

  /// What a node keeps at rest beside its log, and how many rows it has stored.
  package mutating func judge(
    kept: Int, rows: Int, height: UInt64, views: UInt64, of node: Int, at time: UInt64
  ) {
    if kept > Self.mostKept {
      fail(.bounded, "node \(node) keeps \(kept) things at rest", at: time)
    }
    // Of a block its body, two certificates and three votes; of a nullified view a vote; and of an
    // epoch its row, its flush blocks and their certificates.
    let most = 12 * height + 3 * views + 100
    if UInt64(rows) > most {
      fail(.bounded, "node \(node) has \(rows) rows for \(height) blocks", at: time)
    }
  }

  private static var mostKept: Int { 300 }

  // MARK: Invariant 8

  /// A node accuses somebody.
  package mutating func saw(_ evidence: Evidence, by node: Int) {
    named[node, default: []].insert(evidence.culprit)
  }

  /// Nobody honest is ever named.
  package mutating func judgeNames(at time: UInt64) {
    for (node, culprits) in named.sorted(by: { $0.key < $1.key })
    where !culprits.allSatisfy(electorates.lies) {
      fail(.culprits, "node \(node) names an honest voter", at: time)
    }
  }

  /// A node has stopped for two conflicting finalizations in an epoch: there were liars enough for
  /// it, and it names as many of them as must have lied.
  package mutating func saw(halt node: Int, in epoch: Epoch, at time: UInt64) {
    guard let electorate = electorates[epoch.id] else { return }
    guard !electorate.isSound else {
      return fail(.agreement, "node \(node) stopped, and too few lie for that", at: time)
    }
    let least = 2 * electorate.quorum - electorate.voters.count
    let culprits = (named[node] ?? []).filter(electorate.voters.contains)
    if culprits.count < least {
      fail(.culprits, "node \(node) names \(culprits.count) of at least \(least)", at: time)
    }
  }
}
