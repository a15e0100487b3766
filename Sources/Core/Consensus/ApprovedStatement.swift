package import Wire

/// What the keys may sign: nothing else reaches them from a replica.
package enum ApprovedStatement: Hashable, Sendable {
  case vote(ApprovedVote)
  case passed(ApprovedPassed)
  case ready(ApprovedReady)
  case evict(ApprovedEvict)
  case recovery(ApprovedRecovery)
  case assent(ApprovedAssent)

  /// The voter key that is to sign.
  package var voter: PublicKey {
    switch self {
    case .vote(let vote): vote.voter
    case .passed(let passed): passed.voter
    case .ready(let ready): ready.voter
    case .evict(let evict): evict.voter
    case .recovery(let approved): approved.voter
    case .assent(let assent): assent.voter
    }
  }

  /// The exact bytes to sign.
  package var signedBytes: [UInt8] {
    switch self {
    case .vote(let vote): vote.subject.signedBytes
    case .passed(let passed):
      Passed.signedBytes(table: passed.table, epoch: passed.epoch, deadline: passed.deadline)
    case .ready(let ready):
      Ready.signedBytes(table: ready.table, epoch: ready.epoch, block: ready.block)
    case .evict(let evict):
      Evict.signedBytes(table: evict.table, epoch: evict.epoch, target: evict.target)
    case .recovery(let approved): approved.recovery.signedBytes
    case .assent(let assent):
      Assent.signedBytes(table: assent.table, recovery: assent.recovery)
    }
  }

  /// Puts the signature on, and comes back through the door; throws when it does not hold.
  package func signed(
    with signature: Signature, checker: some SignatureChecking
  ) throws(WireError) -> SignedStatement {
    switch self {
    case .vote(let vote):
      return .vote(
        try Vote(subject: vote.subject, voter: voter, signature: signature).verified(by: checker))
    case .passed(let passed):
      let statement = Passed(
        table: passed.table, epoch: passed.epoch, deadline: passed.deadline, voter: voter,
        signature: signature)
      return .passed(try statement.verified(by: checker))
    case .ready(let ready):
      let statement = Ready(
        table: ready.table, epoch: ready.epoch, block: ready.block, voter: voter,
        signature: signature)
      return .ready(try statement.verified(by: checker))
    case .evict(let evict):
      let statement = Evict(
        table: evict.table, epoch: evict.epoch, target: evict.target, voter: voter,
        signature: signature)
      return .evict(try statement.verified(by: checker))
    case .recovery(let approved):
      let statement = approved.recovery.adding([KeySignature(voter, signature)])
      return .recovery(try statement.verified(by: checker))
    case .assent(let assent):
      let statement = Assent(
        table: assent.table, recovery: assent.recovery, voter: voter, signature: signature)
      return .assent(try statement.verified(by: checker))
    }
  }
}

/// A deadline ran out on this node's own clock, and nothing here would still meet it.
package struct ApprovedPassed: Hashable, Sendable {
  package let table: TableID
  package let epoch: Digest
  package let deadline: Digest
  package let voter: PublicKey

  init(table: TableID, epoch: Digest, deadline: Digest, voter: PublicKey) {
    self.table = table
    self.epoch = epoch
    self.deadline = deadline
    self.voter = voter
  }
}

/// A voter was out of reach for long, and the others would bear more without it.
package struct ApprovedEvict: Hashable, Sendable {
  package let table: TableID
  package let epoch: Digest
  package let target: PublicKey
  package let voter: PublicKey

  init(table: TableID, epoch: Digest, target: PublicKey, voter: PublicKey) {
    self.table = table
    self.epoch = epoch
    self.target = target
    self.voter = voter
  }
}

/// This node follows the log up to a final block and wants to vote from now on.
package struct ApprovedReady: Hashable, Sendable {
  package let table: TableID
  package let epoch: Digest
  package let block: Digest
  package let voter: PublicKey

  init(table: TableID, epoch: Digest, block: Digest, voter: PublicKey) {
    self.table = table
    self.epoch = epoch
    self.block = block
    self.voter = voter
  }
}

/// The people of these voters want to go on without the others, and this node votes no more in the
/// epoch they leave.
package struct ApprovedRecovery: Hashable, Sendable {
  /// Without signatures.
  package let recovery: Recovery
  package let voter: PublicKey

  init(recovery: Recovery, voter: PublicKey) {
    self.recovery = recovery
    self.voter = voter
  }
}

/// The person here goes on with those who went on, and this node votes no more in the epoch before.
package struct ApprovedAssent: Hashable, Sendable {
  package let table: TableID
  /// The recovery's id.
  package let recovery: Digest
  package let voter: PublicKey

  init(table: TableID, recovery: Digest, voter: PublicKey) {
    self.table = table
    self.recovery = recovery
    self.voter = voter
  }
}
