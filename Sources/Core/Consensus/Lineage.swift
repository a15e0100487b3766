internal import CBOR
package import Wire

/// Which block stands on which, within one epoch; bodies and states are elsewhere.
package struct Lineage: Sendable {
  private struct Link: Sendable {
    let view: UInt64
    let parentView: UInt64
    let parent: Digest
  }

  private var links = SortedMap<Digest, Link>()
  private var finals = SortedMap<UInt64, Digest>()

  /// The view of the highest final block; 0 while that is the anchor.
  package private(set) var finalView: UInt64 = 0

  /// Starts at the seal, or the genesis, that the epoch stands on.
  package init(anchor: Digest) { finals[0] = anchor }

  /// Notes where a block stands.
  package mutating func insert(_ block: Block) {
    links[block.hash] = Link(
      view: block.view, parentView: block.parentView, parent: block.parent)
  }

  /// Notes that a block, which stands on the highest final one, is final.
  package mutating func finalize(_ block: Block) {
    insert(block)
    finals[block.view] = block.hash
    finalView = block.view
  }

  /// The final block of a view, if there is one.
  package func final(at view: UInt64) -> Digest? { finals[view] }

  /// How a block stands to the highest final one.
  package enum Relation: Sendable {
    /// It is final: that block or an ancestor of it.
    case final
    /// It stands above it.
    case above
    /// It can never be final beside it.
    case conflicting
    /// A body between is missing.
    case unknown
  }

  /// How the block of a view stands to the highest final one.
  package func relation(of hash: Digest, at view: UInt64) -> Relation {
    var view = view
    var hash = hash
    if view <= finalView { return finals[view] == hash ? .final : .conflicting }
    while view > finalView {
      guard let link = links[hash] else { return .unknown }
      (view, hash) = (link.parentView, link.parent)
    }
    return view == finalView && finals[view] == hash ? .above : .conflicting
  }

  /// View and hash of what a block stands on; nil for one that is not held.
  package func parent(of hash: Digest) -> (view: UInt64, hash: Digest)? {
    links[hash].map { ($0.parentView, $0.parent) }
  }

  /// Whether the block of a view is the later block, or one it stands on; false if a link is
  /// missing.
  package func isAncestor(_ hash: Digest, at view: UInt64, of later: Digest, at end: UInt64) -> Bool
  {
    var there = end
    var other = later
    while there > view {
      guard let link = links[other] else { return false }
      (there, other) = (link.parentView, link.parent)
    }
    return there == view && other == hash
  }
}
