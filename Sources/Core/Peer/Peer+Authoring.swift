import CBOR
import Consensus
import Discovery
import Games
import Table
import Wire

/// Own entries: from a decision to a signed entry in the replica.
extension Peer {
  /// Decides an own act: it gets the next sequence, goes to the disk, and is signed from there.
  ///
  /// Returns the refusal of the rules, as far as they can be known here and now; nothing is
  /// changed then. `isAnswered`: the command was answered before, so that nothing more is.
  mutating func author(
    _ act: Act, by author: PublicKey? = nil, for command: CommandID? = nil,
    isAnswered: Bool = false, at index: Int
  ) -> (code: String, message: String)? {
    guard trouble == nil else { return ("cannotWrite", trouble ?? "") }
    let session = sessions[index]
    let author = author ?? session.keys.player
    let final = session.finalSequence(of: author)
    let draft = Entry.Draft(
      table: session.id, author: author,
      sequence: session.outbox.nextSequence(of: author, final: final), body: act.encoded)
    if draft.sequence > 0, let refusal = refusal(of: draft, at: index) { return refusal }
    let record = persist(Outbox.record(of: draft, for: command))
    sessions[index].outbox.add(Outbox.Draft(draft: draft, command: command, record: record))
    if let command, !isAnswered {
      waitingReplies.append((command, record, .accepted(table: session.id)))
    }
    isChanged = true
    return nil
  }

  /// What the rules would say to an own act now; nil when they would take it.
  func rulesRefuse(_ act: Act, at index: Int) -> (code: String, message: String)? {
    let session = sessions[index]
    let player = session.keys.player
    return refusal(
      of: Entry.Draft(
        table: session.id, author: player,
        sequence: session.outbox.nextSequence(of: player, final: session.finalSequence(of: player)),
        body: act.encoded),
      at: index)
  }

  /// What the rules would say if the log ended here with the own entries that are on their way.
  private func refusal(
    of draft: Entry.Draft, at index: Int
  ) -> (code: String, message: String)? {
    var table = sessions[index].table
    var position: UInt64 = 0
    func outcome(of draft: Entry.Draft) -> Outcome? {
      // A new voter key, and who shows himself, sign beside the player's; nothing else here is cosigned.
      var cosigners: [KeySignature] = []
      if case .rekey(let rekey) = try? Act(decoding: draft.body) {
        cosigners = [KeySignature(rekey.voter, Signature.blank)]
      } else if case .show(let shown) = try? Act(decoding: draft.body) {
        cosigners = [KeySignature(shown.identity, Signature.blank)]
      }
      let entry = Entry(draft: draft, signature: Signature.blank, cosignatures: cosigners)
      guard table.admission(of: entry) == .now else { return nil }
      defer { position += 1 }
      return table.apply(
        entry,
        at: LogPlace(height: sessions[index].replica.finalHeight + 1, index: position))
    }
    for pending in sessions[index].outbox.pending(of: draft.author) {
      _ = outcome(of: pending.draft)
    }
    switch outcome(of: draft) {
    case .done: return nil
    case .void(let code): return (code, Refusal.sentence(of: code))
    case nil:
      return ("notSeated", "Your seat is not confirmed yet. Wait a moment, then try again.")
    }
  }

  /// How long a member's word on where it stands is waited for after a start.
  static let standingPatience: Milliseconds = 3_000
  /// How long after its word a member's copies of own entries are on their way.
  static let standingPause: Milliseconds = 200
  /// Commands that wait for it.
  static let waitingLimit = 64

  /// Opens the way for own entries once what others hold of mine is known (CONSENSUS 1.5): members
  /// have said where they stand and the log has come that far, or three seconds are over.
  mutating func openAuthoring(_ index: Int) {
    guard !sessions[index].mayAuthor else { return }
    let session = sessions[index]
    let height = session.replica.finalHeight
    let isCaughtUp =
      session.standings.contains { now >= $0.since + Peer.standingPause }
      && session.standings.allSatisfy { $0.status.height <= height }
    guard isCaughtUp || now >= session.openedAt + Peer.standingPatience else { return }
    sessions[index].mayAuthor = true
    adoptForeignOwn(index)
    signDurable(index)
    let waiting = sessions[index].waitingCommands
    sessions[index].waitingCommands = []
    for (command, id) in waiting { take(command, id: id, isLate: true) }
  }

  /// Own entries that others hold and this disk does not, after a rollback: their sequences are
  /// used; the replica has them in its pool already.
  private mutating func adoptForeignOwn(_ index: Int) {
    let session = sessions[index]
    for entry in session.replica.pendingEntries(by: session.keys.player)
    where !session.outbox.drafts.contains(where: {
      $0.draft.author == entry.author && $0.draft.sequence == entry.sequence
    }) {
      var draft = Outbox.Draft(draft: entry.draft, command: nil, record: nil)
      persist(Outbox.record(of: entry.draft, for: nil))
      draft.entry = entry
      sessions[index].outbox.add(draft)
    }
  }
}

extension TableSession {
  /// The sequence that the final log expects next of an author.
  func finalSequence(of author: PublicKey) -> UInt64 {
    table.standing(of: author)?.nextSequence ?? 0
  }
}

extension Signature {
  /// Stands where a signature is not looked at: when rules are asked what they would say.
  static let blank =
    Signature([UInt8](repeating: 0, count: 64))
    ?? {
      fatalError("a signature has 64 bytes")
    }()
}
