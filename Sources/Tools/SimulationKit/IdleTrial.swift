internal import Consensus

/// A table at which nobody does anything for hours: nothing is said, nothing is written, nothing
/// grows and no timer runs (invariants 12 and 14).
///
/// Links say where they stand in their keepalives all the while.
package struct IdleTrial: Sendable {
  /// How the table came to its rest.
  package enum Story: String, Sendable, CaseIterable {
    /// All have played.
    case played
    /// It was cut in two, people acted on both sides, and it is one again.
    case healed
    /// The last one has no seat and only helps to agree.
    case witnessed
  }

  package let people: Int
  package let story: Story
  package let hours: UInt64
  /// Messages besides keepalives, and rows written, in that time.
  package private(set) var messages = 0
  package private(set) var writes = 0
  /// How much more all nodes keep after it than before.
  package private(set) var growth = 0
  /// Nodes at which a timer runs.
  package private(set) var timers = 0
  /// Whether the first entry after it was final everywhere within a second.
  package private(set) var isAwake = false
  package private(set) var failure: Failure?

  /// Whether all was as it should be.
  package var isQuiet: Bool {
    failure == nil && messages == 0 && writes == 0 && growth == 0 && timers == 0 && isAwake
  }

  /// Plays a while, waits, and looks; `keepalive` is how often links say that they are there, in
  /// milliseconds.
  package static func run(
    people: Int, story: Story, hours: UInt64, keepalive: UInt64 = 5_000
  ) -> IdleTrial {
    var weather = Weather()
    weather.delay = 20
    var world = Simulation(
      people: people, seed: UInt64(people), weather: weather, load: ToyWorkload())
    world.keepalive = keepalive
    world.patience = .max
    var trial = IdleTrial(people: people, story: story, hours: hours)
    trial.play(&world)
    trial.wait(&world)
    return trial
  }

  private init(people: Int, story: Story, hours: UInt64) {
    self.people = people
    self.story = story
    self.hours = hours
  }

  private mutating func play(_ world: inout Simulation<ToyWorkload>) {
    let witnesses = story == .witnessed ? people - 1..<people : 0..<0
    guard world.gather(witnesses: witnesses) else {
      return failure = Failure(.converges, "not gathered", at: world.now)
    }
    for round in 0..<4 as Range<UInt64> {
      if story == .healed, round == 1 {
        for (low, high) in world.pairs where low % 2 != high % 2 {
          world.setLink(low, high, isUp: false)
        }
      }
      for node in 0..<people where !witnesses.contains(node) {
        world.submit(ToyTable.Act.add(round).body, by: node)
      }
      world.run(until: world.now + 4_000)
    }
    world.heal()
    guard world.run(until: world.now + 60_000, \.isSettledDown) else {
      return failure = Failure(.converges, "not settled: " + world.summary, at: world.now)
    }
    // What is due after that, late votes and pauses between answers, has its time.
    world.run(until: world.now + 30_000)
  }

  private mutating func wait(_ world: inout Simulation<ToyWorkload>) {
    guard failure == nil else { return }
    let before = (world.sent, world.written, world.kept)
    world.run(until: world.now + hours * 3_600_000)
    messages = world.sent - before.0
    writes = world.written - before.1
    growth = world.kept - before.2
    timers = world.nodes.count { $0.wakeAt != nil }
    world.submit(ToyTable.Act.add(1).body, by: 0)
    isAwake = world.run(until: world.now + 1_000, \.hasOneTip)
    failure = world.oracle.failure
  }
}

extension Simulation {
  /// Records that all nodes have ever written.
  var written: Int { nodes.reduce(0) { $0 + $1.disk.history.count } }

  /// What all nodes keep beside their logs, and the rows on all disks.
  var kept: Int {
    nodes.reduce(0) { sum, node in
      sum + (node.replica?.footprint ?? 0) + node.disk.rowCount
    }
  }
}
