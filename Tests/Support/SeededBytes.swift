/// A repeatable source of chance for tests: SplitMix64.
package struct SeededBytes: RandomNumberGenerator {
  private var state: UInt64

  /// Starts the one sequence that belongs to `seed`.
  package init(seed: UInt64) { state = seed }

  /// The next eight bytes as a number.
  package mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
    return mixed ^ (mixed >> 31)
  }

  /// The next `count` bytes.
  package mutating func bytes(_ count: Int) -> [UInt8] {
    (0..<count).map { _ in UInt8.random(in: 0...255, using: &self) }
  }
}
