import CBOR
import Consensus
import Discovery
import Games
import Table
import Wire

/// Asking people nearby to a table, and being asked.
extension Peer {
  /// People who may be asked to one table.
  private static let askedLimit = 64

  // MARK: Asking

  mutating func invite(_ person: PublicKey, id: CommandID, at index: Int) {
    guard sessions[index].isSatAt, !sessions[index].isLocal, sessions[index].table.isOpen else {
      refuse(id, "tableNotOpen", "Nobody can sit down here any more. Make a new table.")
      return
    }
    guard !sessions[index].hasSeat(person) else {
      refuse(id, "sitsHere", "They sit at this table already.")
      return
    }
    guard let row = roster[person] else {
      refuse(id, "notHere", "This person is not here any more. Try again when they are.")
      return
    }
    guard sessions[index].asked.count < Peer.askedLimit else {
      refuse(
        id, "askedEnough", "Enough people were asked to this table. Copy the invitation instead.")
      return
    }
    sessions[index].asked.removeAll { $0.key == person }
    sessions[index].asked.append((person, row.beacon.name, false))
    answer(id, .accepted(table: sessions[index].id))
    ask(.offer(sessions[index].id), of: person, at: row.address, id: nil)
  }

  /// The link to who is asked is up.
  mutating func sendOffer(of table: TableID, on link: Switchboard.Link) {
    guard let session = sessions.first(where: { $0.id == table }) else { return }
    send(.offer(session.genesis.encoded, session.secret), on: link.id)
  }

  mutating func hearDecline(of table: TableID, from peer: PublicKey) {
    guard let index = place(ofTable: table),
      let row = sessions[index].asked.firstIndex(where: { $0.key == peer })
    else { return }
    sessions[index].asked[row].declined = true
    isChanged = true
  }

  // MARK: Being asked

  mutating func hearOffer(_ bytes: [UInt8], _ secret: TableSecret?, from peer: PublicKey) {
    guard trouble == nil, let genesis = genesis(bytes), !genesis.draft.practice,
      genesis.draft.isPrivate == (secret != nil), let row = roster[peer]
    else { return counter.count("offer.refused") }
    guard !sessions.contains(where: { $0.id == genesis.table && $0.isSatAt }) else { return }
    let invite = Invite(
      genesis: genesis, from: peer, fromName: row.beacon.name, secret: secret,
      address: row.address)
    if let old = invites.firstIndex(where: { $0.table == genesis.table }) { drop(invite: old) }
    let own = invites.indices.filter { invites[$0].from == peer }
    if own.count >= Invite.limitEach, let oldest = own.first { drop(invite: oldest) }
    guard invites.count < Invite.limit else { return counter.count("offer.tooMany") }
    invites.append(invite)
    persist(StoredRecord(.node, key: invite.rowKey, value: invite.row))
    isChanged = true
  }

  private mutating func drop(invite index: Int) {
    let old = invites.remove(at: index)
    persist(StoredRecord(.node, key: old.rowKey, value: nil))
    isChanged = true
  }

  /// I sit at the table now, so nobody need ask me to it any more.
  mutating func dropInvites(to table: TableID) {
    while let index = invites.firstIndex(where: { $0.table == table }) { drop(invite: index) }
  }

  mutating func acceptInvite(to table: TableID, id: CommandID) {
    guard let invite = invites.first(where: { $0.table == table }) else {
      return refuse(id, "noSuchInvite", "This invitation is not here any more. Ask for another.")
    }
    if let other = conflict(with: invite.genesis) {
      refuse(
        id, "timeTaken",
        "You are at “\(other)” at that time. Leave that table first, or say no to this one.")
      return
    }
    let at = roster[invite.from]?.address ?? invite.address
    let wish: Arrival.Wish =
      invite.secret.map {
        .joinPrivate(code: invite.genesis.draft.code, secret: $0, table: table)
      } ?? .join(code: nil, table: table)
    ask(wish, of: invite.from, at: at, id: id)
  }

  mutating func declineInvite(to table: TableID, id: CommandID) {
    guard let index = invites.firstIndex(where: { $0.table == table }) else {
      return refuse(id, "noSuchInvite", "This invitation is not here any more. Ask for another.")
    }
    let invite = invites[index]
    drop(invite: index)
    unsaid.removeAll { $0.table == table }
    if unsaid.count >= Invite.limit { unsaid.removeFirst() }
    unsaid.append((table, invite.from, nil))
    keepUnsaid()
    sayNo(to: invite.from)
    linksDueAt = 0
    acceptWhenDurable(id)
  }

  /// Tells an inviter to whom a link leads what was said no to; who is not reached hears it when he is.
  mutating func sayNo(to peer: PublicKey) {
    guard switchboard.link(to: peer) != nil else { return }
    for index in unsaid.indices where unsaid[index].to == peer && unsaid[index].saidAt == nil {
      send(.decline(unsaid[index].table), to: peer)
      unsaid[index].saidAt = now
    }
  }

  /// A link that is lost so soon may have been lost before the answer came through: it is said again.
  mutating func mayBeUnsaid(to peer: PublicKey) {
    for index in unsaid.indices where unsaid[index].to == peer { unsaid[index].saidAt = nil }
  }

  /// What went out over a link that has lived on for as long as it takes to notice that one is dead, was heard.
  mutating func forgetWhatWasSaid() {
    let old = unsaid.count
    unsaid.removeAll { row in row.saidAt.map { now >= $0 + Invite.heardAfter } ?? false }
    if unsaid.count != old { keepUnsaid() }
  }

  /// The row with the answers that are still to be said.
  static let unsaidRow = "unsaid"

  private mutating func keepUnsaid() {
    let rows = unsaid.map { CBOR.array([$0.table.cbor, $0.to.cbor]) }
    persist(
      StoredRecord(
        .node, key: Array(Peer.unsaidRow.utf8), value: rows.isEmpty ? nil : CBOR.array(rows).encoded
      ))
  }

  static func unsaid(
    _ bytes: [UInt8]
  ) -> [(table: TableID, to: PublicKey, saidAt: Milliseconds?)]? {
    try? CBOR(decoding: bytes).array("unsaid", count: 0...Invite.limit).compactMap { row in
      guard let parts = try? row.array("unsaid", exactly: 2),
        let table = try? TableID(parts[0], "table"), let to = try? PublicKey(parts[1], "to")
      else { return nil }
      return (table, to, nil)
    }
  }

  /// The title of a table of mine whose time overlaps with another one's; nil for none.
  ///
  /// A table's time is from its start on for as long as is planned; one without a start is played
  /// now as soon as its game has begun.
  private func conflict(with genesis: Genesis) -> String? {
    let wanted = time(of: genesis, isOn: true)
    return sessions.first { session in
      guard session.isSatAt, !session.isLocal, session.id != genesis.table, !session.isOver,
        session.table.phase != .cancelled,
        let taken = time(of: session.genesis, isOn: session.isRunning)
      else { return false }
      return wanted.map(taken.overlaps) ?? false
    }?.genesis.draft.title
  }

  private func time(of genesis: Genesis, isOn: Bool) -> Range<UInt64>? {
    let length = UInt64(max(1, genesis.draft.setup.notice.minutes)) * 60
    if isOn, genesis.draft.appointment?.startsAt == nil {
      return wall / 1_000..<wall / 1_000 + length
    }
    return genesis.draft.appointment?.startsAt.map { $0..<$0 + length }
  }

  // MARK: The page

  var inviteViews: [PageState.Invite] {
    invites.map { invite in
      let draft = invite.genesis.draft
      let (size, minutes) = draft.setup.notice
      return PageState.Invite(
        table: invite.table, code: invite.genesis.codeText, title: draft.title,
        game: draft.setup.kind.rawValue, size: size, minutes: minutes,
        place: draft.appointment?.place, startsAt: draft.appointment?.startsAt,
        fromKey: invite.from, fromName: invite.fromName, fromTag: invite.from.tag,
        conflict: conflict(with: invite.genesis))
    }
  }
}
