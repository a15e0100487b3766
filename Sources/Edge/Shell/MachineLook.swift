import Discovery
import Foundation
import Sockets
import Surroundings

/// A look at the machine around a node, or around the place where one would run.
///
/// It runs tools and waits for answers, some seconds long, so it is never done on the node's queue.
/// To others it sends nothing, unless there are addresses to be tried.
struct MachineLook: Sendable {
  let filter: InterfaceFilter
  let discoveryPort: UInt16
  let linkPort: UInt16
  /// Whether `--port` asked for this one.
  let isLinkPortFixed: Bool
  /// The process of the node that has the ports; nil when none runs.
  let node: Int?
  /// Addresses at which somebody should be.
  let wanted: [Address]

  /// How long somebody is waited for: the system gives up asking who has an address after 3 s.
  private static let patience = 4_000
  /// How long a neighbour that was known before is doubted: the kernel asks again 5 s after it was
  /// used, three times in 3 s (`delay_first_probe_time`, arp(7)).
  private static let doubt: UInt64 = 6_000
  /// How long the way out is waited for, and its port: most answer for names.
  private static let gatewayPatience = 1_000
  private static let gatewayPort: UInt16 = 53

  /// Everything there is to see.
  func look() -> NetworkFacts.Machine {
    let interfaces = Self.interfaces(filter)
    let networks = interfaces.filter(\.address.isV4)
    let surroundings = Surroundings(
      networks: networks.compactMap { one in
        one.address.v4.map { .init(interface: one.name, address: $0) }
      },
      discoveryPort: discoveryPort, linkPort: linkPort,
      program: Bundle.main.executablePath ?? CommandLine.arguments[0])
    var out = NetworkFacts.Machine()
    #if canImport(Darwin)
      out.system = .macOS
    #endif
    let holders = others(surroundings.holders(.udp, port: discoveryPort))
    out.others = holders.filter { $0.folder != nil }
    out.ports = [discovery(holders), links(surroundings)]
    out.route = route(surroundings)
    (out.firewalls, out.hiddenTools) = surroundings.firewalls()
    var tested: [(name: String, index: UInt32)] = []
    for one in networks where !tested.contains(where: { $0.index == one.index }) {
      tested.append((one.name, one.index))
    }
    let payload = SelfTest.magic + (0..<8).map { _ in UInt8.random(in: 0...255) }
    out.tests = Probe.comesBack(port: discoveryPort, interfaces: tested, payload: payload).map {
      .init(interface: $0.name, comesBack: $0.comesBack)
    }
    out.wanted = wanted.map { reach($0, surroundings, interfaces) }
    return out
  }

  /// The addresses in use, without the loopback: those of IPv4 networks that beacons go out to, and
  /// those of IPv6.
  private static func interfaces(_ filter: InterfaceFilter) -> [NetworkInterface] {
    ((try? NetworkInterface.all()) ?? []).filter { one in
      guard filter.allows(name: one.name), !one.isLoopback else { return false }
      return one.broadcastTarget != nil
        || !one.address.isV4 && one.isUp && one.isRunning && !one.isPointToPoint
    }
  }

  // MARK: Ports

  /// Without the node in question and this very process, which may be another: its own ears.
  private func others(_ holders: [NetworkFacts.Holder]) -> [NetworkFacts.Holder] {
    let own = Int(ProcessInfo.processInfo.processIdentifier)
    return holders.filter { $0.process != node && $0.process != own }
  }

  private func discovery(_ holders: [NetworkFacts.Holder]) -> NetworkFacts.Port {
    // Nodes share it with one another.
    let others = holders.filter { !$0.isTabletalk }
    let isFree = Probe.isFreeForDatagrams(discoveryPort)
    let known = others.first { $0.program != nil }
    let state: NetworkFacts.Port.State =
      if !isFree {
        .taken(known ?? others.first ?? .init(program: nil, process: nil))
      } else if let known {
        .shared(known)
      } else {
        node == nil ? .free : .ours
      }
    return .init(use: .discovery, number: discoveryPort, state: state)
  }

  private func links(_ surroundings: Surroundings) -> NetworkFacts.Port {
    let state: NetworkFacts.Port.State =
      if node != nil {
        .ours
      } else if Probe.isFreeForStreams(linkPort) {
        .free
      } else {
        .taken(
          surroundings.holders(.tcp, port: linkPort).first ?? .init(program: nil, process: nil))
      }
    return .init(use: .links, number: linkPort, state: state, isFixed: isLinkPortFixed)
  }

  // MARK: Ways

  /// The device towards anywhere else; an address that is kept for examples stands for it.
  private func route(_ surroundings: Surroundings) -> NetworkFacts.Route? {
    let elsewhere = IPAddress.v4(0xc000_0201)
    var device = surroundings.defaultRoute()?.device
    // The table of routes is not all: rules may send everything another way, as WireGuard's do.
    if device != nil, let source = Probe.source(toward: elsewhere),
      let one = try? NetworkInterface.all().first(where: { $0.address == source })
    {
      device = one.name
    }
    return device.map { .init(device: $0, isTunnel: surroundings.isTunnel($0)) }
  }

  private func reach(
    _ address: Address, _ surroundings: Surroundings, _ interfaces: [NetworkInterface]
  ) -> NetworkFacts.Wanted {
    let isForAll =
      address.host.isForNobody || address.host == .loopbackBroadcast
      || interfaces.contains { $0.broadcast == address.host }
    guard !isForAll else {
      return .init(
        address: address.description, host: address.hostText, port: address.port, isNear: true,
        outcome: .everybody)
    }
    // A link-local address without its interface may be meant on any.
    let isBare = address.host.isLinkLocal && address.host.zone.isEmpty
    let zones = interfaces.filter { $0.address.isLinkLocal }.map(\.name)
    let places = isBare ? zones.map(address.on(zone:)) : [address]
    var best: NetworkFacts.Wanted?
    for place in places {
      let one = attempt(place, surroundings, interfaces)
      if best.map({ one.outcome.worth > $0.outcome.worth }) ?? true { best = one }
      if one.outcome == .answers { break }
    }
    return best
      ?? .init(
        address: address.description, host: address.hostText, port: address.port, isNear: false,
        outcome: .noWay(.init(name: "ENODEV", text: "No network here carries IPv6.")))
  }

  private func attempt(
    _ address: Address, _ surroundings: Surroundings, _ interfaces: [NetworkInterface]
  ) -> NetworkFacts.Wanted {
    let near = interfaces.first { $0.holds(address.host) }
    let outcome: NetworkFacts.Wanted.Outcome
    switch Probe.reach(address, milliseconds: Self.patience) {
    case .connected: outcome = .answers
    case .failed(let error):
      outcome =
        switch error.name {
        case "ECONNREFUSED": .refuses
        case "ETIMEDOUT" where near == nil: .drops
        case "ETIMEDOUT" where near != nil, "EHOSTUNREACH" where near != nil:
          isThere(address.host, surroundings) ? .drops : .silent
        default: .noWay(.init(name: error.name, text: error.description))
        }
    }
    var out = NetworkFacts.Wanted(
      address: address.description, host: address.hostText, port: address.port,
      isNear: near != nil, outcome: outcome)
    if outcome == .silent, let near {
      out.gateway = gateway(of: near, besides: address.host, surroundings)
      out.othersAnswer = surroundings.neighbours().filter {
        $0.isSure && !$0.isRouter && $0.device == near.name && !$0.isAt(address.host)
          && $0.address != surroundings.defaultRoute()?.gateway
          && $0.isIPv4 == address.host.isV4
      }.map(\.address)
    }
    return out
  }

  /// Whether a neighbour answers the question who has the address; what was known before counts
  /// only when the kernel, asking again, has not found it wrong.
  private func isThere(_ host: IPAddress, _ surroundings: Surroundings) -> Bool {
    let end = Clock.monotonic + Self.doubt
    while true {
      guard let row = surroundings.neighbours().first(where: { $0.isAt(host) }) else {
        return false
      }
      if row.isSure || Clock.monotonic > end { return true }
      Thread.sleep(forTimeInterval: 0.2)
    }
  }

  /// The way out of a network, if it lies there and answers.
  private func gateway(
    of network: NetworkInterface, besides silent: IPAddress, _ surroundings: Surroundings
  ) -> String? {
    guard let gateway = surroundings.defaultRoute()?.gateway.flatMap({ IPAddress($0) }),
      gateway != silent, gateway.isV4 == silent.isV4, network.holds(gateway)
    else { return nil }
    // Whatever it says to that, it has answered; and saying nothing, it must still be found.
    let place = Address(host: gateway, port: Self.gatewayPort)
    switch Probe.reach(place, milliseconds: Self.gatewayPatience) {
    case .connected: return gateway.description
    case .failed(let error) where error.name == "ECONNREFUSED": return gateway.description
    case .failed: return isThere(gateway, surroundings) ? gateway.description : nil
    }
  }
}

extension NetworkInterface {
  /// Whether a host is on this interface's own network; of IPv6 the /64 is taken for one.
  fileprivate func holds(_ host: IPAddress) -> Bool {
    if host.isV4 || host.isLinkLocal { return reaches(host) }
    return !address.isV4 && host.network == address.network
  }
}

extension NetworkFacts.Wanted.Outcome {
  /// Of several attempts the one that has shown most.
  fileprivate var worth: Int {
    switch self {
    case .answers: 4
    case .refuses: 3
    case .drops: 2
    case .silent: 1
    case .noWay, .everybody: 0
    }
  }
}
