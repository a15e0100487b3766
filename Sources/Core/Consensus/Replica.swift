package import Wire

/// One node's part in a table's replicated log (Simplex; CONSENSUS 1).
package struct Replica<App: Application>: Sendable {
  /// The table and who votes first.
  package let founding: Founding
  /// This node's voter key at the table; nil for a node that only reads.
  package let voter: PublicKey?

  var app: App

  /// Starts at the genesis with an empty log.
  ///
  /// `seed` spreads rebroadcasts of several nodes; no rule depends on it.
  package init(founding: Founding, voter: PublicKey?, app: App, seed: UInt64, now: Milliseconds) {
    self.founding = founding
    self.voter = voter
    self.app = app
  }

  /// Starts from stored rows, in any order.
  package init(
    restoring records: [Record], founding: Founding, voter: PublicKey?, app: App, seed: UInt64,
    now: Milliseconds
  ) throws(RestoreError) {
    self.init(founding: founding, voter: voter, app: app, seed: seed, now: now)
  }

  /// Takes one event in and says, in order, what the world is to do.
  package mutating func step(_ event: Event) -> [Effect] { [] }
}

// MARK: What there is to see

extension Replica {
  /// The application after the highest final block.
  package var finalApp: App { app }
  /// Height of the highest final block; 0 is the genesis.
  package var finalHeight: UInt64 { 0 }
  /// Its hash; the genesis hash for height 0.
  package var finalTip: Digest { founding.genesis }
  /// The voters of now.
  package var epoch: Epoch { Epoch(founding) }
  /// The view this node is in.
  package var view: UInt64 { 1 }
  /// Where this node stands; the links' keepalive carries it.
  package var status: Status {
    Status(
      table: founding.table, epoch: epoch.id, epochNumber: epoch.number, view: view,
      height: finalHeight, tip: finalTip, state: app.stateHash, reached: [])
  }
  /// Voters this node reaches, directly or by a peer's word, itself included; ascending.
  package var reachableVoters: [PublicKey] { [] }
  /// Whether enough voters are reachable for anything to become final.
  package var hasQuorum: Bool { reachableVoters.count >= epoch.quorum }
  /// Whether this node's key votes in this epoch and nothing keeps it from voting.
  package var isVoting: Bool { false }
  /// The disk refused: no vote and no own entry until a restart.
  package var isSilenced: Bool { false }
  /// A peer showed this key's own vote that is not in this log: no vote of this key in this epoch.
  package var isAmnesiac: Bool { false }
  /// Two conflicting finalizations exist and neither is settled: the table ends here (rule 6).
  package var isHalted: Bool { false }
  /// How sure the block at a height is; nil above the final tip and for the genesis.
  package func finality(at height: UInt64) -> Finality? { nil }
  /// Entries of one author that are known but not in the final log, in order of sequence.
  package func pendingEntries(by author: PublicKey) -> [Entry] { [] }
  /// Final blocks above a height, with what their entries did; flush blocks are left out.
  package func finalBlocks(above height: UInt64) -> [(block: Block, outcomes: [Outcome])] { [] }
  /// Final blocks above a height with their proof, bounded as an answer to `getChain`.
  package func chain(above height: UInt64) -> Chain {
    Chain(table: founding.table, blocks: [], finalizations: [])
  }
  /// Tells the replica how long a ping took, for its guess of Δ (rule 7).
  package mutating func measured(roundTrip: Milliseconds) {}
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
