package import Dispatch

/// Calls back once, later, on a queue; not at all after `cancel` or when it is let go.
package final class Alarm {
  private let source: any DispatchSourceTimer

  /// Starts the alarm.
  package init(
    after delay: DispatchTimeInterval, queue: DispatchQueue, _ ring: @escaping () -> Void
  ) {
    source = DispatchSource.makeTimerSource(queue: queue)
    source.schedule(deadline: .now() + delay)
    source.setEventHandler(handler: ring)
    source.activate()
  }

  /// Stops it before it rings.
  package func cancel() {
    source.cancel()
  }

  deinit {
    source.cancel()
  }
}
