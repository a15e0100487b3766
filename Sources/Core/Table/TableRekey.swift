import Games
package import Wire

/// A seat's, or a witness's, laptop has lost its records and votes with another key from now on
/// (CONSENSUS 1.5, 1.7; S11).
extension Table {
  /// Keys that one seat can lose.
  static let retiredLimit = 16

  /// Takes another voter key for a seat or a witness, cosigned by that key; or says why not.
  func rekeyRefusal(_ seat: Seat, _ rekey: Act.Rekey, _ entry: Entry) -> Refusal? {
    if phase == .over { return .tableOver }
    if phase == .cancelled { return .tableCancelled }
    guard entry.cosignatures.map(\.key) == [rekey.voter], seat.voter != nil, !seat.hasLied,
      rekey.generation == seat.generation + 1, seat.retired.count < Table.retiredLimit,
      !(seats + witnesses + watchers).contains(where: { $0.keys.contains(rekey.voter) })
    else { return .badKey }
    return nil
  }

  /// Voter keys that end with the coming of another of the same seat.
  func successions(_ new: [PublicKey]) -> [(old: PublicKey, new: PublicKey)] {
    (seats + witnesses).flatMap { seat -> [(old: PublicKey, new: PublicKey)] in
      guard let voter = seat.voter, !seat.hasLeft, new.contains(voter) else { return [] }
      return seat.retired.filter { voters.contains($0) }.map { ($0, voter) }
    }
  }
}

extension Seat {
  /// Another key may follow the present one.
  package var mayRekey: Bool { retired.count < Table.retiredLimit }

  mutating func rekey(_ rekey: Act.Rekey) {
    if let voter { retired.append(voter) }
    voter = rekey.voter
    generation = rekey.generation
  }

  /// Voter keys it has or had.
  package var voterKeys: [PublicKey] { retired + [voter].compactMap { $0 } }

  /// Whether a key is among them.
  func hasVoted(with key: PublicKey) -> Bool { voter == key || retired.contains(key) }
}
