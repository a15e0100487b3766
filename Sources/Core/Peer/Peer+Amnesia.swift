import CBOR
import Consensus
import Discovery
import Games
import Table
import Wire

/// A laptop whose records of a table are lost, or older than what others hold of it: it asks to be let
/// in again with another voter key (CONSENSUS 1.5, 1.7; S11).
extension Peer {
  /// A key that the table did not take is named again after so long.
  private static let rekeyPause: Milliseconds = 1_000

  /// Takes the next step: has a key made, offers it in the log, votes with it once that is final.
  mutating func rekey(_ index: Int) {
    guard !sessions[index].isLocal, !sessions[index].isJoining, !sessions[index].isPutAway else {
      return
    }
    noteDouble(index)
    let session = sessions[index]
    guard let seat = session.ownSeat, !seat.hasLeft, !seat.hasLied, let voter = seat.voter else {
      return
    }
    if voter == session.nextVoter, session.replica.hasVoted(voter) {
      // The folder was set back once more, to before this key was taken up: it is lost like the last.
      sessions[index].nextVoter = nil
    } else if voter == session.nextVoter {
      sessions[index].keys.voter = voter
      sessions[index].nextVoter = nil
      persist(sessions[index].record)
      sessions[index].replica.rekey(to: voter)
      isChanged = true
      return
    }
    guard session.replica.isAmnesiac || voter != session.keys.voter, !isKeyTwice,
      !session.isMakingVoter, seat.mayRekey,
      [.starting, .dealing, .playing].contains(session.table.phase), arrivals.count < Arrival.limit
    else { return }
    if let next = sessions[index].nextVoter {
      let isOnItsWay = session.outbox.pending(of: session.keys.player).contains { pending in
        guard case .rekey(let rekey) = try? Act(decoding: pending.draft.body) else { return false }
        return rekey.voter == next
      }
      let hasRested = session.rekeyedAt.map { now >= $0 + Peer.rekeyPause } ?? true
      if !isOnItsWay, hasRested { voterMade(next, for: session.id) }
      return
    }
    sessions[index].isMakingVoter = true
    let arrival = Arrival(
      request: freshRequest(), wish: .rekey(session.id), command: nil, startedAt: now)
    arrivals.append(arrival)
    effects.append(.makeKeys(arrival.request, pretend: 0, withSecret: false))
  }

  /// The key is on the disk: it is named in the log, as the next generation of the seat's.
  mutating func voterMade(_ key: PublicKey, for table: TableID) {
    guard let index = sessions.firstIndex(where: { $0.id == table }),
      let seat = sessions[index].ownSeat
    else { return }
    sessions[index].isMakingVoter = false
    sessions[index].rekeyedAt = now
    sessions[index].nextVoter = key
    persist(sessions[index].record)
    let act = Act.rekey(Act.Rekey(voter: key, generation: seat.generation + 1))
    _ = author(act, at: index)
    isChanged = true
  }

  /// As long as another node speaks with the same keys neither votes.
  private mutating func noteDouble(_ index: Int) {
    guard sessions[index].replica.isDoubled != isKeyTwice else { return }
    sessions[index].replica.isDoubled = isKeyTwice
    isChanged = true
  }

  /// Below a quorum, and some of those who are here may not vote: who they are, and what helps.
  func belowQuorumOfForgetful(_ session: TableSession) -> TableView.Waiting? {
    if session.replica.isAmnesiac {
      return TableView.Waiting(
        code: "forgotten",
        message:
          "This laptop has lost part of this game, so it has no say in what is agreed until the others "
          + "let it in again. They can go on without its vote; nothing else is needed here.",
        names: [], choices: ["wait", "quit"])
    }
    let full = session.replica.unableToWrite
    let names = session.names(of: session.replica.abstaining.filter { !full.contains($0) })
    guard !names.isEmpty, session.goOnRefusal(me: me) == nil, session.replica.wanting.isEmpty else {
      return nil
    }
    let who = Peer.list(names, joinedBy: "and")
    return TableView.Waiting(
      code: "forgetful",
      message:
        "The \(names.count == 1 ? "laptop" : "laptops") of \(who) lost part of this game, so "
        + "\(names.count == 1 ? "it has" : "they have") no say in what is agreed. "
        + "Go on without \(who), and \(names.count == 1 ? "it is" : "they are") let in again.",
      names: names, choices: ["goOn", "wait", "quit"])
  }
}

extension TableSession {
  /// My seat, or my place as a witness, as the final log has it.
  var ownSeat: Seat? {
    if let seat = table.seat(of: keys.player) { return table.seats[seat] }
    return table.witness(of: keys.player).map { table.witnesses[$0] }
  }
}
