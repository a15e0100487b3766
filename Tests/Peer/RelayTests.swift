import CBOR
import Consensus
import Discovery
import Testing
import Wire

@testable import Peer

/// The rules of passing on, without a network.
@Suite struct `Passing on` {
  private let keys = (0..<70 as Range<UInt64>).map {
    PublicKey(raw: Digest(.state, .unsigned($0)).raw)
  }.sorted()

  /// A frame about a channel that the first key opened to the second.
  private func frame(_ part: RelayFrame.Part, to peer: Int, number: UInt64 = 0) -> RelayFrame {
    RelayFrame(peer: keys[peer], number: number, part: part)
  }

  private func everybody(_ peer: PublicKey) -> Bool { true }

  @Test func `begins when both are linked, carries both ways and ends at both ends`() {
    var relay = Relay()
    #expect(
      relay.hear(frame(.open, to: 1), from: keys[0], isLinked: everybody)
        == [.send(frame(.open, to: 0), to: keys[1])])
    let channel = Relay.Channel(opener: keys[0], other: keys[1], number: 0)
    #expect(relay.channels == [channel])
    #expect(
      relay.hear(frame(.data([1]), to: 1), from: keys[0], isLinked: everybody)
        == [.pass(frame(.data([1]), to: 0), to: keys[1], of: channel)])
    #expect(
      relay.hear(frame(.data([2]), to: 0), from: keys[1], isLinked: everybody)
        == [.pass(frame(.data([2]), to: 1), to: keys[0], of: channel)])
    #expect(
      relay.hear(frame(.close(.over), to: 0), from: keys[1], isLinked: everybody)
        == [.send(frame(.close(.over), to: 1), to: keys[0])])
    #expect(relay.channels.isEmpty)
    #expect(
      relay.hear(frame(.data([1]), to: 1), from: keys[0], isLinked: everybody)
        == [.refused("relay.noChannel")])
  }

  @Test func `needs a link to the other, and asks for one`() {
    var relay = Relay()
    #expect(
      relay.hear(frame(.open, to: 1), from: keys[0]) { _ in false }
        == [.missing(keys[1]), .send(frame(.close(.notReached), to: 1), to: keys[0])])
    #expect(relay.channels.isEmpty)
  }

  @Test func `refuses what no honest end sends`() {
    var relay = Relay()
    let refused: [Relay.Step] = [.refused("relay.badOpen")]
    // To oneself, with the other end's number, and twice.
    #expect(relay.hear(frame(.open, to: 0), from: keys[0], isLinked: everybody) == refused)
    #expect(
      relay.hear(frame(.open, to: 1, number: 1), from: keys[0], isLinked: everybody) == refused)
    #expect(relay.hear(frame(.open, to: 0), from: keys[1], isLinked: everybody) == refused)
    _ = relay.hear(frame(.open, to: 1), from: keys[0], isLinked: everybody)
    #expect(relay.hear(frame(.open, to: 1), from: keys[0], isLinked: everybody) == refused)
    #expect(relay.channels.count == 1)
    // A third party has no part in it.
    for part in [RelayFrame.Part.data([1]), .close(.over)] {
      #expect(
        relay.hear(frame(part, to: 1), from: keys[2], isLinked: everybody)
          == [.refused("relay.noChannel")])
      #expect(
        relay.hear(frame(part, to: 0), from: keys[2], isLinked: everybody)
          == [.refused("relay.noChannel")])
    }
    #expect(relay.channels.count == 1)
  }

  /// Opens a channel; says whether it stood, and what was ended for it.
  private func opened(
    _ relay: inout Relay, by opener: Int, from host: UInt32? = nil, to other: Int,
    _ number: UInt64 = 0, at now: Milliseconds = 0
  ) -> (stands: Bool, ended: [Relay.Channel]) {
    let before = relay.channels
    let parity = RelayFrame.parity(of: keys[opener], towards: keys[other])
    let sender = Relay.Sender(keys[opener], at: .v4(host ?? UInt32(0x0a00_0000 + opener)))
    _ = relay.hear(
      frame(.open, to: other, number: 2 * number + parity), from: sender, at: now,
      isLinked: everybody)
    let after = relay.channels
    return (after.contains { !before.contains($0) }, before.filter { !after.contains($0) })
  }

  @Test func `is bounded for each opener, each address and in all`() {
    var relay = Relay()
    for number in 0..<UInt64(Relay.perOpener) {
      #expect(opened(&relay, by: 0, to: 1, number).stands)
    }
    #expect(!opened(&relay, by: 0, to: 2).stands)
    #expect(
      relay.hear(frame(.open, to: 2, number: 20), from: keys[0], isLinked: everybody) == [
        .refused("relay.tooMany"),
        .send(RelayFrame(peer: keys[2], number: 20, part: .close(.tooMany)), to: keys[0]),
      ])
    // Many keys at one address are no more than one person's laptops.
    for other in 3..<12 { _ = opened(&relay, by: 2, from: 7, to: other) }
    for opener in 12..<40 { _ = opened(&relay, by: opener, from: 7, to: 2) }
    #expect(relay.channels.count == Relay.perOpener + Relay.perAddress)
    for opener in 40..<69 { _ = opened(&relay, by: opener, to: 69) }
    #expect(relay.channels.count == Relay.capacity)
  }

  @Test func `counts channels for who opens them, not for whom they lead to`() {
    var relay = Relay()
    for opener in 1..<30 { #expect(opened(&relay, by: opener, to: 0).stands) }
    #expect(opened(&relay, by: 0, to: 40).stands)
  }

  @Test func `whoever has too many loses the one that is silent for longest`() {
    var relay = Relay()
    for number in 0..<UInt64(Relay.perOpener) {
      _ = opened(&relay, by: 0, to: 1, number, at: 100 + number)
    }
    // The first speaks again, so the second is the one.
    _ = relay.hear(frame(.data([1]), to: 1), from: keys[0], at: 500, isLinked: everybody)
    #expect(!opened(&relay, by: 0, to: 2, at: 101 + Relay.quiet - 1).stands)
    let late = opened(&relay, by: 0, to: 2, at: 101 + Relay.quiet)
    #expect(late.stands && late.ended.map(\.number) == [2])
  }

  @Test func `a full relay takes a place from the address with the most`() {
    var relay = Relay()
    for opener in 0..<24 { _ = opened(&relay, by: opener, from: 7, to: 69, at: 1) }
    for opener in 24..<64 { _ = opened(&relay, by: opener, to: 69) }
    #expect(relay.channels.count == Relay.capacity)
    let late = opened(&relay, by: 64, to: 69, at: 5)
    #expect(late.stands && late.ended.map(\.opener) == [keys[0]])
    // And from the one that is silent, wherever that is.
    for opener in 1..<24 {
      let number = RelayFrame.parity(of: keys[opener], towards: keys[69])
      _ = relay.hear(
        frame(.data([1]), to: 69, number: number),
        from: Relay.Sender(keys[opener], at: .v4(7)), at: 5_000, isLinked: everybody)
    }
    let later = opened(&relay, by: 65, to: 69, at: Relay.quiet)
    #expect(later.stands && later.ended.map(\.opener) == [keys[24]])
  }

  @Test func `a channel that nobody uses ends`() {
    var relay = Relay()
    #expect(relay.nextExpiry == nil)
    _ = opened(&relay, by: 0, to: 1, at: 10)
    _ = opened(&relay, by: 2, to: 3, at: 10)
    // Either end keeps it.
    _ = relay.hear(frame(.data([1]), to: 0), from: keys[1], at: 50, isLinked: everybody)
    #expect(relay.nextExpiry == 10 + Relay.silence)
    #expect(relay.expire(at: 9 + Relay.silence) == [])
    #expect(
      relay.expire(at: 10 + Relay.silence) == [
        .send(frame(.close(.over), to: 3), to: keys[2]),
        .send(frame(.close(.over), to: 2), to: keys[3]),
      ])
    relay.stoodStill(for: 5)
    #expect(relay.expire(at: 54 + Relay.silence) == [])
    #expect(relay.expire(at: 55 + Relay.silence).count == 2 && relay.channels.isEmpty)
  }

  @Test func `who floods a peer through it loses the channel, and the others lose nothing`() {
    var relay = Relay()
    _ = opened(&relay, by: 0, to: 1)
    _ = opened(&relay, by: 2, to: 1)
    _ = opened(&relay, by: 3, to: 1)
    var ended: Milliseconds?
    for now in 0..<20_000 as Range<Milliseconds> where ended == nil {
      // Two strangers send a short frame a millisecond each, and a game goes on beside it.
      for stranger in 2...3 {
        let piece = frame(.data([1]), to: 1, number: 1)
        _ = relay.hear(piece, from: keys[stranger], at: now) { _ in true }
      }
      if now % 100 == 0 {
        let steps = relay.hear(frame(.data([2]), to: 1), from: keys[0], at: now) { _ in true }
        #expect(steps.last == .pass(frame(.data([2]), to: 0), to: keys[1], of: relay.channels[0]))
      }
      if relay.channels.count < 3 { ended = now }
    }
    #expect(ended != nil && relay.channels.map(\.opener).contains(keys[0]))
    // What a lone one may send by its own budget is never too much.
    var calm = Relay()
    _ = opened(&calm, by: 0, to: 1)
    let full = [UInt8](repeating: 1, count: RelayFrame.dataBytes)
    for now in 0..<20_000 as Range<Milliseconds> where now % 17 == 0 {
      _ = calm.hear(frame(.data(full), to: 1), from: keys[0], at: now) { _ in true }
    }
    #expect(calm.channels.count == 1)
  }

  @Test func `ends with the link of either end, and for who does not keep up`() {
    var relay = Relay()
    _ = relay.hear(frame(.open, to: 1), from: keys[0], isLinked: everybody)
    _ = relay.hear(frame(.open, to: 2), from: keys[1], isLinked: everybody)
    #expect(
      relay.lost(keys[1]) == [
        .send(frame(.close(.notReached), to: 1), to: keys[0]),
        .send(frame(.close(.notReached), to: 1), to: keys[2]),
      ])
    #expect(relay.lost(keys[1]) == [])
    _ = relay.hear(frame(.open, to: 1), from: keys[0], isLinked: everybody)
    let channel = Relay.Channel(opener: keys[0], other: keys[1], number: 0)
    #expect(
      relay.full(channel) == [
        .send(frame(.close(.tooSlow), to: 1), to: keys[0]),
        .send(frame(.close(.tooSlow), to: 0), to: keys[1]),
      ])
    #expect(relay.full(channel) == [] && relay.channels.isEmpty)
  }

  @Test func `frames are read as they were written, and nothing else is`() throws {
    for part in [
      RelayFrame.Part.open, .data([1]), .data([UInt8](repeating: 7, count: RelayFrame.dataBytes)),
      .close(.over), .close(.notReached), .close(.tooMany), .close(.tooSlow),
    ] {
      let frame = RelayFrame(peer: keys[1], number: 1 << 40, part: part)
      for message in [LinkMessage.carry(frame), .carried(frame)] {
        #expect(try LinkMessage(frame: message.frame) == message)
      }
    }
    let key = keys[1].cbor
    for fields in [
      [key, 0], [key, 0, .bytes([])], [key, 0, 4], [key, 0, .text("x")], [key, 0, .null, .null],
      [key, .unsigned(1 << 48 + 1), .null], [.bytes([1]), 0, .null],
      [key, 0, .bytes([UInt8](repeating: 7, count: RelayFrame.dataBytes + 1))],
    ] as [[CBOR]] {
      #expect(throws: DecodeError.self) {
        try LinkMessage(frame: CBOR.array([12] + fields).encoded)
      }
    }
  }
}

extension Relay {
  /// From somebody with a place of his own, at the beginning of time.
  fileprivate mutating func hear(
    _ frame: RelayFrame, from peer: PublicKey, at now: Milliseconds = 0,
    isLinked: (PublicKey) -> Bool
  ) -> [Step] {
    hear(frame, from: Sender(peer, at: place(of: peer)), at: now, isLinked: isLinked)
  }

  private func place(of peer: PublicKey) -> IPAddress {
    IPAddress.v4(peer.bytes.prefix(4).reduce(0) { $0 << 8 | UInt32($1) })
  }
}
