internal import Consensus

/// Everything that a world follows from.
package struct WorldPlan: Hashable, Sendable {
  package let seed: UInt64
  package var people: Int
  package var weather: Weather
  /// Who lies, and how.
  package var liars: [Int: LiarKind] = [:]

  /// Draws the people, the weather and the liars of a seed.
  package init(seed: UInt64) {
    var random = Random(seed: seed ^ 0x7461_626c_6574_616c)
    self.seed = seed
    people = [1, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 4, 5, 5, 7][random.below(16)]
    weather = Weather(&random)
    guard people > 1, random.chance(50) else {
      var lot = Random(seed: seed ^ 0x6c65_6176_6572)
      weather.leavesBeside = people == 3 && lot.chance(20)
      return
    }
    let most = people < 7 || random.chance(50) ? 1 : 2
    let kinds = LiarKind.allCases
    for _ in 0..<most {
      liars[1 + random.below(people - 1)] = kinds[random.below(kinds.count)]
    }
    // The last one leaves only where the others still bear the liars.
    let rest = people - 1
    let quorum = Quorum.size(of: rest)
    if liars.count > min(rest - quorum, 2 * quorum - rest - 1) || liars[rest] != nil {
      weather.someoneLeaves = false
    }
  }

  // MARK: Changes

  /// Another number of people; liars beyond it are gone.
  package mutating func resize(to people: Int) {
    self.people = people
    if people != 3 { weather.leavesBeside = false }
    liars = liars.filter { $0.key < people }
  }

  /// People act for so many milliseconds, however many entries become final.
  package mutating func last(for span: UInt64) {
    weather.span = span
    weather.entries = .max
  }

  /// Reads `2=twins,3=cheat`, or `none`; nil for anything else.
  package static func liars(_ text: String) -> [Int: LiarKind]? {
    if text == "none" { return [:] }
    var liars: [Int: LiarKind] = [:]
    for part in text.split(separator: ",") {
      let words = part.split(separator: "=")
      guard words.count == 2, let node = Int(words[0]), (1..<16).contains(node),
        let kind = LiarKind(rawValue: String(words[1]))
      else { return nil }
      liars[node] = kind
    }
    return liars
  }

  /// The words after `simulate` that make this world again.
  package var command: String {
    let drawn = WorldPlan(seed: seed)
    var words = ["--seed \(seed)"]
    if people != drawn.people { words.append("--nodes \(people)") }
    if weather.span != drawn.weather.span || weather.entries != drawn.weather.entries {
      words.append("--span \(weather.span)")
    }
    if liars != drawn.liars { words.append("--liars \(liarText)") }
    let gone = drawn.weather.faults.filter { weather[$0] == 0 }
    if !gone.isEmpty {
      words.append("--without " + gone.map(\.rawValue).joined(separator: ","))
    }
    if drawn.weather.someoneLeaves, !weather.someoneLeaves { words.append("--stay") }
    return words.joined(separator: " ")
  }

  private var liarText: String {
    liars.isEmpty
      ? "none"
      : liars.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value.rawValue)" }
        .joined(separator: ",")
  }

  /// In a few words.
  package var text: String {
    let faults = weather.faults.map { "\($0.rawValue) \(weather[$0])" }
    return "\(people) people; liars: \(liarText); weather: \(faults.joined(separator: ", ")), "
      + "delay \(weather.delay), sync \(weather.sync), down \(weather.down)"
  }
}

extension LiarKind {
  /// All of them, for the usage text.
  package static var names: String { allCases.map(\.rawValue).joined(separator: ", ") }
}

extension Fault {
  /// All of them, for the usage text.
  package static var names: String { allCases.map(\.rawValue).joined(separator: ", ") }
}
