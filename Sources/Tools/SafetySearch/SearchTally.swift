// Where things are in a state, what of it makes a certificate, and what must not be.
extension SafetySearch {
  // MARK: Places

  func notarized(_ voter: Int, _ slot: Int) -> Int {
    blocks.slots.count + voter * width + 2 * slot
  }
  func finalized(_ voter: Int, _ slot: Int) -> Int { notarized(voter, slot) + 1 }
  func nullified(_ voter: Int) -> Int { notarized(voter, blocks.slots.count) }
  func held(_ voter: Int) -> Int { nullified(voter) + 1 }
  func words(_ voter: Int) -> Int { nullified(voter) + 2 }

  // MARK: Counting

  /// What the honest have signed, by block and by slot.
  struct Tally {
    var notarizes: [Int]
    var finalizes: [Int]
    var nullifies: [Int]
    /// By epoch: words on the deadline.
    var words: [Int]
    /// Blocks that are final for whoever is shown all votes.
    var final: [Int] = []

    init(in search: SafetySearch) {
      notarizes = Array(repeating: 0, count: search.blocks.all.count)
      finalizes = notarizes
      nullifies = Array(repeating: 0, count: search.blocks.slots.count)
      words = Array(repeating: 0, count: search.table.electorates.count)
    }

    mutating func take(_ state: State, in search: SafetySearch) {
      let slots = search.blocks.slots.count
      for block in notarizes.indices {
        notarizes[block] = 0
        finalizes[block] = 0
      }
      for slot in nullifies.indices { nullifies[slot] = 0 }
      for epoch in words.indices { words[epoch] = 0 }
      final.removeAll(keepingCapacity: true)
      for voter in 0..<search.table.honest {
        for slot in 0..<slots {
          let notarized = state[search.notarized(voter, slot)]
          if notarized != SafetySearch.none { notarizes[Int(notarized)] += 1 }
          let finalized = state[search.finalized(voter, slot)]
          if finalized != SafetySearch.none { finalizes[Int(finalized)] += 1 }
          if state[search.nullified(voter)] >> UInt8(slot) & 1 == 1 { nullifies[slot] += 1 }
        }
        for epoch in words.indices where state[search.words(voter)] >> UInt8(epoch) & 1 == 1 {
          words[epoch] += 1
        }
      }
      for block in finalizes.indices where finalizes[block] > 0 {
        let epoch = search.blocks.all[block].epoch
        if finalizes[block] + search.liars[epoch] >= search.quorums[epoch] { final.append(block) }
      }
    }
  }

  func isNotarized(_ block: Int, _ count: Tally) -> Bool {
    let epoch = blocks.all[block].epoch
    return count.notarizes[block] + liars[epoch] >= quorums[epoch]
  }

  func isSettled(_ block: Int, _ count: Tally) -> Bool {
    let epoch = blocks.all[block].epoch
    return count.finalizes[block] + liars[epoch] == table.electorates[epoch].count
  }

  /// R2.4: whether `just` can be made for a block.
  func isJustified(_ block: Int, _ count: Tally) -> Bool {
    let place = blocks.all[block]
    let isFirst = blocks.isAnchor(place.parent, of: block)
    guard isFirst || isNotarized(place.parent, count) else { return false }
    guard rules.needsNullifications else { return true }
    let start = isFirst ? firstSlot(of: place.epoch) : blocks.all[place.parent].slot + 1
    return (start..<place.slot).allSatisfy {
      count.nullifies[$0] + liars[place.epoch] >= quorums[place.epoch]
    }
  }

  func firstSlot(of epoch: Int) -> Int {
    blocks.slots.firstIndex { $0.epoch == epoch } ?? 0
  }

  // MARK: Judging

  func judge(_ count: Tally, _ state: State, _ result: inout SearchResult) {
    for (index, left) in count.final.enumerated() {
      let block = blocks.all[left]
      if block.endsDeadline {
        let honest = quorums[block.epoch] + rules.votesShort - liars[block.epoch]
        if count.words[block.epoch] < honest { result.endsHastily = true }
      }
      for right in count.final[..<index] where blocks.conflict(left, right) {
        result.disagrees = true
        if isSettled(left, count), isSettled(right, count) { result.settledDisagree = true }
      }
    }
  }
}
