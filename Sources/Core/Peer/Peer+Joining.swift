import CBOR
import Consensus
import Discovery
import Games
import Table
import Wire

/// Finding tables, sitting down at them, and being asked for them.
extension Peer {
  // MARK: Finding one

  mutating func join(_ text: String, id: CommandID) {
    switch Invitation(text) {
    case nil:
      refuse(
        id, "invitationUnreadable",
        "That is no invitation. It is five digits, or a line like 48213@192.168.1.5:47474.")
    case .code(let code):
      let found = roster.table(code: code)
      guard found.count < 2 else {
        refuse(id, "codeTwice", "Two tables have this code. Choose yours in the list on Home.")
        return
      }
      if let own = ownTable(code: code) {
        answer(id, .accepted(table: own))
      } else if let (neighbour, notice) = found.first {
        ask(
          .join(code: code, table: notice.table), of: neighbour.beacon.identity,
          at: neighbour.address, id: id)
      } else {
        refuse(
          id, "codeUnknown",
          "No open table here has the code \(Invitation.digits(code)). Check the digits, or paste the whole invitation."
        )
      }
    case .table(let code, let address):
      if let own = ownTable(code: code) {
        answer(id, .accepted(table: own))
      } else {
        ask(.join(code: code, table: nil), of: nil, at: address, id: id)
      }
    case .secret(let code, let secret, let address):
      let wish = Arrival.Wish.joinPrivate(code: code, secret: secret, table: nil)
      if let own = ownTable(code: code, secret: secret) {
        answer(id, .accepted(table: own))
      } else if let address {
        ask(wish, of: nil, at: address, id: id)
      } else {
        search(wish, id: id)
      }
    case .node(let address):
      ask(.meet, of: nil, at: address, id: id)
      answer(id, .joining)
    }
  }

  private func ownTable(code: Int, secret: TableSecret? = nil) -> TableID? {
    sessions.first {
      $0.genesis.draft.code == code && (secret == nil || $0.secret == secret) && !$0.isOver
        && $0.isSatAt
    }?.id
  }

  mutating func join(_ table: TableID, id: CommandID) {
    if sessions.contains(where: { $0.id == table && $0.isSatAt }) {
      answer(id, .accepted(table: table))
      return
    }
    let host = roster.neighbours.first { $0.beacon.tables.contains { $0.table == table } }
    guard let host else {
      refuse(id, Denial.tableGone.rawValue, Denial.tableGone.sentence)
      return
    }
    ask(.join(code: nil, table: table), of: host.beacon.identity, at: host.address, id: id)
  }

  // MARK: Sitting down

  /// How long somebody who comes is taken for one of the table, and whoever told of it likewise.
  static let newcomerPatience: Milliseconds = 60_000

  mutating func hearGenesis(_ bytes: [UInt8], from peer: PublicKey) {
    guard let genesis = genesis(bytes) else {
      failUnreadable(from: peer)
      return
    }
    // One that is private is taken with a proof only.
    if let index = arrivals.firstIndex(where: {
      $0.isAsked && $0.peer == peer && $0.wish.secret == nil && $0.fits(genesis)
    }) {
      take(genesis, at: index)
    } else {
      hearSuccessor(genesis, from: peer)
    }
  }

  /// Tells the player that the table asked for cannot be read here.
  private mutating func failUnreadable(from peer: PublicKey) {
    let index = arrivals.firstIndex {
      guard case .join = $0.wish else { return false }
      return $0.isAsked && $0.peer == peer && $0.genesis == nil
    }
    guard let index else { return }
    fail(
      arrivals.remove(at: index), "unknownGame",
      "Your Tabletalk cannot read this table, most likely because it is for a newer one. Update it, then try again."
    )
  }

  /// Reads a genesis and checks its signatures; nil for one that does not hold.
  mutating func genesis(_ bytes: [UInt8]) -> Genesis? {
    do {
      let genesis = try Genesis(decoding: bytes)
      _ = try genesis.verified(by: Ed25519())
      return genesis
    } catch {
      counter.count("genesis.refused")
      return nil
    }
  }

  mutating func take(_ genesis: Genesis, at index: Int) {
    guard arrivals[index].genesis == nil else { return }
    if isHere(genesis.table, for: arrivals[index]) {
      let arrival = arrivals.remove(at: index)
      if let id = arrival.command { answer(id, .accepted(table: genesis.table)) }
      return
    }
    arrivals[index].genesis = genesis
    effects.append(.makeKeys(arrivals[index].request, pretend: 0, withSecret: false))
  }

  /// Asks the table for a seat, in the words of its log.
  ///
  /// Who was refused, or left the lobby, sits down with fresh keys as somebody new.
  mutating func sitDown(
    at genesis: Genesis, as name: String, with keys: TableKeys, by arrival: Arrival
  ) {
    let command = arrival.command
    var session = TableSession(
      genesis: genesis, keys: keys, secret: arrival.wish.secret, seed: noise.next(), now: now)
    // Who has answered has shown the secret, and has seen it shown.
    if let peer = arrival.peer {
      session.admit(peer)
      // Its log is taken from whoever told of it, before it says who sits there.
      if peer != session.creator { session.follow(peer, until: now + Peer.newcomerPatience) }
    }
    session.isJoining = true
    session.isFollowed = command == nil
    session.isWitness = arrival.isWatching
    session.isWatcher = arrival.isWatching
    if let old = place(ofTable: genesis.table) {
      guard !isHere(genesis.table, for: arrival) else {
        if let command { answer(command, .accepted(table: genesis.table)) }
        return
      }
      let old = sessions.remove(at: old)
      if old.mayHelpAgain { session.aside = [old] }
      // What a seat that was left still has to say, that it is left, goes on.
      if old.refusal == nil { session.inherit(from: old) }
      let inherited = session.outbox.drafts.map(\.draft)
      for draft in old.outbox.drafts where !inherited.contains(draft.draft) {
        persist(Outbox.deletion(of: draft.draft))
      }
    }
    let index = open(session)
    for link in switchboard.links where link.peer != arrival.peer { prove(index, on: link) }
    for draft in sessions[index].outbox.drafts {
      guard let entry = draft.entry, let verified = try? entry.verified(by: Ed25519()) else {
        continue
      }
      stepReplica(index, .submitted(verified))
    }
    let own = alias(of: me, at: index)
    let member = Act.Join(
      identity: own, voter: keys.voter, generation: 0,
      name: genesis.draft.isAnonymous ? Moniker.name(of: own) : name)
    let join = arrival.isWatching ? Act.watch(member) : Act.join(member)
    if let refusal = author(join, for: command, at: index), let command {
      refuse(command, refusal.code, refusal.message)
    }
  }

  mutating func hearRefusal(
    _ table: TableID?, _ entry: Digest?, code: String, from peer: PublicKey
  ) {
    let (code, message) = Denial.known(code)
    if let entry, let table,
      let index = sessions.firstIndex(where: { $0.id == table && $0.isJoining }),
      isMember(peer, of: index),
      sessions[index].outbox.pending(of: sessions[index].keys.player).contains(where: {
        Digest(ofBytes: $0.draft.signedBytes) == entry
      })
    {
      joinRefused(code, message, at: index)
      return
    }
    if code == Denial.noWitness.rawValue { return witnessDenied(by: peer, table) }
    searchDenied(by: peer, table, code, message)
    let refused = arrivals.filter { $0.peer == peer && $0.isAsked && $0.isAbout(table) }
    for arrival in refused { fail(arrival, code, message) }
    arrivals.removeAll { arrival in refused.contains { $0.request == arrival.request } }
  }

  /// The page shows why until it is put away; the disk forgets the table at once, so that no later
  /// start asks for the seat again.
  mutating func joinRefused(_ code: String, _ message: String, at index: Int) {
    if helpAgain(code, message, at: index) || seeksOn(from: code, at: index) { return }
    sessions[index].refusal = (code, message)
    sessions[index].isPutAway = sessions[index].isWitness && !sessions[index].isWatcher
    reconcileLinks(index)
    for record in sessions[index].forgetting { persist(record) }
    isChanged = true
  }

  // MARK: Being asked

  mutating func answerFind(code: Int, to peer: PublicKey) {
    guard
      let session = session(answering: code)
    else {
      send(.refusal(nil, nil, code: Denial.wrongCode.rawValue), to: peer)
      return
    }
    answer(session, to: peer, with: .genesis(session.genesis.encoded))
  }

  /// The table to tell of; of two with one code, one that goes on from the other, the later.
  private func session(answering code: Int) -> TableSession? {
    let fitting = sessions.filter {
      $0.genesis.draft.code == code && !$0.isPrivate && !$0.isLocal && $0.isSatAt && !$0.isJoining
    }
    return fitting.last { !$0.isOver } ?? fitting.last
  }

  mutating func answerGet(_ table: TableID, to peer: PublicKey) {
    guard
      let index = place(ofTable: table), isKnown(index, to: peer), !sessions[index].isLocal,
      sessions[index].refusal == nil, !sessions[index].isJoining
    else {
      send(.refusal(table, nil, code: Denial.tableGone.rawValue), to: peer)
      return
    }
    let session = sessions[index]
    answer(session, to: peer, with: .genesis(session.genesis.encoded))
  }

  /// Tells of a table, if the asker sits there or a seat is free, and else why not.
  mutating func answer(
    _ session: TableSession, to peer: PublicKey, with found: @autoclosure () -> LinkMessage
  ) {
    if session.hasSeat(peer) || session.table.isOpen || session.table.mayBeWatched {
      send(found(), to: peer)
      // Who asks a guest is led to the laptop that can give a seat.
      if !session.isMine(me), let address = address(of: session.creator), address.host.isShareable {
        send(.whereabouts([Whereabouts(session.creator, address)]), to: peer)
      }
      return
    }
    let refusal: Refusal =
      switch session.table.phase {
      case .lobby: session.table.isLocked ? .tableLocked : .tableFull
      case .starting, .dealing, .playing: .tableStarted
      case .over, .cancelled: .tableOver
      }
    send(.refusal(session.id, nil, code: refusal.code), to: peer)
  }

  /// A join that the rules refuse enters no log; its node is told why (CONSENSUS 1.3).
  mutating func refuseJoin(_ entry: Entry, at index: Int, from peer: PublicKey) -> Bool {
    let table = sessions[index].table
    guard entry.sequence == 0, entry.author != sessions[index].keys.player,
      !table.standsIn(entry.author),
      case .never(let code) = table.admission(of: entry)
    else { return false }
    send(.refusal(sessions[index].id, entry.id, code: code), to: peer)
    return true
  }

  /// Joins that were taken in and that the log has no place for any more.
  mutating func answerJoins(_ index: Int) {
    for (join, peer) in sessions[index].joins {
      let isSeated = sessions[index].table.standsIn(join.author)
      guard isSeated || refuseJoin(join, at: index, from: peer) else { continue }
      sessions[index].joins.removeAll { $0.join == join }
    }
  }
}

/// What a node that is asked for a table may say, besides the table's own refusals.
enum Denial: String, CaseIterable {
  case wrongCode
  case tableGone
  case noWitness

  /// For people.
  var sentence: String {
    switch self {
    case .wrongCode:
      "The laptop at this address has no table with this code. Ask for the invitation once more."
    case .noWitness: "This laptop does not help others to agree. Ask another one."
    case .tableGone: "This table is not open any more. Choose another, or make one."
    }
  }

  /// A code from another node, with our own sentence for it.
  static func known(_ code: String) -> (code: String, message: String) {
    if let denial = Denial(rawValue: code) { return (code, denial.sentence) }
    guard let refusal = Refusal(rawValue: code) else {
      return ("joinRefused", "The other laptop did not let you in. Ask its owner why.")
    }
    return (code, refusal.sentence)
  }
}
