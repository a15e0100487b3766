import CBOR
import Testing
import TestSupport
import Wire

@Suite struct `Bytes and hashes` {
  @Test func `hash as RFC 7693 says`() {
    let abc = Digest(ofBytes: Array("abc".utf8))
    #expect(abc.hex == "bddd813c634239723171ef3fee98579b94964e3bb1cb3e427262c8c068d52319")
    let nothing = Digest(ofBytes: [])
    #expect(nothing.hex == "0e5751c026e543b2e8ab2eb06099daa1d1e5df47778f7787faab45cdf12fe3a8")
  }

  @Test func `differ by tag and by every item`() {
    let hashes = [
      Digest(.block, 1), Digest(.entry, 1), Digest(.block, 2), Digest(.block, 1, 1),
      Digest(.block, [1]), Digest(.block, "1"), Digest(.block),
    ]
    #expect(Set(hashes).count == hashes.count)
  }

  @Test func `compare as their bytes do`() {
    var chance = SeededBytes(seed: 32)
    for _ in 0..<500 {
      let left = chance.bytes(32)
      var right = left
      right[Int.random(in: 0..<32, using: &chance)] = UInt8.random(in: 0...255, using: &chance)
      guard let a = Digest(left), let b = Digest(right) else { continue }
      #expect((a < b) == left.lexicographicallyPrecedes(right))
      #expect((a == b) == (left == right))
      #expect(a.bytes == left)
      #expect(Digest(hex: a.hex) == a)
    }
  }

  @Test func `are only taken at their exact length`() {
    #expect(Digest([UInt8](repeating: 0, count: 31)) == nil)
    #expect(Digest([UInt8](repeating: 0, count: 33)) == nil)
    #expect(PublicKey(hex: String(repeating: "0", count: 63)) == nil)
    #expect(PublicKey(hex: String(repeating: "g", count: 64)) == nil)
    #expect(Signature([]) == nil)
    #expect(Hex.decode("0aF9") == [0x0a, 0xf9])
    #expect(Hex.decode("0") == nil && Hex.decode("zz") == nil && Hex.decode("") == [])
    #expect(Hex.encode([0, 255]) == "00ff")
  }
}

@Suite struct `A stream of chance` {
  @Test func `is the same for the same key and another for another`() {
    var first = DigestStream(key: Samples.digest(1))
    var again = DigestStream(key: Samples.digest(1))
    var other = DigestStream(key: Samples.digest(2))
    let numbers = (0..<9).map { _ in first.next() }
    #expect(numbers == (0..<9).map { _ in again.next() })
    #expect(numbers != (0..<9).map { _ in other.next() })
  }

  @Test func `begins with the words of the digest of tag, key and counter`() {
    let key = Samples.digest(1)
    var stream = DigestStream(key: key)
    for counter in 0..<2 {
      let block = Digest(.draw, key.cbor, CBOR(counter)).bytes
      for word in 0..<4 {
        let expected = block[word * 8..<word * 8 + 8].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        #expect(stream.next() == expected)
      }
    }
  }

  @Test func `favours no number and no place`() {
    var stream = DigestStream(key: Samples.digest(3))
    var counts = [Int](repeating: 0, count: 7)
    var firsts = [Int](repeating: 0, count: 5)
    for _ in 0..<7_000 { counts[stream.below(7)] += 1 }
    for _ in 0..<5_000 {
      var items = Array(0..<5)
      stream.shuffle(&items)
      #expect(items.sorted() == Array(0..<5))
      firsts[items[0]] += 1
    }
    // Five standard deviations of a fair count of 1,000.
    #expect(counts.allSatisfy { abs($0 - 1_000) < 150 }, "\(counts)")
    #expect(firsts.allSatisfy { abs($0 - 1_000) < 150 }, "\(firsts)")
  }
}
