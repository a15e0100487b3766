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
    let interfaces = Self.networks(filter)
    let surroundings = Surroundings(
      networks: interfaces.map { .init(interface: $0.name, address: $0.number) },
      discoveryPort: discoveryPort, linkPort: linkPort,
      program: Bundle.main.executablePath ?? CommandLine.arguments[0])
    var out = NetworkFacts.Machine()
    #if canImport(Darwin)
      out.system = .macOS
    #endif
    out.ports = [discovery(surroundings), links(surroundings)]
    out.route = route(surroundings, interfaces)
    (out.firewalls, out.hiddenTools) = surroundings.firewalls()
    var tested: [(name: String, index: UInt32)] = []
    for one in interfaces where !tested.contains(where: { $0.index == one.index }) {
      tested.append((one.name, one.index))
    }
    let payload = SelfTest.magic + (0..<8).map { _ in UInt8.random(in: 0...255) }
    out.tests = Probe.comesBack(port: discoveryPort, interfaces: tested, payload: payload).map {
      .init(interface: $0.name, comesBack: $0.comesBack)
    }
    out.wanted = wanted.compactMap { reach($0, surroundings, interfaces) }
    return out
  }

  /// An IPv4 network that beacons go out to.
  struct Network: Sendable {
    let name: String
    let index: UInt32
    let number: UInt32
    let mask: UInt32

    func holds(_ other: UInt32) -> Bool { number & mask == other & mask }
  }

  /// The networks in use, without the loopback.
  private static func networks(_ filter: InterfaceFilter) -> [Network] {
    ((try? NetworkInterface.all()) ?? []).compactMap { one in
      guard filter.allows(name: one.name), !one.isLoopback, one.broadcastTarget != nil,
        let number = one.v4, let mask = one.v4Mask
      else { return nil }
      return Network(name: one.name, index: one.index, number: number, mask: mask)
    }
  }

  // MARK: Ports

  private func discovery(_ surroundings: Surroundings) -> NetworkFacts.Port {
    let holders = surroundings.holders(.udp, port: discoveryPort)
    let others = holders.filter { $0.process != node && $0.program != "tabletalk" }
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
  private func route(
    _ surroundings: Surroundings, _ interfaces: [Network]
  ) -> NetworkFacts.Route? {
    let elsewhere: UInt32 = 0xc000_0201
    var device = surroundings.defaultRoute()?.device
    // The table of routes is not all: rules may send everything another way, as WireGuard's do.
    if device != nil, let source = Probe.source(toward: elsewhere),
      let one = try? NetworkInterface.all().first(where: { $0.v4 == source })
    {
      device = one.name
    }
    return device.map { .init(device: $0, isTunnel: surroundings.isTunnel($0)) }
  }

  private func reach(
    _ address: Address, _ surroundings: Surroundings, _ interfaces: [Network]
  ) -> NetworkFacts.Wanted? {
    guard let number = address.host.v4, !address.isLoopback else { return nil }
    let near = interfaces.first { $0.holds(number) }
    let outcome: NetworkFacts.Wanted.Outcome
    switch Probe.reach(number, port: address.port, milliseconds: Self.patience) {
    case .connected: outcome = .answers
    case .failed(let error):
      let isOpen = ["ETIMEDOUT", "EHOSTUNREACH"].contains(error.name) && near != nil
      outcome =
        if error.name == "ECONNREFUSED" {
          .refuses
        } else if isOpen {
          isThere(address.hostText, surroundings) ? .drops : .silent
        } else if error.name == "ETIMEDOUT" {
          .drops
        } else {
          .noWay(.init(name: error.name, text: error.description))
        }
    }
    var out = NetworkFacts.Wanted(
      address: address.description, host: address.hostText, port: address.port,
      isNear: near != nil, outcome: outcome)
    if outcome == .silent, let near {
      out.gateway = gateway(of: near, besides: out.host, surroundings)
      out.othersAnswer = surroundings.neighbours().filter {
        $0.isSure && $0.device == near.name && $0.address != out.host
          && $0.address != surroundings.defaultRoute()?.gateway
      }.map(\.address)
    }
    return out
  }

  /// Whether a neighbour answers the question who has the address; what was known before counts
  /// only when the kernel, asking again, has not found it wrong.
  private func isThere(_ host: String, _ surroundings: Surroundings) -> Bool {
    let end = Clock.monotonic + Self.doubt
    while true {
      guard let row = surroundings.neighbours().first(where: { $0.address == host }) else {
        return false
      }
      if row.isSure || Clock.monotonic > end { return true }
      Thread.sleep(forTimeInterval: 0.2)
    }
  }

  /// The way out of a network, if it lies there and answers.
  private func gateway(
    of network: Network, besides silent: String, _ surroundings: Surroundings
  ) -> String? {
    guard let gateway = surroundings.defaultRoute()?.gateway, gateway != silent,
      let number = Address(gateway, defaultPort: 1)?.host.v4, network.holds(number)
    else { return nil }
    // Whatever it says to that, it has answered; and saying nothing, it must still be found.
    switch Probe.reach(number, port: Self.gatewayPort, milliseconds: Self.gatewayPatience) {
    case .connected: return gateway
    case .failed(let error) where error.name == "ECONNREFUSED": return gateway
    case .failed: return isThere(gateway, surroundings) ? gateway : nil
    }
  }
}

extension NetworkInterface {
  /// The IPv4 address as a number.
  fileprivate var v4: UInt32? { address.v4 }
  fileprivate var v4Mask: UInt32? { netmask.v4 }
}
