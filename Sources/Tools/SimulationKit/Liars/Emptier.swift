internal import Consensus
internal import Wire

/// As leader proposes an empty block on the highest final one whenever it can, work or none.
package struct Emptier: Liar {
  package let kind = LiarKind.emptier
  private var last: UInt64 = 0

  /// Has proposed nothing yet.
  package init() {}

  package mutating func acts(in scene: inout Scene) -> [Lie] {
    guard scene.isLeader, scene.view != last, let parent = scene.tail.blocks.last,
      parent.epoch == scene.epoch.id, !parent.isSeal,
      let proof = scene.tail.finalizations.last, proof.subject.block == parent.hash
    else { return [] }
    let nullifications = scene.memory.certificates.filter {
      $0.subject.epoch == scene.epoch.id && $0.subject.kind == .nullify
    }
    var between: [Certificate] = []
    for view in (parent.view + 1)..<max(scene.view, parent.view + 1) {
      guard let held = nullifications.last(where: { $0.subject.view == view }) else { return [] }
      between.append(held)
    }
    guard scene.view > parent.view else { return [] }
    last = scene.view
    let run = !between.isEmpty ? 1 : parent.isEmpty ? parent.emptyRun + 1 : 1
    let block = Block(
      table: scene.table, epoch: scene.epoch.id, view: scene.view, height: parent.height + 1,
      parentView: parent.view, parent: parent.hash, stateAfterParent: scene.status.state,
      emptyRun: run, entries: [], deadlines: [], change: nil,
      justification: Justification(parent: proof, nullifications: between), shownTime: 0)
    return scene.others.map { Lie(scene.proposal(block), to: $0) }
  }
}
