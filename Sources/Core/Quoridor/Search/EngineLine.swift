/// A line that somebody sends to `tabletalk quoridor engine` (Protocol/games/quoridor.md).
package enum EngineLine: Equatable, Sendable {
  /// Where to think from, and what has been played since.
  case position(Match)
  case go(EngineOrder)
  case stop
  case show
  case quit
  /// Nothing stands in it.
  case empty

  /// Longest line that is read: a game of thousands of moves.
  package static let longest = MoveList.longestText

  /// Reads a line; throws with a sentence for whoever sent it.
  package init(_ text: String) throws(TextFault) {
    guard text.utf8.count <= EngineLine.longest else {
      throw TextFault("lineTooLong", "No line is that long. Send the moves of one game.")
    }
    let words = text.split(whereSeparator: \.isWhitespace)
    switch words.first {
    case nil: self = .empty
    case "position": self = .position(try EngineLine.match(words.dropFirst()))
    case "go": self = .go(try EngineOrder(words.dropFirst()))
    case "stop" where words.count == 1: self = .stop
    case "show" where words.count == 1: self = .show
    case "quit" where words.count == 1: self = .quit
    case .some(let word):
      throw TextFault(
        "unknownCommand",
        "\"\(word.prefix(20))\" is not understood here. There are: position TEXT [moves ...], "
          + "go movetime MS | nodes N [level L], stop, show, quit.")
    }
  }

  private static func match(_ words: ArraySlice<Substring>) throws(TextFault) -> Match {
    guard let text = words.first else {
      throw TextFault("positionForm", "Say which position, for example: position start moves e2 e8")
    }
    let start = try Position(text: String(text))
    let rest = words.dropFirst()
    guard rest.isEmpty || rest.first == "moves" else {
      throw TextFault("positionForm", "Behind the position stands the word moves, then the moves.")
    }
    var match = Match(from: start)
    for move in try MoveList.read(rest.dropFirst().joined(separator: " "), from: start) {
      do throws(MoveRefusal) {
        try match.replay(move)
      } catch {
        throw TextFault(error.code, "\(move.text) is not legal. \(error.sentence)")
      }
    }
    return match
  }
}

/// How long to think, and how well to play.
package struct EngineOrder: Equatable, Sendable {
  /// Milliseconds; nil for no limit of time.
  package private(set) var milliseconds: Int?
  /// Expansions; nil for no limit of them.
  ///
  /// Where there is no limit of time, the answer depends on nothing else.
  package private(set) var nodes: Int?
  package private(set) var level = Engine.Level.master

  /// An hour.
  private static let longest = 3_600_000

  init(_ words: ArraySlice<Substring>) throws(TextFault) {
    var rest = words
    while let word = rest.popFirst() {
      let number = rest.popFirst().flatMap { Int($0) }
      switch (word, number) {
      case ("movetime", .some(1...EngineOrder.longest)): milliseconds = number
      case ("nodes", .some(1...)): nodes = number
      case ("level", .some(let number)):
        guard let level = Engine.Level(rawValue: number) else {
          throw TextFault(
            "engineLevel", "There are the levels 1 to \(Engine.Level.allCases.count).")
        }
        self.level = level
      default:
        throw TextFault(
          "engineOrder",
          "go takes movetime with 1 to \(EngineOrder.longest) milliseconds or nodes with a number, "
            + "and level with a number.")
      }
    }
    guard milliseconds != nil || nodes != nil else {
      throw TextFault("engineOrder", "Say how long, for example: go movetime 1000")
    }
  }
}
