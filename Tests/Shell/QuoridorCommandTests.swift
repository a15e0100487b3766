import Quoridor
import Testing

@testable import Shell

@Suite struct `The command quoridor` {
  @Test func `reads a depth, a position and whether to divide`() throws {
    let position = try Position(text: "a1v,e4h/e5,e6/9,9/1")
    for arguments in [
      ["quoridor", "perft", "2", "--position", position.text, "--divide"],
      ["quoridor", "perft", "--divide", "--position=\(position.text)", "2"],
    ] {
      #expect(
        try Options(arguments: arguments).action
          == .quoridor(.perft(depth: 2, position: position, divides: true)))
    }
  }

  @Test(arguments: [
    ([], "quoridor needs a word"), (["chess"], "quoridor does not know \"chess\""),
    (["perft"], "perft needs a depth"), (["perft", "0"], "perft takes a depth from 1 to 8"),
    (["perft", "9"], "perft takes a depth from 1 to 8"), (["perft", "2", "3"], "perft takes"),
    (["perft", "2", "--position"], "--position needs a value."),
    (["perft", "2", "--position", "e2"], "A position is WALLS/PAWNS/LEFT/TURN"),
  ])
  func `says what it takes`(arguments: [String], beginning: String) {
    do throws(Options.UsageError) {
      _ = try Options(arguments: ["quoridor"] + arguments)
      Issue.record("taken")
    } catch {
      #expect(error.message.hasPrefix(beginning))
    }
  }
}
