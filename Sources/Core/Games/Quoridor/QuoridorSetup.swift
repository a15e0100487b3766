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
  }

  /// Reads `[settings]`, of a rematch of two `[settings, first]`, of a practice table `[settings, first or null,
  /// opponent]`.
  package init(_ item: CBOR) throws(DecodeError) {
    let parts = try item.array("quoridor.setup", count: 1...3)
    settings = try QuoridorSettings(parts[0])
    first =
      parts.count == 1 || parts.count == 3 && parts[1].isNull
      ? nil : try parts[1].int("quoridor.setup.first", in: 0...1)
    opponent =
      parts.count < 3
      ? nil : Opponent(rawValue: try parts[2].int("quoridor.setup.opponent", in: 0...4))
  }

  package var genesisCBOR: CBOR { .array(fields) }

  private var fields: [CBOR] {
    let first = first.map { CBOR($0) }
    if let opponent { return [settings.cbor, first ?? .null, CBOR(opponent.rawValue)] }
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
    case .settings(let next): settings = next
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
