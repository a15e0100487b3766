import Consensus
import Table
import Wire

extension TableSession {
  /// Those whose laptops are proven to have lied, in the order of the seats, in words for people.
  func proofs(me: PublicKey) -> [TableView.Proof] {
    table.seats.compactMap { seat in
      guard let voter = seat.voter,
        let evidence = replica.evidence.first(where: { $0.culprit == voter })
      else { return nil }
      return TableView.Proof(
        player: seat.player, name: seat.name,
        message: Self.sentence(on: evidence, name: seat.identity == me ? nil : seat.name))
    }
  }

  private static func sentence(on evidence: Evidence, name: String?) -> String {
    let deed =
      switch evidence {
      case .votes: "signed two contradicting votes"
      case .unjustified: "vouched for something that the table does not allow"
      }
    guard let name else {
      return "This laptop \(deed). A copy of its folder may be running elsewhere: keep only one."
    }
    return "\(name)’s laptop \(deed). Everybody here can check it, and it stays on record."
  }
}
