import Discovery
import Dispatch
import Foundation
import Sockets
import Store
import Wire

/// `tabletalk doctor`: says why friends are not seen, and what to do about it.
///
/// Asks the node of the data folder, if one runs, for what it has heard and sent. If none runs it
/// listens on the discovery port itself. It never says who its person is: the only thing it sends is
/// an attempt to connect to addresses it was given, and to the way out if those are silent.
struct Doctor {
  let options: Options
  let folder: String
  let wanted: [Address]
  let printsJSON: Bool

  /// How long somebody is waited for where no node has been listening: a period of beacons.
  private static let patience: UInt64 = 12_000
  /// How long others are still waited for after the first was heard.
  private static let linger: UInt64 = 2_500

  /// Looks, prints, and returns the exit code: 0 healthy, 1 something is wrong.
  func run() -> Int32 {
    var facts = NetworkFacts()
    let running = NodeReport.read(folder: folder)
    let filter = InterfaceFilter(names: options.interfaces)
    var rows: [DoctorReport.Row] = []
    switch running {
    case .answers(let report, let process):
      facts = report.facts
      rows = report.rows
      let look = MachineLook(
        filter: InterfaceFilter(names: facts.interfaces.map(\.name)),
        discoveryPort: facts.discoveryPort, linkPort: facts.linkPort, isLinkPortFixed: false,
        node: process, wanted: wanted)
      facts.take(look.look())
    case .silent(let process):
      facts.node = .silent(process: process)
      facts.take(look(filter, node: process))
      rows = describe(filter, into: &facts)
    case .none:
      facts.node = .notRunning
      rows = listen(filter, into: &facts)
    }
    facts.program = ProgramName.own
    let findings = Diagnosis.findings(facts)
    let report = DoctorReport(facts: facts, rows: rows, findings: findings)
    Log.write(printsJSON ? report.json : report.text, to: 1)
    return report.isHealthy ? 0 : 1
  }

  private func look(_ filter: InterfaceFilter, node: Int?) -> NetworkFacts.Machine {
    MachineLook(
      filter: filter, discoveryPort: Node.discoveryPort, linkPort: options.port ?? Node.linkPort,
      isLinkPortFixed: options.port != nil, node: node, wanted: wanted
    ).look()
  }

  // MARK: Without a node

  /// Listens in the place of a node, and looks at the machine meanwhile.
  private func listen(
    _ filter: InterfaceFilter, into facts: inout NetworkFacts
  ) -> [DoctorReport.Row] {
    let seconds = Int(Self.patience / 1_000)
    if !printsJSON {
      Log.write("Tabletalk does not run here; listening for up to \(seconds) s ...\n", to: 2)
    }
    let started = Clock.monotonic
    // Before the look, whose tests of the port come and go.
    let ears = Ears(filter: filter, port: Node.discoveryPort)
    facts.linkPort = options.port ?? Node.linkPort
    let machine = look(filter, node: nil)
    ears.wait(until: started + Self.patience, linger: Self.linger)
    let heard = ears.close()
    facts.listened = Int((Clock.monotonic - started + 500) / 1_000)
    facts.people = heard.people
    facts.strangers = heard.strangers
    let rows = describe(filter, into: &facts, heard: heard.counts)
    facts.take(machine)
    if !facts.others.isEmpty, options.interfaces.isEmpty {
      facts.isLoopbackMeant = facts.others.allSatisfy(Self.keepsToLoopback)
    }
    return rows
  }

  /// Whether another node here plays with people on this laptop only.
  private static func keepsToLoopback(_ node: NetworkFacts.Holder) -> Bool {
    guard let file = node.folder.flatMap({ try? NodeFile.read(folder: $0) }) else { return false }
    return InterfaceFilter(names: file.interfaces).isLoopbackOnly
  }

  private func describe(
    _ filter: InterfaceFilter, into facts: inout NetworkFacts, heard: [UInt32: Int]? = nil
  ) -> [DoctorReport.Row] {
    let found = ((try? NetworkInterface.all()) ?? []).filter { filter.allows(name: $0.name) }
    facts.interfaces = found.map {
      .init(
        name: $0.name, address: $0.address.description, kind: $0.kind.rawValue,
        isLoopback: $0.isLoopback,
        sends: $0.broadcastTarget != nil)
    }
    facts.isLoopbackMeant = !options.interfaces.isEmpty
    return found.map { one in
      var count: Int?
      if let heard { count = heard[one.index] ?? 0 }
      return DoctorReport.Row(
        name: one.name, address: one.address.description, kind: one.kind.rawValue,
        broadcast: one.broadcastTarget?.description, sends: one.broadcastTarget != nil, sent: nil,
        heard: count, lastError: nil)
    }
  }
}

/// Hears beacons for a while, on a queue of its own.
private final class Ears: @unchecked Sendable {
  /// What was heard.
  struct Heard {
    var people: [NetworkFacts.Person] = []
    var strangers: [NetworkFacts.Stranger] = []
    /// Beacons by the number of the interface.
    var counts: [UInt32: Int] = [:]
  }

  private let queue = DispatchQueue(label: "tabletalk.doctor")
  private var listeners: [DatagramListener] = []
  private var roster = Roster(me: PublicKey(raw: .zero))
  private var others = OtherVersions()
  private var counts: [UInt32: Int] = [:]
  private var firstAt: UInt64?

  init(filter: InterfaceFilter, port: UInt16) {
    let interfaces = (try? NetworkInterface.all()) ?? []
    for host in [IPAddress.any, .any6] {
      let listener = try? DatagramListener(
        host: host, port: port, filter: filter, limit: Limits.datagram, queue: queue
      ) { [weak self] datagram in self?.hear(datagram) }
      guard let listener else { continue }
      _ = listener.join(interfaces)
      listeners.append(listener)
    }
  }

  private func hear(_ datagram: Datagram) {
    let now = Clock.monotonic
    if let beacon = try? Beacon(datagram: datagram.bytes).verified(by: Ed25519()) {
      _ = roster.hear(
        beacon,
        by: .datagram(from: datagram.source, linkPort: beacon.body.linkPort, on: nil),
        told: Told(settled: 0, isSent: false, wall: Clock.wall), at: now)
    } else if let beacon = try? ForeignBeacon(datagram: datagram.bytes).verified(by: Ed25519()) {
      _ = others.hear(beacon, from: datagram.source.host, at: now)
    } else {
      return
    }
    counts[datagram.interfaceIndex, default: 0] += 1
    firstAt = firstAt ?? now
  }

  /// Waits to the end, or less when somebody was heard.
  func wait(until end: UInt64, linger: UInt64) {
    while !listeners.isEmpty {
      let now = Clock.monotonic
      let first = queue.sync { firstAt }
      guard now < min(end, first.map { $0 + linger } ?? end) else { return }
      Thread.sleep(forTimeInterval: 0.05)
    }
  }

  func close() -> Heard {
    queue.sync {
      for listener in listeners { listener.close() }
      listeners = []
      let people = roster.neighbours.map { row in
        NetworkFacts.Person(
          name: row.beacon.name, host: row.address.hostText, clockAhead: row.clock.seconds)
      }
      let strangers = others.people.map {
        NetworkFacts.Stranger(name: $0.name, version: $0.version)
      }
      return Heard(people: people, strangers: strangers, counts: counts)
    }
  }
}
