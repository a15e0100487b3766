/// A rule broken on purpose, by the name that Core's seam knows it under.
///
/// The name begins with the rule's id in Protocol/consensus.md. What each does is said there, under
/// Mutants.
package struct Mutant: Hashable, Sendable {
  package let name: String

  /// Who must lie, and at a table of how many, for the rule to matter at all.
  package struct Stage: Hashable, Sendable {
    package let liar: LiarKind
    package let people: Int

    /// The world of a seed with this liar at this table, in the weather that was drawn.
    package func set(_ plan: WorldPlan) -> WorldPlan {
      var plan = plan
      plan.people = people
      plan.liars = [people == 3 ? 2 : 1 + Int(plan.seed % UInt64(people - 1)): liar]
      plan.weather.someoneLeaves = false
      return plan
    }
  }

  /// Nil for a rule that matters in any world.
  package var stage: Stage? { Self.stages[name] }

  private static let stages: [String: Stage] = {
    var stages: [String: Stage] = [:]
    let lies: [(LiarKind, Int, [String])] = [
      (.cheat, 4, ["R3-state", "R3-entries", "R3-empty", "S3-unwanted", "S7-any", "D3-any"]),
      (.misjustifier, 4, ["R3-just"]),
      (.turncoat, 3, ["R3-final", "R6.2-quorum", "R6.3-ignored", "V3-blind"]),
      (.forger, 4, ["V1-any", "C2-unproven"]),
    ]
    for (liar, people, names) in lies {
      for name in names { stages[name] = Stage(liar: liar, people: people) }
    }
    return stages
  }()

  /// One of those that there are; nil for any other name.
  package init?(_ name: some StringProtocol) {
    guard Self.names.contains(String(name)) else { return nil }
    self.name = String(name)
  }

  /// All of them, in the order of the rules.
  package static var all: [Mutant] { names.compactMap { Mutant($0) } }

  private static let names = [
    "R1-lone", "R2-nullified", "R2-gap", "R2.1-order", "R2.2-passed", "R2.3-endless", "R2.4-short",
    "R3-second", "R3-nullified", "R3-just", "R3-state", "R3-entries", "R3-empty", "R3-final",
    "R3-own", "R3.1-false", "R4-foreign", "R4-nullified", "R5-never", "R5-finalized",
    "R6-notarized", "R6.2-quorum", "R6.3-ignored", "R6.4-never", "R7-idle",
    "R7-minority", "R8-never", "R9-never", "R10-early", "R10-unseen", "R10.1-signs",
    "R10.2-forgets", "R10.3-unknown", "R10.4-hasty", "S1-old", "S2-any", "S3-unwanted", "S4-once",
    "S5-none",
    "S6-stops", "S7-any", "S8-hasty", "V1-any", "V3-blind", "C1-deaf", "C2-unproven", "D1-alone",
    "D2-once", "D3-any",
  ]
}
