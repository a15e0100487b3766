import CBOR
import Consensus
import Games
import Table
import Wire

/// Games that those who are here have ended while others were away (PRODUCT decision 13).
extension Peer {
  /// What was asked while this laptop was away reaches it within so long.
  private static let welcome: Milliseconds = 5_000

  /// Notes when enough laptops are within reach again.
  mutating func noteReunion(_ index: Int) {
    let hasQuorum = sessions[index].replica.hasQuorum
    guard sessions[index].hadQuorum != hasQuorum else { return }
    sessions[index].hadQuorum = hasQuorum
    if hasQuorum { sessions[index].reunitedAt = now }
  }

  /// Nobody could win against a closed lid, and nobody is asked when it opens: the game is over.
  ///
  /// Whoever was here all the time is asked instead, and may want to play on.
  mutating func agreeOnReturn(_ index: Int) {
    let session = sessions[index]
    guard session.table.phase == .playing, !session.isLocal, let game = session.table.game,
      let since = session.reunitedAt, now < since + Peer.welcome, session.replica.hasQuorum,
      let seat = session.table.seat(of: session.keys.player),
      let player = session.table.dealt.firstIndex(of: seat),
      let move = game.agreementOnReturn(of: player),
      !session.isEnding
    else { return }
    _ = author(.move(encoded: move), at: index)
  }
}

extension TableSession {
  /// The player has ended the game, and the others do not know it yet.
  var isEnding: Bool {
    guard let game = table.game else { return false }
    return outbox.pending(of: keys.player).contains {
      guard case .move(let body) = try? Act(decoding: $0.draft.body) else { return false }
      return game.isEnding(body.item)
    }
  }
}
