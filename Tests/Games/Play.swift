import CBOR
import Games
import Wire

/// A key that is easy to tell apart; nobody signs with it.
func key(_ number: UInt64) -> PublicKey {
  PublicKey(raw: Digest(.state, "test key", .unsigned(number)).raw)
}

/// Words that are easy to tell apart.
func words(_ count: Int) -> [Word] {
  (0..<count).compactMap { try? Word(typed: "Phrase number \($0)") }
}

/// A game with the places of the log counted along.
final class Play {
  private(set) var game: Bingo
  private(set) var height: UInt64 = 10

  /// By default every word is on every board, each time elsewhere.
  init(
    players: Int, size: Int = 3, words count: Int = 9, marking: BingoSettings.Marking = .tap,
    voting: BingoSettings.Voting = .majority, pattern: BingoSettings.Pattern = .lines,
    freeCentre: Bool = false, places: Int = 1, seed: UInt64 = 1
  ) {
    let settings = BingoSettings(
      size: size, minutes: 60, marking: marking, voting: voting, pattern: pattern,
      freeCentre: freeCentre, places: places)
    game = Bingo(
      setup: BingoSetup(settings: settings, words: words(count)),
      players: (0..<players).map { key(UInt64($0)) },
      seed: Digest(.draw, .unsigned(seed)))
  }

  /// Plays one move; nil when it was taken, else the code of its refusal.
  @discardableResult
  func does(_ seat: Int, _ move: BingoMove) -> String? {
    height += 1
    let before = game.stateHash
    do throws(IllegalMove) {
      try game.apply(move, by: seat, at: LogPlace(height: height, index: 0))
    } catch {
      return game.stateHash == before ? error.code : "a refused move changed the state"
    }
    return nil
  }

  @discardableResult
  func claims(_ seat: Int, _ event: Int) -> String? { does(seat, .claim(event: event)) }

  @discardableResult
  func confirms(_ seat: Int, _ claim: Int) -> String? {
    does(seat, .vote(claim: claim, confirm: true))
  }

  @discardableResult
  func denies(_ seat: Int, _ claim: Int) -> String? {
    does(seat, .vote(claim: claim, confirm: false))
  }

  @discardableResult
  func marks(_ seat: Int, _ event: Int) -> String? { does(seat, .mark(event: event)) }

  func leaves(_ seat: Int) {
    height += 1
    game.seatLeft(seat, at: LogPlace(height: height, index: 0))
  }

  /// Lets one open limit of time pass; false when there is none of that kind.
  @discardableResult
  func passes(_ kind: String, _ subject: UInt64 = 0) -> Bool {
    guard let limit = game.deadlines.first(where: { $0.kind == kind && $0.subject == subject })
    else { return false }
    height += 1
    game.deadlinePassed(limit, at: LogPlace(height: height, index: 0))
    return true
  }

  /// A claim that everybody else still in the game confirms, as far as it needs them.
  func agrees(on event: Int, by seat: Int) {
    claims(seat, event)
    let number = game.claims.count - 1
    for other in game.players.indices where other != seat { confirms(other, number) }
  }

  /// The events of a seat's board; the free tile, which has none, is left out.
  func board(_ seat: Int) -> [Int] { game.deal.boards[seat].compactMap { $0 } }

  /// The events of a line of a seat's board, rows first.
  func line(_ index: Int, of seat: Int) -> [Int] {
    let size = game.settings.size
    let board = board(seat)
    return (0..<size).map { index < size ? index * size + $0 : $0 * size + index - size }
      .map { board[$0] }
  }

  func state(_ claim: Int) -> BingoClaim.State { game.claims[claim].state }

  func isMarked(_ event: Int, _ seat: Int) -> Bool {
    tile(event, seat)?.state == .marked
  }

  func tile(_ event: Int, _ seat: Int) -> BingoView.Tile? {
    view(seat).board?.tiles.first { $0.event == event }
  }

  func view(_ seat: Int?) -> BingoView {
    let setup = BingoSetup(settings: game.settings, words: [])
    var view = setup.view(
      for: seat, players: game.players, playing: game.players.count, showsWords: false)
    game.show(in: &view, for: seat)
    return view
  }

  /// Names of the winners, as seats.
  var winners: [Int]? {
    game.outcome.map { outcome in
      game.players.indices.filter { outcome.winners.contains(game.players[$0]) }
    }
  }
}
