/// A floating-point number as its bits, so that pure code never computes with it.
///
/// Nothing Tabletalk signs holds one; the decoder knows them in order to judge whole documents.
package struct FloatBits: Sendable, Equatable {
  /// The width on the wire.
  package enum Width: UInt8, Sendable {
    case half = 2
    case single = 4
    case double = 8

    fileprivate var exponentBits: Int { self == .half ? 5 : self == .single ? 8 : 11 }
    fileprivate var mantissaBits: Int { self == .half ? 10 : self == .single ? 23 : 52 }
    fileprivate var bias: Int { (1 << (exponentBits - 1)) - 1 }
  }

  package let width: Width
  /// The IEEE 754 bits, in the low `width` bytes.
  package let bits: UInt64

  /// Takes the bits as they stood on the wire.
  package init(width: Width, bits: UInt64) {
    self.width = width
    self.bits = bits
  }

  /// Whether this is the one preferred serialization of its value (RFC 8949 section 4.2.2).
  ///
  /// The shortest width that keeps the value, and for NaN only `f97e00`.
  package var isShortest: Bool {
    let mantissa = bits & ((1 << UInt64(width.mantissaBits)) - 1)
    let exponentMask = (1 << width.exponentBits) - 1
    let exponent = Int(bits >> UInt64(width.mantissaBits)) & exponentMask
    if exponent == exponentMask && mantissa != 0 { return width == .half && bits == 0x7e00 }
    return switch width {
    case .half: true
    case .single: !fits(.half, exponent, exponentMask, mantissa)
    case .double: !fits(.single, exponent, exponentMask, mantissa)
    }
  }

  private func fits(_ narrow: Width, _ raw: Int, _ mask: Int, _ mantissa: UInt64) -> Bool {
    if raw == mask { return true }
    if raw == 0 { return mantissa == 0 }
    let exponent = raw - width.bias
    guard exponent <= narrow.bias else { return false }
    let significand = mantissa | (1 << UInt64(width.mantissaBits))
    let lowest = exponent - width.mantissaBits + significand.trailingZeroBitCount
    let unit = max(exponent, 1 - narrow.bias) - narrow.mantissaBits
    return lowest >= unit
  }
}
