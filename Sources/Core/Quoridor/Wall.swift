/// A place for a wall: two squares long, in the groove between two pairs of squares.
///
/// It is named by the square nearest a1 of the four that it touches. `e3h` lies on top of e3 and f3,
/// `e3v` lies right of e3 and e4.
package struct Wall: Hashable, Sendable, Comparable {
  /// How it lies.
  package enum Direction: UInt8, Sendable, CaseIterable {
    case horizontal, vertical
  }

  /// Row times eight plus column of the square that names it: the number of its bit.
  package let slot: UInt8
  package let direction: Direction

  /// Walls that a board has room for, one at a time.
  package static let count = 128

  /// The wall that this square names; nil on row 9 and column i, where it would stick out.
  package init?(_ square: Square, _ direction: Direction) {
    guard square.column < 8, square.row < 8 else { return nil }
    self.init(slot: UInt8(square.row * 8 + square.column), direction)
  }

  init(slot: UInt8, _ direction: Direction) {
    self.slot = slot
    self.direction = direction
  }

  /// Reads a name such as `e3h`, in small letters.
  package init?(_ text: some StringProtocol) {
    guard text.utf8.prefix(4).count == 3, let square = Square(text.dropLast()) else { return nil }
    switch text.last {
    case "h": self.init(square, .horizontal)
    case "v": self.init(square, .vertical)
    default: return nil
    }
  }

  /// The square nearest a1 that it touches.
  package var square: Square { Square(slot &+ slot &>> 3) }
  /// Its name, for example `e3h`.
  package var text: String { square.text + (direction == .horizontal ? "h" : "v") }

  /// The mask of slots that holds it alone.
  var bit: UInt64 { 1 &<< UInt64(slot) }

  /// By column, then row, then horizontal before vertical: the order of the names.
  package static func < (left: Wall, right: Wall) -> Bool {
    (left.slot & 7, left.slot >> 3, left.direction.rawValue)
      < (right.slot & 7, right.slot >> 3, right.direction.rawValue)
  }
}

/// A set of walls, as one mask of slots for each direction.
package struct WallSet: Hashable, Sendable {
  var horizontal: UInt64
  var vertical: UInt64

  /// No wall.
  static let none = WallSet(horizontal: 0, vertical: 0)

  package var isEmpty: Bool { horizontal | vertical == 0 }
  package var count: Int { horizontal.nonzeroBitCount &+ vertical.nonzeroBitCount }

  /// Whether a wall is one of them.
  package func contains(_ wall: Wall) -> Bool {
    (wall.direction == .horizontal ? horizontal : vertical) & wall.bit != 0
  }

  /// Those that are in both.
  func intersection(_ other: WallSet) -> WallSet {
    WallSet(horizontal: horizontal & other.horizontal, vertical: vertical & other.vertical)
  }

  /// Those of one or the other.
  func union(_ other: WallSet) -> WallSet {
    WallSet(horizontal: horizontal | other.horizontal, vertical: vertical | other.vertical)
  }

  /// Those that are not in the other.
  func subtracting(_ other: WallSet) -> WallSet {
    WallSet(horizontal: horizontal & ~other.horizontal, vertical: vertical & ~other.vertical)
  }

  /// Takes a wall out.
  mutating func remove(_ wall: Wall) {
    switch wall.direction {
    case .horizontal: horizontal &= ~wall.bit
    case .vertical: vertical &= ~wall.bit
    }
  }

  /// Takes out and returns the first: horizontal ones before vertical ones, each from a1 on by rows.
  mutating func popFirst() -> Wall? {
    if horizontal != 0 {
      let slot = UInt8(truncatingIfNeeded: horizontal.trailingZeroBitCount)
      horizontal &= horizontal &- 1
      return Wall(slot: slot, .horizontal)
    }
    guard vertical != 0 else { return nil }
    let slot = UInt8(truncatingIfNeeded: vertical.trailingZeroBitCount)
    vertical &= vertical &- 1
    return Wall(slot: slot, .vertical)
  }
}
