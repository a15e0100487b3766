internal import Consensus
package import Wire

/// Invariant 6, the part that needs no application: what a final block quotes for itself, counted
/// here with nothing of the replica's own code.
package enum BlockChecker {
  /// The most empty blocks in a row.
  private static var mostEmpty: UInt64 { 3 }

  /// What is wrong with a block that stands on one with so many empty ones up to it; nil for
  /// nothing, and where more lie than the epoch bears.
  package static func fault(
    of block: Block, after run: UInt64, electorates: Electorates
  ) -> String? {
    guard let electorate = electorates[block.epoch], electorate.isSound else { return nil }
    let expected = !block.isEmpty ? 0 : block.justification.nullifications.isEmpty ? run + 1 : 1
    guard block.emptyRun == expected else { return "another number of empty blocks" }
    guard block.emptyRun <= mostEmpty else { return "too many empty blocks" }
    for deadline in block.deadlines where !electorate.isQuorum(deadline.signatures) {
      return "a deadline that no quorum passed"
    }
    guard let change = block.change else { return nil }
    if change.joiners.isEmpty, change.leavers.isEmpty { return "a seal that changes nothing" }
    return fault(of: change, in: block, electorate, electorates)
  }

  private static func fault(
    of change: VoterChange, in block: Block, _ electorate: Electorates.Electorate,
    _ electorates: Electorates
  ) -> String? {
    for eviction in change.evictions {
      switch eviction.ground {
      case .lie where !electorates.lies(eviction.target): return "an honest voter taken out"
      case .votes(let signatures) where !electorate.isQuorum(signatures):
        return "a voter taken out without a quorum"
      default: break
      }
    }
    let stay = Set(electorate.voters).subtracting(change.leavers)
    let next = stay.count + change.joiners.count
    let just = block.justification
    let isFirst = just.parent == nil
    let signers =
      isFirst && electorate.number == 0
      ? electorate.voters : (just.parent ?? just.oldSeal)?.signatures.map(\.key) ?? []
    let held = stay.intersection(signers).count + change.joiners.count
    let needed = (next + (next - 1) / 3) / 2 + 1
    return held >= needed ? nil : "a seal that too few of its voters have signed for"
  }
}

extension Electorates.Electorate {
  /// Whether so many different voters signed that they decide.
  fileprivate func isQuorum(_ signatures: [KeySignature]) -> Bool {
    Set(signatures.map(\.key)).intersection(voters).count >= quorum
  }
}
