import Dispatch
import Sockets

/// Events of links on their way to their owner: in order, and never inside a call of his.
final class LinkEventQueue {
  private let queue: DispatchQueue
  private let onEvent: (LinkEvent) -> Void
  private var pending: [LinkEvent] = []
  private var deliveredCount = 0
  private var isDelivering = false
  private var isDue = false

  /// Hands events out on `queue`, where every call must be made.
  init(queue: DispatchQueue, onEvent: @escaping (LinkEvent) -> Void) {
    self.onEvent = onEvent
    self.queue = queue
  }

  /// Has an event delivered soon.
  func add(_ event: LinkEvent) {
    pending.append(event)
    guard !isDue else { return }
    isDue = true
    queue.soon { [weak self] in
      guard let self else { return }
      isDue = false
      deliver()
    }
  }

  /// Hands out what has happened until now.
  ///
  /// What the owner's answers cause waits until what runs now is over, so that other work on the queue
  /// gets its turn even if every answer causes another event.
  func deliver() {
    guard !isDelivering else { return }
    isDelivering = true
    defer { isDelivering = false }
    var left = pending.count
    while left > 0, deliveredCount < pending.count {
      left -= 1
      deliveredCount += 1
      onEvent(pending[deliveredCount - 1])
    }
    pending.removeFirst(deliveredCount)
    deliveredCount = 0
  }

  /// The owner that has closed a link does not want what else came on it.
  func dropFrames(of id: LinkID) {
    pending = pending[deliveredCount...].filter { event in
      if case .frame(id, _) = event { false } else { true }
    }
    deliveredCount = 0
  }
}
