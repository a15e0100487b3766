package import Wire

/// The channels that this node passes on between peers that do not reach each other.
///
/// It passes on between peers that both have a link of their own to it, so there are no chains. What
/// it passes on is encrypted between the two ends; it judges no more than whose it is and how much.
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

  /// Channels open at a time: of one peer, and in all.
  package static let perPeer = 8
  package static let capacity = 64

  package private(set) var channels: [Channel] = []

  /// Nothing passed on yet.
  package init() {}

  /// Takes a frame that `sender` wants passed on.
  ///
  /// `isLinked` says who has a link of his own to this node.
  package mutating func hear(
    _ frame: RelayFrame, from sender: PublicKey, isLinked: (PublicKey) -> Bool
  ) -> [Step] {
    switch frame.part {
    case .open: return open(frame, by: sender, isLinked: isLinked)
    case .data:
      guard let channel = channel(of: frame, from: sender) else {
        return [.refused("relay.noChannel")]
      }
      return [.pass(frame.passedOn(from: sender), to: frame.peer, of: channel)]
    case .close:
      guard let channel = channel(of: frame, from: sender) else {
        return [.refused("relay.noChannel")]
      }
      channels.removeAll { $0 == channel }
      return [.send(frame.passedOn(from: sender), to: frame.peer)]
    }
  }

  private mutating func open(
    _ frame: RelayFrame, by opener: PublicKey, isLinked: (PublicKey) -> Bool
  ) -> [Step] {
    let other = frame.peer
    guard other != opener, frame.isOpened(by: opener, towards: other),
      channel(of: frame, from: opener) == nil
    else { return [.refused("relay.badOpen")] }
    guard isLinked(other) else {
      return [.missing(other), Relay.close(frame, .notReached, to: opener)]
    }
    guard channels.count < Relay.capacity, count(of: opener) < Relay.perPeer,
      count(of: other) < Relay.perPeer
    else { return [.refused("relay.tooMany"), Relay.close(frame, .tooMany, to: opener)] }
    channels.append(Channel(opener: opener, other: other, number: frame.number))
    return [.send(frame.passedOn(from: opener), to: other)]
  }

  private static func close(_ frame: RelayFrame, _ why: RelayEnd, to opener: PublicKey) -> Step {
    .send(RelayFrame(peer: frame.peer, number: frame.number, part: .close(why)), to: opener)
  }

  /// Ends a channel whose receiver does not keep up, towards both ends.
  package mutating func full(_ channel: Channel) -> [Step] {
    guard let index = channels.firstIndex(of: channel) else { return [] }
    channels.remove(at: index)
    return [
      .send(channel.closing(.tooSlow, towards: channel.opener), to: channel.opener),
      .send(channel.closing(.tooSlow, towards: channel.other), to: channel.other),
    ]
  }

  /// Ends the channels of a peer whose link is over, towards their other ends.
  package mutating func lost(_ peer: PublicKey) -> [Step] {
    let gone = channels.filter { $0.end(opposite: peer) != nil }
    guard !gone.isEmpty else { return [] }
    channels.removeAll { $0.end(opposite: peer) != nil }
    return gone.compactMap { channel in
      channel.end(opposite: peer).map {
        .send(channel.closing(.notReached, towards: $0), to: $0)
      }
    }
  }

  /// Whether something is passed on from or to a peer.
  package func serves(_ peer: PublicKey) -> Bool { count(of: peer) > 0 }

  private func count(of peer: PublicKey) -> Int {
    channels.count { $0.end(opposite: peer) != nil }
  }

  private func channel(of frame: RelayFrame, from sender: PublicKey) -> Channel? {
    channels.first { $0.number == frame.number && $0.end(opposite: sender) == frame.peer }
  }
}

extension Relay.Channel {
  /// The frame that tells one end that it is over.
  fileprivate func closing(_ why: RelayEnd, towards end: PublicKey) -> RelayFrame {
    RelayFrame(peer: end == opener ? other : opener, number: number, part: .close(why))
  }
}
