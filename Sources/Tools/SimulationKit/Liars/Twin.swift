internal import Consensus
package import Wire

/// One of two nodes with one key, each honest to its own half of the table (Bano and others:
/// "Twins: BFT Systems Made Robust", 2021).
///
/// Which half is whose changes from view to view, so that what one twin swore to a node the other
/// may deny to it later.
package struct Twin: Liar {
  package let kind = LiarKind.twins
  /// 0 or 1.
  package let half: Int
  /// It serves everybody, and others cut.
  private let isFree: Bool

  /// Serves one half; or all, where somebody else parts the two.
  package init(half: Int, isFree: Bool = false) {
    self.half = half
    self.isFree = isFree
  }

  package mutating func says(
    _ message: TableMessage, to other: Int, in scene: inout Scene
  ) -> [TableMessage] {
    serves(other, in: scene) ? [message] : []
  }

  package mutating func hears(
    _ message: TableMessage, from other: Int, in scene: inout Scene
  ) -> Bool {
    serves(other, in: scene)
  }

  /// Halves change every few views, and both twins cut alike.
  private func serves(_ other: Int, in scene: Scene) -> Bool {
    if isFree { return true }
    var cut = Random(seed: scene.view / 4 &+ scene.epoch.number &* 977)
    let bits = cut.next() >> 8
    return Int(bits >> UInt64(other) & 1) == half
  }
}
