extension CBOR {
  /// Reads exactly one item that fills `bytes` and is deterministically encoded.
  ///
  /// Throws `DecodeError` with the first fault; every non-canonical form is refused.
  package init(decoding bytes: [UInt8], limits: CBORLimits = .standard) throws(DecodeError) {
    var decoder = Decoder(bytes: bytes, limits: limits)
    self = try decoder.item(depth: 0)
    guard decoder.offset == bytes.count else {
      throw .trailingBytes(bytes.count - decoder.offset)
    }
  }
}

/// Reads a sequence of items, one after another (RFC 8742), each with limits of its own.
package struct CBORSequence: Sendable {
  private let bytes: [UInt8]
  private let limits: CBORLimits
  /// How many bytes have been read.
  package private(set) var offset = 0

  /// Starts at the first byte.
  package init(_ bytes: [UInt8], limits: CBORLimits = .standard) {
    self.bytes = bytes
    self.limits = limits
  }

  /// The next item; nil at the end.
  ///
  /// Throws `DecodeError` for an item that is not deterministically encoded or not whole; the
  /// sequence then stays where that item begins.
  package mutating func next() throws(DecodeError) -> CBOR? {
    guard offset < bytes.count else { return nil }
    var decoder = Decoder(bytes: bytes, limits: limits)
    decoder.offset = offset
    let item = try decoder.item(depth: 0)
    offset = decoder.offset
    return item
  }
}

/// Walks over the bytes; keeps them whole with an offset, so that nothing is sliced unchecked.
private struct Decoder {
  let bytes: [UInt8]
  let limits: CBORLimits
  var offset = 0
  var items = 0

  /// Elements for which room is made before they are read: their number is only announced.
  static let mostAhead = 64

  var remaining: Int { bytes.count - offset }

  init(bytes: [UInt8], limits: CBORLimits) {
    self.bytes = bytes
    self.limits = limits
  }

  mutating func item(depth: Int) throws(DecodeError) -> CBOR {
    guard depth < limits.depth else { throw .tooDeep }
    items += 1
    guard items <= limits.items else { throw .tooManyItems }
    let first = try byte()
    let information = first & 0x1f
    if first >> 5 == 7 { return try simpleOrFloat(information) }
    let n = try argument(information)
    switch first >> 5 {
    case 0: return .unsigned(n)
    case 1: return .negative(n)
    case 2: return .bytes(try take(n))
    case 3:
      guard let text = String(validating: try take(n), as: UTF8.self) else { throw .invalidText }
      return .text(text)
    case 4: return .array(try array(try count(n), depth: depth + 1))
    case 5: return .map(try map(try count(n), depth: depth + 1))
    default: return .tagged(n, try item(depth: depth + 1))
    }
  }

  private mutating func array(_ count: Int, depth: Int) throws(DecodeError) -> [CBOR] {
    var out: [CBOR] = []
    out.reserveCapacity(min(count, Decoder.mostAhead))
    for _ in 0..<count { out.append(try item(depth: depth)) }
    return out
  }

  private mutating func map(_ count: Int, depth: Int) throws(DecodeError) -> [CBOR.Pair] {
    var out: [CBOR.Pair] = []
    out.reserveCapacity(min(count, Decoder.mostAhead))
    var previous = 0..<0
    for _ in 0..<count {
      let start = offset
      let key = try item(depth: depth)
      let range = start..<offset
      if !out.isEmpty {
        if bytes[previous].elementsEqual(bytes[range]) { throw .duplicateKey }
        guard bytes[previous].lexicographicallyPrecedes(bytes[range]) else {
          throw .keysOutOfOrder
        }
      }
      previous = range
      out.append(CBOR.Pair(key, try item(depth: depth)))
    }
    return out
  }

  private mutating func simpleOrFloat(_ information: UInt8) throws(DecodeError) -> CBOR {
    let width: FloatBits.Width
    switch information {
    case 0..<24: return .simple(information)
    case 24:
      let n = try byte()
      guard n >= 32 else { throw .reserved }
      return .simple(n)
    case 25: width = .half
    case 26: width = .single
    case 27: width = .double
    case 31: throw .indefiniteLength
    default: throw .reserved
    }
    let float = FloatBits(width: width, bits: try bigEndian(Int(width.rawValue)))
    guard float.isShortest else { throw .notShortest }
    return .float(float)
  }

  private mutating func argument(_ information: UInt8) throws(DecodeError) -> UInt64 {
    switch information {
    case 0..<24: return UInt64(information)
    case 24: return try shortest(1, above: 23)
    case 25: return try shortest(2, above: 0xff)
    case 26: return try shortest(4, above: 0xffff)
    case 27: return try shortest(8, above: 0xffff_ffff)
    case 31: throw .indefiniteLength
    default: throw .reserved
    }
  }

  private mutating func shortest(_ count: Int, above: UInt64) throws(DecodeError) -> UInt64 {
    let n = try bigEndian(count)
    guard n > above else { throw .notShortest }
    return n
  }

  private mutating func bigEndian(_ count: Int) throws(DecodeError) -> UInt64 {
    guard remaining >= count else { throw .truncated(needed: count - remaining) }
    var n: UInt64 = 0
    for _ in 0..<count {
      n = n << 8 | UInt64(bytes[offset])
      offset += 1
    }
    return n
  }

  private mutating func byte() throws(DecodeError) -> UInt8 {
    guard remaining > 0 else { throw .truncated(needed: 1) }
    offset += 1
    return bytes[offset - 1]
  }

  private mutating func take(_ n: UInt64) throws(DecodeError) -> [UInt8] {
    guard n <= UInt64(remaining) else { throw .truncated(needed: 1) }
    let end = offset + Int(n)
    defer { offset = end }
    return Array(bytes[offset..<end])
  }

  /// Every element takes a byte at least, so a count beyond what is left needs no allocation.
  private func count(_ n: UInt64) throws(DecodeError) -> Int {
    guard n <= UInt64(remaining) else { throw .truncated(needed: 1) }
    guard n <= UInt64(limits.items - items) else { throw .tooManyItems }
    return Int(n)
  }
}
