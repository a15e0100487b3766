/// Where everything stands and whose turn it is: a small value, copied rather than changed back.
///
/// Squares are bits of a 128-bit word, row after row from a1. Two masks say which edges between them are
/// open: bit s of `openNorth` joins square s with s + 9, bit s of `openEast` with s + 1. So a step of
/// a search is four shifts, and a trial wall takes two bits out. Nothing wraps around the board's sides,
/// since no edge is open there.
package struct Position: Hashable, Sendable {
  /// Walls that stand, by slots.
  var walls: WallSet
  var openNorth: UInt128
  var openEast: UInt128
  /// A byte for each seat, the first one lowest: the pawn's square, or `absent`.
  var pawns: UInt32
  /// A byte for each seat: walls that it may still place.
  var left: UInt32
  var mover: UInt8
  /// Two or four.
  let seats: UInt8
  /// What four players agreed on for two pawns in a row.
  package let jumps: JumpRule

  /// In place of a square, for a seat that has given up: its pawn is off the board.
  static let absent: UInt8 = 255

  /// The start: pawns on e1 and e9 with ten walls each, or on e1, a5, e9 and i5 with five.
  package init(players: Players = .two, jumps: JumpRule = .never) {
    walls = .none
    openNorth = Board.allNorth
    openEast = Board.allEast
    mover = 0
    seats = UInt8(players.rawValue)
    switch players {
    case .two:
      pawns = 4 | 76 << 8 | UInt32(Position.absent) << 16 | UInt32(Position.absent) << 24
      left = 10 | 10 << 8
      self.jumps = .never
    case .four:
      pawns = 4 | 36 << 8 | 76 << 16 | 44 << 24
      left = 5 | 5 << 8 | 5 << 16 | 5 << 24
      self.jumps = jumps
    }
  }

  /// How many sit down; the rules know no game of three.
  package enum Players: Int, Sendable, CaseIterable {
    case two = 2
    case four = 4
  }

  /// When a second pawn stands right behind the one to be jumped over, which only four players meet.
  package enum JumpRule: String, Sendable, CaseIterable {
    /// No jump that way: "it is forbidden to jump more than one pawn" (Gigamic's text).
    case never
    /// As with a wall behind it: to the left or right of the first pawn.
    case sideways
  }

  package var players: Players { seats == 2 ? .two : .four }
  /// The seat that moves next, from 0; of an ended game the one after the winner's.
  package var turn: Int { Int(mover) }

  /// The pawn of a seat; nil when the seat has given up.
  package func pawn(of seat: Int) -> Square? {
    let index = pawnIndex(seat)
    return index == Position.absent ? nil : Square(index)
  }

  /// Walls that a seat may still place.
  package func wallsLeft(of seat: Int) -> Int { Int(wallCount(seat)) }

  /// Every wall that stands, in the order of the names.
  package var wallsPlaced: [Wall] {
    var rest = walls
    var out: [Wall] = []
    while let wall = rest.popFirst() { out.append(wall) }
    return out.sorted()
  }

  /// Seats that still play.
  package var present: [Int] { (0..<Int(seats)).filter { pawnIndex($0) != Position.absent } }

  /// The seat whose pawn has arrived, or that is the last one; nil while the game goes on.
  package var winner: Int? {
    let present = present
    if present.count == 1 { return present[0] }
    return present.first { bit(of: $0) & goal(of: $0) != 0 }
  }

  package var isOver: Bool { winner != nil }

  // MARK: For the generators

  func pawnIndex(_ seat: Int) -> UInt8 {
    UInt8(truncatingIfNeeded: pawns &>> UInt32(truncatingIfNeeded: seat &* 8))
  }

  func wallCount(_ seat: Int) -> UInt8 {
    UInt8(truncatingIfNeeded: left &>> UInt32(truncatingIfNeeded: seat &* 8))
  }

  /// The mask of a seat's pawn; empty when it has given up.
  func bit(of seat: Int) -> UInt128 {
    let index = pawnIndex(seat)
    return index == Position.absent ? 0 : 1 &<< UInt128(truncatingIfNeeded: index)
  }

  /// Squares that a seat's pawn must reach one of.
  func goal(of seat: Int) -> UInt128 {
    if seats == 2 { return seat == 0 ? Board.row9 : Board.row1 }
    switch seat {
    case 0: return Board.row9
    case 1: return Board.columnI
    case 2: return Board.row1
    default: return Board.columnA
    }
  }

  /// Every square with a pawn.
  var occupied: UInt128 {
    if seats == 2 { return bit(of: 0) | bit(of: 1) }
    return bit(of: 0) | bit(of: 1) | bit(of: 2) | bit(of: 3)
  }

  mutating func setPawn(_ seat: Int, _ index: UInt8) {
    let shift = UInt32(truncatingIfNeeded: seat &* 8)
    pawns = pawns & ~(0xff &<< shift) | UInt32(index) &<< shift
  }

  mutating func setLeft(_ seat: Int, _ count: UInt8) {
    let shift = UInt32(truncatingIfNeeded: seat &* 8)
    left = left & ~(0xff &<< shift) | UInt32(count) &<< shift
  }

  /// Gives the turn to the next seat that still plays.
  mutating func passTurn() {
    if seats == 2 {
      mover ^= 1
      return
    }
    for _ in 0..<4 {
      mover = (mover &+ 1) & 3
      if pawnIndex(Int(mover)) != Position.absent { return }
    }
  }
}
