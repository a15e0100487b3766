package import CBOR
package import Wire
import Quoridor

/// The house rules of a table of Quoridor, as its lobby agrees on them.
package struct QuoridorSetup: GameSetup {
  package private(set) var settings: QuoridorSettings
  /// The dealt seat that begins a rematch of two; nil leaves it to the draw.
  private let first: Int?
  /// Who plays the other pawns at a practice table; nil at every other.
  package let opponent: Opponent?
  /// The moves that a practice table goes on from; a pass that was not forced is a turn that ran out.
  private(set) var past: [Quoridor.Move]
  /// The game after them.
  private(set) var match: Match
  /// Moves that a practice table goes on from at the most.
  static let longestPast = 2_048

  /// Who plays the pawns of a practice table's pretend seats.
  package enum Opponent: Int, Sendable, CaseIterable {
    /// People at the same laptop, in turns.
    case people = 0
    /// The computer, by its level.
    case beginner = 1
    case casual
    case club
    case master
  }

  /// Starts with these settings.
  package init(settings: QuoridorSettings, first: Int? = nil, opponent: Opponent? = nil) {
    self.settings = settings
    self.first = first
    self.opponent = opponent
    past = []
    match = settings.newMatch
  }

  /// Goes on from moves of another game; nil where one of them is not legal.
  init?(settings: QuoridorSettings, first: Int?, opponent: Opponent, past: [Quoridor.Move]) {
    var match = settings.newMatch
    for move in past {
      // What does not follow the rules was not refused: the time of that turn was over.
      if move == .pass, match.position.refusal(of: .pass) == .mustMove, match.result == nil {
        match.runOut()
      } else if (try? match.play(move, by: match.position.turn)) == nil {
        return nil
      }
    }
    self.settings = settings
    self.first = first
    self.opponent = opponent
    self.past = past
    self.match = match
  }

  /// Reads `[settings]`, of a rematch of two `[settings, first]`, of a practice table `[settings, first or null,
  /// opponent]`, with the codes of the moves behind it that it goes on from.
  package init(_ item: CBOR) throws(DecodeError) {
    let parts = try item.array("quoridor.setup", count: 1...4)
    let settings = try QuoridorSettings(parts[0])
    let first =
      parts.count == 1 || parts.count > 2 && parts[1].isNull
      ? nil : try parts[1].int("quoridor.setup.first", in: 0...1)
    let opponent =
      parts.count < 3
      ? nil : Opponent(rawValue: try parts[2].int("quoridor.setup.opponent", in: 0...4))
    guard parts.count == 4, let opponent else {
      self.init(settings: settings, first: first, opponent: opponent)
      return
    }
    let codes = try parts[3].bytes("quoridor.setup.past", count: 1...QuoridorSetup.longestPast)
    let past = codes.compactMap { Quoridor.Move(code: $0) }
    guard past.count == codes.count,
      let made = QuoridorSetup(settings: settings, first: first, opponent: opponent, past: past)
    else { throw .outOfRange("quoridor.setup.past") }
    self = made
  }

  package var genesisCBOR: CBOR { .array(fields) }

  private var fields: [CBOR] {
    let first = first.map { CBOR($0) }
    let past: [CBOR] = past.isEmpty ? [] : [.bytes(past.map(\.code))]
    if let opponent { return [settings.cbor, first ?? .null, CBOR(opponent.rawValue)] + past }
    return [settings.cbor] + (first.map { [$0] } ?? [])
  }

  package var stateHash: Digest { Digest(.state, items: fields) }

  /// The dealt seat that moves first, where that is not left to the draw.
  package var firstSeat: Int? { settings.players == .two ? first : nil }

  package var seatLimit: Int? { settings.players.rawValue }

  package var waitsForReady: Bool { true }

  /// The setup of a rematch that `seat` makes, and so sits down first at: of two, the other one begins this time.
  package func renewed(after game: QuoridorGame, by seat: Int?) -> QuoridorSetup {
    guard settings.players == .two, let side = seat.flatMap(game.side) else {
      return QuoridorSetup(settings: settings, opponent: opponent)
    }
    return QuoridorSetup(settings: settings, first: side == 0 ? 1 : 0, opponent: opponent)
  }

  package mutating func apply(_ move: QuoridorSetupMove, by seat: Int) throws(IllegalMove) {
    guard seat == 0 else { throw .onlyCreatorSets }
    switch move {
    case .settings(let next):
      settings = next
      past = []
      match = next.newMatch
    }
  }

  package func startRefusal(players: Int) -> IllegalMove? {
    players == settings.players.rawValue ? nil : .wrongPlayerCount
  }
}

/// What the creator changes in the lobby.
package enum QuoridorSetupMove: GameMove {
  case settings(QuoridorSettings)

  /// Reads `[kind, field]`.
  package init(_ item: CBOR) throws(DecodeError) {
    let parts = try item.array("quoridor.change", exactly: 2)
    guard try parts[0].unsigned("quoridor.change.kind") == 0 else {
      throw .unknownKind("quoridor.change.kind")
    }
    self = .settings(try QuoridorSettings(parts[1]))
  }

  /// `[kind, field]`.
  package var cbor: CBOR {
    switch self {
    case .settings(let settings): [0, settings.cbor]
    }
  }
}
