/// What is to come, soonest first; of one moment, in the order in which it was put in.
struct Queue<Item>: Sendable where Item: Sendable {
  private struct Slot: Sendable {
    let time: UInt64
    let order: UInt64
    let item: Item

    func isBefore(_ other: Slot) -> Bool { (time, order) < (other.time, other.order) }
  }

  private var heap: [Slot] = []
  private var next: UInt64 = 0

  /// When the next is due.
  var nextTime: UInt64? { heap.first?.time }

  mutating func push(_ item: Item, at time: UInt64) {
    heap.append(Slot(time: time, order: next, item: item))
    next += 1
    var child = heap.count - 1
    while child > 0 {
      let parent = (child - 1) / 2
      guard heap[child].isBefore(heap[parent]) else { break }
      heap.swapAt(child, parent)
      child = parent
    }
  }

  mutating func pop() -> (time: UInt64, item: Item)? {
    guard let first = heap.first, let last = heap.popLast() else { return nil }
    if !heap.isEmpty {
      heap[0] = last
      var parent = 0
      while true {
        var least = parent
        for child in [2 * parent + 1, 2 * parent + 2]
        where child < heap.count && heap[child].isBefore(heap[least]) {
          least = child
        }
        guard least != parent else { break }
        heap.swapAt(parent, least)
        parent = least
      }
    }
    return (first.time, first.item)
  }
}
