import CBOR
import Testing
import TestSupport

/// The decoder judges floats by their bits alone; here the machine's own floats judge the decoder.
@Suite struct `Floats are shortest` {
  @Test func `when they are halves, except for odd NaNs`() {
    let wrong = (UInt16.min...UInt16.max).filter { bits in
      let value = Float16(bitPattern: bits)
      let half = FloatBits(width: .half, bits: UInt64(bits))
      guard !value.isNaN else { return half.isShortest != (bits == 0x7e00) }
      let single = FloatBits(width: .single, bits: UInt64(Float(value).bitPattern))
      let double = FloatBits(width: .double, bits: Double(value).bitPattern)
      return !half.isShortest || single.isShortest || double.isShortest
    }
    #expect(wrong.isEmpty)
  }

  @Test func `when a narrower width would change them`() {
    var chance = SeededBytes(seed: 754)
    for _ in 0..<20_000 {
      let single = Float(bitPattern: UInt32.random(in: 0...UInt32.max, using: &chance))
      let double = Double(bitPattern: chance.next())
      // Few of the mantissa's bits, so that many values do fit.
      let round = Double(
        bitPattern: chance.next() & ~((1 << UInt64.random(in: 20...52, using: &chance)) - 1))
      if !single.isNaN {
        let bits = FloatBits(width: .single, bits: UInt64(single.bitPattern))
        #expect(bits.isShortest == (Float(Float16(single)) != single), "\(single)")
      }
      for value in [double, round] where !value.isNaN {
        let bits = FloatBits(width: .double, bits: value.bitPattern)
        #expect(bits.isShortest == (Double(Float(value)) != value), "\(value)")
      }
    }
  }

  @Test func `never when they are wide NaNs`() {
    #expect(!FloatBits(width: .single, bits: 0x7fc0_0000).isShortest)
    #expect(!FloatBits(width: .double, bits: 0x7ff8_0000_0000_0000).isShortest)
    #expect(!FloatBits(width: .double, bits: 0xfff0_0000_0000_0001).isShortest)
  }
}
