internal import SimulationKit

/// The command line of `simulate`.
struct Arguments {
  static let usage = """
    Plays tables of one to seven simulated laptops on virtual time, each world from one seed: people
    act, networks, disks and clocks fail, some lie, and what the protocol promises is checked.

    simulate [--seeds COUNT] [--first-seed SEED]   COUNT worlds (500), the first from SEED (1)
    simulate --mutants                             each broken rule until a promise breaks with it
    simulate --mutant NAME,...                     these alone (in 1000 seeds at most, or --seeds)
    simulate --twins                               500 schedules of one key on two of four nodes,
                                                   then of three until the log was split 20 times
                                                   (with --seeds COUNT so many, and fewer splits)
    simulate --idle HOURS                          tables of 2, 3, 4 and 7 at which nobody acts
    simulate --seed SEED                           one world, with its figures and, if it fails,
                                                   the smallest world found that fails alike

    of these worlds:
      --nodes N              N people in each (drawn: 2 to 5 or 7, sometimes 1)
      --minutes M            people act for M minutes (until 100 entries are final, 1 at most)
      --span MILLISECONDS    the same, finer
      --liars none           nobody lies
      --liars 2=twins,3=...  who lies, and how: \(LiarKind.names)
      --without FAULT,...    not these: \(Fault.names)
      --stay                 nobody leaves
      --tell                 the last things that happened in the first one, as it is

    Exits with 0 when every promise held, 1 when one was broken, 2 for wrong usage.
    """

  var seeds: ClosedRange<UInt64> = 1...500
  var isSingle = false
  var isTold = false
  /// How long tables stay at rest; nil for worlds.
  var idleHours: UInt64?
  /// Schedules of twins, and no worlds.
  var isOfTwins = false
  /// Rules to break, one after the other; none for worlds as they are.
  var mutants: [Mutant] = []
  private var changes: [@Sendable (inout WorldPlan) -> Void] = []

  /// The world of a seed as it was asked for.
  func plan(_ seed: UInt64) -> WorldPlan {
    var plan = WorldPlan(seed: seed)
    for change in changes { change(&plan) }
    return plan
  }

  init?(_ words: ArraySlice<String>) {
    var given: UInt64?
    var first: UInt64 = 1
    var rest = words
    while let word = rest.popFirst() {
      switch word {
      case "--stay":
        changes.append { $0.weather.someoneLeaves = false }
        continue
      case "--tell":
        isTold = true
        continue
      case "--twins":
        isOfTwins = true
        continue
      case "--mutants":
        mutants = Mutant.all
        continue
      default: break
      }
      guard let text = rest.popFirst() else { return nil }
      if word == "--mutant" {
        let named = text.split(separator: ",").map { Mutant($0) }
        guard !named.isEmpty, !named.contains(nil) else { return nil }
        mutants = named.compactMap(\.self)
        continue
      }
      if word == "--liars" {
        guard let liars = WorldPlan.liars(text) else { return nil }
        changes.append { $0.liars = liars }
        continue
      }
      if word == "--without" {
        let names = text.split(separator: ",").map { Fault(rawValue: String($0)) }
        guard !names.contains(nil) else { return nil }
        changes.append { plan in for fault in names.compactMap(\.self) { plan.weather[fault] = 0 } }
        continue
      }
      guard let value = UInt64(text), value < 1 << 32 else { return nil }
      switch word {
      case "--seeds" where value > 0: given = value
      case "--idle" where (1...1_000).contains(value): idleHours = value
      case "--first-seed": first = value
      case "--seed":
        first = value
        given = 1
        isSingle = true
      case "--nodes" where (1...16).contains(value):
        changes.append { $0.resize(to: Int(value)) }
      case "--minutes" where value > 0: changes.append { $0.last(for: value * 60_000) }
      case "--span": changes.append { $0.last(for: value) }
      default: return nil
      }
    }
    let count = given ?? (mutants.isEmpty ? 500 : 1_000)
    seeds = first...(first + count - 1)
  }
}
