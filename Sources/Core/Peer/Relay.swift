package import Consensus
package import Discovery
package import Wire

/// The channels that this node passes on between peers that do not reach each other.
///
/// It passes on between peers that both have a link of their own to it, so there are no chains. What
/// it passes on is encrypted between the two ends; it judges no more than whose it is and how much.
/// Who opens a channel answers for it: his are counted, not those that others open to him.
package struct Relay: Sendable {
  /// A channel by its ends and number.
  package struct Channel: Hashable, Sendable {
    package let opener: PublicKey
    package let other: PublicKey
    package let number: UInt64

    /// The end that is not `peer`; nil if `peer` is at neither.
    package func end(opposite peer: PublicKey) -> PublicKey? {
      peer == opener ? other : peer == other ? opener : nil
    }
  }

  /// Who sends a frame: his key, and where his link comes from.
  package struct Sender: Hashable, Sendable {
    let peer: PublicKey
    let host: IPAddress

    /// Pairs the two.
    package init(_ peer: PublicKey, at host: IPAddress) {
      self.peer = peer
      self.host = host
    }
  }

  /// What is to be done, in order.
  package enum Step: Hashable, Sendable {
    /// Send a frame to a peer.
    case send(RelayFrame, to: PublicKey)
    /// Send it if the peer keeps up; if not, `full` is to be told.
    case pass(RelayFrame, to: PublicKey, of: Channel)
    /// A peer asked for somebody to whom there is no link.
    case missing(PublicKey)
    /// Something was refused, for this reason.
    case refused(String)
  }

  /// Channels open at a time: by one peer, by all peers at one address, and in all.
  ///
  /// A table has 16 members: one whom nobody reaches opens a channel to each of the others.
  package static let perOpener = 16
  package static let perAddress = 24
  package static let capacity = 64
  /// A channel that nothing comes by for so long is over: its ends ping each other every 5 s, and
  /// give a link up after 15 s.
  package static let silence: Milliseconds = 20_000
  /// One that has been silent for so long makes room for another.
  package static let quiet: Milliseconds = 7_000

  private struct Row: Sendable {
    let channel: Channel
    let host: IPAddress
    var heardAt: Milliseconds
    var flow = Flow(perMillisecond: Relay.calmPerMillisecond)
  }

  private var rows: [Row] = []
  /// What was passed on to each peer lately.
  private var flows: [(peer: PublicKey, flow: Flow)] = []

  /// Nothing passed on yet.
  package init() {}

  package var channels: [Channel] { rows.map(\.channel) }

  /// Takes a frame that `sender` wants passed on.
  ///
  /// `isLinked` says who has a link of his own to this node.
  package mutating func hear(
    _ frame: RelayFrame, from sender: Sender, at now: Milliseconds,
    isLinked: (PublicKey) -> Bool
  ) -> [Step] {
    if case .open = frame.part { return open(frame, by: sender, at: now, isLinked: isLinked) }
    guard let index = index(of: frame, from: sender.peer) else {
      return [.refused("relay.noChannel")]
    }
    rows[index].heardAt = now
    let channel = rows[index].channel
    let onward = frame.passedOn(from: sender.peer)
    guard case .data(let bytes) = frame.part else {
      rows.remove(at: index)
      return [.send(onward, to: frame.peer)]
    }
    let ended = charge(bytes.count + Relay.frameCost, at: index, to: frame.peer, at: now)
    guard rows.contains(where: { $0.channel == channel }) else { return ended }
    return ended + [.pass(onward, to: frame.peer, of: channel)]
  }

  // MARK: Opening

  private mutating func open(
    _ frame: RelayFrame, by opener: Sender, at now: Milliseconds, isLinked: (PublicKey) -> Bool
  ) -> [Step] {
    let other = frame.peer
    guard other != opener.peer, frame.isOpened(by: opener.peer, towards: other),
      index(of: frame, from: opener.peer) == nil
    else { return [.refused("relay.badOpen")] }
    guard isLinked(other) else {
      return [.missing(other), Relay.close(frame, .notReached, to: opener.peer)]
    }
    guard let ended = makeRoom(for: opener, at: now) else {
      return [.refused("relay.tooMany"), Relay.close(frame, .tooMany, to: opener.peer)]
    }
    let channel = Channel(opener: opener.peer, other: other, number: frame.number)
    rows.append(Row(channel: channel, host: opener.host, heardAt: now))
    return ended + [.send(frame.passedOn(from: opener.peer), to: other)]
  }

  /// Ends a channel where one more would be too many; nil where none may be ended.
  ///
  /// That is the one that has been silent for longest: of the opener's own, of those from his address,
  /// of all. A full relay takes it, silent or not, from the address that opened the most, if that
  /// has two more than the opener's.
  private mutating func makeRoom(for opener: Sender, at now: Milliseconds) -> [Step]? {
    let own = rows.filter { $0.channel.opener == opener.peer }
    let near = rows.filter { $0.host == opener.host }
    if own.count >= Relay.perOpener { return endTheQuietest(of: own, silentAt: now) }
    if near.count >= Relay.perAddress { return endTheQuietest(of: near, silentAt: now) }
    guard rows.count >= Relay.capacity else { return [] }
    if let ended = endTheQuietest(of: rows, silentAt: now) { return ended }
    let shares = rows.map { row in (row.host, rows.count { $0.host == row.host }) }
    guard let most = shares.max(by: { $0.1 < $1.1 }), most.1 > near.count + 1 else { return nil }
    return endTheQuietest(of: rows.filter { $0.host == most.0 }, silentAt: nil)
  }

  /// Ends the one that has been silent for longest, the first opened of several; nil where none has
  /// been for long enough at a time.
  private mutating func endTheQuietest(of some: [Row], silentAt now: Milliseconds?) -> [Step]? {
    guard let row = some.min(by: { $0.heardAt < $1.heardAt }) else { return nil }
    if let now, now < row.heardAt + Relay.quiet { return nil }
    return end(row.channel, .tooMany)
  }

  private static func close(_ frame: RelayFrame, _ why: RelayEnd, to opener: PublicKey) -> Step {
    .send(RelayFrame(peer: frame.peer, number: frame.number, part: .close(why)), to: opener)
  }

  // MARK: Ends

  /// Ends a channel whose receiver does not keep up, towards both ends.
  package mutating func full(_ channel: Channel) -> [Step] { end(channel, .tooSlow) }

  /// Ends the channels that have been silent for too long, towards both ends.
  package mutating func expire(at now: Milliseconds) -> [Step] {
    let silent = rows.filter { now >= $0.heardAt + Relay.silence }
    return silent.flatMap { end($0.channel, .over) }
  }

  /// When the next channel will have been silent for too long.
  package var nextExpiry: Milliseconds? { rows.map(\.heardAt).min().map { $0 + Relay.silence } }

  /// Time in which this laptop stood still is not silence of the others.
  package mutating func stoodStill(for span: Milliseconds) {
    for index in rows.indices { rows[index].heardAt += span }
  }

  private mutating func end(_ channel: Channel, _ why: RelayEnd) -> [Step] {
    guard let index = rows.firstIndex(where: { $0.channel == channel }) else { return [] }
    rows.remove(at: index)
    return [
      .send(channel.closing(why, towards: channel.opener), to: channel.opener),
      .send(channel.closing(why, towards: channel.other), to: channel.other),
    ]
  }

  /// Ends the channels of a peer whose link is over, towards their other ends.
  package mutating func lost(_ peer: PublicKey) -> [Step] {
    let gone = channels.filter { $0.end(opposite: peer) != nil }
    flows.removeAll { $0.peer == peer }
    rows.removeAll { $0.channel.end(opposite: peer) != nil }
    return gone.compactMap { channel in
      channel.end(opposite: peer).map {
        .send(channel.closing(.notReached, towards: $0), to: $0)
      }
    }
  }

  /// Whether something is passed on from or to a peer.
  package func serves(_ peer: PublicKey) -> Bool {
    rows.contains { $0.channel.end(opposite: peer) != nil }
  }

  private func index(of frame: RelayFrame, from sender: PublicKey) -> Int? {
    rows.firstIndex {
      $0.channel.number == frame.number && $0.channel.end(opposite: sender) == frame.peer
    }
  }
}

// MARK: How much

extension Relay {
  /// What a frame counts for besides its bytes, as at its receiver's.
  package static let frameCost = 4_096
  /// What is passed on to one peer at most: at once, and in a millisecond for long.
  ///
  /// Half of what a node takes in from one address in this way, so that none of it is too much there.
  package static let burstBytes = 16 << 20
  package static let bytesPerMillisecond = (4 << 20) / 1_000
  /// A channel that has not passed on more than this lately, beyond 64 short frames a second, is not
  /// ended for what others send.
  package static let calmBytes = 256 << 10
  package static let calmPerMillisecond = (256 << 10) / 1_000

  /// What has flowed lately; so much of it is forgotten in a millisecond.
  struct Flow: Sendable {
    let perMillisecond: Int
    private var level = 0
    private var countedAt: Milliseconds = 0

    init(perMillisecond: Int) { self.perMillisecond = perMillisecond }

    func level(at now: Milliseconds) -> Int {
      let passed = Int(clamping: now - min(now, countedAt))
      return max(0, level - min(passed, level / perMillisecond + 1) * perMillisecond)
    }

    mutating func add(_ count: Int, at now: Milliseconds) {
      level = level(at: now) + count
      countedAt = now
    }
  }

  /// Counts what is passed on to a peer; ends the busiest of the channels to him where it is too much.
  private mutating func charge(
    _ count: Int, at index: Int, to peer: PublicKey, at now: Milliseconds
  ) -> [Step] {
    rows[index].flow.add(count, at: now)
    let place = flows.firstIndex { $0.peer == peer } ?? flows.count
    if place == flows.count {
      flows.append((peer, Flow(perMillisecond: Relay.bytesPerMillisecond)))
    }
    flows[place].flow.add(count, at: now)
    guard flows[place].flow.level(at: now) > Relay.burstBytes else { return [] }
    let busiest = rows.filter { $0.channel.end(opposite: peer) != nil }
      .max { $0.flow.level(at: now) < $1.flow.level(at: now) }
    guard let busiest, busiest.flow.level(at: now) > Relay.calmBytes else { return [] }
    return [.refused("relay.tooMuch")] + end(busiest.channel, .tooSlow)
  }
}

extension Relay.Channel {
  /// The frame that tells one end that it is over.
  fileprivate func closing(_ why: RelayEnd, towards end: PublicKey) -> RelayFrame {
    RelayFrame(peer: end == opener ? other : opener, number: number, part: .close(why))
  }
}
