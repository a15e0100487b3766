import Consensus
import Discovery
import Dispatch
import Peer
import SecureChannel
import Sockets
import Wire

/// Every socket that faces other laptops: beacons out and in, links, and the list of interfaces.
///
/// Lives on the shell's queue, like all it owns: that, and no lock, makes it safe to hand over.
final class Network: @unchecked Sendable {
  /// How often the interfaces are read again where the kernel does not say that they changed.
  private static let refreshPause: Milliseconds = 5_000

  private let queue: DispatchQueue
  private let filter: InterfaceFilter
  private let discoveryPort: UInt16
  private let log: Log
  /// Where links are taken.
  let linkPort: UInt16
  private let links: LinkSet
  private let inbox = Inbox()

  private var monitor: InterfaceMonitor?
  private var listener: DatagramListener?
  private var sender: DatagramSender?
  private var errors: [String: String] = [:]
  private var refreshAt: Milliseconds = 0
  private var report: (([InterfaceView]) -> Void)?

  /// What comes in before the shell listens, and where it goes then.
  private final class Inbox {
    var take: ((PeerEvent) -> Void)?
  }

  /// Binds the port for links, or the first free one of the twenty that start there.
  init(
    identity: LinkIdentity, interfaces: [String], discoveryPort: UInt16, linkPort: UInt16,
    attempts: Int, queue: DispatchQueue, log: Log
  ) throws(SocketError) {
    self.queue = queue
    self.log = log
    self.discoveryPort = discoveryPort
    filter = InterfaceFilter(names: interfaces)
    links = LinkSet(
      local: identity, filter: filter, queue: queue, log: { log.write(.info, $0) },
      onEvent: { [inbox] event in inbox.take?(PeerEvent(event)) })
    self.linkPort = try links.listen(port: linkPort, attempts: attempts).port
  }

  /// Begins to hear; every event goes to `take` on the queue.
  func start(_ take: @escaping (PeerEvent) -> Void) {
    inbox.take = take
    report = { take(.interfaces($0)) }
    let heard: (Datagram) -> Void = { [weak self] datagram in
      take(
        .datagram(
          datagram.bytes, from: datagram.source.discoveryAddress,
          on: self?.interfaceName(datagram.interfaceIndex)))
    }
    do throws(SocketError) {
      sender = try DatagramSender(
        filter: filter, limit: Limits.datagram, queue: queue, onDatagram: heard)
      listener = try DatagramListener(
        port: discoveryPort, filter: filter, limit: Limits.datagram, queue: queue,
        onDatagram: heard)
    } catch {
      log.write(
        .error,
        "nobody can be found by themselves: UDP port \(discoveryPort): \(error). Invitations with an address still work."
      )
    }
    do throws(SocketError) {
      let monitor = try InterfaceMonitor(filter: filter, queue: queue) { [weak self] _ in
        self?.tellInterfaces()
      }
      self.monitor = monitor
      if monitor.interfaces.allSatisfy({ $0.broadcastTarget == nil }) {
        log.write(.warning, "no network that can find others; invitations with an address may work")
      }
    } catch {
      log.write(.error, "the network interfaces cannot be read: \(error)")
    }
    tellInterfaces()
  }

  /// Names of the interfaces in use.
  var interfaceNames: [String] {
    var out: [String] = []
    for interface in monitor?.interfaces ?? [] where !out.contains(interface.name) {
      out.append(interface.name)
    }
    return out
  }

  private func interfaceName(_ index: UInt32) -> String? {
    monitor?.interfaces.first { $0.index == index }?.name
  }

  private func tellInterfaces() {
    let views = (monitor?.interfaces ?? []).map { interface in
      InterfaceView(
        name: interface.name, address: interface.address.description,
        broadcast: interface.broadcastTarget?.description ?? "",
        sends: interface.broadcastTarget != nil,
        lastError: errors[interface.name])
    }
    report?(views)
  }

  /// Reads the interfaces again when it is time to.
  func refreshInterfaces(at now: Milliseconds) {
    guard now >= refreshAt else { return }
    refreshAt = now + Network.refreshPause
    do throws(SocketError) {
      try monitor?.refresh()
    } catch {
      log.write(.warning, "the network interfaces cannot be read: \(error)")
    }
  }

  // MARK: Out

  func broadcast(_ bytes: [UInt8]) {
    let interfaces = monitor?.interfaces ?? []
    guard let outcomes = sender?.broadcast(bytes, port: discoveryPort, through: interfaces)
    else { return }
    var isChanged = false
    for outcome in outcomes {
      let text = outcome.error?.description
      if errors[outcome.interface.name] != text { isChanged = true }
      errors[outcome.interface.name] = text
      if let error = outcome.error {
        log.write(.warning, "sending on \(outcome.interface.name): \(error)")
      }
    }
    if isChanged { tellInterfaces() }
  }

  func send(_ bytes: [UInt8], to address: Address) {
    guard let endpoint = Endpoint(address) else { return }
    do throws(SocketError) {
      try sender?.send(bytes, to: endpoint)
    } catch {
      log.write(.info, "answering \(address): \(error)")
    }
  }

  /// Before the player has a name nothing is sent, not even an answer (PRODUCT decision 9).
  func takesLinks(_ takes: Bool) { links.takesLinks = takes }

  func dial(_ address: Address) {
    guard let endpoint = Endpoint(address) else {
      inbox.take?(.dialFailed(address))
      return
    }
    _ = links.dial(endpoint)
  }

  func send(_ frame: [UInt8], on link: UInt64) {
    if case .refused(let error) = links.send(frame, on: LinkID(number: link)) {
      log.write(.error, "a frame could not be sent: \(error)")
    }
  }

  /// Whether a frame could be sent without letting too much wait on the link.
  func sendIfRoom(_ frame: [UInt8], on link: UInt64) -> Bool {
    links.sendIfRoom(frame, on: LinkID(number: link))
  }

  /// Whether the dial is under way, and will be answered.
  func dial(_ peer: PublicKey, through link: UInt64) -> Bool {
    links.dial(peer, through: LinkID(number: link)) != nil
  }

  func take(_ frame: RelayFrame, on link: UInt64) {
    links.take(frame, on: LinkID(number: link))
  }

  func close(_ link: UInt64, reason: String) {
    links.close(LinkID(number: link), reason: reason)
  }

  func stop() {
    inbox.take = nil
    links.closeAll(reason: "this node stops")
    listener?.close()
    sender?.close()
    monitor?.close()
  }
}

extension PeerEvent {
  /// What a link's news mean to the node.
  init(_ event: LinkEvent) {
    self =
      switch event {
      case .up(let id, let identity, let handshakeHash, let remote, let isOutbound, let through):
        .linkUp(
          id.number, peer: identity, handshakeHash: handshakeHash, remote: remote.discoveryAddress,
          outbound: isOutbound, through: through)
      case .frame(let id, let bytes): .frame(id.number, bytes)
      case .down(let id, _, _): .linkDown(id.number)
      case .dialFailed(_, let endpoint, _): .dialFailed(endpoint.discoveryAddress)
      case .relayedDialFailed(_, let peer, let through, _):
        .relayedDialFailed(peer, through: through)
      }
  }
}
