import CBOR
import Discovery
import Table
import Wire

/// Saying something to the people at a table, and not hearing somebody (PRODUCT X6, X16).
extension Peer {
  /// People that can be muted.
  private static let mutedLimit = 64
  /// The row with their identities.
  static let mutedRow = "muted"

  mutating func say(_ typed: String, id: CommandID, at index: Int) {
    guard sessions[index].isChatting else {
      refuse(id, "noChat", "Only people with a seat at this table can talk here.")
      return
    }
    guard let text = Chat.clean(typed) else {
      refuse(
        id, "chatUnreadable",
        "A line has 1 to \(Chat.maximumLength) characters that every laptop can show. Shorten it.")
      return
    }
    guard sessions[index].chat.mayHear(me, isOwn: true, at: now) else {
      refuse(id, "chatTooFast", "That was a lot at once. Wait a few seconds, then go on.")
      return
    }
    sessions[index].chat.hear(text, from: me, at: now)
    let message = LinkMessage.chat(sessions[index].id, text)
    for peer in sessions[index].seatedLaptops where peer != me {
      if switchboard.link(to: peer) == nil {
        sessions[index].chat.owe(text, to: peer)
      } else {
        send(message, to: peer)
      }
    }
    isChanged = true
    answer(id, .accepted(table: sessions[index].id))
  }

  /// A link leads to somebody for whom lines wait.
  mutating func payChat(to peer: PublicKey, at index: Int) {
    for text in sessions[index].chat.pay(peer) where sessions[index].hasSeat(peer) {
      send(.chat(sessions[index].id, text), to: peer)
    }
  }

  mutating func hearChat(_ table: TableID, _ text: String, from peer: PublicKey) {
    guard let index = place(ofTable: table), sessions[index].isChatting,
      sessions[index].hasSeat(peer)
    else {
      counter.count("chat.notSeated")
      return
    }
    guard sessions[index].chat.mayHear(peer, isOwn: false, at: now) else {
      sessions[index].counter.count("chat.flood")
      return
    }
    sessions[index].chat.hear(text, from: peer, at: now)
    isChanged = true
  }

  mutating func mute(_ person: PublicKey, on: Bool, id: CommandID) {
    if let trouble { return refuse(id, "cannotWrite", trouble) }
    let person = self.person(named: person)
    if muted.contains(person) == on { return answer(id, .accepted(table: nil)) }
    if on {
      guard person != me else {
        return refuse(id, "ownVoice", "This is you. Choose somebody else.")
      }
      if muted.count >= Peer.mutedLimit { muted.removeFirst() }
      muted.append(person)
      dropGiven(by: person)
    } else {
      muted.removeAll { $0 == person }
    }
    persist(
      StoredRecord(
        .node, key: Array(Peer.mutedRow.utf8), value: CBOR.array(muted.map(\.cbor)).encoded))
    isChanged = true
    acceptWhenDurable(id)
  }

  static func muted(_ bytes: [UInt8]) -> [PublicKey]? {
    try? CBOR(decoding: bytes).array("muted", count: 0...mutedLimit).compactMap {
      try? PublicKey($0, "muted")
    }
  }

  /// What the page shows: the last lines, without those of people who are muted.
  func chatView(_ session: TableSession) -> [TableView.ChatLine] {
    session.chat.lines.filter { !muted.contains($0.from) }.suffix(Peer.chatShown).map { line in
      TableView.ChatLine(
        index: line.index, key: session.alias(of: line.from), text: line.text,
        mine: line.from == me,
        ageMs: now > line.at ? now - line.at : 0)
    }
  }

  /// Lines that the page is told of: the state goes to it whole, with every change.
  private static let chatShown = 30
}

extension TableSession {
  /// I have a seat among others, and people talk there.
  var isChatting: Bool { isSatAt && !isLocal && !isJoining && !hasLeft }
}
