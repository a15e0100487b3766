/// What is to happen, by time, and at one time in the order in which it was asked for: a heap.
struct Agenda<Item> {
  private struct Entry {
    let time: UInt64
    let order: UInt64
    let item: Item
  }

  private var heap: [Entry] = []
  private var order: UInt64 = 0

  /// When the next thing happens.
  var next: UInt64? { heap.first?.time }

  mutating func add(_ item: Item, at time: UInt64) {
    order += 1
    heap.append(Entry(time: time, order: order, item: item))
    var index = heap.count - 1
    while index > 0, comes(index, before: (index - 1) / 2) {
      heap.swapAt(index, (index - 1) / 2)
      index = (index - 1) / 2
    }
  }

  mutating func take() -> (time: UInt64, item: Item)? {
    guard let first = heap.first else { return nil }
    let last = heap.removeLast()
    guard !heap.isEmpty else { return (first.time, first.item) }
    heap[0] = last
    var index = 0
    while true {
      var least = index
      for child in [2 * index + 1, 2 * index + 2]
      where child < heap.count && comes(child, before: least) { least = child }
      guard least != index else { return (first.time, first.item) }
      heap.swapAt(index, least)
      index = least
    }
  }

  private func comes(_ one: Int, before other: Int) -> Bool {
    (heap[one].time, heap[one].order) < (heap[other].time, heap[other].order)
  }
}
