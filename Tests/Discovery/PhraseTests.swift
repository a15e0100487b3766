import TestSupport
import Testing
import Wire

@testable import Discovery

/// The six words that two people compare (`Protocol/discovery.md`).
@Suite struct `Six words` {
  private struct Content: Decodable {
    struct Phrase: Decodable {
      let one: String
      let other: String
      let words: [String]
    }

    let words: [String]
    let phrases: [Phrase]
  }

  @Test func `are the published ones`() throws {
    let vectors: Content = try Vectors.load("phrase.json")
    #expect(vectors.words == SafetyPhrase.words)
    #expect(!vectors.phrases.isEmpty)
    for phrase in vectors.phrases {
      let one = try #require(PublicKey(hex: phrase.one))
      let other = try #require(PublicKey(hex: phrase.other))
      #expect(SafetyPhrase(one, other).words == phrase.words)
      #expect(SafetyPhrase(other, one).words == phrase.words)
    }
  }

  @Test func `come from 1,024 words that their first four letters tell apart`() {
    let words = SafetyPhrase.words
    #expect(words.count == 1_024)
    #expect(words == words.sorted())
    #expect(Set(words.map { $0.prefix(4) }).count == 1_024)
    #expect(
      words.allSatisfy { (3...8).contains($0.count) && $0.allSatisfy { ("a"..."z").contains($0) } })
  }
}
