import Consensus
import Games
import Table
import Wire

/// What a proven log says to a person, and what it leaves open.
extension LogProof {
  var provenSentences: [String] {
    var out = [agreement]
    if refused > 0 {
      out.append("The rules refused \(refused) of these acts, which changed nothing.")
    }
    out.append(ending)
    if voters > 1 { out.append(signatures) }
    if !drawnBy.isEmpty { out.append(draw) }
    for person in people where person.lied {
      out.append(
        "\(named(person))'s laptop lied: it signed votes that no honest laptop signs together.")
    }
    return out
  }

  var unprovenSentences: [String] {
    var out: [String] = []
    let tags = people.filter { !isPretend($0) }.map { "\($0.name) \($0.tag)" }
    out.append(
      "Who the people are: a name is what its owner typed. Compare the key tags with them: "
        + "\(LogProof.list(tags)).")
    out.append("When it happened: times are what the laptops' own clocks showed.")
    out.append("What was said or seen away from the table.")
    if voters < 2 {
      out.append(
        "That it was the only log: \(voterNames.first ?? "one laptop") alone voted, and could have "
          + "made another one.")
    } else if liarsNeeded < 2 {
      out.append("That there is no other log of this table: one lying laptop could have made one.")
    }
    out.append(
      kind == nil && phase != "cancelled"
        ? "What came after block \(height): whoever saved the log may have saved it early."
        : "What came after the end.")
    if leaningSeals > 0 {
      out.append(
        "That \(LogProof.counted(leaningSeals, "change", "changes")) of voters stood on the last "
          + "one: a quorum said so, but an empty block between is not in the file.")
    }
    return out
  }

  /// Each time that some went on without others.
  func leftOut(of audit: Audit<Table>) -> [String] {
    zip(audit.epochs, audit.epochs.dropFirst()).compactMap { old, next in
      guard next.recovery != nil else { return nil }
      func names(_ voters: [PublicKey]) -> String {
        LogProof.list(
          audit.app.seats.filter { $0.voterKeys.contains(where: voters.contains) }.map(\.name))
      }
      let absent = names(old.voters.filter { !next.has($0) })
      return "That \(absent) agreed to what came after block \(next.anchorHeight): "
        + "\(names(next.voters)) went on without."
    }
  }

  private var agreement: String {
    let names = voterNames
    let what =
      "\(LogProof.counted(acts, "act", "acts")) in one order, "
      + "\(LogProof.counted(moves, "of them a move", "of them moves")) of the game"
    if names.count < 2 { return "\(names.first ?? "Nobody")'s laptop alone kept \(what)." }
    return "\(LogProof.list(names)) agreed on \(what)."
  }

  private var ending: String {
    let time = CalendarDate(milliseconds: resultShown).text
    switch kind {
    case .line: return "\(LogProof.list(winners)) won at \(time)."
    case .lastPlayer:
      return "\(LogProof.list(winners)) won at \(time), when everybody else had left."
    case .settled:
      return
        "The players settled the game at \(time). Closest to a line: \(LogProof.list(winners))."
    case .drawn: return "The game ended at \(time) with a draw."
    case .unfinished: return "The game ended at \(time) without a winner."
    case nil where height == 0: return "Nothing had happened at the table when the log was saved."
    case nil where phase == "cancelled": return "The table was called off before the game began."
    case nil: return "The game is not over in this log; its last block is of \(time)."
    }
  }

  private var signatures: String {
    let what = kind == nil ? "the last block" : "the result"
    let another =
      liarsNeeded > 1
      ? " Another one would need \(liarsNeeded) lying laptops." : ""
    if settled {
      let all = voters == 2 ? "Both" : "All \(LogProof.number(voters))"
      return "\(all) laptops signed \(what).\(another)"
    }
    return "\(signed) of \(voters) laptops signed \(what), which is enough.\(another)"
  }

  private var draw: String {
    "The boards were drawn from \(drawnBy.count == 1 ? "a secret" : "secrets") of "
      + "\(LogProof.list(drawnBy)), bound before any was known."
  }

  private var voterNames: [String] { people.filter(\.voted).map { named($0) } }

  /// With the tag where two share a name.
  private func named(_ person: Person) -> String {
    let same = people.count { PlainText.folded($0.name) == PlainText.folded(person.name) }
    return same > 1 ? "\(person.name) (\(person.tag))" : person.name
  }

  /// Pretend colleagues sit only at practice tables, beside the one who made it.
  private func isPretend(_ person: Person) -> Bool { practice && !person.voted }

  private static func list(_ names: [String]) -> String {
    guard let last = names.last, names.count > 1 else { return names.first ?? "Nobody" }
    return names.dropLast().joined(separator: ", ") + " and " + last
  }

  private static func counted(_ number: Int, _ one: String, _ many: String) -> String {
    "\(number) \(number == 1 ? one : many)"
  }

  private static func number(_ value: Int) -> String {
    let words = ["three", "four", "five", "six", "seven", "eight", "nine", "ten"]
    return (3...10).contains(value) ? words[value - 3] : "\(value)"
  }
}

/// A moment as people write it, in UTC; for display only.
struct CalendarDate {
  let text: String

  private static let months = [
    "January", "February", "March", "April", "May", "June", "July", "August", "September",
    "October", "November", "December",
  ]

  /// From milliseconds since the beginning of 1970 (the proleptic Gregorian calendar).
  init(milliseconds: UInt64) {
    let minutes = milliseconds / 60_000
    // Days since 1 March of the year 0, in eras of 400 years.
    let days = minutes / 1_440 + 719_468
    let era = days / 146_097
    let dayOfEra = days % 146_097
    let yearOfEra =
      (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let march = (5 * dayOfYear + 2) / 153
    let day = dayOfYear - (153 * march + 2) / 5 + 1
    let month = Int(march < 10 ? march + 2 : march - 10)
    let year = yearOfEra + era * 400 + (month < 2 ? 1 : 0)
    func two(_ number: UInt64) -> String { number < 10 ? "0\(number)" : "\(number)" }
    text =
      "\(two(minutes / 60 % 24)):\(two(minutes % 60)) UTC on \(day) "
      + "\(CalendarDate.months[month]) \(year)"
  }
}
