import SimulationKit
import Testing
import Wire

@testable import Consensus

@Suite("A deadline's clock (CONSENSUS 1.4)")
struct DeadlineClockTests {
  private let deadline = Deadline(id: Fixture.hash(1), duration: 12_000)

  @Test("counts from the tick after its entry became final")
  func firstTick() {
    var clock = DeadlineClock(deadline)
    #expect(clock.needsTick)
    _ = clock.count(900, isRunning: true)
    #expect(clock.elapsed == 0)
    _ = clock.count(900, isRunning: true)
    #expect(clock.elapsed == 900)
  }

  @Test("stands while no quorum is reachable")
  func stands() {
    var clock = DeadlineClock(deadline)
    for _ in 0..<5 { _ = clock.count(1_000, isRunning: false) }
    #expect(clock.elapsed == 0)
  }

  @Test("is written every five seconds and at its end, without asking for a sync")
  func written() {
    var clock = DeadlineClock(deadline)
    let records = (0...14).compactMap { _ in clock.count(1_000, isRunning: true) }
    #expect(records.count == 3)
    #expect(records.allSatisfy { $0.isLazy && $0.kind == .clock })
    #expect(clock.isOver)
    #expect(clock.elapsed == 12_000)
  }

  @Test("goes on after a restart from where it was written")
  func restart() {
    var clock = DeadlineClock(deadline, elapsed: 11_500)
    _ = clock.count(500, isRunning: true)
    #expect(clock.remaining == 500)
    _ = clock.count(500, isRunning: true)
    #expect(clock.isOver)
  }

  @Test("stands at 0 while he is heard of whose silence it measures, and begins anew then (D4)")
  func silence() {
    let who = Fixture.epoch(of: 1).voters[0]
    let silence = Deadline(id: Fixture.hash(2), duration: 60_000, silent: who)
    var clock = DeadlineClock(silence, isHeard: true)
    #expect(!clock.needsTick && clock.hear() == nil && clock.deletion == nil)
    for _ in 0..<7 { _ = clock.count(1_000, isRunning: true) }
    #expect(clock.elapsed == 7_000 && clock.deletion != nil)
    #expect(clock.hear()?.value == nil && clock.elapsed == 0 && clock.deletion == nil)
    for _ in 0..<60 { _ = clock.count(1_000, isRunning: true) }
    #expect(clock.isOver)
  }

  @Test("counts at most one second between two ticks, however late the tick")
  func frozen() {
    var world = Simulation(people: 2, seed: 5, weather: Weather(), load: ToyWorkload())
    check(world.gather())
    world.submit(ToyTable.Act.open(4_000).body, by: 0)
    check(world.run(until: world.now + 1_000) { !$0.app(1).waits.isEmpty })
    let start = world.now
    world.isolate(1)
    world.pause(0, for: 60_000)
    world.run(until: start + 60_100)
    #expect(!world.app(0).waits.isEmpty)
    world.isolate(1, false)
    check(!world.run(until: world.now + 1_500) { $0.app(0).waits.isEmpty })
    check(world.run(until: world.now + 8_000) { $0.app(0).expired == 1 })
  }
}
