import Consensus
import Discovery
import Table
import Wire

extension Arrival {
  /// The people here who are asked for a private table whose invitation names no address.
  ///
  /// A proof shows the secret to nobody who does not know it, so it may be given to everybody.
  struct Search: Sendable {
    /// People asked at the most.
    static let most = 32
    /// People dialled at the same time.
    static let width = 4
    /// How long it goes on.
    static let patience: Milliseconds = 20_000

    /// Still to be asked, in this order.
    var open: [PublicKey]
    /// Asked, and not heard from yet.
    var asked: [PublicKey] = []
    /// Why somebody who may have the table does not give a seat.
    var refusal: (code: String, message: String)?
  }

  /// Whether the question has gone to a peer.
  func hasAsked(_ peer: PublicKey) -> Bool {
    search?.asked.contains(peer) ?? (isAsked && self.peer == peer)
  }
}

/// Asking everybody around for a private table.
extension Peer {
  /// Asks who is linked at once, and the others here one after another.
  mutating func search(_ wish: Arrival.Wish, id: CommandID) {
    let linked = switchboard.links.map(\.peer)
    let others = roster.neighbours.map(\.beacon.identity).filter { !linked.contains($0) }
    let open = Array((linked + others).prefix(Arrival.Search.most))
    guard !open.isEmpty else {
      refuse(id, Peer.notFound.code, Peer.notFound.message)
      return
    }
    guard arrivals.count < Arrival.limit else {
      refuse(id, "busy", "Wait for the tables you asked for, then try again.")
      return
    }
    var arrival = Arrival(request: freshRequest(), wish: wish, command: id, startedAt: now)
    arrival.search = Arrival.Search(open: open)
    arrivals.append(arrival)
    advanceSearches()
  }

  private static let notFound = (
    code: "privateNotFound",
    message:
      "Nobody here has this private table. Ask for the whole line, with the address after the @."
  )

  /// Those whom a link is wanted with for the sake of a search.
  var searchedFor: [PublicKey] {
    arrivals.flatMap { $0.search?.open.prefix(Arrival.Search.width) ?? [] }
  }

  /// Asks whoever a link reaches by now, and ends what has come to nothing.
  mutating func advanceSearches() {
    for index in arrivals.indices {
      guard let search = arrivals[index].search,
        case .joinPrivate(let code, let secret, _) = arrivals[index].wish
      else { continue }
      for peer in search.open {
        guard let link = switchboard.link(to: peer) else { continue }
        arrivals[index].search?.open.removeAll { $0 == peer }
        arrivals[index].search?.asked.append(peer)
        prove(secret, code: code, on: link)
      }
      // Who has gone cannot be asked any more.
      let gone = arrivals[index].search?.open.filter { address(of: $0) == nil } ?? []
      arrivals[index].search?.open.removeAll { gone.contains($0) }
    }
    let over = arrivals.filter { arrival in
      guard let search = arrival.search else { return false }
      return (search.open.isEmpty && search.asked.isEmpty)
        || now >= arrival.startedAt + Arrival.Search.patience
    }
    guard !over.isEmpty else { return }
    for arrival in over {
      let (code, message) = arrival.search?.refusal ?? Peer.notFound
      fail(arrival, code, message)
    }
    arrivals.removeAll { arrival in over.contains { $0.request == arrival.request } }
  }

  /// Somebody who was asked says no.
  mutating func searchDenied(
    by peer: PublicKey, _ table: TableID?, _ code: String, _ message: String
  ) {
    for index in arrivals.indices where arrivals[index].search?.asked.contains(peer) == true {
      arrivals[index].search?.asked.removeAll { $0 == peer }
      // Only who has the table can say more than that there is none.
      if table != nil { arrivals[index].search?.refusal = (code, message) }
    }
    advanceSearches()
  }

  /// What was asked over the link that is gone is asked again over the next.
  mutating func searchLinkDown(_ peer: PublicKey) {
    for index in arrivals.indices where arrivals[index].search?.asked.contains(peer) == true {
      arrivals[index].search?.asked.removeAll { $0 == peer }
      arrivals[index].search?.open.append(peer)
    }
  }

  /// Who cannot be reached is not asked.
  mutating func searchDialFailed(_ address: Address) {
    for index in arrivals.indices {
      let lost = arrivals[index].search?.open.filter { self.address(of: $0) == address } ?? []
      arrivals[index].search?.open.removeAll { lost.contains($0) }
    }
  }
}
