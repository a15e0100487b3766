import Foundation
import Quoridor
import Synchronization

/// `tabletalk quoridor engine`: commands come in by lines, answers go out by lines.
///
/// The search has a thread of its own, so that `stop` is heard while it thinks. One search runs at a time.
final class QuoridorEngine: Sendable {
  private struct State {
    var match = Match()
    var isThinking = false
  }

  private let state = Mutex(State())
  private let mustStop = Atomic(false)
  private let output: @Sendable (String) -> Void
  /// Signalled when a search has answered.
  private let answered = DispatchSemaphore(value: 0)

  /// Room for the longest line of a search, also where threads get little.
  private static let stack = 4 << 20

  /// Answers go to `output`, each a whole line without its end.
  init(output: @escaping @Sendable (String) -> Void) { self.output = output }

  /// Reads standard input to its end or to `quit`.
  static func run() -> Int32 {
    let engine = QuoridorEngine { Log.write($0 + "\n", to: 1) }
    var reader = LineReader(descriptor: 0, longest: EngineLine.longest)
    while let line = reader.next() {
      guard engine.take(line) else { return 0 }
    }
    // Who pipes commands in wants the last answer, too.
    engine.finish()
    return 0
  }

  /// Does what a line says; false once it says to end.
  func take(_ text: String) -> Bool {
    do throws(TextFault) {
      switch try EngineLine(text) {
      case .position(let match): state.withLock { $0.match = match }
      case .go(let order): go(order)
      case .stop: mustStop.store(true, ordering: .relaxed)
      case .show:
        let position = state.withLock { $0.match.position }
        output(position.drawing + position.text)
      case .quit:
        mustStop.store(true, ordering: .relaxed)
        finish()
        return false
      case .empty: break
      }
    } catch {
      output("error \(error.code) \(error.sentence)")
    }
    return true
  }

  /// Waits until no search runs.
  func finish() {
    while state.withLock({ $0.isThinking }) { answered.wait() }
  }

  private func go(_ order: EngineOrder) {
    let match: Match? = state.withLock { state in
      if state.isThinking { return nil }
      state.isThinking = true
      return state.match
    }
    guard let match else {
      output("error thinking It is thinking already. Say stop, or wait for its move.")
      return
    }
    mustStop.store(false, ordering: .relaxed)
    let thread = Thread { self.think(match, order) }
    thread.stackSize = QuoridorEngine.stack
    thread.start()
  }

  private func think(_ match: Match, _ order: EngineOrder) {
    let end = order.milliseconds.map { Clock.monotonic + UInt64($0) }
    var engine = Engine()
    let thought =
      match.result != nil
      ? nil
      : engine.think(
        match.position, past: match.repeatable, level: order.level, budget: order.nodes ?? .max
      ) {
        mustStop.load(ordering: .relaxed) || end.map { Clock.monotonic >= $0 } ?? false
      }
    let answer =
      thought.map {
        "bestmove \($0.move.text) score \($0.score) depth \($0.depth) nodes \($0.expansions)"
      } ?? "bestmove none"
    // The next `go` may come as soon as the answer is read.
    state.withLock { $0.isThinking = false }
    output(answer)
    answered.signal()
  }
}
