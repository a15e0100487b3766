import Wire

/// Room for friends, and for those who are heard, whoever else invents how many people.
extension Roster {
  /// Where people come from, of whom one such place may invent many.
  private enum Origin: Hashable, Comparable {
    /// Others told of them: whoever did so first.
    case told(by: PublicKey)
    /// They are heard at an address.
    case heard(at: IPAddress)

    init(_ row: Neighbour) {
      self =
        row.isHeard
        ? .heard(at: row.address.host)
        : row.introducers.first.map { .told(by: $0) } ?? .heard(at: row.address.host)
    }

    init(_ arriving: Arriving) {
      if case .introduced(let key) = arriving.how {
        self = .told(by: key)
      } else {
        self = .heard(at: arriving.address.host)
      }
    }
  }

  /// Whether somebody new at an address may find no room unless it is a friend.
  package func isCrowded(at host: IPAddress) -> Bool {
    neighbours.count >= Roster.capacity || isFull(at: host, ofHeard: false)
  }

  /// Whether an address has its share; whom others only tell of takes no room from who is heard.
  private func isFull(at host: IPAddress, ofHeard: Bool) -> Bool {
    guard !host.isLoopback else { return false }
    return neighbours.count { $0.address.host == host && (!ofHeard || $0.isHeard) }
      >= Roster.capacityPerAddress
  }

  /// Says whether there is room for somebody new, and makes it in a full roster.
  ///
  /// First those go whom others only tell of, then those at the address with the most people, which
  /// has more of them than the newcomer's; of several whoever was heard longest ago. Who is only told
  /// of, and is no friend, takes nobody's place who is heard.
  mutating func makeRoom(
    for key: PublicKey, by arriving: Arriving, friends: [PublicKey]
  ) -> Bool {
    let isFriend = friends.contains(key)
    let isHeard = !arriving.isHearsay
    guard isFriend || !isFull(at: arriving.address.host, ofHeard: isHeard) else { return false }
    guard neighbours.count >= Roster.capacity else { return true }
    let strangers = neighbours.filter { !friends.contains($0.beacon.identity) }
    let told = strangers.filter { !$0.isHeard }
    if isFriend || isHeard, drop(from: told, for: nil) { return true }
    if isFriend { return drop(from: strangers, for: nil) }
    return drop(from: isHeard ? strangers : told, for: Origin(arriving))
  }

  /// Drops one of some rows, of the origin with the most of them, and says whether there was one; for
  /// a newcomer only if that origin still has no fewer than the newcomer's then.
  private mutating func drop(from rows: [Neighbour], for newcomer: Origin?) -> Bool {
    let origins = rows.map { Origin($0) }.sorted()
    var most: (origin: Origin, count: Int)?
    var run = 0
    for (index, origin) in origins.enumerated() {
      run = index > 0 && origins[index - 1] == origin ? run + 1 : 1
      if run > most?.count ?? 0 { most = (origin, run) }
    }
    guard let most else { return false }
    if let newcomer, most.count <= origins.count(where: { $0 == newcomer }) + 1 { return false }
    let oldest = rows.filter { Origin($0) == most.origin }.min { $0.heardAt < $1.heardAt }
    neighbours.removeAll { $0.beacon.identity == oldest?.beacon.identity }
    return true
  }
}
