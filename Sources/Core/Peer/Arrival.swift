import CBOR
import Consensus
import Discovery
import Games
import Table
import Wire

/// Something this node is on its way to: a table that it makes, a seat that it asks for, or somebody
/// whom the player wants to meet.
struct Arrival: Sendable {
  /// What is wanted.
  enum Wish: Sendable {
    /// A table of one's own: everything but its keys.
    case make(TablePlan)
    /// A seat at somebody's table, known by its code or by its name.
    case join(code: Int?, table: TableID?)
    /// A seat at a private table: who has it is asked by a proof of the secret.
    case joinPrivate(code: Int, secret: TableSecret, table: TableID?)
    /// Whoever takes links at the address.
    case meet
    /// A vote without a seat at somebody's table, who asked for it.
    case witness
    /// Somebody nearby who is asked to witness a table made here.
    case invite(TableID)
    /// Another voter key for a table where the records of the last are lost.
    case rekey(TableID)
    /// Somebody nearby who is asked to sit down at a table.
    case offer(TableID)
    /// A word list for somebody nearby.
    case give(WordList)
  }

  /// How long somebody asked is waited for, and once more from the first dial through somebody else.
  static let patience: Milliseconds = 10_000
  /// Arrivals at a time.
  static let limit = 16

  let request: KeyRequest
  let wish: Wish
  /// Nil where no player asked: a successor that is followed by itself.
  let command: CommandID?
  let startedAt: Milliseconds
  /// When somebody else was first asked to pass the question on: that takes its time as well.
  var passedOnAt: Milliseconds?
  /// Whom to ask, and where.
  var address: Address?
  var peer: PublicKey?
  /// The question has gone out on a link that is still up.
  var isAsked = false
  /// To look on there, not to play.
  var isWatching = false
  /// What is to be joined, once it is known.
  var genesis: Genesis?
  /// What is to be signed, once the keys are there.
  var draft: Genesis.Draft?
  var keys: TableKeys?
  /// The secret of the private table that is made.
  var secret: TableSecret?
  /// The people here who are asked, where nobody knows who has the table.
  var search: Search?

  /// Whether a genesis is what was asked for.
  func fits(_ genesis: Genesis) -> Bool {
    switch wish {
    case .make, .meet, .witness, .invite, .rekey, .offer, .give: return false
    case .join(let code, let table):
      guard !genesis.draft.isPrivate else { return false }
      return table.map { genesis.table == $0 } ?? (code == genesis.draft.code)
    case .joinPrivate(let code, _, let table):
      guard genesis.draft.isPrivate, code == genesis.draft.code else { return false }
      return table == nil || genesis.table == table
    }
  }

  /// Whether a table's name, or its not being known (nil), is an answer to this.
  func isAbout(_ table: TableID?) -> Bool {
    switch wish {
    case .make, .meet, .witness, .invite, .rekey, .offer, .give: false
    case .join(_, let wanted): wanted == nil || wanted == table
    case .joinPrivate(_, _, let wanted): table == nil || wanted == nil || wanted == table
    }
  }
}

/// Whom arrivals wait for, and what becomes of those that wait in vain.
extension Peer {
  /// Names the next arrival, and the keys made for it.
  mutating func freshRequest() -> KeyRequest {
    defer { nextRequest += 1 }
    return nextRequest
  }

  /// Asks for a seat, or for a meeting, as soon as a link is up.
  mutating func ask(
    _ wish: Arrival.Wish, of peer: PublicKey?, at address: Address?, id: CommandID?,
    isWatching: Bool = false
  ) {
    guard arrivals.count < Arrival.limit else {
      if let id { refuse(id, "busy", "Wait for the tables you asked for, then try again.") }
      return
    }
    var arrival = Arrival(request: freshRequest(), wish: wish, command: id, startedAt: now)
    // Whose address it is may be known: others can then lead to him where a firewall lets nobody in.
    arrival.peer = peer ?? address.flatMap(onlyOne(heardAt:))
    arrival.address = address
    arrival.isWatching = isWatching
    arrivals.append(arrival)
    let known = peer.flatMap { switchboard.link(to: $0) } ?? address.flatMap { link(at: $0) }
    if let known { askOver(known, arrivals.count - 1) }
    arrivals.removeAll { $0.isMet }
  }

  private mutating func askOver(_ link: Switchboard.Link, _ index: Int) {
    guard !arrivals[index].isAsked, arrivals[index].genesis == nil else { return }
    arrivals[index].isAsked = true
    arrivals[index].peer = link.peer
    switch arrivals[index].wish {
    case .join(_, let table?): send(.get(table), on: link.id)
    case .join(let code?, nil): send(.find(code: code), on: link.id)
    case .joinPrivate(let code, let secret, _): prove(secret, code: code, on: link)
    case .invite(let table): sendInvitation(to: table, on: link)
    case .offer(let table): sendOffer(of: table, on: link)
    case .give(let list): sendGiven(list, on: link, for: arrivals[index].command)
    case .join(nil, nil), .make, .meet, .witness, .rekey: break
    }
  }

  /// Asks whoever a link has come up to; again, if the question went down with another link.
  mutating func arrivalLinkUp(_ peer: PublicKey, remote: Address, outbound: Bool) {
    advanceSearches()
    guard let link = switchboard.link(to: peer) else { return }
    for index in arrivals.indices
    where arrivals[index].peer == peer
      || (outbound && !arrivals[index].isAsked && arrivals[index].address == remote)
    {
      if arrivals[index].genesis == nil { arrivals[index].isAsked = false }
      askOver(link, index)
    }
    arrivals.removeAll { $0.isMet }
  }

  /// What was asked over the link that is gone is asked again over the next.
  mutating func arrivalLinkDown(_ peer: PublicKey) {
    for index in arrivals.indices where arrivals[index].peer == peer {
      arrivals[index].isAsked = false
    }
    searchLinkDown(peer)
  }

  mutating func arrivalDialFailed(_ address: Address) {
    for arrival in arrivals where arrival.address == address && arrival.peer == nil {
      fail(arrival, "nobodyThere", nobodyThere(address))
    }
    if arrivals.contains(where: { $0.address == address }) { lookDueAt = now }
    arrivals.removeAll { $0.address == address && $0.peer == nil }
    searchDialFailed(address)
  }

  /// Whoever is heard at an address, if that is one person alone.
  private func onlyOne(heardAt address: Address) -> PublicKey? {
    let heard = roster.neighbours.filter { row in row.paths.contains { $0.address == address } }
    return heard.count == 1 ? heard.first?.beacon.identity : nil
  }

  /// What to do about an address that lets nobody in: from there a connection can often be made.
  private func nobodyThere(_ address: Address) -> String {
    let way = "Or set a table here, and send your invitation there."
    guard let name = onlyOne(heardAt: address).flatMap({ roster[$0]?.beacon.name }) else {
      return
        "Nobody answers at \(address). Check the invitation, and that both laptops are on one network. "
        + "If they are, a firewall may be in the way: tabletalk doctor on the other laptop says which "
        + "command lets you in. \(way)"
    }
    return
      "\(name) is heard, but \(name)’s laptop takes no connection at \(address). Most likely its "
      + "firewall: ask \(name) to run tabletalk doctor, which says what command lets you in. \(way)"
  }

  /// Tells the player why it came to nothing; who calls takes the arrival off the list.
  mutating func fail(_ arrival: Arrival, _ code: String, _ message: String) {
    isChanged = true
    guard let id = arrival.command else { return }
    refuse(id, code, message)
    noteRefusal(of: id, code: code, message: message, at: nil)
  }

  mutating func advanceArrivals() {
    advanceSearches()
    let late = arrivals.filter {
      if case .make = $0.wish { return false }
      if $0.search != nil { return false }
      return now >= ($0.passedOnAt ?? $0.startedAt) + Arrival.patience
    }
    guard !late.isEmpty else { return }
    for arrival in late {
      if case .give = arrival.wish {
        fail(
          arrival, "notReached",
          "This person’s laptop does not answer. Give the list once more when it does.")
      } else if let address = arrival.address, hasFailed(address) {
        fail(arrival, "nobodyThere", nobodyThere(address))
      } else {
        fail(
          arrival, "noAnswer",
          "The laptop with this table does not answer. Ask its owner whether it is awake, then try again."
        )
      }
    }
    arrivals.removeAll { arrival in late.contains { $0.request == arrival.request } }
  }
}

extension Arrival {
  /// Whom it was about has been met, which is all that was wanted.
  fileprivate var isMet: Bool {
    switch wish {
    case .meet, .invite, .offer, .give: isAsked
    case .make, .join, .joinPrivate, .witness, .rekey: false
    }
  }
}
