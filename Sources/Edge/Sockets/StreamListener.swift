package import Dispatch

/// A connection that somebody opened to this node, not yet watched.
package struct AcceptedStream {
  let descriptor: Descriptor
  /// The other end.
  package let remote: Endpoint
  /// This end.
  package let local: Endpoint
}

/// Accepts TCP connections on a queue.
package final class StreamListener {
  /// Connections accepted before other work on the queue gets its turn.
  private static let batch = 16
  /// Connections the system keeps waiting.
  private static let backlog: Int32 = 64
  /// How long accepting rests when the system has no descriptors left.
  private static let rest = DispatchTimeInterval.seconds(1)

  /// Where it listens; the port is real even when 0 was asked for.
  package let local: Endpoint
  private var descriptor: Descriptor?
  private let filter: InterfaceFilter
  private let queue: DispatchQueue
  private let onConnection: (AcceptedStream) -> Void
  private let onTrouble: (SocketError) -> Void
  private var watch: Watch?
  private var restAlarm: Alarm?

  /// Listens on `port`, or on the first free one of the `attempts` that start there.
  ///
  /// Where only loopback interfaces are allowed nothing outside can connect at all; otherwise a
  /// connection that came to an interface that is not allowed is closed at once. `onTrouble` hears
  /// of failed accepts; the listener goes on after them.
  package init(
    port: UInt16, attempts: Int = 1, filter: InterfaceFilter, queue: DispatchQueue,
    onTrouble: @escaping (SocketError) -> Void,
    onConnection: @escaping (AcceptedStream) -> Void
  ) throws(SocketError) {
    let address = filter.isLoopbackOnly ? IPv4Address.loopback : .any
    let descriptor: Descriptor
    (descriptor, local) = try Self.listen(address, port: port, attempts: attempts)
    self.descriptor = descriptor
    self.filter = filter
    self.queue = queue
    self.onConnection = onConnection
    self.onTrouble = onTrouble
    watch = Watch(descriptor, .reading, queue: queue) { [weak self] in self?.readable() }
    watch?.run()
  }

  /// Stops listening; connections accepted before stay.
  package func close() {
    restAlarm = nil
    watch?.cancel()
    watch = nil
    descriptor = nil
  }

  private static func listen(
    _ address: IPv4Address, port: UInt16, attempts: Int
  ) throws(SocketError) -> (Descriptor, Endpoint) {
    var port = port
    var left = attempts
    while true {
      let descriptor = try System.streamSocket()
      try System.reuseAddress(descriptor)
      do throws(SocketError) {
        try System.bind(descriptor, to: Endpoint(address, port: port))
        // Two sockets may share a bound port until one of them listens.
        try System.listen(descriptor, backlog: backlog)
        return (descriptor, try System.localEndpoint(descriptor))
      } catch {
        left -= 1
        guard error.number == SocketError.Known.addressInUse.number, left > 0, port < .max else {
          throw error
        }
        port += 1
      }
    }
  }

  private func readable() {
    for _ in 0..<Self.batch {
      guard let descriptor else { return }
      do throws(SocketError) {
        guard let accepted = try System.accept(descriptor) else { return }
        // Dropping the descriptor closes it.
        guard filter.allows(local: accepted.local.address) else { continue }
        onConnection(
          AcceptedStream(
            descriptor: accepted.descriptor, remote: accepted.remote, local: accepted.local))
      } catch {
        onTrouble(error)
        takeRest()
        return
      }
    }
  }

  /// The waiting connection stays readable, so without a rest the queue would spin on it.
  private func takeRest() {
    watch?.pause()
    restAlarm = Alarm(after: Self.rest, queue: queue) { [weak self] in self?.watch?.run() }
  }
}
