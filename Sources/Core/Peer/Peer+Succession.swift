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
    sessions[index].rematchAskedAt = session.rematchAskedAt ?? now
    if session.isLocal {
      answer(id, .accepted(table: session.id))
      continueTable(index, kind: .rematch)
      return
    }
    sessions[index].followsSuccessor = true
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
    sessions[index].wantsAgain = true
    isChanged = true
    followKnownSuccessor(index)
    pursueStartAgain(index)
  }

  /// The first of us in order makes the successor; the others ask it to, until there is one.
  private mutating func pursueStartAgain(_ index: Int) {
    let session = sessions[index]
    guard session.wantsAgain, session.successors.isEmpty, now >= session.againAskedAt + 1_000 else {
      return
    }
    guard session.creatorIsGone(me: me, at: now) else {
      sessions[index].wantsAgain = false
      return
    }
    sessions[index].againAskedAt = now
    guard let first = session.firstReachable(me: me) else { return }
    if first == me {
      continueTable(index, kind: .again)
    } else {
      send(.startAgain(session.id), to: first)
    }
  }

  /// Somebody asks this node, the first one in order, to make the successor.
  mutating func hearStartAgain(_ table: TableID, from peer: PublicKey) {
    guard let index = place(ofTable: table), sessions[index].isSatAt,
      sessions[index].hasSeat(peer), sessions[index].creatorIsGone(me: me, at: now),
      sessions[index].firstReachable(me: me) == me
    else {
      counter.count("startAgain.refused")
      return
    }
    if sessions[index].successors.isEmpty { continueTable(index, kind: .again) }
  }

  /// Makes the table that continues this one.
  mutating func continueTable(_ index: Int, kind: Genesis.Previous.Kind) {
    guard !sessions[index].isMakingSuccessor, name != nil else { return }
    sessions[index].isMakingSuccessor = true
    sessions[index].followsSuccessor = true
    // Nobody lets people in by the code of a lobby that its owner has left.
    let isHandedOn = sessions[index].table.leftByCreator != nil
    make(
      TablePlan(
        continuing: sessions[index].table, by: sessions[index].keys.player,
        secret: sessions[index].secret,
        tip: sessions[index].replica.finalTip, kind: kind,
        code: isHandedOn ? sessions[index].genesis.draft.code : freshCode(),
        nonce: freshNonce()),
      for: nil)
  }

  /// A table made here that continues another is told to the people of that one.
  mutating func announceSuccessor(_ index: Int) {
    guard let previous = sessions[index].genesis.draft.previous,
      let old = place(ofTable: previous.table)
    else { return }
    note(sessions[index].genesis, by: me, at: old)
    for link in switchboard.links
    where isMember(link.peer, of: old) || sessions[old].admitted.contains(link.peer) {
      send(.genesis(sessions[index].genesis.encoded), on: link.id)
    }
  }

  /// Tells a member that has just come back of a successor made here.
  mutating func retellSuccessors(to peer: PublicKey, of index: Int) {
    for successor in sessions[index].successors {
      guard let made = sessions.first(where: { $0.id == successor.id }),
        made.isMine(me), made.isSatAt, made.table.phase == .lobby || made.isRunning
      else { continue }
      send(.genesis(made.genesis.encoded), to: peer)
    }
  }

  mutating func hearSuccessor(_ genesis: Genesis, from peer: PublicKey) {
    guard let previous = genesis.draft.previous, let index = place(ofTable: previous.table),
      sessions[index].isMade(genesis, by: peer), sessions[index].hadSeat(peer),
      sessions[index].isPrivate == genesis.draft.isPrivate
    else {
      counter.count("genesis.unasked")
      return
    }
    note(genesis, by: peer, at: index)
    followKnownSuccessor(index)
    sessions[index].lookAt = min(sessions[index].lookAt, now + 1)
  }

  /// Remembers a successor, the one with the smallest id first.
  mutating func note(_ genesis: Genesis, by host: PublicKey, at index: Int) {
    if let known = sessions[index].successors.firstIndex(where: { $0.id == genesis.table }) {
      sessions[index].successors[known].host = host
    }
    guard !sessions[index].successors.contains(where: { $0.id == genesis.table }),
      sessions[index].successors.count < Limits.voters
    else { return }
    sessions[index].successors.append(TableSession.Successor(genesis, by: host))
    sessions[index].successors.sort { $0.id < $1.id }
    isChanged = true
  }

  /// Joins the successor with the smallest id, if that is what the player wants and no other one
  /// has begun already.
  mutating func followKnownSuccessor(_ index: Int) {
    let session = sessions[index]
    guard session.isFollowing, let first = session.successors.first,
      first.tries < TableSession.Successor.most, now >= first.askedAt + Arrival.patience,
      !sessions.contains(where: { $0.id == first.id && (!$0.isWitness || $0.isWatcher) }),
      !sessions.contains(where: { $0.follows(session) && $0.isSatAt && $0.table.phase != .lobby })
    else { return }
    sessions[index].successors[0].tries += 1
    sessions[index].successors[0].askedAt = now
    ask(
      session.wish(for: first), of: first.host, at: address(of: first.host), id: nil,
      isWatching: session.isWatcher)
  }

  mutating func joinSuccessor(id: CommandID, at index: Int) {
    guard let first = sessions[index].successors.first else {
      refuse(id, "noSuccessor", "Nobody has gone on from this table yet.")
      return
    }
    if sessions.contains(where: { $0.id == first.id && $0.isSatAt }) {
      answer(id, .accepted(table: first.id))
    } else {
      let wish = sessions[index].wish(for: first)
      let place = address(of: first.host)
      // Who looked on looks on.
      if sessions[index].isWatcher {
        watch(id) { $0.ask(wish, of: first.host, at: place, id: id) }
      } else {
        ask(wish, of: first.host, at: place, id: id)
      }
    }
  }

  mutating func advanceSuccession(_ index: Int) {
    if !sessions[index].successors.isEmpty {
      settleSuccessors(index)
      followKnownSuccessor(index)
    }
    switch sessions[index].replica.app.phase {
    case .lobby, .starting: if sessions[index].wantsAgain { pursueStartAgain(index) }
    case .over: makeRematch(index)
    case .dealing, .playing, .cancelled: break
    }
  }

  /// The node of whoever asked first makes the next table; if the log cannot tell, the first who is
  /// here does.
  private mutating func makeRematch(_ index: Int) {
    guard !sessions[index].isLocal, sessions[index].successors.isEmpty,
      !sessions[index].isMakingSuccessor
    else { return }
    let session = sessions[index]
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

  /// Of several tables that go on one stands; what this node sat down at by itself it leaves again.
  ///
  /// The old table, once it has begun after all, wins over a successor that is still in its lobby;
  /// else, of two successors, the one with the smaller id.
  mutating func settleSuccessors(_ index: Int) {
    let session = sessions[index]
    guard !session.successors.isEmpty else { return }
    let hasBegun = session.isRunning && session.replica.epoch.number > 0
    let standing = hasBegun ? session.id : session.successors[0].id
    guard sessions.contains(where: { $0.id == standing && $0.isSatAt && !$0.isJoining }) else {
      return
    }
    // What is made twice is called off: to leave it would hand it on.
    for other in sessions.indices
    where sessions[other].id != standing && sessions[other].follows(session)
      && sessions[other].isFollowed && sessions[other].isSatAt && sessions[other].isMine(me)
      && sessions[other].table.phase == .lobby
    {
      _ = author(.cancel, at: other)
    }
    for other in sessions.indices where sessions[other].id != standing {
      guard sessions[other].follows(session), sessions[other].isFollowed, sessions[other].isSatAt,
        [.lobby, .cancelled].contains(sessions[other].table.phase)
      else { continue }
      sessions[other].hasQuit = true
      sessions[other].isPutAway = sessions[other].isOver
      persist(sessions[other].record)
      isChanged = true
    }
    if hasBegun { sessions[index].successors = [] }
  }
}

extension TableSession {
  /// A table that goes on where this one ended.
  struct Successor: Sendable {
    /// How often this node asks for a seat by itself.
    static let most = 4

    let id: TableID
    let code: Int
    let kind: Genesis.Previous.Kind
    fileprivate(set) var host: PublicKey
    let hostName: String
    /// Times this node has asked for a seat by itself, and when it last did.
    var tries = 0
    var askedAt: Milliseconds = 0

    init(_ genesis: Genesis, by host: PublicKey) {
      id = genesis.table
      code = genesis.draft.code
      kind = genesis.draft.previous?.kind ?? .rematch
      self.host = host
      hostName = genesis.draft.creator.name
    }
  }

  /// How a successor is asked for: a private one has the secret of this table.
  fileprivate func wish(for successor: Successor) -> Arrival.Wish {
    guard let secret else { return .join(code: nil, table: successor.id) }
    return .joinPrivate(code: successor.code, secret: secret, table: successor.id)
  }

  /// Whether it goes on where another one ended.
  func follows(_ other: TableSession) -> Bool { genesis.draft.previous?.table == other.id }

  /// The successor is joined without a further question.
  var isFollowing: Bool { followsSuccessor || hasAskedRematch || handedOnAt != nil }

  /// The successor that the page is told of.
  var shownSuccessor: Successor? {
    successors.first {
      switch ($0.kind, table.phase) {
      case (.rematch, .over), (.again, .lobby), (.again, .starting), (.again, .cancelled): true
      default: false
      }
    }
  }

  /// The creator's laptop has been out of reach for fifteen seconds, in a lobby.
  func creatorIsGone(me: PublicKey, at now: Milliseconds) -> Bool {
    guard table.phase == .lobby || table.phase == .starting, !isLocal, !isMine(me),
      replica.epoch.number == 0, !isJoining
    else { return false }
    let creator = creator
    // Its laptop may be here and have lost the table: then nothing becomes final any more.
    if replica.abstaining.contains(genesis.draft.creator.voter) { return true }
    if linked.contains(creator) {
      // Its laptop may be here and know nothing of the table any more.
      guard let reached = creatorReachedAt, !standings.contains(where: { $0.peer == creator })
      else { return false }
      return now >= reached + Peer.creatorPatience
    }
    let since = lostAt.last { $0.peer == creator }?.at ?? openedAt
    return now >= since + Peer.creatorPatience
  }

  /// The first in join order, besides the creator of a lobby, who is reachable and has not left.
  func firstReachable(me: PublicKey) -> PublicKey? {
    // Its laptop may be here, and vote no more or know nothing of the table.
    let isLobby = table.phase == .lobby || table.phase == .starting
    return seatedLaptops.first {
      isHere($0, me: me) && !(isLobby && $0 == creator)
    }
  }

  /// I want to play again, whether the log knows it yet or not.
  var wantsRematch: Bool { rematchAskedAt != nil || hasAskedRematch }

  /// My wish to play again is in the log.
  var hasAskedRematch: Bool {
    table.rematchWishes.contains { table.seats[$0.seat].player == keys.player }
  }
}
