import Keys
import Peer
import SecureChannel
import Sockets
import Testing
import Wire

@testable import Shell

@Suite struct RelayedLinkTests {
  @Test func framesOfAnySizeComeAndGoThroughAThird() async throws {
    let three = try await RelayedPair()
    let id = try await three.link().ana
    guard
      case .up(_, let identity, let hash, _, let isOutbound, let through)? = three.cy.seen.last(
        where: {
          if case .up = $0 { true } else { false }
        })
    else {
      Issue.record("no link")
      return
    }
    #expect(identity == three.ana.identity.publicKey && !isOutbound)
    // Noise runs between the two ends, so both know the link by one hash.
    #expect(three.ana.ups.last?.handshakeHash == hash)
    #expect(through == three.between.identity.publicKey)

    let sent: [[UInt8]] = [1, 100, 32_768, 65_515, 65_516, 1 << 20].map { length in
      (0..<length).map { UInt8(truncatingIfNeeded: $0 &* 13) }
    }
    for frame in sent { try three.ana.on { _ = $0.send(frame, on: id) } }
    await until("all come back in order") { own(three.ana, id).count == sent.count }
    #expect(own(three.ana, id) == sent)
    #expect(three.ana.downs.isEmpty && three.cy.downs.isEmpty && three.between.downs.isEmpty)
  }

  @Test func theThirdSeesNothingOfWhatIsSaid() async throws {
    let three = try await RelayedPair()
    let id = try await three.link().ana
    let secret = Array("circle back to the low-hanging fruit".utf8)
    try three.ana.on { _ = $0.send(secret, on: id) }
    await until("it came back") { own(three.ana, id) == [secret] }
    let stream = three.passedOn.flatMap { frame -> [UInt8] in
      if case .data(let bytes) = frame.1.part { bytes } else { [] }
    }
    #expect(stream.count > 2 * secret.count)
    #expect(!contains(stream, secret) && !contains(stream, three.ana.identity.publicKey.bytes))
  }

  @Test(arguments: [0, 1, 40, 100, 230, 300])
  func aByteTheThirdChangesEndsTheLink(position: Int) async throws {
    let three = try await RelayedPair()
    let dialler = three.ana.identity.publicKey
    let cy = three.cy.identity.publicKey
    var seen = 0
    three.change { frame in
      // Only what Ana sends: the far end it names is Cy.
      guard frame.peer == cy, case .data(var bytes) = frame.part else { return frame }
      let offset = position - seen
      seen += bytes.count
      guard bytes.indices.contains(offset) else { return frame }
      bytes[offset] ^= 1
      return RelayFrame(peer: frame.peer, number: frame.number, part: .data(bytes))
    }
    let id = try three.dial()
    await until("up, or over") {
      three.ana.ups.count == 2 || three.ana.relayedFailures.count == 1
    }
    for _ in 0..<10 { try three.ana.on { _ = $0.send([UInt8](repeating: 4, count: 100), on: id) } }
    await until("over at both ends") { three.ana.count == 1 && three.cy.count == 1 }
    #expect(three.cy.frames.allSatisfy { $0 != [4] } && three.channels.isEmpty)
    #expect(three.between.downs.isEmpty, "the links to the one between stay")
    #expect(dialler != cy)
  }

  @Test func theThirdCannotAnswerInTheOthersPlace() async throws {
    // The one between answers by itself, as a responder with its own identity.
    let ana = TestNode()
    let liar = TestNode()
    let other = Identity.random().publicKey
    var handshake = Handshake(
      role: .responder,
      local: LinkIdentity(
        identity: liar.identity.publicKey, linkKeys: liar.identity.linkKeys,
        sign: liar.identity.sign))
    var reader = RecordReader()
    ana.onEvent { set, event in
      if case .frame(let id, let bytes) = event,
        case .carried(let frame) = try? LinkMessage(frame: bytes)
      {
        set.take(frame, on: id)
      }
    }
    liar.onEvent { set, event in
      guard case .frame(let id, let bytes) = event,
        case .carry(let frame) = try? LinkMessage(frame: bytes),
        case .data(let part) = frame.part
      else { return }
      reader.append(part)
      guard
        let message = try? reader.next(allowed: handshake.incomingLengths),
        let answer = try? handshake.receive(message)
      else { return }
      let reply = RelayFrame(
        peer: frame.peer, number: frame.number, part: .data(RecordReader.framed(answer)))
      set.send(LinkMessage.carried(reply).frame, on: id)
    }
    let below = try ana.dial(try liar.listen())
    await until("up") { ana.ups.count == 1 }
    let id = try ana.on { $0.dial(other, through: below) }
    await until("refused") { ana.relayedFailures == [.wrongPeer] }
    #expect(id != nil && ana.ups.count == 1 && ana.downs.isEmpty)
  }

  @Test func whoIsNotReachedIsSaidAtOnce() async throws {
    let three = try await RelayedPair()
    let nobody = Identity.random().publicKey
    _ = try three.ana.on { $0.dial(nobody, through: three.anaBelow) }
    await until("told") { three.ana.relayedFailures == [.relay(.notReached)] }
    #expect(three.channels.isEmpty)
  }

  @Test func theRelaysEndIsTheEndOfWhatItPassedOn() async throws {
    let three = try await RelayedPair()
    _ = try await three.link()
    try three.between.on { $0.closeAll(reason: "the laptop is closed") }
    await until("all is over") { three.ana.count == 0 && three.cy.count == 0 }
    #expect(three.ana.downs.contains(.carrierEnded) && three.cy.downs.contains(.carrierEnded))
    #expect(three.ana.downs.count == 2 && three.cy.downs.count == 2)
  }

  @Test func theFarEndsDeathIsToldByTheRelay() async throws {
    let three = try await RelayedPair()
    _ = try await three.link()
    try three.cy.on { $0.close(three.cyBelow, reason: "asleep") }
    await until("told") { three.ana.downs == [.relay(.notReached)] }
    #expect(three.ana.count == 1 && three.channels.isEmpty)
  }

  @Test func aRelayedLinkIsClosedAfterWhatWasSent() async throws {
    let three = try await RelayedPair(echoes: false)
    let (id, far) = try await three.link()
    try three.ana.on { set in
      _ = set.send([UInt8](repeating: 1, count: 100_000), on: id)
      _ = set.send([9], on: id)
      set.close(id, reason: "the table is over")
      #expect(set.send([1], on: id) == .notUp)
    }
    await until("both know") { three.ana.downs.count == 1 && three.cy.downs.count == 1 }
    #expect(three.cy.downs == [.relay(.over)])
    #expect(own(three.cy, far).map(\.count) == [100_000, 1])
    #expect(three.channels.isEmpty)
  }

  @Test func whoDoesNotKeepUpLosesTheChannelAndNotTheRelay() async throws {
    // Cy reads next to nothing from the one between.
    var deaf = LinkLimits()
    deaf.burstBytes = 20_000
    deaf.bytesPerSecond = 1
    var tight = LinkLimits()
    tight.relayedBytes = 256 << 10
    let three = try await RelayedPair(cyLimits: deaf, betweenLimits: tight, echoes: false)
    let id = try await three.link().ana
    let frame = [UInt8](repeating: 1, count: 32 << 10)
    await until("given up") {
      try? three.ana.on { _ = $0.send(frame, on: id) }
      return !three.ana.downs.isEmpty
    }
    #expect(three.ana.downs == [.relay(.tooSlow)])
    #expect(three.between.downs.isEmpty && three.channels.isEmpty)
    // The link to the one between still works.
    try three.ana.on { _ = $0.send([7], on: three.anaBelow) }
    await until("heard") { three.between.frames.last == [7] }
  }

  @Test func aRelayedPeerBeyondItsBudgetWaitsAndLosesNothing() async throws {
    var limits = LinkLimits()
    // All channels together have four times that, which is enough.
    limits.burstBytes = 150_000
    limits.bytesPerSecond = 1_000_000
    let three = try await RelayedPair(cyLimits: limits, echoes: false)
    let (id, far) = try await three.link()
    let clock = ContinuousClock()
    let start = clock.now
    let frame = [UInt8](repeating: 1, count: 50_000)
    for _ in 0..<10 { try three.ana.on { _ = $0.send(frame, on: id) } }
    await until("all arrive") { own(three.cy, far).count == 10 }
    #expect(clock.now - start >= .seconds(Double(500_000 - 150_000 - 65_536) / 1_000_000))
    #expect(three.cy.downs.isEmpty && three.ana.downs.isEmpty)
  }

  @Test func onlySoManyUnfinishedHandshakesByOneRelay() async throws {
    var limits = LinkLimits()
    limits.halfOpenPerRelay = 2
    let three = try await RelayedPair(cyLimits: limits)
    let peers = (0..<6).map { _ in Identity.random().publicKey }
    for peer in peers {
      let parity = RelayFrame.parity(of: peer, towards: three.cy.identity.publicKey)
      try three.forge(RelayFrame(peer: peer, number: 100 + parity, part: .open), to: three.cy)
    }
    let last = try #require(peers.last)
    await until("the oldest made room") {
      three.passedOn.count { $0.1.part == .close(.tooMany) } == 4
    }
    #expect(three.cy.count == 3)
    #expect(!three.passedOn.contains { $0.1.peer == last })
    // An honest handshake takes a moment: silent ones do not keep it out.
    _ = try await three.link()
  }

  @Test func hostileFramesOpenNothing() async throws {
    let three = try await RelayedPair()
    let (_, far) = try await three.link()
    let cy = three.cy.identity.publicKey
    let ana = three.ana.identity.publicKey
    let wrong = 1 - RelayFrame.parity(of: ana, towards: cy)
    for frame in [
      RelayFrame(peer: cy, number: 0, part: .open), RelayFrame(peer: cy, number: 1, part: .open),
      RelayFrame(peer: ana, number: 1_000 + wrong, part: .open),
      RelayFrame(peer: ana, number: 2_000, part: .data([1, 2, 3])),
      RelayFrame(peer: ana, number: 2_000, part: .close(.over)),
    ] {
      try three.forge(frame, to: three.cy)
    }
    // What is sent after them is taken after them.
    try three.forge(RelayFrame(peer: ana, number: 4_000 + 1 - wrong, part: .open), to: three.cy)
    await until("the last one is taken") { three.cy.count == 3 }
    #expect(three.cy.downs.isEmpty)
    try three.cy.on { #expect($0.send([1], on: far) != .notUp) }
  }

  @Test func aRelayedLinkCarriesNoOther() async throws {
    let three = try await RelayedPair()
    let id = try await three.link().ana
    let other = Identity.random().publicKey
    try three.ana.on { #expect($0.dial(other, through: id) == nil) }
  }

  private func own(_ node: TestNode, _ id: Shell.LinkID) -> [[UInt8]] {
    node.seen.compactMap { if case .frame(id, let frame) = $0 { frame } else { nil } }
  }

  private func contains(_ bytes: [UInt8], _ part: [UInt8]) -> Bool {
    guard bytes.count >= part.count else { return false }
    return (0...bytes.count - part.count).contains {
      bytes[$0..<$0 + part.count].elementsEqual(part)
    }
  }
}

extension TestNode {
  /// Why dials through others came to nothing.
  var relayedFailures: [LinkEnd] {
    seen.compactMap { if case .relayedDialFailed(_, _, _, let end) = $0 { end } else { nil } }
  }
}
