internal import CBOR
internal import Wire

// Below a quorum those who are here may go on without the others, when each of them wants to
// (rules L1-L6 of Protocol/consensus.md). Nothing of it happens by itself.
extension Replica {
  // MARK: Wanting to

  /// L1: the person here wants to go on with those who are linked, or no longer does.
  mutating func goOn(_ wants: Bool) {
    recoveries.wish = wants && mayGoOn ? goers : nil
    advanceRecovery()
  }

  /// Voters at the ends of one's own links, itself included, who have not gone on already.
  var goers: [PublicKey] {
    let gone = recoveries.known.filter { $0.epoch == epoch.id }.flatMap(\.voters)
    return without(gone, neighbours.direct(of: epoch, self: voter, app: app))
  }

  /// Voters who are known to vote no more in this epoch.
  var departed: [PublicKey] {
    guard !recoveries.isIdle else { return [] }
    let complete = recoveries.known.filter { $0.epoch == epoch.id }.flatMap(\.voters)
    let signed = recoveries.gathered.flatMap(\.signatures).map(\.key)
    return complete + signed + (recoveries.isBound ? [voter].compactMap { $0 } : [])
  }

  func without(_ others: [PublicKey], _ voters: [PublicKey]) -> [PublicKey] {
    others.isEmpty ? voters : voters.filter { !others.contains($0) }
  }

  mutating func receive(_ wish: RecoveryWish, from peer: PeerID) {
    guard wish.epoch == epoch.id else { return refuse("wishOtherEpoch") }
    guard let voter = epoch.voters.first(where: { app.identity(ofVoter: $0) == peer }),
      wish.voters.allSatisfy(epoch.has), wish.voters.isEmpty || wish.voters.contains(voter)
    else { return refuse("wishNotVoter") }
    recoveries.wishes[voter] = wish.voters.isEmpty ? nil : wish
  }

  /// A link is down: what its other end wanted may have changed when it is back.
  mutating func forgetWish(of peer: PeerID) {
    for voter in recoveries.wishes.keys where app.identity(ofVoter: voter) == peer {
      recoveries.wishes[voter] = nil
    }
  }

  // MARK: Agreeing

  /// Takes whatever step is due: tells the wish, consents, goes on.
  mutating func advanceRecovery() {
    adoptRecovery()
    if let wish = recoveries.wish, !mayGoOn || wish != goers { recoveries.wish = nil }
    guard let members = recoveries.wish else {
      if let told = recoveries.told {
        recoveries.told = nil
        send(
          .wish(
            RecoveryWish(
              table: told.table, epoch: told.epoch, view: told.view, block: told.block, voters: [])
          ))
      }
      return
    }
    judgeNotarized()
    let base = recoveryBase
    let mine = RecoveryWish(
      table: founding.table, epoch: epoch.id, view: base.view, block: base.hash, voters: members)
    if recoveries.told != mine {
      recoveries.told = mine
      if let certificate = ledger.finalization(in: epoch.id) { send(.certificate(certificate)) }
      for certificate in certificatesAbove(of: Self.viewsAnswered) {
        send(.certificate(certificate))
      }
      send(.wish(mine))
    }
    guard members.allSatisfy({ $0 == voter || recoveries.wishes[$0] == mine }) else { return }
    consent(members, to: base)
  }

  /// L2: the highest notarized block whose body is here and holds; of two in a view, which only
  /// liars can make, the lower.
  private var recoveryBase: Base<App> {
    for index in rounds.values.indices.reversed() where rounds.keys[index] > lineage.finalView {
      let hashes = rounds.values[index].certificates.filter { $0.subject.kind != .nullify }
        .map(\.subject.block).sorted()
      for hash in hashes { if let base = tree.base(hash) { return base } }
    }
    return tree.root
  }

  /// L3: all who are here want the same; from now on nothing is voted in this epoch.
  private mutating func consent(_ members: [PublicKey], to base: Base<App>) {
    guard let voter else { return }
    let recovery = Recovery(
      table: founding.table, epoch: epoch.id, view: base.view, height: base.height,
      block: base.hash, voters: members)
    guard !recoveries.consented.contains(recovery) else { return }
    if base.hash != tree.root.hash { writeBody(base.hash) }
    let index = persist(.recovery(recovery, .consented))
    recoveries.consented.append(recovery)
    recoveries.writing.append(
      (index, .recovery(ApprovedRecovery(recovery: recovery, voter: voter))))
  }

  /// What is durable is signed.
  mutating func signRecovery(through index: UInt64) {
    let durable = recoveries.writing.prefix { $0.index <= index }
    recoveries.writing.removeFirst(durable.count)
    for (_, statement) in durable { outbox.append(.sign(statement)) }
  }

  /// After a restart: durable consents and assents are signed and sent again.
  mutating func resumeRecovery() {
    for statement in recoveries.unsent { outbox.append(.sign(statement)) }
    recoveries.unsent = []
  }

  // MARK: Signatures

  /// L4: signatures of a recovery come in, own ones too; it counts when all its voters have signed.
  mutating func gather(_ recovery: Recovery) {
    guard let number = ledger.epochs.lastIndex(where: { $0.id == recovery.epoch }) else {
      return refuse("recoveryUnknownEpoch")
    }
    guard number > 0, recovery.voters.allSatisfy(ledger.epochs[number].has),
      !recovery.signatures.isEmpty
    else { return refuse("recoveryNotVoter") }
    guard recoveries.complete(recovery.id) == nil else { return }
    guard recovery.epoch == epoch.id else {
      if recovery.isComplete { learn(recovery) }
      return
    }
    let isOwn = recovery.signatures.map(\.key) == [voter]
    let gathered = recoveries.gather(recovery)
    if gathered.isComplete {
      recoveries.gathered.removeAll { $0.id == gathered.id }
      learn(gathered)
    } else if isOwn {
      send(.recovery(gathered))
    }
  }

  private mutating func learn(_ recovery: Recovery) {
    guard recoveries.learn(recovery) else { return }
    persist(.recovery(recovery, .complete))
    send(.recovery(recovery))
    guard recovery.epoch == epoch.id, let voter, recovery.voters.contains(voter) else { return }
    choose(recovery)
  }

  private mutating func choose(_ recovery: Recovery) {
    guard recoveries.chosen == nil else { return }
    recoveries.chosen = recovery
    recoveries.choices.append(recovery)
    let index = persist(.recovery(recovery, .chosen))
    if let approved = assent(to: recovery) {
      recoveries.writing.append((index, .assent(approved)))
    }
    adoptRecovery()
  }

  private func assent(to recovery: Recovery) -> ApprovedAssent? {
    guard let voter, !recovery.voters.contains(voter),
      ledger.epochs.contains(where: { $0.id == recovery.epoch && $0.has(voter) })
    else { return nil }
    return ApprovedAssent(table: founding.table, recovery: recovery.id, voter: voter)
  }

  // MARK: Going on

  /// L5: the log up to the recovery's block is here: an epoch of those who signed begins on it.
  mutating func adoptRecovery() {
    guard let recovery = recoveries.chosen, !isHalted, recovery.view >= lineage.finalView else {
      return
    }
    if recovery.block != tree.root.hash {
      guard case .valid(let base, _) = judge(recovery.block, isFinal: true),
        base.view == recovery.view, base.height == recovery.height,
        let path = tree.path(to: recovery.block)
      else { return }
      var isFlush = false
      for node in path {
        guard case .valid(let next, let outcomes) = node.verdict else { return }
        append(node, outcomes, isFlush: isFlush)
        if isFlush { continue }
        app = next.app
        outbox.append(.committed(node.block, outcomes))
        isFlush = node.block.isSeal
      }
    }
    let last = ledger.items.last { !$0.isFlush }?.block
    let place = LogPlace(height: recovery.height, index: last.map { UInt64($0.items) } ?? 0)
    app.recover(recovery.voters, at: place)
    begin(Epoch(after: epoch, recovery))
    outbox.append(.recovered(recovery, at: place))
    afterCommit()
  }

  /// The first body that is missing under the block on which this node goes on.
  var missingForRecovery: Digest? {
    guard let recovery = recoveries.chosen, recovery.view > lineage.finalView else { return nil }
    return tree.missing(under: recovery.block)
  }

  // MARK: Those who were left out

  /// L6: the person here goes on with those who went on.
  mutating func follow(_ id: Digest) {
    guard let recovery = recoveries.complete(id), mayFollow(recovery) else { return }
    choose(recovery)
  }

  /// Nothing final here contradicts it, and this node has not gone another way.
  func mayFollow(_ recovery: Recovery) -> Bool {
    guard recovery.epoch == epoch.id, recoveries.chosen == nil, !isHalted, !isSilenced else {
      return false
    }
    switch lineage.relation(of: recovery.block, at: recovery.view) {
    case .above, .unknown: return recovery.view >= lineage.finalView
    case .final: return recovery.view == lineage.finalView
    case .conflicting: return false
    }
  }

  /// An own assent comes back signed.
  mutating func take(_ assent: Assent) {
    guard assent.voter == voter || formerVoters.contains(assent.voter) else { return }
    keep(assent)
    send(.assent(assent))
  }

  mutating func receive(_ assent: Assent) {
    guard let recovery = recoveries.complete(assent.recovery),
      let old = ledger.epochs.first(where: { $0.id == recovery.epoch }), old.has(assent.voter),
      !recovery.voters.contains(assent.voter)
    else { return refuse("assentUnknown") }
    keep(assent)
  }

  private mutating func keep(_ assent: Assent) {
    let place = Recoveries.AssentPlace(recovery: assent.recovery, voter: assent.voter)
    guard recoveries.assents[place] == nil else { return }
    recoveries.assents[place] = assent
    persist(.assent(assent))
  }

  /// Whoever comes back, or stands in another epoch, is told of all that was gone on with.
  mutating func tellRecoveries(to peer: PeerID) {
    if let told = recoveries.told { send(.wish(told), to: .peer(peer)) }
    for recovery in recoveries.known { send(.recovery(recovery), to: .peer(peer)) }
    for own in recoveries.gathered where own.signatures.contains(where: { $0.key == voter }) {
      send(.recovery(own), to: .peer(peer))
    }
    for assent in recoveries.assents.values { send(.assent(assent), to: .peer(peer)) }
  }

  /// A peer who has gone on without this node has nothing for it but the end of their common log:
  /// asked for once per height, and never once this node has gone another way.
  mutating func hasGone(_ peer: PeerID, _ status: Status) -> Bool {
    guard !recoveries.isIdle, !ledger.epochs.contains(where: { $0.id == status.epoch }) else {
      return false
    }
    let ways = recoveries.known.filter { recovery in
      recovery.voters.contains { app.identity(ofVoter: $0) == peer }
        && !ledger.epochs.contains { $0.recovery == recovery.id }
    }
    guard !ways.isEmpty else { return false }
    let height = finalHeight
    guard ways.contains(where: { $0.epoch == epoch.id }), neighbours[peer]?.askedGoneAt != height
    else { return true }
    neighbours.change(peer) { $0.askedGoneAt = height }
    askChain(of: peer)
    return true
  }

  /// L8: what a peer plays is not played here.
  ///
  /// It went on without this node, or was left out and has not accepted that.
  func playsElsewhere(_ peer: PeerID) -> Bool {
    guard !recoveries.known.isEmpty else { return false }
    func sits(_ voters: [PublicKey]) -> PublicKey? {
      voters.first { app.identity(ofVoter: $0) == peer }
    }
    let ways = ledger.epochs.compactMap(\.recovery)
    if let last = ways.last, let own = recoveries.complete(last) {
      if sits(own.voters) != nil { return false }
      let old = ledger.epochs.first { $0.id == own.epoch }
      if let absent = sits(old?.voters ?? []) { return !hasAssented(absent, last) }
    }
    return recoveries.known.contains { !ways.contains($0.id) && sits($0.voters) != nil }
  }

  // MARK: After a restart

  /// Takes the written steps back, before the log is replayed.
  mutating func restoreRecoveries(_ records: [Record]) throws(RestoreError) {
    for record in records where record.kind == .recovery {
      guard let value = record.value, let step = record.key.first.flatMap(Recoveries.Step.init)
      else { throw .inconsistent(.recovery) }
      do {
        if step == .assent {
          let assent = try Assent(CBOR(decoding: value))
          let place = Recoveries.AssentPlace(recovery: assent.recovery, voter: assent.voter)
          recoveries.assents[place] = assent
          continue
        }
        let recovery = try Recovery(CBOR(decoding: value))
        switch step {
        case .consented: recoveries.consented.append(recovery)
        case .complete: recoveries.known.append(recovery)
        case .chosen: recoveries.choices.append(recovery)
        case .assent: break
        }
      } catch {
        throw .malformed(.recovery, error)
      }
    }
  }

  /// Once an epoch has been replayed: what this node did in it, and where it went from there.
  mutating func resumeRecoveries(_ restored: Recoveries) {
    recoveries.consented = restored.consented.filter { $0.epoch == epoch.id }
    recoveries.chosen = restored.choices.first { $0.epoch == epoch.id }
    adoptRecovery()
  }

  /// Consents without a choice, and assents whose signing a crash prevented, are signed again.
  mutating func resumeStatements() {
    guard let voter else { return }
    if recoveries.chosen == nil {
      recoveries.unsent += recoveries.consented.map {
        .recovery(ApprovedRecovery(recovery: $0, voter: voter))
      }
    }
    for recovery in recoveries.choices {
      let place = Recoveries.AssentPlace(recovery: recovery.id, voter: voter)
      guard recoveries.assents[place] == nil, let approved = assent(to: recovery) else { continue }
      recoveries.unsent.append(.assent(approved))
    }
  }
}

extension Block {
  /// Entries, deadlines and a change of voters, as places count them.
  fileprivate var items: Int { entries.count + deadlines.count + (change == nil ? 0 : 1) }
}
