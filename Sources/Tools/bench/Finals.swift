import Foundation
import Peer
import Synchronization

/// Something did not go as it must for a figure to mean anything.
struct Trouble: Error, CustomStringConvertible {
  let description: String
  init(_ description: String) { self.description = description }
}

/// How many loaded entries are final on each node, and when each became so on all.
final class Finals: @unchecked Sendable {
  private let condition = NSCondition()
  private var counts: [Int]
  /// When the nth entry was signed, and when it was final everywhere.
  private var signed: [ContinuousClock.Instant] = []
  private var done: [ContinuousClock.Instant] = []

  /// Nodes whose counts somebody waits for.
  private var watched: [Int] = []

  init(count: Int) { counts = Array(repeating: 0, count: count) }

  func note(_ entry: AgreedEntry, at node: Int) {
    guard entry.kind == "ready" else { return }
    let now = ContinuousClock.now
    condition.lock()
    counts[node] += 1
    if watched.contains(node) { condition.signal() }
    let least = counts.min() ?? 0
    if least > done.count {
      done += Array(repeating: now, count: least - done.count)
      condition.signal()
    }
    condition.unlock()
  }

  func noteSigned() {
    let now = ContinuousClock.now
    condition.withLock { signed.append(now) }
  }

  /// Forgets what was signed so far: joins, and what the draw needed.
  func begin() { condition.withLock { signed = [] } }

  /// Entries that are final everywhere.
  var least: Int { condition.withLock { done.count } }

  /// Waits until so many are, and returns how many are then.
  func wait(for count: Int, seconds: Double = 20) throws -> Int {
    let end = Date(timeIntervalSinceNow: seconds)
    condition.lock()
    defer { condition.unlock() }
    while done.count < count {
      guard condition.wait(until: end) else {
        throw Trouble("entry \(count) did not become final in \(Int(seconds)) s")
      }
    }
    return done.count
  }

  /// Waits until so many are final on these nodes.
  func wait(for count: Int, at nodes: [Int], seconds: Double = 20) throws {
    let end = Date(timeIntervalSinceNow: seconds)
    condition.lock()
    defer { condition.unlock() }
    watched = nodes
    defer { watched = [] }
    while nodes.contains(where: { counts[$0] < count }) {
      guard condition.wait(until: end) else {
        throw Trouble("entry \(count) did not become final in \(Int(seconds)) s")
      }
    }
  }

  /// From signed to final everywhere, of entries that came one at a time.
  func times(from first: Int) -> [Duration] {
    condition.withLock { zip(signed, done).dropFirst(first).map { $1 - $0 } }
  }
}
