internal import CBOR
package import Wire

/// What a replica knows of going on below a quorum (CONSENSUS 1.7, Lost quorum): in the epoch it is
/// in, and of all those before.
struct Recoveries: Sendable {
  /// Steps that are written, each under the recovery's id.
  enum Step: UInt8 {
    /// This node is about to sign it, and votes no more in its epoch.
    case consented = 0
    /// All its voters have signed.
    case complete = 1
    /// This node goes on with it.
    case chosen = 2
    /// A voter who was left out has accepted it.
    case assent = 3
  }

  /// Complete ones that are remembered at the most; those of fewer voters go first.
  static let mostKnown = 8
  /// Incomplete ones of this epoch at the most.
  static let mostGathered = 16

  /// With whom the person here wants to go on, itself included.
  var wish: [PublicKey]?
  /// What the others were last told of that.
  var told: RecoveryWish?
  /// What the others want, by voter key.
  var wishes = SortedMap<PublicKey, RecoveryWish>()
  /// Incomplete ones of this epoch, with the signatures that are here.
  var gathered: [Recovery] = []
  /// Own consents in this epoch, without signatures.
  var consented: [Recovery] = []
  /// What is to be signed once the record with this index is durable.
  var writing: [(index: UInt64, statement: ApprovedStatement)] = []
  /// Durable consents and assents of a former run, to be signed again.
  var unsent: [ApprovedStatement] = []
  /// The one with which this node leaves this epoch, as soon as its block is here.
  var chosen: Recovery?
  /// Restored choices, by the epoch they leave.
  var choices: [Recovery] = []
  /// Complete ones, of this and of older epochs.
  var known: [Recovery] = []
  /// Who accepted, by recovery and voter.
  var assents = SortedMap<AssentPlace, Assent>()

  /// Names an assent.
  struct AssentPlace: Comparable, Sendable {
    let recovery: Digest
    let voter: PublicKey

    static func < (left: AssentPlace, right: AssentPlace) -> Bool {
      (left.recovery, left.voter) < (right.recovery, right.voter)
    }
  }

  /// This node has signed, or chosen, to leave the epoch: it votes no more in it.
  var isBound: Bool { !consented.isEmpty || chosen != nil }

  /// Nothing of the kind was ever heard of.
  var isIdle: Bool { known.isEmpty && gathered.isEmpty && !isBound }
  /// Something was asked for or signed, and is not complete.
  var isUnderWay: Bool { told != nil || !consented.isEmpty }

  /// Forgets what belongs to one epoch.
  mutating func begin() {
    wish = nil
    told = nil
    wishes = SortedMap()
    gathered = []
    consented = []
    writing.removeAll { if case .recovery = $0.statement { true } else { false } }
    unsent.removeAll { if case .recovery = $0 { true } else { false } }
    chosen = nil
  }

  /// The complete one with an id.
  func complete(_ id: Digest) -> Recovery? { known.first { $0.id == id } }

  /// Remembers a complete one; whether it is new and there was room for it.
  mutating func learn(_ recovery: Recovery) -> Bool {
    guard complete(recovery.id) == nil else { return false }
    known.append(recovery)
    guard known.count > Self.mostKnown else { return true }
    let kept = choices.map(\.id) + [chosen?.id].compactMap { $0 }
    let least = known.indices.filter { !kept.contains(known[$0].id) }
      .min { known[$0].voters.count < known[$1].voters.count }
    guard let least else { return true }
    return known.remove(at: least).id != recovery.id
  }

  /// Adds the signatures of an incomplete one; returns it with all that are here.
  mutating func gather(_ recovery: Recovery) -> Recovery {
    if let index = gathered.firstIndex(where: { $0.id == recovery.id }) {
      gathered[index] = gathered[index].adding(recovery.signatures)
      return gathered[index]
    }
    if gathered.count >= Self.mostGathered {
      let foreign = gathered.firstIndex { held in !consented.contains { $0.id == held.id } }
      guard let foreign else { return recovery }
      gathered.remove(at: foreign)
    }
    gathered.append(recovery)
    return recovery
  }
}

/// A recovery as those who went on, or were left out, see it.
package struct RecoveryStanding: Hashable, Sendable {
  package let recovery: Recovery
  /// Voters of the epoch that lost its quorum who did not sign it, ascending.
  package let absent: [PublicKey]
  /// Those of them who have accepted it since, ascending.
  package let assented: [PublicKey]
  /// More were left out than can be missed without losing moves that were final for them.
  package let mayHaveLost: Bool
  /// This log goes on with it.
  package let isFollowed: Bool
  /// This node may still go on with it: nothing final here contradicts it.
  package let mayFollow: Bool

  /// Somebody who was left out has not accepted it.
  package var isProvisional: Bool { assented.count < absent.count }
}

/// What is to be seen of going on below a quorum, as far as it changes without a final block.
package struct RecoveryMark: Equatable, Sendable {
  let wanting: [PublicKey]
  let known: [Digest]
  let assents: Int
  let chosen: Digest?
}

extension Record {
  static func recovery(_ recovery: Recovery, _ step: Recoveries.Step) -> Record {
    Record(
      .recovery, key: [step.rawValue] + recovery.id.bytes, value: recovery.cbor.encoded,
      isLazy: false)
  }

  static func assent(_ assent: Assent) -> Record {
    Record(
      .recovery,
      key: [Recoveries.Step.assent.rawValue] + assent.recovery.bytes + assent.voter.bytes,
      value: assent.cbor.encoded, isLazy: true)
  }
}
