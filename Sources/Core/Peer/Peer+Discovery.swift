import CBOR
import Consensus
import Discovery
import Games
import Table
import Wire

/// Beacons: hearing others, being heard (PRODUCT decisions 9 and 10).
extension Peer {
  mutating func hearDatagram(_ bytes: [UInt8], from source: Address) {
    do {
      let beacon = try Beacon(datagram: bytes)
      hear(try beacon.verified(by: Ed25519()), from: source.host, datagram: source)
    } catch DecodeError.unknownKind("beacon.version") {
      do {
        hear(try ForeignBeacon(datagram: bytes), counted: "datagram")
      } catch {
        counter.count("datagram.unknownKind")
      }
    } catch let error as DecodeError {
      counter.count("datagram.\(error.code)")
    } catch {
      counter.count("datagram.badSignature")
    }
  }

  /// Takes in what is understood of a beacon of another version, so that the page can say what it
  /// needs.
  mutating func hear(_ beacon: ForeignBeacon, counted place: String) {
    guard beacon.identity != me, let verified = try? beacon.verified(by: Ed25519()) else {
      counter.count("\(place).badSignature")
      return
    }
    guard otherVersions.hear(verified, at: now) else { return }
    isChanged = true
    log(.info, "\(beacon.name) is here with version \(beacon.version) of Tabletalk's language")
  }

  /// Takes in a beacon from a datagram, or from a link (`datagram` nil).
  mutating func hear(_ verified: Verified<Beacon>, from host: IPAddress, datagram: Address?) {
    let beacon = verified.body
    let hearing = roster.hear(verified, from: host, at: now, byDatagram: datagram != nil)
    if hearing == .new, otherVersions.drop(beacon.identity) { isChanged = true }
    switch hearing {
    case .new:
      isChanged = true
      log(.info, "\(beacon.name) is here, at \(Address(host: host, port: beacon.linkPort))")
      if let datagram { answerBeacon(to: datagram, for: beacon.identity) }
    case .changed, .gone: isChanged = true
    case .replayed: counter.count("beacon.replayed")
    case .full: counter.count("beacon.rosterFull")
    case .same, .own, .duplicate: break
    }
    if roster[beacon.identity] != nil { noteTables(beacon.tables.map(\.table)) }
    // A beacon that was passed on does not tell that the address works again.
    guard datagram != nil || hasOwnLink(to: beacon.identity) else { return }
    if let row = roster[beacon.identity] { switchboard.hope(for: row.address, at: now) }
  }

  /// Remembers in what order open tables were first heard of.
  private mutating func noteTables(_ tables: [TableID]) {
    for table in tables where !heardTables.contains(table) { heardTables.append(table) }
    guard heardTables.count > Peer.heardLimit else { return }
    let known = roster.neighbours.flatMap { $0.beacon.tables.map(\.table) }
    heardTables.removeAll { !known.contains($0) }
  }

  private var openTables: [TableNotice] {
    sessions.compactMap(\.notice).suffix(Beacon.tablesPerBeacon)
  }

  private func beaconDraft(period: UInt64) -> Beacon.Draft? {
    guard let name else { return nil }
    return Beacon.Draft(
      identity: me, name: name, incarnation: setup.incarnation, sequence: beaconSequence,
      period: period, linkPort: setup.linkPort,
      atTable: sessions.contains { $0.isRunning && $0.isSatAt },
      tables: openTables, clock: min(wall / 1_000, Limits.counter), hears: 0, heard: [])
  }

  /// Sends a beacon when one is due, or when the last one is no longer true.
  mutating func announce() {
    for key in roster.expire(at: now) {
      isChanged = true
      log(.info, "no sign of \(PublicKey(raw: key.raw)) any more")
    }
    if otherVersions.expire(at: now) { isChanged = true }
    let period = BeaconSchedule.period(
      openTable: !openTables.isEmpty, neighbours: roster.neighbours.count)
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

  /// A signed beacon is for everybody, and for those at the other end of a link.
  mutating func beaconSigned(_ draft: Beacon.Draft, _ signature: Signature) {
    let beacon = Beacon(draft: draft, signature: signature)
    if let address = pendingBeaconTargets.first(where: { $0.sequence == draft.sequence })?.address {
      pendingBeaconTargets.removeAll { $0.sequence == draft.sequence }
      effects.append(.datagram(beacon.datagram, to: address))
      return
    }
    lastBeacon = beacon
    effects.append(.broadcast(beacon.datagram))
    for link in switchboard.links { send(.beacon(beacon), on: link.id) }
  }

  /// A new face gets an answer at once, to where its datagram came from.
  private mutating func answerBeacon(to address: Address, for key: PublicKey) {
    guard var draft = beaconSaid, name != nil else { return }
    guard pendingBeaconTargets.count < 32 else { return }
    beaconSequence += 1
    draft.sequence = beaconSequence
    draft.clock = min(wall / 1_000, Limits.counter)
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
