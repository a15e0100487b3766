package import Consensus
package import Wire
import CBOR
package import Games

/// How the log drives a table (CONSENSUS 1.3, 1.4, 1.9).
extension Table: Application {
  // MARK: Admission

  package func admission(of entry: Entry) -> Admission {
    guard entry.table == id else { return .never(.foreignTable) }
    guard let seat = seat(of: entry.author) else {
      if let witness = witness(of: entry.author) {
        let next = witnesses[witness].nextSequence
        guard entry.sequence >= next else { return .never(.sequenceUsed) }
        guard !witnesses[witness].hasLeft else { return .never(.seatLeft) }
        return entry.sequence == next ? .now : .later
      }
      if let watcher = watcher(of: entry.author) {
        let next = watchers[watcher].nextSequence
        guard entry.sequence >= next else { return .never(.sequenceUsed) }
        guard !watchers[watcher].hasLeft else { return .never(.seatLeft) }
        return entry.sequence == next ? .now : .later
      }
      if entry.sequence == 0 { return newcomerRefusal(entry).map { .never($0) } ?? .now }
      return phase == .lobby ? .later : .never(.notMember)
    }
    let next = seats[seat].nextSequence
    guard entry.sequence >= next else { return .never(.sequenceUsed) }
    guard entry.sequence == next else { return .later }
    if seats[seat].hasLeft {
      switch try? Act(decoding: entry.body) {
      case .rematch: break
      case .show where genesis.draft.isAnonymous: break
      default: return .never(.seatLeft)
      }
    }
    return .now
  }

  /// Why somebody who comes is refused; nil when it is taken.
  private func newcomerRefusal(_ entry: Entry) -> Refusal? {
    switch try? Act(decoding: entry.body) {
    case .join(let join): return joinRefusal(entry, Member(join, player: entry.author))
    case .witness(let join): return witnessRefusal(entry, Member(join, player: entry.author))
    case .watch(let join): return watchRefusal(entry, Member(join, player: entry.author))
    default: return .badJoin
    }
  }

  private func joinRefusal(_ entry: Entry, _ member: Member) -> Refusal? {
    guard isSigned(entry, by: member) else { return .badJoin }
    switch phase {
    case .lobby: break
    case .playing where takesLatecomers: break
    case .starting, .dealing, .playing: return .tableStarted
    case .over, .cancelled: return .tableOver
    }
    guard !genesis.draft.practice else { return .practice }
    guard isName(of: member) else { return .badName }
    for seat in seats {
      if seat.identity == member.identity {
        guard !seat.isTakenOff else { return .takenOff }
        guard seat.hasLeft else { return .alreadySeated }
      } else if seat.keys.contains(member.identity) {
        return .keyUsed
      }
      if seat.keys.contains(member.player) || seat.keys.contains(member.voter) { return .keyUsed }
    }
    if isUsed(member, besides: witnesses + watchers) { return .keyUsed }
    // Who had a seat in the lobby and comes back is nobody new.
    let isKnown = seats.contains { $0.identity == member.identity }
    guard !isLocked || isKnown else { return .tableLocked }
    return hasRoom ? nil : .tableFull
  }

  // MARK: Entries

  package mutating func apply(_ entry: Entry, at place: LogPlace) -> Outcome {
    let before = runner
    defer { noteRunner(before, at: place) }
    return take(entry, at: place)
  }

  private mutating func take(_ entry: Entry, at place: LogPlace) -> Outcome {
    guard admission(of: entry) == .now else { return .void(code: Refusal.notAdmissible.code) }
    let act = try? Act(decoding: entry.body)
    guard let seat = seat(of: entry.author) else {
      if let witness = witness(of: entry.author) {
        return apply(act, entry, ofWitness: witness, at: place)
      }
      if let watcher = watcher(of: entry.author) {
        return apply(act, entry, ofWatcher: watcher, at: place)
      }
      if case .watch(let join) = act {
        watchers.append(
          Seat(Member(join, player: entry.author), besides: takenNames(besides: join.identity)))
        return .done
      }
      if case .witness(let join) = act {
        witnesses.append(Seat(Member(join, player: entry.author)))
        return .done
      }
      guard case .join(let join) = act else { return .void(code: Refusal.malformed.code) }
      seats.append(
        Seat(Member(join, player: entry.author), besides: takenNames(besides: join.identity)))
      if phase == .playing {
        dealIn(seats.count - 1, at: place)
      } else {
        news.append(GameNews(kind: "joined", place: place, who: [entry.author]))
      }
      return .done
    }
    seats[seat].nextSequence += 1
    let wasAway = comeBack(seat, toLeave: act == .left, at: place)
    guard let act, entry.turn == 0 else { return .void(code: Refusal.malformed.code) }
    if wasAway, act == .back { return .done }
    if case .rekey(let rekey) = act {
      if let refusal = rekeyRefusal(seats[seat], rekey, entry) {
        return .void(code: refusal.code)
      }
      seats[seat].rekey(rekey)
      return .done
    }
    if case .show(let shown) = act {
      if let refusal = showRefusal(seat, shown, entry) { return .void(code: refusal.code) }
      seats[seat].shown = shown
      return .done
    }
    do throws(IllegalMove) {
      try perform(act, by: seat, at: place)
    } catch { return .void(code: error.code) }
    return .done
  }

  // MARK: Deadlines

  /// What an open deadline ends.
  private enum Cause: Hashable {
    case commit(seat: Int)
    case reveal(seat: Int)
    case away(seat: Int)
    case game(GameDeadline)
  }

  private var causes: [Cause] {
    switch phase {
    case .dealing:
      (draw?.deadlines(members: members) ?? []).map {
        $0.kind == "commit" ? .commit(seat: $0.seat) : .reveal(seat: $0.seat)
      }
    case .playing:
      (game?.deadlines ?? []).map { .game($0) } + mayBecomeAway.map { .away(seat: $0) }
    case .lobby, .starting, .over, .cancelled: []
    }
  }

  private func deadline(_ cause: Cause) -> Deadline {
    let limit: GameDeadline =
      switch cause {
      case .commit(let seat): drawDeadline("commit", seat)
      case .reveal(let seat): drawDeadline("reveal", seat)
      case .away(let seat): awayDeadline(seat)
      case .game(let deadline): deadline
      }
    var silent: PublicKey?
    if case .away(let seat) = cause { silent = seats[seat].identity }
    return Deadline(id: deadlineID(of: limit), duration: limit.duration, silent: silent)
  }

  private func drawDeadline(_ kind: String, _ seat: Int) -> GameDeadline {
    GameDeadline(
      kind: kind, subject: UInt64(seat), opened: draw?.opened ?? LogPlace(height: 0, index: 0),
      duration: Draw.duration)
  }

  /// The name of a limit of time: over the table, its kind, what it is about and what opened it.
  package func deadlineID(of limit: GameDeadline) -> Digest {
    Digest(
      .deadline, id.cbor, .text(limit.kind), .unsigned(limit.subject),
      .unsigned(limit.opened.height), .unsigned(limit.opened.index))
  }

  package var deadlines: [Deadline] { causes.map { deadline($0) } }

  private func cause(of id: Digest) -> Cause? { causes.first { deadline($0).id == id } }

  package mutating func apply(
    deadline id: Digest, at place: LogPlace
  ) throws(NotEffective) {
    guard let cause = cause(of: id) else { throw NotEffective() }
    let before = runner
    defer { noteRunner(before, at: place) }
    switch cause {
    case .commit(let seat): draw?.commitPassed(seat, at: place)
    case .reveal(let seat):
      let voting = votingSeats
      draw?.revealPassed(seat, voters: voting, at: place)
    case .away(let seat): becomeAway(seat, at: place)
    case .game(let deadline):
      game?.deadlinePassed(deadline, at: place)
      closeIfOver()
    }
  }

  package func meets(_ deadline: Digest, with entry: Entry) -> Bool {
    guard let cause = cause(of: deadline), let seat = seat(of: entry.author),
      admission(of: entry) == .now
    else { return false }
    if cause == .away(seat: seat) { return true }
    guard let act = try? Act(decoding: entry.body) else { return false }
    switch (cause, act) {
    case (.commit(seat), .commit(let number, _)):
      return number == draw?.number
    case (.reveal(seat), .reveal(let number, let secret)):
      return revealRefusal(number, secret, by: seat) == nil
    case (.game(let limit), .move(let body)):
      guard let player = dealt.firstIndex(of: seat), let game else { return false }
      return game.meets(limit, with: body.item, by: player)
    default: return false
    }
  }

  // MARK: Voters

  package var voterWish: VoterWish {
    guard phase == .starting || phase == .dealing || phase == .playing else { return .none }
    let isStart = phase == .starting && !genesis.draft.practice
    let mayEvict = phase != .starting && !genesis.draft.practice
    guard !areVotersSettled else { return VoterWish(isStart: isStart, mayEvict: mayEvict) }
    let seated = seats.filter { !$0.hasLeft && !$0.hasLied }.compactMap(\.voter)
    let witnessing = wantedWitnesses.compactMap { witnesses[$0].voter }
      .filter { !voters.contains($0) }
    let leavers = (seats + witnesses).filter(\.hasLeft).flatMap(\.voterKeys)
      .filter { voters.contains($0) }
    let hasRoom = voters.count - leavers.count < Limits.voters
    let coming = seated.filter { !voters.contains($0) } + witnessing
    let successions = successions(coming)
    let joiners = hasRoom ? coming : successions.map(\.new)
    return VoterWish(
      joiners: joiners, witnesses: witnessing.filter(joiners.contains),
      successions: successions.map { Succession(old: $0.old, new: $0.new) }, leavers: leavers,
      isStart: isStart, mayEvict: mayEvict)
  }

  /// All who sit vote, nobody else does: what is so for nearly the whole game, and asked all the time.
  private var areVotersSettled: Bool {
    witnesses.isEmpty
      && seats.indices.allSatisfy { index in
        guard let voter = seats[index].voter else { return true }
        if seats[index].hasLeft { return !seats[index].voterKeys.contains(where: voters.contains) }
        return seats[index].hasLied || voters.contains(voter)
      }
  }

  package mutating func apply(
    _ change: VoterChange, at place: LogPlace
  ) throws(NotEffective) {
    let wish = voterWish
    let joiners = change.joiners.map(\.voter)
    guard change.evictions.isEmpty || wish.mayEvict, isSubset(change.evicted, of: voters),
      isSubset(joiners, of: wish.joiners),
      isSubset(
        change.leavers,
        of: wish.leavers + change.evicted
          + wish.successions.filter { joiners.contains($0.new) }.map(\.old)),
      wish.successions.allSatisfy({
        !joiners.contains($0.new) || change.leavers.contains($0.old)
      }),
      wish.isStart
        ? joiners.contains(where: { !wish.witnesses.contains($0) })
        : !joiners.isEmpty || !change.leavers.isEmpty
    else { throw NotEffective() }
    let next = (voters.filter { !change.leavers.contains($0) } + joiners).sorted()
    guard !next.isEmpty, next.count <= Limits.voters else { throw NotEffective() }
    voters = next
    seals += 1
    for eviction in change.evictions where eviction.isForLie {
      for index in witnesses.indices where witnesses[index].voterKeys.contains(eviction.target) {
        witnesses[index].hasLied = true
      }
      guard let seat = seats.firstIndex(where: { $0.voterKeys.contains(eviction.target) }) else {
        continue
      }
      seats[seat].hasLied = true
      news.append(GameNews(kind: "lied", place: place, who: [seats[seat].player]))
    }
    if phase == .starting { openDraw(at: place) }
  }

  package mutating func recover(_ keys: [PublicKey], at place: LogPlace) {
    let gone = voters.filter { !keys.contains($0) }
    voters = keys.sorted()
    seals += 1
    news.append(
      GameNews(
        kind: "wentOn", place: place,
        who: seats.filter { $0.voterKeys.contains(where: gone.contains) }.map(\.player)))
  }

  /// Both ascend; each key of the first stands once and in the second.
  private func isSubset(_ keys: [PublicKey], of wished: [PublicKey]) -> Bool {
    zip(keys, keys.dropFirst()).allSatisfy { $0 < $1 } && keys.allSatisfy(wished.contains)
  }

  package func identity(ofVoter key: PublicKey) -> PublicKey? {
    // By index: this is asked with every message, and a copy of each seat would cost more.
    if let seat = seats.indices.first(where: { seats[$0].hasVoted(with: key) }) {
      return seats[seat].identity
    }
    return witnesses.indices.first { witnesses[$0].hasVoted(with: key) }
      .flatMap { witnesses[$0].identity }
  }

  package var isOver: Bool { phase == .over || phase == .cancelled }

  // MARK: State

  package var stateHash: Digest {
    let early: CBOR =
      earlyOutcome.map { [.text($0.kind.rawValue), .array($0.winners.map(\.cbor))] } ?? .null
    var items: [CBOR] = [
      id.cbor, CBOR(phase.rawValue), (frozenSetup ?? setup.stateHash).cbor,
      .array(seats.map(\.cbor)), .array(voters.map(\.cbor)), .unsigned(seals),
      draw?.cbor ?? .null, game?.stateHash.cbor ?? .null, early,
      .array(rematchWishes.map { CBOR($0.seat) }),
    ]
    if !witnesses.isEmpty { items.append(.array(witnesses.map(\.cbor))) }
    if isLocked { items.append(["locked"]) }
    if !watchers.isEmpty { items.append(["watchers", .array(watchers.map(\.cbor))]) }
    return Digest(.state, items: items)
  }
}

extension Admission {
  /// It never will: one of the table's refusals says why.
  fileprivate static func never(_ refusal: Refusal) -> Admission { .never(code: refusal.code) }
}

extension Member {
  /// The keys of who joins.
  init(_ join: Act.Join, player: PublicKey) {
    self.init(
      identity: join.identity, player: player, voter: join.voter, generation: join.generation,
      name: join.name)
  }
}

extension Seat {
  /// Its keys, whatever their role.
  var keys: [PublicKey] { [player] + [identity].compactMap { $0 } + voterKeys }
}
