import Table
import Wire

/// Entries for measuring how fast a table agrees.
extension Peer {
  /// Puts acts of mine into a table's log without asking its rules first, as a hostile node could:
  /// durable, signed and agreed on like any other, and void where the rules refuse them.
  mutating func load(_ table: TableID, count: Int) {
    guard let index = place(ofTable: table) else { return }
    let player = sessions[index].keys.player
    for _ in 0..<count {
      let sequence = sessions[index].outbox.nextSequence(
        of: player, final: sessions[index].finalSequence(of: player))
      let draft = Entry.Draft(
        table: table, author: player, sequence: sequence, body: Act.ready(false).encoded)
      let record = persist(Outbox.record(of: draft, for: nil))
      sessions[index].outbox.add(Outbox.Draft(draft: draft, command: nil, record: record))
    }
  }
}
