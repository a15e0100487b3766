import Discovery
import Foundation
import Wire

/// What `tabletalk doctor` prints: for a person, or as JSON (Protocol/local-api-doctor.md).
struct DoctorReport {
  /// One address of an interface.
  struct Row: Encodable, Sendable {
    let name: String
    let address: String
    @OrNull var kind: String?
    @OrNull var broadcast: String?
    let sends: Bool
    /// Beacons sent and datagrams heard since the node started.
    @OrNull var sent: Int?
    @OrNull var heard: Int?
    @OrNull var lastError: String?
  }

  let facts: NetworkFacts
  let rows: [Row]
  let findings: [Finding]

  /// Whether nothing is wrong.
  var isHealthy: Bool { !findings.contains { $0.severity == .trouble } }

  // MARK: For a person

  var text: String {
    var lines: [String] = []
    let width = rows.map(\.name.count).max() ?? 0
    for row in rows {
      let name = row.name + String(repeating: " ", count: width - row.name.count)
      lines.append("  \(name)  \(row.address)\(Self.words(row))")
    }
    if !rows.isEmpty { lines.append("") }
    for finding in findings {
      let mark =
        switch finding.severity {
        case .trouble: "[!!]"
        case .note: "[--]"
        case .ok: "[ok]"
        }
      lines.append("\(mark) \(finding.message)")
      if let because = finding.because { lines.append("     \(because)") }
      if let command = finding.command { lines.append("     Run: \(command)") }
    }
    lines.append("")
    lines.append(
      isHealthy ? "Nothing is wrong here." : "Something is wrong; the worst stands first.")
    return lines.joined(separator: "\n") + "\n"
  }

  private static func words(_ row: Row) -> String {
    var out = row.kind.map { $0.isEmpty ? "" : ", \($0)" } ?? ""
    out += row.sends ? ", broadcast \(row.broadcast ?? "")" : ", sends nothing"
    if let sent = row.sent { out += ", sent \(sent)" }
    if let heard = row.heard { out += ", heard \(heard)" }
    if let error = row.lastError { out += ", last error: \(error)" }
    return out
  }

  // MARK: For a program

  private struct Port: Encodable {
    let use: String
    let carrier: String
    let number: UInt16
    let state: String
    @OrNull var program: String?
    @OrNull var process: Int?
  }

  private struct Other: Encodable {
    @OrNull var folder: String?
    @OrNull var process: Int?
  }

  private struct Firewall: Encodable {
    let tool: String
    let place: String
    let discovery: String
    let links: String
    let visible: Bool
  }

  private struct Route: Encodable, Hashable {
    let device: String
    let vpn: Bool
  }

  private struct Person: Encodable {
    let name: String
    let host: String
    let heard: Bool
    @OrNull var hearsMe: Bool?
    @OrNull var clockAhead: Int?
  }

  private struct Wanted: Encodable {
    let address: String
    let near: Bool
    let outcome: String
  }

  private struct Whole: Encodable {
    let healthy: Bool
    let node: String
    @OrNull var listened: Int?
    let discoveryPort: UInt16
    let linkPort: UInt16
    let interfaces: [Row]
    let ports: [Port]
    let others: [Other]
    let firewalls: [Firewall]
    @OrNull var route: Route?
    let people: [Person]
    let wanted: [Wanted]
    let findings: [Finding]
  }

  var json: String {
    let node =
      switch facts.node {
      case .running: "running"
      case .notRunning: "notRunning"
      case .silent: "silent"
      }
    let whole = Whole(
      healthy: isHealthy, node: node, listened: facts.listened,
      discoveryPort: facts.discoveryPort, linkPort: facts.linkPort, interfaces: rows,
      ports: facts.ports.map(Self.port),
      others: facts.others.map { Other(folder: $0.folder, process: $0.process) },
      firewalls: facts.firewalls.map {
        Firewall(
          tool: $0.tool.rawValue, place: $0.place, discovery: $0.discovery.rawValue,
          links: $0.links.rawValue, visible: $0.isVisible)
      },
      route: facts.route.map { Route(device: $0.device, vpn: $0.isTunnel) },
      people: facts.people.map {
        Person(
          name: $0.name, host: $0.host, heard: $0.isHeard, hearsMe: $0.hearsMe,
          clockAhead: $0.clockAhead)
      },
      wanted: facts.wanted.map {
        Wanted(address: $0.address, near: $0.isNear, outcome: Self.word($0.outcome))
      },
      findings: findings)
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    guard let data = try? encoder.encode(whole) else {
      // Texts, numbers and truths always have a JSON form.
      fatalError("the report cannot be encoded")
    }
    return String(decoding: data, as: UTF8.self) + "\n"
  }

  private static func port(_ port: NetworkFacts.Port) -> Port {
    var holder: NetworkFacts.Holder?
    let state: String
    switch port.state {
    case .free: state = "free"
    case .ours: state = "ours"
    case .shared(let other):
      state = "shared"
      holder = other
    case .taken(let other):
      state = "taken"
      holder = other
    }
    return Port(
      use: port.use.rawValue, carrier: port.use == .discovery ? "udp" : "tcp",
      number: port.number, state: state, program: holder?.program, process: holder?.process)
  }

  private static func word(_ outcome: NetworkFacts.Wanted.Outcome) -> String {
    switch outcome {
    case .answers: "answers"
    case .refuses: "refuses"
    case .silent: "silent"
    case .drops: "drops"
    case .noWay: "noWay"
    case .everybody: "everybody"
    }
  }
}
