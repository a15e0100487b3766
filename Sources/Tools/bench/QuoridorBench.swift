import Foundation
import Quoridor
import Shell
import TestSupport

/// How fast the rules of Quoridor are: sequences of moves counted from six positions, and a program without
/// tricks beside it.
///
/// Times are of the processor, the best of several rounds: other programs on the machine do not count.
struct QuoridorBench {
  /// Rounds of each figure but the long ones.
  private let rounds = 7

  /// Name in `Protocol/conformance/quoridor/positions.json`, its text, its sequences of three moves.
  private static let roots: [(name: String, text: String, count: UInt64)] = [
    ("start", "start", 2_062_264),
    (
      "game_04",
      "d3h,d4h,d5v,e2h,f5h/f4,f5/7,8/1",
      1_325_195
    ),
    (
      "game_01",
      "d3h,d4h,d5v,e2h,e3v,f4h,f5h,g5v/f4,f5/5,7/2",
      921_109
    ),
    (
      "game_11",
      "b6h,c3h,d5v,d6h,e3h,e5v,f6h,g3h,h6h/d4,e4/7,4/2",
      952_064
    ),
    (
      "game_12",
      "a4v,b5h,c3h,c5v,d3v,d6h,e3h,e5v,f4v,f5h,g3h,h5h/e5,e4/5,3/1",
      535_116
    ),
    (
      "game_10",
      "a2v,a4v,b1h,b3v,b5h,c3h,c5v,d3v,d6h,e3h,e5v,f4v,f5h,g3h,g4v,h5h/b3,b2/2,2/2",
      338_273
    ),
  ]

  func run() {
    print("quoridor, sequences of three moves from six positions; milliseconds of processor time")
    var counted = 0.0
    var made = 0.0
    var cost = Perft.Cost()
    for root in QuoridorBench.roots {
      guard let position = try? Position(text: root.text) else { fatalError("\(root.name)") }
      var mark: UInt64 = 0
      let fast = best { Perft.count(position, depth: 3) == root.count }
      let slow = best { Perft.countMade(position, depth: 3, mark: &mark) == root.count }
      _ = Perft.count(position, depth: 3, cost: &cost)
      row(root.name, [("counted", fast), ("each child made", slow)])
      counted += fast
      made += slow
    }
    row("all six", [("counted", counted), ("each child made", made)])
    let floods = Double(cost.floods) / Double(cost.positions)
    print(String(format: "  floods a position %6.2f in %d positions", floods, cost.positions))
    let four = time { Perft.count(Position(), depth: 4) == 247_569_030 }
    row("four moves, start", [("counted", four)])
    naive()
  }

  /// Two moves only: three would take minutes.
  private func naive() {
    let plain = time { NaiveQuoridor(players: 2).perft(2) == 16_677 }
    let fast = best { Perft.count(Position(), depth: 2) == 16_677 }
    row("two moves, start", [("counted", fast), ("without tricks", plain)])
  }

  private func row(_ name: String, _ figures: [(String, Double)]) {
    let padded = name.padding(toLength: 18, withPad: " ", startingAt: 0)
    print("  \(padded)" + figures.map { String(format: "%10.3f ms %@", $0.1, $0.0) }.joined())
  }

  private func best(_ body: () -> Bool) -> Double {
    (0..<rounds).map { _ in time(body) }.min() ?? 0
  }

  /// Milliseconds; a wrong count ends the program.
  private func time(_ body: () -> Bool) -> Double {
    let start = ProcessorTime.milliseconds
    guard body() else { fatalError("a wrong count") }
    return ProcessorTime.milliseconds - start
  }
}
