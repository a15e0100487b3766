internal import Wire

/// Voters of this epoch who are out of reach, and who says that they are to go.
struct Evictions: Sendable {
  /// How long each was out of reach, on the counted clock, while that mattered.
  var absences = SortedMap<PublicKey, Milliseconds>()
  /// By whom they are about, one of each voter.
  var votes = SortedMap<PublicKey, [Evict]>()
  /// Those whose own vote is asked for or made.
  var asked: [PublicKey] = []

  /// An absence so long may cost the vote.
  static let patience: Milliseconds = 60_000
  /// Bytes of evidence that a seal may quote; a leader quotes no more.
  static let mostBytes = 256 * 1_024
}

// Taking out voters who have not left (S7, S8).
extension Replica {
  /// What a seal could quote now: lies, and enough votes against who is still out of reach, where the
  /// rest would then bear an absence more; two who help only together go together.
  var dueEvictions: [Eviction] {
    var bytes = 0
    var lies: [Eviction] = []
    var absences: [Eviction] = []
    for voter in epoch.voters {
      if let evidence = book[voter] {
        bytes += Limits.sizeEstimate(evidence)
        if bytes <= Evictions.mostBytes { lies.append(Eviction(evidence)) }
      } else if let votes = evictions.votes[voter], votes.count >= epoch.quorum,
        !reachableVoters.contains(voter)
      {
        absences.append(
          Eviction(of: voter, by: votes.map { KeySignature($0.voter, $0.signature) }))
      }
    }
    let rest = epoch.voters.count - lies.count - absences.count
    guard !absences.isEmpty, rest > 0, epoch.quorum(of: rest) < epoch.quorum else { return lies }
    return (lies + absences).sorted { $0.target < $1.target }
  }

  /// There is a lie, or a vote against somebody.
  var mayEvictAny: Bool { !book.all.isEmpty || evictions.votes.count > 0 }

  /// Whether what a seal says against a voter is so; no clock is asked.
  func stands(_ eviction: Eviction) -> Bool {
    guard epoch.has(eviction.target) else { return false }
    switch eviction.ground {
    case .lie(let evidence): return proves(evidence)
    case .votes(let signatures):
      return (signatures.count >= epoch.quorum || breaks("S7-any"))
        && signatures.allSatisfy { epoch.has($0.key) }
    }
  }

  // MARK: Own votes

  /// Voters without whom the others would bear one absence more, in the order of keys; only while
  /// they bear none.
  private func spare(of absent: [PublicKey]) -> [PublicKey] {
    for count in 0...absent.count
    where epoch.quorum(of: epoch.voters.count - count) < epoch.quorum {
      return Array(absent.prefix(count))
    }
    return []
  }

  /// Those out of reach, while exactly a quorum is reachable and it would help to take some out.
  private var missed: [PublicKey] {
    guard canVote, reachableCount == epoch.quorum, epoch.quorum < epoch.voters.count,
      app.voterWish.mayEvict
    else { return [] }
    let reachable = reachableVoters
    let absent = epoch.voters.filter { !reachable.contains($0) }
    return spare(of: absent).isEmpty ? [] : absent
  }

  /// Somebody may be back in reach, if only for a moment: what was counted of an absence is forgotten.
  mutating func noteReturns() {
    guard evictions.absences.count > 0 || !evictions.asked.isEmpty else { return }
    let missed = missed
    evictions.absences.filter { voter, _ in missed.contains(voter) }
    evictions.asked.removeAll { !missed.contains($0) }
  }

  /// At a tick: counts absences, and votes against who was away too long.
  mutating func noteAbsences(for span: Milliseconds) {
    noteReturns()
    let missed = missed
    for voter in missed { evictions.absences.update(voter, default: 0) { $0 += span } }
    let long = missed.filter {
      (evictions.absences[$0] ?? 0) >= Evictions.patience || breaks("S8-hasty")
    }
    guard let voter, !long.isEmpty else { return }
    for target in spare(of: long) where !evictions.asked.contains(target) {
      evictions.asked.append(target)
      outbox.append(
        .sign(
          .evict(
            ApprovedEvict(
              table: founding.table, epoch: epoch.id, target: target, voter: voter))))
    }
  }

  /// How long until an absence has lasted long enough; nil while none counts.
  var restUntilEviction: Milliseconds? {
    missed.compactMap { voter in
      let absence = evictions.absences[voter] ?? 0
      return absence < Evictions.patience ? Evictions.patience - absence : nil
    }.min()
  }

  /// An own one comes back signed.
  mutating func take(_ evict: Evict) {
    guard evict.voter == voter, evict.epoch == epoch.id, isEntitled,
      evictions.asked.contains(evict.target)
    else { return }
    note(evict)
    send(.evict(evict))
  }

  /// As long as it is so, it is said again with every link and `Status`.
  mutating func sendOwnEvicts(to recipients: Recipients) {
    for target in evictions.asked {
      guard let own = evictions.votes[target]?.first(where: { $0.voter == voter }) else { continue }
      send(.evict(own), to: recipients)
    }
  }

  /// A voter's word.
  mutating func receive(_ evict: Evict) {
    guard evict.epoch == epoch.id else { return refuse("evictOtherEpoch") }
    guard epoch.has(evict.voter), epoch.has(evict.target), evict.voter != evict.target else {
      return refuse("evictNotVoter")
    }
    note(evict)
  }

  private mutating func note(_ evict: Evict) {
    evictions.votes.update(evict.target, default: []) { votes in
      if !votes.contains(where: { $0.voter == evict.voter }) { votes.append(evict) }
    }
  }
}
