import Consensus
import SimulationKit
import Testing
import Wire

@Suite("Worlds with a liar")
struct LyingWorldTests {
  /// People who act a while in fair weather beside one liar.
  private func world(_ kind: LiarKind, people: Int, seed: UInt64) -> Toy {
    var weather = Weather()
    weather.delay = 40
    weather.span = 4_000
    weather.pause = 300
    return Toy(people: people, seed: seed, weather: weather, load: ToyWorkload(), liars: [2: kind])
  }

  @Test("go on where one of four lies, in whatever way", arguments: LiarKind.allCases)
  func fourBearOne(kind: LiarKind) {
    var world = world(kind, people: 4, seed: 1)
    world.runAll()
    #expect(world.oracle.failure == nil)
    #expect(!world.isSplit)
    #expect(world.oracle.entries > 20)
  }

  /// What a liar must make honest nodes do, or it does not lie.
  private static let marks: [(LiarKind, [String])] = [
    (.misjustifier, ["justParent", "justNullifications", "justOldSeal"]),
    (.cheat, ["blockState", "blockHeight", "entryNotAdmissible", "deadlineNotQuorum"]),
    (.flooder, ["voteTooFarAhead", "chainUnasked", "blockUnasked"]),
    (.replayer, ["unknownEpoch"]),
    (.forger, ["chainUnproven"]),
  ]

  @Test("refuse what the liar says, each lie under its own code", arguments: marks)
  func refusals(kind: LiarKind, codes: [String]) {
    var seen: Set<String> = []
    var seed: UInt64 = 1
    while !seen.isSuperset(of: codes), seed < 12 {
      var world = world(kind, people: 4, seed: seed)
      check(world.gather())
      world.startLying()
      world.storm()
      #expect(world.oracle.failure == nil, "seed \(seed)")
      seen.formUnion(world.refusals.keys)
      seed += 1
    }
    #expect(seen.isSuperset(of: codes), "\(seen.sorted())")
  }

  @Test(
    "name who votes against itself and nobody else",
    arguments: [LiarKind.twins, .equivocator, .nullifier])
  func named(kind: LiarKind) {
    var culprits: Set<PublicKey> = []
    for seed in 1...8 as ClosedRange<UInt64> where culprits.isEmpty {
      var world = world(kind, people: 4, seed: seed)
      check(world.gather())
      world.startLying()
      world.storm()
      let named = Set(world.accusations.map(\.culprit))
      #expect(named.isSubset(of: [world.nodes[2].person.voter]))
      culprits.formUnion(named)
    }
    #expect(!culprits.isEmpty)
  }

  @Test("of three are split by one who equivocates, and all who see it name it")
  func split() {
    var splits = 0
    for seed in 1...8 as ClosedRange<UInt64> where splits == 0 {
      var world = world(.equivocator, people: 3, seed: seed)
      world.runAll()
      #expect(world.oracle.failure == nil, "seed \(seed)")
      if world.isSplit { splits += 1 }
    }
    #expect(splits > 0)
  }

  @Test("show latecomers the true past, whatever a liar made up")
  func latecomer() {
    var world = world(.forger, people: 4, seed: 5)
    check(world.gather())
    world.startLying()
    world.isolate(3)
    for n in 1...9 as ClosedRange<UInt64> {
      world.submit(ToyTable.Act.add(n).body, by: 0)
      world.run(until: world.now + 300)
    }
    world.setLink(2, 3, isUp: true)
    world.run(until: world.now + 5_000)
    #expect(world.app(3).sum == 0 || world.app(3).sum == 45)
    world.isolate(3, false)
    check(world.run(until: world.now + 5_000) { $0.app(3).sum == 45 }, "\(world.summary)")
    #expect(world.oracle.failure == nil)
  }
}
