import Foundation

/// Waiting for what a node does by itself.
enum Wait {
  /// Asks again and again until it is so; throws when it takes too long.
  static func until(
    _ what: String, seconds: Int = 60, _ condition: () throws -> Bool
  ) throws {
    let end = ContinuousClock.now + .seconds(seconds)
    while ContinuousClock.now < end {
      if try condition() { return }
      Thread.sleep(forTimeInterval: 0.005)
    }
    throw Trouble("waited too long for \(what)")
  }
}
