import Consensus
import Discovery
import Table
import Wire

/// Private tables: found by who proves their secret; to everybody else they do not exist
/// (Protocol/table.md, Private tables).
extension Peer {
  // MARK: Being asked

  /// Private tables that a proof is compared with, the newest.
  static let privateSlots = 32

  /// Answers who asks for a private table.
  ///
  /// A wrong proof costs the same work and gets the same refusal whether this node has private
  /// tables or none.
  mutating func answerFindPrivate(_ proof: SecretProof, on link: Switchboard.Link) {
    guard let index = privateTable(proved: proof, on: link) else { return deny(link) }
    sessions[index].admit(link.peer)
    let session = sessions[index]
    guard let secret = session.secret else { return }
    let own = SecretProof(
      .answer, of: secret, code: session.genesis.draft.code, on: link.handshakeHash, by: me,
      to: link.peer)
    answer(session, to: link.peer, with: .privateTable(own, session.genesis.encoded))
  }

  /// The private table whose secret a proof shows.
  private func privateTable(proved proof: SecretProof, on link: Switchboard.Link) -> Int? {
    let known = sessions.indices.filter {
      sessions[$0].isPrivate && sessions[$0].refusal == nil && !sessions[$0].isJoining
        && !sessions[$0].isPutAway
    }.suffix(Peer.privateSlots)
    var slots: [(index: Int?, secret: TableSecret, code: Int)] = []
    for index in known {
      guard let secret = sessions[index].secret else { continue }
      slots.append((index, secret, sessions[index].genesis.draft.code))
    }
    while slots.count < Peer.privateSlots { slots.append((nil, Peer.noSecret, 0)) }
    var found: Int?
    for slot in slots {
      let right = SecretProof(
        .ask, of: slot.secret, code: slot.code, on: link.handshakeHash, by: link.peer, to: me)
      // All are compared, also when one has fitted.
      if right.matches(proof) { found = slot.index ?? found }
    }
    return found
  }

  private static let noSecret: TableSecret = {
    guard let secret = TableSecret([UInt8](repeating: 0, count: TableSecret.count)) else {
      fatalError("a secret has its length")
    }
    return secret
  }()

  /// Says no, in the words for a table that does not exist; later, to who asks too often.
  private mutating func deny(_ link: Switchboard.Link) {
    counter.count("findPrivate.wrongSecret")
    let host = link.remote.host
    let verdict = guesses.wrong(by: link.peer, at: host, now: now)
    if verdict.isNews {
      log(
        .warning,
        "somebody at \(host) asks for private tables that are not here, again and again; answers come more slowly from now on"
      )
    }
    guard verdict.pause > 0 else { return sendDenial(on: link.id) }
    guard !heldDenials.contains(where: { $0.link == link.id }) else {
      counter.count("findPrivate.tooMany")
      return
    }
    heldDenials.append((link.id, now + verdict.pause))
  }

  private mutating func sendDenial(on link: LinkID) {
    send(.refusal(nil, nil, code: Denial.wrongCode.rawValue), on: link)
  }

  /// Sends the refusals whose time has come, where their links are still up.
  mutating func sendHeldDenials() {
    let due = heldDenials.filter { $0.at <= now }
    guard !due.isEmpty else { return }
    heldDenials.removeAll { $0.at <= now }
    for denial in due where switchboard[denial.link] != nil { sendDenial(on: denial.link) }
  }

  // MARK: Asking

  /// Shows on a link that this node knows a secret.
  mutating func prove(_ secret: TableSecret, code: Int, on link: Switchboard.Link) {
    let proof = SecretProof(
      .ask, of: secret, code: code, on: link.handshakeHash, by: me, to: link.peer)
    send(.findPrivate(proof), on: link.id)
  }

  /// Shows it to a member of a private table where this node has asked for a seat: who does not
  /// find that seat in its log takes nothing from somebody who has not proved the secret.
  mutating func prove(_ index: Int, on link: Switchboard.Link) {
    let session = sessions[index]
    guard session.isJoining, session.refusal == nil, isMember(link.peer, of: index),
      let secret = session.secret
    else { return }
    prove(secret, code: session.genesis.draft.code, on: link)
  }

  /// Takes the answer of somebody who has shown that it knows the secret too.
  mutating func hearPrivateTable(
    _ proof: SecretProof, _ bytes: [UInt8], on link: Switchboard.Link
  ) {
    for index in sessions.indices where sessions[index].isJoining {
      guard let secret = sessions[index].secret,
        isAnswer(proof, to: secret, code: sessions[index].genesis.draft.code, on: link)
      else { continue }
      sessions[index].admit(link.peer)
      return
    }
    let asking = arrivals.firstIndex { arrival in
      guard case .joinPrivate(let code, let secret, _) = arrival.wish,
        arrival.genesis == nil, arrival.hasAsked(link.peer)
      else { return false }
      return isAnswer(proof, to: secret, code: code, on: link)
    }
    guard let asking else {
      counter.count("privateTable.unasked")
      return
    }
    guard let genesis = genesis(bytes) else { return }
    guard arrivals[asking].fits(genesis) else {
      counter.count("privateTable.another")
      return
    }
    arrivals[asking].peer = link.peer
    arrivals[asking].isAsked = true
    arrivals[asking].search = nil
    take(genesis, at: asking)
  }

  private func isAnswer(
    _ proof: SecretProof, to secret: TableSecret, code: Int, on link: Switchboard.Link
  ) -> Bool {
    SecretProof(
      .answer, of: secret, code: code, on: link.handshakeHash, by: link.peer, to: me
    ).matches(proof)
  }
}

extension Arrival.Wish {
  /// The secret of the invitation, where the table is private.
  var secret: TableSecret? {
    if case .joinPrivate(_, let secret, _) = self { secret } else { nil }
  }
}
