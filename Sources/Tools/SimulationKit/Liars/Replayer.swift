internal import CBOR
internal import Consensus
internal import Wire

/// Says again what was said long ago, and gives votes to epochs that are over or never were.
package struct Replayer: Liar {
  package let kind = LiarKind.replayer

  /// Has said nothing again yet.
  package init() {}

  package mutating func acts(in scene: inout Scene) -> [Lie] {
    let old = scene.memory.messages
    guard !old.isEmpty, !scene.others.isEmpty else { return [] }
    var lies: [Lie] = []
    for _ in 0..<3 {
      let other = scene.others[scene.random.below(scene.others.count)]
      lies.append(Lie(old[scene.random.below(old.count)], to: other))
    }
    for other in scene.others + scene.others {
      let foreign = VoteSubject(
        table: scene.table, epoch: Digest(.epoch, .unsigned(scene.random.next())),
        view: scene.view, kind: .nullify, block: .zero)
      lies.append(Lie(.vote(scene.vote(foreign)), to: other))
    }
    return lies
  }
}
