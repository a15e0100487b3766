internal import Consensus
internal import Wire

/// Nullifies the view that is on and the next ones, whatever else it votes in them.
package struct Nullifier: Liar {
  package let kind = LiarKind.nullifier

  /// Has nullified nothing yet.
  package init() {}

  package mutating func acts(in scene: inout Scene) -> [Lie] {
    let ahead = scene.random.number(0...2)
    let vote = TableMessage.vote(scene.vote(.nullify, .zero, in: scene.view + ahead))
    return scene.others.map { Lie(vote, to: $0) }
  }
}
