import CBOR
import Consensus
import Discovery
import Games
import Table
import Wire

/// Beacons: hearing others, being heard (PRODUCT decisions 9 and 10).
extension Peer {
  mutating func hearDatagram(
    _ bytes: [UInt8], from source: Address, on interface: String?, isAlone: Bool
  ) {
    guard !bytes.starts(with: SelfTest.magic) else { return }
    do {
      let unchecked = try Beacon(datagram: bytes)
      guard mayCheck(source.host) else { return }
      let beacon = try unchecked.verified(by: Ed25519())
      hear(
        beacon,
        by: .datagram(
          from: source, linkPort: beacon.body.linkPort, on: interface, isAlone: isAlone))
    } catch DecodeError.unknownKind("beacon.version") {
      guard let beacon = try? ForeignBeacon(datagram: bytes) else {
        return counter.count("datagram.unknownKind")
      }
      guard mayCheck(source.host) else { return }
      guard hear(beacon, from: source.host) else {
        return counter.count("datagram.unknownKind")
      }
    } catch let error as DecodeError {
      counter.count("datagram.\(error.code)")
    } catch {
      counter.count("datagram.badSignature")
    }
  }

  /// Whether the signature of one more beacon from an address is worth the work; counts it.
  private mutating func mayCheck(_ host: IPAddress) -> Bool {
    let judgement = sourceBudget.judge(host, at: now)
    if judgement == .ignoreAndSay {
      log(.info, "more beacons come than anybody needs, and some are ignored: from \(host)")
    }
    if judgement != .check { counter.count("datagram.tooMany") }
    return judgement == .check
  }

  /// Takes in what is understood of a beacon of another version, so that the page can say what it
  /// needs; returns false if it is not signed.
  mutating func hear(_ beacon: ForeignBeacon, from host: IPAddress) -> Bool {
    guard let verified = try? beacon.verified(by: Ed25519()) else { return false }
    guard beacon.identity != me, otherVersions.hear(verified, from: host, at: now) else {
      return true
    }
    isChanged = true
    log(.info, "somebody is here with another version: \(beacon.name), \(beacon.version)")
    return true
  }

  /// Takes in a beacon that came as a datagram, over a link, or from somebody who tells of others.
  mutating func hear(_ verified: Verified<Beacon>, by arriving: Arriving) {
    let beacon = verified.body
    let before = roster[beacon.identity]
    let told = Told(
      settled: ownBeacons.settled(at: now), isSent: sends(on: arriving.interface), wall: wall)
    let hearing = roster.hear(
      verified, by: arriving, told: told,
      friends: roster.isCrowded(at: arriving.address.host) ? friends : [], at: now)
    switch hearing {
    case .new:
      isChanged = true
      if otherVersions.drop(beacon.identity) { isChanged = true }
      // What differs from person to person stands behind the colon: the log counts by kind.
      log(.info, "somebody is here: \(beacon.name), at \(arriving.address)")
      if let source = arriving.source { answerBeacon(to: source, for: beacon.identity) }
    case .changed, .gone: isChanged = true
    case .replayed: counter.count("beacon.replayed")
    case .full: counter.count("beacon.rosterFull")
    case .own: hearOwn(beacon)
    case .same, .duplicate: break
    }
    guard let row = roster[beacon.identity] else { return }
    if beacon.calls.contains(KeyMark(me)), hearing != .replayed { called(by: beacon.identity) }
    noteTables(row.beacon.tables.map(\.table))
    noteFavourite(row)
    hope(for: arriving, from: beacon.identity, before: before)
    guard let before, !row.looksLike(before) else { return }
    isChanged = true
    noteChange(of: row, since: before)
  }

  /// Something has just been heard from an address that was dialled in vain, perhaps.
  ///
  /// A beacon that was passed on does not tell that the address works again. Whoever is reached through somebody and heard all the same is dialled without hurry: what is
  /// heard then has not helped so far.
  private mutating func hope(for arriving: Arriving, from key: PublicKey, before: Neighbour?) {
    guard !arriving.isHearsay else { return }
    let isRelayed = switchboard.link(to: key).map { $0.through != nil } ?? false
    guard !isRelayed || before?.hasDatagrams(at: now) != true else { return }
    switchboard.hope(for: arriving.address, at: now)
  }

  private mutating func noteChange(of row: Neighbour, since before: Neighbour) {
    let name = row.beacon.name
    if row.address != before.address {
      log(.info, "somebody is reached elsewhere now: \(name), at \(row.address)")
    }
    if row.reach.hearsMe == .no, before.reach.hearsMe != .no,
      let sentence = Reach.sentence(deaf: [name])
    {
      log(.info, sentence)
    }
    if row.isTwice, !before.isTwice {
      log(.info, "two laptops speak with one key, a copied folder: that of \(name)")
    }
  }

  /// Whether own beacons go out where somebody is heard; where that is not known, anywhere.
  private func sends(on interface: String?) -> Bool {
    let known = interfaces.filter { interface == nil || $0.name == interface }
    return (known.isEmpty ? interfaces : known).contains { $0.sends && $0.lastError == nil }
  }

  /// The own beacon, or that of another node with the own key.
  private mutating func hearOwn(_ beacon: Beacon) {
    guard sameKey.hear(beacon, at: now) else { return }
    isChanged = isChanged || !isKeyTwice
    if !isKeyTwice { log(.warning, SameKey.sentence(program: setup.program)) }
    isKeyTwice = true
  }

  /// Whom a crowd of strangers must not keep out: those at my tables, those reached before, favourites.
  private var friends: [PublicKey] {
    sessions.flatMap(\.members) + addresses.map(\.identity) + favourites.rows.map(\.key)
  }

  /// Remembers in what order open tables were first heard of.
  private mutating func noteTables(_ tables: [TableID]) {
    for table in tables where !heardTables.contains(table) { heardTables.append(table) }
    guard heardTables.count > Peer.heardLimit else { return }
    let known = roster.neighbours.flatMap { $0.beacon.tables.map(\.table) }
    heardTables.removeAll { !known.contains($0) }
  }

  /// Time alone ends rows, paths and notices.
  mutating func expireNeighbours() {
    let (gone, isOtherwise) = roster.expire(at: now)
    if isOtherwise || otherVersions.expire(at: now) { isChanged = true }
    for key in gone {
      isChanged = true
      log(.info, "no sign of somebody any more: \(PublicKey(raw: key.raw))")
    }
    if isKeyTwice, !sameKey.isTwice(at: now) {
      isKeyTwice = false
      isChanged = true
      log(.info, "no sign any more of another Tabletalk with the own key")
    }
  }
}

// MARK: Being heard

extension Peer {
  private var openTables: [TableNotice] {
    sessions.indices.compactMap { sessions[$0].notice }.suffix(Beacon.tablesPerBeacon)
  }

  private var clock: UInt64 { min(wall / 1_000, Limits.counter) }

  private func beaconDraft(period: UInt64) -> Beacon.Draft? {
    guard let name else { return nil }
    return Beacon.Draft(
      identity: me, name: name, incarnation: setup.incarnation, sequence: beaconSequence,
      period: period, linkPort: setup.linkPort,
      atTable: sessions.indices.contains { sessions[$0].isRunning && sessions[$0].isSatAt },
      tables: openTables, clock: clock, hears: 0, heard: [], calls: callMarks)
  }

  /// Sends a beacon when one is due, or when the last one is no longer true.
  mutating func announce() {
    let period = BeaconSchedule.period(
      openTable: openTables.contains { !$0.isPlaying }, neighbours: roster.neighbours.count)
    guard let draft = beaconDraft(period: period) else { return }
    if let beaconSaid, now < beaconDueAt, draft.saysTheSame(as: beaconSaid) { return }
    sendBeacon(draft)
    beaconDueAt = now + BeaconSchedule.varied(period, by: noise.next())
  }

  private mutating func sendBeacon(_ draft: Beacon.Draft) {
    beaconSequence += 1
    var draft = draft
    draft.sequence = beaconSequence
    let marks = roster.heardMarks(at: now)
    draft.hears = marks.count
    draft.heard = heardRound.next(of: marks)
    beaconSaid = draft
    effects.append(.sign(.beacon(draft), bytes: draft.signedBytes, with: [me]))
  }

  /// A signed beacon is for everybody, for those alone who seem not to hear what is for everybody,
  /// and for those at the other end of a link.
  mutating func beaconSigned(_ draft: Beacon.Draft, _ signature: Signature) {
    let beacon = Beacon(draft: draft, signature: signature)
    sameKey.sent(beacon)
    if let address = pendingBeaconTargets.first(where: { $0.sequence == draft.sequence })?.address {
      pendingBeaconTargets.removeAll { $0.sequence == draft.sequence }
      effects.append(.datagram(beacon.datagram, to: address))
      return
    }
    lastBeacon = beacon
    ownBeacons.sent(at: now)
    effects.append(.broadcast(beacon.datagram, alsoIPv6On: roster.zonesWithoutIPv4(at: now)))
    let unicasts = roster.unicasts(
      at: now, period: draft.period, first: favourites.rows.map(\.key))
    for address in unicasts { effects.append(.datagram(beacon.datagram, to: address)) }
    for link in switchboard.links { send(.beacon(beacon), on: link.id) }
  }

  /// A new face gets an answer at once, to where its datagram came from.
  private mutating func answerBeacon(to address: Address, for key: PublicKey) {
    guard var draft = beaconSaid, name != nil else { return }
    guard pendingBeaconTargets.count < 32 else { return }
    beaconSequence += 1
    draft.sequence = beaconSequence
    draft.clock = clock
    let marks = roster.heardMarks(at: now)
    draft.hears = marks.count
    draft.heard = HeardRound.stretch(of: marks, with: key)
    pendingBeaconTargets.append((draft.sequence, address))
    effects.append(.sign(.beacon(draft), bytes: draft.signedBytes, with: [me]))
  }

  mutating func sayGoodbye() {
    guard let draft = beaconDraft(period: 0) else { return }
    sendBeacon(draft)
  }
}
