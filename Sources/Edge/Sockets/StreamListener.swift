package import Discovery
package import Dispatch

/// A connection that somebody opened to this node, not yet watched.
package struct AcceptedStream {
  let descriptor: Descriptor
  /// The other end.
  package let remote: Address
  /// This end.
  package let local: Address
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
  package let local: Address
  private var descriptor: Descriptor?
  private let filter: InterfaceFilter
  private let queue: DispatchQueue
  private let onConnection: (AcceptedStream) -> Void
  private let onTrouble: (SocketError) -> Void
  private var watch: Watch?
  private var restAlarm: Alarm?

  /// Listens on `port`, or on the first free one of the `attempts` that start there.
  ///
  /// It takes IPv4 and IPv6 connections, IPv4 only where the system has no IPv6. Where only loopback
  /// interfaces are allowed nothing outside can connect at all; otherwise a connection that came to
  /// an interface that is not allowed is closed at once. `onTrouble` hears of failed accepts; the
  /// listener goes on after them.
  package init(
    port: UInt16, attempts: Int = 1, filter: InterfaceFilter, queue: DispatchQueue,
    onTrouble: @escaping (SocketError) -> Void,
    onConnection: @escaping (AcceptedStream) -> Void
  ) throws(SocketError) {
    let host = Self.host(filter)
    let descriptor: Descriptor
    (descriptor, local) = try Self.listen(host, port: port, attempts: attempts)
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

  /// Everything that may connect: `::` takes IPv4 as well.
  private static func host(_ filter: InterfaceFilter) -> IPAddress {
    if filter.isLoopbackOnly { return .loopback }
    // A system without IPv6 refuses the socket, or to bind it to a port of its choice.
    guard let descriptor = try? socket(for: .any6),
      (try? System.bind(descriptor, to: Address(host: .any6, port: 0))) != nil
    else { return .any }
    return .any6
  }

  private static func socket(for host: IPAddress) throws(SocketError) -> Descriptor {
    let descriptor = try System.streamSocket(for: host)
    if !host.isV4 { try System.setOnlyIPv6(descriptor, false) }
    return descriptor
  }

  private static func listen(
    _ host: IPAddress, port: UInt16, attempts: Int
  ) throws(SocketError) -> (Descriptor, Address) {
    var port = port
    var left = attempts
    while true {
      let descriptor = try socket(for: host)
      try System.reuseAddress(descriptor)
      do throws(SocketError) {
        try System.bind(descriptor, to: Address(host: host, port: port))
        // Two sockets may share a bound port until one of them listens.
        try System.listen(descriptor, backlog: backlog)
        return (descriptor, try System.localAddress(descriptor))
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
        guard filter.allows(local: accepted.local.host) else { continue }
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
