/// All blocks that could be proposed at a table, and how they stand to one another.
struct SearchBlocks: Sendable {
  struct Block: Sendable {
    /// Its view, counted through all epochs; -1 for the genesis.
    let slot: Int
    let epoch: Int
    let parent: Int
    var isSeal = false
    var isFlush = false
    var endsDeadline = false
  }

  /// The epoch and the leader of a view.
  struct Slot: Sendable {
    let epoch: Int
    let leader: Int
  }

  private(set) var all = [Block(slot: -1, epoch: 0, parent: -1)]
  private(set) var slots: [Slot] = []
  /// By slot.
  private(set) var proposable: [[Int]] = []
  /// By block: whether each other is it or stands below it.
  private var below: [[Bool]] = []

  init(_ table: SearchTable) {
    for (epoch, voters) in table.electorates.enumerated() {
      for view in 0..<table.views[epoch] {
        slots.append(
          Slot(epoch: epoch, leader: voters[(view + table.offset) % voters.count]))
      }
    }
    for slot in slots.indices { grow(slot, table) }
    below = all.indices.map { block in
      var path = Array(repeating: false, count: all.count)
      var next = block
      while next >= 0 {
        path[next] = true
        next = all[next].parent
      }
      return path
    }
  }

  private mutating func grow(_ slot: Int, _ table: SearchTable) {
    let epoch = slots[slot].epoch
    let isLast = epoch + 1 == table.electorates.count
    var made: [Int] = []
    for parent in all.indices {
      let base = all[parent]
      let isAnchor = epoch == 0 ? parent == 0 : base.isSeal && base.epoch == epoch - 1
      guard isAnchor || (base.slot >= 0 && base.epoch == epoch && base.slot < slot) else {
        continue
      }
      let isSealed = !isAnchor && (base.isSeal || base.isFlush)
      for variant in 0..<(isSealed ? 1 : 2) {
        made.append(all.count)
        var block = Block(slot: slot, epoch: epoch, parent: parent)
        block.isFlush = isSealed
        if variant == 1 {
          block.isSeal = table.contents == .seal && !isLast
          block.endsDeadline = table.contents == .deadline && !hasEnded(parent)
        }
        all.append(block)
      }
    }
    proposable.append(made)
  }

  private func hasEnded(_ block: Int) -> Bool {
    var next = block
    while next >= 0 {
      if all[next].endsDeadline { return true }
      next = all[next].parent
    }
    return false
  }

  /// Whether the first block is the second one or stands below it.
  func isBelow(_ block: Int, _ other: Int) -> Bool { below[other][block] }

  /// Neither stands on the other; a flush block stands for its seal.
  func conflict(_ left: Int, _ right: Int) -> Bool {
    let (left, right) = (sealed(left), sealed(right))
    return !below[left][right] && !below[right][left]
  }

  private func sealed(_ block: Int) -> Int {
    var block = block
    while all[block].isFlush { block = all[block].parent }
    return block
  }

  /// Below the first block of its epoch, which has no parent in it.
  func isAnchor(_ parent: Int, of block: Int) -> Bool {
    parent == 0 || all[parent].epoch != all[block].epoch
  }
}
