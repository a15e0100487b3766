package import Wire

/// What the page shows of a bingo table; the fields stand beside those of `TableView`.
///
/// What only the node knows (undo, time that is left) stands at a neutral value, to be filled in.
package struct BingoView: Encodable, Sendable, Hashable {
  /// The house rules as the page names them.
  package struct Settings: Encodable, Sendable, Hashable {
    package var size: Int
    package var minutes: Int
    package var marking: BingoSettings.Marking
    package var voting: BingoSettings.Voting
    package var pattern: BingoSettings.Pattern
    package var freeCentre: Bool
    package var places: Int
    package var suggesting: BingoSettings.Suggesting
    package var latecomers: Bool
    package var watching: BingoSettings.Watching
    /// Tiles of a line, for the progress of the seats.
    package var goal: Int
  }

  /// What a player may take back: his newest claim, while nothing was decided since.
  package struct TakeBack: Encodable, Sendable, Hashable {
    /// The claim.
    package var claim: String
    package var word: String
  }

  /// How far the wish has got that the game ends as it stands.
  package struct Settling: Encodable, Sendable, Hashable {
    /// Who has asked for it.
    package var asked: [PublicKey]
    /// So many must.
    package var needed: Int
    package var mine: Bool
    /// The planned time is nearly over; the node fills it in.
    package var isDue: Bool
  }

  /// The list in the lobby.
  package struct WordList: Encodable, Sendable, Hashable {
    /// A word of the list.
    package struct Item: Encodable, Sendable, Hashable {
      package var text: String
      /// Who suggested it; null for the words the table began with.
      @OrNull package var by: PublicKey?
      package var struck: Bool
      package var mine: Bool
      package var mayTakeOut: Bool
    }

    /// A word that was suggested and is not taken yet.
    package struct Proposal: Encodable, Sendable, Hashable {
      package var text: String
      package var by: PublicKey
      package var mine: Bool
      /// How many want it, and how many must.
      package var wanted: Int
      package var needed: Int
      /// I may want it; where the creator takes words, I am the creator.
      package var mayWant: Bool
      /// I may turn it away, or take it back.
      package var mayDrop: Bool
    }

    /// Empty once the game has begun.
    package var items: [Item]
    /// Likewise.
    package var proposals: [Proposal]
    /// Words that can be dealt.
    package var count: Int
    package var need: Int
    package var missing: Int
    /// Enough to start, but fewer than these settings are made for.
    package var thin: Bool
    /// Words merged when the list was made; only the creator's node knows.
    package var duplicates: Int
    /// Null: not limited.
    @OrNull package var vetoesLeft: Int?
    /// Null: not limited.
    @OrNull package var suggestionsLeft: Int?
  }

  /// A tile of the own board.
  package struct Tile: Encodable, Sendable, Hashable {
    /// How a tile looks; `undo` and `sending` are the node's to set.
    package enum State: String, Encodable, Sendable {
      case open
      case undo
      case sending
      case waiting
      case marked
      case confirmed
      case denied
      /// The tile in the middle, which holds no word.
      case free
    }

    package var index: Int
    /// Empty on the free tile.
    package var word: String
    package var state: State
    package var oneAway = false
    package var winning = false
    @OrNull package var undoMs: UInt64? = nil
    @OrNull package var leftMs: UInt64? = nil
    @OrNull package var waitMs: UInt64? = nil
    /// The open claim of its word.
    @OrNull package var claim: String? = nil
    /// My last claim of it had no answer: one click asks again.
    package var askAgain = false
    /// The event on the tile, for moves, nil on the free one; not for the page.
    package var event: Int?
    /// Where my last claim of it was denied; not for the page.
    package var deniedAt: LogPlace?
    /// Claims of it that I have left; not for the page.
    package var claimsLeft = 0

    init(index: Int, word: String, state: State) {
      self.index = index
      self.word = word
      self.state = state
    }

    init(free index: Int) { self.init(index: index, word: "", state: .free) }

    private enum CodingKeys: CodingKey {
      case index, word, state, oneAway, winning, undoMs, leftMs, waitMs, claim, askAgain
    }
  }

  /// The own board.
  package struct Board: Encodable, Sendable, Hashable {
    package var size: Int
    package var tiles: [Tile]
  }

  /// An open claim.
  package struct Claim: Encodable, Sendable, Hashable {
    package var id: String
    package var word: String
    /// Who heard it, the first claimant first.
    package var by: [PublicKey]
    package var leftMs: UInt64
    package var ofMs: UInt64
    package var confirms: [PublicKey]
    package var denials: [PublicKey]
    package var silent: [PublicKey]
    package var needed: Int
    package var mine: Bool
    /// `confirm`, `deny` or null.
    @OrNull package var myVote: String?
    package var onMyBoard: Bool
    package var mayVote: Bool
    /// Its number, for moves; not for the page.
    package var number: Int
    /// The event it is about, for moves; not for the page.
    package var event: Int
    /// Where it was made; not for the page.
    package var opened: LogPlace

    private enum CodingKeys: CodingKey {
      case id, word, by, leftMs, ofMs, confirms, denials, silent, needed, mine, myVote, onMyBoard
      case mayVote
    }
  }

  /// Somebody's board, as those see it who look on.
  package struct SeatBoard: Encodable, Sendable, Hashable {
    package var player: PublicKey
    package var board: Board
  }

  package var settings: Settings
  package var words: WordList
  @OrNull package var board: Board?
  /// Of those who have not left; empty for who has a seat, and where who looks on sees none.
  package var boards: [SeatBoard]
  package var claims: [Claim]
  /// `offer` when other voting may be chosen.
  @OrNull package var voteHelp: String?
  package var voting: BingoSettings.Voting
  @OrNull package var takeBack: TakeBack?
  /// Null in the lobby.
  @OrNull package var settling: Settling?
  /// Who has completed a line so far, a place each.
  package var places: [[PublicKey]]
}

extension BingoSetup {
  /// What a lobby shows to a seat; `players` are the keys of the table's seats in their order.
  package func view(
    for seat: Int?, players: [PublicKey], members: [Int] = [], playing: Int, showsWords: Bool
  ) -> BingoView {
    let count = items.count { $0.struckBy == nil }
    let shown = showsWords ? items : []
    return BingoView(
      settings: BingoView.Settings(
        size: settings.size, minutes: settings.minutes, marking: settings.marking,
        voting: settings.voting, pattern: settings.pattern, freeCentre: settings.freeCentre,
        places: settings.places, suggesting: settings.suggesting,
        latecomers: settings.latecomers, watching: settings.watching,
        goal: BingoLine.all(size: settings.size, pattern: settings.pattern)[0].length),
      words: BingoView.WordList(
        items: shown.map { item in
          BingoView.WordList.Item(
            text: item.word.text, by: item.by.map { players[$0] }, struck: item.struckBy != nil,
            mine: item.by != nil && item.by == seat, mayTakeOut: seat == 0)
        },
        proposals: showsWords
          ? proposals.map { proposalView($0, for: seat, players: players, members: members) } : [],
        count: count, need: settings.need, missing: max(0, settings.need - count),
        thin: count >= settings.need && count < settings.advised(players: playing),
        duplicates: 0, vetoesLeft: seat.flatMap(vetoesLeft),
        suggestionsLeft: seat.flatMap(suggestionsLeft)),
      board: nil, boards: [], claims: [], voteHelp: nil, voting: settings.voting, takeBack: nil,
      settling: nil,
      places: [])
  }
}

extension BingoSetup {
  private func proposalView(
    _ proposal: Proposal, for seat: Int?, players: [PublicKey], members: [Int]
  ) -> BingoView.WordList.Proposal {
    let isCreators = settings.suggesting == .creator
    return BingoView.WordList.Proposal(
      text: proposal.word.text, by: players[proposal.by], mine: proposal.by == seat,
      wanted: wanting(proposal, among: members),
      needed: isCreators ? 1 : BingoSetup.half(of: members.count),
      mayWant: seat.map { isCreators ? $0 == 0 : !proposal.wanted.contains($0) } ?? false,
      mayDrop: seat == 0 || proposal.by == seat)
  }
}

extension Bingo {
  /// Fills in what a seat sees of the running or finished game; nil is somebody without a board.
  ///
  /// Nothing of another seat's board goes out here; how far each has come is in `progress`.
  package func show(in view: inout BingoView, for seat: Int?) {
    view.voting = voting
    view.voteHelp = offersHelp ? "offer" : nil
    view.claims = openClaims.map { claimView($0, for: seat) }
    view.board = seat.map { board(of: $0) }
    view.takeBack = seat.flatMap(mayTakeBack).map { number in
      BingoView.TakeBack(claim: "\(number)", word: deal.pool[claims[number].event])
    }
    view.settling = BingoView.Settling(
      asked: settlers.map { players[$0] }, needed: settlersNeeded,
      mine: seat.map { settlers.contains($0) } ?? false, isDue: false)
    view.places = ranks.map { $0.map { players[$0] } }
  }

  /// Fills in the boards for somebody who looks on, where the rules show them.
  package func showBoards(in view: inout BingoView) {
    guard settings.watching == .boards else { return }
    view.boards = staying.map {
      BingoView.SeatBoard(player: players[$0], board: board(of: $0))
    }
  }

  private func claimView(_ claim: BingoClaim, for seat: Int?) -> BingoView.Claim {
    func keys(_ seats: [Int]) -> [PublicKey] { seats.map { players[$0] } }
    let mine = seat.map { claim.finders.contains($0) } ?? false
    var vote: String?
    if let seat, !mine {
      vote =
        claim.confirms.contains(seat)
        ? "confirm" : claim.denials.contains(seat) ? "deny" : nil
    }
    return BingoView.Claim(
      id: "\(claim.number)", word: deal.pool[claim.event], by: keys(claim.finders),
      leftMs: BingoClaim.duration, ofMs: BingoClaim.duration, confirms: keys(claim.confirms),
      denials: keys(claim.denials), silent: keys(claim.silent), needed: claim.needed, mine: mine,
      myVote: vote, onMyBoard: seat.map { deal.boards[$0].contains(claim.event) } ?? false,
      mayVote: seat.map { claim.silent.contains($0) && !seats[$0].hasLeft } ?? false,
      number: claim.number, event: claim.event, opened: claim.opened)
  }

  private func board(of seat: Int) -> BingoView.Board {
    let near = progress(of: seat).oneAway ? tilesToGo(of: seat) : 0
    let lines = seats[seat].lineAt == nil ? [] : lines(of: seat)
    return BingoView.Board(
      size: settings.size,
      tiles: deal.boards[seat].enumerated().map { index, event in
        var tile =
          event.map { self.tile(index, event: $0, of: seat) } ?? BingoView.Tile(free: index)
        tile.oneAway = near >> UInt64(index) & 1 == 1
        tile.winning = lines.contains { $0.holds(index) }
        return tile
      })
  }

  private func tile(_ index: Int, event: Int, of seat: Int) -> BingoView.Tile {
    let last = claims.last { $0.event == event && $0.finders.contains(seat) }
    let state: BingoView.Tile.State =
      if isMarked(index, seat) {
        .marked
      } else if settings.marking == .tap && accepted[event] != nil {
        .confirmed
      } else if last?.state == .open {
        .waiting
      } else if last?.state == .denied {
        .denied
      } else {
        .open
      }
    var tile = BingoView.Tile(index: index, word: deal.pool[event], state: state)
    tile.leftMs = state == .waiting ? BingoClaim.duration : nil
    tile.claim = openClaim(of: event).map { "\($0)" }
    tile.askAgain = state == .open && last?.state == .expired
    tile.event = event
    tile.deniedAt = last?.state == .denied ? last?.closed : nil
    tile.claimsLeft = Bingo.claimsEach - claimCount(of: event, by: seat)
    return tile
  }
}
