/// A small dictionary whose order is that of its keys, the same on every laptop.
///
/// Lookups search by halves; inserting at the end, the usual case for views and heights, is cheap.
package struct SortedMap<Key: Comparable & Sendable, Value: Sendable>: Sendable {
  /// Ascending.
  package private(set) var keys: [Key] = []
  /// In the order of `keys`.
  package private(set) var values: [Value] = []

  /// Makes an empty one.
  package init() {}

  /// How many pairs there are.
  package var count: Int { keys.count }
  /// Whether there are none.
  package var isEmpty: Bool { keys.isEmpty }

  /// The index of the first key that is not below `key`.
  package func firstIndex(notBelow key: Key) -> Int {
    var low = 0
    var high = keys.count
    while low < high {
      let middle = (low + high) / 2
      if keys[middle] < key { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// The value of a key; setting nil removes the pair.
  package subscript(key: Key) -> Value? {
    get {
      let index = firstIndex(notBelow: key)
      return index < keys.count && keys[index] == key ? values[index] : nil
    }
    set {
      let index = firstIndex(notBelow: key)
      let found = index < keys.count && keys[index] == key
      switch (newValue, found) {
      case (let value?, true): values[index] = value
      case (let value?, false):
        keys.insert(key, at: index)
        values.insert(value, at: index)
      case (nil, true):
        keys.remove(at: index)
        values.remove(at: index)
      case (nil, false): break
      }
    }
  }

  /// Changes the value of a key in place; `make` fills a gap.
  package mutating func update<Result>(
    _ key: Key, default make: @autoclosure () -> Value, _ change: (inout Value) -> Result
  ) -> Result {
    let index = firstIndex(notBelow: key)
    if index == keys.count || keys[index] != key {
      keys.insert(key, at: index)
      values.insert(make(), at: index)
    }
    return change(&values[index])
  }

  /// Changes the value of a key in place, if there is one.
  package mutating func update(_ key: Key, to change: (inout Value) -> Void) {
    let index = firstIndex(notBelow: key)
    if index < keys.count && keys[index] == key { change(&values[index]) }
  }

  /// Changes every value in place, in order.
  package mutating func updateAll(_ change: (Key, inout Value) -> Void) {
    for index in keys.indices { change(keys[index], &values[index]) }
  }

  /// Removes all pairs whose key is below `key`.
  package mutating func removeAll(below key: Key) {
    let index = firstIndex(notBelow: key)
    keys.removeFirst(index)
    values.removeFirst(index)
  }

  /// Keeps only the pairs that pass.
  package mutating func filter(_ passes: (Key, Value) -> Bool) {
    let kept = keys.indices.filter { passes(keys[$0], values[$0]) }
    guard kept.count < keys.count else { return }
    keys = kept.map { keys[$0] }
    values = kept.map { values[$0] }
  }
}
