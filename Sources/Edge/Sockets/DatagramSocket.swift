package import Discovery
package import Dispatch

/// A datagram that arrived.
package struct Datagram: Equatable, Sendable {
  /// Its content.
  package let bytes: [UInt8]
  /// Where it came from, and where an answer goes.
  package let source: Address
  /// The number of the interface it came in by.
  package let interfaceIndex: UInt32
  /// Whether it was sent to this host alone, not to everybody or to a group.
  package let isAlone: Bool
}

/// What a datagram socket ignored, by reason.
package struct DatagramDrops: Equatable, Sendable {
  /// Came in by an interface that is not allowed.
  package var wrongInterface = 0
  /// Longer than the limit, so that its end is missing.
  package var tooLong = 0
}

/// The receiving half that listener and sender share.
final class DatagramReceiver {
  /// Datagrams handled before other work on the queue gets its turn.
  private static let batch = 32

  private(set) var descriptor: Descriptor?
  private let filter: InterfaceFilter
  private let onDatagram: (Datagram) -> Void
  private var buffer: [UInt8]
  private(set) var drops = DatagramDrops()
  private var watch: Watch?

  init(
    _ descriptor: Descriptor, filter: InterfaceFilter, limit: Int, queue: DispatchQueue,
    onDatagram: @escaping (Datagram) -> Void
  ) {
    self.descriptor = descriptor
    self.filter = filter
    self.onDatagram = onDatagram
    self.buffer = [UInt8](repeating: 0, count: limit)
    watch = Watch(descriptor, .reading, queue: queue) { [weak self] in self?.readable() }
    watch?.run()
  }

  func cancel() {
    watch?.cancel()
    watch = nil
    descriptor = nil
  }

  private func readable() {
    for _ in 0..<Self.batch {
      guard let descriptor else { return }
      // An error of an earlier datagram, such as "port unreachable", is no trouble of this one:
      // the socket goes on, and Dispatch calls again while there is something to read.
      guard let received = try? System.receive(descriptor, into: &buffer) else { return }
      if received.isCut {
        drops.tooLong += 1
      } else if !filter.allows(index: received.interfaceIndex) {
        drops.wrongInterface += 1
      } else {
        onDatagram(
          Datagram(
            bytes: Array(buffer.prefix(received.count)), source: received.source,
            interfaceIndex: received.interfaceIndex, isAlone: received.isAlone))
      }
    }
  }
}

/// Hears the datagrams sent to the discovery port, broadcast ones too.
///
/// Several nodes of one host listen on the same port and all hear a broadcast; what is sent to
/// this host alone reaches only one of them, so answers go to each node's `DatagramSender`.
/// Everything happens on the queue given.
package final class DatagramListener {
  /// Where it listens; the port is real even when 0 was asked for.
  package let local: Address
  private let filter: InterfaceFilter
  private let receiver: DatagramReceiver

  /// Binds the port on all interfaces and starts to listen.
  ///
  /// `host` is `.any` or `.any6`: IPv4 and IPv6 take a listener each. `limit` is the longest datagram
  /// handed on; longer ones are counted and ignored.
  package init(
    host: IPAddress = .any, port: UInt16, filter: InterfaceFilter, limit: Int,
    queue: DispatchQueue, onDatagram: @escaping (Datagram) -> Void
  ) throws(SocketError) {
    let descriptor = try System.datagramSocket(for: host)
    try System.sharePort(descriptor)
    try System.reportInterface(descriptor, for: host)
    try System.bind(descriptor, to: Address(host: host, port: port))
    local = try System.localAddress(descriptor)
    self.filter = filter
    receiver = DatagramReceiver(
      descriptor, filter: filter, limit: limit, queue: queue, onDatagram: onDatagram)
  }

  /// What was ignored so far.
  package var drops: DatagramDrops { receiver.drops }

  /// Hears the group of all nodes by IPv6 on each of the interfaces that is allowed and carries it.
  ///
  /// To be called again when the interfaces have changed. Returns where it failed, and why.
  package func join(_ interfaces: [NetworkInterface]) -> [(NetworkInterface, SocketError)] {
    guard let descriptor = receiver.descriptor, !local.host.isV4 else { return [] }
    var joined: Set<UInt32> = []
    var failed: [(NetworkInterface, SocketError)] = []
    for interface in interfaces where filter.allows(name: interface.name) {
      guard interface.broadcastTarget == .beaconGroup, joined.insert(interface.index).inserted
      else { continue }
      do throws(SocketError) {
        try System.join(descriptor, group: .beaconGroup, index: interface.index)
      } catch {
        failed.append((interface, error))
      }
    }
    return failed
  }

  /// Stops listening; no datagram is handed on afterwards.
  package func close() {
    receiver.cancel()
  }
}

/// Sends datagrams from a port of the node's own, and hears the answers to it.
package final class DatagramSender {
  /// What happened to a broadcast on one interface.
  package struct Outcome: Sendable {
    /// Where it was to leave.
    package let interface: NetworkInterface
    /// Where it was to go.
    package let target: IPAddress
    /// Why it did not leave, or nil when it did.
    package let error: SocketError?
  }

  /// The port answers come to.
  package let local: Address
  private let receiver: DatagramReceiver
  private let filter: InterfaceFilter

  /// Takes a free port and starts to hear answers; `host` as for `DatagramListener`.
  package init(
    host: IPAddress = .any, filter: InterfaceFilter, limit: Int, queue: DispatchQueue,
    onDatagram: @escaping (Datagram) -> Void
  ) throws(SocketError) {
    let descriptor = try System.datagramSocket(for: host)
    try System.allowBroadcast(descriptor)
    try System.reportInterface(descriptor, for: host)
    try System.bind(descriptor, to: Address(host: host, port: 0))
    local = try System.localAddress(descriptor)
    self.filter = filter
    receiver = DatagramReceiver(
      descriptor, filter: filter, limit: limit, queue: queue, onDatagram: onDatagram)
  }

  /// What was ignored so far.
  package var drops: DatagramDrops { receiver.drops }

  /// Sends to everybody, once through each interface that is allowed and carries such datagrams: by
  /// IPv4 to each of its networks, by IPv6 to the group of all nodes.
  ///
  /// Returns what happened on each; empty when there is no such interface. One that fails does not
  /// keep the others from being tried.
  package func broadcast(
    _ bytes: [UInt8], port: UInt16, through interfaces: [NetworkInterface]
  ) -> [Outcome] {
    guard let descriptor = receiver.descriptor else { return [] }
    var reached: Set<Network> = []
    return interfaces.compactMap { interface in
      guard filter.allows(name: interface.name), interface.address.isV4 == local.host.isV4,
        let target = interface.broadcastTarget,
        reached.insert(Network(index: interface.index, target: target)).inserted
      else { return nil }
      do throws(SocketError) {
        let remote = Address(host: target, port: port)
        try System.send(descriptor, bytes, to: remote, through: interface)
        return Outcome(interface: interface, target: target, error: nil)
      } catch {
        return Outcome(interface: interface, target: target, error: error)
      }
    }
  }

  /// Two addresses of one network would send everybody there the same datagram twice.
  private struct Network: Hashable {
    let index: UInt32
    let target: IPAddress
  }

  /// Sends to one address.
  ///
  /// Throws `ENETUNREACH` when the way there leaves by an interface that is not allowed.
  package func send(_ bytes: [UInt8], to remote: Address) throws(SocketError) {
    guard let descriptor = receiver.descriptor else {
      throw SocketError(call: "sendmsg", number: SocketError.Known.badDescriptor.number)
    }
    guard filter.allows(sendingTo: remote) else {
      throw SocketError(
        call: "sendmsg", number: SocketError.Known.networkUnreachable.number)
    }
    try System.send(descriptor, bytes, to: remote)
  }

  /// Stops hearing answers; nothing may be sent afterwards.
  package func close() {
    receiver.cancel()
  }
}
