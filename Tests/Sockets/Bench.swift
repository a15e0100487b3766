import Dispatch
import Testing

@testable import Sockets

/// A queue with everything a test made on it; the state is touched on the queue only.
final class Bench<State>: @unchecked Sendable {
  let queue: DispatchQueue
  private var state: State

  init(_ state: State) {
    self.queue = DispatchQueue(label: "test")
    self.state = state
  }

  /// Runs `body` on the queue.
  func on<Result, Failure: Error>(
    _ body: (inout State) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let outcome: Swift.Result<Result, Failure> = queue.sync {
      do throws(Failure) {
        return .success(try body(&state))
      } catch {
        return .failure(error)
      }
    }
    return try outcome.get()
  }

  /// Changes the state from a callback, which is on the queue already.
  func note(_ change: (inout State) -> Void) {
    dispatchPrecondition(condition: .onQueue(queue))
    change(&state)
  }

  /// Waits until the condition holds; records an issue when it does not within 20 s.
  func until(
    _ what: Comment, sourceLocation: SourceLocation = #_sourceLocation,
    _ condition: (State) -> Bool
  ) async {
    let clock = ContinuousClock()
    let deadline = clock.now + .seconds(20)
    while clock.now < deadline {
      if queue.sync(execute: { condition(state) }) { return }
      try? await Task.sleep(for: .milliseconds(2))
    }
    Issue.record(what, sourceLocation: sourceLocation)
  }
}

let loopbackOnly = InterfaceFilter(names: [loopbackName])

#if os(Linux)
  let loopbackName = "lo"
#else
  let loopbackName = "lo0"
#endif
