import Consensus
import Table
import Wire

extension TableSession {
  /// Those whose laptops are proven to have lied, in the order of the seats, in words for people.
  var proofs: [TableView.Proof] {
    table.seats.compactMap { seat in
      let keys = seat.voterKeys
      guard let evidence = replica.evidence.first(where: { keys.contains($0.culprit) }) else {
        return nil
      }
      return TableView.Proof(
        player: seat.player, name: seat.name,
        message: Self.sentence(on: evidence, seat, isMine: seat.player == self.keys.player))
    }
  }

  private static func sentence(on evidence: Evidence, _ seat: Seat, isMine: Bool) -> String {
    let deed =
      switch evidence {
      case .votes: "signed two contradicting votes"
      case .unjustified: "vouched for something that the table does not allow"
      }
    if isMine {
      return "This laptop \(deed). A copy of its folder may be running elsewhere: keep only one."
    }
    let rest =
      seat.hasLied
      ? "It has no say any more in what is agreed; \(seat.name) plays on."
      : "Everybody here can check it, and it stays on record."
    return "\(seat.name)’s laptop \(deed). \(rest)"
  }
}
