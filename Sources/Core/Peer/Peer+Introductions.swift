import Consensus
import Discovery
import Wire

/// People who do not hear each other learn of each other by one who hears both.
extension Peer {
  /// What a peer has been told of others, so that it is told again only of what is new.
  struct ToldPeer: Sendable {
    let peer: PublicKey
    /// The newest beacon of each.
    var rows: [(about: PublicKey, incarnation: UInt64, sequence: UInt64)] = []
  }

  /// How often it is looked who does not hear whom.
  private static let introductionPause: Milliseconds = 1_000
  /// People known by one introducer alone at the most, and introductions taken from one in a while.
  static let introducedLimit = 64
  private static let introductionsAtOnce = 64
  private static let introductionsSpan: Milliseconds = 2_000
  /// Links sought only because somebody is missed.
  private static let goBetweenLimit = 4
  private static let inNeedLimit = 32

  /// Looks who does not hear whom, once a second.
  mutating func advanceIntroductions() {
    guard now >= introductionsDueAt else { return }
    introductionsDueAt = now + Peer.introductionPause
    noteUnheard()
    introduce()
  }

  // MARK: Who is missed

  private mutating func noteUnheard() {
    let own = roster.heardMarks(at: now)
    let mine = KeyMark(me)
    let linked = switchboard.links.filter { $0.through == nil }.map { KeyMark($0.peer) }
    for row in roster.neighbours where row.hasDatagrams(at: now) {
      let hearer = row.beacon.identity
      for mark in row.beacon.heard
      where mark != mine && !own.contains(mark) && !linked.contains(mark) {
        unheard.note(mark, unheardBy: me, heardBy: hearer, at: now)
      }
    }
    // Those who are linked here and do not hear somebody whom I hear.
    for link in switchboard.links where link.through == nil {
      guard let row = roster[link.peer] else { continue }
      for other in roster.neighbours where other.hasDatagrams(at: now) {
        let key = other.beacon.identity
        guard key != link.peer, row.isDeaf(to: other) else { continue }
        unheard.note(KeyMark(key), unheardBy: link.peer, heardBy: me, at: now)
      }
    }
    let roster = roster
    let me = me
    let known = roster.neighbours.map { KeyMark($0.beacon.identity) }
    for link in switchboard.links where link.through == nil {
      unheard.giveUp(on: link.peer, telling: me, linkedAt: link.upAt, at: now) {
        known.contains($0)
      }
    }
    unheard.settle(at: now) { mark, who in
      if who == me { return own.contains(mark) || linked.contains(mark) }
      return roster[who]?.beacon.heard.contains(mark) ?? true
    } isHere: {
      $0 == me || roster[$0] != nil
    }
  }

  /// People to have a link with for the sake of those who do not hear each other: somebody who hears
  /// whom I do not hear, the same one whom that one chooses; and whom a linked peer does not hear.
  var goBetweens: [PublicKey] {
    var out: [PublicKey] = []
    for hearers in unheard.hearers(of: me, at: now) where out.count < Peer.goBetweenLimit {
      let able = hearers.first { key in
        hasOwnLink(to: key)
          || address(of: key).map { !switchboard.isOutOfReach($0, at: now) } ?? false
      }
      if let able, !out.contains(able) { out.append(able) }
    }
    for row in roster.neighbours where out.count < Peer.inNeedLimit {
      let key = row.beacon.identity
      guard row.hasDatagrams(at: now), !out.contains(key) else { continue }
      let isMissed = switchboard.links.contains {
        $0.through == nil && unheard.lacks($0.peer, KeyMark(key), at: now)
      }
      if isMissed { out.append(key) }
    }
    return out.filter { switchboard.link(to: $0) == nil }
  }

  // MARK: Telling

  /// Tells each linked peer of the others that are linked, where it seems not to hear them.
  private mutating func introduce() {
    let linked = switchboard.links.filter { $0.through == nil }
    told.removeAll { row in !linked.contains { $0.peer == row.peer } }
    for link in linked where !told.contains(where: { $0.peer == link.peer }) {
      told.append(ToldPeer(peer: link.peer))
    }
    for link in linked where now >= link.upAt + Peer.introductionPause {
      var list: [Introduction] = []
      for other in linked where other.peer != link.peer {
        guard list.count < LinkMessage.introductionsLimit,
          let news = news(of: other, for: link.peer)
        else { continue }
        list.append(news)
      }
      if !list.isEmpty { send(.introductions(list), on: link.id) }
    }
  }

  /// What a peer is to be told of another; notes that it is.
  private mutating func news(of other: Switchboard.Link, for peer: PublicKey) -> Introduction? {
    guard let row = roster[other.peer], let listener = roster[peer] else { return nil }
    let beacon = row.beacon
    guard let place = told.firstIndex(where: { $0.peer == peer }) else { return nil }
    let index = told[place].rows.firstIndex { $0.about == other.peer }
    // Once told, it is told on until it says that it hears.
    guard
      index == nil
        ? listener.isDeaf(to: row) : listener.beacon.tellsHearing(of: other.peer) != true
    else { return nil }
    if let index {
      let last = told[place].rows[index]
      guard (last.incarnation, last.sequence) < (beacon.incarnation, beacon.sequence) else {
        return nil
      }
      told[place].rows.remove(at: index)
    }
    told[place].rows.append((other.peer, beacon.incarnation, beacon.sequence))
    let host = other.remote.host
    return Introduction(beacon: beacon, host: host.isShareable ? host : nil)
  }

  // MARK: Being told

  /// Takes in what a linked peer tells of others, each by his own signed word.
  mutating func hear(_ list: [Introduction], from link: Switchboard.Link) {
    guard link.through == nil else { return counter.count("introduction.relayed") }
    introductions.removeAll { now >= $0.at + Peer.introductionsSpan }
    for introduction in list {
      let lately = introductions.count { $0.by == link.peer }
      guard lately < Peer.introductionsAtOnce else {
        counter.count("introduction.tooMany")
        return
      }
      introductions.append((link.peer, now))
      hear(introduction, from: link.peer)
    }
  }

  private mutating func hear(_ introduction: Introduction, from peer: PublicKey) {
    let beacon = introduction.beacon
    guard beacon.identity != me, beacon.identity != peer, !beacon.isGoodbye else {
      return counter.count("introduction.pointless")
    }
    if roster[beacon.identity] == nil {
      let known = roster.neighbours.count { $0.path?.how == .introduced(by: peer) }
      guard known < Peer.introducedLimit else { return counter.count("introduction.full") }
    }
    guard let verified = try? beacon.verified(by: Ed25519()) else {
      return counter.count("introduction.badSignature")
    }
    hear(verified, by: .introduced(by: peer, at: introduction.address))
  }
}
