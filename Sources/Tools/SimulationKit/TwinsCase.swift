internal import Consensus
internal import Wire

/// A schedule after Bano and others, "Twins: BFT Systems Made Robust" (2021): one key on two nodes
/// that both keep the rules, and for each of the first views a sampled partition of all nodes.
///
/// Whatever speaks of such a view passes only within its parts; everything else passes. After these
/// views all is mended.
package struct TwinsCase: Sendable {
  /// Views that have a partition.
  package static var rounds: Int { 7 }

  package let seed: UInt64
  /// What honest nodes must never do; nil when they did not.
  package let failure: Failure?
  /// Whether honest nodes came to two logs, more lying than their number bears.
  package let isSplit: Bool
  /// Whether the ones who were named are the twins' key and no other.
  package let namesOnlyLiar: Bool
  package let entries: Int

  /// Plays the schedule of a seed with so many people, the last of whom is two.
  package static func run(people: Int, seed: UInt64) -> TwinsCase {
    var weather = Weather()
    weather.delay = 20
    var world = Simulation(
      people: people, seed: seed, weather: weather, load: ToyWorkload(),
      liars: [people - 1: .twins])
    world.freeTwins()
    guard world.gather() else {
      world.oracle.fail(.converges, "not gathered", at: world.now)
      return TwinsCase(seed, world)
    }
    world.startLying()
    world.play(schedule: schedule(of: people + 1, seed: seed))
    return TwinsCase(seed, world)
  }

  /// Plays the schedules of many seeds side by side, in order, until `goesOn` says that it is enough.
  package static func run(
    people: Int, seeds: ClosedRange<UInt64>, goesOn: (TwinsCase) -> Bool
  ) async -> [TwinsCase] {
    var cases: [TwinsCase] = []
    var next = seeds.lowerBound
    while next <= seeds.upperBound {
      let last = min(next + 7, seeds.upperBound)
      let batch = await withTaskGroup(of: TwinsCase.self) { group in
        for seed in next...last { group.addTask { await play(people: people, seed: seed) } }
        var batch: [TwinsCase] = []
        for await item in group { batch.append(item) }
        return batch.sorted { $0.seed < $1.seed }
      }
      for item in batch {
        cases.append(item)
        if !goesOn(item) { return cases }
      }
      next = last + 1
    }
    return cases
  }

  @concurrent
  private static func play(people: Int, seed: UInt64) async -> TwinsCase {
    run(people: people, seed: seed)
  }

  /// By view the part of each node.
  private static func schedule(of nodes: Int, seed: UInt64) -> [[Int]] {
    var random = Random(seed: seed ^ 0x7477_696e_73)
    return (0..<rounds).map { _ in
      let parts = 1 + random.below(3)
      var view = (0..<nodes).map { _ in random.below(parts) }
      // Twins in one part are one node that stutters.
      if parts > 1, random.chance(80), view[nodes - 1] == view[nodes - 2] {
        view[nodes - 1] = (view[nodes - 2] + 1) % parts
      }
      return view
    }
  }

  private init(_ seed: UInt64, _ world: Simulation<ToyWorkload>) {
    self.seed = seed
    failure = world.oracle.failure
    isSplit = world.isSplit
    let liars = world.nodes.filter { $0.liar != nil }.map(\.person.voter)
    let named = Set(world.accusations.map(\.culprit))
    namesOnlyLiar = named.isSubset(of: liars) && (!world.isSplit || !named.isEmpty)
    entries = world.oracle.entries
  }
}

extension Simulation {
  /// Lets twins say and hear everything: only the schedule parts them.
  mutating func freeTwins() {
    for node in nodes.indices where nodes[node].liar?.kind == .twins {
      nodes[node].liar = Twin(half: nodes[node].person.index == node ? 0 : 1, isFree: true)
    }
  }

  /// Everybody acts while the views of the schedule go by, then all is mended and judged.
  mutating func play(schedule: [[Int]]) {
    let first = nodes.compactMap { $0.replica?.view }.max() ?? 1
    let epoch = nodes[0].replica?.epoch.id
    loses = { message, from, to in
      guard let (id, view) = message.place, id == epoch, view >= first,
        view < first + UInt64(schedule.count)
      else { return false }
      let parts = schedule[Int(view - first)]
      return parts[from] != parts[to]
    }
    let end = now + 40_000
    while now < end, oracle.failure == nil,
      honest.contains(where: { node in
        (nodes[node].replica?.view ?? 0) < first + UInt64(schedule.count)
          && nodes[node].replica?.epoch.id == epoch && nodes[node].replica?.isHalted == false
      })
    {
      for node in nodes.indices where nodes[node].replica != nil && random.chance(50) {
        let app = app(node)
        guard load.sits(nodes[node].person, in: app), nodes[node].person.index == node else {
          continue
        }
        submit(load.act(nodes[node].person, in: app, &random), by: node)
      }
      run(until: now + 400)
    }
    loses = { _, _, _ in false }
    judgeAfterLies()
  }
}

extension TableMessage {
  /// The epoch and the view that it speaks of.
  fileprivate var place: (Digest, UInt64)? {
    switch self {
    case .vote(let vote): (vote.subject.epoch, vote.subject.view)
    case .certificate(let certificate): (certificate.subject.epoch, certificate.subject.view)
    case .proposal(let block, _): (block.epoch, block.view)
    default: nil
    }
  }
}
