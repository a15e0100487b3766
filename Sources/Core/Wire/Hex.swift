/// Bytes as lower-case hex digits and back.
package enum Hex {
  private static let digits = Array("0123456789abcdef".utf8)

  /// Two digits a byte.
  package static func encode(_ bytes: some Sequence<UInt8>) -> String {
    var out: [UInt8] = []
    out.reserveCapacity(2 * bytes.underestimatedCount)
    for byte in bytes {
      out.append(digits[Int(byte >> 4)])
      out.append(digits[Int(byte & 15)])
    }
    return String(decoding: out, as: UTF8.self)
  }

  /// Reads digits of either case; nil for an odd count or any other character.
  package static func decode(_ text: some StringProtocol) -> [UInt8]? {
    let values = text.utf8.map { (digit: UInt8) -> UInt8 in
      switch digit {
      case 0x30...0x39: digit - 0x30
      case 0x61...0x66: digit - 0x61 + 10
      case 0x41...0x46: digit - 0x41 + 10
      default: 0xff
      }
    }
    guard values.count.isMultiple(of: 2), !values.contains(0xff) else { return nil }
    return stride(from: 0, to: values.count, by: 2).map { values[$0] << 4 | values[$0 + 1] }
  }
}
