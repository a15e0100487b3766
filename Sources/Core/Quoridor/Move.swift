/// What a turn may be: a step or a jump of the own pawn, a wall, or nothing where nothing else is legal.
package enum Move: Hashable, Sendable {
  /// To a square; a jump, too, names only where it ends.
  case pawn(Square)
  case wall(Wall)
  /// With four players, when the pawn is shut in by others and there is no wall to place.
  case pass

  /// Reads `e2`, `e3h` or `pass`, in small letters.
  package init?(_ text: some StringProtocol) {
    if let square = Square(text) {
      self = .pawn(square)
    } else if let wall = Wall(text) {
      self = .wall(wall)
    } else if text == "pass" {
      self = .pass
    } else {
      return nil
    }
  }

  /// The move as it is written.
  package var text: String {
    switch self {
    case .pawn(let square): square.text
    case .wall(let wall): wall.text
    case .pass: "pass"
    }
  }

  /// Codes are below this.
  package static let codes = Square.count + Wall.count + 1

  /// One small number: squares from 0, horizontal walls from 81, vertical ones from 145, the pass 209.
  package var code: UInt8 {
    switch self {
    case .pawn(let square): square.index
    case .wall(let wall): 81 &+ wall.direction.rawValue &* 64 &+ wall.slot
    case .pass: 209
    }
  }

  /// The move with this code; nil from 210 on.
  package init?(code: UInt8) {
    switch code {
    case ..<81: self = .pawn(Square(code))
    case ..<145: self = .wall(Wall(slot: code - 81, .horizontal))
    case ..<209: self = .wall(Wall(slot: code - 145, .vertical))
    case 209: self = .pass
    default: return nil
    }
  }
}
