import CBOR
import Consensus
package import Games
import Table
package import Wire

/// What a log proves, in numbers; `proves` and `doesNotProve` say it in sentences.
package struct LogProof: Sendable, Hashable, Encodable {
  package let proven = true
  /// Somebody who had a seat.
  package struct Person: Sendable, Hashable, Encodable {
    package let name: String
    /// Four characters of the key, which tell two people of one name apart.
    package let tag: String
    /// The identity; a pretend colleague's player key.
    package let key: PublicKey
    /// Whether its laptop ever voted in the log.
    package let voted: Bool
    package let left: Bool
    /// Whether the log holds proof that its laptop lied.
    package let lied: Bool
  }

  package let table: TableID
  /// Five digits.
  package let code: String
  package let title: String
  package let game: GameKind
  package let practice: Bool
  package let people: [Person]
  package let blocks: Int
  /// Acts of players, those of them that are moves, and those that the rules refused.
  package let acts: Int
  package let moves: Int
  package let refused: Int
  /// Limits of time that ended by a quorum's word.
  package let deadlines: Int
  /// Spans of the log with one set of voters.
  package let epochs: Int
  package let height: UInt64
  package let tip: Digest
  package let state: Digest
  /// As in `phase` of Protocol/local-api-state.md.
  package let phase: String
  /// How the game ended; nil while it has not.
  @OrNull package var kind: GameOutcome.Kind?
  package let winners: [String]
  /// The block that ended it, or the last one, and the time that it shows.
  package let resultHeight: UInt64
  package let resultShown: UInt64
  /// Laptops that signed the result, of those that voted, and how many must lie for another one.
  package let signed: Int
  package let voters: Int
  package let liarsNeeded: Int
  package let settled: Bool
  /// Whose opened secrets the boards come from; each fits what was bound before any was known.
  package let drawnBy: [String]
  /// Changes of voters that lean on a block which the file does not have.
  package let leaningSeals: Int
  /// The same for people, a sentence each.
  package private(set) var proves: [String] = []
  package private(set) var doesNotProve: [String] = []

  init(_ audit: Audit<Table>, _ tally: LogTally, liars: [PublicKey]) {
    let app = audit.app
    let genesis = app.genesis
    table = genesis.table
    code = genesis.codeText
    title = genesis.draft.title
    game = genesis.draft.setup.kind
    practice = genesis.draft.practice
    let everVoted = audit.epochs.flatMap(\.voters)
    people = app.seats.map { seat in
      let key = seat.identity ?? seat.player
      return Person(
        name: seat.name, tag: key.tag, key: key,
        voted: seat.voterKeys.contains(where: everVoted.contains), left: seat.hasLeft,
        lied: seat.voterKeys.contains(where: liars.contains))
    }
    blocks = audit.blocks
    acts = tally.acts
    moves = tally.moves
    refused = audit.outcomes.count { $0 != .done }
    deadlines = tally.deadlines
    epochs = audit.epochs.count
    height = audit.height
    tip = audit.tip
    state = app.stateHash
    phase = app.phase.name
    kind = app.outcome?.kind
    winners = (app.outcome?.winners ?? []).map { key in
      app.seats.first { $0.player == key }?.name ?? key.hex
    }
    resultHeight = app.outcome?.place.height ?? audit.height
    resultShown = audit.shownTime(at: resultHeight) ?? 0
    let finality = audit.finality(at: resultHeight)
    voters = finality?.voters ?? 1
    settled = finality?.isSettled ?? false
    signed = settled ? voters : finality?.signatures ?? 0
    // A final block with k signatures stands against k + q - n - 1 liars.
    liarsNeeded = max(0, signed + genesis.founding.quorum(of: voters) - voters)
    drawnBy = app.seed == nil ? [] : (app.draw?.parts ?? []).map { app.seats[$0.seat].name }
    leaningSeals = audit.leaningSeals
    proves = provenSentences
    doesNotProve = unprovenSentences + leftOut(of: audit)
  }
}
