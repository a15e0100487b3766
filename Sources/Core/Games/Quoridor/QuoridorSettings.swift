package import CBOR
package import Quoridor

/// What a table of Quoridor agrees on before it starts.
package struct QuoridorSettings: Hashable, Sendable {
  /// How many play.
  package var players: Position.Players
  /// What four do before two pawns in a row.
  package var jumps: Position.JumpRule
  /// Whether turns are limited in time.
  package var isTimed: Bool

  /// Names the settings; two players never meet two pawns in a row.
  package init(
    players: Position.Players = .two, jumps: Position.JumpRule = .never, isTimed: Bool = true
  ) {
    self.players = players
    self.jumps = players == .two ? .never : jumps
    self.isTimed = isTimed
  }

  /// Reads `[players, jumps, timed]`.
  package init(_ item: CBOR) throws(DecodeError) {
    let parts = try item.array("quoridor.settings", exactly: 3)
    guard
      let players = Position.Players(
        rawValue: try parts[0].int("quoridor.settings.players", in: 2...4))
    else { throw .outOfRange("quoridor.settings.players") }
    let name = try parts[1].text("quoridor.settings.jumps", maximum: 16)
    guard let jumps = Position.JumpRule(rawValue: name), players == .four || jumps == .never else {
      throw .unknownKind("quoridor.settings.jumps")
    }
    self.init(
      players: players, jumps: jumps, isTimed: try parts[2].bool("quoridor.settings.timed"))
  }

  /// The game before its first move.
  var newMatch: Match { Match(from: Position(players: players, jumps: jumps)) }

  /// `[players, jumps, timed]`.
  package var cbor: CBOR {
    [CBOR(players.rawValue), .text(jumps.rawValue), .bool(isTimed)]
  }
}
