import Games
import Wire

/// What each act does in each phase; refusals leave everything as it was.
extension Table {
  mutating func perform(_ act: Act, by seat: Int, at place: LogPlace) throws(IllegalMove) {
    if phase == .cancelled && act != .left { throw IllegalMove(.tableCancelled) }
    switch act {
    case .join, .witness, .watch: throw IllegalMove(.alreadySeated)
    case .rekey: throw IllegalMove(.badKey)
    case .show: throw IllegalMove(.badShow)
    case .setup(let body):
      guard phase == .lobby else { throw IllegalMove(.lobbyClosed) }
      try setup.apply(body.item, by: seat, among: members)
    case .ready(let isReady):
      guard phase == .lobby else { throw IllegalMove(.lobbyClosed) }
      guard seats[seat].isReady != isReady else { throw IllegalMove(.sameReady) }
      seats[seat].isReady = isReady
    case .start: try start(by: seat, at: place)
    case .cancel: try cancel(by: seat, at: place)
    case .left: leave(seat, at: place)
    case .lock(let isLocked): try lock(isLocked, by: seat, at: place)
    case .takeOff(let player): try takeOff(player, by: seat, at: place)
    case .letBack(let player): try letBack(player, by: seat, at: place)
    case .back: throw IllegalMove(.notAway)
    case .commit(let number, let commitment):
      try commit(number, commitment, by: seat, at: place)
    case .reveal(let number, let secret): try reveal(number, secret, by: seat, at: place)
    case .move(let body): try move(body, by: seat, at: place)
    case .rematch:
      guard phase == .over else { throw IllegalMove(.notOver) }
      guard !rematchWishes.contains(where: { $0.seat == seat }) else {
        throw IllegalMove(.alreadyAsked)
      }
      rematchWishes.append(RematchWish(seat: seat, place: place))
    }
  }

  // MARK: Lobby

  private mutating func start(by seat: Int, at place: LogPlace) throws(IllegalMove) {
    guard seat == 0 else { throw IllegalMove(.onlyCreator) }
    if let refusal = startRefusal { throw refusal }
    phase = .starting
    frozenSetup = setup.stateHash
    news.append(GameNews(kind: "started", place: place, who: [seats[0].player]))
    // Nobody else votes at a practice table, so no seal is to come.
    if genesis.draft.practice { openDraw(at: place) }
  }

  private mutating func cancel(by seat: Int, at place: LogPlace) throws(IllegalMove) {
    guard seat == 0 else { throw IllegalMove(.onlyCreator) }
    guard phase == .lobby || phase == .starting else { throw IllegalMove(.alreadyStarted) }
    callOff(at: place)
  }

  private mutating func callOff(at place: LogPlace) {
    phase = .cancelled
    news.append(GameNews(kind: "cancelled", place: place, who: [seats[0].player]))
  }

  // MARK: Leaving

  /// The seat ends; the feed says so in the word of `kind`.
  mutating func leave(_ seat: Int, as kind: String = "left", at place: LogPlace) {
    seats[seat].leftAt = place
    switch phase {
    case .over, .cancelled: return
    case .lobby, .starting:
      seats[seat].leftEarly = true
      seats[seat].isReady = false
      news.append(GameNews(kind: kind, place: place, who: [seats[seat].player]))
      if phase == .lobby { setup.membersChanged(members) }
      if seat == 0 {
        callOff(at: place)
      } else if phase == .starting && !canBePlayed(by: members.count) {
        // Too few are left to start with: the lobby opens again.
        phase = .lobby
        frozenSetup = nil
      }
    case .dealing, .playing:
      news.append(GameNews(kind: kind, place: place, who: [seats[seat].player]))
      if seat == 0 && genesis.draft.practice {
        // The colleagues it played with are its own.
        end(.unfinished, winners: [], at: place)
      } else if phase == .dealing {
        leaveDraw(seat, at: place)
      } else if let player = dealt.firstIndex(of: seat) {
        game?.seatLeft(player, at: place)
        closeIfOver()
      }
    }
  }

  /// Whether so many can play what was set up.
  private func canBePlayed(by players: Int) -> Bool {
    players >= 2 && setup.startRefusal(players: players) == nil
  }

  private mutating func leaveDraw(_ seat: Int, at place: LogPlace) {
    let staying = members
    switch staying.count {
    case 0: end(.unfinished, winners: [], at: place)
    case 1: end(.lastPlayer, winners: staying.map { seats[$0].player }, at: place)
    case let players where !canBePlayed(by: players): end(.unfinished, winners: [], at: place)
    default:
      let voting = votingSeats
      draw?.seatLeft(seat, voters: voting, at: place)
    }
  }

  private mutating func end(
    _ kind: GameOutcome.Kind, winners: [PublicKey], at place: LogPlace
  ) {
    earlyOutcome = GameOutcome(kind: kind, winners: winners, place: place)
    phase = .over
    if kind == .lastPlayer {
      news.append(GameNews(kind: "lastPlayer", place: place, who: winners))
    }
  }

  // MARK: Draw

  mutating func openDraw(at place: LogPlace) {
    phase = .dealing
    draw = Draw(awaited: votingSeats, minimum: min(2, members.count), at: place)
  }

  private mutating func commit(
    _ number: UInt64, _ commitment: Digest, by seat: Int, at place: LogPlace
  ) throws(IllegalMove) {
    let draw = try runningDraw(number)
    guard !draw.silent.contains(seat) else { throw IllegalMove(.lostSay) }
    guard !draw.parts.contains(where: { $0.seat == seat }) else {
      throw IllegalMove(.alreadyCommitted)
    }
    guard draw.mayCommit(seat) else { throw IllegalMove(.notInDraw) }
    self.draw?.commit(commitment, by: seat, player: seats[seat].player, at: place)
  }

  private mutating func reveal(
    _ number: UInt64, _ secret: Digest, by seat: Int, at place: LogPlace
  ) throws(IllegalMove) {
    if let refusal = revealRefusal(number, secret, by: seat) { throw refusal }
    draw?.reveal(secret, by: seat)
    guard let seed = draw?.seed(table: id) else { return }
    self.seed = seed
    dealt = members
    dealtAt = place
    game = AnyGame(setup: setup, players: dealt.map { seats[$0].player }, seed: seed)
    phase = .playing
    news.append(GameNews(kind: "dealt", place: place, who: []))
    // A practice table may go on from a game that is over, to look through it.
    closeIfOver()
  }

  /// Why an opened secret is not taken; nil when it is.
  func revealRefusal(_ number: UInt64, _ secret: Digest, by seat: Int) -> IllegalMove? {
    do throws(IllegalMove) {
      let draw = try runningDraw(number)
      guard !draw.silent.contains(seat) else { return IllegalMove(.lostSay) }
      guard let part = draw.parts.first(where: { $0.seat == seat }), draw.stage == .revealing else {
        return IllegalMove(.notInDraw)
      }
      guard part.secret == nil else { return IllegalMove(.alreadyRevealed) }
      let commitment = Draw.commitment(
        table: id, draw: number, player: part.player, secret: secret)
      return commitment == part.commitment ? nil : IllegalMove(.revealMismatch)
    } catch { return error }
  }

  private func runningDraw(_ number: UInt64) throws(IllegalMove) -> Draw {
    guard phase == .dealing, let draw else { throw IllegalMove(.notDrawing) }
    guard draw.number == number else { throw IllegalMove(.otherDraw) }
    return draw
  }

  // MARK: Game

  private mutating func move(
    _ body: Act.CBORBody, by seat: Int, at place: LogPlace
  ) throws(IllegalMove) {
    guard phase == .playing || phase == .over, let player = dealt.firstIndex(of: seat) else {
      throw IllegalMove(.notPlaying)
    }
    guard earlyOutcome == nil else { throw IllegalMove.gameOver }
    try game?.apply(body.item, by: player, at: place)
    closeIfOver()
  }

  mutating func closeIfOver() {
    if game?.outcome != nil { phase = .over }
  }
}
