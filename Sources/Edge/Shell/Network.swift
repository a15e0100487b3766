import Consensus
import Discovery
import Dispatch
import Foundation
import Peer
import SecureChannel
import Sockets
import Wire

/// Every socket that faces other laptops: beacons out and in, links, and the list of interfaces.
///
/// Lives on the shell's queue, like all it owns: that, and no lock, makes it safe to hand over.
final class Network: @unchecked Sendable {
  /// How often the interfaces are read again: where the system does not say that they changed, and
  /// where it does, should it forget to.
  private static let refreshPause: Milliseconds = 5_000
  private static let rarePause: Milliseconds = 60_000
  /// How often counts are told: they are no news, and the page reads them with whatever is.
  private static let countsPause: Milliseconds = 15_000

  private let queue: DispatchQueue
  private let filter: InterfaceFilter
  private let discoveryPort: UInt16
  private let log: Log
  /// Where links are taken.
  let linkPort: UInt16
  private let links: LinkSet
  private let inbox = Inbox()

  private var monitor: InterfaceMonitor?
  private var ipv4 = Ears()
  private var ipv6 = Ears()
  private var traffic = Traffic()
  private var beacons = 0
  private var refreshAt: Milliseconds = 0
  private var countsAt: Milliseconds = 0
  private var report: (([InterfaceView]) -> Void)?
  /// Dials of one address on several interfaces at once, by their links.
  private var parallelDials: [LinkID: Address] = [:]

  /// Every how many beacons one leaves by IPv6 where nobody is known to need it: often enough to be
  /// found by laptops whose IPv4 is of another network, seldom enough to cost next to nothing.
  private static let ipv6Share = 10

  /// The discovery port and a port of the node's own, by IPv4 or by IPv6.
  private struct Ears {
    var listener: DatagramListener?
    var sender: DatagramSender?
  }

  /// What comes in before the shell listens, and where it goes then.
  private final class Inbox {
    var take: ((PeerEvent) -> Void)?
    var takeLink: ((LinkEvent) -> Void)?
  }

  /// Binds the port for links, or the first free one of the twenty that start there.
  init(
    identity: LinkIdentity, interfaces: [String], discoveryPort: UInt16, linkPort: UInt16,
    attempts: Int, limits: LinkLimits, queue: DispatchQueue, log: Log
  ) throws(SocketError) {
    self.queue = queue
    self.log = log
    self.discoveryPort = discoveryPort
    filter = InterfaceFilter(names: interfaces)
    links = LinkSet(
      local: identity, filter: filter, limits: limits, queue: queue,
      log: { log.write(.info, $0) },
      onEvent: { [inbox] event in inbox.takeLink?(event) })
    self.linkPort = try links.listen(port: linkPort, attempts: attempts).port
  }

  /// Begins to hear; every event goes to `take` on the queue.
  func start(_ take: @escaping (PeerEvent) -> Void) {
    inbox.take = take
    inbox.takeLink = { [weak self] in self?.take($0) }
    report = { take(.interfaces($0)) }
    do throws(SocketError) {
      ipv4 = try ears(for: .any)
    } catch {
      log.write(
        .error,
        "nobody can be found by themselves: UDP port \(discoveryPort): \(error). Invitations with an address still work."
      )
    }
    do throws(SocketError) {
      if !filter.isLoopbackOnly { ipv6 = try ears(for: .any6) }
    } catch {
      log.write(.debug, "IPv6 is not used: \(error)")
    }
    do throws(SocketError) {
      let monitor = try InterfaceMonitor(filter: filter, queue: queue) { [weak self] _ in
        self?.interfacesChanged()
      }
      self.monitor = monitor
      if monitor.interfaces.allSatisfy({ $0.broadcastTarget == nil }) {
        log.write(.warning, "no network that can find others; invitations with an address may work")
      }
    } catch {
      log.write(.error, "the network interfaces cannot be read: \(error)")
    }
    interfacesChanged()
  }

  private func ears(for host: IPAddress) throws(SocketError) -> Ears {
    let hear: (Datagram) -> Void = { [weak self] in self?.hear($0) }
    let sender = try DatagramSender(
      host: host, filter: filter, limit: Limits.datagram, queue: queue, onDatagram: hear)
    let listener = try DatagramListener(
      host: host, port: discoveryPort, filter: filter, limit: Limits.datagram, queue: queue,
      onDatagram: hear)
    return Ears(listener: listener, sender: sender)
  }

  private func interfacesChanged() {
    let interfaces = monitor?.interfaces ?? []
    for (interface, error) in ipv6.listener?.join(interfaces) ?? [] {
      log.write(.debug, "hearing beacons by IPv6 on \(interface.name): \(error)")
    }
    traffic.keep(interfaces)
    // The next beacon leaves by IPv6 as well: who is on the new network is to know at once.
    beacons = 0
    tellInterfaces()
  }

  /// What another laptop sent is counted; what this one sent comes back too.
  private func hear(_ datagram: Datagram) {
    let interfaces = monitor?.interfaces ?? []
    let source = datagram.source
    if let interface = interfaces.first(where: { $0.index == datagram.interfaceIndex }) {
      let isOwn =
        interface.isLoopback
        ? source.port == ipv4.sender?.local.port
        : interfaces.contains { $0.address == source.host }
      if !isOwn { traffic.noteHeard(datagram, on: interface.name, at: Clock.monotonic) }
    }
    inbox.take?(
      .datagram(
        datagram.bytes, from: source, on: interfaceName(datagram.interfaceIndex),
        isAlone: datagram.isAlone))
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

  /// What a look at the machine needs to know of this node.
  func machineLook(wanted: [Address]) -> MachineLook {
    MachineLook(
      filter: filter, discoveryPort: discoveryPort, linkPort: linkPort, isLinkPortFixed: false,
      node: Int(ProcessInfo.processInfo.processIdentifier), wanted: wanted)
  }

  private func tellInterfaces() {
    countsAt = Clock.monotonic + Network.countsPause
    report?(traffic.views(of: monitor?.interfaces ?? [], at: Clock.monotonic))
  }

  /// Reads the interfaces again when it is time to, and tells what was counted.
  func refreshInterfaces(at now: Milliseconds) {
    if now >= refreshAt {
      refreshAt = now + (monitor?.isTold == true ? Network.rarePause : Network.refreshPause)
      readInterfaces()
    }
    if now >= countsAt { tellInterfaces() }
  }

  private func readInterfaces() {
    do throws(SocketError) {
      try monitor?.refresh()
    } catch {
      log.write(.warning, "the network interfaces cannot be read: \(error)")
    }
  }

  // MARK: Out

  /// Sends a beacon to everybody.
  ///
  /// By IPv4 on every interface that carries it; by IPv6 where that is not so, where `zones` names
  /// somebody who is heard by IPv6 only, where it failed last, and now and then everywhere.
  func broadcast(_ bytes: [UInt8], alsoIPv6On zones: [String]) {
    let interfaces = monitor?.interfaces ?? []
    var outcomes =
      ipv4.sender?.broadcast(bytes, port: discoveryPort, through: interfaces) ?? []
    let reached = outcomes.filter { $0.error == nil }.map(\.interface.name)
    let isEverywhere = beacons % Network.ipv6Share == 0
    beacons += 1
    let others = interfaces.filter {
      isEverywhere || zones.contains($0.name) || !reached.contains($0.name)
        || traffic.fails(on: $0)
    }
    outcomes += ipv6.sender?.broadcast(bytes, port: discoveryPort, through: others) ?? []
    let news = traffic.note(outcomes, bytes: bytes.count)
    for (outcome, isNew) in news { tell(outcome, isNew: isNew, reached: reached) }
    if !news.isEmpty { tellInterfaces() }
  }

  /// A failure is told once, and once more when it is over; one of IPv6 is nobody's trouble where
  /// IPv4 works.
  private func tell(_ outcome: DatagramSender.Outcome, isNew: Bool, reached: [String]) {
    let name = outcome.interface.name
    let isMinor = !outcome.interface.address.isV4 && reached.contains(name)
    if let error = outcome.error {
      log.write(isMinor ? .debug : .warning, "sending on \(name) to \(outcome.target): \(error)")
    } else if !isNew {
      log.write(isMinor ? .debug : .warning, "sending on \(name) works again")
    }
  }

  func send(_ bytes: [UInt8], to address: Address) {
    do throws(SocketError) {
      let sender = address.host.isV4 ? ipv4.sender : ipv6.sender
      try sender?.send(bytes, to: address)
      if let interface = monitor?.interfaces.first(where: { $0.reaches(address.host) }) {
        traffic.count(bytes.count, sentOn: interface.name, isV4: address.host.isV4)
      }
    } catch {
      log.write(.info, "answering \(address): \(error)")
    }
  }

  /// Before the player has a name nothing is sent, not even an answer (PRODUCT decision 9).
  func takesLinks(_ takes: Bool) { links.takesLinks = takes }

  /// Dials an address; a link-local one that names no interface on each that could be meant, since
  /// whoever wrote it down has other interfaces.
  func dial(_ address: Address) {
    guard address.host.isLinkLocal, address.host.zone.isEmpty else {
      _ = links.dial(address)
      return
    }
    var zones: [String] = []
    for interface in monitor?.interfaces ?? [] where !zones.contains(interface.name) {
      if interface.isUp, !interface.isLoopback, interface.address.isLinkLocal {
        zones.append(interface.name)
      }
    }
    guard !zones.isEmpty else {
      inbox.take?(.dialFailed(address))
      return
    }
    for zone in zones.prefix(Network.zones) {
      parallelDials[links.dial(address.on(zone: zone))] = address
    }
  }

  /// Interfaces on which one address is tried at once.
  private static let zones = 8

  /// Of dials of one address the first that comes up counts; it has failed when the last has.
  private func take(_ event: LinkEvent) {
    switch event {
    case .up(let id, let identity, let handshakeHash, _, _, _):
      guard let address = parallelDials.removeValue(forKey: id) else { break }
      let others = parallelDials.filter { $0.value == address }.keys.sorted()
      for other in others {
        parallelDials[other] = nil
        links.close(other, reason: "the same address answered on another interface")
      }
      inbox.take?(
        .linkUp(
          id.number, peer: identity, handshakeHash: handshakeHash, remote: address, outbound: true,
          through: nil))
      return
    case .dialFailed(let id, _, _):
      guard let address = parallelDials.removeValue(forKey: id) else { break }
      if !parallelDials.values.contains(address) { inbox.take?(.dialFailed(address)) }
      return
    default: break
    }
    inbox.take?(PeerEvent(event))
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
    inbox.takeLink = nil
    links.closeAll(reason: "this node stops")
    for ears in [ipv4, ipv6] {
      ears.listener?.close()
      ears.sender?.close()
    }
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
          id.number, peer: identity, handshakeHash: handshakeHash, remote: remote,
          outbound: isOutbound, through: through)
      case .frame(let id, let bytes): .frame(id.number, bytes)
      case .down(let id, _, _): .linkDown(id.number)
      case .dialFailed(_, let endpoint, _): .dialFailed(endpoint)
      case .relayedDialFailed(_, let peer, let through, _):
        .relayedDialFailed(peer, through: through)
      }
  }
}
