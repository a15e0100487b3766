import Discovery
import Foundation
import Keys
import SecureChannel
import Sockets
import Testing
import Wire

@testable import Shell

@Suite struct LinkSetTests {
  @Test func twoNodesMeetAndExchangeFramesOfAnySize() async throws {
    let ana = TestNode()
    let bo = TestNode(echoes: true)
    let id = try ana.dial(try bo.listen())
    await until("both are up") { ana.ups.count == 1 && bo.ups.count == 1 }
    #expect(ana.ups[0].id == id)
    #expect(ana.ups[0].identity == bo.identity.publicKey && ana.ups[0].isOutbound)
    #expect(bo.ups[0].identity == ana.identity.publicKey && !bo.ups[0].isOutbound)
    #expect(bo.ups[0].handshakeHash == ana.ups[0].handshakeHash)

    let sent: [[UInt8]] = [1, 100, 65_515, 65_516, Transport.Limits.frameBytes].map { length in
      (0..<length).map { UInt8(truncatingIfNeeded: $0 &* 13) }
    }
    for frame in sent {
      let result = try ana.on { $0.send(frame, on: id) }
      guard case .queued = result else {
        Issue.record("\(result)")
        continue
      }
    }
    await until("all come back in order") { ana.frames.count == sent.count }
    #expect(bo.frames == sent)
    #expect(ana.frames == sent)
    #expect(ana.downs.isEmpty && bo.downs.isEmpty)
  }

  @Test func aFrameThatCannotBeSentLeavesTheLinkUp() async throws {
    let ana = TestNode()
    let bo = TestNode()
    let endpoint = try bo.listen()
    let id = try ana.on { set in
      let id = set.dial(endpoint)
      #expect(set.send([1], on: id) == .notUp)
      return id
    }
    await until("up") { ana.ups.count == 1 }
    let limit = Transport.Limits.frameBytes
    let tooLong = [UInt8](repeating: 0, count: limit + 1)
    #expect(
      try ana.on { $0.send(tooLong, on: id) }
        == .refused(.frameTooLong(length: limit + 1, limit: limit)))
    #expect(try ana.on { $0.send([], on: id) } == .refused(.frameEmpty))
    try ana.on { _ = $0.send([7], on: id) }
    await until("the next arrives") { bo.frames == [[7]] }
  }

  @Test(arguments: [
    Array("GET / HTTP/1.1\r\n\r\n".utf8), [0, 0], [0, 31], [0, 33], [255, 255, 1],
    [0, 32] + [UInt8](repeating: 0, count: 32),
    [0, 32] + [UInt8](repeating: 9, count: 32) + [0, 0],
  ])
  func garbageIsShutOutAndNobodyHearsOfIt(bytes: [UInt8]) async throws {
    let bo = TestNode()
    let peer = try RawPeer(to: try bo.listen())
    peer.send(bytes)
    await until("shut out") { peer.isShutOut && bo.count == 0 }
    #expect(bo.seen.isEmpty)
    #expect(bo.lines.count == 1)
  }

  @Test func aHandshakeThatDripsIsCutOffInTime() async throws {
    var limits = LinkLimits()
    limits.handshakeSeconds = 0.2
    let bo = TestNode(limits: limits)
    let peer = try RawPeer(to: try bo.listen())
    peer.send([0])
    var dripped = 0
    await until("shut out although it goes on") {
      dripped += 1
      if dripped.isMultiple(of: 20) { peer.send([32]) }
      return peer.isShutOut
    }
    await until("forgotten") { bo.count == 0 }
    #expect(bo.lines.contains { $0.contains("handshakeTimedOut") || $0.contains("wrongLength") })
  }

  @Test func aSilentListenerIsGivenUpByTheDialler() async throws {
    var limits = LinkLimits()
    limits.handshakeSeconds = 0.2
    let ana = TestNode(limits: limits)
    // Bound to a queue nobody reads from: it accepts and says nothing.
    let proxy = FlippingProxy(to: Address(host: .loopback, port: 9), flipAt: -1)
    _ = try ana.dial(try proxy.listen())
    await until("given up") { ana.failures.count == 1 }
    #expect(ana.ups.isEmpty)
  }

  /// Lengths of what the dialling side sends: message 1, message 3, then records.
  private static let firstMessage = 2 + 32
  private static let thirdMessage = 2 + 48 + 102 + 16

  @Test(arguments: [
    0, 1, 2, 17, 33, 34, 35, 36, 60, 84, 100, 150, 200, 201, 202, 203, 204, 210, 224, 225, 226,
  ])
  func aByteFlippedOnTheWayNeverArrives(position: Int) async throws {
    let ana = TestNode()
    let bo = TestNode()
    let proxy = FlippingProxy(to: try bo.listen(), flipAt: position)
    let id = try ana.dial(try proxy.listen())
    // Two records of 3 bytes; then enough that a wrong length is not waited out.
    await until("up, or over") { !ana.ups.isEmpty || !ana.failures.isEmpty }
    for _ in 0..<2 { try ana.on { _ = $0.send([1, 2, 3], on: id) } }
    for _ in 0..<10 { try ana.on { _ = $0.send([UInt8](repeating: 4, count: 100), on: id) } }
    await until("over on both sides") { ana.count == 0 && bo.count == 0 }

    let handshake = Self.firstMessage + Self.thirdMessage
    if position < handshake {
      #expect(bo.ups.isEmpty)
      #expect(bo.frames.isEmpty)
    } else {
      #expect(bo.frames == (position < handshake + 25 ? [] : [[1, 2, 3]]))
      #expect(bo.downs == [.channel(.notAuthentic)])
    }
  }

  @Test func aPeerThatStopsReadingIsClosedWithTheReason() async throws {
    var deaf = LinkLimits()
    deaf.burstBytes = 1
    deaf.bytesPerSecond = 1
    var tight = LinkLimits()
    tight.outgoingBytes = 512 << 10
    let ana = TestNode(limits: tight)
    let bo = TestNode(limits: deaf)
    let id = try ana.dial(try bo.listen())
    await until("up") { ana.ups.count == 1 && bo.ups.count == 1 }
    let frame = [UInt8](repeating: 1, count: 64 << 10)
    await until("given up") {
      try? ana.on { _ = $0.send(frame, on: id) }
      return !ana.downs.isEmpty
    }
    #expect(ana.downs == [.tooSlow])
    #expect(ana.count == 0)
    #expect(bo.lines.contains { $0.contains("faster than it may") })
  }

  @Test func aPeerBeyondItsBudgetIsReadMoreSlowlyAndLosesNothing() async throws {
    var limits = LinkLimits()
    limits.burstBytes = 100_000
    limits.bytesPerSecond = 1_000_000
    let ana = TestNode()
    let bo = TestNode(limits: limits)
    let id = try ana.dial(try bo.listen())
    await until("up") { ana.ups.count == 1 && bo.ups.count == 1 }
    let clock = ContinuousClock()
    let start = clock.now
    let frame = [UInt8](repeating: 1, count: 50_000)
    for _ in 0..<10 { try ana.on { _ = $0.send(frame, on: id) } }
    await until("all arrive") { bo.frames.count == 10 }
    // 500,000 bytes less the burst and the last chunk of 64 KiB, which is let in on credit.
    #expect(clock.now - start >= .seconds(Double(500_000 - 100_000 - 65_536) / 1_000_000))
    #expect(bo.frames.allSatisfy { $0 == frame })
    #expect(bo.downs.isEmpty)
  }

  @Test func whatWaitedForADebtArrivesAlthoughNothingFollows() async throws {
    var limits = LinkLimits()
    limits.burstBytes = 100
    limits.bytesPerSecond = 10_000
    // A debt is paid by the next time that anybody asks, however soon that is.
    var start = ContinuousClock.now
    let bo = TestNode(
      limits: limits,
      time: {
        start += .seconds(60)
        return start
      })
    let ana = TestNode()
    let id = try ana.dial(try bo.listen())
    await until("up") { ana.ups.count == 1 && bo.ups.count == 1 }
    // Beyond the burst, and in one piece, so that nothing comes after it.
    let frame = [UInt8](repeating: 1, count: 500)
    try ana.on { _ = $0.send(frame, on: id) }
    await until("it arrives") { bo.frames == [frame] }
    #expect(bo.lines.contains { $0.contains("faster than it may") })
    try ana.on { _ = $0.send([7], on: id) }
    await until("the next arrives") { bo.frames == [frame, [7]] }
  }

  @Test func oneLinksManyFramesLeaveTheOthersTheirTurn() async throws {
    var limits = LinkLimits()
    limits.burstBytes = 1 << 30
    limits.framesPerTurn = 4
    let bo = TestNode(limits: limits)
    let endpoint = try bo.listen()
    let flood = TestNode()
    let friend = TestNode()
    let ids = try [flood, friend].map { try $0.dial(endpoint) }
    await until("up") { bo.ups.count == 2 && flood.ups.count == 1 && friend.ups.count == 1 }
    // All of it waits at Bo before Bo may do anything.
    try bo.on { _ in
      try flood.on { set in for _ in 0..<2_000 { _ = set.send([1], on: ids[0]) } }
      try friend.on { _ = $0.send([2], on: ids[1]) }
      Thread.sleep(forTimeInterval: 0.3)
    }
    await until("all arrive") { bo.frames.count == 2_001 }
    #expect((bo.frames.firstIndex(of: [2]) ?? .max) < 100)
  }

  @Test func framesThatAreBegunAndNotFinishedAreBounded() async throws {
    var limits = LinkLimits()
    limits.unfinishedBytesPerAddress = 256 << 10
    let ana = TestNode()
    let bo = TestNode(limits: limits)
    let id = try ana.dial(try bo.listen())
    await until("up") { ana.ups.count == 1 && bo.ups.count == 1 }
    // A long one that ends is no trouble, however often it comes.
    let frame = [UInt8](repeating: 1, count: 200_000)
    for _ in 0..<5 { try ana.on { _ = $0.send(frame, on: id) } }
    await until("they arrive") { bo.frames.count == 5 }
    try ana.on { _ = $0.send([UInt8](repeating: 1, count: 1 << 20), on: id) }
    await until("closed") { bo.downs == [.unfinished] }
    #expect(bo.count == 0)
  }

  @Test func manyShortFramesAreReadMoreSlowlyToo() async throws {
    var limits = LinkLimits()
    limits.burstBytes = 100_000
    limits.bytesPerSecond = 1_000_000
    limits.frameCost = 1_000
    let ana = TestNode()
    let bo = TestNode(limits: limits)
    let id = try ana.dial(try bo.listen())
    await until("up") { ana.ups.count == 1 && bo.ups.count == 1 }
    let clock = ContinuousClock()
    let start = clock.now
    // What arrives together is let in on credit, so a few at a time.
    for count in 1...60 {
      try ana.on { set in for _ in 0..<10 { _ = set.send([1], on: id) } }
      await until("they arrive") { bo.frames.count == count * 10 }
    }
    #expect(clock.now - start >= .milliseconds(400))
    #expect(bo.downs.isEmpty)
  }

  @Test func manyIdentitiesAtOneAddressShareItsBudget() async throws {
    var limits = LinkLimits()
    limits.burstBytes = 1_000_000
    limits.bytesPerSecond = 4_000_000
    limits.budgetsPerAddress = 1
    let bo = TestNode(limits: limits)
    let endpoint = try bo.listen()
    let others = (0..<4).map { _ in TestNode() }
    let ids = try others.map { try $0.dial(endpoint) }
    await until("up") { bo.ups.count == 4 && others.allSatisfy { $0.ups.count == 1 } }
    let clock = ContinuousClock()
    let start = clock.now
    let frame = [UInt8](repeating: 1, count: 100_000)
    for _ in 0..<9 {
      for (other, id) in zip(others, ids) { try other.on { _ = $0.send(frame, on: id) } }
    }
    await until("all arrive") { bo.frames.count == 36 }
    // None is beyond its own budget. Of 3,600,000 bytes a burst is free, and a chunk a link is let
    // in on credit.
    let waited = 3_600_000 - 1_000_000 - 4 * 65_536
    #expect(clock.now - start >= .seconds(Double(waited) / 4_000_000))
    #expect(bo.downs.isEmpty)
  }

  @Test func oneAddressHoldsOnlySoManyUnfinishedHandshakes() async throws {
    var limits = LinkLimits()
    limits.halfOpenPerAddress = 3
    // None of them runs out of time while this test looks.
    limits.handshakeSeconds = 60
    let bo = TestNode(limits: limits)
    let endpoint = try bo.listen()
    let peers = try (0..<7).map { _ in try RawPeer(to: endpoint) }
    await until("four are shut out") { peers.count(where: \.isShutOut) == 4 }
    #expect(bo.count == 3)
    #expect(bo.lines.count == 1)

    // The oldest have made room, and so does the next for an honest node at the same address.
    for peer in peers.prefix(4) { #expect(peer.isShutOut) }
    let ana = TestNode()
    _ = try ana.dial(endpoint)
    await until("up") { bo.ups.count == 1 && ana.ups.count == 1 }
    #expect(bo.count == 3)
    #expect(bo.lines.count == 1)
  }

  @Test func thereAreOnlySoManyLinks() async throws {
    var limits = LinkLimits()
    limits.links = 1
    let ana = TestNode(limits: limits)
    let bo = TestNode(limits: limits)
    let endpoint = try bo.listen()
    _ = try ana.dial(endpoint)
    await until("up") { ana.ups.count == 1 && bo.ups.count == 1 }
    _ = try ana.dial(endpoint)
    await until("refused here") { ana.failures == [.tooManyLinks] }
    let cy = TestNode()
    _ = try cy.dial(endpoint)
    await until("refused there") { cy.failures.count == 1 }
    #expect(bo.ups.count == 1)
  }

  @Test func aDialThatLeadsNowhereFailsOnceWithAReason() async throws {
    let ana = TestNode()
    let gone = try TestNode().listen()
    let id = try ana.dial(gone)
    await until("refused") { ana.failures.count == 1 }
    guard case .dialFailed(let failed, let to, _) = ana.seen[0] else {
      Issue.record("\(ana.seen)")
      return
    }
    #expect(failed == id && to == gone)
    #expect(ana.count == 0)
  }

  @Test func aNodeThatDialsItselfIsTold() async throws {
    let ana = TestNode()
    _ = try ana.dial(try ana.listen())
    await until("told") { ana.failures == [.channel(.ownIdentity)] }
    await until("gone") { ana.count == 0 }
    #expect(ana.ups.isEmpty)
  }

  @Test func nothingIsDialledOutsideTheAllowedInterfaces() async throws {
    let ana = TestNode(filter: InterfaceFilter(names: ["nosuch0"]))
    let bo = TestNode()
    _ = try ana.dial(try bo.listen())
    await until("refused") { ana.failures == [.connection(.interfaceNotAllowed)] }
    #expect(bo.count == 0)
  }

  @Test func whatWasSentBeforeCloseArrives() async throws {
    let ana = TestNode()
    let bo = TestNode()
    let id = try ana.dial(try bo.listen())
    await until("up") { ana.ups.count == 1 && bo.ups.count == 1 }
    let frame = [UInt8](repeating: 3, count: 1 << 20)
    try ana.on { set in
      _ = set.send(frame, on: id)
      _ = set.send([9], on: id)
      set.close(id, reason: "the table is over")
      #expect(set.send([1], on: id) == .notUp)
    }
    await until("both know") { ana.downs.count == 1 && bo.downs.count == 1 }
    #expect(ana.downs == [.closedHere("the table is over")])
    #expect(bo.downs == [.connection(.endedByPeer)])
    #expect(bo.frames == [frame, [9]])
  }

  @Test func closingEverythingEndsEveryLinkAndTheListener() async throws {
    let bo = TestNode()
    let endpoint = try bo.listen()
    let others = (0..<3).map { _ in TestNode() }
    for other in others { _ = try other.dial(endpoint) }
    await until("up") { bo.ups.count == 3 }
    try bo.on { $0.closeAll(reason: "the program ends") }
    await until("all are told") { others.allSatisfy { $0.downs.count == 1 } }
    #expect(bo.downs.count == 3)
    #expect(bo.count == 0)
  }

  @Test func twoLinksBetweenTheSameTwoLiveSideBySide() async throws {
    let ana = TestNode()
    let bo = TestNode()
    _ = try ana.dial(try bo.listen())
    _ = try bo.dial(try ana.listen())
    await until("both are up twice") { ana.ups.count == 2 && bo.ups.count == 2 }
    #expect(ana.ups.allSatisfy { $0.identity == bo.identity.publicKey })
    #expect(ana.downs.isEmpty)
  }
}
