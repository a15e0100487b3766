internal import CBOR
internal import Consensus
package import Wire

/// Shows latecomers a past that never was.
///
/// It says that it stands far ahead, and answers those who
/// ask with blocks that it altered and proofs that only it signed. And it accuses others with votes
/// that prove nothing.
package struct Forger: Liar {
  package let kind = LiarKind.forger

  /// Has forged nothing yet.
  package init() {}

  package mutating func says(
    _ message: TableMessage, to other: Int, in scene: inout Scene
  ) -> [TableMessage] {
    switch message {
    case .status(let status):
      return [
        .status(
          Status(
            table: status.table, epoch: status.epoch, epochNumber: status.epochNumber,
            view: status.view, height: status.height + 50, tip: status.tip, state: status.state,
            reached: status.reached))
      ]
    case .chain(let chain): return [.chain(forged(chain, in: &scene))]
    case .block(let block): return [.block(block.changed(shownTime: block.shownTime + 1))]
    default: return [message]
    }
  }

  /// Two votes of one voter that an honest one makes.
  package mutating func acts(in scene: inout Scene) -> [Lie] {
    let votes = scene.memory.messages.compactMap { message -> Vote? in
      guard case .vote(let vote) = message, vote.voter != scene.person.voter else { return nil }
      return vote
    }
    guard let last = votes.last,
      let other = votes.first(where: { $0.voter == last.voter && $0.subject != last.subject })
    else { return [] }
    return scene.others.map { Lie(.evidence(.votes(last, other)), to: $0) }
  }

  private func forged(_ chain: Chain, in scene: inout Scene) -> Chain {
    guard !chain.blocks.isEmpty else { return chain }
    var blocks = chain.blocks
    let from = scene.random.below(blocks.count)
    for index in from..<blocks.count {
      let parent = index == 0 ? nil : blocks[index - 1].hash
      blocks[index] = blocks[index].changed(
        entries: Array(blocks[index].entries.dropLast()), parent: parent)
    }
    let proofs = chain.finalizations.map { proof -> Certificate in
      guard let block = blocks.last(where: { $0.epoch == proof.subject.epoch }) else {
        return proof
      }
      let subject = VoteSubject(
        table: scene.table, epoch: block.epoch, view: block.view, kind: .finalize,
        block: block.hash)
      return Certificate(subject: subject, signatures: scene.vote(subject).signatures)
    }
    return Chain(table: chain.table, blocks: blocks, finalizations: proofs)
  }
}
