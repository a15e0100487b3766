import Dispatch

/// Owns one open descriptor and closes it when nobody refers to it any more.
///
/// A class, because what watches the descriptor must keep it open until the watch is cancelled (see
/// `Watch`), whatever its other owner does meanwhile.
package final class Descriptor {
  /// The number the system gave.
  let number: Int32
  private let close: (Int32) -> Void

  init(_ number: Int32, close: @escaping (Int32) -> Void) {
    self.number = number
    self.close = close
  }

  deinit {
    close(number)
  }
}

/// Runs a handler on a queue whenever a descriptor is ready, while it runs.
///
/// It keeps the descriptor open, so that its number cannot be given to another socket meanwhile.
final class Watch {
  enum Kind {
    case reading
    case writing
  }

  private let kind: Kind
  private let queue: DispatchQueue
  private let work: Reactor.Work
  /// Nil once it is cancelled.
  private var descriptor: Descriptor?
  /// There while it runs.
  private var token: UInt64?

  /// Makes a watch that does not run yet; `handler` runs on `queue` whenever the descriptor is
  /// ready.
  init(
    _ descriptor: Descriptor, _ kind: Kind, queue: DispatchQueue, handler: @escaping () -> Void
  ) {
    self.descriptor = descriptor
    self.kind = kind
    self.queue = queue
    work = Reactor.Work(handler)
  }

  deinit {
    cancel()
  }

  var isRunning: Bool { token != nil }

  func run() {
    guard token == nil, let descriptor else { return }
    token = Reactor.of(queue).watch(
      descriptor.number, reading: kind == .reading, on: queue, work)
  }

  func pause() {
    guard let token else { return }
    Reactor.of(queue).unwatch(token)
    self.token = nil
  }

  func cancel() {
    pause()
    descriptor = nil
  }
}
