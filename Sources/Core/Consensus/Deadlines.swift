internal import Wire

// Deadlines: each voter's own clock, and `Passed` as its word (CONSENSUS 1.4).
extension Replica {
  /// Statements about deadlines that are not open here, per voter; the next commit may open them.
  private static var mostUnknown: Int { 64 }

  /// Starts clocks for what the final state opened, and drops what it closed.
  mutating func syncClocks() {
    let open = app.deadlines
    for (id, clock) in zip(clocks.keys, clocks.values)
    where !open.contains(where: { $0.id == id }) {
      if let record = clock.deletion { persist(record) }
      clocks[id] = nil
      passed[id] = nil
    }
    for deadline in open where clocks[deadline.id] == nil {
      clocks[deadline.id] = DeadlineClock(
        deadline, elapsed: storedClocks[deadline.id] ?? 0, isHeard: hears(deadline))
    }
  }

  /// At a tick: lets the clocks run while a quorum is reachable, and gives one's word where one is
  /// over.
  mutating func runClocks(for span: Milliseconds) {
    guard !clocks.isEmpty else { return }
    let isRunning = hasQuorum || breaks("D1-alone")
    let heard = clocks.values.map(\.deadline).filter(hears)
    var records: [Record?] = []
    clocks.updateAll { _, clock in
      records.append(
        heard.contains(clock.deadline) ? clock.hear() : clock.count(span, isRunning: isRunning))
    }
    for record in records { if let record { persist(record) } }
    passDeadlines()
  }

  /// D4: the clock of a deadline about somebody's silence stands, for he is heard; or it is not this
  /// node that measures.
  func hears(_ deadline: Deadline) -> Bool {
    guard let silent = deadline.silent else { return false }
    guard let voter, epoch.has(voter), app.identity(ofVoter: voter) != silent else { return true }
    return neighbours[silent]?.isLinked == true
  }

  /// A word is given once per epoch, and never while an entry that may stand in the log next would
  /// meet the deadline.
  mutating func passDeadlines() {
    guard canVote, let voter else { return }
    let due = clocks.keys.filter { clocks[$0]?.isOver == true && clocks[$0]?.isPassed == false }
    guard !due.isEmpty else { return }
    // What waits for an entry that may never come hinders nobody.
    var next = app
    let pending = pool.batch(applyingTo: &next, height: finalHeight + 1)
    for id in due where !pending.contains(where: { app.meets(id, with: $0.entry) }) {
      clocks.update(id, to: { $0.isPassed = true })
      outbox.append(
        .sign(
          .passed(
            ApprovedPassed(table: founding.table, epoch: epoch.id, deadline: id, voter: voter))))
    }
  }

  /// An own `Passed` comes back signed.
  mutating func take(_ statement: Passed) {
    guard statement.voter == voter, statement.epoch == epoch.id, isEntitled else { return }
    keep(statement)
    send(.passed(statement))
  }

  mutating func receive(_ statement: Passed) {
    guard statement.epoch == epoch.id else { return refuse("passedOtherEpoch") }
    guard epoch.has(statement.voter) else { return refuse("passedNotVoter") }
    if clocks[statement.deadline] == nil {
      let unknown = passed.keys.filter { id in
        clocks[id] == nil && passed[id]?.contains { $0.voter == statement.voter } == true
      }
      guard unknown.count < Self.mostUnknown else { return refuse("passedUnknown") }
    }
    keep(statement)
  }

  private mutating func keep(_ statement: Passed) {
    passed.update(statement.deadline, default: []) { held in
      if !held.contains(where: { $0.voter == statement.voter }) { held.append(statement) }
    }
  }

  /// Ends the deadlines for which a quorum has given its word, as a leader does, and names them.
  func endDeadlines(in app: inout App, at first: LogPlace) -> [PassedDeadline] {
    guard !passed.isEmpty else { return [] }
    var ended: [PassedDeadline] = []
    for deadline in app.deadlines where ended.count < Limits.deadlinesPerBlock {
      guard let held = passed[deadline.id], held.count >= epoch.quorum else { continue }
      let place = LogPlace(height: first.height, index: first.index + UInt64(ended.count))
      do { try app.apply(deadline: deadline.id, at: place) } catch { continue }
      ended.append(
        PassedDeadline(
          id: deadline.id, signatures: held.map { KeySignature($0.voter, $0.signature) }))
    }
    return ended
  }

  /// A deadline is open for which a quorum has given its word.
  var hasPassedDeadline: Bool {
    clocks.keys.contains { (passed[$0]?.count ?? 0) >= epoch.quorum }
  }

  /// Own words on deadlines that are still open.
  var ownPassed: [Passed] {
    clocks.keys.compactMap { id in passed[id]?.first { $0.voter == voter } }
  }
}
