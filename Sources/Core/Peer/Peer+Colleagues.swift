import CBOR
import Consensus
import Discovery
import Games
import Table
import Wire

/// The pretend colleagues of "Try it now": seats whose keys are on this laptop and whose players
/// are a rule with a seed; everything else is as with people.
extension Peer {
  mutating func advanceColleagues(_ index: Int) {
    guard sessions[index].isLocal else { return }
    let session = sessions[index]
    guard session.table.phase == .playing, let dealt = session.table.dealtAt
    else { return }
    if session.colleagues.isEmpty {
      sessions[index].colleagues = zip(session.keys.pretend, PretendColleague.cast).map {
        PretendColleague(seed: Digest(.draw, session.id.cbor, $0.cbor), manner: $1.manner)
      }
    }
    let elapsed = session.age(of: dealt.height, at: now) ?? now - session.openedAt
    var known = session.knowledge(at: now)
    for (number, player) in session.keys.pretend.enumerated() {
      guard session.outbox.pending(of: player).isEmpty else { continue }
      known.undo = []
      known.pending = []
      var view = session.table.view(for: player).play
      view.fill(known)
      guard let move = sessions[index].colleagues[number].act(on: view, elapsed: elapsed) else {
        continue
      }
      _ = author(.move(encoded: move), by: player, at: index)
    }
  }
}
