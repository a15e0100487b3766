import Games

/// Every refusal of a table, with its stable code (the raw value) and what to do next.
///
/// What a game refuses comes with its own list: `sentence(of:)` knows both.
package enum Refusal: String, CaseIterable, Error, Sendable {
  // A join that enters no log.
  case foreignTable
  case badJoin
  case badName
  case tableFull
  case tableStarted
  case tableOver
  case practice
  case alreadySeated
  case keyUsed
  case noWitnesses
  case witnessesFull
  case tableLocked
  case takenOff
  case notWatched
  case watchersFull
  // An entry that enters no log.
  case sequenceUsed
  case notMember
  case seatLeft
  // An entry that the log keeps as void.
  case notAdmissible
  case malformed
  case onlyCreator
  case alreadyStarted
  case playersMissing
  case notReady
  case lobbyClosed
  case sameReady
  case notDrawing
  case notInDraw
  case otherDraw
  case alreadyCommitted
  case alreadyRevealed
  case revealMismatch
  case lostSay
  case notPlaying
  case tableCancelled
  case notOver
  case alreadyAsked
  case notAway
  case badKey
  case onlyHost
  case sameLock
  case ownSeat
  case noSuchSeat
  case tooFewWouldStay
  case notTakenOff
  case noReturn
  case badShow
  case alreadyShown

  /// Stable, camelCase.
  package var code: String { rawValue }

  /// For people.
  package var sentence: String {
    switch self {
    case .foreignTable: "This belongs to another table. Open that one and try again."
    case .badJoin: "The request to join was not complete. Join again from the list of tables."
    case .badName: "A name has 2 to 24 letters. Choose another one under Me."
    case .tableFull: "All seats at this table are taken. Join another table or make a new one."
    case .tableStarted:
      "This table has already started. Wait for the next game, or make a new table."
    case .tableOver: "This table has ended. Join another one or make a new one."
    case .practice: "This is somebody's try-out. Make a table of your own."
    case .alreadySeated: "You already sit at this table. Open it under My tables."
    case .keyUsed: "Somebody at this table already uses this key. Join again."
    case .noWitnesses: "This table agrees among its own people. There is nothing to do."
    case .witnessesFull: "Enough laptops help this table to agree. There is nothing to do."
    case .tableLocked:
      "Nobody new is let in here now. Ask whoever runs the table to open it again."
    case .takenOff: "You were taken off this table. Ask whoever runs it to let you back."
    case .notWatched: "This table is for those who play. Ask for a seat, or join another one."
    case .watchersFull: "Enough people look on at this table. Try again when somebody has gone."
    case .sequenceUsed: "The table already knows this. Nothing more to do."
    case .notMember: "You do not sit at this table. Join it first."
    case .seatLeft: "You have left this table. Join the next one."
    case .notAdmissible: "The table could not take this in turn. Try again."
    case .malformed: "This laptop sent something the table does not know. Update Tabletalk on it."
    case .onlyCreator: "Only the person who made the table can do this. Ask them."
    case .alreadyStarted: "The game has already been started. Go to the board."
    case .playersMissing:
      "A game needs two people. Invite somebody or try it alone with Try it now."
    case .notReady: "Somebody has not said to be ready yet. Wait for them, or ask them."
    case .lobbyClosed: "The game has been started, so words and rules stand. Go to the board."
    case .sameReady: "The table already knows that. Nothing more to do."
    case .notDrawing: "The boards are not being drawn now. Wait for the table."
    case .notInDraw: "The boards are drawn without you this time. Wait for yours."
    case .otherDraw: "The draw has begun again. Wait for your board."
    case .alreadyCommitted: "Your part in the draw is already there. Wait for the others."
    case .alreadyRevealed: "Your part in the draw is already open. Wait for the others."
    case .revealMismatch: "What was opened is not what was laid down. Send the right one."
    case .lostSay: "Your part in the draw came too late. You get a board all the same: wait for it."
    case .notPlaying: "The game has not begun yet. Wait until the boards are dealt."
    case .tableCancelled: "This table was called off. Join another one or make a new one."
    case .notOver: "The game is still on. Ask for a rematch when it is over."
    case .badKey: "This laptop may not agree with this key. Start Tabletalk again on it."
    case .onlyHost: "Only whoever runs the table can do this. Ask them."
    case .sameLock: "The table already knows that. Nothing more to do."
    case .ownSeat: "This is your own seat. Quit if you want to go."
    case .noSuchSeat: "This person is not at the table any more. Nothing more to do."
    case .tooFewWouldStay: "Two people are needed to play on. Quit if you do not want to."
    case .notTakenOff: "This person was not taken off the table. Nothing more to do."
    case .noReturn: "The game is past the point where they can come back. Play again afterwards."
    case .badShow: "Nobody can be shown like this here. Nothing more to do."
    case .alreadyShown: "The others can see who you were already. Nothing more to do."
    case .notAway: "The table knows that you are here. Nothing more to do."
    case .alreadyAsked: "You have already asked for a rematch. Wait for the others."
    }
  }

  /// The sentence of a code, of the table's or of any game's.
  package static func sentence(of code: String) -> String {
    if let refusal = Refusal(rawValue: code) { return refusal.sentence }
    for kind in GameKind.allCases {
      if let refusal = kind.refusals.first(where: { $0.code == code }) { return refusal.sentence }
    }
    return "The table did not take this. Reload the page and try again."
  }
}
