import Dispatch
import Synchronization
import Testing

@testable import Sockets

@Suite struct `One thread waits for the sockets and alarms of a queue` {
  private let queue = DispatchQueue(label: "tabletalk.reactor-test")

  /// What happened, in order.
  private final class Story: Sendable {
    private let lines = Mutex<[String]>([])
    private let changed = DispatchSemaphore(value: 0)

    func add(_ line: String) {
      lines.withLock { $0.append(line) }
      changed.signal()
    }

    /// Waits until so much has happened, and returns all of it.
    func wait(for count: Int) -> [String] {
      for _ in 0..<count { _ = changed.wait(timeout: .now() + .seconds(10)) }
      return lines.withLock { $0 }
    }
  }

  @Test func `alarms ring in the order of their times, on the queue, and not when taken back`() {
    let story = Story()
    let alarms = queue.sync {
      [30, 10, 20].map { time in
        Alarm(after: .milliseconds(time), queue: queue) { [queue] in
          dispatchPrecondition(condition: .onQueue(queue))
          story.add("\(time)")
        }
      }
    }
    let none = queue.sync { Alarm(after: .milliseconds(5), queue: queue) { story.add("none") } }
    none.cancel()
    #expect(story.wait(for: 3) == ["10", "20", "30"])
    withExtendedLifetime(alarms) {}
  }

  @Test func `an alarm set while the thread waits for a later one rings in time`() {
    let story = Story()
    let late = queue.sync { Alarm(after: .seconds(60), queue: queue) { story.add("late") } }
    // The thread waits for the late one now.
    queue.sync {}
    let soon = queue.sync { Alarm(after: .milliseconds(1), queue: queue) { story.add("soon") } }
    #expect(story.wait(for: 1) == ["soon"])
    late.cancel()
    withExtendedLifetime(soon) {}
  }

  @Test func `what other threads hand in runs on the queue, and what it asks for after it`() {
    let story = Story()
    queue.sync {
      for number in 1...3 {
        queue.enter { [queue] in
          dispatchPrecondition(condition: .onQueue(queue))
          queue.soon { story.add("end \(number)") }
          story.add("turn \(number)")
        }
      }
    }
    let lines = story.wait(for: 6)
    #expect(lines.filter { $0.hasPrefix("turn") } == ["turn 1", "turn 2", "turn 3"])
    #expect(lines.filter { $0.hasPrefix("end") } == ["end 1", "end 2", "end 3"])
    for number in 1...3 {
      let turn = lines.firstIndex(of: "turn \(number)")
      let end = lines.firstIndex(of: "end \(number)")
      #expect(turn.flatMap { turn in end.map { turn < $0 } } == true)
    }
  }

  @Test func `outside of a turn what is to run soon runs all the same`() {
    let story = Story()
    queue.sync { queue.soon { story.add("soon") } }
    #expect(story.wait(for: 1) == ["soon"])
  }
}
