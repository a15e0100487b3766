/// Games as text: `1. e2 e8 2. e3 e7`, a number for each round and a move for each player in it.
package enum MoveList {
  /// Longest text that is read.
  package static let longestText = 100_000

  /// The moves from the start of a game, numbered from 1.
  package static func text(_ moves: [Move], players: Position.Players = .two) -> String {
    moves.enumerated().map { index, move in
      let (round, place) = index.quotientAndRemainder(dividingBy: players.rawValue)
      return place == 0 ? "\(round + 1). \(move.text)" : move.text
    }.joined(separator: " ")
  }

  /// Reads moves and plays them from a position.
  ///
  /// Small and capital letters are one, round numbers may stand or not, `1.e2` too. Throws at the first word that
  /// is no move or is not legal, and says which.
  package static func read(
    _ text: String, from start: Position = Position()
  ) throws(TextFault) -> [Move] {
    guard text.utf8.count <= longestText else {
      throw TextFault("movesTooLong", "No game is that long. Check what was pasted.")
    }
    var position = start
    var moves: [Move] = []
    for word in text.split(whereSeparator: \.isWhitespace) {
      let rest = withoutNumber(word)
      guard !rest.isEmpty else { continue }
      guard let move = Move(rest.lowercased()) else {
        throw TextFault(
          "notAMove",
          "Move \(moves.count + 1), \"\(rest.prefix(12))\", is no move; one is written like e2 or e3h."
        )
      }
      // A pass that is not legal is a turn that ran out.
      if move == .pass, position.refusal(of: .pass) == .mustMove {
        position.passTurn()
        moves.append(move)
        continue
      }
      do throws(MoveRefusal) {
        try position.play(move)
      } catch {
        throw TextFault(
          error.code, "Move \(moves.count + 1), \(move.text), is not legal. \(error.sentence)")
      }
      moves.append(move)
    }
    return moves
  }

  /// What stands behind `12.`, which may be nothing.
  private static func withoutNumber(_ word: Substring) -> Substring {
    let rest = word.drop { $0.isASCII && $0.isNumber }
    guard rest.startIndex > word.startIndex, rest.first == "." else { return word }
    return rest.drop { $0 == "." }
  }
}
