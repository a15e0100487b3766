import Consensus
import Discovery
import Games
import Table
import Wire

/// A lobby whose owner has left: it goes on by itself, at the laptop of the next one who sits there
/// (Protocol/table.md, Successors; PRODUCT Q14).
extension Peer {
  /// How long the next one waits, for those who have just come back to hear of a successor.
  private static let handOnPause: Milliseconds = 300
  /// How long each one further down waits for those before him.
  static let handOnTurn: Milliseconds = 3_000
  /// How long a table is gone on from by itself.
  static let handOnPatience: Milliseconds = 60_000
  /// How long whoever was about to sit down looks for where the others went.
  private static let seekPatience: Milliseconds = 15_000
  /// How long a successor's laptop may be out of reach before it counts for nothing.
  private static let hostPatience: Milliseconds = 3_000
  /// What a node that was killed in the middle of it hears first, after its start.
  static let handOnAfterStart: Milliseconds = 5_000

  // MARK: Noting it

  /// The owner's leaving has become final here, in a lobby.
  mutating func noteHandedOn(_ block: Block, at index: Int) {
    guard sessions[index].table.leftByCreator?.height == block.height,
      sessions[index].goesOnByItself(me: me)
    else { return }
    // Who was brought together by the search looks for somebody else.
    guard matching?.asked != sessions[index].id else { return }
    sessions[index].handedOnAt = now
    sessions[index].lookAt = now
  }

  /// There is no seat any more at a table that was asked for one: its lobby may go on elsewhere.
  mutating func seeksOn(from code: String, at index: Int) -> Bool {
    if sessions[index].handedOnAt != nil { return true }
    let session = sessions[index]
    guard code == Refusal.tableOver.code, session.isJoining, !session.isHelping,
      !session.hasSoughtOn, session.table.phase == .lobby || session.table.leftByCreator != nil
    else { return false }
    sessions[index].handedOnAt = now
    sessions[index].lookAt = now
    isChanged = true
    return true
  }

  // MARK: Going on

  /// Makes or follows the successor of a lobby that was handed on, until it is sat at.
  mutating func advanceHandOn(_ index: Int) {
    guard let since = sessions[index].handedOnAt else { return }
    dropDeadSuccessors(index, since: since)
    settleSuccessors(index)
    let session = sessions[index]
    if let next = sessions.firstIndex(where: { $0.follows(session) && $0.isTakenUp }) {
      takeUp(next, from: index)
      followKnownSuccessor(index)
      return
    }
    let patience = session.isJoining ? Peer.seekPatience : Peer.handOnPatience
    guard !session.isPutAway, !session.hasQuit, now < since + patience else {
      return endHandOn(index)
    }
    followKnownSuccessor(index)
    guard session.successors.isEmpty else { return }
    if session.isJoining {
      seekSuccessor(index)
    } else if let rank = session.rank(me: me, expecting: now < since + Peer.handOnTurn),
      now >= since + Peer.handOnPause + Milliseconds(rank) * Peer.handOnTurn
    {
      continueTable(index, kind: .again)
    }
  }

  /// The player sits at the successor: it takes the old table's place.
  private mutating func takeUp(_ next: Int, from index: Int) {
    let session = sessions[index]
    if !session.isPutAway {
      sessions[index].isPutAway = true
      if session.isJoining {
        for record in session.forgetting { persist(record) }
      } else {
        persist(sessions[index].record)
      }
      isChanged = true
    }
    guard sessions[next].table.phase == .lobby else {
      sessions[index].handedOnAt = nil
      return
    }
    lockAgain(next, after: index)
  }

  /// A table that let nobody in does so again once those have come who sat there.
  private mutating func lockAgain(_ next: Int, after index: Int) {
    guard sessions[index].table.isLocked, !sessions[index].hasLockedAgain, sessions[next].isMine(me)
    else { return }
    let isComplete = sessions[index].seatedLaptops.allSatisfy {
      sessions[next].hasSeat($0) || !sessions[index].isHere($0, me: me)
    }
    guard isComplete || now >= sessions[next].openedAt + Peer.seekPatience else { return }
    sessions[index].hasLockedAgain = true
    if !sessions[next].table.isLocked { _ = author(.lock(true), at: next) }
  }

  private mutating func endHandOn(_ index: Int) {
    sessions[index].handedOnAt = nil
    sessions[index].hasSoughtOn = true
    isChanged = true
    if sessions[index].hasQuit { dropWayOn(index) }
    guard sessions[index].isJoining, !sessions[index].isPutAway, !sessions[index].hasQuit else {
      return
    }
    joinRefused(Refusal.tableOver.code, Refusal.tableOver.sentence, at: index)
  }

  /// The player goes home while the table is on its way to somebody else: nor does he sit there.
  private mutating func dropWayOn(_ index: Int) {
    let session = sessions[index]
    arrivals.removeAll { arrival in
      guard arrival.command == nil else { return false }
      if case .make(let plan) = arrival.wish { return plan.previous?.table == session.id }
      return session.successors.contains { arrival.isAbout($0.id) }
    }
    for other in sessions.indices
    where sessions[other].follows(session) && sessions[other].isFollowed && sessions[other].isSatAt
    {
      sessions[other].hasQuit = true
      persist(sessions[other].record)
    }
  }

  /// One whose laptop is gone before I had a seat there, or whose lobby is closed, is none.
  private mutating func dropDeadSuccessors(_ index: Int, since: Milliseconds) {
    let session = sessions[index]
    guard !session.successors.isEmpty else { return }
    let living = session.successors.filter { successor in
      if let own = sessions.first(where: { $0.id == successor.id }) {
        if own.isTakenUp && !own.isOver { return true }
        guard own.refusal == nil, !own.hasQuit, !own.isOver else { return false }
      }
      guard !session.isHere(successor.host, me: me), switchboard.link(to: successor.host) == nil
      else { return true }
      let lost = session.lostAt.last { $0.peer == successor.host }?.at ?? since
      return now < max(lost, since) + Peer.hostPatience
    }
    guard living.count != session.successors.count else { return }
    sessions[index].successors = living
    sessions[index].isMakingSuccessor = false
    isChanged = true
  }

  /// Whoever was about to sit down may know nobody there: the successor has the code and the title,
  /// and is among the tables nearby.
  private mutating func seekSuccessor(_ index: Int) {
    let session = sessions[index]
    guard !session.isPrivate,
      now >= session.againAskedAt + Arrival.patience || session.againAskedAt == 0
    else { return }
    let draft = session.genesis.draft
    let found = roster.table(code: draft.code).first { _, notice in
      notice.table != session.id && notice.title == draft.title
        && notice.game == session.table.setup.kind.rawValue
        && !sessions.contains { $0.id == notice.table }
    }
    guard let (neighbour, notice) = found else { return }
    sessions[index].againAskedAt = now
    ask(
      .join(code: nil, table: notice.table), of: neighbour.beacon.identity,
      at: neighbour.address, id: nil, isWatching: session.isWatcher)
  }
}

extension Peer {
  /// What is said until the player sits at the next table.
  static func handingOn(_ session: TableSession) -> TableView.Waiting {
    let creator = session.genesis.draft.creator
    return TableView.Waiting(
      code: "handingOn",
      message:
        "\(creator.name) has left. The table goes on in a moment, at somebody else’s laptop.",
      names: [creator.name], choices: ["quit"])
  }
}

extension Genesis.Previous.Kind {
  /// In the words of the local API.
  var name: String { self == .again ? "again" : "rematch" }
}

extension TableSession {
  /// Its player goes where the table goes on, once its owner has left the lobby.
  func goesOnByItself(me: PublicKey) -> Bool {
    guard !isLocal, !isMine(me), !hasQuit, !isPutAway, refusal == nil, !isHelping else {
      return false
    }
    return isJoining || !hasLeft
  }

  /// A seat there, or a place to look on, is mine, and I have not left it.
  var isTakenUp: Bool {
    !isJoining && refusal == nil && !hasQuit && !isPutAway && (!isWitness || isWatcher)
  }

  /// How many of those who are here and stay come before me; `expecting` those whom no link has
  /// reached yet.
  func rank(me: PublicKey, expecting: Bool) -> Int? {
    guard !isWitness else { return nil }
    return table.members.lazy.map { table.seats[$0] }.filter { seat in
      guard let laptop = seat.identity.map(laptop), !isLeaving(seat.player) else { return false }
      return isHere(laptop, me: me) || expecting && !lostAt.contains { $0.peer == laptop }
    }.firstIndex { $0.player == keys.player }
  }
}
