package import Wire

// What there is to see from outside.
extension Replica {
  /// Height of the highest final block; 0 is the genesis.
  package var finalHeight: UInt64 { ledger.height }
  /// Its hash; the genesis hash for height 0.
  package var finalTip: Digest { ledger.tip }

  /// Where this node stands; the links' keepalive carries it.
  package var status: Status {
    Status(
      table: founding.table, epoch: epoch.id, epochNumber: epoch.number, view: view,
      height: finalHeight, tip: finalTip, state: tree.root.stateHash,
      reached: linkedVoters, cannotWrite: isSilenced)
  }

  /// Voters this node reaches, directly or by a peer's word, itself included; ascending.
  package var reachableVoters: [PublicKey] {
    without(silent, neighbours.reached(of: epoch, self: voter, app: app))
  }

  /// Voters at the other ends of this node's own links, itself included; ascending.
  var linkedVoters: [PublicKey] {
    without(silent, neighbours.direct(of: epoch, self: voter, app: app))
  }

  /// Voters who are known to vote no more in this epoch, this node among them when it is so.
  private var silent: [PublicKey] {
    guard abstains, let voter else { return departed }
    return departed + [voter]
  }

  /// Its own key votes no more, or not now, and says so (R10.1, R10.3, R10.5).
  private var abstains: Bool { isSilenced || isAmnesiac || isDoubled }

  /// How many voters are reachable.
  package var reachableCount: Int {
    if let reach, reach.mark == reachMark { return reach.count }
    let silent = silent
    return epoch.voters.count {
      neighbours.reaches($0, in: epoch.id, self: voter, app: app) && !silent.contains($0)
    }
  }

  /// Whether enough voters are reachable for anything to become final.
  package var hasQuorum: Bool { reachableCount >= epoch.quorum }

  /// Counts who is reachable, for those who ask until something changes.
  mutating func countReach() {
    guard let mark = reachMark, reach?.mark != mark else { return }
    reach = nil
    reach = Reach(mark: mark, count: reachableCount)
  }

  /// What the count follows from; nil while somebody may be going on below a quorum.
  private var reachMark: Reach.Mark? {
    guard recoveries.isIdle else { return nil }
    return Reach.Mark(
      changes: neighbours.changes, epoch: epoch.id, tip: finalTip, voter: voter,
      abstains: abstains)
  }

  /// Whether a voter is at the other end of a link of this node, or is this node, and votes on.
  func isLinked(_ voter: PublicKey) -> Bool {
    neighbours.isLinked(voter, in: epoch.id, self: self.voter, app: app) && !silent.contains(voter)
  }
  /// Whether this node's key votes in this epoch and nothing keeps it from voting.
  package var isVoting: Bool { canVote }

  /// How many things are kept beside the final log; at rest it does not grow, whoever sends what.
  ///
  /// Rounds, bodies above the tip, entries, statements, what was asked for.
  package var footprint: Int {
    rounds.count + tree.all.count + pool.inOrder.count + early.count + unsent.count
      + overruled.count + forks.reduce(0) { $0 + 1 + $1.bodies.count } + clocks.count
      + passed.values.reduce(0) { $0 + $1.count } + readies.count + wanted.count + oldFlush.count
      + neighbours.all.count + book.all.count
  }

  /// How sure the block at a height is; nil above the final tip and for the genesis.
  package func finality(at height: UInt64) -> Finality? {
    ledger.finality(at: height, besides: missingAssents)
  }

  /// Whether any entry is known that is not in the final log.
  package var hasPending: Bool { !pool.isEmpty }

  /// Entries of one author that are known but not in the final log, in order of sequence.
  package func pendingEntries(by author: PublicKey) -> [Entry] { pool.entries(by: author) }

  /// Final blocks above a height, with what their entries did; flush blocks are left out.
  package func finalBlocks(above height: UInt64) -> [(block: Block, outcomes: [Outcome])] {
    ledger.items[ledger.index(above: height)...].filter { !$0.isFlush }
      .map { ($0.block, $0.outcomes) }
  }

  /// Final blocks above a height with their proof, bounded as an answer to `getChain`.
  package func chain(above height: UInt64) -> Chain {
    ledger.chain(above: height, of: founding.table)
  }

  /// How long an open deadline still runs on this node; nil for one that is not open here.
  package func remaining(of deadline: Digest) -> Milliseconds? { clocks[deadline]?.remaining }

  /// Tells the replica how long a ping took, for its guess of Δ (rule 7).
  package mutating func measured(roundTrip: Milliseconds) { pace.measured(roundTrip: roundTrip) }

  /// Tells the replica the time to show on blocks it proposes: milliseconds since 1970.
  ///
  /// For display only; no rule reads it.
  package mutating func shows(time: UInt64) { shownTime = min(time, Limits.counter) }
}

/// A count of the voters who are reachable: it takes all of them times all members, and is asked for
/// several times in every step.
struct Reach: Sendable {
  struct Mark: Equatable, Sendable {
    let changes: UInt64
    let epoch: Digest
    /// The final tip: its state says whose each key is.
    let tip: Digest
    let voter: PublicKey?
    let abstains: Bool
  }

  let mark: Mark
  let count: Int
}

/// How sure a final block is.
package struct Finality: Hashable, Sendable {
  /// Finalize signatures on it or on a block above it in its epoch, the most of any.
  package let signatures: Int
  /// Voters of its epoch.
  package let voters: Int
  /// All of them signed, or all of them are among the voters of a later epoch who did (rule 6).
  package let isSettled: Bool
}
