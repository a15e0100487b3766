/// Masks of the empty board.
enum Board {
  /// Bits 0 to 80.
  static var all: UInt128 { 0x1_ffff_ffff_ffff_ffff_ffff }
  static var row1: UInt128 { 0x1ff }
  static var row9: UInt128 { 0x1ff &<< 72 }
  static var columnA: UInt128 { 0x1_0080_4020_1008_0402_01 }
  static var columnI: UInt128 { columnA &<< 8 }
  /// Every row but the last has a way north.
  static var allNorth: UInt128 { all & ~row9 }
  /// Every column but the last has a way east.
  static var allEast: UInt128 { all & ~columnI }

  // Of the 8 x 8 slots.
  static var slotColumnA: UInt64 { 0x0101_0101_0101_0101 }
  static var slotColumnH: UInt64 { 0x8080_8080_8080_8080 }
  static var slotRow1: UInt64 { 0xff }
  static var slotRow8: UInt64 { 0xff00_0000_0000_0000 }

  /// The squares whose way north a horizontal wall closes: the one that names it, and the one to its right.
  static func closedNorth(_ slot: UInt8) -> UInt128 {
    3 &<< UInt128(truncatingIfNeeded: slot &+ slot &>> 3)
  }

  /// The squares whose way east a vertical wall closes: the one that names it, and the one above.
  static func closedEast(_ slot: UInt8) -> UInt128 {
    0x201 &<< UInt128(truncatingIfNeeded: slot &+ slot &>> 3)
  }

  /// The horizontal slots whose wall would close the way north of a square.
  static func slotsNorth(column: Int, row: Int) -> UInt64 {
    let pair = ((3 as UInt64) &<< UInt64(truncatingIfNeeded: column)) &>> 1
    return (pair & 0xff) &<< UInt64(truncatingIfNeeded: row &* 8)
  }

  /// The vertical slots whose wall would close the way east of a square.
  static func slotsEast(column: Int, row: Int) -> UInt64 {
    let pair = (0x0101 as UInt64) &<< UInt64(truncatingIfNeeded: column)
    return row == 0 ? pair & 0xff : pair &<< UInt64(truncatingIfNeeded: row &* 8 &- 8)
  }
}
