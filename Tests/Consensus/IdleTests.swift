import SimulationKit
import Testing

@Suite("A table at which nobody acts")
struct IdleTests {
  @Test(
    "says nothing, writes nothing and keeps nothing more in 72 hours, and then goes on at once",
    arguments: [2, 3, 4, 7], IdleTrial.Story.allCases)
  func silent(people: Int, story: IdleTrial.Story) {
    // Two who play and one who helps are three.
    guard story != .witnessed || people > 2 else { return }
    let trial = IdleTrial.run(people: people, story: story, hours: 72, keepalive: 1_800_000)
    #expect(trial.failure == nil)
    #expect(trial.messages == 0)
    #expect(trial.writes == 0)
    #expect(trial.growth == 0)
    #expect(trial.timers == 0)
    #expect(trial.isAwake)
  }
}
