import Discovery
import Testing
import Wire

@testable import Peer

@Suite struct `Laptops that meet` {
  @Test func `three nodes see one another`() throws {
    let world = World("Ana", "Bo", "Cy")
    try world.run(until: "all see one another", within: 1_000) { world in
      try world.laptops.indices.allSatisfy { try world.state($0).people.count == 2 }
    }
    #expect(try world.state(ana).people.map(\.name) == ["Bo", "Cy"])
    #expect(world.offences == [])
  }

  @Test func `nothing leaves a laptop before it has a name`() throws {
    let world = World("Ana", "Bo", isStarted: false)
    world[bo].isNamed = false
    world[ana].peers = [world[bo].address]
    var left: [String] = []
    world.onEffect = { laptop, effect in
      guard laptop == bo else { return }
      switch effect {
      case .broadcast, .datagram, .dial, .send: left.append("\(effect)")
      default: break
      }
    }
    world.start(ana)
    world.start(bo)
    world.run(for: 30_000)
    #expect(left == [])
    #expect(try world.state(bo).screen == "welcome")
    #expect(try world.state(bo).people.map(\.name) == ["Ana"])
    #expect(try world.ask(bo, .tryItNow).code == "nameFirst")
    #expect(try world.ask(bo, .setName(" Bo ", insist: false)).code == "ok")
    try world.run(until: "Ana sees Bo", within: 500) { try $0.state(ana).people.count == 1 }
  }
}
