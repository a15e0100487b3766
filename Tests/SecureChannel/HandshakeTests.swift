import CBOR
import Keys
import TestSupport
import Testing
import Wire

@testable import SecureChannel

@Suite struct HandshakeTests {
  private let ana: LinkIdentity
  private let bo: LinkIdentity

  init() throws {
    ana = try .test(1)
    bo = try .test(2)
  }

  @Test func bothEndsLearnTheOthersIdentity() throws {
    var dialling = Handshake(role: .initiator, local: ana)
    var accepting = Handshake(role: .responder, local: bo)
    let answer = try #require(try accepting.receive(try dialling.start()))
    #expect(accepting.isDone == false)
    let last = try #require(try dialling.receive(answer))
    #expect(dialling.isDone == true)
    #expect(try accepting.receive(last) == nil)
    let first = try dialling.finish()
    let second = try accepting.finish()
    #expect(first.identity == bo.identity)
    #expect(second.identity == ana.identity)
    #expect(first.handshakeHash == second.handshakeHash)
  }

  @Test func everyFlippedByteOfEveryMessageIsRefused() throws {
    for flippedMessage in 0..<3 {
      var position = 0
      var length = 1
      while position < length {
        var dialling = Handshake(role: .initiator, local: ana)
        var accepting = Handshake(role: .responder, local: bo)
        // A flipped byte in the first, unencrypted message is noticed with the second.
        #expect(throws: ChannelError.self) {
          var first = try dialling.start()
          if flippedMessage == 0 { (length, first[position]) = (first.count, first[position] ^ 1) }
          var second = try accepting.receive(first) ?? []
          if flippedMessage == 1 {
            (length, second[position]) = (second.count, second[position] ^ 0x80)
          }
          var third = try dialling.receive(second) ?? []
          if flippedMessage == 2 {
            (length, third[position]) = (third.count, third[position] ^ 0x80)
          }
          _ = try accepting.receive(third)
        }
        #expect(accepting.isDone == false)
        position += 1
      }
      #expect(position >= 32)
    }
  }

  @Test func aMessageCutAnywhereIsRefused() throws {
    var dialling = Handshake(role: .initiator, local: ana)
    let first = try dialling.start()
    for length in 0..<first.count {
      var accepting = Handshake(role: .responder, local: bo)
      #expect(throws: ChannelError.wrongLength(got: length, allowed: 32...32)) {
        try accepting.receive(Array(first.prefix(length)))
      }
    }
    var accepting = Handshake(role: .responder, local: bo)
    let second = try #require(try accepting.receive(first))
    for length in 0..<second.count {
      var again = Handshake(role: .initiator, local: ana)
      _ = try again.start()
      #expect(throws: ChannelError.self) { try again.receive(Array(second.prefix(length))) }
    }
    let third = try #require(try dialling.receive(second))
    #expect(throws: ChannelError.self) { try accepting.receive(third.dropLast()) }
    #expect(accepting.isDone == false)
  }

  @Test func anotherPrologueIsRefused() throws {
    var dialling = Handshake(role: .initiator, local: ana, prologue: Array("tabletalk-link/2".utf8))
    var accepting = Handshake(role: .responder, local: bo)
    let second = try #require(try accepting.receive(try dialling.start()))
    #expect(throws: ChannelError.notAuthentic) { try dialling.receive(second) }
  }

  @Test func aReplayedThirdMessageIsRefused() throws {
    var dialling = Handshake(role: .initiator, local: ana)
    let first = try dialling.start()
    var accepting = Handshake(role: .responder, local: bo)
    let second = try #require(try accepting.receive(first))
    let third = try #require(try dialling.receive(second))
    var replayed = Handshake(role: .responder, local: bo)
    _ = try replayed.receive(first)
    #expect(throws: ChannelError.notAuthentic) { try replayed.receive(third) }
    #expect(throws: ChannelError.failedBefore) { try replayed.receive(third) }
  }

  @Test func anIdentityThatDidNotSignTheLinkKeyIsRefusedOnEitherSide() throws {
    let stranger = try TestIdentity(seed: [UInt8](repeating: 9, count: 32)).link(
      secret: [UInt8](repeating: 8, count: 32))
    let liar = LinkIdentity(
      identity: ana.identity, linkKeys: stranger.linkKeys, sign: { _ in stranger.signature })
    // Ana's own proof, copied: it covers her link key, not the liar's.
    let copycat = LinkIdentity(
      identity: ana.identity, linkKeys: .random(), sign: { _ in ana.signature })
    for impostor in [liar, copycat] {
      var dialling = Handshake(role: .initiator, local: impostor)
      var accepting = Handshake(role: .responder, local: bo)
      let second = try #require(try accepting.receive(try dialling.start()))
      let third = try #require(try dialling.receive(second))
      #expect(throws: ChannelError.wrongSignature) { try accepting.receive(third) }

      var honest = Handshake(role: .initiator, local: bo)
      var lying = Handshake(role: .responder, local: impostor)
      let answer = try #require(try lying.receive(try honest.start()))
      #expect(throws: ChannelError.wrongSignature) { try honest.receive(answer) }
    }
  }

  @Test func aNodeDoesNotLinkToItself() throws {
    var dialling = Handshake(role: .initiator, local: ana)
    var accepting = Handshake(role: .responder, local: ana)
    let second = try #require(try accepting.receive(try dialling.start()))
    #expect(throws: ChannelError.ownIdentity) { try dialling.receive(second) }
  }

  @Test(arguments: [
    // Every point of low order on Curve25519 and its twin, RFC 7748 section 6.1.
    "0000000000000000000000000000000000000000000000000000000000000000",
    "0100000000000000000000000000000000000000000000000000000000000000",
    "e0eb7a7c3b41b8ae1656e3faf19fc46ada098deb9c32b1fd866205165f49b800",
    "5f9c95bca3508c24b1d0b1559c83ef5b04445cc4581c8e86d8224eddd09f1157",
    "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
    "edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
    "eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
  ])
  func aPointOfLowOrderIsRefused(hex: String) throws {
    let point = bytes(hex: hex)
    let isRefused = LinkKeyPair.random().sharedSecret(with: point) == nil
    #expect(isRefused)
    var accepting = Handshake(role: .responder, local: bo)
    #expect(throws: ChannelError.lowOrderPoint) { try accepting.receive(point) }
    var dialling = Handshake(role: .initiator, local: ana)
    _ = try dialling.start()
    let answer = point + [UInt8](repeating: 0, count: 64 + 102)
    #expect(throws: ChannelError.lowOrderPoint) { try dialling.receive(answer) }
  }

  @Test func aMessageOutOfTurnIsRefused() throws {
    var accepting = Handshake(role: .responder, local: bo)
    #expect(throws: ChannelError.outOfTurn) { try accepting.start() }
    var dialling = Handshake(role: .initiator, local: ana)
    _ = try dialling.start()
    #expect(throws: ChannelError.outOfTurn) { try dialling.start() }
    #expect(throws: ChannelError.outOfTurn) {
      _ = try Handshake(role: .responder, local: bo).finish()
    }
  }

  @Test func thePayloadIsReadStrictly() throws {
    let good = IdentityPayload(of: ana)
    #expect(try IdentityPayload(decoding: good.encoded) == good)
    #expect(good.isSigned(for: ana.linkKeys.publicKey))
    let identity = ana.identity.cbor
    let signature = ana.signature.cbor
    #expect(throws: ChannelError.wrongVersion(got: 2)) {
      try IdentityPayload(decoding: CBOR.array([2, identity, signature, "later"]).encoded)
    }
    let malformed: [[UInt8]] = [
      [], [0x80], CBOR.array([1]).encoded, good.encoded + [0],
      Array(good.encoded.dropLast()),
      CBOR.array([1, identity, signature, "more"]).encoded,
      CBOR.array([1, .bytes(Array(ana.identity.bytes.dropLast())), signature]).encoded,
      CBOR.array([1, identity, .bytes(ana.signature.bytes + [0])]).encoded,
      CBOR.array([1, "identity", signature]).encoded,
      CBOR.map([CBOR.Pair(1, identity)]).encoded,
      // Two bytes for the number 1: not deterministic.
      [0x83, 0x18, 0x01] + good.encoded.dropFirst(2),
    ]
    for payload in malformed {
      #expect(throws: ChannelError.malformedPayload) { try IdentityPayload(decoding: payload) }
    }
  }
}
