package import Wire

/// Links, and time, change what is known of people.
extension Roster {
  /// Ends a row because its node said goodbye; a later beacon begins another.
  package mutating func saidGoodbye(_ key: PublicKey) {
    neighbours.removeAll { $0.beacon.identity == key }
  }

  /// Prolongs a row because its node was heard on a link, at an address where it takes links; nil
  /// for the one in use.
  ///
  /// Returns whether the row is to be shown otherwise.
  @discardableResult
  package mutating func heardOnLink(
    _ key: PublicKey, at now: UInt64, path: Address? = nil, through: PublicKey? = nil
  ) -> Bool {
    guard let index = index(of: key) else { return false }
    let old = neighbours[index]
    let address = path ?? old.address
    let how = through.map { Path.How.introduced(by: $0) } ?? .link
    neighbours[index].heard(how, at: address, interface: nil, sequence: 0, now: now)
    return !neighbours[index].looksLike(old)
  }

  /// A link to somebody is up, by the path to an address that this node has dialled or not.
  ///
  /// Returns whether the row is to be shown otherwise.
  package mutating func linked(
    _ key: PublicKey, path: Address, isDialled: Bool, through: PublicKey?, at now: UInt64
  ) -> Bool {
    let isChanged = heardOnLink(key, at: now, path: path, through: through)
    guard through == nil, let index = index(of: key) else { return isChanged }
    let old = neighbours[index]
    neighbours[index].linked(at: path, isDialled: isDialled, now: now)
    return isChanged || !neighbours[index].looksLike(old)
  }

  /// A link to somebody broke without a word: a sign of life has to come soon, by another path if
  /// there is one.
  package mutating func linkBroke(_ key: PublicKey, path: Address?, at now: UInt64) {
    guard let index = index(of: key) else { return }
    if let path { neighbours[index].failed(at: path, now: now) }
    neighbours[index].doubt(at: now)
  }

  /// A dial came to nothing: whoever it was for is tried by the next path.
  ///
  /// Returns whether somebody's path in use is another now.
  package mutating func dialFailed(_ address: Address, at now: UInt64) -> Bool {
    fail(address, but: nil, at: now)
  }

  /// A dial led to somebody: who else was thought to be there is not.
  ///
  /// Returns whether somebody's path in use is another now.
  package mutating func reached(
    _ key: PublicKey, at address: Address, now: UInt64
  ) -> Bool {
    fail(address, but: key, at: now)
  }

  private mutating func fail(_ address: Address, but key: PublicKey?, at now: UInt64) -> Bool {
    var isChanged = false
    for index in neighbours.indices where neighbours[index].beacon.identity != key {
      let used = neighbours[index].address
      neighbours[index].failed(at: address, now: now)
      if neighbours[index].address != used { isChanged = true }
    }
    return isChanged
  }

  /// Whether some link broke whose other end has not been heard since.
  package var hasDoubts: Bool { neighbours.contains(where: \.isDoubted) }

  /// Drops paths and rows that have been silent too long; returns the keys of the latter, and
  /// whether anything else is to be shown otherwise.
  package mutating func expire(at now: UInt64) -> (gone: [PublicKey], isChanged: Bool) {
    guard let next = nextExpiry, next <= now else { return ([], false) }
    let gone = neighbours.filter { $0.expiresAt <= now }.map(\.beacon.identity)
    neighbours.removeAll { $0.expiresAt <= now }
    var isChanged = false
    for index in neighbours.indices {
      let old = neighbours[index]
      neighbours[index].settle(at: now)
      if !neighbours[index].looksLike(old) { isChanged = true }
    }
    return (gone, isChanged)
  }

  /// When the next row or path expires.
  package var nextExpiry: UInt64? { neighbours.map(\.nextExpiry).min() }

  /// Time in which this laptop stood still is not silence of the others.
  package mutating func stoodStill(for span: UInt64) {
    for index in neighbours.indices { neighbours[index].stoodStill(for: span) }
  }

  /// This laptop is on another network: who heard it before may not hear it now.
  package mutating func moved(settled: UInt64) {
    for index in neighbours.indices { neighbours[index].reach.forget(settled: settled) }
  }

  /// The own clock was set: what was measured by it before is worth nothing.
  package mutating func clockWasSet() {
    for index in neighbours.indices { neighbours[index].clock = ClockGap() }
  }

  // MARK: What own beacons say, and to whom they go

  /// The marks of all whose datagrams are heard now, ascending, none twice.
  package func heardMarks(at now: UInt64) -> [KeyMark] {
    var out: [KeyMark] = []
    for row in neighbours where row.hasDatagrams(at: now) {
      let mark = KeyMark(row.beacon.identity)
      if out.last != mark { out.append(mark) }
    }
    return out
  }

  /// The interfaces on which somebody's datagrams come by IPv6, and by IPv4 nowhere, each once.
  package func zonesWithoutIPv4(at now: UInt64) -> [String] {
    var out: [String] = []
    for row in neighbours {
      let hosts = row.paths.filter { $0.hasDatagrams(at: now, span: row.span) }.map(\.address.host)
      if hosts.contains(where: \.isV4) { continue }
      for host in hosts where !host.zone.isEmpty && !out.contains(host.zone) {
        out.append(host.zone)
      }
    }
    return out
  }

  /// Where own beacons, sent every `period` milliseconds, go besides the broadcast: to those who
  /// seem not to hear that, and to those who are heard only alone; those named first come first.
  package func unicasts(at now: UInt64, period: UInt64, first: [PublicKey] = []) -> [Address] {
    let rows = neighbours.filter {
      $0.reach.needsUnicast || $0.isHeardAlone(at: now, period: period)
    }
    let known = rows.filter { first.contains($0.beacon.identity) }
    let others = rows.filter { !first.contains($0.beacon.identity) }
    return Array((known + others).lazy.compactMap(\.source).prefix(Roster.mostUnicasts))
  }
}
