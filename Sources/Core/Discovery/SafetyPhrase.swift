import CBOR
package import Wire

/// Six words that two people see next to one another's names, to read out and compare.
///
/// They follow from both identities. Who stands between the two must have a pair of keys that gives
/// both of them the same words: about 2^60 pairs to try, at a thousand hashes each.
package struct SafetyPhrase: Hashable, Sendable {
  /// Words of a phrase.
  package static let count = 6
  /// Hashes for each phrase: a few milliseconds once for an honest node, dear for who tries keys.
  static let rounds = 1_024

  /// The words in order; the same for both people.
  package let words: [String]

  /// The phrase of two identities, whichever comes first.
  package init(_ one: PublicKey, _ other: PublicKey) {
    var digest = Digest(.phrase, min(one, other).cbor, max(one, other).cbor)
    for _ in 1..<SafetyPhrase.rounds { digest = Digest(.phrase, digest.cbor) }
    // Ten bits a word, from the first bit on.
    let bits = digest.raw.leadingWord
    words = (0..<SafetyPhrase.count).map { index in
      SafetyPhrase.words[Int(bits >> UInt64(54 - 10 * index) & 1_023)]
    }
  }
}
