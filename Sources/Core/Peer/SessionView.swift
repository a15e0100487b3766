import Consensus
import Discovery
import Games
import Table
import Wire

/// A table as the page sees it: what the log knows, completed by what this laptop knows.
package struct SessionView: Encodable, Sendable {
  /// For the curious: the only place for the terms of the protocol.
  package struct Details: Encodable, Sendable {
    let tableID: TableID
    let epoch: UInt64
    let view: UInt64
    let height: UInt64
    let tip: Digest
    let stateHash: Digest
    let finalVotes: Int
    let voters: Int
    let quorum: Int
    let refused: Counter
    let messages: Int
  }

  /// The table that one goes on from, and how it came to that.
  package struct Previous: Encodable, Sendable, Hashable {
    let id: TableID
    let kind: String
  }

  /// Laptops nearby that could help to agree at a table in its lobby.
  package struct Inviting: Encodable, Sendable, Hashable {
    /// Somebody is nearby.
    let possible: Bool
    /// Names of those who have been asked and have not answered, and of those who have said no.
    let asked: [String]
    let refused: [String]
  }

  var table: TableView
  var details: Details
  @OrNull var inviting: Inviting?
  /// Ways on which some of the table went on without the others.
  var wentOn: [TableView.Waiting]
  /// People nearby who were asked to sit down and have not.
  var asked: [PageState.Asked]
  var sign: PageState.MyTable.Sign?
  /// The table that it goes on from.
  @OrNull var previous: Previous?

  private enum CodingKeys: CodingKey {
    case details, inviting, wentOn, asked, previous
  }

  package func encode(to encoder: any Encoder) throws {
    try table.encode(to: encoder)
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(details, forKey: .details)
    try container.encode(inviting, forKey: .inviting)
    try container.encode(wentOn, forKey: .wentOn)
    try container.encode(asked, forKey: .asked)
    try container.encode(previous, forKey: .previous)
  }
}

extension Peer {
  func sessionView(_ session: TableSession) -> SessionView {
    var view = shownTable(session).view(for: session.keys.player)
    view.play.fill(session.knowledge(at: now))
    fillPeople(&view, session)
    fillTimes(&view, session)
    view.phase = phase(of: session)
    if session.wantsRematch { view.result?.rematch.mine = true }
    view.refusal = session.refusal.map { TableView.Notice(code: $0.code, message: $0.message) }
    view.invitation = invitation(to: session)
    view.waiting = waiting(session)
    view.proofs = session.proofs
    view.chat = chatView(session)
    view.maySay = session.isChatting
    view.successor = session.shownSuccessor.map {
      TableView.Successor(
        id: $0.id, code: Invitation.digits($0.code), hostName: $0.hostName,
        kind: $0.kind.name)
    }
    let finality = session.replica.finality(at: session.replica.finalHeight)
    let details = SessionView.Details(
      tableID: session.id, epoch: session.replica.epoch.number, view: session.replica.view,
      height: session.replica.finalHeight, tip: session.replica.finalTip,
      stateHash: session.table.stateHash, finalVotes: finality?.signatures ?? 0,
      voters: session.replica.epoch.voters.count, quorum: session.replica.epoch.quorum,
      refused: session.counter, messages: session.traffic)
    let wentOn = wentOn(session)
    return SessionView(
      table: view, details: details, inviting: inviting(session), wentOn: wentOn,
      asked: session.asked.filter { !session.hasSeat($0.key) }.map {
        PageState.Asked(key: $0.key, name: $0.name, declined: $0.declined)
      },
      sign: sign(view, wentOn: wentOn),
      previous: session.genesis.draft.previous.map {
        SessionView.Previous(id: $0.table, kind: $0.kind.name)
      })
  }

  /// The final table, in a lobby with the own wishes that are on their way.
  ///
  /// They are shown as the player meant them. What a game decides is never shown before it is final.
  private func shownTable(_ session: TableSession) -> Table {
    guard session.table.phase == .lobby else { return session.table }
    var table = session.table
    for (index, pending) in session.outbox.pending(of: session.keys.player).enumerated() {
      guard let act = try? Act(decoding: pending.draft.body) else { continue }
      switch act {
      case .setup, .ready:
        let entry = Entry(draft: pending.draft, signature: Signature.blank)
        guard table.admission(of: entry) == .now else { continue }
        _ = table.apply(
          entry,
          at: LogPlace(height: session.replica.finalHeight + 1, index: UInt64(index)))
      default: continue
      }
    }
    return table
  }

  /// The phase as the page names it.
  ///
  /// A creator sees *started* only when somebody else holds the seal of Start too (CONSENSUS 1.9).
  private func phase(of session: TableSession) -> String {
    if session.refusal != nil { return "refused" }
    if session.isJoining { return "joining" }
    let phase = session.table.phase
    if session.isMine(me), !session.isLocal, phase == .dealing,
      !session.standings.contains(where: { $0.status.epochNumber > 0 })
    {
      return Table.Phase.starting.name
    }
    return phase.name
  }

  private func invitation(to session: TableSession) -> String {
    let code = session.genesis.draft.code
    let address = session.isMine(me) ? ownAddress : sharedAddress(of: session.creator)
    if let secret = session.secret {
      return Invitation.secret(code: code, secret, at: address).line
    }
    guard let address else { return Invitation.code(code).line }
    return Invitation.table(code: code, at: address).line
  }

  /// Where a third can dial somebody: not where only this laptop's card leads, if there is another way.
  private func sharedAddress(of peer: PublicKey) -> Address? {
    guard let dialled = address(of: peer), dialled.host.isLinkLocal else {
      return address(of: peer)
    }
    let heard = roster[peer]?.paths.map(\.address).first { $0.host.isShareable }
    // The interface has another name elsewhere.
    return heard ?? dialled.on(zone: "")
  }

  // MARK: People

  private func fillPeople(_ view: inout TableView, _ session: TableSession) {
    let own = session.replica.status
    var agreeing = 1
    var here = 1
    for index in view.seats.indices {
      let seat = view.seats[index]
      if seat.pretend || seat.me {
        view.seats[index].agrees = true
        continue
      }
      let laptop = session.laptop(of: seat.key)
      let isReached = session.linked.contains(laptop)
      let agrees = session.standings.contains {
        $0.peer == laptop && $0.status.height == own.height && $0.status.tip == own.tip
          && $0.status.state == own.state
      }
      view.seats[index].agrees = agrees
      guard !seat.left else { continue }
      view.seats[index].presence = isReached ? .here : .away
      if isReached { here += 1 }
      if agrees && isReached { agreeing += 1 }
      if !isReached { view.away.append(seat.name) }
    }
    let staying = view.seats.count { !$0.left && !$0.pretend }
    view.agreement = TableView.Agreement(agreeing: agreeing, here: here, of: max(1, staying))
    let agreement = view.agreement
    view.result?.same = agreement
  }

  private func fillTimes(_ view: inout TableView, _ session: TableSession) {
    for index in view.feed.indices {
      let age = session.age(of: view.feed[index].place.height, at: now)
      if let age { view.feed[index].ageMs = age }
    }
    guard let dealt = session.table.dealtAt,
      let start = session.age(of: dealt.height, at: now)
    else { return }
    if let over = session.table.outcome?.place, let end = session.age(of: over.height, at: now) {
      let played = start > end ? start - end : 0
      view.result?.seconds = Int((played + 999) / 1_000)
    }
    view.result?.recap.fill(session.knowledge(at: now), start: start)
  }

  // MARK: Waiting

  /// For what the table waits, in words of decision 7; nil when for nothing but the players.
  private func waiting(_ session: TableSession) -> TableView.Waiting? {
    guard !session.isLocal, session.refusal == nil else { return nil }
    let seats = session.table.members.map { session.table.seats[$0] }
    let away = seats.filter { seat in
      seat.identity.map { !session.isHere(session.laptop(of: $0), me: me) } ?? false
    }.map(\.name)
    switch session.table.phase {
    case .lobby, .starting: return waitingInLobby(session, away: away)
    case .dealing, .playing:
      let leaving = session.leavingNames
      if !session.replica.hasQuorum, !away.allSatisfy(leaving.contains) || leaving.isEmpty {
        return belowQuorum(session, away: away)
      }
      guard !leaving.isEmpty else { return nil }
      return TableView.Waiting(
        code: "leaving",
        message:
          "\(Peer.list(leaving, joinedBy: "and")) \(leaving.count == 1 ? "is" : "are") leaving. "
          + "It counts as soon as another laptop has confirmed it.",
        names: leaving, choices: ["wait", "quit"])
    case .cancelled: return session.handedOnAt == nil ? nil : Peer.handingOn(session)
    case .over: return nil
    }
  }

  private func waitingInLobby(_ session: TableSession, away: [String]) -> TableView.Waiting? {
    let creator = session.genesis.draft.creator
    if session.creatorIsGone(me: me, at: now) {
      let choices =
        session.shownSuccessor == nil ? ["startAgain", "quit"] : ["joinSuccessor", "quit"]
      return TableView.Waiting(
        code: "creatorAway",
        message:
          "\(creator.name)’s laptop is away. You can start again with these words and people.",
        names: [creator.name], choices: choices)
    }
    guard session.table.phase == .starting else { return nil }
    let others = session.table.members.map { session.table.seats[$0] }.filter {
      $0.player != session.keys.player
    }.map(\.name)
    if session.isMine(me) {
      return TableView.Waiting(
        code: "startWaits",
        message: "Waiting for \(Peer.list(others, joinedBy: "or")) to sit down.",
        names: others, choices: ["wait", "cancel"])
    }
    return TableView.Waiting(
      code: "starting", message: "The table is being set.", names: [], choices: ["wait", "quit"])
  }

  /// "Bo", "Bo or Cy", "Bo, Cy or Dee".
  static func list(_ names: [String], joinedBy word: String) -> String {
    guard let last = names.last else { return "somebody" }
    guard names.count > 1 else { return last }
    return names.dropLast().joined(separator: ", ") + " \(word) " + last
  }

  private func sign(
    _ view: TableView, wentOn: [TableView.Waiting]
  ) -> PageState.MyTable.Sign? {
    if let waiting = view.waiting ?? wentOn.first(where: { $0.code == "offered" }) {
      return PageState.MyTable.Sign(kind: "waiting", text: waiting.message)
    }
    if view.phase == "over" {
      let winners = view.seats.filter { view.result?.winners.contains($0.player) ?? false }
      let names = Peer.list(winners.map(\.name), joinedBy: "and")
      return PageState.MyTable.Sign(
        kind: "bingo", text: winners.isEmpty ? "It is over" : "\(names) won")
    }
    guard let sign = view.play.sign else {
      guard let first = view.away.first else { return nil }
      return PageState.MyTable.Sign(kind: "away", text: "\(first) is away")
    }
    let text =
      switch sign.kind {
      case "turn": "It is your turn"
      case "asked": "An answer is wanted from you"
      case "vote": sign.count == 1 ? "A vote waits for you" : "\(sign.count) votes wait for you"
      default: "You are one away"
      }
    return PageState.MyTable.Sign(kind: sign.kind, text: text)
  }
}

extension TableSession {
  /// The identity of who made it.
  var creator: PublicKey { laptop(of: genesis.draft.creator.identity) }

  /// Those whose leaving is known here and not in the final log yet.
  var leavingNames: [String] {
    guard replica.hasPending else { return [] }
    return table.members.compactMap { index in
      let player = table.seats[index].player
      guard player != keys.player, isLeaving(player) else { return nil }
      return table.seats[index].name
    }
  }

  /// Somebody's leaving is known here and not in the final log yet.
  func isLeaving(_ player: PublicKey) -> Bool {
    replica.hasPending
      && replica.pendingEntries(by: player).contains { $0.body == TableSession.leaving }
  }

  /// The one body that says so; to read every pending entry with every frame would cost too much.
  private static let leaving = Act.left.encoded

  /// Those who have left and whose laptops are still needed to agree.
  var leavingVoterNames: [String] {
    table.seats.filter { seat in
      seat.hasLeft && seat.voterKeys.contains(where: replica.epoch.has)
        && seat.identity.map { !linked.contains(laptop(of: $0)) } ?? false
    }.map(\.name)
  }

  /// What this laptop knows besides the log.
  func knowledge(at now: Milliseconds) -> LocalKnowledge {
    var out = LocalKnowledge()
    out.undo = undoable.map {
      LocalKnowledge.Undo(tile: $0.tile, leftMs: $0.dueAt > now ? $0.dueAt - now : 0)
    }
    out.pending = outbox.pending(of: keys.player).compactMap {
      guard case .move(let body) = try? Act(decoding: $0.draft.body) else { return nil }
      return body.item
    }
    out.left = (table.game?.deadlines ?? []).compactMap { deadline in
      replica.remaining(of: table.deadlineID(of: deadline)).map {
        LocalKnowledge.Left(deadline, milliseconds: $0)
      }
    }
    out.ages = seenAt.map { ($0.height, now > $0.at ? now - $0.at : 0) }
    out.played = table.dealtAt.flatMap { age(of: $0.height, at: now) }
    out.denialRest = Peer.denialRest
    out.duplicates = duplicates
    return out
  }
}
