package import Dispatch

/// Calls back once, later, on a queue; not at all after `cancel` or when it is let go.
package final class Alarm {
  private let reactor: Reactor
  private let token: UInt64

  /// Starts the alarm.
  package init(
    after delay: DispatchTimeInterval, queue: DispatchQueue, _ ring: @escaping () -> Void
  ) {
    reactor = Reactor.of(queue)
    token = reactor.alarm(after: delay.nanosecondsToWait, on: queue, Reactor.Work(ring))
  }

  /// Stops it before it rings.
  package func cancel() {
    reactor.unset(token)
  }

  deinit {
    cancel()
  }
}

extension DispatchTimeInterval {
  /// A span that has passed is none; one that is never over is a year.
  fileprivate var nanosecondsToWait: UInt64 {
    switch self {
    case .seconds(let n): UInt64(clamping: n) * 1_000_000_000
    case .milliseconds(let n): UInt64(clamping: n) * 1_000_000
    case .microseconds(let n): UInt64(clamping: n) * 1_000
    case .nanoseconds(let n): UInt64(clamping: n)
    default: 365 * 86_400 * 1_000_000_000
    }
  }
}
