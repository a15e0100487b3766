extension Position {
  /// A number of 64 bits that depends on everything a search needs to tell positions apart.
  ///
  /// Walls, pawns and walls left are mixed by multiplication (the steps of SplitMix64), which is as fast
  /// here as a Zobrist table and needs none.
  var fingerprint: UInt64 {
    var out = walls.horizontal &* 0x9e37_79b9_7f4a_7c15
    out = (out ^ (out &>> 29) ^ walls.vertical) &* 0xbf58_476d_1ce4_e5b9
    out = (out ^ (out &>> 32) ^ UInt64(pawns)) &* 0x94d0_49bb_1331_11eb
    out = (out ^ (out &>> 29) ^ UInt64(left) ^ UInt64(mover) &<< 40) &* 0xd6e8_feb8_6659_fd93
    return out ^ (out &>> 32)
  }
}

/// What is remembered of a position that was searched before.
struct Memory {
  /// What a score says.
  enum Bound: UInt8 {
    case exact, atLeast, atMost
  }

  var key: UInt64 = 0
  var score: Int16 = 0
  /// The best move's code; 255 for none.
  var move: UInt8 = 255
  var depth: Int8 = -1
  var bound: Bound = .exact
  /// The search that wrote it: others' are as good as empty, so that a search depends on nothing before it.
  var search: UInt32 = 0
}

/// Positions by their fingerprints, at most one for each place; a bounded memory.
struct Table {
  private var rows: [Memory]
  private let mask: UInt64
  private var search: UInt32 = 0

  /// 2 to the power of `bits` rows of 24 bytes.
  init(bits: Int) {
    rows = Array(repeating: Memory(), count: 1 << bits)
    mask = (1 << UInt64(bits)) - 1
  }

  /// Forgets everything, at no cost.
  mutating func begin() { search &+= 1 }

  func row(_ key: UInt64) -> Memory? {
    let row = rows[Int(truncatingIfNeeded: key & mask)]
    return row.key == key && row.search == search ? row : nil
  }

  /// Keeps a result, unless a deeper one of this search is in its place.
  mutating func keep(_ key: UInt64, depth: Int, score: Int, bound: Memory.Bound, move: UInt8) {
    let place = Int(truncatingIfNeeded: key & mask)
    let old = rows[place]
    if old.search == search && old.key != key && Int(old.depth) > depth + 2 { return }
    rows[place] = Memory(
      key: key, score: Int16(truncatingIfNeeded: score), move: move,
      depth: Int8(truncatingIfNeeded: depth), bound: bound, search: search)
  }
}
