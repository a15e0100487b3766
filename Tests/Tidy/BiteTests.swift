import Testing

/// A rule that never fails protects nothing: each is fed what it must refuse and what it must not.
@Suite struct `Every rule bites` {
  struct Sample: CustomTestStringConvertible, Sendable {
    let rule: Rule
    let path: String
    let text: String

    init(_ rule: Rule, _ path: String, _ text: String) {
      self.rule = rule
      self.path = path
      self.text = text
    }

    var testDescription: String {
      "\(rule) \(path) \(text.prefix(60).map { $0 == "\n" ? "⏎" : String($0) }.joined())"
    }
    var offences: [Offence] { rule.offences(in: SourceFile(path: path, text: text)) }
  }

  static let core = "Sources/Core/Wire/A.swift"

  static let bad: [Sample] = [
    Sample(.importMatrix, "Sources/Core/CBOR/A.swift", "import Wire"),
    Sample(.importMatrix, "Sources/Core/Wire/A.swift", "package import Foundation"),
    Sample(.importMatrix, "Sources/Core/Wire/A.swift", "import struct Glibc.timespec"),
    Sample(.importMatrix, "Sources/Core/Wire/A.swift", "#if os(Linux)\nimport Dispatch\n#endif"),
    Sample(.importMatrix, "Sources/Core/Discovery/A.swift", "import Consensus"),
    Sample(.importMatrix, "Sources/Core/Consensus/A.swift", "import Games"),
    Sample(.importMatrix, "Sources/Core/Games/A.swift", "import Table"),
    Sample(.importMatrix, "Sources/Core/Table/A.swift", "import Discovery"),
    Sample(.importMatrix, "Sources/Core/Peer/A.swift", "import Keys"),
    Sample(.importMatrix, "Sources/Core/Peer/A.swift", "import CSodium"),
    Sample(.importMatrix, "Sources/Edge/Store/A.swift", "import Keys"),
    Sample(.importMatrix, "Sources/Edge/Sockets/A.swift", "import CSodium"),
    Sample(.importMatrix, "Sources/Edge/Keys/A.swift", "import Glibc"),
    Sample(.importMatrix, "Sources/Edge/WebFace/A.swift", "import Shell"),
    Sample(.importMatrix, "Sources/Core/Newcomer/A.swift", "import Wire"),
    Sample(.importMatrix, "Sources/Tools/SimulationKit/A.swift", "import Shell"),
    Sample(.purity, core, "let now = Date()"),
    Sample(.purity, core, "let dice = Int.random(in: 1...6)"),
    Sample(.purity, core, "let mixed = cards.shuffled(using: &source)"),
    Sample(.purity, core, "cards.shuffle()"),
    Sample(.purity, core, "let pick = cards.randomElement()"),
    Sample(.purity, core, "let number = name.hashValue"),
    Sample(.purity, core, "let text = \"\\(name.hashValue)\""),
    Sample(.purity, core, "let share: Double = 0"),
    Sample(.purity, core, "final class Node {}"),
    Sample(.purity, core, "actor Node {}"),
    Sample(.purity, core, "func run() async {}"),
    Sample(.purity, core, "let game: any Game"),
    Sample(.purity, core, "print(1)"),
    Sample(.purity, core, "extension Box: @unchecked Sendable {}"),
    Sample(.purity, core, "nonisolated(unsafe) var count = 0"),
    Sample(.hashedCollections, core, "var seats: [Key: Seat]"),
    Sample(.hashedCollections, core, "var seats: [Wire.Key: [Seat]]"),
    Sample(.hashedCollections, core, "var seats = Set<Seat>()"),
    Sample(.hashedCollections, core, "for seat in Set(seats) {}"),
    Sample(.hashedCollections, core, "let groups = Dictionary(grouping: seats) { $0.key }"),
    Sample(.hashedCollections, core, "let count = words.reduce(into: [:]) { $0[$1] = 1 }"),
    Sample(.cSymbols, core, "let r = crypto_sign_detached(&out, nil, m, n, key)"),
    Sample(.cSymbols, core, "crypto_core_ed25519_scalar_add(&sum, one, other)"),
    Sample(.cSymbols, core, "randombytes_buf(&out, 32)"),
    Sample(.cSymbols, core, "sqlite3_step(statement)"),
    Sample(.platformConditions, core, "#if os(Linux)\n#endif"),
    Sample(.platformConditions, "Sources/Edge/Keys/A.swift", "#if canImport(Darwin)\n#endif"),
    Sample(.platformConditions, "Sources/Edge/Store/A.swift", "#if arch(arm64)\n#endif"),
    Sample(
      .platformConditions, "Sources/Tools/bench/A.swift", "#if DEBUG\n#elseif os(macOS)\n#endif"),
    Sample(.fileLength, core, String(repeating: "let a = 1\n", count: 601)),
    Sample(
      .fileLength, "Sources/Tools/simulate/main.swift", String(repeating: "a()\n", count: 151)),
    Sample(.machinePaths, "README.md", "Look into \(Project.place)Sources."),
    Sample(.machinePaths, "Tests/Lan/a.py", "open('../" + "shared/cases')"),
    Sample(.unfinished, core, "// TO" + "DO: count"),
    Sample(.unfinished, core, "fatalError(\"not " + "implemented\")"),
    Sample(.topLevel, "notes.txt", "remember"),
    Sample(.documentedTypes, core, "package struct Seat {}"),
    Sample(.references, "README.md", "Read Protocol/nowhere.md."),
    Sample(.references, core, "/// As in `Sources/Core/Wire/Nothing.swift`"),
    Sample(.documentedTypes, core, "/// Says.\n\npackage enum Seat {}"),
  ]

  static let good: [Sample] = [
    Sample(.importMatrix, "Sources/Core/Wire/A.swift", "package import CBOR\nimport CSodium"),
    Sample(.importMatrix, "Sources/Edge/Shell/A.swift", "import Glibc\nimport Peer\nimport Store"),
    Sample(.importMatrix, "Sources/Edge/Sockets/A.swift", "import Glibc\nimport Dispatch"),
    Sample(.purity, core, "// Double is banned, so is Date()\n/* class /* actor */ */"),
    Sample(.purity, core, "let text = \"no class, no Date() \\(name) and no async\""),
    Sample(.purity, core, "let text = #\"a \"class\" \\(b) \"# + \"\"\"\n any Double\n \"\"\""),
    Sample(.purity, core, "stream.shuffle(&cards)"),
    Sample(.purity, core, "switch width { case .double: .any }"),
    Sample(.purity, core, "func encode(to encoder: any Encoder) throws {}"),
    Sample(.purity, "Tests/Wire/A.swift", "let now = Date()"),
    Sample(.hashedCollections, core, "let pick = parts[flag ? 1 : 2]; call(name: [a, b])"),
    Sample(.cSymbols, core, "crypto_generichash(&out, 32, b, n, nil, 0)"),
    Sample(.cSymbols, core, "crypto_sign_verify_detached(s, b, n, k)"),
    Sample(.cSymbols, core, "sodium_memcmp(a, b, 32)"),
    Sample(.cSymbols, core, "crypto_core_ed25519_add(&sum, key, step)"),
    Sample(.platformConditions, "Sources/Edge/Sockets/A.swift", "#if canImport(Darwin)\n#endif"),
    Sample(.platformConditions, core, "#if canImport(FoundationEssentials)\n#endif"),
    Sample(.fileLength, core, String(repeating: "let a = 1\n", count: 600)),
    Sample(.topLevel, "Sources/Core/Wire/A.swift", ""),
    Sample(.references, "README.md", "Read Package.swift and Sources/Core/Wire/Vote.swift."),
    Sample(.references, "README.md", "See Sources/Core and Tests/Wire, and Tests/run."),
    Sample(.documentedTypes, core, "/// Says.\n@frozen\npackage struct Seat {}"),
  ]

  @Test(arguments: bad)
  func `on what breaks it`(sample: Sample) {
    #expect(!sample.offences.isEmpty)
  }

  @Test(arguments: good)
  func `on nothing else`(sample: Sample) {
    #expect(sample.offences.isEmpty, "\(sample.offences)")
  }

  @Test(arguments: Rule.allCases)
  func `and none is without a sample`(rule: Rule) {
    #expect(Self.bad.contains { $0.rule == rule })
  }

  @Test func `on an allowed lookup that is walked through`() {
    let lookup = Rule.Lookup(path: Self.core, name: "seen", reason: "only asked for membership")
    func offences(_ text: String) -> Int {
      let file = SourceFile(path: Self.core, text: text)
      return Rule.hashedCollections.hashedOffences(file, lookups: [lookup]).count
    }
    #expect(offences("private var seen: Set<Digest> = []\nif seen.contains(id) {}") == 0)
    #expect(offences("seen[key] = 1; seen.removeValue(forKey: key)") == 0)
    #expect(offences("for id in seen {}") == 1)
    #expect(offences("let ids = seen.sorted()") == 1)
    #expect(offences("var other: Set<Digest> = []") == 1)
  }
}
