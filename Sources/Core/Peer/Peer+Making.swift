import CBOR
import Consensus
import Discovery
import Games
import Table
import Wire

/// Making tables.
extension Peer {
  mutating func create(
    _ command: GameCommand, title: String, access: TableAccess, game: GameKind, id: CommandID
  ) {
    do throws(IllegalMove) {
      let made = try AnySetup.make(game, from: command)
      let plan = try TablePlan(
        title: title, setup: made, access: access, hostName: name ?? "", code: freshCode(),
        nonce: freshNonce())
      if let own = made.own {
        lastWords = own
        persist(TablePlan.record(ofLastWords: own))
      }
      make(plan, for: id)
    } catch {
      refuse(id, error.code, error.sentence)
    }
  }

  mutating func practise(_ command: GameCommand, game: GameKind, id: CommandID) {
    do throws(IllegalMove) {
      let made = try AnySetup.practice(game, from: command)
      putAwayTryOuts()
      make(
        TablePlan(
          practice: made.setup, title: made.title, pretendNames: made.pretendNames,
          code: freshCode(), nonce: freshNonce()),
        for: id)
    } catch {
      refuse(id, error.code, error.sentence)
    }
  }

  /// Nobody comes back to a round against pretend colleagues that is over.
  private mutating func putAwayTryOuts() {
    for index in sessions.indices
    where sessions[index].isLocal && sessions[index].isOver && !sessions[index].isPutAway {
      sessions[index].isPutAway = true
      persist(sessions[index].record)
    }
  }

  /// Has the keys made for a table of one's own; the rest follows when they are there.
  mutating func make(_ plan: TablePlan, for id: CommandID?) {
    let request = freshRequest()
    arrivals.append(Arrival(request: request, wish: .make(plan), command: id, startedAt: now))
    effects.append(
      .makeKeys(
        request, pretend: plan.pretendNames.count,
        withSecret: plan.isPrivate && plan.secret == nil))
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

  mutating func keysMade(
    _ request: KeyRequest, _ keys: TableKeys, _ secret: TableSecret?
  ) {
    heldKeys += keys.all
    guard let index = arrivals.firstIndex(where: { $0.request == request }), let name else {
      return
    }
    switch arrivals[index].wish {
    case .make(let plan):
      let secret = plan.secret ?? secret
      let draft = plan.draft(identity: me, name: name, keys: keys, secret: secret)
      arrivals[index].keys = keys
      arrivals[index].secret = secret
      arrivals[index].draft = draft
      if let alias = plan.alias(secret) { hold(alias) }
      effects.append(
        .sign(.genesis(request), bytes: draft.signedBytes, with: draft.creator.keys))
    case .join, .joinPrivate:
      let arrival = arrivals.remove(at: index)
      if let genesis = arrival.genesis { sitDown(at: genesis, as: name, with: keys, by: arrival) }
    case .witness:
      let arrival = arrivals.remove(at: index)
      if let genesis = arrival.genesis { witness(genesis, as: name, with: keys) }
    case .rekey(let table):
      arrivals.remove(at: index)
      voterMade(keys.voter, for: table)
    case .meet, .invite, .offer, .give: arrivals.remove(at: index)
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
    var session = TableSession(
      genesis: genesis, keys: keys, secret: arrival.secret, seed: noise.next(), now: now)
    session.duplicates = plan.duplicates
    session.madeBy = arrival.command
    session.isFollowed = genesis.draft.previous != nil
    let position = open(session)
    if let command = arrival.command {
      waitingReplies.append((command, nextRecord - 1, .accepted(table: genesis.table)))
    }
    announceSuccessor(position)
    if plan.isPractice { _ = author(.start, at: position) }
  }

  /// Begins to take part in a table; returns its index.
  mutating func open(_ session: TableSession) -> Int {
    // Others can ask for it by its code from now on: a beacon says so at once.
    surveyDueAt = 0
    persist(session.record)
    dropInvites(to: session.id)
    sessions.append(session)
    noteLaptops()
    isChanged = true
    return sessions.count - 1
  }
}
