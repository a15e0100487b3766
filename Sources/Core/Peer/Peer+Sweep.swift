import Consensus
import Discovery
import Wire

/// "Look harder": every address of the own subnets is asked, because the player said so.
struct LookingHarder: Sendable {
  var sweep: Sweep
  /// Who was here before it.
  let known: [PublicKey]
  /// When the page is told next how far it is.
  var tellAt: Milliseconds

  /// Pause between two states that differ in nothing but how far it is.
  static let tellPause: Milliseconds = 500
  /// How long after its end links are sought to those who answered.
  static let linkSpan: Milliseconds = 20_000
}

extension Peer {
  /// The subnets of this laptop's cables and radios; of what software made only where those have none.
  private var ownSubnets: [Subnet] {
    let cards = subnets(of: ["wired", "wifi"])
    return cards.isEmpty ? subnets(of: ["virtual"]) : cards
  }

  private func subnets(of kinds: [String]) -> [Subnet] {
    interfaces.filter { $0.sends && kinds.contains($0.kind) }.compactMap { view in
      guard let prefix = view.prefix, let own = IPAddress(view.address)?.v4 else { return nil }
      return Subnet(around: own, prefix: prefix)
    }
  }

  mutating func lookHarder(id: CommandID) {
    if let looking, looking.sweep.endedAt == nil {
      answer(id, .accepted(table: nil))
      return
    }
    if let looking, !looking.sweep.mayRepeat(at: now) {
      refuse(
        id, "lookedJustNow",
        "Everybody was asked a moment ago. Wait half a minute, then look again.")
      return
    }
    guard let sweep = Sweep(of: ownSubnets, at: now) else {
      refuse(
        id, "noSubnet",
        "This laptop is on no network whose addresses can be asked one by one. Connect it to the one your friends are on."
      )
      return
    }
    looking = LookingHarder(
      sweep: sweep, known: roster.neighbours.map(\.beacon.identity), tellAt: now)
    let list = sweep.subnets.map(\.description).joined(separator: ", ")
    log(.info, "asking each of \(sweep.count) addresses of \(list)")
    answer(id, .accepted(table: nil))
  }

  mutating func stopLooking(id: CommandID) {
    looking?.sweep.stop(at: now)
    isChanged = true
    answer(id, .accepted(table: nil))
  }

  /// Asks those whose turn it is: the own beacon goes to each alone, and who hears it answers.
  mutating func advanceSweep() {
    guard var looking, looking.sweep.endedAt == nil, let lastBeacon else { return }
    for host in looking.sweep.due(at: now) {
      let address = Address(host: .v4(host), port: setup.discoveryPort)
      effects.append(.datagram(lastBeacon.datagram, to: address))
    }
    if now >= looking.tellAt || looking.sweep.endedAt != nil {
      looking.tellAt = now + LookingHarder.tellPause
      isChanged = true
    }
    self.looking = looking
  }

  /// People who answered, to each of whom a link is sought.
  ///
  /// Where an answer gets through, a broadcast may not: without a link their next beacon would be
  /// missed, and their tables never heard of.
  var foundByLooking: [PublicKey] {
    guard let looking, now < (looking.sweep.endedAt ?? now) + LookingHarder.linkSpan else {
      return []
    }
    return roster.neighbours.filter { $0.isHeard }.map(\.beacon.identity).filter {
      !looking.known.contains($0)
    }
  }

  /// How far it is, for the page.
  var lookingView: PageState.Looking {
    let subnets = ownSubnets
    let found = roster.neighbours.filter { row in
      !(looking?.known.contains(row.beacon.identity) ?? true)
    }
    return PageState.Looking(
      subnets: (looking?.sweep.subnets ?? Sweep(of: subnets, at: now)?.subnets ?? [])
        .map(\.description),
      count: looking?.sweep.count ?? Sweep(of: subnets, at: now)?.count ?? 0,
      asked: looking?.sweep.asked, found: found.count,
      running: looking.map { $0.sweep.endedAt == nil } ?? false)
  }
}

extension PageState {
  /// "Look harder", as the Network screen shows it.
  package struct Looking: Encodable, Sendable {
    /// The subnets that are asked, or would be.
    let subnets: [String]
    /// How many addresses that are.
    let count: Int
    /// How many of them were asked; null before the first time.
    @OrNull var asked: Int?
    /// People who have come since it began.
    let found: Int
    let running: Bool
  }
}
