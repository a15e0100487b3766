internal import Wire

// Catching up (CONSENSUS 1.6), links, and rule 8.
extension Replica {
  // MARK: Links and status

  mutating func linkUp(_ peer: PeerID) {
    var absence: Milliseconds = 0
    neighbours.change(peer) { neighbour in
      if let downSince = neighbour.downSince { absence = clock - downSince }
      neighbour = Neighbours.Neighbour()
      neighbour.isLinked = true
    }
    noteReturns()
    if absence >= Pace.longAbsence, isVoter(peer) { pace.reset() }
    send(.status(status), to: .peer(peer))
    rebroadcast(to: .peer(peer))
    showEvidence(to: peer)
    askAgain()
    tellRecoveries(to: peer)
  }

  private func isVoter(_ peer: PeerID) -> Bool {
    epoch.voters.contains { app.identity(ofVoter: $0) == peer }
  }

  mutating func linkDown(_ peer: PeerID) {
    neighbours.change(peer) { neighbour in
      neighbour.isLinked = false
      neighbour.status = nil
      neighbour.downSince = clock
      neighbour.chainAskedAt = nil
    }
    forgetWish(of: peer)
  }

  mutating func receive(_ status: Status, from peer: PeerID) {
    neighbours.change(peer) { $0.status = status }
    noteReturns()
    if status.epoch != epoch.id || recoveries.isUnderWay { tellRecoveries(to: peer) }
    for statement in ownPassed where !breaks("D2-once") {
      send(.passed(statement), to: .peer(peer))
    }
    sendOwnEvicts(to: .peer(peer))
    if let ready = ownReady.ready, !breaks("S4-once") { send(.ready(ready), to: .peer(peer)) }
    let isAhead = (status.epochNumber, status.height) > (epoch.number, finalHeight)
    // Below height 1 there is only the genesis, and nothing to ask for.
    let isOther = finalHeight > 0 && status.height == finalHeight && status.tip != finalTip
    if hasGone(peer, status) { return }
    if isAhead || isOther { return askChain(of: peer, above: isOther ? finalHeight - 1 : nil) }
    guard status.epoch == epoch.id, status.view < view, status.height == finalHeight else { return }
    answer(peer)
  }

  // MARK: Asking

  /// Asks one peer for the final blocks above one's own, once per 4Δ until it answers.
  mutating func askChain(of peer: PeerID, above height: UInt64? = nil) {
    if let askedAt = neighbours[peer]?.chainAskedAt, clock < askedAt + 4 * pace.delta { return }
    neighbours.change(peer) { $0.chainAskedAt = clock }
    if breaks("C1-deaf") { return }
    send(.getChain(founding.table, above: height ?? finalHeight), to: .peer(peer))
  }

  /// A finalization whose bodies are missing: who sent it has them.
  mutating func syncIfBehind(_ certificate: Certificate, from peer: PeerID) {
    guard certificate.subject.kind == .finalize, certificate.subject.view > lineage.finalView,
      tree.missing(under: certificate.subject.block) != nil
    else { return }
    askChain(of: peer)
  }

  /// Asks all for bodies that certificates or proposals need, each once per 2Δ.
  mutating func askForMissing() {
    var missing = missingOfForks
    for index in rounds.values.indices where rounds.keys[index] > lineage.finalView && !isHalted {
      let round = rounds.values[index]
      let hashes =
        round.certificates.filter { $0.subject.kind != .nullify }.map(\.subject.block)
        + (round.proposal.map { [$0.block] } ?? [])
      for hash in hashes {
        if let gap = tree.missing(under: hash), !missing.contains(gap) { missing.append(gap) }
        if let node = tree[hash], case .unjudged = node.verdict,
          case .needs(let gap) = judgeQuietly(hash), !missing.contains(gap)
        {
          missing.append(gap)
        }
      }
    }
    if let gap = missingForRecovery, !missing.contains(gap) { missing.append(gap) }
    wanted.filter { hash, _ in missing.contains(hash) }
    for hash in missing {
      if let askedAt = wanted[hash], clock < askedAt + 2 * pace.delta { continue }
      wanted[hash] = clock
      noteAsked(hash)
      send(.getBlock(founding.table, hash))
    }
  }

  private mutating func judgeQuietly(_ hash: Digest) -> Judgement<App> { judge(hash) }

  // MARK: Answers to what was asked for

  /// Final blocks, epoch by epoch, each run with a finalization of its last block.
  mutating func receive(_ chain: Chain, from peer: PeerID) {
    guard neighbours[peer]?.chainAskedAt != nil else { return refuse("chainUnasked") }
    neighbours.change(peer) { $0.chainAskedAt = nil }
    var rest = chain.blocks[...]
    rest = rest.drop { ledger.item($0.hash) != nil }
    while let first = rest.first {
      guard first.epoch == epoch.id else { return refuse("chainOtherEpoch") }
      let run = rest.prefix { $0.epoch == first.epoch }
      rest = rest.dropFirst(run.count)
      guard let last = run.last, zip(run, run.dropFirst()).allSatisfy({ $1.parent == $0.hash }),
        let proof = chain.finalizations.first(where: {
          $0.subject.epoch == first.epoch && $0.subject.block == last.hash
        }), proof.subject.kind == .finalize, proof.subject.view == last.view,
        epoch.holds(proof) || breaks("C2-unproven")
      else { return refuse("chainUnproven") }
      for block in run where block.view > lineage.finalView && block.table == founding.table {
        noteIfForgotten(in: block)
        hold(block)
      }
      absorb(proof)
      finalizeBlocks()
    }
    if let status = neighbours[peer]?.status, !chain.blocks.isEmpty,
      (status.epochNumber, status.height) > (epoch.number, finalHeight)
    {
      askChain(of: peer)
    }
  }

  mutating func receive(_ block: Block) {
    guard wanted[block.hash] != nil else {
      if tree[block.hash] == nil && ledger.item(block.hash) == nil { refuse("blockUnasked") }
      return
    }
    if takeForked(block) { return }
    if block.epoch == epoch.id, block.view > lineage.finalView, block.parentView < block.view {
      hold(block)
      for entry in block.entries { receive(entry, isOwn: false) }
    } else {
      holdOldFlush(block)
    }
  }

  // MARK: Answering

  mutating func serveChain(above height: UInt64, to peer: PeerID) {
    guard mayServe(peer) else { return refuse("askedTooOften") }
    let chain = chain(above: height)
    guard !chain.blocks.isEmpty else { return answer(peer) }
    send(.chain(chain), to: .peer(peer))
  }

  mutating func serveBlock(_ hash: Digest, to peer: PeerID) {
    guard let block = tree[hash]?.block ?? ledger.item(hash)?.block else { return }
    guard mayServe(peer) else { return refuse("askedTooOften") }
    send(.block(block), to: .peer(peer))
  }

  private mutating func mayServe(_ peer: PeerID) -> Bool {
    var may = false
    neighbours.change(peer) { neighbour in
      if clock >= neighbour.budgetFrom + 1_000 { neighbour.served = 0 }
      if neighbour.served == 0 { neighbour.budgetFrom = clock }
      may = neighbour.served < Neighbours.servedPerSecond
      if may { neighbour.served += 1 }
    }
    return may
  }

  /// Rule 8: whoever speaks of what is over gets the proof that it is, once per Δ.
  mutating func answer(_ peer: PeerID, in old: Digest? = nil) {
    if let answeredAt = neighbours[peer]?.answeredAt, clock < answeredAt + pace.delta { return }
    neighbours.change(peer) { $0.answeredAt = clock }
    if let certificate = ledger.finalization(in: old ?? epoch.id) {
      send(.certificate(certificate), to: .peer(peer))
    }
    guard old == nil else { return }
    for certificate in certificatesAbove(of: Self.viewsAnswered) {
      send(.certificate(certificate), to: .peer(peer))
    }
  }

  /// Views of which one peer alone, or whoever looks for a recovery, is told the certificates.
  static var viewsAnswered: UInt64 { 64 }

  /// Certificates of views above the highest final one, of the last `count`.
  func certificatesAbove(of count: UInt64) -> [Certificate] {
    let first = max(lineage.finalView + 1, view > count ? view - count : 0)
    let start = rounds.firstIndex(notBelow: first)
    return rounds.values[start...].flatMap(\.certificates)
  }

  // MARK: Standstill

  /// Rule 8: everything others might lack, also what third nodes said.
  mutating func rebroadcast(to recipients: Recipients) {
    for entry in pool.inOrder.prefix(Limits.entriesPerBlock) {
      send(.entry(entry), to: recipients)
    }
    if let ready = ownReady.ready, !breaks("S4-once") { send(.ready(ready), to: recipients) }
    let statements = recipients == .all ? clocks.keys.flatMap { passed[$0] ?? [] } : ownPassed
    for statement in statements where !breaks("D2-once") {
      send(.passed(statement), to: recipients)
    }
    sendOwnEvicts(to: recipients)
    guard isActive else { return }
    if let certificate = ledger.finalization(in: epoch.id) {
      send(.certificate(certificate), to: recipients)
    }
    // As far back as R5.1 reaches: in a view of which a certificate is held here nothing more is said.
    for certificate in certificatesAbove(of: Self.mostGaps) {
      send(.certificate(certificate), to: recipients)
    }
    for index in rounds.values.indices where rounds.keys[index] > lineage.finalView {
      rebroadcast(rounds.values[index], of: rounds.keys[index], to: recipients)
    }
  }

  /// Votes for which there is no certificate yet, and the proposal of one's own view.
  private mutating func rebroadcast(_ round: Round, of view: UInt64, to recipients: Recipients) {
    if view == self.view, let proposal = round.proposal, let node = tree[proposal.block] {
      send(.proposal(node.block, proposal.leaderVote), to: recipients)
    }
    for kind in VoteKind.allCases where round.certificate(kind) == nil {
      for vote in round.votes(kind) { send(.vote(vote), to: recipients) }
    }
  }
}

extension Neighbours {
  /// Nobody waits for the end of a pause.
  func areRested(at clock: Milliseconds, delta: Milliseconds) -> Bool {
    all.values.indices.allSatisfy { index in
      let isPaused = all.values[index].answeredAt.map { clock < $0 + delta } ?? false
      let isSpent = all.values[index].served > 0 && clock < all.values[index].budgetFrom + 1_000
      let isAsked = all.values[index].chainAskedAt.map { clock < $0 + 4 * delta } ?? false
      return !isPaused && !isSpent && !isAsked
    }
  }
}
