/// Many worlds side by side: each is a value of its own, so every core takes the next one.
package enum Worlds {
  private static let atOnce = 16

  /// Runs all plans and reports the worlds in their order, whichever is done first.
  package static func run(
    _ plans: some Sequence<WorldPlan>, report: (World) -> Void
  ) async {
    await run(plans, atOnce: atOnce) { world in
      report(world)
      return true
    }
  }

  /// The same until `goesOn` says that it is enough.
  package static func run(
    _ plans: some Sequence<WorldPlan>, atOnce: Int, goesOn: (World) -> Bool
  ) async {
    await withTaskGroup(of: (Int, World).self) { group in
      var rest = plans.makeIterator()
      var started = 0
      var reported = 0
      var waiting: [Int: World] = [:]
      func start() {
        guard let plan = rest.next() else { return }
        let index = started
        started += 1
        group.addTask { await (index, world(of: plan)) }
      }
      for _ in 0..<atOnce { start() }
      while let (index, world) = await group.next() {
        waiting[index] = world
        while let next = waiting.removeValue(forKey: reported) {
          reported += 1
          guard goesOn(next) else { return }
        }
        start()
      }
    }
  }

  @concurrent
  private static func world(of plan: WorldPlan) async -> World { World.run(plan) }
}
