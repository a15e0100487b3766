package import CBOR
package import Wire
import Quoridor

/// The house rules of a table of Quoridor, as its lobby agrees on them.
package struct QuoridorSetup: GameSetup {
  package private(set) var settings: QuoridorSettings

  /// Starts with these settings.
  package init(settings: QuoridorSettings) { self.settings = settings }

  /// Reads `[settings]`.
  package init(_ item: CBOR) throws(DecodeError) {
    let parts = try item.array("quoridor.setup", exactly: 1)
    settings = try QuoridorSettings(parts[0])
  }

  package var genesisCBOR: CBOR { [settings.cbor] }

  package var stateHash: Digest { Digest(.state, settings.cbor) }

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
