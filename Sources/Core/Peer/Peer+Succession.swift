import CBOR
import Consensus
import Discovery
import Games
import Table
import Wire

/// Tables that go on where another ended: rematch, and a lobby whose creator is gone (CONSENSUS 1.9).
extension Peer {
  /// How long the creator of a lobby is waited for before the others may go on without.
  static let creatorPatience: Milliseconds = 15_000
  /// How long a rematch is waited for in the log before the reachable people go on by themselves.
  static let rematchPatience: Milliseconds = 5_000

  mutating func rematch(id: CommandID, at index: Int) {
    let session = sessions[index]
    guard session.table.phase == .over else {
      refuse(id, "notOver", "The game is still on. A rematch comes after it.")
      return
    }
    if session.isLocal {
      answer(id, .accepted(table: session.id))
      continueTable(index, kind: .rematch)
      return
    }
    sessions[index].followsSuccessor = true
    sessions[index].rematchAskedAt = now
    if session.hasAskedRematch {
      answer(id, .accepted(table: session.id))
    } else if let refusal = author(.rematch, for: id, at: index) {
      refuse(id, refusal.code, refusal.message)
    }
    followKnownSuccessor(index)
  }

  mutating func startAgain(id: CommandID, at index: Int) {
    guard sessions[index].creatorIsGone(me: me, at: now) else {
      refuse(id, "creatorHere", "The table's owner is back. Go on in the lobby.")
      return
    }
    answer(id, .accepted(table: sessions[index].id))
    sessions[index].followsSuccessor = true
    isChanged = true
    if followKnownSuccessor(index) { return }
    guard let first = sessions[index].firstReachable(me: me) else { return }
    if first == me {
      continueTable(index, kind: .again)
    } else {
      send(.startAgain(sessions[index].id), to: first)
    }
  }

  /// Somebody asks this node, the first one in order, to make the successor.
  mutating func hearStartAgain(_ table: TableID, from peer: PublicKey) {
    guard let index = sessions.firstIndex(where: { $0.id == table }),
      sessions[index].members.contains(peer), sessions[index].creatorIsGone(me: me, at: now),
      sessions[index].firstReachable(me: me) == me, !sessions[index].hasQuit
    else {
      counter.count("startAgain.refused")
      return
    }
    if sessions[index].successors.isEmpty { continueTable(index, kind: .again) }
  }

  /// Makes the table that continues this one.
  private mutating func continueTable(_ index: Int, kind: Genesis.Previous.Kind) {
    guard !sessions[index].isMakingSuccessor, name != nil else { return }
    sessions[index].isMakingSuccessor = true
    sessions[index].followsSuccessor = true
    make(
      TablePlan(
        continuing: sessions[index].table, tip: sessions[index].replica.finalTip, kind: kind,
        code: freshCode(), nonce: freshNonce()),
      for: nil)
  }

  /// A table made here that continues another is told to the people of that one.
  mutating func announceSuccessor(_ index: Int) {
    guard let previous = sessions[index].genesis.draft.previous,
      let old = sessions.firstIndex(where: { $0.id == previous.table })
    else { return }
    note(sessions[index].genesis, at: old)
    for link in switchboard.links where sessions[old].isMember(link.peer) {
      send(.genesis(sessions[index].genesis.encoded), on: link.id)
    }
  }

  /// Tells a member that has just come back of a successor made here.
  mutating func retellSuccessors(to peer: PublicKey, of index: Int) {
    for successor in sessions[index].successors {
      guard let made = sessions.first(where: { $0.id == successor.id }),
        made.isMine(me), made.table.phase == .lobby || made.isRunning
      else { continue }
      send(.genesis(made.genesis.encoded), to: peer)
    }
  }

  mutating func hearSuccessor(_ genesis: Genesis, from peer: PublicKey) {
    guard let previous = genesis.draft.previous, genesis.draft.creator.identity == peer,
      let index = sessions.firstIndex(where: { $0.id == previous.table }),
      sessions[index].members.contains(peer)
    else {
      counter.count("genesis.unasked")
      return
    }
    note(genesis, at: index)
    followKnownSuccessor(index)
  }

  private mutating func note(_ genesis: Genesis, at index: Int) {
    let successor = TableSession.Successor(
      id: genesis.table, code: genesis.draft.code, kind: genesis.draft.previous?.kind ?? .rematch,
      host: genesis.draft.creator.identity, hostName: genesis.draft.creator.name)
    guard !sessions[index].successors.contains(successor),
      sessions[index].successors.count < Limits.voters
    else { return }
    sessions[index].successors.append(successor)
    sessions[index].successors.sort { $0.id < $1.id }
    isChanged = true
  }

  /// Joins the successor with the smallest id, if that is what the player wants.
  @discardableResult
  private mutating func followKnownSuccessor(_ index: Int) -> Bool {
    guard sessions[index].followsSuccessor, let first = sessions[index].successors.first else {
      return false
    }
    join(first, id: nil)
    return true
  }

  mutating func joinSuccessor(id: CommandID, at index: Int) {
    guard let first = sessions[index].successors.first else {
      refuse(id, "noSuccessor", "Nobody has gone on from this table yet.")
      return
    }
    sessions[index].followsSuccessor = true
    if sessions.contains(where: { $0.id == first.id }) {
      answer(id, .accepted(table: first.id))
    } else {
      join(first, id: id)
    }
  }

  private mutating func join(_ successor: TableSession.Successor, id: CommandID?) {
    guard !sessions.contains(where: { $0.id == successor.id }) else { return }
    let isAsked = arrivals.contains {
      if case .join(_, successor.id) = $0.wish { return true }
      return false
    }
    guard !isAsked else { return }
    ask(
      .join(code: nil, table: successor.id), of: successor.host,
      at: address(of: successor.host), id: id)
  }

  mutating func advanceSuccession(_ index: Int) {
    let session = sessions[index]
    guard session.table.phase == .over, !session.isLocal, session.successors.isEmpty,
      !session.isMakingSuccessor
    else { return }
    if let first = session.table.rematchWishes.first {
      if session.table.seats[first.seat].player == session.keys.player {
        continueTable(index, kind: .rematch)
      }
      return
    }
    guard let asked = session.rematchAskedAt, now >= asked + Peer.rematchPatience,
      session.firstReachable(me: me) == me
    else { return }
    continueTable(index, kind: .rematch)
  }
}

extension TableSession {
  /// The creator's laptop has been out of reach for fifteen seconds, in a lobby.
  func creatorIsGone(me: PublicKey, at now: Milliseconds) -> Bool {
    guard table.phase == .lobby || table.phase == .starting, !isLocal, !isMine(me),
      replica.epoch.number == 0, !isJoining
    else { return false }
    let creator = genesis.draft.creator.identity
    guard !linked.contains(creator) else { return false }
    let since = lostAt.last { $0.peer == creator }?.at ?? openedAt
    return now >= since + Peer.creatorPatience
  }

  /// The first in join order, besides the creator of a lobby, who is reachable and has not left.
  func firstReachable(me: PublicKey) -> PublicKey? {
    table.members.lazy.compactMap { table.seats[$0].identity }.first { isHere($0, me: me) }
  }

  /// My wish to play again is in the log.
  var hasAskedRematch: Bool {
    table.rematchWishes.contains { table.seats[$0.seat].player == keys.player }
  }
}
