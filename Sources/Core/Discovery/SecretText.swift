package import Wire

/// A table's secret as people pass it on: 26 characters, five bits each, the first bits first.
///
/// Lower-case letters and digits without i, l, o and u, which are taken for something else. Whoever
/// reads takes capitals too, i and l for 1, o for 0, and skips dashes and spaces.
package enum SecretText {
  /// Characters of a secret: 128 bits, and two that are zero.
  package static let count = 26
  /// Bytes that people make of it at the most, with dashes and spaces.
  private static let limit = 96
  private static let letters = Array("0123456789abcdefghjkmnpqrstvwxyz".utf8)

  /// The 26 characters of a secret.
  package static func write(_ secret: TableSecret) -> String {
    var out: [UInt8] = []
    var bits: UInt32 = 0
    var held: UInt32 = 0
    for byte in secret.bytes + [0] {
      bits = bits << 8 | UInt32(byte)
      held += 8
      while held >= 5, out.count < count {
        held -= 5
        out.append(letters[Int(bits >> held & 31)])
      }
      bits &= 1 << held - 1
    }
    return String(decoding: out, as: UTF8.self)
  }

  /// Reads a secret; nil for any other number of characters, or other ones.
  package static func read(_ text: some StringProtocol) -> TableSecret? {
    guard text.utf8.count <= limit else { return nil }
    var out: [UInt8] = []
    var bits: UInt32 = 0
    var held: UInt32 = 0
    var read = 0
    for letter in text.utf8 where letter != UInt8(ascii: "-") && letter != UInt8(ascii: " ") {
      guard read < count, let value = value(of: letter) else { return nil }
      read += 1
      bits = bits << 5 | value
      held += 5
      if held >= 8 {
        held -= 8
        out.append(UInt8(truncatingIfNeeded: bits >> held))
        bits &= 1 << held - 1
      }
    }
    // The two bits beyond the secret are zero, so that it has one text only.
    guard read == count, bits == 0 else { return nil }
    return TableSecret(out)
  }

  private static func value(of letter: UInt8) -> UInt32? {
    switch letter {
    case UInt8(ascii: "i"), UInt8(ascii: "I"), UInt8(ascii: "l"), UInt8(ascii: "L"): return 1
    case UInt8(ascii: "o"), UInt8(ascii: "O"): return 0
    default: break
    }
    let isCapital = (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(letter)
    return letters.firstIndex(of: isCapital ? letter + 32 : letter).map(UInt32.init)
  }
}
