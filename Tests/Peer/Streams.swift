import CBOR
import Discovery
import Wire

@testable import Peer

/// The ends of links that a third laptop passes on, as `LinkSet` has them: without encryption, and
/// with the name of whoever dials or answers instead of a handshake.
struct Streams {
  /// One end of a relayed link.
  struct Stream {
    let id: LinkID
    let laptop: Int
    /// The link it travels on, and who is at its other end.
    let carrier: LinkID
    let relay: PublicKey
    let peer: PublicKey
    let number: UInt64
    let isOutbound: Bool
    var isUp = false
    /// The parts of a frame that have come.
    var parts: [UInt8] = []
  }

  private(set) var all: [LinkID: Stream] = [:]
  private var last: LinkID = 1_000_000

  subscript(id: LinkID) -> Stream? {
    get { all[id] }
    set { all[id] = newValue }
  }

  /// Makes an end; its number is chosen if it is outbound.
  mutating func make(
    at laptop: Int, me: PublicKey, on carrier: LinkID, relay: PublicKey, to peer: PublicKey,
    number: UInt64? = nil
  ) -> Stream {
    last += 1
    let stream = Stream(
      id: last, laptop: laptop, carrier: carrier, relay: relay, peer: peer,
      number: number ?? 2 * last + RelayFrame.parity(of: me, towards: peer),
      isOutbound: number == nil)
    all[last] = stream
    return stream
  }

  /// The end that a frame is for.
  func end(of frame: RelayFrame, at laptop: Int, on carrier: LinkID) -> Stream? {
    all.values.first {
      $0.laptop == laptop && $0.carrier == carrier && $0.peer == frame.peer
        && $0.number == frame.number
    }
  }

  /// Takes out what travelled on a link at a laptop, or everything at it.
  mutating func forget(at laptop: Int, on carrier: LinkID? = nil) -> [Stream] {
    let gone = all.values.filter {
      $0.laptop == laptop && (carrier == nil || $0.carrier == carrier)
    }.sorted { $0.id < $1.id }
    for stream in gone { all[stream.id] = nil }
    return gone
  }

  /// A frame in parts, each led by whether more follow.
  static func parts(of frame: [UInt8]) -> [[UInt8]] {
    let size = RelayFrame.dataBytes - 1
    return stride(from: 0, to: frame.count, by: size).map { start in
      let end = min(start + size, frame.count)
      return [end < frame.count ? 1 : 0] + frame[start..<end]
    }
  }
}

extension World {
  /// Does what a node asks of links that travel on others; returns what follows at once.
  func perform(relayed effect: PeerEffect, of laptop: Int) -> [PeerEvent] {
    switch effect {
    case .dialThrough(let relay, let carrier, let peer):
      guard holds(carrier, laptop) else { return [.relayedDialFailed(peer, through: relay)] }
      let stream = streams.make(
        at: laptop, me: self[laptop].me, on: carrier, relay: relay, to: peer)
      carry(.open, on: stream)
      carry(.data(self[laptop].me.bytes), on: stream)
    case .takeCarried(let frame, let carrier): return take(frame, on: carrier, at: laptop)
    case .pass(let frame, let link, let channel):
      guard !full.contains(channel.other), !full.contains(channel.opener) else {
        return [.relayFull(channel)]
      }
      send(frame, on: link, by: laptop)
    default: break
    }
    return []
  }

  private func take(_ frame: RelayFrame, on carrier: LinkID, at laptop: Int) -> [PeerEvent] {
    let known = streams.end(of: frame, at: laptop, on: carrier)
    switch (frame.part, known) {
    case (.open, nil):
      guard let relay = self[laptop].peer?.switchboard[carrier]?.peer else { return [] }
      _ = streams.make(
        at: laptop, me: self[laptop].me, on: carrier, relay: relay, to: frame.peer,
        number: frame.number)
    case (.data(let bytes), let stream?):
      guard stream.isUp else { return comeUp(stream) }
      streams[stream.id]?.parts += bytes.dropFirst()
      guard bytes.first == 0 else { return [] }
      let whole = streams[stream.id]?.parts ?? []
      streams[stream.id]?.parts = []
      return [.frame(stream.id, whole)]
    case (.close, let stream?):
      streams[stream.id] = nil
      return ended(stream)
    case (.open, _), (.data, nil), (.close, nil): break
    }
    return []
  }

  private func comeUp(_ stream: Streams.Stream) -> [PeerEvent] {
    streams[stream.id]?.isUp = true
    if !stream.isOutbound { carry(.data(self[stream.laptop].me.bytes), on: stream) }
    let hash = Digest(.link, stream.relay.cbor, .unsigned(stream.number))
    return [
      .linkUp(
        stream.id, peer: stream.peer, handshakeHash: hash,
        remote: Address(host: .v4(0x0a00_0001), port: 9), outbound: stream.isOutbound,
        through: stream.relay)
    ]
  }

  private func ended(_ stream: Streams.Stream) -> [PeerEvent] {
    if stream.isUp { return [.linkDown(stream.id)] }
    return stream.isOutbound ? [.relayedDialFailed(stream.peer, through: stream.relay)] : []
  }

  /// Sends a frame on a relayed link.
  func send(_ frame: [UInt8], on stream: Streams.Stream) {
    for part in Streams.parts(of: frame) { carry(.data(part), on: stream) }
  }

  /// A node ends a relayed link.
  func hangUp(_ stream: Streams.Stream) {
    streams[stream.id] = nil
    carry(.close(.over), on: stream)
  }

  /// What travelled on a link that is over is over too.
  func endStreams(at laptop: Int, on carrier: LinkID) {
    for stream in streams.forget(at: laptop, on: carrier) {
      for event in ended(stream) { deliver(event, to: laptop) }
    }
  }

  private func carry(_ part: RelayFrame.Part, on stream: Streams.Stream) {
    let frame = RelayFrame(peer: stream.peer, number: stream.number, part: part)
    send(LinkMessage.carry(frame).frame, on: stream.carrier, by: stream.laptop)
  }
}
