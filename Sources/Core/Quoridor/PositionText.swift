/// Why a text is no position, move list or command: what is wrong with it and what would be right.
package struct TextFault: Error, Hashable, Sendable {
  /// Stable, camelCase.
  package let code: String
  /// For people; ends with a full stop.
  package let sentence: String

  init(_ code: String, _ sentence: String) {
    self.code = code
    self.sentence = sentence
  }
}

/// Positions as one word of text: walls, pawns, walls left, whose turn (Protocol/games/quoridor.md).
///
///     -/e1,e9/10,10/1                  the start, two players
///     a1v,e4h/e5,e6/9,9/1              two walls, pawns face to face
///     -/e1,a5,e9,i5/5,5,5,5/1/sideways four players who may step aside before two pawns
extension Position {
  /// The text; equal positions have equal texts.
  package var text: String {
    let list = wallsPlaced
    let walls = list.isEmpty ? "-" : list.map(\.text).joined(separator: ",")
    let pawns = (0..<Int(seats)).map { pawn(of: $0)?.text ?? "-" }.joined(separator: ",")
    let left = (0..<Int(seats)).map { "\(wallsLeft(of: $0))" }.joined(separator: ",")
    return "\(walls)/\(pawns)/\(left)/\(turn + 1)" + (jumps == .sideways ? "/sideways" : "")
  }

  /// Longest text that is looked at: twenty walls and four pawns take 100 characters.
  package static let longestText = 200

  /// Reads a position; `start` and `start4` are those two.
  ///
  /// Only positions that a game could go on from or end with: walls fit and are twenty at most with those
  /// that are left, pawns stand on squares of their own with a way to their goals, at most one has arrived.
  package init(text: String) throws(TextFault) {
    switch text {
    case "start":
      self.init()
      return
    case "start4":
      self.init(players: .four)
      return
    default: break
    }
    guard text.utf8.count <= Position.longestText else {
      throw TextFault("positionTooLong", "No position is that long. Check what was pasted.")
    }
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 4 || parts.count == 5 else {
      throw TextFault(
        "positionForm",
        "A position is WALLS/PAWNS/LEFT/TURN, for example -/e1,e9/10,10/1, or the word start.")
    }
    let pawns = parts[1].split(separator: ",", omittingEmptySubsequences: false)
    guard let players = Players(rawValue: pawns.count) else {
      throw TextFault("positionPlayers", "A position names two pawns or four, not \(pawns.count).")
    }
    self.init(players: players, jumps: try Position.jumpRule(parts.dropFirst(4).first, players))
    try takeWalls(parts[0])
    try takePawns(pawns)
    try takeLeft(parts[2])
    guard let turn = Int(parts[3]), (1...pawns.count).contains(turn),
      pawnIndex(turn - 1) != Position.absent
    else {
      throw TextFault("positionTurn", "The turn is the number of a player who has a pawn.")
    }
    mover = UInt8(turn - 1)
    try checkGoals()
  }

  private static func jumpRule(
    _ word: Substring?, _ players: Players
  ) throws(TextFault) -> JumpRule {
    guard let word else { return .never }
    guard word == "sideways", players == .four else {
      throw TextFault("positionJumps", "The fifth part is the word sideways, with four players.")
    }
    return .sideways
  }

  private mutating func takeWalls(_ part: Substring) throws(TextFault) {
    guard part != "-" else { return }
    for word in part.split(separator: ",", omittingEmptySubsequences: false) {
      guard let wall = Wall(word) else {
        throw TextFault("positionWall", "\"\(word)\" is no wall; one is written like e3h or e3v.")
      }
      guard fitting.contains(wall) else {
        throw TextFault("positionWall", "\(wall.text) overlaps or crosses another wall.")
      }
      place(wall)
    }
  }

  private mutating func takePawns(_ words: [Substring]) throws(TextFault) {
    var taken: UInt128 = 0
    for (seat, word) in words.enumerated() {
      if word == "-", seats == 4 {
        setPawn(seat, Position.absent)
        continue
      }
      guard let square = Square(word) else {
        throw TextFault("positionPawn", "\"\(word)\" is no square; one is written like e2.")
      }
      guard taken & square.bit == 0 else {
        throw TextFault("positionPawn", "Two pawns stand on \(square.text).")
      }
      taken |= square.bit
      setPawn(seat, square.index)
    }
    guard present.count > 1 else {
      throw TextFault("positionPawn", "At least two players have pawns.")
    }
  }

  private mutating func takeLeft(_ part: Substring) throws(TextFault) {
    let words = part.split(separator: ",", omittingEmptySubsequences: false)
    let most = seats == 2 ? 10 : 5
    let counts = words.compactMap { Int($0) }.filter { (0...most).contains($0) }
    guard words.count == Int(seats), counts.count == words.count else {
      throw TextFault(
        "positionLeft", "Walls left are \(seats) numbers from 0 to \(most) with commas between.")
    }
    guard counts.reduce(walls.count, +) <= 20 else {
      throw TextFault(
        "positionLeft", "There are only twenty walls, on the board and left together.")
    }
    for (seat, count) in counts.enumerated() { setLeft(seat, UInt8(count)) }
  }

  private func checkGoals() throws(TextFault) {
    var arrived = 0
    for seat in present {
      let pawn = bit(of: seat)
      let goal = goal(of: seat)
      guard Position.isOpen(openNorth, openEast, from: pawn, to: goal) else {
        throw TextFault("positionPath", "The pawn of player \(seat + 1) has no way to its goal.")
      }
      if pawn & goal != 0 { arrived += 1 }
    }
    guard arrived == 0 || (arrived == 1 && bit(of: turn) & goal(of: turn) == 0) else {
      throw TextFault("positionOver", "The game would have ended before this position.")
    }
  }
}
