import Consensus
import SimulationKit
import Testing
import Wire

@Suite("Views that were skipped (R5.1)")
struct GapTests {
  /// A table of four at rest, and one of its nodes that is told of a nullification of the view after
  /// its own, so that it skips its own.
  private func skipping() throws -> (world: Toy, replica: Replica<ToyTable>) {
    var world = Toy(people: 4, seed: 3, weather: Weather(), load: ToyWorkload())
    let hasGathered = world.gather()
    try #require(hasGathered, "\(world.summary)")
    world.run(until: world.now + 3_000)
    var replica = world.replica(0)
    let certificate = Fixture.certificate(
      .nullify, replica.view + 1, .zero, replica.epoch,
      replica.epoch.voters.filter { $0 != replica.voter }, table: world.founding.table)
    let verified = try TableMessage.certificate(certificate).verified(by: CheapSignatures())
    _ = replica.step(.received(verified, from: world.nodes[1].person.identity))
    return (world, replica)
  }

  /// Lets time pass for one node whose disk takes everything; the views it signs a nullify in.
  private func nullified(
    by replica: inout Replica<ToyTable>, from start: UInt64, for span: UInt64
  ) -> [UInt64] {
    var views: [UInt64] = []
    var waiting = replica.step(.tick(start))
    for time in stride(from: start, to: start + span, by: 100) {
      for _ in 0..<4 {
        let effects = waiting
        waiting = []
        for effect in effects {
          switch effect {
          case .persist(_, let index): waiting += replica.step(.persisted(through: index))
          case .sign(.vote(let vote)) where vote.subject.kind == .nullify:
            views.append(vote.subject.view)
          default: break
          }
        }
      }
      waiting += replica.step(.tick(time))
    }
    return views
  }

  @Test("are nullified late when nothing goes on and no certificate of theirs is to be had")
  func late() throws {
    var (world, replica) = try skipping()
    let gap = replica.view - 2
    world.submit(ToyTable.Act.add(1).body, by: 1)
    let entry = try #require(
      world.replica(1).pendingEntries(by: world.nodes[1].person.player).first)
    let message = try TableMessage.entry(entry).verified(by: CheapSignatures())
    _ = replica.step(.received(message, from: world.nodes[1].person.identity))
    let views = nullified(by: &replica, from: world.now, for: 5_000)
    #expect(views.contains(gap), "\(views)")
    #expect(views.count { $0 == gap } == 1)
  }

  @Test("are left alone while nobody has anything to agree on")
  func idle() throws {
    var (world, replica) = try skipping()
    #expect(nullified(by: &replica, from: world.now, for: 20_000) == [])
  }

  @Test("are left alone when a certificate of theirs is held")
  func held() throws {
    var (world, replica) = try skipping()
    let gap = replica.view - 2
    let voters = replica.epoch.voters.filter { $0 != replica.voter }
    let certificate = Fixture.certificate(
      .nullify, gap, .zero, replica.epoch, voters, table: world.founding.table)
    let told = try TableMessage.certificate(certificate).verified(by: CheapSignatures())
    _ = replica.step(.received(told, from: world.nodes[1].person.identity))
    world.submit(ToyTable.Act.add(1).body, by: 1)
    let entry = try #require(
      world.replica(1).pendingEntries(by: world.nodes[1].person.player).first)
    let message = try TableMessage.entry(entry).verified(by: CheapSignatures())
    _ = replica.step(.received(message, from: world.nodes[1].person.identity))
    let views = nullified(by: &replica, from: world.now, for: 5_000)
    #expect(!views.contains(gap) && !views.isEmpty, "\(views)")
  }
}
