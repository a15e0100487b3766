/// Where something stands in a table's log.
package struct LogPlace: Hashable, Comparable, Sendable {
  /// Height of its block.
  package let height: UInt64
  /// Its index in the block: entries first, then deadlines, then the change of voters.
  package let index: UInt64

  /// Names a place.
  package init(height: UInt64, index: UInt64) {
    self.height = height
    self.index = index
  }

  package static func < (left: LogPlace, right: LogPlace) -> Bool {
    (left.height, left.index) < (right.height, right.index)
  }
}
