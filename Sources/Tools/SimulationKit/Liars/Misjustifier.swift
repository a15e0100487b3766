internal import Consensus
package import Wire

/// As leader shows blocks whose justification does not prove their place.
package struct Misjustifier: Liar {
  package let kind = LiarKind.misjustifier

  /// Has shown nothing yet.
  package init() {}

  package mutating func says(
    _ message: TableMessage, to other: Int, in scene: inout Scene
  ) -> [TableMessage] {
    guard case .proposal(let block, let vote) = message, vote.voter == scene.person.voter else {
      return [message]
    }
    // The same for all, or it would be an equivocation as well.
    var lot = Random(seed: block.hash.raw.leadingWord)
    return [scene.proposal(block.changed(just: spoil(block.justification, &lot, in: scene)))]
  }

  private func spoil(
    _ just: Justification, _ lot: inout Random, in scene: Scene
  ) -> Justification {
    let narrow = just.parent.map {
      Certificate(subject: $0.subject, signatures: [$0.signatures[0]])
    }
    switch lot.below(5) {
    case 0: return Justification(parent: nil, nullifications: just.nullifications)
    case 1: return Justification(parent: narrow, nullifications: just.nullifications)
    case 2:
      let none = scene.vote(.nullify, .zero, in: scene.view)
      let own = Certificate(subject: none.subject, signatures: none.signatures)
      return Justification(
        parent: just.parent, oldSeal: just.oldSeal, nullifications: just.nullifications + [own])
    case 3:
      return Justification(
        parent: just.parent, oldSeal: just.parent, nullifications: just.nullifications)
    default:
      return Justification(
        parent: scene.memory.certificates.first ?? just.parent,
        nullifications: Array(just.nullifications.dropLast()))
    }
  }
}
