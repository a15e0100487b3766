package import Wire

// Going on below a quorum, as it is seen from outside.
extension Replica {
  /// The person here may ask to go on without those who are away: this node voted in an epoch that
  /// has lost its quorum.
  package var mayGoOn: Bool {
    guard let voter, epoch.number > 0, epoch.voters.count > 1, epoch.has(voter) else {
      return false
    }
    return !isSilenced && !isAmnesiac && !isHalted && !hasQuorum && recoveries.chosen == nil
  }

  /// Who would go on, this node included; ascending.
  package var going: [PublicKey] { goers }

  /// Who of them wants to go on with exactly these, ascending.
  package var wanting: [PublicKey] {
    let members = goers
    return members.filter { member in
      member == voter
        ? recoveries.wish != nil
        : recoveries.wishes[member]?.voters == members
          || recoveries.gathered.contains { $0.signatures.contains { $0.key == member } }
    }
  }

  /// The person here has asked to go on.
  package var wantsToGoOn: Bool { recoveries.wish != nil }

  /// So many were left out that a move may be final for them and unknown here.
  package func mayLose(_ members: Int, of epoch: Epoch) -> Bool {
    members < epoch.voters.count - epoch.quorum + 1
  }

  /// All recoveries that are known and complete: of this log and of others.
  package var recoveryStandings: [RecoveryStanding] {
    recoveries.known.compactMap { recovery in
      guard let number = ledger.epochs.firstIndex(where: { $0.id == recovery.epoch }) else {
        return nil
      }
      let old = ledger.epochs[number]
      let absent = old.voters.filter { !recovery.voters.contains($0) }
      return RecoveryStanding(
        recovery: recovery, absent: absent,
        assented: absent.filter { hasAssented($0, recovery.id) },
        mayHaveLost: mayLose(recovery.voters.count, of: old),
        isFollowed: ledger.epochs.dropFirst(number + 1).first?.recovery == recovery.id,
        mayFollow: mayFollow(recovery))
    }
  }

  /// What a page shows of it, to notice that it changed; nil while there is nothing of the kind.
  package var recoveryMark: RecoveryMark? {
    guard !recoveries.isIdle || recoveries.wish != nil || !recoveries.wishes.isEmpty else {
      return nil
    }
    return RecoveryMark(
      wanting: wanting, known: recoveries.known.map(\.id), assents: recoveries.assents.count,
      chosen: recoveries.chosen?.id)
  }

  /// The person here has chosen to go on with it, and the log is on its way.
  package func isFollowing(_ id: Digest) -> Bool { recoveries.chosen?.id == id }

  func hasAssented(_ voter: PublicKey, _ recovery: Digest) -> Bool {
    recoveries.assents[Recoveries.AssentPlace(recovery: recovery, voter: voter)] != nil
  }

  /// Voters of before who must be among those who finalize a block, or have accepted, before what
  /// came after a recovery is settled.
  func missingAssents(at number: Int) -> [PublicKey] {
    guard number > 0, let id = ledger.epochs[number].recovery else { return [] }
    return ledger.epochs[number - 1].voters.filter {
      !ledger.epochs[number].has($0) && !hasAssented($0, id)
    }
  }

  /// The recoveries of this log, each with the number of blocks in `history` before it.
  package var recoveryHistory: [(recovery: Recovery, blocks: Int)] {
    ledger.epochs.enumerated().compactMap { number, epoch in
      epoch.recovery.flatMap { recoveries.complete($0) }.map { recovery in
        (recovery, ledger.items.count { $0.epoch < number })
      }
    }
  }

  /// The recoveries of this log with the places at which they stand, in order.
  package var recoveredPlaces: [(recovery: Recovery, height: UInt64)] {
    ledger.epochs.compactMap { epoch in
      epoch.recovery.flatMap { recoveries.complete($0) }.map { ($0, epoch.anchorHeight) }
    }
  }
}
