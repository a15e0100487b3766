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

  @Test func `a card that begins to send carries a beacon at once, however loose its contact`()
    throws
  {
    let world = World("Ana")
    var beacons = 0
    world.onEffect = { _, effect in
      if case .broadcast = effect { beacons += 1 }
    }
    world.run(for: 1_000)
    var card = world[ana].interfaces[0]
    beacons = 0
    card.sends = false
    world.deliver(.interfaces([card]), to: ana)
    world.run(for: 1_000)
    #expect(beacons == 0)
    card.sends = true
    world.deliver(.interfaces([card]), to: ana)
    world.run(for: 500)
    #expect(beacons == 1)
    for _ in 0..<100 {
      card.sends.toggle()
      world.deliver(.interfaces([card]), to: ana)
      world.run(for: 20)
    }
    #expect((2...8).contains(beacons))
  }
}
