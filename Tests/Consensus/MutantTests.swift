import Consensus
import Foundation
import SimulationKit
import Testing
import Wire

@Suite("Rules and their mutants")
struct MutantTests {
  private static let root = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  private func protocolText() throws -> String {
    try String(
      contentsOf: Self.root.appendingPathComponent("Protocol/consensus.md"), encoding: .utf8)
  }

  /// Ids of rules, as `- **R2.1** ...` names them; V1 and V2 say what evidence is.
  private func rules() throws -> Set<String> {
    let found = try protocolText().matches(of: /(?m)^- \*\*([A-Z][0-9]+(\.[0-9]+)?)\*\*/)
    return Set(found.map { String($0.1) })
  }

  /// First cells of the table under a heading, and what stands in the last ones.
  private func table(under heading: String) throws -> [(name: String, last: String)] {
    let text = try protocolText()
    let start = try #require(text.range(of: "### \(heading)\n"))
    let rest = text[start.upperBound...]
    let end = rest.range(of: "\n#")?.lowerBound ?? rest.endIndex
    return rest[..<end].split(separator: "\n").filter { $0.hasPrefix("| ") }.dropFirst(2).map {
      let cells = $0.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
      return (cells[0], cells[cells.count - 1])
    }
  }

  private func rule(of mutant: String) -> String {
    String(mutant.prefix { $0 != "-" })
  }

  @Test("every rule has a mutant or stands among those that have none, with a test that is there")
  func rulesAreHeld() throws {
    let rules = try rules()
    #expect(rules.count > 40)
    let mutated = Set(Mutant.all.map { rule(of: $0.name) })
    let without = try table(under: "Rules without a mutant")
    let excused = Set(without.map(\.name))
    #expect(mutated.isDisjoint(with: excused))
    #expect(mutated.union(excused) == rules, "\(mutated.union(excused).symmetricDifference(rules))")
    for (name, test) in without {
      let file = test.trimmingCharacters(in: CharacterSet(charactersIn: "`")) + ".swift"
      let isThere = try FileManager.default.subpathsOfDirectory(
        atPath: Self.root.appendingPathComponent("Tests").path
      ).contains { $0.hasSuffix("/\(file)") }
      #expect(isThere, "\(name): there is no \(file)")
    }
  }

  @Test("the mutants that the protocol describes are those that there are, in one order")
  func namesAgree() throws {
    let described = try table(under: "Mutants").map(\.name)
    #expect(described == Mutant.all.map(\.name))
    #expect(Set(described).count == described.count)
  }

  @Test("each mutant is at work somewhere in the core, and no other is")
  func seams() throws {
    let folder = Self.root.appendingPathComponent("Sources/Core")
    var used: Set<String> = []
    for path in try FileManager.default.subpathsOfDirectory(atPath: folder.path)
    where path.hasSuffix(".swift") {
      let text = try String(contentsOf: folder.appendingPathComponent(path), encoding: .utf8)
      used.formUnion(text.matches(of: /breaks\("([^"]+)"\)/).map { String($0.1) })
    }
    #expect(used == Set(Mutant.all.map(\.name)))
  }

  @Test("a peer gets 64 chains in a second and no more (C3)")
  func servings() {
    var world = Toy(people: 3, seed: 3, weather: Weather(), load: ToyWorkload())
    check(world.gather())
    world.run(until: world.now + 3_000)
    let question = TableMessage.getChain(world.founding.table, above: 0)
    let verified = try? question.verified(by: CheapSignatures())
    for _ in 0..<88 {
      guard let verified else { break }
      world.step(0, .received(verified, from: world.nodes[1].person.identity))
    }
    #expect(world.refusals["askedTooOften"] == 24)
  }

  @Test("whoever is at rest answers what is over with the proof that it is, once in Δ (R8.1)")
  func answersOnce() throws {
    var world = Toy(people: 3, seed: 3, weather: Weather(), load: ToyWorkload())
    check(world.gather())
    world.submit(ToyTable.Act.add(1).body, by: 0)
    world.run(until: world.now + 10_000)
    var replica = world.replica(0)
    let peer = world.nodes[1].person
    let subject = Fixture.subject(
      .notarize, replica.view - 1, replica.status.tip, replica.epoch, table: world.founding.table)
    let old = try TableMessage.vote(Fixture.vote(subject, by: peer.voter))
      .verified(by: CheapSignatures())
    func answers() -> Int {
      replica.step(.received(old, from: peer.identity)).count { effect in
        guard case .send(.certificate(let proof), let to) = effect else { return false }
        return to == .peer(peer.identity) && proof.subject.kind == .finalize
      }
    }
    #expect(answers() == 1)
    #expect(answers() == 0)
    _ = replica.step(.tick(world.now + 1_000))
    #expect(answers() == 1)
  }

  @Test("whoever knows of more that finalized the tip says so to whom one was lost (R8.1)")
  func answersNarrow() throws {
    var world = Toy(people: 3, seed: 3, weather: Weather(), load: ToyWorkload())
    check(world.gather())
    world.submit(ToyTable.Act.add(1).body, by: 0)
    world.run(until: world.now + 10_000)
    var replica = world.replica(0)
    let peer = world.nodes[1].person
    let view = replica.view - 1
    func answer(toThatOf voters: [PublicKey]) throws -> Certificate? {
      let certificate = Fixture.certificate(
        .finalize, view, replica.status.tip, replica.epoch, voters, table: world.founding.table)
      let message = try TableMessage.certificate(certificate).verified(by: CheapSignatures())
      for effect in replica.step(.received(message, from: peer.identity)) {
        if case .send(.certificate(let proof), .peer(peer.identity)) = effect { return proof }
      }
      return nil
    }
    let all = replica.epoch.voters
    #expect(try answer(toThatOf: all) == nil)
    #expect(try answer(toThatOf: Array(all.prefix(2)))?.signatures.count == 3)
  }
}
