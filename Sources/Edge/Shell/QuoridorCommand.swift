package import Quoridor

/// What stands behind `tabletalk quoridor`.
package enum QuoridorCommand: Equatable, Sendable {
  /// Counts sequences of legal moves.
  case perft(depth: Int, position: Position, divides: Bool)
  /// Lets other programs play against the computer opponent.
  case engine

  /// Deeper counts would take years, and no longer fit a number.
  static let deepest = 8

  /// Reads the arguments behind the word `quoridor`.
  init(arguments: ArraySlice<String>) throws(Options.UsageError) {
    switch arguments.first {
    case "perft": self = try QuoridorCommand.perft(arguments.dropFirst())
    case "engine":
      guard arguments.count == 1 else {
        throw Options.UsageError(message: "quoridor engine takes nothing behind it.")
      }
      self = .engine
    case nil: throw Options.UsageError(message: "quoridor needs a word behind it: perft or engine.")
    case .some(let word):
      throw Options.UsageError(
        message: "quoridor does not know \"\(word)\". There are: perft and engine.")
    }
  }

  private static func perft(
    _ arguments: ArraySlice<String>
  ) throws(Options.UsageError) -> QuoridorCommand {
    var rest = arguments
    var depth: Int?
    var position = Position()
    var divides = false
    while let argument = rest.popFirst() {
      if argument == "--divide" {
        divides = true
      } else if argument == "--position" || argument.hasPrefix("--position=") {
        let text = argument == "--position" ? rest.popFirst() : String(argument.dropFirst(11))
        guard let text else { throw Options.UsageError(message: "--position needs a value.") }
        position = try read(text)
      } else if depth == nil, let number = Int(argument), (1...deepest).contains(number) {
        depth = number
      } else {
        throw Options.UsageError(
          message: "perft takes a depth from 1 to \(deepest), --position TEXT and --divide, not "
            + "\"\(argument)\".")
      }
    }
    guard let depth else {
      throw Options.UsageError(message: "perft needs a depth, for example: quoridor perft 3")
    }
    return .perft(depth: depth, position: position, divides: divides)
  }

  private static func read(_ text: String) throws(Options.UsageError) -> Position {
    do throws(TextFault) {
      return try Position(text: text)
    } catch {
      throw Options.UsageError(message: error.sentence)
    }
  }

  /// Does it, and returns the exit code.
  func run() -> Int32 {
    switch self {
    case .engine: return QuoridorEngine.run()
    case .perft(let depth, let position, let divides):
      guard divides else {
        Log.write("\(Perft.count(position, depth: depth))\n", to: 1)
        return 0
      }
      let rows = Perft.divide(position, depth: depth)
      for row in rows { Log.write("\(row.move.text) \(row.count)\n", to: 1) }
      Log.write("\(rows.map(\.count).reduce(0, +))\n", to: 1)
    }
    return 0
  }
}
