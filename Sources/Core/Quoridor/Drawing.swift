/// The board in letters, for tests and terminals.
extension Position {
  /// Nineteen lines of the board with the column letters below, player 1 at the bottom; pawns are the
  /// numbers of their players, walls are drawn through the joint in their middle.
  package var drawing: String {
    let edge = "  +" + String(repeating: "---+", count: 9)
    var lines = [edge]
    for row in stride(from: 8, through: 0, by: -1) {
      lines.append(squares(row))
      if row > 0 { lines.append(groove(below: row)) }
    }
    lines.append(edge)
    lines.append("    " + ["a", "b", "c", "d", "e", "f", "g", "h", "i"].joined(separator: "   "))
    return lines.joined(separator: "\n") + "\n"
  }

  private func squares(_ row: Int) -> String {
    var out = "\(row + 1) |"
    for column in 0..<9 {
      let index = UInt8(row * 9 + column)
      let seat = (0..<Int(seats)).first { pawnIndex($0) == index }
      out += " " + (seat.map { "\($0 + 1)" } ?? " ") + " "
      let isWalled = column < 8 && openEast & Square(index).bit == 0
      out += column == 8 || isWalled ? "|" : " "
    }
    return out
  }

  /// The groove between a row and the one below it.
  private func groove(below row: Int) -> String {
    var out = "  +"
    for column in 0..<9 {
      let south = Square(UInt8((row - 1) * 9 + column))
      out += openNorth & south.bit == 0 ? "---" : "   "
      guard column < 8 else { break }
      let joint = UInt64(1) << UInt64((row - 1) * 8 + column)
      out += walls.horizontal & joint != 0 ? "-" : walls.vertical & joint != 0 ? "|" : "+"
    }
    return out + "+"
  }
}
