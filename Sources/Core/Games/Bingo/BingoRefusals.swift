/// Every refusal of bingo, with its stable code.
extension IllegalMove {
  // In the lobby.
  package static let onlyCreatorSets = IllegalMove(
    "onlyCreatorSets", "Only the person who made the table chooses its rules. Ask them.")
  package static let alreadyInList = IllegalMove(
    "alreadyInList", "This word is already in the list. Try another one.")
  package static let alreadySuggested = IllegalMove(
    "alreadySuggested", "Somebody has suggested this word already. Say that you want it too.")
  package static let alreadyWanted = IllegalMove(
    "alreadyWanted", "The others know that you want this word. Wait for them.")
  package static let onlyCreatorTakes = IllegalMove(
    "onlyCreatorTakes", "Only the person who made the table takes words here. Ask them.")
  package static let notYourWord = IllegalMove(
    "notYourWord", "This word waits for the others. Only who suggested it can take it back.")
  package static let listFull = IllegalMove(
    "listFull", "The list is full: 500 words. Take one out first.")
  package static let suggestionsUsed = IllegalMove(
    "suggestionsUsed", "You have used your 10 suggestions. Ask the others to suggest it.")
  package static let noSuchWord = IllegalMove(
    "noSuchWord", "This word is not in the list any more. Choose another one.")
  package static let alreadyStruck = IllegalMove(
    "alreadyStruck", "This word is already struck out. You need not do it again.")
  package static let vetoesUsed = IllegalMove(
    "vetoesUsed", "You have used your 2 vetoes. Ask the others to strike it out.")

  // At the board.
  package static let gameOver = IllegalMove(
    "gameOver", "The game is over. Start a rematch to play on.")
  package static let seatGone = IllegalMove(
    "seatGone", "You have left this game. Join the next one.")
  package static let noSuchEvent = IllegalMove(
    "noSuchEvent", "This word is not in the game. Choose one from your board.")
  package static let notOnYourBoard = IllegalMove(
    "notOnYourBoard", "This word is not on your board. Choose one that is.")
  package static let alreadyMarked = IllegalMove(
    "alreadyMarked", "This tile is already marked. Listen for the next word.")
  package static let alreadyConfirmed = IllegalMove(
    "alreadyConfirmed", "The others have already confirmed it. Tap the tile to mark it.")
  package static let alreadyClaimed = IllegalMove(
    "alreadyClaimed", "The others are still voting on your claim. Wait for them.")
  package static let claimLimit = IllegalMove(
    "claimLimit", "You have claimed this word three times. Leave it to somebody else.")
  package static let noSuchClaim = IllegalMove(
    "noSuchClaim", "There is no such claim. Look at the list of open ones.")
  package static let claimClosed = IllegalMove(
    "claimClosed", "This claim has been decided. Your vote came too late to count.")
  package static let ownClaim = IllegalMove(
    "ownClaim", "This is your own claim. Somebody else has to confirm it.")
  package static let alreadyVoted = IllegalMove(
    "alreadyVoted", "You have voted on this claim. Wait for the others.")
  package static let notPresent = IllegalMove(
    "notPresent", "You were away when this was claimed. The others decide on it without you.")
  package static let notConfirmed = IllegalMove(
    "notConfirmed", "Nobody has confirmed this word yet. Claim it when you hear it.")
  package static let notTapMarking = IllegalMove(
    "notTapMarking", "At this table tiles are marked without a tap. Claim words you hear.")
  package static let votingNotOffered = IllegalMove(
    "votingNotOffered", "This can be chosen after three claims without an answer. Vote until then.")
  package static let sameVoting = IllegalMove(
    "sameVoting", "The table already decides this way. Play on.")
  package static let notYourClaim = IllegalMove(
    "notYourClaim", "Only who claimed a word can take it back. Ask them.")
  package static let nothingToTakeBack = IllegalMove(
    "nothingToTakeBack", "This claim was not accepted. There is nothing to take back.")
  package static let tooLateToTakeBack = IllegalMove(
    "tooLateToTakeBack", "Something else has been decided since. It can no longer be taken back.")
  package static let sameWish = IllegalMove(
    "sameWish", "The others know that already. Wait for them.")
}

extension Bingo {
  package static let refusals: [IllegalMove] = [
    .malformed, .onlyCreatorSets, .alreadyInList, .alreadySuggested, .alreadyWanted,
    .onlyCreatorTakes, .notYourWord, .listFull, .suggestionsUsed, .noSuchWord,
    .alreadyStruck, .vetoesUsed, .gameOver, .seatGone, .noSuchEvent, .notOnYourBoard,
    .alreadyMarked, .alreadyConfirmed, .alreadyClaimed, .claimLimit, .noSuchClaim, .claimClosed,
    .ownClaim, .alreadyVoted, .notPresent, .notConfirmed, .notTapMarking, .votingNotOffered,
    .sameVoting, .notYourClaim, .nothingToTakeBack, .tooLateToTakeBack, .sameWish,
  ]
}
