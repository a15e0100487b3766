package import Wire

/// Proof that voters lied: signatures that no honest voter makes together (CONSENSUS 1.8).
package enum Evidence: Hashable, Sendable {
  /// Two votes of one voter: two blocks notarized or finalized in one view (E1, E3), a view both
  /// nullified and finalized (E2), or one block notarized and another finalized (E4).
  case votes(Vote, Vote)
  /// Two finalizations of which neither block is an ancestor of the other, and who is known by
  /// their signatures to have lied.
  case finalizations(Certificate, Certificate, culprits: [PublicKey])

  /// The voter keys that are proven to have lied, ascending.
  package var culprits: [PublicKey] {
    switch self {
    case .votes(let vote, _): [vote.voter]
    case .finalizations(_, _, let culprits): culprits
    }
  }

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
}
