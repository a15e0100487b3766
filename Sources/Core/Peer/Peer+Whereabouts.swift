import Consensus
import Discovery
import Wire

/// Where the members of a table tell one another that the others are.
extension Peer {
  /// Tells somebody who has come to a table where the other members are, and them where it is.
  mutating func sendWhereabouts(about peer: PublicKey, at index: Int) {
    let session = sessions[index]
    guard session.hasSeat(peer) else { return }
    let others = session.members.filter { $0 != me && $0 != peer }
    let known = others.compactMap { other in
      address(of: other).map { Whereabouts(other, $0) }
    }.filter { $0.address.host.isShareable }
    if !known.isEmpty {
      send(.whereabouts(Array(known.prefix(LinkMessage.whereaboutsLimit))), to: peer)
    }
    guard let own = address(of: peer), own.host.isShareable else { return }
    for other in others { send(.whereabouts([Whereabouts(peer, own)]), to: other) }
  }

  mutating func hearWhereabouts(_ list: [Whereabouts], from peer: PublicKey) {
    for row in list where row.identity != me && roster[row.identity] == nil {
      guard
        sessions.indices.contains(where: { index in
          isMember(row.identity, of: index)
            && (isMember(peer, of: index)
              || sessions[index].isJoining && isKnown(index, to: peer))
        }),
        switchboard.link(to: row.identity) == nil
      else { continue }
      takeHearsay(row)
    }
  }

  /// How often in a while the word of others on where somebody is leads to a dial and to the disk.
  private static let hearsayLimit = 4
  private static let hearsaySpan: Milliseconds = 10_000

  /// A member who is at table with us must not send this laptop from port to port by its word.
  private mutating func takeHearsay(_ row: Whereabouts) {
    guard row.address.host.isShareable, !addresses.contains(row) else { return }
    hearsay.removeAll { $0.at + Peer.hearsaySpan <= now }
    guard hearsay.count < Roster.capacity,
      hearsay.count(where: { $0.peer == row.identity }) < Peer.hearsayLimit
    else {
      counter.count("whereabouts.tooMany")
      return
    }
    hearsay.append((row.identity, now))
    metSinceStart(row.identity, at: row.address)
  }
}
