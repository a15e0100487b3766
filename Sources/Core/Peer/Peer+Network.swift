import Consensus
package import Discovery
import Table
import Wire

/// An address that was dialled in vain.
struct FailedDial: Sendable {
  let address: Address
  var at: Milliseconds
  /// Somebody was heard from there between two failures: the laptop is on, and takes no connection.
  var isHeardAllTheSame = false
}

/// What the node knows of the network it is on, and what follows from it.
extension Peer {
  /// Failed dials that are remembered, and for how long they are news.
  private static let failedLimit = 16
  private static let failedPatience: Milliseconds = 120_000
  /// How long nobody is heard until the laptop itself is looked at, and how soon it is looked at again
  /// while something is wrong, so that the warning goes when it is mended.
  static let lonely: Milliseconds = 10_000
  static let lookAgain: Milliseconds = 60_000
  /// Addresses that a look at the machine tries, at the most.
  private static let wantedLimit = 4

  // MARK: Facts

  mutating func noteFailedDial(_ address: Address) {
    var failed = FailedDial(address: address, at: now)
    if let index = failedDials.firstIndex(where: { $0.address == address }) {
      let before = failedDials.remove(at: index)
      let heard = roster.neighbours.contains {
        $0.address == address && before.at < $0.heardAt && $0.hasDatagrams(at: now)
      }
      failed.isHeardAllTheSame = before.isHeardAllTheSame || heard
    }
    failedDials.append(failed)
    if failedDials.count > Peer.failedLimit { failedDials.removeFirst() }
  }

  mutating func forgetFailedDial(_ address: Address) {
    failedDials.removeAll { $0.address.host == address.host }
  }

  /// An address was dialled in vain, and not long ago.
  func hasFailed(_ address: Address) -> Bool {
    failedDials.contains { $0.address == address && now < $0.at + Peer.failedPatience }
  }

  /// Somebody is heard, and connections fail all the same.
  func linkFails(to row: Neighbour) -> Bool {
    failedDials.contains {
      $0.address == row.address && $0.isHeardAllTheSame && now < $0.at + Peer.failedPatience
    }
  }

  /// Addresses at which several are heard, each of them after it had met the others: one laptop that
  /// has begun again with another key is heard with the new one only.
  private var sharedAddresses: [NetworkFacts.SharedAddress] {
    var found: [(address: Address, rows: [Neighbour])] = []
    for row in roster.neighbours {
      for path in row.paths where path.how == .datagram {
        if let index = found.firstIndex(where: { $0.address == path.address }) {
          found[index].rows.append(row)
        } else {
          found.append((path.address, [row]))
        }
      }
    }
    return found.compactMap { address, rows in
      let met = rows.map(\.metAt).max() ?? 0
      let heard = rows.filter { row in
        row.paths.contains { $0.address == address && $0.heardAt > met }
      }
      guard heard.count > 1 else { return nil }
      return NetworkFacts.SharedAddress(
        host: address.hostText, names: heard.map(\.beacon.name).sorted())
    }
  }

  /// Everything known here, with what the last look at the machine has shown.
  package var networkFacts: NetworkFacts {
    var facts = NetworkFacts()
    facts.discoveryPort = setup.discoveryPort
    facts.linkPort = setup.linkPort
    facts.program = setup.program
    facts.interfaces = interfaces.map { one in
      NetworkFacts.Interface(
        name: one.name, address: one.address, kind: one.kind, isLoopback: isLoopback(one),
        sends: one.sends,
        lastError: one.lastError.map {
          NetworkFacts.Failure(name: one.lastErrorName ?? "", text: $0)
        })
    }
    facts.isLoopbackMeant = setup.keepsToInterfaces
    facts.people = roster.neighbours.map { row in
      NetworkFacts.Person(
        name: row.beacon.name, host: row.address.hostText,
        isHeard: row.hasDatagrams(at: now),
        isLinked: switchboard.link(to: row.beacon.identity) != nil, hearsMe: row.reach.isSure,
        linkFails: linkFails(to: row), clockAhead: row.clock.seconds)
    }
    facts.sharedAddresses = sharedAddresses
    facts.isKeyTwice = isKeyTwice
    facts.strangers = otherVersions.people.map {
      NetworkFacts.Stranger(name: $0.name, version: $0.version)
    }
    if let machine { facts.take(machine) }
    return facts
  }

  private func isLoopback(_ one: InterfaceView) -> Bool {
    one.kind == "loopback"
  }

  // MARK: For the page

  var networkView: PageState.NetworkView {
    let facts = networkFacts
    let findings = Diagnosis.findings(facts)
    return PageState.NetworkView(
      interfaces: interfaces, told: setup.keepsToInterfaces, discoveryPort: setup.discoveryPort,
      linkPort: setup.linkPort, address: ownAddress?.description,
      warning: findings.first { $0.severity == .trouble && $0.code != .sameKeyTwice }.map {
        TableView.Notice(code: $0.code.rawValue, message: $0.message)
      },
      looking: lookingView,
      heard: facts.people.count(where: \.isHeard), refused: counter,
      checking: isLookingAtMachine, checked: machine != nil,
      sharedAddresses: facts.sharedAddresses,
      findings: findings)
  }

  // MARK: A look at the machine

  /// The page asks for one; while one goes on another is not begun, but follows it.
  mutating func checkNetwork(id: CommandID) {
    if isLookingAtMachine { isLookOvertaken = true } else { lookAtMachine() }
    answer(id, .accepted(table: nil))
  }

  private mutating func lookAtMachine() {
    isLookingAtMachine = true
    effects.append(.lookAtMachine(wanted: wanted))
  }

  /// Looks without being asked where there is a reason: nobody is heard, or an address that a person
  /// asked for does not answer.
  mutating func advanceLook() {
    let isOnNetwork = interfaces.contains { $0.sends && !isLoopback($0) }
    let isLonely =
      name != nil && isOnNetwork && !roster.neighbours.contains { $0.hasDatagrams(at: now) }
    if !isLonely {
      lonelySince = nil
    } else if lonelySince == nil {
      lonelySince = now
      lookDueAt = now + Peer.lonely
    }
    guard let due = lookDueAt, due <= now else { return }
    lookDueAt = nil
    if !isLookingAtMachine { lookAtMachine() }
  }

  /// Addresses that a person asked for and that do not answer.
  private var wanted: [Address] {
    let failing = failedDials.filter { now < $0.at + Peer.failedPatience }.map(\.address)
    return Array(failing.reversed().prefix(Peer.wantedLimit))
  }

  mutating func machineSeen(_ seen: NetworkFacts.Machine) {
    isLookingAtMachine = false
    machine = seen
    if isLookOvertaken {
      isLookOvertaken = false
      lookAtMachine()
    }
    let isWrong = Diagnosis.findings(networkFacts).contains { $0.severity == .trouble }
    if isWrong, name != nil { lookDueAt = now + Peer.lookAgain }
    isChanged = true
  }
}

extension Reach {
  /// As far as it is known.
  fileprivate var isSure: Bool? {
    switch hearsMe {
    case .yes: true
    case .no: false
    case .unknown: nil
    }
  }
}
