internal import CBOR
internal import Consensus
package import Wire

/// As leader shows blocks that can not stand: entries twice or out of turn, deadlines that nobody
/// passed, voters who never asked, a state that is not so.
package struct Cheat: Liar {
  package let kind = LiarKind.cheat

  /// Has shown nothing yet.
  package init() {}

  package mutating func says(
    _ message: TableMessage, to other: Int, in scene: inout Scene
  ) -> [TableMessage] {
    guard case .proposal(let block, let vote) = message, vote.voter == scene.person.voter else {
      return [message]
    }
    var lot = Random(seed: block.hash.raw.leadingWord)
    return [scene.proposal(spoil(block, &lot, in: scene))]
  }

  private func spoil(_ block: Block, _ lot: inout Random, in scene: Scene) -> Block {
    switch lot.below(7) {
    case 0: return block.changed(entries: block.entries + block.entries.prefix(1))
    case 1: return block.changed(entries: Array(block.entries.dropFirst()) + ownEntry(in: scene))
    case 2: return block.changed(state: Digest(.state, .unsigned(lot.next())))
    case 3: return block.changed(height: block.height + 1)
    case 4:
      let never = Digest(.deadline, .unsigned(lot.next()))
      let bytes = Passed.signedBytes(table: block.table, epoch: block.epoch, deadline: never)
      let own = KeySignature(
        scene.person.voter, CheapSignatures.sign(bytes, by: scene.person.voter))
      return block.changed(deadlines: [PassedDeadline(id: never, signatures: [own])])
    case 5:
      let stays = scene.epoch.voters.filter { $0 != scene.person.voter }
      return block.changed(change: VoterChange(joiners: [], leavers: Array(stays.prefix(1))))
    default: return block.changed(emptyRun: block.emptyRun + 1)
    }
  }

  /// An entry whose turn has not come.
  private func ownEntry(in scene: Scene) -> [Entry] {
    let draft = Entry.Draft(
      table: scene.table, author: scene.person.player, sequence: 1_000, body: [0x80])
    return [scene.person.sign(draft).body]
  }
}
