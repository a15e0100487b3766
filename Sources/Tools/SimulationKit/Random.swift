/// Repeatable random numbers: SplitMix64 (Steele, Lea, Flood 2014).
package struct Random: RandomNumberGenerator, Sendable {
  private var state: UInt64

  /// Starts the stream of a seed.
  package init(seed: UInt64) { state = seed }

  package mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var z = state
    z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
    z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
    return z ^ (z >> 31)
  }

  /// A number below `bound`, which must be positive.
  package mutating func below(_ bound: Int) -> Int { Int(next() % UInt64(bound)) }

  /// A number in a range.
  package mutating func number(_ range: ClosedRange<UInt64>) -> UInt64 {
    range.lowerBound + next() % (range.upperBound - range.lowerBound + 1)
  }

  /// True so many times in a hundred.
  package mutating func chance(_ percent: Int) -> Bool { below(100) < percent }
}
