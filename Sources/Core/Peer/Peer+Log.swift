import CBOR
import Consensus
import Discovery
import Games
import Table
import Wire

/// Between the node and the replicas of its tables.
extension Peer {
  /// Steps the replica of a table, with what waits for it before, and does what it asks.
  mutating func stepReplica(_ index: Int, _ event: Event) {
    sessions[index].inbox.append(event)
    stepReplica(index)
  }

  /// Steps the replica of a table with what waits for it.
  mutating func stepReplica(_ index: Int) {
    guard !sessions[index].inbox.isEmpty else { return }
    let events = sessions[index].inbox
    sessions[index].inbox = []
    sessions[index].replica.shows(time: wall)
    let before = sessions[index].replica.recoveryMark
    for effect in sessions[index].replica.step(events) { perform(effect, of: index) }
    if sessions[index].replica.recoveryMark != before { isChanged = true }
  }

  private mutating func perform(_ effect: Effect, of index: Int) {
    switch effect {
    case .persist(let record, let replicaIndex):
      var key = sessions[index].id.bytes
      key.append(record.kind.rawValue)
      key += record.key
      let own = persist(StoredRecord(.log, key: key, value: record.value, isLazy: record.isLazy))
      sessions[index].writing.append((own, replicaIndex))
    case .sign(let statement):
      effects.append(
        .sign(
          .statement(sessions[index].id, statement), bytes: statement.signedBytes,
          with: [statement.voter]))
    case .send(let message, let recipients): send(message, to: recipients, of: index)
    case .wake(let time): sessions[index].wakeAt = time
    case .committed(let block, let outcomes): committed(block, outcomes, at: index)
    case .recovered(let recovery, let place): recovered(recovery, at: place, of: index)
    case .accuse(let evidence):
      sessions[index].counter.count("evidence")
      log(
        .warning,
        "a voter of table \(sessions[index].id) is proven to have lied: \(evidence.culprit)")
      isChanged = true
    case .refused(let code):
      sessions[index].counter.count(code)
      isChanged = true
    }
  }

  private mutating func send(_ message: TableMessage, to recipients: Recipients, of index: Int) {
    guard !sessions[index].genesis.draft.practice else { return }
    sessions[index].countTraffic(message)
    switch recipients {
    case .peer(let peer):
      send(.table(message), to: sessions[index].aliases?.laptop(of: peer) ?? peer)
    case .all:
      let frame = LinkMessage.table(message).frame
      for link in switchboard.links where isMember(link.peer, of: index) {
        effects.append(.send(frame, on: link.id))
      }
    }
  }

  /// A message about a log, from the peer at the other end of a link.
  mutating func hear(_ message: TableMessage, from peer: PublicKey) {
    guard
      let index = place(ofTable: message.table), isKnown(index, to: peer)
    else {
      // Where a member stands rides in its keepalive, at a table that I put away too.
      if case .status = message { return }
      counter.count("table.unknown")
      return
    }
    if !isMember(peer, of: index) {
      guard mayFollow(message, at: index) else {
        // Who has left a table that is over, too, can say that it is.
        if case .entry(let entry) = message, !sessions[index].isJoining,
          sessions[index].isSatAt || sessions[index].isOver,
          refuseJoin(entry, at: index, from: peer)
        {
          return
        }
        sessions[index].counter.count("notMember")
        return
      }
      sessions[index].follow(peer, until: now + Peer.newcomerPatience)
      reconcileLinks(index)
    }
    sessions[index].countTraffic(message)
    switch sessions[index].replica.interest(in: message, from: alias(of: peer, at: index)) {
    case .wanted: break
    case .known: return
    case .surplus:
      if case .vote(let vote) = message { sessions[index].putOff(vote, from: peer, at: now) }
      return
    case .unasked(let code):
      sessions[index].counter.count(code)
      isChanged = true
      return
    }
    take(message, from: peer, at: index)
  }

  /// Looks at the votes that were put off, the latest first: once all are known to have voted for a
  /// block, those for what it stands on are worth nothing.
  mutating func takePutOff(_ index: Int, atOnce: Bool = false) {
    guard let due = sessions[index].putOffDueAt, atOnce || now >= due else { return }
    let votes = sessions[index].putOff
    sessions[index].putOff = []
    sessions[index].putOffDueAt = nil
    for (vote, peer) in votes.reversed() where !sessions[index].replica.isSuperseded(vote) {
      take(.vote(vote), from: peer, at: index)
      stepReplica(index)
    }
  }

  /// Verifies a message of a member; what holds is for the replica.
  private mutating func take(_ message: TableMessage, from peer: PublicKey, at index: Int) {
    let verified: Verified<TableMessage>
    do {
      verified = try message.verified(by: RememberingChecker(known, before: Ed25519()))
    } catch {
      sessions[index].counter.count(error.code)
      isChanged = true
      return
    }
    known.note(verified)
    note(message, from: peer, at: index)
    if case .entry(let entry) = message, entry.sequence == 0 {
      guard isWelcome(entry, at: index) else { return }
      guard !refuseJoin(entry, at: index, from: peer) else { return }
      sessions[index].note(join: entry, from: peer)
      passOn(newcomer: entry, from: peer, at: index)
    }
    sessions[index].inbox.append(.received(verified, from: alias(of: peer, at: index)))
  }

  /// Who is behind learns it now, not with the next keepalive, and asks for the rest at once.
  mutating func catchUp(_ peer: PublicKey, from status: Status) {
    guard let index = place(ofTable: status.table),
      isMember(peer, of: index), status.height < sessions[index].replica.finalHeight
    else { return }
    send(.table(.status(sessions[index].replica.status)), to: peer)
  }

  /// Whether somebody who has no seat may ask for the log, or for a seat: at an open lobby, and where people
  /// may come late or look on.
  private func mayFollow(_ message: TableMessage, at index: Int) -> Bool {
    let table = sessions[index].table
    guard table.phase == .lobby || table.isOpen || table.mayBeWatched, !sessions[index].isLocal,
      sessions[index].isSatAt, !sessions[index].isJoining
    else { return false }
    switch message {
    case .getChain, .status: return true
    case .entry(let entry): return entry.sequence == 0
    default: return false
    }
  }

  private mutating func note(_ message: TableMessage, from peer: PublicKey, at index: Int) {
    guard case .status(let status) = message else { return }
    if let row = sessions[index].standings.firstIndex(where: { $0.peer == peer }) {
      if sessions[index].standings[row].status != status { isChanged = true }
      sessions[index].standings[row].status = status
    } else {
      sessions[index].standings.append(
        TableSession.Standing(peer: peer, status: status, since: now))
      isChanged = true
    }
  }

  // MARK: Final blocks

  private mutating func committed(_ block: Block, _ outcomes: [Outcome], at index: Int) {
    isChanged = true
    sessions[index].hasNews = true
    sessions[index].hasNewMembers = true
    sessions[index].seenAt.append((block.height, now))
    if sessions[index].seenAt.count > 4_096 { sessions[index].seenAt.removeFirst(1_024) }
    for entry in sessions[index].enter(block, outcomes) { effects.append(.agreed(entry)) }
    for (entry, outcome) in zip(block.entries, outcomes) {
      noteNewcomer(entry, at: index)
      guard
        let draft = sessions[index].outbox.final(
          author: entry.author, sequence: entry.sequence)
      else { continue }
      if case .void(let code) = outcome { noteVoid(draft, code: code, at: index) }
    }
    noteHandedOn(block, at: index)
    answerJoins(index)
  }

  private mutating func noteNewcomer(_ entry: Entry, at index: Int) {
    guard entry.sequence == 0 else { return }
    switch try? Act(decoding: entry.body) {
    case .join(let join), .witness(let join):
      let laptop = sessions[index].laptop(of: join.identity)
      guard sessions[index].linked.contains(laptop) else { return }
      sessions[index].newcomers.append(laptop)
    default: return
    }
  }

  private mutating func noteVoid(_ draft: Outbox.Draft, code: String, at index: Int) {
    guard let command = draft.command else { return }
    noteRefusal(of: command, code: code, message: Refusal.sentence(of: code), at: index)
  }

  // MARK: Signatures

  mutating func signed(_ purpose: Purpose, _ signatures: [KeySignature]) {
    guard let first = signatures.first else { return }
    switch purpose {
    case .beacon(let draft): beaconSigned(draft, first.signature)
    case .genesis(let handle): genesisSigned(handle, signatures)
    case .entry(let table, let author, let sequence):
      entrySigned(table, author, sequence, signatures)
    case .statement(let table, let statement):
      guard let index = place(ofTable: table) else { return }
      do {
        let signed = try statement.signed(with: first.signature, checker: OwnKeys())
        if case .vote(let vote) = signed { known.note(vote) }
        sessions[index].inbox.append(.signed(signed))
      } catch {
        log(.error, "an own signature does not hold: \(error.code)")
      }
    }
  }

  private mutating func entrySigned(
    _ table: TableID, _ author: PublicKey, _ sequence: UInt64, _ signatures: [KeySignature]
  ) {
    guard let index = place(ofTable: table),
      let draft = sessions[index].outbox.open(author: author, sequence: sequence)?.draft
    else { return }
    let own = signatures.first { $0.key == author }
    guard let own else { return }
    let entry = Entry(
      draft: draft, signature: own.signature,
      cosignatures: signatures.filter { $0.key != author })
    do {
      let verified = try entry.verified(by: OwnKeys())
      known.note(verified)
      sessions[index].outbox.signed(entry)
      sessions[index].inbox.append(.submitted(verified))
    } catch {
      log(.error, "an own signature does not hold: \(error.code)")
    }
  }

  /// Passes on that records are durable, to the replica and to own entries that waited for it.
  mutating func sessionPersisted(_ index: Int) {
    var through: UInt64?
    while let first = sessions[index].writing.first, first.index <= durable {
      through = first.replicaIndex
      sessions[index].writing.removeFirst()
    }
    if let through { sessions[index].inbox.append(.persisted(through: through)) }
    signDurable(index)
  }

  /// Has the own entries signed whose place is durable.
  mutating func signDurable(_ index: Int) {
    guard trouble == nil, sessions[index].mayAuthor else { return }
    for draft in sessions[index].outbox.takeDurable(through: durable) {
      if draft.draft.sequence == 0, let book = sessions[index].aliases { hold(book.alias) }
      effects.append(
        .sign(
          .entry(
            draft.draft.table, author: draft.draft.author, sequence: draft.draft.sequence),
          bytes: draft.draft.signedBytes,
          with: sessions[index].signers(of: draft.draft, me: me)))
    }
  }
}

extension TableSession {
  /// Adds a final block to the log; returns the new rows.
  mutating func enter(_ block: Block, _ outcomes: [Outcome]) -> [AgreedEntry] {
    var rows: [AgreedEntry] = []
    func row(
      hash: Digest, author: PublicKey?, kind: String, outcome: String, code: String?
    ) -> AgreedEntry {
      AgreedEntry(
        table: id.hex, index: log.count + rows.count, height: block.height, hash: hash.hex,
        author: author?.hex, kind: kind, outcome: outcome, code: code)
    }
    for (entry, outcome) in zip(block.entries, outcomes) {
      let kind = (try? Act(decoding: entry.body))?.kind ?? "unknown"
      switch outcome {
      case .done:
        rows.append(
          row(hash: entry.id, author: entry.author, kind: kind, outcome: "done", code: nil))
      case .void(let code):
        rows.append(
          row(hash: entry.id, author: entry.author, kind: kind, outcome: "void", code: code))
      }
    }
    for deadline in block.deadlines {
      rows.append(
        row(hash: deadline.id, author: nil, kind: "deadline", outcome: "done", code: nil))
    }
    if block.isSeal {
      rows.append(row(hash: block.hash, author: nil, kind: "voters", outcome: "done", code: nil))
    }
    log += rows
    return rows
  }

  /// Counts what belongs to the consensus itself; where one stands rides in the keepalive.
  mutating func countTraffic(_ message: TableMessage) {
    if case .status = message { return }
    traffic += 1
  }
}
