import Consensus
import Discovery
import Peer
import Sockets

/// What datagrams came and went on each interface, and what failed there.
struct Traffic {
  /// How long an interface counts as one that others are heard on: two of the longest pauses between
  /// beacons, and a little.
  private static let span: Milliseconds = 75_000

  /// IPv4 and IPv6 of one interface are counted apart.
  private struct Place: Hashable {
    let name: String
    let isV4: Bool
  }

  private struct Row {
    var sent = 0
    var sentBytes = 0
    var heard = 0
    var heardBytes = 0
    /// The wall clock's milliseconds, for people.
    var heardAt: UInt64?
    /// The monotonic clock's, to reckon with.
    var heardTick: Milliseconds?
  }

  private var rows: [Place: Row] = [:]
  /// By the address that was sent from, since one network of an interface may fail alone.
  private var errors: [NetworkInterface: SocketError] = [:]

  /// Counts what left; returns what begins or ceases to fail, for the log.
  mutating func note(
    _ outcomes: [DatagramSender.Outcome], bytes: Int
  ) -> [(DatagramSender.Outcome, isNew: Bool)] {
    var news: [(DatagramSender.Outcome, isNew: Bool)] = []
    for outcome in outcomes {
      let interface = outcome.interface
      let error = outcome.error
      if error == nil { count(bytes, sentOn: interface.name, isV4: interface.address.isV4) }
      if errors[interface] != error { news.append((outcome, isNew: errors[interface] == nil)) }
      errors[interface] = error
    }
    return news
  }

  /// Whether the last datagram with this address did not leave.
  func fails(on interface: NetworkInterface) -> Bool { errors[interface] != nil }

  /// Counts a datagram to one laptop alone.
  mutating func count(_ bytes: Int, sentOn name: String, isV4: Bool) {
    rows[Place(name: name, isV4: isV4), default: Row()].sent += 1
    rows[Place(name: name, isV4: isV4), default: Row()].sentBytes += bytes
  }

  /// Counts what was heard from another laptop.
  mutating func noteHeard(_ datagram: Datagram, on name: String, at now: Milliseconds) {
    let place = Place(name: name, isV4: datagram.source.host.isV4)
    var row = rows[place] ?? Row()
    row.heard += 1
    row.heardBytes += datagram.bytes.count
    row.heardAt = Clock.wall
    row.heardTick = now
    rows[place] = row
  }

  /// Forgets interfaces that are gone.
  mutating func keep(_ interfaces: [NetworkInterface]) {
    let names = Set(interfaces.map(\.name))
    rows = rows.filter { names.contains($0.key.name) }
    errors = errors.filter { interfaces.contains($0.key) }
  }

  /// What people are shown: every IPv4 address; of IPv6 the one that beacons leave from, and others
  /// where there is no IPv4.
  func views(of interfaces: [NetworkInterface], at now: Milliseconds) -> [InterfaceView] {
    let withIPv4 = Set(interfaces.filter(\.address.isV4).map(\.name))
    let shown = interfaces.filter { interface in
      interface.address.isV4
        || (!interface.isLoopback
          && (interface.address.isLinkLocal || !withIPv4.contains(interface.name)))
    }
    return shown.map { interface in
      let row = rows[Place(name: interface.name, isV4: interface.address.isV4)] ?? Row()
      let ticks = [true, false].compactMap {
        rows[Place(name: interface.name, isV4: $0)]?.heardTick
      }
      return InterfaceView(
        name: interface.name, address: interface.address.description,
        broadcast: interface.broadcastTarget?.description ?? "",
        sends: interface.broadcastTarget != nil, lastError: errors[interface]?.description,
        lastErrorName: errors[interface]?.name,
        kind: interface.kind.rawValue, prefix: interface.prefix, sent: row.sent,
        sentBytes: row.sentBytes, heard: row.heard,
        heardBytes: row.heardBytes, heardAt: row.heardAt,
        hears: ticks.contains { now < $0 + Traffic.span })
    }
  }
}
