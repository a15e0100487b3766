import Wire

/// Room for friends, whoever else invents how many people.
extension Roster {
  /// Whether somebody new at an address may find no room unless it is a friend.
  package func isCrowded(at host: IPAddress) -> Bool {
    neighbours.count >= Roster.capacity || isFull(at: host)
  }

  private func isFull(at host: IPAddress) -> Bool {
    !host.isLoopback
      && neighbours.count { $0.address.host == host } >= Roster.capacityPerAddress
  }

  /// Says whether there is room for somebody new; in a full roster whoever was heard longest ago
  /// makes it, at the address with the most people, which has more of them than the newcomer's.
  mutating func makeRoom(
    for key: PublicKey, at host: IPAddress, friends: [PublicKey]
  ) -> Bool {
    let isFriend = friends.contains(key)
    guard isFriend || !isFull(at: host) else { return false }
    guard neighbours.count >= Roster.capacity else { return true }
    let others = neighbours.filter { !friends.contains($0.beacon.identity) }
    let hosts = others.map(\.address.host).sorted()
    var most: (host: IPAddress, count: Int)?
    var run = 0
    for (index, host) in hosts.enumerated() {
      run = index > 0 && hosts[index - 1] == host ? run + 1 : 1
      if run > most?.count ?? 0 { most = (host, run) }
    }
    guard let most, isFriend || most.count > hosts.count(where: { $0 == host }) + 1,
      let oldest = others.filter({ $0.address.host == most.host }).min(by: {
        $0.heardAt < $1.heardAt
      })
    else { return false }
    neighbours.removeAll { $0.beacon.identity == oldest.beacon.identity }
    return true
  }
}
