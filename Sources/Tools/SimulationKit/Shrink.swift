/// From a world that fails to the smallest one nearby that fails alike.
package enum Shrink {
  /// Worlds that are tried at most.
  private static let most = 150

  /// Leaves out faults, liars and time as long as the same invariant breaks; the world it ends with
  /// has its transcript.
  package static func smallest(like failed: World) -> World {
    guard let invariant = failed.failure?.invariant else { return failed }
    var best = failed
    var tried: Set<WorldPlan> = []
    var isShrinking = true
    while isShrinking {
      isShrinking = false
      for smaller in steps(from: best) where tried.count < most && tried.insert(smaller).inserted {
        let world = World.run(smaller)
        guard world.failure?.invariant == invariant else { continue }
        best = world
        isShrinking = true
        break
      }
    }
    return World.run(best.plan, isTold: true)
  }

  /// Each a little smaller; what saves most comes first.
  private static func steps(from world: World) -> [WorldPlan] {
    let plan = world.plan
    var steps: [WorldPlan] = []
    func step(_ change: (inout WorldPlan) -> Void) {
      var smaller = plan
      change(&smaller)
      if smaller != plan { steps.append(smaller) }
    }
    for liar in plan.liars.keys.sorted() { step { $0.liars[liar] = nil } }
    for fault in plan.weather.faults { step { $0.weather[fault] = 0 } }
    step { $0.weather.someoneLeaves = false }
    if let time = world.failure?.time, time < plan.weather.span { step { $0.last(for: time) } }
    for part in [2, 5, 8] as [UInt64] { step { $0.last(for: plan.weather.span * part / 10) } }
    return steps
  }
}
