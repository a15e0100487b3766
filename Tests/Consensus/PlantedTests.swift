import CBOR
import Consensus
import SimulationKit
import Testing
import Wire

@Suite("What whole worlds promise is missed where it is not so")
struct PlantedTests {
  private func gathered(_ people: Int = 3, seed: UInt64 = 21) -> Toy {
    var world = Toy(people: people, seed: seed, weather: Weather(), load: ToyWorkload())
    check(world.gather())
    world.run(until: world.now + 5_000)
    #expect(world.oracle.failure == nil)
    return world
  }

  @Test("10: a network that stays broken when all should be mended")
  func converges() {
    var weather = Weather()
    weather.span = 2_000
    var world = Toy(people: 3, seed: 4, weather: weather, load: ToyWorkload())
    world.loses = { _, _, _ in true }
    world.runAll()
    #expect(world.oracle.failure?.invariant == .converges)
  }

  @Test("10: a last block that is not settled when the game is over, and a voter left out")
  func settledAfterTheEnd() {
    var world = gathered()
    world.submit(ToyTable.Act.end.body, by: 0)
    world.loses = { message, from, _ in
      if case .vote(let vote) = message {
        from == 2 && vote.subject.kind == .finalize
      } else {
        false
      }
    }
    world.run(until: world.now + 1_000)
    #expect(world.app(0).isOver)
    #expect(world.hasOneTip)
    #expect(!world.isSettledDown)
    world.loses = { _, _, _ in false }
    check(world.run(until: world.now + 30_000, \.isSettledDown), "R6.4 settles it")
  }

  @Test("12: a timer that runs, and a node that speaks, while nobody acts")
  func idle() {
    var world = gathered()
    world.judgeIdle()
    #expect(world.oracle.failure == nil)
    world.submit(ToyTable.Act.open(600_000).body, by: 1)
    world.run(until: world.now + 3_000)
    world.judgeIdle()
    #expect(world.oracle.failure?.invariant == .idle)
  }

  @Test("15: a disk that holds something else than what is there")
  func replay() {
    var world = gathered()
    world.judgeReplay()
    #expect(world.oracle.failure == nil)
    world.tamper(with: 1) { $0 = Disk() }
    world.judgeReplay()
    #expect(world.oracle.failure?.invariant == .replay)
  }

  @Test("17: one message that is lost shows in the trace")
  func repeatable() {
    func trace(losingFirstEntryOf person: Int?) -> UInt64 {
      var world = gathered()
      world.loses = { message, from, _ in
        if case .entry = message { from == person } else { false }
      }
      world.submit(ToyTable.Act.add(1).body, by: 1)
      world.run(until: world.now + 2_000)
      return world.trace
    }
    #expect(trace(losingFirstEntryOf: nil) == trace(losingFirstEntryOf: nil))
    #expect(trace(losingFirstEntryOf: nil) != trace(losingFirstEntryOf: 1))
  }

  @Test("18: a door that traps on bytes it can not read ends the run")
  func survivesBytes() async {
    await #expect(processExitsWith: .failure) {
      _ = Self.garbling { bytes in
        let item = try? CBOR(decoding: bytes)
        precondition(item != nil)
        return nil
      }
    }
    #expect(Self.garbling(nil) > 10)
  }

  /// A while in which every message is garbled; how many were.
  private static func garbling(_ door: (@Sendable ([UInt8]) -> TableMessage?)?) -> Int {
    var weather = Weather()
    weather[.garble] = 60
    weather.span = 4_000
    var world = Toy(people: 3, seed: 5, weather: weather, load: ToyWorkload())
    if let door { world.door = door }
    world.storm()
    return world.faults[.garble]
  }

  @Test("13: below a quorum nothing is said for want of one")
  func quietMinority() {
    var world = gathered(4)
    let vote = Fixture.vote(
      Fixture.subject(.nullify, 1, .zero, Fixture.epoch(of: 1)), by: world.nodes[2].person.voter)
    world.judge(said: .vote(vote), of: 2)
    #expect(world.oracle.failure == nil)
    world.isolate(2)
    world.run(until: world.now + 5_000)
    world.judge(said: .vote(vote), of: 2)
    #expect(world.oracle.failure == nil)
    world.run(until: world.now + 15_000)
    world.judge(said: .vote(vote), of: 2)
    #expect(world.oracle.failure?.invariant == .quietMinority)
  }

  @Test("9, 13: reach is what links and linked peers say, and since when")
  func reach() throws {
    let people = (0..<4).map { Person(index: $0, seed: 1).voter }
    let first = Fixture.epoch(of: 1)
    let joiners = people.dropFirst().map { Fixture.ready($0, first) }
    let seal = Fixture.block(
      view: 1, parentView: 0, parent: first.anchor, epoch: first,
      change: VoterChange(joiners: joiners, leavers: []))
    var electorates = Electorates(first: first)
    electorates.follow(seal, as: Fixture.hash(9))
    let electorate = try #require(electorates[Fixture.hash(9)])
    #expect(electorate.quorum == 3)
    var reach = ReachChecker(voter: people[0])
    reach.look(electorate, in: Fixture.hash(9), at: 0)
    #expect(reach.mustBeQuiet(at: ReachChecker.toQuiet))
    reach.link(people[1], isUp: true)
    reach.look(electorate, in: Fixture.hash(9), at: 100)
    #expect(reach.mustBeQuiet(at: ReachChecker.toQuiet))
    reach.hear([people[1], people[2]], in: Fixture.hash(9), from: people[1])
    reach.look(electorate, in: Fixture.hash(9), at: 200)
    #expect(!reach.mustBeQuiet(at: 1_000_000))
    #expect(reach.misses(people[3], at: ReachChecker.toMiss))
    #expect(!reach.misses(people[2], at: ReachChecker.toMiss))
    reach.link(people[1], isUp: false)
    reach.look(electorate, in: Fixture.hash(9), at: 300)
    #expect(!reach.misses(people[2], at: 200 + ReachChecker.toMiss))
    #expect(reach.misses(people[2], at: 300 + ReachChecker.toMiss))
    #expect(!reach.mustBeQuiet(at: 300))
    reach.rested(at: 50_000)
    #expect(!reach.mustBeQuiet(at: 50_001))
    #expect(reach.mustBeQuiet(at: 50_000 + ReachChecker.toQuiet))
    // Who says that it does not vote in this epoch is missed like one who is away.
    reach.link(people[3], isUp: true)
    reach.hear([people[0]], in: first.id, from: people[3])
    reach.look(electorate, in: Fixture.hash(9), at: 60_000)
    #expect(!reach.misses(people[3], at: 1_000_000))
    reach.hear([people[0]], in: Fixture.hash(9), from: people[3])
    reach.look(electorate, in: Fixture.hash(9), at: 61_000)
    #expect(!reach.misses(people[3], at: 60_999 + ReachChecker.toMiss))
    #expect(reach.misses(people[3], at: 61_000 + ReachChecker.toMiss))
    // Another one who still names it has not heard that yet.
    reach.link(people[1], isUp: true)
    reach.hear([people[1], people[3]], in: Fixture.hash(9), from: people[1])
    reach.look(electorate, in: Fixture.hash(9), at: 62_000)
    #expect(reach.misses(people[3], at: 61_000 + ReachChecker.toMiss))
  }
}
