import Consensus
import Discovery
import Games
import Table
import Wire

/// Looking on without a seat (PRODUCT X6).
extension Peer {
  /// Asks for a table as for a seat, to look on there.
  mutating func watch(_ id: CommandID, _ join: (inout Peer) -> Void) {
    join(&self)
    for index in arrivals.indices where arrivals[index].command == id {
      arrivals[index].isWatching = true
    }
  }

  /// Whether a table that was asked for is here already, as it was asked for; a laptop that helps to agree
  /// there shows it from now on.
  mutating func isHere(_ table: TableID, for arrival: Arrival) -> Bool {
    guard let index = place(ofTable: table) else { return false }
    if sessions[index].isSatAt { return true }
    guard arrival.isWatching, sessions[index].mayHelpAgain else { return false }
    if !sessions[index].isWatcher {
      sessions[index].isWatcher = true
      persist(sessions[index].record)
      isChanged = true
    }
    return true
  }

  /// Who looks on goes home: the log is told, unless this laptop goes on to help.
  mutating func stopWatching(_ id: CommandID, at index: Int) {
    isChanged = true
    if sessions[index].table.witness(of: sessions[index].keys.player) != nil {
      sessions[index].isWatcher = false
    } else {
      sessions[index].hasQuit = true
      sessions[index].isPutAway = sessions[index].isOver || sessions[index].refusal != nil
    }
    persist(sessions[index].record)
    acceptWhenDurable(id)
  }

  /// Whoever comes while the game is played is heard by one member: the others must know as well, for one of
  /// them may be the next to propose.
  mutating func passOn(newcomer entry: Entry, from peer: PublicKey, at index: Int) {
    guard sessions[index].table.phase == .playing, sessions[index].isSatAt,
      entry.cosignatures.contains(where: { $0.key == alias(of: peer, at: index) })
    else { return }
    let frame = LinkMessage.table(.entry(entry)).frame
    for link in switchboard.links
    where link.peer != peer && sessions[index].hasSeat(link.peer) {
      effects.append(.send(frame, on: link.id))
    }
  }
}
