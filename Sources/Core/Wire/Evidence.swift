package import CBOR

/// Signatures that no honest voter makes, for anybody to check: who made them has lied
/// (Protocol/consensus.md, "Evidence").
///
/// What is read from bytes is well formed: one table, epoch and voter. Whether it proves anything
/// is said by the epoch it is about.
package enum Evidence: Hashable, Sendable {
  /// Two votes of one voter in one view (E1-E4): two blocks notarized (E1), the view nullified and
  /// a block of it finalized (E2), two blocks finalized (E3), one notarized and another finalized
  /// (E4). The lesser first, by kind and then by block.
  case votes(Vote, Vote)
  /// A notarize or finalize of a block whose `just` does not allow its place (E5).
  case unjustified(Vote, Block)

  /// Two votes as evidence, in their order.
  package static func between(_ one: Vote, _ other: Vote) -> Evidence {
    isBefore(other, one) ? .votes(other, one) : .votes(one, other)
  }

  /// The vote that is there in any case.
  package var vote: Vote {
    switch self {
    case .votes(let vote, _), .unjustified(let vote, _): vote
    }
  }

  /// The two votes that contradict each other; nil where it is a vote and a block.
  package var pair: (Vote, Vote)? {
    if case .votes(let vote, let other) = self { (vote, other) } else { nil }
  }

  /// The voter key that it is about.
  package var culprit: PublicKey { vote.voter }
  /// The table of whose log it speaks.
  package var table: TableID { vote.subject.table }
  /// The epoch in which the voter signed.
  package var epoch: Digest { vote.subject.epoch }

  /// Whether one honest voter can not have made both.
  package static func contradict(_ left: VoteSubject, _ right: VoteSubject) -> Bool {
    guard left.table == right.table, left.epoch == right.epoch, left.view == right.view else {
      return false
    }
    switch (left.kind, right.kind) {
    case (.notarize, .notarize), (.finalize, .finalize), (.notarize, .finalize),
      (.finalize, .notarize):
      return left.block != right.block
    case (.nullify, .finalize), (.finalize, .nullify): return true
    case (.nullify, .nullify), (.nullify, .notarize), (.notarize, .nullify): return false
    }
  }

  private static func isBefore(_ left: Vote, _ right: Vote) -> Bool {
    (left.subject.kind.rawValue, left.subject.block) < (
      right.subject.kind.rawValue, right.subject.block
    )
  }

  /// Reads `[0, vote, vote]` or `[1, vote, block]`; what does not belong together is refused.
  package init(_ item: CBOR) throws(DecodeError) {
    let parts = try item.array("evidence", exactly: 3)
    let kind = try parts[0].int("evidence.kind", in: 0...255)
    let vote = try Vote(parts[1])
    switch kind {
    case 0:
      let other = try Vote(parts[2])
      guard vote.voter == other.voter, Self.contradict(vote.subject, other.subject),
        Self.isBefore(vote, other)
      else { throw .outOfRange("evidence.votes") }
      self = .votes(vote, other)
    case 1:
      let block = try Block(parts[2])
      let subject = vote.subject
      guard subject.kind != .nullify, subject.block == block.hash, subject.table == block.table,
        subject.epoch == block.epoch, subject.view == block.view,
        block.change?.evictions.isEmpty != false
      else { throw .outOfRange("evidence.block") }
      self = .unjustified(vote, block)
    default: throw .unknownKind("evidence.kind")
    }
  }

  /// The kind and the two parts.
  package var cbor: CBOR {
    switch self {
    case .votes(let vote, let other): [0, vote.cbor, other.cbor]
    case .unjustified(let vote, let block): [1, vote.cbor, block.cbor]
    }
  }
}
