/// Looks at every schedule of a small table, liars saying anything at any moment, and notes where
/// honest voters end.
///
/// A state is what honest voters have signed, what finalization each holds and what honest leaders
/// have proposed. Liars need no state: a certificate is possible when honest votes and all liars
/// make a quorum, and then it may be shown to whomever at whatever time.
package struct SafetySearch: Sendable {
  typealias State = SearchState

  static let none: UInt8 = 255
  /// Two conflicting finalizations were seen: nothing more is signed (R6.3).
  private static let stopped: UInt8 = 254

  let table: SearchTable
  let rules: SearchRules
  let blocks: SearchBlocks
  let quorums: [Int]
  let liars: [Int]

  // Where things are in a state: proposals by slot, then for each honest voter its notarize and
  // finalize by slot, the nullified slots, what it holds as final, and its words on the deadline.
  let width: Int

  private init(_ table: SearchTable, _ rules: SearchRules) {
    self.table = table
    self.rules = rules
    blocks = SearchBlocks(table)
    quorums = table.electorates.map { voters in
      (voters.count + (voters.count - 1) / 3) / 2 + 1 - rules.votesShort
    }
    liars = table.electorates.map { $0.count { $0 >= table.honest } }
    width = 2 * blocks.slots.count + 3
  }

  /// Searches until all is seen, or `isEnough` says so, or so many states were.
  package static func run(
    _ table: SearchTable, _ rules: SearchRules = SearchRules(), most: Int = 4_000_000,
    until isEnough: (SearchResult) -> Bool = { _ in false }
  ) -> SearchResult {
    let search = SafetySearch(table, rules)
    precondition(search.blocks.slots.count + table.honest * search.width <= State.size)
    return search.run(most: most, isEnough)
  }

  private func run(most: Int, _ isEnough: (SearchResult) -> Bool) -> SearchResult {
    var first = State(repeating: Self.none)
    for voter in 0..<table.honest {
      first[nullified(voter)] = 0
      first[held(voter)] = 0
      first[words(voter)] = 0
    }
    var result = SearchResult()
    var seen: Set<State> = [first]
    var open = [first]
    var count = Tally(in: self)
    while let state = open.popLast() {
      count.take(state, in: self)
      judge(count, state, &result)
      if isEnough(result) { break }
      step(state, count, &result) { next in
        if seen.insert(next).inserted { open.append(next) }
      }
      if seen.count > most {
        result.isComplete = false
        break
      }
    }
    result.states = seen.count
    return result
  }

  // MARK: Steps

  private func step(
    _ state: State, _ count: Tally, _ result: inout SearchResult, _ visit: (State) -> Void
  ) {
    for (slot, place) in blocks.slots.enumerated()
    where place.leader < table.honest && state[slot] == Self.none {
      propose(in: slot, by: place.leader, state, count, visit)
    }
    for voter in 0..<table.honest {
      learn(voter, state, count, visit)
      guard state[held(voter)] != Self.stopped else { continue }
      for slot in blocks.slots.indices where votes(voter, in: blocks.slots[slot].epoch, state) {
        vote(voter, in: slot, state, count, &result, visit)
      }
      guard table.contents == .deadline else { continue }
      for epoch in table.electorates.indices where votes(voter, in: epoch, state) {
        var next = state
        next[words(voter)] |= 1 << UInt8(epoch)
        visit(next)
      }
    }
  }

  /// Whether a voter signs in an epoch now (S1).
  private func votes(_ voter: Int, in epoch: Int, _ state: State) -> Bool {
    guard table.electorates[epoch].contains(voter) else { return false }
    let tip = Int(state[held(voter)])
    let current =
      blocks.all[tip].isSeal || blocks.all[tip].isFlush
      ? blocks.all[tip].epoch + 1 : blocks.all[tip].epoch
    if epoch < current { return !rules.closesEpochs }
    return epoch == current || (!rules.waitsForSeal && epoch == current + 1)
  }

  /// A block of an epoch that the voter has come to, by the seal that it holds as final.
  private func isReached(_ block: Int, by voter: Int, _ state: State, _ count: Tally) -> Bool {
    guard blocks.all[block].epoch > 0 else { return true }
    var seal = block
    while blocks.all[seal].epoch == blocks.all[block].epoch { seal = blocks.all[seal].parent }
    let tip = Int(state[held(voter)])
    if blocks.isBelow(seal, tip) { return true }
    return !rules.waitsForSeal && isNotarized(seal, count)
  }

  private func propose(
    in slot: Int, by leader: Int, _ state: State, _ count: Tally, _ visit: (State) -> Void
  ) {
    guard state[held(leader)] != Self.stopped, votes(leader, in: blocks.slots[slot].epoch, state)
    else { return }
    let isFree = table.contents != .entries
    for (index, block) in blocks.proposable[slot].enumerated()
    where isFree || index % 2 == 0 {
      guard isJustified(block, count), isReached(block, by: leader, state, count) else { continue }
      var next = state
      next[slot] = UInt8(block)
      visit(next)
    }
  }

  /// R6: any finalization may be learnt at any moment; a conflicting one ends it (R6.3).
  private func learn(
    _ voter: Int, _ state: State, _ count: Tally, _ visit: (State) -> Void
  ) {
    let tip = state[held(voter)]
    guard tip != Self.stopped else { return }
    for block in count.final where !blocks.isBelow(block, Int(tip)) {
      let isConflict = blocks.conflict(block, Int(tip))
      if isConflict, !rules.heedsFinal { continue }
      // A flush block of an epoch that is over says nothing new.
      if !isConflict, !blocks.isBelow(Int(tip), block) { continue }
      var next = state
      next[held(voter)] = isConflict ? Self.stopped : UInt8(block)
      visit(next)
    }
  }

  private func vote(
    _ voter: Int, in slot: Int, _ state: State, _ count: Tally, _ result: inout SearchResult,
    _ visit: (State) -> Void
  ) {
    let bit = UInt8(1) << UInt8(slot)
    let isNullified = state[nullified(voter)] & bit != 0
    let notarize = state[notarized(voter, slot)]
    let finalize = state[finalized(voter, slot)]
    if notarize == Self.none, !isNullified || !rules.keepsNullified {
      for block in blocks.proposable[slot] where mayNotarize(block, voter, slot, state, count) {
        var next = state
        next[notarized(voter, slot)] = UInt8(block)
        visit(next)
      }
    }
    if !isNullified, finalize == Self.none || !rules.finalizeExcludesNullify {
      var next = state
      next[nullified(voter)] |= bit
      visit(next)
    }
    guard finalize == Self.none, !isNullified || !rules.finalizeExcludesNullify else { return }
    for block in blocks.proposable[slot]
    where isNotarized(block, count) && (UInt8(block) == notarize || !rules.finalizesOwnOnly)
      && heeds(block, voter, slot, state)
    {
      var next = state
      next[finalized(voter, slot)] = UInt8(block)
      noteUnsettling(block, count, &result)
      visit(next)
    }
  }

  private func mayNotarize(
    _ block: Int, _ voter: Int, _ slot: Int, _ state: State, _ count: Tally
  ) -> Bool {
    let place = blocks.slots[slot]
    if place.leader < table.honest, state[slot] != UInt8(block) { return false }
    if blocks.all[block].endsDeadline,
      count.words[place.epoch] + liars[place.epoch] < quorums[place.epoch] - rules.wordsShort
    {
      return false
    }
    return isJustified(block, count) && isReached(block, by: voter, state, count)
      && heeds(block, voter, slot, state)
  }

  /// The no-conflict clauses of R3 and R4.
  private func heeds(_ block: Int, _ voter: Int, _ slot: Int, _ state: State) -> Bool {
    if rules.heedsFinal, blocks.conflict(block, Int(state[held(voter)])) { return false }
    guard rules.heedsOwn else { return true }
    for later in (slot + 1)..<(blocks.slots.count + 1)
    where later < blocks.slots.count && blocks.slots[later].epoch == blocks.slots[slot].epoch {
      let own = state[notarized(voter, later)]
      if own != Self.none, blocks.conflict(block, Int(own)) { return false }
    }
    return true
  }

  private func noteUnsettling(_ block: Int, _ count: Tally, _ result: inout SearchResult) {
    let epoch = blocks.all[block].epoch
    guard !count.final.contains(block),
      count.finalizes[block] + 1 + liars[epoch] >= quorums[epoch]
    else { return }
    if count.final.contains(where: { blocks.conflict($0, block) && isSettled($0, count) }) {
      result.unsettles = true
    }
  }
}
