internal import Wire

/// What is known of one view: the leader's proposal, votes by voter, certificates.
///
/// Of each kind one vote per voter is kept; a second, different one is evidence and dropped.
struct Round: Sendable {
  /// The first proposal seen that carries the leader's own notarize.
  struct Proposal: Sendable {
    let block: Digest
    let leaderVote: Vote
  }

  private(set) var proposal: Proposal?
  private(set) var certificates: [Certificate] = []
  /// The proposal was judged and can not stand.
  var isShownFalse = false
  private var votes: [[Vote]] = [[], [], []]

  /// What a vote did here.
  enum Absorbed {
    case new
    case known
    /// The voter said something else before.
    case contradicts(Vote)
  }

  /// Keeps the first proposal; the caller has seen that the vote is the leader's on that block.
  mutating func propose(_ block: Digest, with vote: Vote) {
    if proposal == nil || breaks("R3-second") {
      proposal = Proposal(block: block, leaderVote: vote)
    }
  }

  /// Takes a vote of this view in, and makes or widens the certificate of its subject.
  mutating func absorb(_ vote: Vote, quorum: Int) -> Absorbed {
    for kind in VoteKind.allCases where kind != vote.subject.kind {
      if let other = self.vote(kind, by: vote.voter),
        Evidence.contradict(other.subject, vote.subject)
      {
        _ = insert(vote)
        certify(vote, quorum: quorum)
        return .contradicts(other)
      }
    }
    if let known = self.vote(vote.subject.kind, by: vote.voter) {
      return known.subject == vote.subject ? .known : .contradicts(known)
    }
    _ = insert(vote)
    certify(vote, quorum: quorum)
    return .new
  }

  /// Takes a certificate in whose voters and number have been checked, and returns what
  /// contradicts it.
  mutating func absorb(_ certificate: Certificate, quorum: Int) -> [(Vote, Vote)] {
    var contradictions: [(Vote, Vote)] = []
    for part in certificate.signatures {
      let vote = Vote(
        subject: certificate.subject, voter: part.key, signature: part.signature)
      if case .contradicts(let other) = absorb(vote, quorum: quorum) {
        contradictions.append((other, vote))
      }
    }
    widen(certificate.subject, with: certificate.signatures, orMake: true)
    return contradictions
  }

  /// The certificate of a kind; of two, which only liars can make, the first.
  func certificate(_ kind: VoteKind) -> Certificate? {
    certificates.first { $0.subject.kind == kind }
  }

  /// The certificate of a kind on a block.
  func certificate(_ kind: VoteKind, on block: Digest) -> Certificate? {
    certificates.first { $0.subject.kind == kind && $0.subject.block == block }
  }

  /// Proof that a quorum wanted this block, the widest first.
  func proofs(of block: Digest) -> [Certificate] {
    [certificate(.notarize, on: block), certificate(.finalize, on: block)].compactMap { $0 }
      .sorted { $0.signatures.count > $1.signatures.count }
  }

  /// The vote of a kind by a voter.
  func vote(_ kind: VoteKind, by voter: PublicKey) -> Vote? {
    votes[Int(kind.rawValue)].first { $0.voter == voter }
  }

  /// All votes of a kind, in the order in which they came.
  func votes(_ kind: VoteKind) -> [Vote] { votes[Int(kind.rawValue)] }

  private mutating func insert(_ vote: Vote) -> Bool {
    guard self.vote(vote.subject.kind, by: vote.voter) == nil else { return false }
    votes[Int(vote.subject.kind.rawValue)].append(vote)
    return true
  }

  private mutating func certify(_ vote: Vote, quorum: Int) {
    let signatures = votes(vote.subject.kind).filter { $0.subject == vote.subject }
      .map { KeySignature($0.voter, $0.signature) }
    widen(vote.subject, with: signatures, orMake: signatures.count >= quorum)
  }

  private mutating func widen(
    _ subject: VoteSubject, with signatures: [KeySignature], orMake make: Bool
  ) {
    if let index = certificates.firstIndex(where: { $0.subject == subject }) {
      if let wider = certificates[index].widened(by: signatures) { certificates[index] = wider }
    } else if make {
      certificates.append(Certificate(subject: subject, signatures: signatures))
    }
  }
}

extension Certificate {
  /// The same with more signatures; nil when there is none to add.
  func widened(by others: [KeySignature]) -> Certificate? {
    let held = voters
    let more = others.filter { !held.contains($0.key) }
    guard !more.isEmpty else { return nil }
    return Certificate(subject: subject, signatures: signatures + more)
  }

  /// Whether a key is among those that signed.
  func hasSigned(_ voter: PublicKey) -> Bool { signatures.contains { $0.key == voter } }

  /// The single votes in it.
  var votes: [Vote] {
    signatures.map { Vote(subject: subject, voter: $0.key, signature: $0.signature) }
  }
}
