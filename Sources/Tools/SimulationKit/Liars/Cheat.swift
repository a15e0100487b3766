internal import CBOR
internal import Consensus
package import Wire

/// As leader shows blocks that can not stand: entries twice or out of turn, deadlines that nobody
/// passed, voters who never asked or never left, a state that is not so.
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
    switch lot.below(9) {
    case 0: return block.changed(entries: block.entries + block.entries.prefix(1))
    case 1: return block.changed(entries: Array(block.entries.dropFirst()) + ownEntry(in: scene))
    case 2: return block.changed(state: Digest(.state, .unsigned(lot.next())))
    case 3: return block.changed(height: block.height + 1)
    case 4:
      return block.changed(deadlines: [passed(Digest(.deadline, .unsigned(lot.next())), in: scene)])
    case 5:
      let stays = scene.epoch.voters.filter { $0 != scene.person.voter }
      return block.changed(change: VoterChange(joiners: [], leavers: Array(stays.prefix(1))))
    case 6:
      guard let open = scene.deadlines.first else { return block }
      return block.changed(deadlines: [passed(open, in: scene)])
    case 7:
      guard let other = scene.epoch.voters.first(where: { $0 != scene.person.voter }) else {
        return block
      }
      let bytes = Evict.signedBytes(table: block.table, epoch: block.epoch, target: other)
      let eviction = Eviction(of: other, by: [own(bytes, in: scene)])
      return block.changed(change: VoterChange(joiners: [], leavers: [], evictions: [eviction]))
    default: return block.changed(emptyRun: block.emptyRun + 1)
    }
  }

  /// A deadline that nobody but itself passed.
  private func passed(_ id: Digest, in scene: Scene) -> PassedDeadline {
    let bytes = Passed.signedBytes(table: scene.table, epoch: scene.epoch.id, deadline: id)
    return PassedDeadline(id: id, signatures: [own(bytes, in: scene)])
  }

  private func own(_ bytes: [UInt8], in scene: Scene) -> KeySignature {
    KeySignature(scene.person.voter, CheapSignatures.sign(bytes, by: scene.person.voter))
  }

  /// An entry whose turn has not come.
  private func ownEntry(in scene: Scene) -> [Entry] {
    let draft = Entry.Draft(
      table: scene.table, author: scene.person.player, sequence: 1_000, body: [0x80])
    return [scene.person.sign(draft).body]
  }
}
