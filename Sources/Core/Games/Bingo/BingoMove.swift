package import CBOR

/// What a player does in a game of bingo.
///
/// An event is a word of the pool, by its number there; a claim is known by its number in the log.
package enum BingoMove: GameMove {
  /// "I heard it."
  case claim(event: Int)
  /// "So did I", or "No".
  case vote(claim: Int, confirm: Bool)
  /// Taps a tile whose event has been confirmed.
  case mark(event: Int)
  /// Chooses who decides from here on, where the table offers it.
  case voting(BingoSettings.Voting)
  /// Takes back one's own accepted claim: it was a mistake.
  case takeBack(claim: Int)
  /// Wishes, or wishes no longer, that the game ends as it stands: the meeting is over.
  case settle(Bool)

  /// Reads `[kind, field...]`.
  package init(_ item: CBOR) throws(DecodeError) {
    let parts = try item.array("bingo", count: 2...3)
    let kind = try parts[0].unsigned("bingo.kind")
    guard parts.count == (kind == 1 ? 3 : 2) else { throw .wrongCount("bingo") }
    switch kind {
    case 0: self = .claim(event: try parts[1].int("bingo.event", in: 0...BingoDeal.poolLimit))
    case 1:
      self = .vote(
        claim: try parts[1].int("bingo.claim"), confirm: try parts[2].bool("bingo.confirm"))
    case 2: self = .mark(event: try parts[1].int("bingo.event", in: 0...BingoDeal.poolLimit))
    case 3:
      let name = try parts[1].text("bingo.voting", maximum: 16)
      guard let voting = BingoSettings.Voting(rawValue: name) else {
        throw .unknownKind("bingo.voting")
      }
      self = .voting(voting)
    case 4: self = .takeBack(claim: try parts[1].int("bingo.claim"))
    case 5: self = .settle(try parts[1].bool("bingo.settle"))
    default: throw .unknownKind("bingo.kind")
    }
  }

  /// `[kind, field...]`.
  package var cbor: CBOR {
    switch self {
    case .claim(let event): [0, CBOR(event)]
    case .vote(let claim, let confirm): [1, CBOR(claim), .bool(confirm)]
    case .mark(let event): [2, CBOR(event)]
    case .voting(let voting): [3, .text(voting.rawValue)]
    case .takeBack(let claim): [4, CBOR(claim)]
    case .settle(let wish): [5, .bool(wish)]
    }
  }
}

/// What a player does to words and settings in the lobby.
package enum BingoSetupMove: GameMove {
  /// The creator chooses other house rules.
  case settings(BingoSettings)
  /// A new word (PRODUCT B20).
  case suggest(Word)
  /// Strikes a word; the creator takes it out (PRODUCT B21).
  case veto(Word)
  /// Wants a word that waits to be taken; of the creator, where that is his to say, takes it.
  case want(Word)

  /// Reads `[kind, field]`.
  package init(_ item: CBOR) throws(DecodeError) {
    let parts = try item.array("bingo.setup", exactly: 2)
    switch try parts[0].unsigned("bingo.setup.kind") {
    case 0: self = .settings(try BingoSettings(parts[1]))
    case 1: self = .suggest(try Word(parts[1], "bingo.suggest"))
    case 2: self = .veto(try Word(parts[1], "bingo.veto"))
    case 3: self = .want(try Word(parts[1], "bingo.want"))
    default: throw .unknownKind("bingo.setup.kind")
    }
  }

  /// `[kind, field]`.
  package var cbor: CBOR {
    switch self {
    case .settings(let settings): [0, settings.cbor]
    case .suggest(let word): [1, .text(word.text)]
    case .veto(let word): [2, .text(word.text)]
    case .want(let word): [3, .text(word.text)]
    }
  }
}
