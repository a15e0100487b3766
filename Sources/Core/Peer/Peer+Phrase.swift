import Discovery
import Wire

/// Comparing the six words with somebody in person.
extension Peer {
  /// Phrases kept at a time; another one is worked out again when it is asked for.
  private static let phrasesKept = 16

  mutating func compare(with person: PublicKey, id: CommandID) {
    guard roster[person] != nil else {
      refuse(id, "notHere", "This person is not here any more. Try again when they are.")
      return
    }
    if phrase(with: person) == nil {
      if phrases.count >= Peer.phrasesKept { phrases.removeFirst() }
      phrases.append((person, SafetyPhrase(me, person).words))
    }
    answer(id, .accepted(table: nil))
  }

  /// The words to compare with somebody, once they were asked for.
  func phrase(with person: PublicKey) -> [String]? {
    phrases.first { $0.person == person }?.words
  }
}
