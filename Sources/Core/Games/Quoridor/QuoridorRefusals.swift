package import Quoridor

/// What the rules and the lobby of Quoridor refuse, beside what the board itself does.
extension IllegalMove {
  package static let wrongPlayerCount = IllegalMove(
    "wrongPlayerCount",
    "Quoridor is for two or for four. Change how many play, or wait until everybody is here.")
  package static let turnIsOver = IllegalMove(
    "turnIsOver", "The game has gone on meanwhile. Look at the board and choose again.")
  package static let nothingAsked = IllegalMove(
    "nothingAsked", "Nothing is asked for any more. Play on.")
  package static let askedAlready = IllegalMove(
    "askedAlready", "Something is asked for already. Wait for the answers, or play on.")
  package static let turnedDown = IllegalMove(
    "turnedDown", "They have said no in this turn. Play on, and ask again when it is over.")
  /// Comes from the page's own reading, never from a log.
  static let notAMove = IllegalMove(
    "notAMove", "This is no move. Write a square like e2, or a wall like e3h or e3v.")
  /// Comes from a list of moves on the page, never from a log.
  static let pastIsOver = IllegalMove(
    "pastIsOver", "That game was drawn before its last move. Leave out what comes after.")
  package static let ownQuestion = IllegalMove(
    "ownQuestion", "You asked this yourself. Wait for the others to answer, or play on.")
  package static let noMoveToTakeBack = IllegalMove(
    "noMoveToTakeBack", "You have made no move yet that could be taken back. Play on.")

  /// What the board refuses.
  package init(_ refusal: MoveRefusal) { self.init(refusal.code, refusal.sentence) }
}

extension QuoridorGame {
  package static var refusals: [IllegalMove] {
    [
      .malformed, .gameOver, .seatGone, .onlyCreatorSets, .wrongPlayerCount, .turnIsOver,
      .nothingAsked, .askedAlready, .turnedDown, .ownQuestion, .noMoveToTakeBack,
    ]
      + [
        MoveRefusal.notYourTurn, .pawnCannotGoThere, .noWallsLeft, .wallOverlaps, .wallCrosses,
        .wallClosesLastPath, .mustMove, .noDrawYet,
      ].map { IllegalMove($0) }
  }
}
