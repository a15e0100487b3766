import Table
import Testing
import Wire

@testable import Peer

@Suite struct `A game in which nobody acts` {
  private final class Heard {
    var pings = 0
    var other = 0
    var wakes = 0
  }

  /// Four people in a game that has been quiet for long.
  private func quiet() throws -> (world: World, table: TableID, heard: Heard) {
    let world = World("Ana", "Bo", "Cy", "Di")
    let table = try world.game()
    world.run(for: 60_000)
    let heard = Heard()
    world.onFrame = { _, _, message in
      switch message {
      case .ping, .pong: heard.pings += 1
      case .table: heard.other += 1
      default: break
      }
    }
    world.onEffect = { _, effect in
      if case .wake = effect { heard.wakes += 1 }
    }
    return (world, table, heard)
  }

  @Test func `costs one ping of each pair in four seconds, and nothing of its log`() throws {
    let (world, _, heard) = try quiet()
    world.run(for: 60_000)
    // Six pairs, fifteen times, there and back; some are asked a little sooner, along with others.
    #expect((2 * 6 * 14...2 * 6 * 20).contains(heard.pings))
    #expect(heard.other == 0)
    // Nodes sleep between pings: they step with what comes, and hardly ever without.
    #expect(heard.wakes < 4 * 120)
    #expect(world.offences == [])
  }

  @Test func `shows within twelve seconds whose laptop is gone`() throws {
    let (world, table, _) = try quiet()
    world.unplug(di)
    try world.run(until: "Di is gone", within: 12_000) { world in
      try [ana, bo, cy].allSatisfy { try world.tableView($0, table).away == ["Di"] }
    }
  }

  @Test func `notices within five seconds once somebody acts that another one does not answer`()
    throws
  {
    let (world, table, _) = try quiet()
    world.freeze(di)
    let word = try world.row(ana, table)[0]
    try world.claim(ana, table, word)
    try world.run(until: "Di is gone", within: 5_000) { world in
      try [ana, bo, cy].allSatisfy { try world.tableView($0, table).away == ["Di"] }
    }
    world.resume(di)
    try world.run(until: "Di is back", within: 5_000) { world in
      try [ana, bo, cy].allSatisfy { try world.tableView($0, table).away.isEmpty }
    }
    try world.agree(on: table)
    #expect(world.offences == [])
  }

  @Test func `is settled by late votes though they are put off`() throws {
    let (world, table, _) = try quiet()
    let word = try world.row(ana, table)[0]
    try world.claim(ana, table, word)
    try world.agree(on: table)
    try world.run(until: "all have voted for the tip everywhere", within: 1_000) { world in
      try (0..<4).allSatisfy { try world.sessionView($0, table).details.finalVotes == 4 }
    }
  }
}
