internal import Consensus
package import Wire

/// As leader shows two blocks in one view, each to half of the table, and votes for both.
package struct Equivocator: Liar {
  package let kind = LiarKind.equivocator
  /// By view: the block of its replica, and the other one.
  private var pairs = SortedMap<UInt64, (true: Digest, other: Block)>()

  /// Has lied in no view yet.
  package init() {}

  package mutating func says(
    _ message: TableMessage, to other: Int, in scene: inout Scene
  ) -> [TableMessage] {
    let isOdd = (other + Int(scene.view % 2)) % 2 == 1
    switch message {
    case .proposal(let block, let vote) where vote.voter == scene.person.voter:
      guard block.epoch == scene.epoch.id else { return [message] }
      if pairs.count > 32 { pairs = SortedMap() }
      let twin = block.changed(shownTime: block.shownTime + 1)
      pairs[block.view] = (block.hash, twin)
      return isOdd ? [scene.proposal(twin)] : [message]
    case .vote(let vote) where vote.voter == scene.person.voter && vote.subject.kind != .nullify:
      guard let pair = pairs[vote.subject.view], pair.true == vote.subject.block, isOdd else {
        return [message]
      }
      return [.vote(scene.vote(vote.subject.kind, pair.other.hash, in: vote.subject.view))]
    case .certificate(let certificate) where pairs[certificate.subject.view] != nil:
      return isOdd ? [] : [message]
    default: return [message]
    }
  }

  /// Finalizes the other block where the replica never will.
  package mutating func acts(in scene: inout Scene) -> [Lie] {
    guard let view = pairs.keys.last, let pair = pairs[view], view + 2 >= scene.view else {
      return []
    }
    return scene.others.flatMap { other -> [Lie] in
      let isOdd = (other + Int(view % 2)) % 2 == 1
      let hash = isOdd ? pair.other.hash : pair.true
      return [VoteKind.notarize, .finalize].map {
        Lie(.vote(scene.vote($0, hash, in: view)), to: other)
      }
    }
  }
}
