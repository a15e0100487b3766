import Consensus
import Discovery
import Games
import Table
import Wire

/// Going on without those who are away, and coming back to a game that went on (CONSENSUS 1.7, Lost
/// quorum; PRODUCT decision 7).
extension Peer {
  mutating func goOn(_ wants: Bool, id: CommandID, at index: Int) {
    if wants, let refusal = sessions[index].goOnRefusal(me: me) {
      refuse(id, refusal.code, refusal.message)
      return
    }
    stepReplica(index, .goOn(wants))
    isChanged = true
    answer(id, .accepted(table: sessions[index].id))
  }

  /// Goes on with those who went on without this laptop; where they went two ways, on the one named.
  mutating func follow(_ way: Digest?, id: CommandID, at index: Int) {
    let known = sessions[index].replica.recoveryStandings
    let offered = known.filter(\.mayFollow).map(\.recovery.id)
    guard let chosen = way ?? offered.first else {
      refuse(id, "nobodyWentOn", "Nobody has gone on without you here. Wait for the others.")
      return
    }
    guard way != nil || offered.count == 1 else {
      refuse(id, "twoWays", "They went on in more than one game. Choose whose.")
      return
    }
    guard offered.contains(chosen) else {
      guard known.contains(where: { $0.recovery.id == chosen }) else {
        refuse(id, "unknownWay", "Nobody is known here to have gone on like that. Choose again.")
        return
      }
      refuse(
        id, "otherWay",
        "Theirs and yours are two games, and nobody puts them together. Go on in yours.")
      return
    }
    stepReplica(index, .follow(chosen))
    isChanged = true
    answer(id, .accepted(table: sessions[index].id))
  }

  /// A laptop whose player has quit, or never played, has no say in it: it agrees to what all the others want.
  mutating func agreeAsBystander(_ index: Int) {
    guard sessions[index].hasQuit || sessions[index].isWitness, !sessions[index].isPutAway else {
      return
    }
    let replica = sessions[index].replica
    guard replica.mayGoOn, !replica.wantsToGoOn else { return }
    let others = replica.going.filter { $0 != sessions[index].keys.voter }
    guard !others.isEmpty, others.allSatisfy(replica.wanting.contains) else { return }
    stepReplica(index, .goOn(true))
  }

  mutating func recovered(_ recovery: Recovery, at place: LogPlace, of index: Int) {
    isChanged = true
    sessions[index].hasNews = true
    let row = sessions[index].enter(recovery, at: place.height)
    effects.append(.agreed(row))
    log(.info, "table \(sessions[index].genesis.codeText) goes on with \(recovery.voters.count)")
  }

  // MARK: Words

  /// Below a quorum: who is waited for, and what those who are here may do.
  func belowQuorum(_ session: TableSession, away: [String]) -> TableView.Waiting {
    if let full = belowQuorumOfFullDisks(session, away: away) { return full }
    if let forgetful = belowQuorumOfForgetful(session) { return forgetful }
    let of = session.replica.epoch.voters.count
    let here = session.replica.reachableVoters.count
    let needs = session.replica.epoch.quorum
    let names = away.isEmpty ? session.leavingVoterNames : away
    var waiting = TableView.Waiting(
      code: "belowQuorum",
      message:
        "\(here) of \(of) \(session.isWitnessed ? "laptops" : "people") are here, "
        + "the game needs \(needs). "
        + "It goes on by itself when \(Peer.list(names, joinedBy: "or")) is back. Nothing is lost.",
      names: names, choices: ["wait", "quit"])
    guard session.goOnRefusal(me: me) == nil else {
      // Nobody can win against a closed lid: the game rests, or ends without a winner (PRODUCT decision 13).
      if session.table.phase == .playing, session.table.setup.isEndedByAgreement {
        waiting.choices = ["wait", "later", "end", "quit"]
        guard session.isEnding else { return waiting }
        waiting.code = "ending"
        waiting.message =
          "You have ended this game without a winner. "
          + "It is on record as soon as \(Peer.list(names, joinedBy: "or")) is back."
        waiting.choices = []
      }
      return waiting
    }
    let going = session.replica.going
    let left = session.names(of: session.replica.epoch.voters.filter { !going.contains($0) })
    let without = Peer.list(left, joinedBy: "and")
    let isRisky = session.replica.mayLose(going.count, of: session.replica.epoch)
    let risk =
      isRisky ? " Moves that only the laptops of \(without) know would be lost." : ""
    let wanting = session.replica.wanting.filter { $0 != session.keys.voter }
    if session.replica.wantsToGoOn {
      let rest = going.filter { $0 != session.keys.voter && !wanting.contains($0) }
      waiting.code = "goingOn"
      waiting.message =
        "You want to go on without \(without). "
        + "It happens as soon as \(Peer.list(session.names(of: rest), joinedBy: "and")) "
        + "\(rest.count == 1 ? "agrees" : "agree") too."
    } else if !wanting.isEmpty {
      waiting.code = "goOnAsked"
      waiting.message =
        "\(Peer.list(session.names(of: wanting), joinedBy: "and")) "
        + "\(wanting.count == 1 ? "wants" : "want") to go on without \(without). "
        + "It happens when everybody who is here agrees." + risk
      waiting.choices = ["goOn", "wait", "quit"]
    } else {
      if isRisky {
        waiting.message += " You may also go on without \(without)." + risk
      }
      waiting.choices = ["wait", "goOn", "quit"]
    }
    return waiting
  }

  /// Below a quorum, and a disk is why: whose, and what helps.
  private func belowQuorumOfFullDisks(
    _ session: TableSession, away: [String]
  ) -> TableView.Waiting? {
    if session.replica.isSilenced {
      return TableView.Waiting(
        code: "cannotWrite",
        message:
          "The disk of this laptop takes nothing more, so it has no say in what is agreed. "
          + "Make space, then start Tabletalk again. Nothing is lost.",
        names: [], choices: ["wait", "quit"])
    }
    let names = session.names(of: session.replica.unableToWrite)
    guard !names.isEmpty, session.replica.wanting.isEmpty else { return nil }
    let who = Peer.list(names, joinedBy: "and")
    let message =
      away.isEmpty
      ? "The disk of \(who) takes nothing more, so that laptop has no say. "
        + "Once there is space and Tabletalk was started again there, the game goes on by itself."
      : "The disk of \(who) takes nothing more, so that laptop has no say. "
        + "Once there is space and Tabletalk was started again there, the game goes on by itself. "
        + "So it does when \(Peer.list(away, joinedBy: "or")) is back."
    return TableView.Waiting(
      code: "cannotWrite", message: message, names: names + away,
      choices: session.goOnRefusal(me: me) == nil ? ["wait", "goOn", "quit"] : ["wait", "quit"])
  }

  /// Who is here without a say, while the others are enough; nil where nobody is.
  private func fullDisksBesides(_ session: TableSession) -> TableView.Waiting? {
    guard session.replica.hasQuorum, [.dealing, .playing].contains(session.table.phase) else {
      return nil
    }
    let names = session.names(of: session.replica.unableToWrite)
    guard !names.isEmpty else { return nil }
    let who = Peer.list(names, joinedBy: "and")
    return TableView.Waiting(
      code: "cannotWrite",
      message:
        "The disk of \(who) takes nothing more, so that laptop has no say. The others go on.",
      names: names, choices: [])
  }

  /// What became of the table when some went on without others, a line for each way that was gone.
  func wentOn(_ session: TableSession) -> [TableView.Waiting] {
    guard !session.isLocal, session.refusal == nil else { return [] }
    let standings = session.replica.recoveryStandings
    let isOffered = !session.replica.hasQuorum
    let areTwo = isOffered && standings.count(where: \.mayFollow) > 1
    let lines: [TableView.Waiting] = standings.compactMap { standing in
      let names = session.names(of: standing.recovery.voters)
      let who = Peer.list(names, joinedBy: "and")
      guard !standing.isFollowed else {
        guard standing.isProvisional else { return nil }
        let missing = session.names(
          of: standing.absent.filter { !standing.assented.contains($0) })
        let others = Peer.list(missing, joinedBy: "and")
        return TableView.Waiting(
          code: "provisional",
          message:
            "This goes on without \(others). Until \(missing.count == 1 ? "this person agrees" : "they agree"), "
            + "what happens now stands for those who are here.",
          names: missing, choices: [])
      }
      if session.replica.isFollowing(standing.recovery.id) {
        return TableView.Waiting(
          code: "following", message: "You go on with \(who). Waiting for what they have played.",
          names: names, choices: ["quit"])
      }
      if standing.mayFollow, isOffered {
        let message =
          areTwo
          ? offer(of: standing, by: who, session)
          : "\(who) went on without you. You can go on with them."
        return TableView.Waiting(
          code: "offered", message: message, names: names, choices: ["follow", "quit"],
          way: standing.recovery.id.hex)
      }
      return TableView.Waiting(
        code: "split",
        message:
          "\(who) went on by \(names.count == 1 ? "her- or himself" : "themselves"). "
          + "Theirs and yours are two games now; nobody puts them together.",
        names: names, choices: [])
    }
    return [fullDisksBesides(session)].compactMap { $0 } + lines
  }

  /// What those who went on have: all that is final here, for else nobody may follow, and more.
  private func offer(
    of standing: RecoveryStanding, by who: String, _ session: TableSession
  ) -> String {
    let recovery = standing.recovery
    let laptops = recovery.voters.compactMap { session.table.identity(ofVoter: $0) }
    let theirs =
      session.standings.filter { laptops.contains($0.peer) }.map(\.status.height).max() ?? 0
    let more = max(theirs, recovery.height) - session.replica.finalHeight
    guard standing.mayHaveLost else {
      return "\(who) went on without you. All that you know is there, and steps that you do not "
        + "know yet: \(more)."
    }
    return "\(who) went on without you. All that you know is there, and steps that you do not "
      + "know yet: \(more). Moves that only others know may be missing."
  }
}

extension TableSession {
  /// Somebody votes who does not play.
  fileprivate var isWitnessed: Bool {
    table.witnesses.contains { $0.voter.map(replica.epoch.has) ?? false }
  }

  /// Why one may not go on without those who are away; nil when one may ask to.
  func goOnRefusal(me: PublicKey) -> (code: String, message: String)? {
    guard !replica.isAmnesiac else {
      return (
        "forgotten",
        "This laptop has lost part of this game and has no say in this. Ask the others to go on; "
          + "then it is let in again."
      )
    }
    guard [.dealing, .playing].contains(table.phase), replica.mayGoOn else {
      return ("everybodyHere", "As many as the game needs are here. Go on playing.")
    }
    // Whoever only lacks space is back by itself, and has no need that others go on.
    let full = replica.unableToWrite
    let going = replica.going + replica.abstaining.filter { !full.contains($0) }
    let people = table.members.count { table.seats[$0].voterKeys.contains(where: going.contains) }
    guard people >= 2 else {
      return ("aloneHere", "Nobody else is here to go on with. Wait for the others, or quit.")
    }
    return nil
  }

  /// The names of those who vote with these keys, in the order of seats.
  func names(of voters: [PublicKey]) -> [String] {
    (table.seats + table.witnesses).filter { $0.voterKeys.contains(where: voters.contains) }
      .map(\.name)
  }

  /// Adds to the log that it goes on with fewer voters; returns the row.
  mutating func enter(_ recovery: Recovery, at height: UInt64) -> AgreedEntry {
    let row = AgreedEntry(
      table: id.hex, index: log.count, height: height, hash: recovery.id.hex, author: nil,
      kind: "recovery", outcome: "done", code: nil)
    log.append(row)
    return row
  }
}
