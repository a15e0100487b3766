import Consensus
import SimulationKit
import Testing
import Wire

@Suite("Whole worlds")
struct WorldTests {
  @Test("keep every promise, whatever the weather", arguments: 1...8 as ClosedRange<UInt64>)
  func seeds(seed: UInt64) {
    var plan = WorldPlan(seed: seed)
    plan.last(for: 4_000)
    let world = World.run(plan)
    #expect(
      world.failure == nil,
      "replay with: swift run -c release simulate \(world.plan.command)")
  }

  @Test("are the same for the same seed")
  func sameTrace() {
    func trace(_ seed: UInt64) -> UInt64 {
      var plan = WorldPlan(seed: seed)
      plan.last(for: 2_000)
      return World.run(plan).trace
    }
    #expect(trace(7) == trace(7))
    #expect(trace(7) != trace(8))
  }

  @Test("show no two votes for one slot after a thousand kills that lose every unsynced write")
  func thousandKills() {
    var kills = 0
    var seed: UInt64 = 1
    while kills < 1_000, seed < 200 {
      var weather = Weather()
      weather[.unsynced] = 100
      weather[.crash] = 60
      weather.down = 200
      weather.span = 6_000
      weather.sync = 8
      weather.pause = 400
      var world = Toy(
        people: 2 + Int(seed % 2), seed: seed, weather: weather, load: ToyWorkload())
      world.storm()
      world.heal()
      check(world.run(until: world.now + 60_000, \.isSettledDown), "seed \(seed)")
      #expect(world.oracle.failure == nil, "seed \(seed)")
      kills += world.crashes
      seed += 1
    }
    #expect(kills >= 1_000)
  }

  @Test("bring two hundred entries thrown at once by five people through ten percent of loss")
  func throng() {
    var weather = Weather()
    weather[.loss] = 10
    weather.delay = 30
    weather.pause = 100_000
    weather.span = 60_000
    var world = Toy(people: 5, seed: 12, weather: weather, load: ToyWorkload())
    check(world.gather())
    world.makeStormy()
    let start = world.now
    for round in 0..<40 {
      for node in 0..<5 { world.submit(ToyTable.Act.add(UInt64(round % 12)).body, by: node) }
    }
    check(world.run(until: start + 60_000, \.isSettledDown), "\(world.summary)")
    #expect(world.oracle.failure == nil)
    #expect(world.oracle.entries >= 200)
    for node in 0..<5 { world.submit(ToyTable.Act.add(1).body, by: node) }
    check(world.run(until: world.now + 20_000, \.isSettledDown))
  }

  @Test("bring in an entry whose first sending nobody got (rule 8)")
  func rebroadcast() {
    var world = Toy(people: 4, seed: 13, weather: Weather(), load: ToyWorkload())
    check(world.gather())
    world.run(until: world.now + 3_000)
    world.loses = { message, _, _ in if case .entry = message { true } else { false } }
    world.submit(ToyTable.Act.add(3).body, by: 2)
    world.run(until: world.now + 100)
    world.loses = { _, _, _ in false }
    check(world.run(until: world.now + 5_000) { $0.app(2).sum == 3 }, "\(world.summary)")
    check(world.run(until: world.now + 5_000, \.isSettledDown))
  }

  @Test("agree on an entry with its gossip, a proposal and votes, and pass no certificate on")
  func frugality() throws {
    var world = Toy(people: 4, seed: 5, weather: Weather(), load: ToyWorkload())
    let hasGathered = world.gather()
    try #require(hasGathered, "\(world.summary)")
    world.run(until: world.now + 3_000)
    for node in 0..<4 {
      let before = world.sent
      world.submit(ToyTable.Act.add(1).body, by: node)
      let isDone = world.run(until: world.now + 5_000, \.isSettledDown)
      #expect(isDone, "\(world.summary)")
      world.run(until: world.now + 3_000)
      // To three others each: the entry, the proposal, three notarizes, four finalizes.
      #expect(world.sent - before <= 3 * (1 + 1 + 3 + 4))
    }
  }

  @Test("send nothing of consensus while nobody acts, for ten minutes, and then agree within 1 s")
  func silence() {
    var world = Toy(people: 3, seed: 11, weather: Weather(), load: ToyWorkload())
    check(world.gather())
    world.submit(ToyTable.Act.add(1).body, by: 1)
    check(world.run(until: world.now + 5_000, \.isSettledDown))
    world.run(until: world.now + 10_000)
    let before = world.sent
    world.run(until: world.now + 600_000)
    #expect(world.sent == before)
    world.submit(ToyTable.Act.add(2).body, by: 2)
    let isAgreed = world.run(until: world.now + 1_000) { world in
      (0..<3).allSatisfy { world.app($0).sum == 3 }
    }
    #expect(isAgreed)
  }
}
