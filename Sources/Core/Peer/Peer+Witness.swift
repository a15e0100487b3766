import CBOR
import Consensus
import Discovery
import Games
import Table
import Wire

/// Helping others to agree without a seat, and asking others to (CONSENSUS 1.2, 1.9).
extension Peer {
  /// Tables that one laptop witnesses at a time.
  private static let witnessLimit = 8
  /// How long somebody who was asked is waited for before another is.
  private static let invitationPatience: Milliseconds = 15_000
  /// How long the others are helped to know how it ended, and how long a table is waited for that is
  /// not begun.
  private static let witnessFarewell: Milliseconds = 10_000
  private static let lobbyPatience: Milliseconds = 600_000
  /// The row with the player's choice: one byte, 0 for no.
  static let witnessRow = "witness"

  // MARK: Asking

  /// In a lobby of mine with two or three people, laptops nearby are asked, as many as are missing.
  mutating func inviteWitnesses(_ index: Int) {
    guard sessions[index].replica.app.phase == .lobby, sessions[index].isMine(me),
      sessions[index].table.members.count > 1
    else { return }
    let session = sessions[index]
    let waiting = session.invited.count {
      !$0.isRefused && now < $0.at + Peer.invitationPatience && !session.members.contains($0.peer)
    }
    let missing = session.table.witnessRoom - waiting
    guard missing > 0 else { return }
    let able = able(toHelp: session).filter { row in
      !session.invited.contains { $0.peer == row.beacon.identity }
    }
    // Who plays elsewhere comes last.
    let idle = able.filter { !$0.beacon.atTable } + able.filter(\.beacon.atTable)
    for row in idle.prefix(missing) {
      sessions[index].invited.append((row.beacon.identity, now, false))
      ask(.invite(session.id), of: row.beacon.identity, at: row.address, id: nil)
    }
  }

  /// Everybody nearby who is not there in some role.
  private func able(toHelp session: TableSession) -> [Neighbour] {
    roster.neighbours.filter {
      $0.hasDatagrams(at: now) && !session.members.contains($0.beacon.identity)
    }
  }

  /// The player asks everybody nearby: those too who have said no, or nothing, when the laptop asked by itself.
  mutating func inviteWitness(id: CommandID, at index: Int) {
    let session = sessions[index]
    guard session.isMine(me), session.table.witnessRoom > 0 else {
      let refusal = session.isMine(me) ? Refusal.witnessesFull : .onlyCreator
      return refuse(id, refusal.code, refusal.sentence)
    }
    let able = able(toHelp: session)
    guard !able.isEmpty else {
      return refuse(
        id, "nobodyNearby", "Nobody else is nearby. Ask somebody to start Tabletalk and stay close."
      )
    }
    for row in able {
      let peer = row.beacon.identity
      sessions[index].invited.removeAll { $0.peer == peer }
      sessions[index].invited.append((peer, now, false))
      ask(.invite(session.id), of: peer, at: row.address, id: nil)
    }
    answer(id, .accepted(table: session.id))
  }

  /// What a lobby of mine says of laptops that could help to agree; nil where none is needed.
  func inviting(_ session: TableSession) -> SessionView.Inviting? {
    guard session.isMine(me), session.table.phase == .lobby, session.table.members.count > 1,
      session.table.witnessRoom > 0
    else { return nil }
    let able = able(toHelp: session)
    func names(isRefused: Bool) -> [String] {
      able.filter { row in
        session.invited.contains {
          $0.peer == row.beacon.identity && $0.isRefused == isRefused
            && (isRefused || now < $0.at + Peer.invitationPatience)
        }
      }.map(\.beacon.name).sorted()
    }
    return SessionView.Inviting(
      possible: !able.isEmpty, asked: names(isRefused: false), refused: names(isRefused: true))
  }

  mutating func sendInvitation(to table: TableID, on link: Switchboard.Link) {
    guard let session = sessions.first(where: { $0.id == table }) else { return }
    send(.invite(session.genesis.encoded), on: link.id)
  }

  mutating func witnessDenied(by peer: PublicKey, _ table: TableID?) {
    guard let index = place(ofTable: table),
      let row = sessions[index].invited.firstIndex(where: { $0.peer == peer })
    else { return }
    sessions[index].invited[row].isRefused = true
  }

  /// In a lobby only its creator's node votes, and takes as witnesses only those whom it asked.
  func isWelcome(_ entry: Entry, at index: Int) -> Bool {
    guard sessions[index].isMine(me), case .witness(let join) = try? Act(decoding: entry.body)
    else {
      return true
    }
    return sessions[index].invited.contains { $0.peer == join.identity }
  }

  // MARK: Being asked

  mutating func hearInvitation(_ bytes: [UInt8], from peer: PublicKey) {
    guard let genesis = genesis(bytes), genesis.draft.creator.identity == peer else {
      counter.count("invitation.refused")
      return
    }
    sessions.removeAll { $0.id == genesis.table && $0.isWitness && $0.isPutAway }
    guard mayWitness, name != nil, trouble == nil, Table(genesis).hasWitnesses,
      !sessions.contains(where: { $0.id == genesis.table }),
      sessions.count(where: { $0.isHelping && !$0.isPutAway }) < Peer.witnessLimit,
      arrivals.count < Arrival.limit
    else {
      send(.refusal(genesis.table, nil, code: Denial.noWitness.rawValue), to: peer)
      return
    }
    var arrival = Arrival(request: freshRequest(), wish: .witness, command: nil, startedAt: now)
    arrival.isAsked = true
    arrival.genesis = genesis
    effects.append(.makeKeys(arrival.request, pretend: 0, withSecret: false))
    arrivals.append(arrival)
  }

  /// The keys are there: offers the vote, in the words of the log.
  mutating func witness(_ genesis: Genesis, as name: String, with keys: TableKeys) {
    guard !sessions.contains(where: { $0.id == genesis.table }) else { return }
    var session = TableSession(
      genesis: genesis, keys: keys, secret: nil, seed: noise.next(), now: now)
    session.isJoining = true
    session.isWitness = true
    let index = open(session)
    reconcileLinks(index)
    _ = author(
      .witness(Act.Join(identity: me, voter: keys.voter, generation: 0, name: name)), at: index)
  }

  /// The player asked for a seat too late: the laptop helps on with the keys and the log of before; false
  /// if it did not help.
  mutating func helpAgain(_ code: String, _ message: String, at index: Int) -> Bool {
    guard let old = sessions[index].aside.first else { return false }
    let join = sessions[index].outbox.drafts.first { $0.draft.sequence == 0 }
    for record in sessions[index].forgetting { persist(record) }
    sessions[index] = old
    persist(old.record)
    // It has heard nothing meanwhile: all links begin anew for it.
    for peer in old.linked { loseLink(to: peer, at: index) }
    reconcileLinks(index)
    if let command = join?.command {
      noteRefusal(of: command, code: code, message: message, at: nil)
    }
    isChanged = true
    return true
  }

  // MARK: The player's choice

  mutating func witness(_ on: Bool, id: CommandID) {
    if let trouble {
      refuse(id, "cannotWrite", trouble)
      return
    }
    mayWitness = on
    persist(StoredRecord(.node, key: Array(Peer.witnessRow.utf8), value: [on ? 1 : 0]))
    if !on {
      for index in sessions.indices
      where sessions[index].isHelping && !sessions[index].hasQuit {
        sessions[index].hasQuit = true
        persist(sessions[index].record)
      }
    }
    acceptWhenDurable(id)
  }

  // MARK: The end

  /// Nobody needs this laptop's word any more: the table is over and settled, or never began.
  mutating func seeWitnessingThrough(_ index: Int) {
    // Who looks on reads the result for as long as he likes.
    guard sessions[index].isWitness, !sessions[index].isWatcher, !sessions[index].isPutAway,
      !sessions[index].hasQuit
    else { return }
    let session = sessions[index]
    let isDone: Bool
    switch session.table.phase {
    case .over, .cancelled:
      sessions[index].witnessedAt = session.witnessedAt ?? now
      let since = now - (session.witnessedAt ?? now)
      let isSettled = session.replica.finality(at: session.replica.finalHeight)?.isSettled ?? true
      isDone = since >= (isSettled ? Peer.witnessFarewell : 6 * Peer.witnessFarewell)
    case .lobby, .starting:
      let isHere = session.linked.contains(session.creator)
      sessions[index].witnessedAt = isHere ? nil : session.witnessedAt ?? now
      let since = now - (sessions[index].witnessedAt ?? now)
      isDone = since >= Peer.lobbyPatience
    case .dealing, .playing:
      sessions[index].witnessedAt = nil
      isDone = false
    }
    guard isDone else { return }
    sessions[index].isPutAway = true
    persist(sessions[index].record)
    isChanged = true
  }
}

extension TableSession {
  /// This laptop has no seat and votes, or will.
  var isHelping: Bool {
    isWitness && !isJoining && (!isWatcher || table.witness(of: keys.player) != nil)
      || isWitness && isJoining && !isWatcher
  }

  /// This laptop is in the log without a seat, and has not gone.
  var mayHelpAgain: Bool {
    isWitness && !isJoining && !isPutAway && !hasQuit && refusal == nil
  }
}

extension Table {
  /// Whether a player key is that of a seat or of a witness.
  func standsIn(_ player: PublicKey) -> Bool { standing(of: player) != nil }
}
