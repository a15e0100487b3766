import CBOR

/// What players ask for in the words of the page, as moves.
extension BingoSetup {
  /// A setup from `size`, `minutes`, `marking`, `pack`, `own` (text, one word a line), `without`.
  ///
  /// Throws when nothing usable was given.
  package static func make(from command: GameCommand) throws(IllegalMove) -> MadeSetup {
    let settings = try settings(
      from: command, besides: BingoSettings(size: 5, minutes: 60))
    var words: [Word] = []
    if let id = try command.text("pack") {
      guard let pack = WordPack.named(id) else {
        throw IllegalMove("noSuchPack", "This list is not there any more. Choose another one.")
      }
      words = pack.words.compactMap { try? Word(typed: $0) }
    }
    var own: [String]?
    var duplicates = 0
    if let text = try command.text("own") {
      let reading = Words.read(text)
      if let fault = reading.faults.first {
        throw IllegalMove(
          "wordTooLong",
          "Line \(fault.line) is no word: it has more than \(Word.maximumLength) characters or some that other laptops cannot show. Shorten it."
        )
      }
      guard reading.beyondLimit == 0 else {
        throw IllegalMove(
          "tooManyWords", "A list has at most \(wordLimit) words. Take some out.")
      }
      let all = Words.unique(words + reading.words)
      duplicates = reading.duplicates + words.count + reading.words.count - all.count
      words = all
      if !reading.words.isEmpty { own = reading.words.map(\.text) }
    }
    let without = (try command.list("without") ?? []).compactMap { try? Word(typed: $0).key }
    words.removeAll { without.contains($0.key) }
    guard words.count <= wordLimit else {
      throw IllegalMove("tooManyWords", "A list has at most \(wordLimit) words. Take some out.")
    }
    return MadeSetup(
      setup: .bingo(BingoSetup(settings: settings, words: words)), own: own,
      duplicates: duplicates)
  }

  private static func settings(
    from command: GameCommand, besides old: BingoSettings
  ) throws(IllegalMove) -> BingoSettings {
    var out = old
    if let size = try command.int("size") { out.size = size }
    if let minutes = try command.int("minutes") { out.minutes = minutes }
    out.marking = try command.choice("marking") ?? out.marking
    out.voting = try command.choice("voting") ?? out.voting
    out.pattern = try command.choice("pattern") ?? out.pattern
    if let freeCentre = try command.bool("freeCentre") { out.freeCentre = freeCentre }
    if let places = try command.int("places") { out.places = places }
    out.suggesting = try command.choice("suggesting") ?? out.suggesting
    if let latecomers = try command.bool("latecomers") { out.latecomers = latecomers }
    out.watching = try command.choice("watching") ?? out.watching
    guard BingoSettings.sizes.contains(out.size), BingoSettings.lengths.contains(out.minutes),
      BingoSettings.placesRange.contains(out.places)
    else { throw .unreadableCommand }
    // A board without a middle has no free tile, whatever was chosen for another size.
    out.freeCentre = out.freeCentre && out.size % 2 == 1
    return out
  }

  /// The change of the lobby that a command means; nil when it is none of this game's.
  package func move(for command: GameCommand) throws(IllegalMove) -> BingoSetupMove? {
    switch command.kind {
    case "set": return .settings(try BingoSetup.settings(from: command, besides: settings))
    case "suggest": return .suggest(try word(of: command))
    case "veto": return .veto(try word(of: command))
    case "want": return .want(try word(of: command))
    default: return nil
    }
  }

  private func word(of command: GameCommand) throws(IllegalMove) -> Word {
    guard let text = try command.text("word") else { throw .unreadableCommand }
    do throws(WordFault) { return try Word(typed: text) } catch { throw IllegalMove(error) }
  }
}

extension Bingo {
  /// The move that a command means for a seat; nil when it is none of this game's.
  ///
  /// `tile` counts the own board row by row; `claim` is a claim's number as text.
  package func move(for command: GameCommand, seat: Int) throws(IllegalMove) -> BingoMove? {
    switch command.kind {
    case "claim": return .claim(event: try event(of: command, seat: seat))
    case "mark": return .mark(event: try event(of: command, seat: seat))
    case "vote":
      guard let confirm = try command.bool("confirm") else { throw .unreadableCommand }
      return .vote(claim: try claim(of: command), confirm: confirm)
    case "voting":
      guard let voting: BingoSettings.Voting = try command.choice("voting") else {
        throw .unreadableCommand
      }
      return .voting(voting)
    case "takeBack": return .takeBack(claim: try claim(of: command))
    case "settle":
      guard let wish = try command.bool("wish") else { throw .unreadableCommand }
      return .settle(wish)
    default: return nil
    }
  }

  private func claim(of command: GameCommand) throws(IllegalMove) -> Int {
    guard let claim = try command.text("claim").flatMap({ Int($0) }) else {
      throw .unreadableCommand
    }
    return claim
  }

  private func event(of command: GameCommand, seat: Int) throws(IllegalMove) -> Int {
    guard let tile = try command.int("tile") else { throw .unreadableCommand }
    guard deal.boards.indices.contains(seat), deal.boards[seat].indices.contains(tile) else {
      throw IllegalMove("noSuchTile", "This tile is not on your board. Reload the page.")
    }
    guard let event = deal.boards[seat][tile] else { throw .alreadyMarked }
    return event
  }
}
