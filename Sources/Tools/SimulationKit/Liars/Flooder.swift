internal import CBOR
internal import Consensus
internal import Wire

/// Says everything it ever saw again and again, votes for views far ahead, and sends chains and
/// bodies that nobody asked for.
package struct Flooder: Liar {
  package let kind = LiarKind.flooder

  /// Has flooded nobody yet.
  package init() {}

  package mutating func acts(in scene: inout Scene) -> [Lie] {
    guard !scene.others.isEmpty else { return [] }
    let other = scene.others[scene.random.below(scene.others.count)]
    let far = scene.view + scene.random.number(1...200)
    var lies = [
      Lie(.chain(scene.tail), to: other),
      Lie(.vote(scene.vote(.nullify, .zero, in: far)), to: other),
      Lie(.vote(scene.vote(.notarize, Digest(.block, .unsigned(far)), in: far)), to: other),
      Lie(.getChain(scene.table, above: 0), to: other),
    ]
    if let block = scene.tail.blocks.last {
      lies.append(Lie(.block(block.changed(shownTime: scene.now)), to: other))
      lies.append(Lie(.getBlock(scene.table, block.hash), to: other))
    }
    let old = scene.memory.messages
    for _ in 0..<min(8, old.count) {
      lies.append(Lie(old[scene.random.below(old.count)], to: other))
    }
    return lies
  }
}
