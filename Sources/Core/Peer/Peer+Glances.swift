import Consensus
import Games
import Table
import Wire

/// What is asked of a table with every message and every step, by its index in `sessions`.
///
/// A session is large, and a method of it has the array's subscript copy it; its parts, as they are
/// read here, cost nothing.
extension Peer {
  /// Whether a peer is told what happens at a table.
  func isMember(_ peer: PublicKey, of index: Int) -> Bool {
    guard !sessions[index].genesis.draft.practice, sessions[index].refusal == nil else {
      return false
    }
    let name = alias(of: peer, at: index)
    if sessions[index].genesis.draft.creator.identity == name { return true }
    let seats = sessions[index].replica.app.seats
    if seats.indices.contains(where: { seats[$0].identity == name }) { return true }
    let witnesses = sessions[index].replica.app.witnesses
    if witnesses.indices.contains(where: { witnesses[$0].identity == name }) { return true }
    let watchers = sessions[index].replica.app.watchers
    if watchers.indices.contains(where: { watchers[$0].identity == name }) { return true }
    return sessions[index].followers.contains { $0.peer == peer }
  }

  /// Whether a peer may know that a table exists: anybody at a public one; at a private one its
  /// members, and who has proved the secret.
  func isKnown(_ index: Int, to peer: PublicKey) -> Bool {
    sessions[index].secret == nil || isMember(peer, of: index)
      || sessions[index].admitted.contains(peer)
  }

  /// I sit at it, or am about to: neither refused nor gone.
  func isSatAt(_ index: Int) -> Bool {
    sessions[index].refusal == nil && !sessions[index].hasQuit && !sessions[index].isPutAway
      && !sessions[index].isWitness
  }

  /// Whether something goes on at it: only a game, or what comes after it, is ever quiet.
  func isLively(_ index: Int) -> Bool {
    let phase = sessions[index].replica.app.phase
    guard phase == .playing || phase == .over || phase == .cancelled, sessions[index].mayAuthor,
      !sessions[index].isJoining, !sessions[index].replica.hasPending
    else { return true }
    let since = sessions[index].seenAt.last?.at ?? sessions[index].openedAt
    return now < since + TableSession.quietAfter
  }

  /// Its creator's laptop has been out of reach for fifteen seconds, in a lobby.
  func isDeserted(_ index: Int) -> Bool {
    let phase = sessions[index].replica.app.phase
    return (phase == .lobby || phase == .starting)
      && sessions[index].creatorIsGone(me: me, at: now)
  }

  /// Blocks that are final here for so short a time that a word denied in them may still rest.
  func restingBlocks(_ index: Int) -> Int {
    guard sessions[index].replica.app.phase == .playing else { return 0 }
    return sessions[index].seenAt.lazy.reversed().prefix { now < $0.at + Peer.denialRest }.count
  }

  /// Whether time alone changes nothing there: then the table is looked at when something happens, and
  /// when its replica asks for it.
  private func mayRest(_ index: Int) -> Bool {
    if sessions[index].refusal != nil { return true }
    if sessions[index].isPutAway { return sessions[index].handedOnAt == nil }
    guard !isLively(index) else { return false }
    let session = sessions[index]
    guard !session.isLocal, !session.isWitness || !session.isOver,
      !session.hasQuit || session.isSeenThrough
    else { return false }
    // A voter key that is to be replaced is asked for until the log has the new one.
    guard !session.replica.isAmnesiac, session.nextVoter == nil, !session.isMakingVoter else {
      return false
    }
    return session.undoable.isEmpty && session.waitingCommands.isEmpty
      && session.newcomers.isEmpty && session.rematchAskedAt == nil && !session.isFollowing
      && !session.wantsAgain
  }

  /// When it is looked at next though nothing happens: while it rests, when somebody's following or a
  /// word's rest ends; `.max` for never.
  func nextLook(_ index: Int) -> Milliseconds {
    guard mayRest(index) else { return now + TableSession.tick }
    let following = sessions[index].followers.map(\.until).min() ?? .max
    let resting = Array(sessions[index].seenAt.reversed().prefix { now < $0.at + Peer.denialRest })
    let rest = resting.last.map { $0.at + Peer.denialRest } ?? .max
    return max(min(following, rest), now + 1)
  }
}
