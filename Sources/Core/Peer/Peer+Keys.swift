import Table
package import Wire

/// The keys that this node signs with, besides its identity: held for as long as something here needs them.
///
/// Each costs pages of its own in memory. Tables, seats asked for again, a laptop's help and a lost voter key come and
/// go in many ways, so no way out lets go of keys by itself: those that nothing needs any more are looked for.
extension Peer {
  /// Every key, besides the identity, that something here signs with or may have to; some more than once.
  ///
  /// A start takes no other into use.
  package var neededKeys: [PublicKey] {
    let arriving = arrivals.flatMap { ($0.keys?.all ?? []) + ($0.draft?.creator.keys ?? []) }
    let sitting = sessions.flatMap { $0.neededKeys(me: me) }
    return (arriving + sitting).filter { $0 != me }
  }

  /// Signs with the identity's alias at a table from now on.
  mutating func hold(_ alias: Alias) {
    effects.append(.hold(alias))
    if let key = alias.key(of: me) { heldKeys.append(key) }
  }

  /// Lets go of keys that nothing needs any more.
  mutating func forgetKeys() {
    guard !heldKeys.isEmpty else { return }
    let needed = neededKeys
    let idle = heldKeys.filter { !needed.contains($0) }
    guard !idle.isEmpty else { return }
    heldKeys.removeAll { idle.contains($0) }
    effects.append(.forget(idle))
  }
}

extension TableSession {
  /// Keys that are signed with here: the table's own, one that is to come, and those of entries that wait for their
  /// signatures, be it of a seat that was left.
  fileprivate func neededKeys(me: PublicKey) -> [PublicKey] {
    keys.all + (nextVoter.map { [$0] } ?? []) + [alias(of: me)]
      + outbox.unsigned.flatMap { signers(of: $0.draft, me: me) }
      + aside.flatMap { $0.neededKeys(me: me) }
  }

  /// Whose signatures an own entry bears.
  func signers(of draft: Entry.Draft, me: PublicKey) -> [PublicKey] {
    let seat = draft.sequence == 0 ? [alias(of: me), keys.voter] : []
    switch try? Act(decoding: draft.body) {
    case .rekey(let rekey): return [draft.author] + seat + [rekey.voter]
    case .show: return [draft.author] + seat + [me]
    default: return [draft.author] + seat
    }
  }
}
