import Foundation
import Peer
import Synchronization

/// Something did not go as it must for a figure to mean anything.
struct Trouble: Error, CustomStringConvertible {
  let description: String
  init(_ description: String) { self.description = description }
}

/// How many players' entries are final on each node.
final class Finals: Sendable {
  private let counts: Mutex<[Int]>

  init(count: Int) { counts = Mutex(Array(repeating: 0, count: count)) }

  func note(_ entry: AgreedEntry, at node: Int) {
    guard entry.kind == "move" else { return }
    counts.withLock { $0[node] += 1 }
  }

  /// Entries that are final everywhere.
  var least: Int { counts.withLock { $0.min() ?? 0 } }

  func wait(for count: Int) throws {
    let end = ContinuousClock.now + .seconds(10)
    while least < count {
      guard ContinuousClock.now < end else { throw Trouble("a claim did not become final in 10 s") }
      usleep(50)
    }
  }
}
