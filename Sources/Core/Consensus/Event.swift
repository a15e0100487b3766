package import Wire

/// The identity key of the node at the other end of a link.
package typealias PeerID = PublicKey

/// Everything that can happen to a replica.
package enum Event: Sendable {
  /// A message that has come through the signature door.
  case received(Verified<TableMessage>, from: PeerID)
  /// An own entry, signed and durable.
  case submitted(Verified<Entry>)
  /// An own statement that `Effect.sign` asked for.
  case signed(SignedStatement)
  /// A link to a member came up.
  case linkUp(PeerID)
  /// The last link to a member closed.
  case linkDown(PeerID)
  /// Records up to this index are durable.
  case persisted(through: UInt64)
  /// The disk refused; nothing more is signed until a restart.
  case persistFailed
  /// Time has come to `now` on the monotonic clock; received frames were stepped before it.
  case tick(Milliseconds)
  /// The laptop slept: all timers start anew.
  case woke
  /// The person here wants to go on without those who can not be reached, or no longer does.
  case goOn(Bool)
  /// The person here goes on with those who went on: the id of their recovery.
  case follow(Digest)
}

/// An own statement back from the keys.
package enum SignedStatement: Sendable {
  case vote(Verified<Vote>)
  case passed(Verified<Passed>)
  case ready(Verified<Ready>)
  case evict(Verified<Evict>)
  case recovery(Verified<Recovery>)
  case assent(Verified<Assent>)
}

/// Whom a message is for.
package enum Recipients: Hashable, Sendable {
  /// Every member that a link reaches.
  case all
  /// One member.
  case peer(PeerID)
}

/// What a replica asks of the world, in order.
package enum Effect: Sendable {
  /// Write this; `persisted(through:)` reports it by its index, which grows by one per record.
  case persist(Record, index: UInt64)
  /// Sign this with the voter key; only sent when what it rests on is durable.
  case sign(ApprovedStatement)
  case send(TableMessage, to: Recipients)
  /// Tick no later than this.
  case wake(at: Milliseconds)
  /// A block became final here: its entries with their outcomes, in the order of the log.
  case committed(Block, [Outcome])
  /// The log goes on with fewer voters from here.
  case recovered(Recovery, at: LogPlace)
  /// Proof that a voter lied.
  case accuse(Evidence)
  /// Something was ignored; counted under its code.
  case refused(code: String)
}
