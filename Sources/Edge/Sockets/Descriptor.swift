import Dispatch

/// Owns one open descriptor and closes it when nobody refers to it any more.
///
/// A class, because the Dispatch source that watches the descriptor must keep it open until the
/// source is cancelled (see `Watch`), whatever its other owner does meanwhile.
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

/// A Dispatch source on a descriptor, with the rules that keep the two from harming each other.
///
/// A descriptor gets one source in its life. The source holds the descriptor until its cancel
/// handler has run, so that the number cannot be given to another socket while Dispatch still
/// watches it. A suspended or never started source is started before it is cancelled, as Dispatch
/// demands.
final class Watch {
  enum Kind {
    case reading
    case writing
  }

  private enum State {
    case notStarted
    case running
    case paused
    case cancelled
  }

  private let source: any DispatchSourceProtocol
  private var state = State.notStarted

  /// Makes a watch that does not run yet; `handler` runs on `queue` whenever the descriptor is
  /// ready.
  init(_ descriptor: Descriptor, _ kind: Kind, queue: DispatchQueue, handler: @escaping () -> Void)
  {
    switch kind {
    case .reading:
      source = DispatchSource.makeReadSource(fileDescriptor: descriptor.number, queue: queue)
    case .writing:
      source = DispatchSource.makeWriteSource(fileDescriptor: descriptor.number, queue: queue)
    }
    source.setEventHandler(handler: handler)
    source.setCancelHandler { withExtendedLifetime(descriptor) {} }
  }

  deinit {
    cancel()
  }

  var isRunning: Bool { state == .running }

  func run() {
    switch state {
    case .notStarted: source.activate()
    case .paused: source.resume()
    case .running, .cancelled: return
    }
    state = .running
  }

  func pause() {
    guard state == .running else { return }
    source.suspend()
    state = .paused
  }

  func cancel() {
    guard state != .cancelled else { return }
    source.cancel()
    run()
    state = .cancelled
  }
}
