import CBOR
import Consensus
import Discovery
import Games
import Table
import Wire

/// A table that this node is making, or is asking to sit down at.
struct Arrival: Sendable {
  /// What is wanted.
  enum Wish: Sendable {
    /// A table of one's own: everything but its keys.
    case make(TablePlan)
    /// A seat at somebody's table, known by its code or by its name.
    case join(code: Int?, table: TableID?)
  }

  /// How long somebody asked is waited for.
  static let patience: Milliseconds = 10_000

  let request: KeyRequest
  let wish: Wish
  /// Nil where no player asked: a successor that is followed by itself.
  let command: CommandID?
  let startedAt: Milliseconds
  /// Whom to ask, and where.
  var address: Address?
  var peer: PublicKey?
  /// The question has gone out on a link.
  var isAsked = false
  /// What is to be joined, once it is known.
  var genesis: Genesis?
  /// What is to be signed, once the keys are there.
  var draft: Genesis.Draft?
  var keys: TableKeys?
}

/// Making tables, finding them, and sitting down.
extension Peer {
  // MARK: Making one

  mutating func create(_ command: GameCommand, title: String, game: GameKind, id: CommandID) {
    do throws(IllegalMove) {
      let made = try AnySetup.make(game, from: command)
      let plan = try TablePlan(
        title: title, setup: made, hostName: name ?? "", code: freshCode(), nonce: freshNonce())
      if let own = made.own {
        lastWords = own
        persist(TablePlan.record(ofLastWords: own))
      }
      make(plan, for: id)
    } catch {
      refuse(id, error.code, error.sentence)
    }
  }

  mutating func tryItNow(id: CommandID) {
    do throws(IllegalMove) {
      let made = try AnySetup.make(.bingo, from: PretendColleague.practice)
      make(TablePlan(practice: made, code: freshCode(), nonce: freshNonce()), for: id)
    } catch {
      refuse(id, error.code, error.sentence)
    }
  }

  /// Has the keys made for a table of one's own; the rest follows when they are there.
  mutating func make(_ plan: TablePlan, for id: CommandID?) {
    let request = freshRequest()
    arrivals.append(Arrival(request: request, wish: .make(plan), command: id, startedAt: now))
    effects.append(.makeKeys(request, pretend: plan.pretendNames.count))
  }

  private mutating func freshRequest() -> KeyRequest {
    defer { nextRequest += 1 }
    return nextRequest
  }

  /// A code that no table known here has.
  mutating func freshCode() -> Int {
    while true {
      let code = noise.below(100_000)
      if roster.table(code: code).isEmpty,
        !sessions.contains(where: { $0.genesis.draft.code == code })
      {
        return code
      }
    }
  }

  /// Sixteen bytes that no other table has.
  mutating func freshNonce() -> [UInt8] {
    Array(Digest(.draw, me.cbor, .unsigned(noise.next()), .unsigned(noise.next())).bytes.prefix(16))
  }

  mutating func keysMade(_ request: KeyRequest, _ keys: TableKeys) {
    guard let index = arrivals.firstIndex(where: { $0.request == request }), let name else {
      return
    }
    arrivals[index].keys = keys
    switch arrivals[index].wish {
    case .make(let plan):
      let draft = plan.draft(identity: me, name: name, keys: keys)
      arrivals[index].draft = draft
      effects.append(
        .sign(.genesis(request), bytes: draft.signedBytes, with: draft.creator.keys))
    case .join:
      let arrival = arrivals.remove(at: index)
      guard let genesis = arrival.genesis else { return }
      let session = open(genesis, keys: keys, duplicates: 0, isJoining: true)
      let join = Act.join(
        Act.Join(identity: me, voter: keys.voter, generation: 0, name: name))
      _ = author(join, for: arrival.command, at: session)
    }
  }

  mutating func genesisSigned(_ request: KeyRequest, _ signatures: [KeySignature]) {
    guard let index = arrivals.firstIndex(where: { $0.request == request }) else { return }
    let arrival = arrivals.remove(at: index)
    guard let draft = arrival.draft, let keys = arrival.keys, case .make(let plan) = arrival.wish
    else { return }
    let genesis: Genesis
    do {
      genesis = try Genesis(draft: draft, signatures: signatures)
    } catch {
      log(.error, "a table could not be made: \(error.rawValue)")
      fail(arrival, error.rawValue, "The table could not be made. Try again.")
      return
    }
    let session = open(genesis, keys: keys, duplicates: plan.duplicates, isJoining: false)
    if let command = arrival.command {
      waitingReplies.append((command, nextRecord - 1, .accepted(table: genesis.table)))
    }
    announceSuccessor(session)
    if plan.isPractice { _ = author(.start, at: session) }
  }

  /// Begins to take part in a table; returns its index.
  private mutating func open(
    _ genesis: Genesis, keys: TableKeys, duplicates: Int, isJoining: Bool
  ) -> Int {
    var session = TableSession(genesis: genesis, keys: keys, seed: noise.next(), now: now)
    session.duplicates = duplicates
    session.isJoining = isJoining
    persist(session.record)
    sessions.append(session)
    isChanged = true
    return sessions.count - 1
  }

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
      if let own = sessions.first(where: { $0.genesis.draft.code == code && !$0.isOver }) {
        answer(id, .accepted(table: own.id))
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
      if let own = sessions.first(where: { $0.genesis.draft.code == code && !$0.isOver }) {
        answer(id, .accepted(table: own.id))
      } else {
        ask(.join(code: code, table: nil), of: nil, at: address, id: id)
      }
    case .node(let address):
      if !guests.contains(address) { guests.append(address) }
      answer(id, .joining)
    }
  }

  mutating func join(_ table: TableID, id: CommandID) {
    if sessions.contains(where: { $0.id == table }) {
      answer(id, .accepted(table: table))
      return
    }
    let host = roster.neighbours.first { $0.beacon.tables.contains { $0.table == table } }
    guard let host else {
      refuse(id, "tableGone", "This table is not open any more. Choose another, or make one.")
      return
    }
    ask(.join(code: nil, table: table), of: host.beacon.identity, at: host.address, id: id)
  }

  mutating func ask(
    _ wish: Arrival.Wish, of peer: PublicKey?, at address: Address?, id: CommandID?
  ) {
    guard arrivals.count < 16 else {
      if let id { refuse(id, "busy", "Wait for the tables you asked for, then try again.") }
      return
    }
    var arrival = Arrival(request: freshRequest(), wish: wish, command: id, startedAt: now)
    arrival.peer = peer
    arrival.address = address
    arrivals.append(arrival)
    if let peer, let link = switchboard.link(to: peer) { askOver(link, arrivals.count - 1) }
  }

  private mutating func askOver(_ link: Switchboard.Link, _ index: Int) {
    guard !arrivals[index].isAsked, case .join(let code, let table) = arrivals[index].wish else {
      return
    }
    arrivals[index].isAsked = true
    arrivals[index].peer = link.peer
    if let table {
      send(.get(table), on: link.id)
    } else if let code {
      send(.find(code: code), on: link.id)
    }
  }

  /// Asks whoever a link has come up to; again, if the question went down with another link.
  mutating func arrivalLinkUp(_ peer: PublicKey, remote: Address, outbound: Bool) {
    guard let link = switchboard.link(to: peer) else { return }
    for index in arrivals.indices
    where arrivals[index].peer == peer
      || (arrivals[index].peer == nil && outbound && arrivals[index].address == remote)
    {
      if arrivals[index].genesis == nil { arrivals[index].isAsked = false }
      askOver(link, index)
    }
    if outbound { guests.removeAll { $0 == remote } }
  }

  mutating func arrivalDialFailed(_ address: Address) {
    for arrival in arrivals where arrival.address == address && arrival.peer == nil {
      fail(
        arrival, "nobodyThere",
        "Nobody answers at \(address). Check the invitation, and that both laptops are on one network."
      )
    }
    arrivals.removeAll { $0.address == address && $0.peer == nil }
  }

  private mutating func fail(_ arrival: Arrival, _ code: String, _ message: String) {
    isChanged = true
    guard let id = arrival.command else { return }
    refuse(id, code, message)
    refusals.append(Refused(command: id.text, table: "", code: code, message: message))
    if refusals.count > Peer.refusalsShown { refusals.removeFirst() }
  }

  mutating func advanceArrivals() {
    let late = arrivals.filter {
      guard case .join = $0.wish else { return false }
      return now >= $0.startedAt + Arrival.patience
    }
    guard !late.isEmpty else { return }
    for arrival in late {
      fail(
        arrival, "noAnswer",
        "The laptop with this table does not answer. Ask its owner whether it is awake, then try again."
      )
    }
    arrivals.removeAll { arrival in late.contains { $0.request == arrival.request } }
  }

  // MARK: Being asked

  mutating func answerFind(code: Int, to peer: PublicKey) {
    guard
      let session = sessions.last(where: {
        $0.genesis.draft.code == code && !$0.isLocal && !$0.isPutAway
      })
    else {
      send(.refusal(nil, nil, code: "wrongCode"), to: peer)
      return
    }
    answer(session, to: peer)
  }

  mutating func answerGet(_ table: TableID, to peer: PublicKey) {
    guard let session = sessions.first(where: { $0.id == table && !$0.isLocal }) else {
      send(.refusal(table, nil, code: "tableGone"), to: peer)
      return
    }
    answer(session, to: peer)
  }

  private mutating func answer(_ session: TableSession, to peer: PublicKey) {
    if session.members.contains(peer) || session.table.isOpen {
      send(.genesis(session.genesis.encoded), to: peer)
      return
    }
    let refusal: Refusal =
      switch session.table.phase {
      case .lobby: .tableFull
      case .starting, .dealing, .playing: .tableStarted
      case .over, .cancelled: .tableOver
      }
    send(.refusal(session.id, nil, code: refusal.code), to: peer)
  }

  mutating func hearGenesis(_ bytes: [UInt8], from peer: PublicKey) {
    let genesis: Genesis
    do {
      genesis = try Genesis(decoding: bytes)
      _ = try genesis.verified(by: Ed25519())
    } catch {
      counter.count("genesis.refused")
      return
    }
    if let index = arrivals.firstIndex(where: { $0.isAsked && $0.peer == peer && $0.fits(genesis) })
    {
      take(genesis, at: index)
    } else {
      hearSuccessor(genesis, from: peer)
    }
  }

  private mutating func take(_ genesis: Genesis, at index: Int) {
    guard arrivals[index].genesis == nil else { return }
    if let known = sessions.firstIndex(where: { $0.id == genesis.table }) {
      let arrival = arrivals.remove(at: index)
      sessions[known].hasQuit = false
      if let id = arrival.command { answer(id, .accepted(table: genesis.table)) }
      return
    }
    arrivals[index].genesis = genesis
    effects.append(.makeKeys(arrivals[index].request, pretend: 0))
  }

  mutating func hearRefusal(
    _ table: TableID?, _ entry: Digest?, code: String, from peer: PublicKey
  ) {
    let message = Refusal.sentence(of: code)
    if let entry, let table,
      let index = sessions.firstIndex(where: { $0.id == table && $0.isJoining }),
      sessions[index].outbox.drafts.contains(where: {
        Digest(ofBytes: $0.draft.signedBytes) == entry
      })
    {
      sessions[index].refusal = (code, message)
      isChanged = true
      return
    }
    let refused = arrivals.filter { arrival in
      guard arrival.peer == peer, arrival.isAsked, case .join(_, let wanted) = arrival.wish else {
        return false
      }
      return table == nil ? wanted == nil : wanted == nil || wanted == table
    }
    for arrival in refused { fail(arrival, code, message) }
    arrivals.removeAll { arrival in refused.contains { $0.request == arrival.request } }
  }
}

extension Arrival {
  /// Whether a genesis is what was asked for.
  fileprivate func fits(_ genesis: Genesis) -> Bool {
    guard case .join(let code, let table) = wish else { return false }
    if let table { return genesis.table == table }
    return code == genesis.draft.code
  }
}
