/// A few small numbers in a row, quick to copy and to compare.
struct SearchState: Hashable, Sendable {
  /// How many there are.
  static let size = 32
  private var words = (UInt64(0), UInt64(0), UInt64(0), UInt64(0))

  /// All of them the same.
  init(repeating byte: UInt8) {
    let word = UInt64(byte) &* 0x0101_0101_0101_0101
    words = (word, word, word, word)
  }

  subscript(index: Int) -> UInt8 {
    get {
      UInt8(truncatingIfNeeded: word(index >> 3) >> UInt64(8 * (index & 7)))
    }
    set {
      let shift = UInt64(8 * (index & 7))
      let changed = word(index >> 3) & ~(0xff << shift) | UInt64(newValue) << shift
      switch index >> 3 {
      case 0: words.0 = changed
      case 1: words.1 = changed
      case 2: words.2 = changed
      default: words.3 = changed
      }
    }
  }

  private func word(_ index: Int) -> UInt64 {
    switch index {
    case 0: words.0
    case 1: words.1
    case 2: words.2
    default: words.3
    }
  }

  static func == (left: SearchState, right: SearchState) -> Bool { left.words == right.words }

  func hash(into hasher: inout Hasher) {
    var mixed = words.0
    for index in 1...3 {
      mixed = (mixed ^ (mixed >> 29)) &* 0x9e37_79b9_7f4a_7c15 ^ word(index)
    }
    hasher.combine(mixed)
  }
}
