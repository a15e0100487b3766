/// The voting rules that a search plays by; each may be broken by itself.
///
/// Their ids are those of Protocol/consensus.md. What is searched knows no time: whoever may vote may
/// do so at any moment, so that every order of messages, crash and delay is among the schedules.
package struct SearchRules: Sendable {
  /// R4: only what one has notarized oneself.
  package var finalizesOwnOnly = true
  /// R3: nothing in a view that was nullified.
  package var keepsNullified = true
  /// R4, R5: no finalize beside a nullify.
  package var finalizeExcludesNullify = true
  /// R3, R4: nothing beside a final block.
  package var heedsFinal = true
  /// R3, R4: nothing beside an own notarize of a later view.
  package var heedsOwn = true
  /// R2.4: a nullification for each view that a block leaves out.
  package var needsNullifications = true
  /// S1: an epoch begins when its seal is final, and not before.
  package var waitsForSeal = true
  /// S1: nothing is signed in an epoch that is closed.
  package var closesEpochs = true
  /// D3: words on a deadline that are missing to a quorum, of this epoch.
  package var wordsShort = 0
  /// Votes that are missing to a quorum.
  package var votesShort = 0

  /// As they are written.
  package init() {}
}

/// Who votes, and for how many views.
package struct SearchTable: Sendable {
  /// By epoch its voters; numbers from `honest` on are liars.
  package let electorates: [[Int]]
  /// How many do not lie.
  package let honest: Int
  /// By epoch how many views are looked at.
  package let views: [Int]
  /// Who leads the first view of each epoch, as an index into its voters.
  package let offset: Int
  /// What a leader may choose between.
  package let contents: Contents

  /// What the two blocks that a leader could propose in one place hold.
  package enum Contents: Sendable {
    /// Entries; an honest leader has one of them only.
    case entries
    /// Entries, or a change of voters.
    case seal
    /// Entries, or the end of a deadline.
    case deadline
  }

  /// One epoch of `voters`, of whom so many lie.
  package init(
    voters: Int, liars: Int, views: Int, offset: Int = 0, contents: Contents = .entries
  ) {
    self.init(
      electorates: [Array(0..<voters)], honest: voters - liars, views: [views], offset: offset,
      contents: contents)
  }

  /// Epochs one after the other, each begun by a seal.
  package init(
    electorates: [[Int]], honest: Int, views: [Int], offset: Int = 0, contents: Contents
  ) {
    self.electorates = electorates
    self.honest = honest
    self.views = views
    self.offset = offset
    self.contents = contents
  }
}

/// What a search found in all states that it could reach.
package struct SearchResult: Sendable {
  package var states = 0
  /// Whether every reachable state was seen.
  package var isComplete = true
  /// Two blocks that conflict are final.
  package var disagrees = false
  /// Two that conflict are final, and all voters finalized each.
  package var settledDisagree = false
  /// A block became final beside one that all voters had finalized before.
  package var unsettles = false
  /// A deadline ended in the final log with fewer honest words than a quorum leaves to the honest.
  package var endsHastily = false
}
