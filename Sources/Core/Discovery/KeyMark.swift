import CBOR
package import Wire

/// The first four bytes of an identity: how a beacon says in little space whose beacons its sender
/// hears.
///
/// Two people may share one; then each is taken for heard when the other is.
package struct KeyMark: Hashable, Comparable, Sendable {
  /// The bytes as a number, the first one highest, so that marks sort as keys do.
  let number: UInt32

  /// The mark of a key.
  package init(_ key: PublicKey) {
    number = key.bytes.prefix(4).reduce(0) { $0 << 8 | UInt32($1) }
  }

  private init(_ item: CBOR, _ field: String) throws(DecodeError) {
    number = try item.bytes(field, count: 4...4).reduce(0) { $0 << 8 | UInt32($1) }
  }

  /// As a byte string of four.
  var cbor: CBOR {
    .bytes([24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> UInt32($0)) })
  }

  package static func < (left: KeyMark, right: KeyMark) -> Bool { left.number < right.number }

  /// Reads some marks in ascending order.
  ///
  /// Throws `wrongCount` for more than `most`, `outOfRange` where one stands twice or out of order.
  static func few(_ item: CBOR, _ field: String, atMost most: Int) throws(DecodeError) -> [KeyMark]
  {
    var out: [KeyMark] = []
    for part in try item.array(field, count: 0...most) {
      let mark = try KeyMark(part, field)
      guard out.last.map({ $0 < mark }) ?? true else { throw .outOfRange(field) }
      out.append(mark)
    }
    return out
  }

  /// Reads the marks of `count` people, or a stretch of their ring if they are too many.
  ///
  /// Throws `wrongCount` for more or fewer than fit, `outOfRange` where one stands twice or out of
  /// order.
  static func stretch(
    _ item: CBOR, _ field: String, of count: Int
  ) throws(DecodeError) -> [KeyMark] {
    let length = min(count, Beacon.heardPerBeacon)
    var out: [KeyMark] = []
    for part in try item.array(field, exactly: length) { out.append(try KeyMark(part, field)) }
    let falls = zip(out, out.dropFirst()).count { $0 >= $1 }
    // Behind the highest a stretch of a ring goes on with the lowest, and never meets its beginning.
    let goesRound = falls == 1 && count > length && out[length - 1] < out[0]
    guard falls == 0 || goesRound else { throw .outOfRange(field) }
    return out
  }
}

extension Beacon {
  /// Whether the sender hears a key's datagrams; nil where this beacon's stretch does not tell.
  package func tellsHearing(of key: PublicKey) -> Bool? {
    let mark = KeyMark(key)
    if heard.contains(mark) { return true }
    guard hears > heard.count, let first = heard.first, let last = heard.last else { return false }
    let isWithin =
      first < last ? first < mark && mark < last : first < mark || mark < last
    return isWithin ? false : nil
  }
}

/// What the own beacons say of whom is heard: all at once, or in stretches that go round.
package struct HeardRound: Hashable, Sendable {
  private var last: KeyMark?

  /// Begins at the lowest.
  package init() {}

  /// The marks for the next beacon.
  ///
  /// A stretch begins with the mark that ended the one before, so that every gap between two marks
  /// lies within some stretch.
  package mutating func next(of all: [KeyMark]) -> [KeyMark] {
    guard all.count > Beacon.heardPerBeacon else {
      last = nil
      return all
    }
    let out = HeardRound.stretch(of: all, from: last)
    last = out.last
    return out
  }

  /// The marks for a beacon that is for one person: all, or a stretch that tells of that one.
  package static func stretch(of all: [KeyMark], with key: PublicKey) -> [KeyMark] {
    all.count > Beacon.heardPerBeacon ? stretch(of: all, from: KeyMark(key)) : all
  }

  private static func stretch(of all: [KeyMark], from mark: KeyMark?) -> [KeyMark] {
    let start = mark.map { mark in all.lastIndex { $0 <= mark } ?? all.count - 1 } ?? 0
    return (0..<Beacon.heardPerBeacon).map { all[(start + $0) % all.count] }
  }
}
