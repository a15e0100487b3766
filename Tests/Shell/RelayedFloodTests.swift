import Keys
import Peer
import Testing
import Wire

@testable import Shell

/// What strangers have a third pass on must not slow the game of two others.
@Suite struct RelayedFloodTests {
  /// Ana and Cy with a link through the third, and a stranger with another one to Cy, who sends so
  /// many frames of one byte on it; Cy's budgets never refill, and the third lets everything through.
  private func flooded(
    frames: Int
  ) async throws -> (three: RelayedPair, game: Shell.LinkID, stranger: TestNode) {
    let start = ContinuousClock.now
    var generous = LinkLimits()
    generous.burstBytes = 1 << 30
    let three = try await RelayedPair(
      betweenLimits: generous, echoes: false, cyTime: { start })
    let game = try await three.link().ana
    let dora = TestNode()
    let stranger = dora.identity.publicKey
    let below = try await three.join(dora)
    let cy = three.cy.identity.publicKey
    _ = try dora.on { $0.dial(cy, through: below) }
    await until("the stranger is linked") { dora.ups.count == 2 && three.cy.ups.count == 3 }
    let number = try #require(three.channels.first { $0.opener == stranger }?.number)
    // A record that never comes to its end.
    let piece = RelayFrame(peer: cy, number: number, part: .data([0xff]))
    for _ in 0..<frames { try dora.on { _ = $0.send(LinkMessage.carry(piece).frame, on: below) } }
    await until("all is passed on, or refused") {
      three.passedOn.count { $0.from == stranger && $0.1 == piece } == frames
    }
    return (three, game, dora)
  }

  @Test func shortFramesOfAStrangerCostWhoPassesThemOnNothing() async throws {
    // At 4 KiB each they are more than the budget of one peer.
    let (three, game, dora) = try await flooded(frames: 3_000)
    try three.ana.on { _ = $0.send([7], on: game) }
    await until("the game goes on") { three.cy.frames.contains([7]) }
    try three.tell([8], to: three.cy)
    await until("and so does what the one between says itself") { three.cy.frames.contains([8]) }
    #expect(three.between.downs.isEmpty && dora.downs.count <= 1)
  }

  @Test func whoFloodsLosesTheChannel() async throws {
    let (three, game, dora) = try await flooded(frames: 3_000)
    await until("ended") { three.channels.count == 1 }
    #expect(three.channels.map(\.opener) == [three.ana.identity.publicKey])
    #expect(
      three.passedOn.contains {
        $0.from == three.cy.identity.publicKey && $0.1.part == .close(.tooSlow)
      })
    await until("the stranger is told") { dora.downs == [.relay(.tooSlow)] }
    try three.ana.on { #expect($0.send([7], on: game) != .notUp) }
  }
}
