import Discovery
import Testing

@testable import Peer

/// "Look harder" where no broadcast of anybody gets through.
@Suite struct `People found by looking harder` {
  @Test func `stay, and so do their tables`() throws {
    let world = World("Ana", "Bo", isStarted: false)
    for laptop in [ana, bo] {
      world[laptop].hasBroadcast = false
      world.start(laptop)
    }
    world.run(for: 15_000)
    #expect(try world.state(ana).people.isEmpty)
    _ = try world.ask(ana, .lookHarder)
    try world.run(until: "both see each other", within: 10_000) { world in
      try [ana, bo].allSatisfy { try world.state($0).people.count == 1 }
    }
    let table = try world.makeTable(by: bo)
    try world.run(until: "Bo's table", within: 10_000) { world in
      try world.state(ana).openTables.map(\.id) == [table]
    }
    world.run(for: 120_000)
    #expect(try world.state(bo).people.map(\.name) == ["Ana"])
    #expect(try world.state(ana).openTables.count == 1)
    try world.sit(ana, at: table)
    #expect(world.offences == [])
  }
}
