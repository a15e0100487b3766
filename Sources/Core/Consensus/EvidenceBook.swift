package import Wire

/// What proves that voters lied, for the life of the table: of each voter key one proof, the first.
struct EvidenceBook: Sendable {
  private var proofs = SortedMap<PublicKey, Evidence>()

  /// What is held against a key.
  subscript(voter: PublicKey) -> Evidence? { proofs[voter] }

  /// In the order of the keys.
  var all: [Evidence] { proofs.values }

  /// Keeps what is the first against its voter; whether it is.
  mutating func insert(_ evidence: Evidence) -> Bool {
    guard proofs[evidence.culprit] == nil else { return false }
    proofs[evidence.culprit] = evidence
    return true
  }
}

// Gathering, keeping and passing on what proves lies (V1-V4).
extension Replica {
  /// What is held against voters of this table, in the order of their keys.
  package var evidence: [Evidence] { book.all }

  /// Takes a proof in that was found here or shown by somebody: kept, passed on, reported, once.
  mutating func accuse(_ evidence: Evidence) {
    guard proves(evidence), !breaks("V3-blind"), book.insert(evidence) else { return }
    persist(.evidence(evidence))
    outbox.append(.accuse(evidence))
    send(.evidence(evidence))
  }

  /// Whether it holds in an epoch of this log.
  func proves(_ evidence: Evidence) -> Bool {
    guard evidence.table == founding.table,
      let epoch = ledger.epochs.first(where: { $0.id == evidence.epoch })
    else { return false }
    return evidence.verifies(in: epoch) || breaks("V1-any")
  }

  /// A proof from a member.
  mutating func receive(_ evidence: Evidence) {
    guard proves(evidence) else { return refuse("evidenceProvesNothing") }
    for vote in evidence.votes { noteIfForgotten(vote) }
    accuse(evidence)
  }

  /// Shows a peer everything that is held, once on each link.
  mutating func showEvidence(to peer: PeerID) {
    for evidence in book.all { send(.evidence(evidence), to: .peer(peer)) }
  }

  /// E5: whoever voted for a block that its `just` does not allow, as far as votes are held.
  mutating func blameVoters(for block: Block) {
    guard block.epoch == epoch.id, block.faultOfJustification(in: epoch) != nil,
      let round = rounds[block.view]
    else { return }
    for kind in [VoteKind.notarize, .finalize] {
      for vote in round.votes(kind) where vote.subject.block == block.hash {
        accuse(.unjustified(vote, block))
      }
    }
  }

  /// The same for votes that come in: a block that was judged valid is not looked at again.
  mutating func blameVoters(forUnjudged hash: Digest) {
    guard let node = tree[hash] else { return }
    if case .valid = node.verdict { return }
    blameVoters(for: node.block)
  }

  /// Late votes beside what the log proves of their view, in an epoch that may be closed.
  mutating func blame(_ subject: VoteSubject, _ signatures: [KeySignature]) {
    guard let number = ledger.epochs.firstIndex(where: { $0.id == subject.epoch }) else { return }
    let held = ledger.certificates(in: number, at: subject.view).filter {
      Evidence.contradict($0.subject, subject)
    }
    for part in signatures {
      let vote = Vote(subject: subject, voter: part.key, signature: part.signature)
      for other in held.flatMap(\.votes) where other.voter == part.key {
        accuse(.between(other, vote))
      }
    }
  }
}
