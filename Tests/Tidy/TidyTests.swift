import Testing

@Suite struct `The tree` {
  @Test(arguments: Rule.allCases)
  func `keeps every rule`(rule: Rule) {
    let offences = Project.files.flatMap { rule.offences(in: $0) }
    #expect(offences.isEmpty, "\(offences.map(\.description).joined(separator: "\n"))")
  }

  @Test func `is really read`() {
    let targets = Set(Project.files.compactMap { $0.target?.name })
    #expect(targets.isSuperset(of: Matrix.coreModules))
    #expect(Project.files.contains { $0.path == "Package.swift" })
    for file in Project.files where file.lineCount > 300 && file.path.hasSuffix(".swift") {
      print("long, is it still one story? \(file.path): \(file.lineCount) lines")
    }
  }

  @Test func `has no allowed lookup that is no longer there`() {
    for lookup in Rule.lookups {
      let file = Project.files.first { $0.path == lookup.path }
      #expect(file?.tokens.contains { $0.text == lookup.name } == true, "\(lookup)")
    }
  }
}
