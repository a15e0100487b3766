import CBOR
import Testing

@Suite struct `A sequence of items` {
  private func read(_ bytes: [UInt8]) throws -> [CBOR] {
    var sequence = CBORSequence(bytes)
    var out: [CBOR] = []
    while let item = try sequence.next() { out.append(item) }
    #expect(sequence.offset == bytes.count)
    return out
  }

  @Test func `is read item by item, and may be empty`() throws {
    #expect(try read([]) == [])
    #expect(try read([0x01, 0x82, 0x02, 0x03, 0x61, 0x61]) == [1, [2, 3], "a"])
  }

  @Test func `stays where an item begins that is not whole or not the one encoding`() throws {
    for bad in [[0x82, 0x02] as [UInt8], [0x18, 0x01], [0x9f, 0xff], [0x1c]] {
      var sequence = CBORSequence([0x01] + bad)
      #expect(try sequence.next() == 1)
      #expect(throws: DecodeError.self) { try sequence.next() }
      #expect(sequence.offset == 1)
    }
  }

  @Test func `has the limits of an item for each of its items`() throws {
    var limits = CBORLimits.standard
    limits.items = 3
    var sequence = CBORSequence(
      [0x82, 0x01, 0x02, 0x82, 0x01, 0x02, 0x83, 1, 2, 3], limits: limits)
    #expect(try sequence.next() == [1, 2])
    #expect(try sequence.next() == [1, 2])
    #expect(throws: DecodeError.tooManyItems) { try sequence.next() }
  }
}
