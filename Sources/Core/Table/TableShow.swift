import Games
package import Wire

/// What a table shows to somebody; the only way out of it to the page.
extension Table {
  /// Feed items that are shown.
  package static let feedLimit = 100

  /// The table as the holder of a player key sees it; nil is somebody without a seat.
  package func view(for player: PublicKey?) -> TableView {
    let me = player.flatMap { seat(of: $0) }
    let playing = dealt.isEmpty ? members.count : dealt.count
    let shown = seats.indices.filter { latestSeat(of: $0) == $0 }
    return TableView(
      id: id, code: genesis.codeText, title: genesis.draft.title,
      place: genesis.draft.appointment?.place, startsAt: genesis.draft.appointment?.startsAt,
      game: setup.kind,
      phase: phase.name, refusal: nil, pretend: genesis.draft.practice,
      isPrivate: genesis.draft.isPrivate, isStrict: genesis.draft.isStrict,
      isAnonymous: genesis.draft.isAnonymous, invitation: "",
      creatorKey: genesis.draft.creator.identity, mine: me == 0,
      maySet: me == 0 && phase == .lobby,
      mayRun: me == runner && !isOver && !genesis.draft.practice, locked: isLocked,
      seats: shown.map { seatView($0, me: me, among: shown) },
      seatLimit: seatLimit, start: startView, ready: me.map { seats[$0].isReady } ?? false,
      agreement: TableView.Agreement(agreeing: 1, here: 1, of: max(1, voters.count)),
      waiting: nil, promise: promise,
      witnesses: isOver ? [] : wantedWitnesses.map { witnesses[$0].name },
      watchers: isOver
        ? []
        : watching.map { index in
          TableView.Watcher(
            player: watchers[index].player, name: watchers[index].name,
            me: watchers[index].player == player)
        }, away: [], proofs: [],
      feed: feed, result: result(for: me),
      successor: nil,
      play: AnyGameView(
        setup: setup, game: game, seat: me, dealtSeat: me.flatMap { dealt.firstIndex(of: $0) },
        players: seats.map(\.player), members: members, playing: playing,
        showsWords: phase == .lobby || phase == .starting))
  }

  /// The seat that stands for a person now: who left the lobby and came back has two.
  private func latestSeat(of index: Int) -> Int {
    guard let identity = seats[index].identity else { return index }
    return seats.lastIndex { $0.identity == identity } ?? index
  }

  private func latestPlayer(_ player: PublicKey) -> PublicKey {
    seat(of: player).map { seats[latestSeat(of: $0)].player } ?? player
  }

  private func seatView(_ index: Int, me: Int?, among shown: [Int]) -> TableView.Seat {
    let seat = seats[index]
    let key = seat.identity ?? seat.player
    let name = PlainText.folded(seat.name)
    let progress =
      dealt.firstIndex(of: index).flatMap { player in game?.progress(of: player) } ?? Progress()
    return TableView.Seat(
      key: key, player: seat.player, name: seat.name, tag: key.tag,
      showTag: shown.contains { $0 != index && PlainText.folded(seats[$0].name) == name },
      me: index == me, creator: index == 0, ready: seat.isReady, pretend: seat.isPretend,
      presence: seat.hasLeft ? .left : .here, left: seat.hasLeft, best: progress.best,
      marked: progress.marked, oneAway: progress.oneAway, agrees: false,
      runs: index == runner, late: seat.lateAt != nil, takenOff: seat.isTakenOff,
      shown: seat.shown.map {
        TableView.Shown(key: $0.identity, name: $0.name, tag: $0.identity.tag)
      })
  }

  private var startView: TableView.Start {
    let refusal = startRefusal
    return TableView.Start(
      possible: refusal == nil, code: refusal?.code, message: refusal?.sentence)
  }

  /// What two or three laptops cannot keep (CONSENSUS 1.8), in one sentence; nil for more.
  private var promise: String? {
    guard !genesis.draft.practice, !isOver else { return nil }
    if !wantedWitnesses.isEmpty {
      return members.count + wantedWitnesses.count > 3
        ? nil
        : "With three laptops, one that cheats could hold the game up, "
          + "or take back what one of you has not seen yet."
    }
    return switch members.count {
    case 2:
      "With two people, either can stop the game by going away, and nobody else can tell who did."
    case 3 where genesis.draft.isStrict:
      "Everybody must agree here: one laptop that is asleep stops the game, and nobody can cheat."
    case 3:
      "With three people, one laptop that cheats could hold the game up, "
        + "or take back what one of you has not seen yet."
    default: nil
    }
  }

  /// What happened, newest first.
  private var feed: [TableView.FeedItem] {
    let all = (news + (game?.news ?? [])).enumerated().sorted {
      ($0.element.place, $0.offset) < ($1.element.place, $1.offset)
    }.map(\.element)
    return all.enumerated().suffix(Table.feedLimit).reversed().map { index, item in
      TableView.FeedItem(
        index: index, kind: item.kind, who: item.who.map(latestPlayer), word: item.word,
        confirms: item.confirms,
        denials: item.denials, ageMs: 0, place: item.place)
    }
  }

  private func result(for me: Int?) -> ResultView? {
    guard let outcome else { return nil }
    var receipt: ResultView.Receipt?
    if let draw, let seed {
      let first = dealt.filter { seats[$0].lateAt == nil }
      let numbers = setup.receipt(players: first.count)
      receipt = ResultView.Receipt(
        checked: draw.seed(table: id) == seed, draw: seed, people: draw.parts.map(\.player),
        silent: first.filter { seat in !draw.parts.contains { $0.seat == seat } }
          .map { seats[$0].player },
        size: numbers?.size, words: numbers?.words, pool: numbers?.pool)
    }
    return ResultView(
      kind: outcome.kind, winners: outcome.winners, seconds: 0,
      same: TableView.Agreement(agreeing: 1, here: 1, of: max(1, voters.count)),
      receipt: receipt,
      rematch: ResultView.Rematch(
        asked: rematchWishes.map { seats[$0.seat].player },
        mine: rematchWishes.contains { $0.seat == me }),
      recap: AnyResultView(setup.kind, game))
  }
}

extension Table.Phase {
  /// As in `phase` of Protocol/local-api-state.md.
  package var name: String {
    switch self {
    case .lobby: "lobby"
    case .starting: "starting"
    case .dealing: "dealing"
    case .playing: "playing"
    case .over: "over"
    case .cancelled: "cancelled"
    }
  }
}
