internal import CBOR
package import Wire

/// Who may have lied at most, and how many votes decide (CONSENSUS 1.2).
package enum Quorum {
  /// Votes that make a certificate among `n` voters: half of all and of the liars, rounded down,
  /// plus one.
  package static func size(of n: Int) -> Int { (n + faults(of: n)) / 2 + 1 }
  /// The same at a table that may be strict: there three agree only all together.
  package static func size(of n: Int, isStrict: Bool) -> Int {
    isStrict && n == 3 ? 3 : size(of: n)
  }
  /// Liars that a table of `n` is built for.
  package static func faults(of n: Int) -> Int { (n - 1) / 3 }
}

/// A span of the log with one set of voters (CONSENSUS 1.3, 1.7).
package struct Epoch: Hashable, Sendable {
  package let id: Digest
  /// Seals before it.
  package let number: UInt64
  /// Voter keys, ascending.
  package let voters: [PublicKey]
  /// The seal it starts from; the genesis for epoch 0.
  package let anchor: Digest
  /// The seal's height; 0 for epoch 0.
  package let anchorHeight: UInt64
  /// The id of the recovery it starts from; nil for epoch 0 and after a seal.
  package let recovery: Digest?
  /// Three voters agree only all together: the table was founded so.
  package let isStrict: Bool
  /// Whose turn it would be in view 0, not reduced to the number of voters.
  private let turn: UInt64

  /// Epoch 0: the creator's node alone (CONSENSUS 1.9).
  package init(_ founding: Founding) {
    id = Digest(
      .epoch, founding.genesis.cbor, founding.creator.cbor, .unsigned(1))
    number = 0
    voters = [founding.creator]
    anchor = founding.genesis
    anchorHeight = 0
    recovery = nil
    isStrict = founding.isStrict
    turn = Digest(ofBytes: id.bytes).raw.leadingWord
  }

  /// The epoch that a final seal starts.
  package init(after old: Epoch, seal: Block, change: VoterChange) {
    let voters = old.voters(after: change)
    self.voters = voters
    id = Digest(
      .epoch, old.id.cbor, seal.hash.cbor, .array(voters.map(\.cbor)),
      .unsigned(UInt64(old.quorum(of: voters.count))))
    number = old.number + 1
    anchor = seal.hash
    anchorHeight = seal.height
    recovery = nil
    isStrict = old.isStrict
    turn = Digest(ofBytes: id.bytes).raw.leadingWord
  }

  /// The epoch that a complete recovery starts: those who signed it vote, from its block on.
  package init(after old: Epoch, _ recovery: Recovery) {
    voters = recovery.voters
    id = Digest(
      .epoch, old.id.cbor, recovery.id.cbor, .array(recovery.voters.map(\.cbor)),
      .unsigned(UInt64(old.quorum(of: recovery.voters.count))))
    number = old.number + 1
    anchor = recovery.block
    anchorHeight = recovery.height
    self.recovery = recovery.id
    isStrict = old.isStrict
    turn = Digest(ofBytes: id.bytes).raw.leadingWord
  }

  /// It stands on a seal, whose finalization says who holds the log; else all its voters do.
  package var startsFromSeal: Bool { number > 0 && recovery == nil }

  /// Votes that make a certificate.
  package var quorum: Int { quorum(of: voters.count) }
  /// Votes that would make one among so many voters of this table.
  package func quorum(of n: Int) -> Int { Quorum.size(of: n, isStrict: isStrict) }
  /// Liars the epoch is built for.
  package var faults: Int { Quorum.faults(of: voters.count) }

  /// The voter who proposes in a view (CONSENSUS 1.4).
  package func leader(of view: UInt64) -> PublicKey {
    voters[Int((turn &+ view) % UInt64(voters.count))]
  }

  /// Whether a key votes here.
  package func has(_ voter: PublicKey) -> Bool { voters.contains(voter) }

  /// The voters there would be after a change, ascending.
  package func voters(after change: VoterChange) -> [PublicKey] {
    (voters.filter { !change.leavers.contains($0) } + change.joiners.map(\.voter)).sorted()
  }

  /// The seal rule (CONSENSUS 1.7): |signers of the parent's certificate ∩ V′| + ready joiners
  /// ≥ q(V′), so that the next epoch begins with a quorum that holds the log.
  package func permits(_ change: VoterChange, by signers: [PublicKey]) -> Bool {
    let next = voters(after: change)
    guard !next.isEmpty else { return false }
    let staying = signers.filter { has($0) && next.contains($0) }
    return staying.count + change.joiners.count >= quorum(of: next.count)
      || breaks("S2-any")
  }

  /// Whether a certificate is of this epoch, by voters of it, and enough of them.
  package func holds(_ certificate: Certificate) -> Bool {
    certificate.subject.epoch == id && certificate.signatures.count >= quorum
      && certificate.signatures.allSatisfy { has($0.key) }
  }
}

/// What a table's genesis fixes for its log.
package struct Founding: Hashable, Sendable {
  package let table: TableID
  /// The only voter until Start.
  package let creator: PublicKey
  /// Three voters agree only all together (CONSENSUS 1.2): none of them can cheat the others, and
  /// none may be missing.
  package let isStrict: Bool

  /// Names what the log rests on.
  package init(table: TableID, creator: PublicKey, isStrict: Bool = false) {
    self.table = table
    self.creator = creator
    self.isStrict = isStrict
  }

  /// Votes that make a certificate among so many voters.
  package func quorum(of n: Int) -> Int { Quorum.size(of: n, isStrict: isStrict) }

  /// The parent of the first block; a table is named by the hash of its genesis.
  package var genesis: Digest { Digest(raw: table.raw) }
}
