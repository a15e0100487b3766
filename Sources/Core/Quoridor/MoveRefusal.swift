/// Why a move is none: a stable code, and what the player may do next.
package enum MoveRefusal: String, Error, Sendable, CaseIterable {
  case gameOver
  case notYourTurn
  case pawnCannotGoThere
  case noWallsLeft
  case wallOverlaps
  case wallCrosses
  case wallClosesLastPath
  case mustMove
  case noDrawYet
  case drawOfferedAlready
  case noDrawOffered
  case ownDrawOffer

  /// Stable; goes into the log's outcome.
  package var code: String { rawValue }

  /// For people: says what to do next.
  package var sentence: String {
    switch self {
    case .gameOver: "The game is over. Start another one."
    case .notYourTurn: "It is not your turn. Wait for the others to move."
    case .pawnCannotGoThere: "Your pawn cannot go there. Choose one of the marked squares."
    case .noWallsLeft: "You have no walls left. Move your pawn."
    case .wallOverlaps: "Another wall lies there. Choose a free place."
    case .wallCrosses: "The wall would cross another one. Choose a place where it does not."
    case .wallClosesLastPath:
      "The wall would close somebody's last path to the goal. Choose another place."
    case .mustMove: "You can move, so you cannot pass. Move your pawn or place a wall."
    case .noDrawYet:
      "A draw can be offered when the same position has come up three times. Play on for now."
    case .drawOfferedAlready: "A draw is offered already. Wait for the answers, or play on."
    case .noDrawOffered: "No draw is offered. Play on."
    case .ownDrawOffer: "You offered this draw yourself. Wait for the answers, or play on."
    }
  }
}
