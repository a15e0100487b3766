internal import SimulationKit

/// Tables at rest for so many hours, of two, three, four and seven, each after every story; whether all
/// were silent and nothing grew.
func tryIdle(hours: UInt64, keepalive: UInt64) async -> Bool {
  let trials = await withTaskGroup(of: (Int, IdleTrial).self) { group in
    var number = 0
    for people in [7, 4, 3, 2] {
      for story in IdleTrial.Story.allCases where story != .witnessed || people > 2 {
        group.addTask { [number] in
          (number, await rest(people, story, hours, keepalive))
        }
        number += 1
      }
    }
    var trials: [(Int, IdleTrial)] = []
    for await trial in group { trials.append(trial) }
    return trials.sorted { $0.0 < $1.0 }.map(\.1)
  }
  print("people  story      hours  messages  writes  growth  timers  then final in 1 s")
  for trial in trials {
    let words = [
      "\(trial.people)", trial.story.rawValue, "\(trial.hours)", "\(trial.messages)",
      "\(trial.writes)", "\(trial.growth)", "\(trial.timers)", trial.isAwake ? "yes" : "no",
    ]
    let widths = [8, 11, 7, 10, 8, 8, 8, 0]
    print(
      zip(words, widths).map { $0 + String(repeating: " ", count: max(1, $1 - $0.count)) }.joined())
    if let failure = trial.failure { print("  \(failure)") }
  }
  return trials.allSatisfy(\.isQuiet)
}

@concurrent
private func rest(
  _ people: Int, _ story: IdleTrial.Story, _ hours: UInt64, _ keepalive: UInt64
) async -> IdleTrial {
  IdleTrial.run(people: people, story: story, hours: hours, keepalive: keepalive)
}
