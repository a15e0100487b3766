import CBOR
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

  @Test func `is bounded for each peer and in all`() {
    var relay = Relay()
    for number in 0..<20 as Range<UInt64> {
      _ = relay.hear(frame(.open, to: 1, number: number * 2), from: keys[0], isLinked: everybody)
    }
    #expect(relay.channels.count == Relay.perPeer)
    #expect(
      relay.hear(frame(.open, to: 1), from: keys[2], isLinked: everybody).first
        == .refused("relay.badOpen"))
    // Nor can anybody else open one to a peer that has as many as may be.
    let late = relay.hear(frame(.open, to: 2, number: 0), from: keys[1], isLinked: everybody)
    #expect(
      late == [
        .refused("relay.tooMany"), .send(frame(.close(.tooMany), to: 2), to: keys[1]),
      ])
    for one in 2..<69 {
      for number in 0..<8 as Range<UInt64> {
        _ = relay.hear(
          frame(.open, to: one + 1, number: number * 2), from: keys[one], isLinked: everybody)
      }
    }
    #expect(relay.channels.count == Relay.capacity)
    // One that goes makes room.
    _ = relay.lost(keys[0])
    #expect(relay.channels.count == Relay.capacity - Relay.perPeer)
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
