import Consensus
import Discovery
import Wire

/// People with a star: kept on the disk, and asked for where they were while they are not here.
extension Peer {
  mutating func favourite(_ person: PublicKey, on: Bool, id: CommandID) {
    if let trouble {
      refuse(id, "cannotWrite", trouble)
      return
    }
    guard on else {
      if let row = favourites[person], favourites.remove(person) { persist(row, isKept: false) }
      acceptWhenDurable(id)
      return
    }
    guard favourites[person] == nil else {
      answer(id, .accepted(table: nil))
      return
    }
    guard let row = roster[person] else {
      refuse(id, "notHere", "This person is not here any more. Try again when they are.")
      return
    }
    guard !favourites.isFull else {
      refuse(
        id, "tooManyFavourites",
        "You have \(Favourites.limit) favourites, and no more can be kept. Take the star off somebody first."
      )
      return
    }
    let favourite = Favourite(
      key: person, name: row.beacon.name, addresses: row.ownHosts)
    favourites.add(favourite, at: now)
    persist(favourite, isKept: true)
    acceptWhenDurable(id)
  }

  private mutating func persist(_ row: Favourite, isKept: Bool) {
    persist(StoredRecord(.node, key: row.rowKey, value: isKept ? row.row : nil))
  }

  /// Those that the store holds; rows that cannot be read are left as they are.
  static func favourites(in rows: StoredRows, besides me: PublicKey) -> Favourites {
    Favourites(
      rows.node.lazy.compactMap { Favourite(rowKey: $0.key, row: $0.value) }
        .filter { $0.key != me })
  }

  /// The live beacon wins over what was kept (FIELD F11): it is where somebody was last.
  mutating func noteFavourite(_ row: Neighbour) {
    let news = favourites.note(
      row.beacon.identity, name: row.beacon.name, at: row.ownHosts.first, now: now)
    if let news, trouble == nil { persist(news, isKept: true) }
  }

  mutating func writeFavourites() {
    guard trouble == nil else { return }
    for row in favourites.takeUnwritten() { persist(row, isKept: true) }
  }

  /// When somebody may be to be asked for; nil while there is nobody, or nothing to say yet.
  var favouritesDueAt: Milliseconds? {
    name == nil || lastBeacon == nil ? nil : favourites.dueAt
  }

  /// Asks those whose turn it is: the own beacon goes to each alone, and who hears it answers.
  mutating func askFavourites() {
    guard let due = favouritesDueAt, now >= due, let lastBeacon else { return }
    let here = roster
    let hosts = favourites.due(at: now, noise: noise.next()) { here[$0] == nil }
    for host in hosts {
      let address = Address(host: host, port: setup.discoveryPort)
      effects.append(.datagram(lastBeacon.datagram, to: address))
    }
  }

  /// Favourites who are not here, by name.
  var absentFavourites: [PageState.Absent] {
    let away = favourites.rows.filter { row in
      roster[row.key] == nil && !otherVersions.people.contains { $0.identity == row.key }
    }
    return away.map { row in
      let isShared =
        isShared(row.name, of: row.key)
        || away.contains { $0.key != row.key && PlayerName.looksLike($0.name, row.name) }
      return PageState.Absent(key: row.key, tag: row.key.tag, name: row.name, showTag: isShared)
    }.sorted { ($0.name, $0.key) < ($1.name, $1.key) }
  }
}

extension PageState {
  /// Somebody with a star who is not here.
  package struct Absent: Encodable, Sendable {
    let key: PublicKey
    let tag: String
    let name: String
    let showTag: Bool
  }
}

extension Neighbour {
  /// Where it was heard itself, and can be from elsewhere: the path in use, then the freshest; what
  /// others tell proves nothing.
  fileprivate var ownHosts: [IPAddress] {
    let own = paths.filter { path in
      if case .introduced = path.how { return false }
      return path.address.host.isShareable
    }
    let others = own.filter { $0.address != address }.sorted { $0.heardAt > $1.heardAt }
    return (own.filter { $0.address == address } + others).map(\.address.host)
  }
}
