import Archive
import Consensus
import Table
import Testing
import Wire

@testable import Peer

@Suite struct `A laptop that lies` {
  /// Two votes of a laptop's key for two blocks in one view.
  private func votes(of laptop: Int, at table: TableID, in world: World) throws -> [Vote] {
    let session = try #require(world.session(laptop, table))
    return try (1...2).map { number in
      let subject = VoteSubject(
        table: table, epoch: session.replica.epoch.id, view: session.replica.view + 40,
        kind: .notarize, block: Digest(ofBytes: [UInt8(number)]))
      let signature = try #require(
        world[laptop].keys.sign(subject.signedBytes, with: session.keys.voter))
      return Vote(subject: subject, voter: session.keys.voter, signature: signature)
    }
  }

  private func proofs(_ laptop: Int, _ table: TableID, _ world: World) throws -> [String] {
    try world.tableView(laptop, table).proofs.map(\.message)
  }

  @Test func `is named on every page, after a restart too, and play goes on`() throws {
    let world = World("Ana", "Bo", "Cy", "Di")
    let table = try world.game()
    #expect(try proofs(ana, table, world) == [])
    let lies = try votes(of: bo, at: table, in: world)
    // Bo says one thing to Ana and another to Cy; Ana and Cy pass on what they have seen.
    world.inject(LinkMessage.table(.vote(lies[0])).frame, from: bo, to: ana)
    world.inject(LinkMessage.table(.vote(lies[1])).frame, from: bo, to: ana)
    let sentence =
      "Bo’s laptop signed two contradicting votes. It has no say any more in what is agreed; "
      + "Bo plays on."
    try world.run(until: "the others' pages name Bo") { world in
      try [ana, cy, di].allSatisfy { try proofs($0, table, world) == [sentence] }
    }
    let own = try proofs(bo, table, world)
    #expect(own.first?.hasPrefix("This laptop signed two contradicting votes.") == true)
    let words = [own, [sentence]].flatMap { $0 }.joined().lowercased()
    for word in ["node", "voter", "quorum", "epoch", "seal", "hash", "entry"] {
      #expect(!words.contains(word))
    }
    try world.settle(ana, table, try world.row(ana, table)[0])
    let saved = try #require(world[ana].peer).exportedLog(of: table.hex)
    let proof = try LogVerifier.verify(saved.bytes, checker: Ed25519())
    #expect(proof.people.map(\.lied) == [false, true, false, false])
    world.stop(cy)
    world.start(cy)
    try world.run(until: "Cy is back") { try proofs(cy, table, $0) == [sentence] }
    #expect(world.offences == [])
  }

  @Test func `can not be made of what somebody else signed`() throws {
    let world = World("Ana", "Bo", "Cy")
    let table = try world.game()
    let honest = try votes(of: bo, at: table, in: world)[0]
    let forged = Vote(
      subject: try votes(of: bo, at: table, in: world)[1].subject, voter: honest.voter,
      signature: honest.signature)
    let claim = LinkMessage.table(.evidence(.between(honest, forged)))
    world.inject(claim.frame, from: cy, to: ana)
    world.run(for: 1_000)
    #expect(world.session(ana, table)?.counter["badSignature"] == 1)
    #expect(try proofs(ana, table, world) == [])
  }
}
