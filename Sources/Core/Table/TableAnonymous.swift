import Consensus
import Wire

/// A table whose log names nobody (PRODUCT B28): people stand in it under keys that are of this table alone, and
/// are called what follows from those.
extension Table {
  /// Whether a name is one that its bearer may have here.
  func isName(of member: Member) -> Bool {
    guard genesis.draft.isAnonymous else { return PlainText.isName(member.name) }
    return member.name == Moniker.name(of: member.identity)
  }

  /// Names that others bear here already; nil where people have their own.
  func takenNames(besides identity: PublicKey) -> [String]? {
    guard genesis.draft.isAnonymous else { return nil }
    return (seats + watchers).filter { $0.identity != identity }.map(\.name)
  }

  /// Why somebody may not say who was behind a seat; nil when he may.
  ///
  /// The identity signs the same bytes as the player key: the table, that key and what is said.
  func showRefusal(_ seat: Int, _ shown: Seat.Shown, _ entry: Entry) -> Refusal? {
    guard phase != .cancelled else { return .tableCancelled }
    guard phase == .over else { return .notOver }
    guard genesis.draft.isAnonymous, entry.cosignatures.map(\.key) == [shown.identity],
      !(seats + watchers).contains(where: { $0.keys.contains(shown.identity) }),
      PlainText.isName(shown.name)
    else { return .badShow }
    guard seats[seat].shown == nil else { return .alreadyShown }
    return nil
  }
}
