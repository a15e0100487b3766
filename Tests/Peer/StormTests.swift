import Consensus
import Games
import Table
import TestSupport
import Testing
import Wire

@testable import Peer

@Suite struct `A storm` {
  @Test(arguments: 1...2 as ClosedRange<UInt64>)
  func `of cuts, crashes, freezes and clicks ends in one log and a game that goes on`(
    seed: UInt64
  ) throws {
    let world = World("Ana", "Bo", "Cy", "Di", seed: seed)
    let table = try world.game(.table(words: 25, size: 5))
    let storm = Storm(at: table, in: world)
    let end = world.now + 25_000
    while world.now < end {
      try storm.blow(world)
      world.run(for: 50 + storm.chance.next() % 400)
    }
    storm.calm(world)
    try world.run(until: "one log everywhere", within: 60_000) { world in
      let tips = world.laptops.indices.compactMap { world.session($0, table)?.replica.finalTip }
      return tips.count == 4 && tips.allSatisfy { $0 == tips[0] }
        && world.laptops.indices.allSatisfy { laptop in
          world.session(laptop, table)?.linked.count == 3
            && world.session(laptop, table)?.outbox.drafts.allSatisfy(\.isFinal) == true
        }
    }
    let logs = world.laptops.indices.map { world[$0].peer?.log(of: table) ?? [] }
    for laptop in world.laptops.indices {
      #expect(logs[laptop] == logs[ana])
      for entry in world[laptop].agreed { #expect(logs[ana][entry.index] == entry) }
    }
    // Everybody can act, and is heard, unless the storm has ended the game.
    world.run(for: 35_000)
    for laptop in world.laptops.indices
    where world.session(laptop, table)?.table.phase == .playing {
      let tile = try #require(
        try world.view(laptop, table).board?.tiles.first { $0.state == .open })
      try world.claim(laptop, table, tile.word)
      try world.run(until: "all are asked", within: 5_000) { world in
        try world.laptops.indices.allSatisfy {
          try world.view($0, table).claims.contains { $0.word == tile.word }
        }
      }
    }
    #expect(world.offences == [], "seed \(seed)")
  }
}

/// Does one bad thing after the other to a world, and clicks in between.
private final class Storm {
  let table: TableID
  var chance: SeededBytes

  init(at table: TableID, in world: World) {
    self.table = table
    chance = SeededBytes(seed: world.seed &+ 99)
  }

  private func below(_ bound: Int) -> Int { Int(chance.next() % UInt64(bound)) }

  func blow(_ world: World) throws {
    let one = below(world.laptops.count)
    let other = (one + 1 + below(world.laptops.count - 1)) % world.laptops.count
    let span = 500 + chance.next() % 6_000
    switch below(12) {
    case 0:
      world.cut(one, other)
      world.after(span) { $0.mend(one, other) }
    case 1:
      world.cables.block(from: one, to: other)
      world.after(span) { $0.cables.unblock(from: one, to: other) }
    case 2: world.reset(one, other)
    case 3:
      world.kill(one)
      world.after(span / 4) { if $0[one].peer == nil { $0.start(one) } }
    case 4:
      guard world[one].peer != nil, !world[one].isFrozen else { return }
      world.freeze(one)
      world.after(span) { if $0[one].isFrozen { $0.resume(one) } }
    case 5:
      world[one].crash = (world[one].disk.commits + below(4), below(2) == 0)
      world.after(span / 2) { if $0[one].peer == nil { $0.start(one) } }
    default: try click(world, one)
    }
  }

  private func click(_ world: World, _ laptop: Int) throws {
    guard world[laptop].peer != nil, world.session(laptop, table)?.table.phase == .playing else {
      return
    }
    let view = try world.view(laptop, table)
    if let claim = view.claims.first(where: \.mayVote) {
      let isFor = below(3) > 0
      world.tell(
        laptop,
        .game(
          table, GameCommand("vote", [("claim", .text(claim.id)), ("confirm", .bool(isFor))])))
    } else if let tiles = view.board?.tiles.filter({ $0.state == .open }), !tiles.isEmpty {
      let tile = tiles[below(tiles.count)].index
      world.tell(
        laptop,
        .game(
          table,
          GameCommand("claim", [("tile", .int(tile)), ("now", .bool(below(2) == 0))])))
    }
  }

  func calm(_ world: World) {
    for one in world.laptops.indices {
      world[one].crash = nil
      for other in world.laptops.indices where other != one { world.mend(one, other) }
      if world[one].isFrozen { world.resume(one) }
      if world[one].peer == nil { world.start(one) }
    }
  }
}
