package import Wire

// A voter whose records are lost, or older than what the others hold of it (CONSENSUS 1.5): it never
// votes twice for a slot, and comes back with another key (R10.3-R10.5, S11).
extension Replica {
  /// How long somebody who was restarted waits for the log of those who are ahead.
  static var heed: Milliseconds { 3_000 }

  /// Amnesia: somebody shows an own vote of this epoch that is not in this log.
  ///
  /// From now on this key does not vote here.
  mutating func noteIfForgotten(_ vote: Vote) {
    guard let voteGuard, vote.voter == voteGuard.voter, !voteGuard.knows(vote.subject),
      vote.subject.epoch == epoch.id, !breaks("R10.3-unknown")
    else { return }
    forget("ownVoteUnknown")
  }

  /// The same for all votes that blocks of a chain quote: the own ones may be in none but these.
  mutating func noteIfForgotten(in block: Block) {
    guard !isAmnesiac else { return }
    for certificate in block.justification.certificates {
      for vote in certificate.votes { noteIfForgotten(vote) }
    }
  }

  /// The records of this key are lost: it votes no more.
  package mutating func loseMemory() -> [Effect] {
    forget("logUnreadable")
    defer { outbox = [] }
    return outbox
  }

  private mutating func forget(_ code: String) {
    guard !isAmnesiac, let voter else { return }
    isAmnesiac = true
    reserved = []
    unsent = []
    persist(.amnesia(of: voter))
    refuse(code)
    // Those who count on this voter are told at once that it does not vote.
    send(.status(status))
  }

  /// The final state knows this node's voter by another key, which has never signed anything.
  package mutating func rekey(to key: PublicKey) {
    guard key != voter else { return }
    if let voter { formerVoters.append(voter) }
    voter = key
    isAmnesiac = false
    voteGuard = VoteGuard(table: founding.table, epoch: epoch.id, voter: key)
    reserved = []
    unsent = []
    ownReady = OwnReady()
    evictions.asked = []
  }

  /// A key is, or was, one of those that vote.
  package func hasVoted(_ key: PublicKey) -> Bool { ledger.epochs.contains { $0.has(key) } }

  /// R10.4: just restarted, and somebody linked is further, or has not said how far: what it has may
  /// show own votes that are not here.
  var isHeeding: Bool {
    guard let heedsUntil, clock < heedsUntil, !breaks("R10.4-hasty") else { return false }
    return neighbours.all.values.contains { neighbour in
      guard neighbour.isLinked else { return false }
      guard let status = neighbour.status else { return true }
      return (status.epochNumber, status.height) > (epoch.number, finalHeight)
    }
  }

  /// Nothing is voted for now (R10.4, R10.5); what is durable then is signed when that is over.
  var isWaitingToVote: Bool { isDoubled || isHeeding }

  /// Voters at the ends of one's links who say that they do not vote: they do not count themselves
  /// among those whom they reach.
  package var abstaining: [PublicKey] {
    epoch.voters.filter { key in
      guard let row = linkedRow(of: key) else { return false }
      return row.abstains(key, in: epoch.id)
    }
  }

  /// Those of them whose disk refuses to be written to: they vote again once it does not (R10.1).
  package var unableToWrite: [PublicKey] {
    abstaining.filter { linkedRow(of: $0)?.status?.cannotWrite == true }
  }

  /// What is known of another voter's node at the end of a link.
  private func linkedRow(of key: PublicKey) -> Neighbours.Neighbour? {
    guard key != voter, let peer = app.identity(ofVoter: key), let row = neighbours[peer],
      row.isLinked
    else { return nil }
    return row
  }
}
