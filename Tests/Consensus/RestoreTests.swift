import CBOR
import Consensus
import SimulationKit
import Testing
import Wire

@Suite("A restart (CONSENSUS 1.5)")
struct RestoreTests {
  /// Three play, one leaves: two seals, deadlines, void entries.
  private func played() throws -> Toy {
    var world = Toy(people: 3, seed: 21, weather: Weather(), load: ToyWorkload())
    let hasGathered = world.gather()
    try #require(hasGathered)
    for n in [3, 11, 4] as [UInt64] {
      for node in 0..<3 { world.submit(ToyTable.Act.add(n).body, by: node) }
      world.submit(ToyTable.Act.open(700).body, by: 1)
      world.run(until: world.now + 900)
    }
    world.submit(ToyTable.Act.leave.body, by: 2)
    let isSealed = world.run(until: world.now + 10_000) { $0.replica(0).epoch.number == 2 }
    try #require(isSealed)
    world.submit(ToyTable.Act.add(1).body, by: 1)
    let isDone = world.run(until: world.now + 10_000, \.isSettledDown)
    try #require(isDone, "\(world.summary)")
    return world
  }

  private func restored(_ records: [Record], as node: Int, in world: Toy) throws -> Replica<
    ToyTable
  > {
    try Replica(
      restoring: records, founding: world.founding, voter: world.nodes[node].person.voter,
      app: ToyWorkload().genesis(table: world.founding.table, creator: world.nodes[0].person),
      seed: 1, now: 0)
  }

  /// The rows of a key-value table after these writes.
  private func rows(after writes: ArraySlice<Record>) -> [Record] {
    var disk = Disk()
    for (index, record) in writes.enumerated() { disk.write(record, index: UInt64(index)) }
    disk.sync(through: UInt64(writes.count))
    return disk.records
  }

  @Test("brings back the same log, state and epoch, from rows in any order")
  func whole() throws {
    let world = try played()
    for node in 0..<3 {
      let before = world.replica(node)
      var random = Random(seed: UInt64(node))
      let rows = rows(after: world.nodes[node].disk.history[...]).shuffled(using: &random)
      let after = try restored(rows, as: node, in: world)
      #expect(after.finalHeight == before.finalHeight)
      #expect(after.finalTip == before.finalTip)
      #expect(after.epoch == before.epoch)
      #expect(after.app.stateHash == before.app.stateHash)
      #expect(
        after.finalBlocks(above: 0).map(\.outcomes) == before.finalBlocks(above: 0).map(\.outcomes))
      #expect(after.isAmnesiac == false)
    }
  }

  @Test("gives its word on a deadline whose time was over before, whenever it came")
  func overdue() throws {
    let world = try played()
    let history = world.nodes[0].disk.history
    var met = 0
    for count in 0...history.count {
      let rows = rows(after: history.prefix(count))
      var replica = try restored(rows, as: 0, in: world)
      let over = try replica.app.deadlines.filter { deadline in
        try rows.contains { row in
          guard row.kind == .clock, row.key == deadline.id.bytes, let value = row.value else {
            return false
          }
          return try CBOR(decoding: value).unsigned("clock") >= deadline.duration
        }
      }
      guard !over.isEmpty, replica.epoch.voters.count > 1 else { continue }
      met += 1
      var signed: [Digest] = []
      for second in 0...10 as ClosedRange<UInt64> {
        for case .sign(.passed(let passed)) in replica.step(.tick(second * 1_000)) {
          signed.append(passed.deadline)
        }
      }
      #expect(over.allSatisfy { signed.contains($0.id) }, "after \(count) writes")
    }
    #expect(met > 0)
  }

  @Test("after every single write finds a log that is a prefix, and every vote that was written")
  func everyPrefix() throws {
    let world = try played()
    let history = world.nodes[0].disk.history
    var height: UInt64 = 0
    for count in 0...history.count {
      let rows = rows(after: history.prefix(count))
      var replica = try restored(rows, as: 0, in: world)
      #expect(replica.finalHeight >= height)
      height = replica.finalHeight
      let signs = replica.step(.tick(0)).count { effect in
        if case .sign(.vote) = effect { true } else { false }
      }
      let votes = rows.count { $0.kind == .vote && $0.key.starts(with: replica.epoch.id.bytes) }
      #expect(signs <= votes)
      if count == history.count { #expect(height == world.replica(0).finalHeight) }
    }
  }

  @Test("refuses rows that can not be read, and an epoch whose seal is not there")
  func unreadable() throws {
    let world = try played()
    let rows = rows(after: world.nodes[0].disk.history[...])
    for (index, row) in rows.enumerated() where row.kind == .block || row.kind == .certificate {
      var torn = rows
      let value = try #require(row.value)
      torn[index] = try #require(
        Record(kind: row.kind.rawValue, key: row.key, value: Array(value.dropLast())))
      #expect(throws: RestoreError.self) { try restored(torn, as: 0, in: world) }
    }
    let withoutBodies = rows.filter { $0.kind != .block }
    #expect(throws: RestoreError.inconsistent(.epoch)) {
      try restored(withoutBodies, as: 0, in: world)
    }
    #expect(Record(kind: 99, key: [], value: []) == nil)
  }

  @Test("serves the whole chain to one who has nothing, in bounded pieces")
  func chain() throws {
    let world = try played()
    let answer = world.replica(0).chain(above: 0)
    #expect(answer.blocks.count <= Limits.chainBlocks)
    #expect(answer.blocks.last?.hash == world.replica(0).finalTip)
    #expect(Set(answer.finalizations.map(\.subject.epoch)).count == 3)
    #expect(world.replica(0).chain(above: world.replica(0).finalHeight).blocks.isEmpty)
  }
}
