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
    else {
      if session.thinksOf != nil {
        sessions[index].thinksOf = nil
        effects.append(.stopThinking(session.id))
      }
      return
    }
    think(index)
    if session.colleagues.isEmpty {
      sessions[index].colleagues = zip(session.keys.pretend, PretendColleague.cast).map {
        PretendColleague(seed: Digest(.draw, session.id.cbor, $0.cbor), manner: $1.manner)
      }
    }
    let elapsed = session.age(of: dealt.height, at: now) ?? now - session.openedAt
    var known = session.knowledge(at: now)
    // Only as many colleagues as there are; other games' pretend seats play in other ways.
    for (number, player) in session.keys.pretend.enumerated()
    where sessions[index].colleagues.indices.contains(number) {
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

  /// Has a computer opponent think when it is to move, and answers for it.
  private mutating func think(_ index: Int) {
    let session = sessions[index]
    for player in session.keys.pretend {
      guard session.outbox.pending(of: player).isEmpty, let game = session.table.game,
        let seat = session.table.seat(of: player).flatMap({ session.table.dealt.firstIndex(of: $0) }
        )
      else { continue }
      if let answer = game.pretendAnswer(of: seat) {
        _ = author(.move(encoded: answer), by: player, at: index)
        continue
      }
      guard let thinking = game.thinking(of: seat), session.thinksOf?.turn != thinking.turn else {
        continue
      }
      sessions[index].thinksOf = (player, thinking.turn)
      effects.append(.think(session.id, thinking))
    }
  }

  /// The computer has found its move; it counts for the turn that it was asked for alone.
  mutating func thought(_ table: TableID, turn: Int, move: CBOR?) {
    guard let index = sessions.firstIndex(where: { $0.id == table }),
      let asked = sessions[index].thinksOf, asked.turn == turn, let move
    else { return }
    _ = author(.move(encoded: move), by: asked.player, at: index)
  }
}
