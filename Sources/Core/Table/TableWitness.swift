import Consensus
package import Wire

/// Laptops without a seat that help to agree where fewer than four people play (CONSENSUS 1.2, 1.9).
///
/// A witness holds the log and votes on it. It acts on nothing, and is told nothing that is not in the
/// log; so a private table, whose log is for its people only, has none.
extension Table {
  /// Where fewer seats than these would vote, witnesses are invited to.
  package static let electorate = 4
  /// Witnesses that a log ever names.
  static let witnessLimit = 16

  /// Whether there may be any.
  package var hasWitnesses: Bool {
    let draft = genesis.draft
    return !draft.practice && !draft.isPrivate && !draft.isStrict
  }

  /// How many more may be named now.
  package var witnessRoom: Int {
    guard hasWitnesses, phase == .lobby || phase == .starting,
      witnesses.count < Table.witnessLimit
    else { return 0 }
    let named = witnesses.indices.count { mayWitness($0) }
    return max(0, Table.electorate - members.count - named)
  }

  /// The witness with a player key.
  package func witness(of player: PublicKey) -> Int? {
    witnesses.firstIndex { $0.player == player }
  }

  /// The seat or the witness with a player key.
  package func standing(of player: PublicKey) -> Seat? {
    seat(of: player).map { seats[$0] } ?? witness(of: player).map { witnesses[$0] }
      ?? watcher(of: player).map { watchers[$0] }
  }

  /// It has neither gone nor lied, and does not play after all.
  private func mayWitness(_ index: Int) -> Bool {
    let witness = witnesses[index]
    return !witness.hasLeft && !witness.hasLied
      && !seats.contains { $0.identity == witness.identity && !$0.hasLeft }
  }

  /// Those who are to vote: the first in the log, as many as seats are missing.
  package var wantedWitnesses: [Int] {
    let missing = max(0, Table.electorate - members.count)
    return Array(witnesses.indices.filter { mayWitness($0) }.prefix(missing))
  }

  /// Why somebody is not taken as a witness; nil when it is.
  func witnessRefusal(_ entry: Entry, _ member: Member) -> Refusal? {
    guard isSigned(entry, by: member) else { return .badJoin }
    switch phase {
    case .lobby, .starting: break
    case .dealing, .playing: return .tableStarted
    case .over, .cancelled: return .tableOver
    }
    guard hasWitnesses else { return .noWitnesses }
    guard PlainText.isName(member.name) else { return .badName }
    let others = seats + witnesses + watchers
    if others.contains(where: { !$0.hasLeft && $0.identity == member.identity }) {
      return .alreadySeated
    }
    if isUsed(member, besides: others) { return .keyUsed }
    return witnessRoom > 0 ? nil : .witnessesFull
  }

  /// Whoever comes has three keys, and signs with all of them.
  func isSigned(_ entry: Entry, by member: Member) -> Bool {
    member.hasDistinctKeys && entry.turn == 0
      && entry.cosignatures.map(\.key) == [member.identity, member.voter].sorted()
  }

  /// A key of somebody who comes is a key of somebody else, or of his own in another role.
  func isUsed(_ member: Member, besides others: [Seat]) -> Bool {
    others.contains { other in
      other.keys.contains(member.player) || other.keys.contains(member.voter)
        || (other.identity != member.identity && other.keys.contains(member.identity))
    }
  }

  /// What a witness says in the log: that it goes, or votes with another key.
  mutating func apply(
    _ act: Act?, _ entry: Entry, ofWitness index: Int, at place: LogPlace
  ) -> Outcome {
    witnesses[index].nextSequence += 1
    if case .rekey(let rekey) = act, entry.turn == 0 {
      if let refusal = rekeyRefusal(witnesses[index], rekey, entry) {
        return .void(code: refusal.code)
      }
      witnesses[index].rekey(rekey)
      return .done
    }
    guard act == .left, entry.turn == 0 else { return .void(code: Refusal.notMember.code) }
    witnesses[index].leftAt = place
    return .done
  }
}
