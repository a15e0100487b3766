import CSodium
import Keys
import TestSupport
import Testing
import Wire

@testable import SecureChannel

@Suite struct NoiseVectorTests {
  @Test func thePublishedVectorComesOutByteForByte() throws {
    let vector = try NoiseVectors.load().published
    let prologue = bytes(hex: vector.initPrologue)
    var initiator = NoiseXX(
      role: .initiator, prologue: prologue,
      localStatic: linkKeys(bytes(hex: vector.initStatic)),
      ephemeral: linkKeys(bytes(hex: vector.initEphemeral)))
    var responder = NoiseXX(
      role: .responder, prologue: prologue,
      localStatic: linkKeys(bytes(hex: vector.respStatic)),
      ephemeral: linkKeys(bytes(hex: vector.respEphemeral)))

    for (number, message) in vector.messages.prefix(3).enumerated() {
      let payload = bytes(hex: message.payload)
      let expected = bytes(hex: message.ciphertext)
      if number == 1 {
        #expect(try responder.write(payload: payload) == expected)
        #expect(try initiator.read(expected) == payload)
      } else {
        #expect(try initiator.write(payload: payload) == expected)
        #expect(try responder.read(expected) == payload)
      }
    }
    #expect(initiator.handshakeHash == bytes(hex: vector.handshakeHash))
    #expect(responder.handshakeHash == initiator.handshakeHash)

    var sent = try initiator.split()
    var received = try responder.split()
    // The fourth message is the first of the transport; the responder writes it.
    for (number, message) in vector.messages.dropFirst(3).enumerated() {
      let payload = bytes(hex: message.payload)
      let expected = bytes(hex: message.ciphertext)
      var sealed: [UInt8] = []
      let opened: [UInt8]
      if number.isMultiple(of: 2) {
        try sent.fromResponder.encrypt(payload[...], authenticating: [], appendingTo: &sealed)
        opened = try received.fromResponder.decrypt(expected[...], authenticating: [])
      } else {
        try sent.fromInitiator.encrypt(payload[...], authenticating: [], appendingTo: &sealed)
        opened = try received.fromInitiator.decrypt(expected[...], authenticating: [])
      }
      #expect(sealed == expected)
      #expect(opened == payload)
    }
  }

  @Test func aLinkComesOutAsASecondImplementationMakesIt() throws {
    let vector = try NoiseVectors.load().link
    #expect(Handshake.prologue == bytes(hex: vector.prologue))
    let initiatorIdentity = try TestIdentity(seed: bytes(hex: vector.initiatorIdentity))
    let responderIdentity = try TestIdentity(seed: bytes(hex: vector.responderIdentity))
    var initiator = Handshake(
      role: .initiator,
      local: try initiatorIdentity.link(secret: bytes(hex: vector.initiatorStatic)),
      prologue: Handshake.prologue,
      ephemeral: linkKeys(bytes(hex: vector.initiatorEphemeral)))
    var responder = Handshake(
      role: .responder,
      local: try responderIdentity.link(secret: bytes(hex: vector.responderStatic)),
      prologue: Handshake.prologue,
      ephemeral: linkKeys(bytes(hex: vector.responderEphemeral)))

    let messages = vector.messages.map { bytes(hex: $0.message) }
    #expect(try initiator.start() == messages[0])
    #expect(try responder.receive(messages[0]) == messages[1])
    #expect(try initiator.receive(messages[1]) == messages[2])
    #expect(try responder.receive(messages[2]) == nil)

    var first = try initiator.finish()
    var second = try responder.finish()
    #expect(first.identity == responderIdentity.publicKey)
    #expect(second.identity == initiatorIdentity.publicKey)
    #expect(first.handshakeHash == bytes(hex: vector.handshakeHash))
    #expect(second.handshakeHash == first.handshakeHash)

    for frame in vector.frames {
      let content = (0..<frame.length).map { UInt8($0 % 251) }
      let wire: [UInt8]
      if frame.from == "initiator" {
        wire = try first.transport.seal(content)
      } else {
        wire = try second.transport.seal(content)
      }
      var digest = [UInt8](repeating: 0, count: 32)
      _ = crypto_generichash(&digest, 32, wire, UInt64(wire.count), nil, 0)
      #expect(digest == (bytes(hex: frame.wireHash)))
      if let hex = frame.wire { #expect(wire == (bytes(hex: hex))) }
      var opened: [UInt8]?
      for record in try records(in: wire) {
        opened =
          frame.from == "initiator"
          ? try second.transport.open(record) : try first.transport.open(record)
      }
      #expect(opened == content)
    }
  }
}
