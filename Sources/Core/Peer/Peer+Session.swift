import CBOR
import Consensus
import Discovery
import Games
import Table
import Wire

/// What time and the log make due at each table.
extension Peer {
  mutating func advanceSession(_ index: Int) {
    takePutOff(index)
    guard sessions[index].refusal == nil else { return }
    let isDue = now >= min(sessions[index].wakeAt, sessions[index].lookAt)
    let hasGrown = sessions[index].hasNewMembers
    enliven(index)
    noteReunion(index)
    // Not with every frame: a flood over many links would cost its number times theirs.
    if isDue || sessions[index].hasNewMembers { reconcileLinks(index) }
    if isDue {
      sessions[index].wakeAt = .max
      stepReplica(index, .tick(now))
      sessions[index].lookAt = nextLook(index)
    } else if sessions[index].lookAt > now + TableSession.tick {
      sessions[index].lookAt = nextLook(index)
    }
    openAuthoring(index)
    signDurable(index)
    noteSeated(index)
    // Votes come by the thousand: what follows is made due by the log, by time and by people.
    guard isDue || hasGrown || !isCalm else { return }
    agreeAsBystander(index)
    guard sessions[index].mayAuthor, trouble == nil else { return }
    rekey(index)
    advanceHandOn(index)
    seeLeavingThrough(index)
    seeWitnessingThrough(index)
    guard isSatAt(index) else { return }
    inviteWitnesses(index)
    comeBack(index)
    agreeOnReturn(index)
    sendDueClaims(at: index)
    draw(index)
    advanceColleagues(index)
    advanceSuccession(index)
  }

  /// Whom a quiet game has not watched closely is asked for a sign of life as soon as something goes
  /// on in it, and has the usual time for it.
  private mutating func enliven(_ index: Int) {
    let isLively = isLively(index)
    guard sessions[index].isLively != isLively else { return }
    sessions[index].isLively = isLively
    guard isLively else { return }
    for peer in sessions[index].linked { switchboard.enliven(peer, at: now) }
    linksDueAt = 0
  }

  /// Tells the replica which members links reach now.
  mutating func reconcileLinks(_ index: Int) {
    sessions[index].hasNewMembers = false
    sessions[index].followers.removeAll { $0.until <= now }
    let reached = switchboard.links.map(\.peer).filter { isMember($0, of: index) }
    for peer in sessions[index].linked where !reached.contains(peer) {
      loseLink(to: peer, at: index)
    }
    for peer in reached where !sessions[index].linked.contains(peer) {
      sessions[index].linked.append(peer)
      sessions[index].lostAt.removeAll { $0.peer == peer }
      if peer == sessions[index].creator {
        sessions[index].creatorReachedAt = now
      }
      sessions[index].newcomers.append(peer)
      payChat(to: peer, at: index)
      stepReplica(index, .linkUp(alias(of: peer, at: index)))
    }
  }

  /// A member is not reached any more, or over another link than before.
  mutating func loseLink(to peer: PublicKey, at index: Int) {
    guard sessions[index].linked.contains(peer) else { return }
    // It may have sent its last: whoever leaves next is sealed out with what all have signed (S2).
    takePutOff(index, atOnce: true)
    sessions[index].linked.removeAll { $0 == peer }
    sessions[index].standings.removeAll { $0.peer == peer }
    sessions[index].lost(peer, at: now)
    stepReplica(index, .linkDown(alias(of: peer, at: index)))
  }

  /// I have a seat as soon as the log says so; or none, where the log has no place for what I asked,
  /// and who would say so has not heard it.
  private mutating func noteSeated(_ index: Int) {
    guard sessions[index].isJoining else { return }
    guard sessions[index].table.standsIn(sessions[index].keys.player) else {
      let asked = sessions[index].outbox.drafts.first {
        $0.draft.author == sessions[index].keys.player && $0.draft.sequence == 0
      }
      guard sessions[index].replica.finalHeight > 0, sessions[index].hasCaughtUp,
        let entry = asked?.entry
      else { return }
      guard case .never(let code) = sessions[index].table.admission(of: entry) else {
        // What the log of an hour ago would have refused, the log of now takes.
        if sessions[index].replica.pendingEntries(by: entry.author).isEmpty,
          let verified = try? entry.verified(by: OwnKeys())
        {
          stepReplica(index, .submitted(verified))
        }
        return
      }
      let (known, message) = Denial.known(code)
      return joinRefused(known, message, at: index)
    }
    sessions[index].isJoining = false
    sessions[index].aside = []
    persist(sessions[index].record)
    isChanged = true
  }

  /// The table took me for away: whatever I do makes me present, and if I do nothing, this does.
  private mutating func comeBack(_ index: Int) {
    guard sessions[index].replica.app.phase == .playing, sessions[index].isTakenForAway else {
      return
    }
    _ = author(.back, at: index)
  }

  // MARK: The draw

  /// Lays down or opens what the draw waits for, for every seat whose key is on this laptop.
  private mutating func draw(_ index: Int) {
    guard sessions[index].replica.app.phase == .dealing else { return }
    for player in sessions[index].ownPlayers {
      guard let duty = sessions[index].table.duty(of: player) else { continue }
      let ask = TableSession.DrawAsk(player: player, duty: duty)
      guard !sessions[index].drawAsked.contains(ask) else { continue }
      sessions[index].drawAsked.append(ask)
      switch duty {
      case .commit(let draw), .reveal(let draw):
        effects.append(.drawSecret(sessions[index].id, player: player, draw: draw))
      }
    }
  }

  mutating func drawSecret(_ table: TableID, player: PublicKey, draw: UInt64, secret: Digest) {
    guard let index = place(ofTable: table) else { return }
    let act: Act
    switch sessions[index].table.duty(of: player) {
    case .commit(draw):
      act = .commit(
        draw: draw,
        commitment: Draw.commitment(table: table, draw: draw, player: player, secret: secret))
    case .reveal(draw): act = .reveal(draw: draw, secret: secret)
    default: return
    }
    _ = author(act, by: player, at: index)
  }

  // MARK: Leaving

  /// How long the others are helped to know that I have left (CONSENSUS 1.7).
  static let farewell: Milliseconds = 10_000

  /// The page is rid of the table at once, whoever is there; the node sees the leaving through.
  mutating func quit(id: CommandID, at index: Int) {
    if sessions[index].isWatcher, !sessions[index].hasQuit { return stopWatching(id, at: index) }
    if sessions[index].isTakenOff { return putAway(id: id, at: index) }
    guard sessions[index].isSatAt, !sessions[index].hasLeft else {
      answer(id, .accepted(table: nil))
      return
    }
    sessions[index].undoable = []
    sessions[index].hasQuit = true
    sessions[index].isPutAway = sessions[index].isLocal || sessions[index].isOver
    persist(sessions[index].record)
    isChanged = true
    acceptWhenDurable(id)
  }

  /// A seat whose player has gone ends in the log as soon as own entries may be made; then the
  /// others are helped to know it, and the table is put away once nobody needs this laptop's word.
  private mutating func seeLeavingThrough(_ index: Int) {
    guard sessions[index].hasQuit, !sessions[index].isPutAway, !sessions[index].isSeenThrough
    else { return }
    // The last two may leave at one time: the game is over by the first, and who would make the other's
    // leaving final has gone. Nobody waits for it.
    guard !sessions[index].isOver else {
      sessions[index].isPutAway = true
      persist(sessions[index].record)
      return
    }
    let session = sessions[index]
    guard session.hasLeft else {
      leaveTheLog(index)
      return
    }
    sessions[index].leftAt = session.leftAt ?? now
    guard now >= (session.leftAt ?? now) + Peer.farewell else { return }
    sessions[index].isSeenThrough = true
    let isSettled = session.replica.finality(at: session.replica.finalHeight)?.isSettled ?? true
    if isSettled || !session.replica.epoch.has(session.keys.voter) {
      sessions[index].isPutAway = true
      persist(sessions[index].record)
    }
  }

  private mutating func leaveTheLog(_ index: Int) {
    let session = sessions[index]
    // Who comes while the game is played is let in, or is not, before he can go again.
    if session.isJoining, session.table.phase != .lobby || session.isWatcher,
      now < session.openedAt + Peer.newcomerPatience
    {
      return
    }
    let isLeaving = session.outbox.pending(of: session.keys.player).contains {
      (try? Act(decoding: $0.draft.body)) == .left
    }
    guard !isLeaving, author(.left, at: index) != nil else { return }
    // Its lobby has closed before I had a seat: there is nothing to leave.
    sessions[index].isPutAway = true
    persist(sessions[index].record)
  }

  mutating func putAway(id: CommandID, at index: Int) {
    guard sessions[index].isOver || !sessions[index].isSatAt || sessions[index].isTakenOff else {
      refuse(id, "stillPlaying", "This table is not over. Quit it first.")
      return
    }
    sessions[index].isPutAway = true
    if sessions[index].refusal == nil { persist(sessions[index].record) }
    answer(id, .accepted(table: nil))
  }
}

extension TableSession {
  /// How often a table is looked at while something goes on at it.
  static let tick: Milliseconds = 250

  /// The players whose keys are on this laptop: mine, then the pretend colleagues'.
  var ownPlayers: [PublicKey] { [keys.player] + keys.pretend }

  /// The table took me for away, and nothing of mine is on its way that says otherwise.
  var isTakenForAway: Bool {
    guard table.phase == .playing, let seat = table.seat(of: keys.player), table.seats[seat].isAway
    else { return false }
    return outbox.pending(of: keys.player).isEmpty
  }

  /// The log here is as long as all say who have said.
  var hasCaughtUp: Bool {
    standings.allSatisfy { $0.status.height <= replica.finalHeight }
  }

  /// Whoever runs the table has taken my seat off it.
  var isTakenOff: Bool {
    table.seat(of: keys.player).map { table.seats[$0].isTakenOff } ?? false
  }

  /// I have left in the final log.
  var hasLeft: Bool { table.standing(of: keys.player)?.hasLeft ?? false }

  /// Nothing more happens at it but a rematch.
  var isOver: Bool { [.over, .cancelled].contains(table.phase) }

  mutating func lost(_ peer: PublicKey, at now: Milliseconds) {
    lostAt.removeAll { $0.peer == peer }
    lostAt.append((peer, now))
  }

  /// Whether a member's laptop is reached now, or is this one.
  func isHere(_ identity: PublicKey, me: PublicKey) -> Bool {
    identity == me || linked.contains(identity)
  }
}
