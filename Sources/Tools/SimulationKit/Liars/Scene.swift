package import Consensus
package import Wire

/// What a liar knows: its own keys, where its replica stands, and what has passed by.
package struct Scene: Sendable {
  package let person: Person
  package let table: TableID
  package let epoch: Epoch
  package let view: UInt64
  /// Of the highest final block as its replica has it.
  package let status: Status
  /// The highest final blocks with their proof.
  package let tail: Chain
  /// Deadlines that are open.
  package let deadlines: [Digest]
  /// The nodes it has a link to.
  package let others: [Int]
  package let now: UInt64
  package var random: Random
  package let memory: Memory

  /// Whether it is its turn to propose.
  package var isLeader: Bool { epoch.leader(of: view) == person.voter }

  /// A vote of its own in the current epoch.
  package func vote(_ kind: VoteKind, _ block: Digest, in view: UInt64) -> Vote {
    vote(
      VoteSubject(
        table: table, epoch: epoch.id, view: view, kind: kind,
        block: kind == .nullify ? .zero : block))
  }

  /// A vote of its own on anything.
  package func vote(_ subject: VoteSubject) -> Vote {
    Vote(
      subject: subject, voter: person.voter,
      signature: CheapSignatures.sign(subject.signedBytes, by: person.voter))
  }

  /// A block as its proposal.
  package func proposal(_ block: Block) -> TableMessage {
    .proposal(
      block,
      vote(
        VoteSubject(
          table: block.table, epoch: block.epoch, view: block.view, kind: .notarize,
          block: block.hash)))
  }
}

/// The last messages that a liar heard and said, each once.
package struct Memory: Sendable {
  private static let most = 192
  /// The oldest first.
  package private(set) var messages: [TableMessage] = []

  /// Remembers nothing yet.
  package init() {}

  /// Takes one in, and forgets the oldest.
  package mutating func note(_ message: TableMessage) {
    if case .status = message { return }
    if messages.last == message { return }
    messages.append(message)
    if messages.count > Self.most { messages.removeFirst(Self.most / 4) }
  }

  /// Certificates among them and inside of them, the newest last.
  package var certificates: [Certificate] {
    messages.flatMap { message -> [Certificate] in
      switch message {
      case .certificate(let certificate): [certificate]
      case .proposal(let block, _), .block(let block): block.justification.certificates
      default: []
      }
    }
  }
}

extension Block {
  /// The same block with something changed.
  package func changed(
    state: Digest? = nil, emptyRun: UInt64? = nil, height: UInt64? = nil, entries: [Entry]? = nil,
    deadlines: [PassedDeadline]? = nil, change: VoterChange?? = nil, just: Justification? = nil,
    parent: Digest? = nil, shownTime: UInt64? = nil
  ) -> Block {
    Block(
      table: table, epoch: epoch, view: view, height: height ?? self.height,
      parentView: parentView, parent: parent ?? self.parent,
      stateAfterParent: state ?? stateAfterParent, emptyRun: emptyRun ?? self.emptyRun,
      entries: entries ?? self.entries, deadlines: deadlines ?? self.deadlines,
      change: change ?? self.change, justification: just ?? justification,
      shownTime: shownTime ?? self.shownTime)
  }
}
