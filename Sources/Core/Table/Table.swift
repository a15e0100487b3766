import Consensus
package import Games
package import Wire
import CBOR

/// One game session as its log has made it: seats, lobby, draw, game, result, rematch.
///
/// It is driven by entries, deadlines and seals and by nothing else; what it is asked for beyond
/// that (`view`, `duty`) changes nothing. Protocol/table.md tells it for other implementers.
package struct Table: Sendable {
  /// Where a table stands.
  package enum Phase: UInt8, Sendable, CaseIterable {
    /// People come, words and rules are settled.
    case lobby = 0
    /// The creator has started; the seal that makes the seats voters is to come.
    case starting = 1
    /// The draw runs.
    case dealing = 2
    case playing = 3
    case over = 4
    case cancelled = 5
  }

  /// Seats of a table at the most, the creator's with them.
  ///
  /// Sixteen of them vote; the others play all the same, and vote as soon as there is room.
  package static let seatLimit = 24
  /// Joins that a lobby ever takes, with those who left again.
  static let joinLimit = 64

  /// Someone's wish to play again.
  package struct RematchWish: Hashable, Sendable {
    package let seat: Int
    package let place: LogPlace
  }

  package let genesis: Genesis
  package internal(set) var phase = Phase.lobby
  /// In the order of joining; the creator's is 0.
  package internal(set) var seats: [Seat]
  /// Laptops without a seat that help to agree, in the order in which they came.
  package internal(set) var witnesses: [Seat] = []
  /// People without a seat who look on and do not vote, in the order in which they came.
  package internal(set) var watchers: [Seat] = []
  /// Nobody new is let in.
  package internal(set) var isLocked = false
  /// Words and house rules.
  package internal(set) var setup: AnySetup
  /// Keys that vote now, ascending.
  package internal(set) var voters: [PublicKey]
  /// Seals and recoveries so far.
  package internal(set) var seals: UInt64 = 0
  /// The draw, from the first seal on; stays when it is done, as the deal receipt.
  package internal(set) var draw: Draw?
  /// What the draw came to.
  package internal(set) var seed: Digest?
  package internal(set) var game: AnyGame?
  /// The table's seats in the order in which the game counts them.
  package internal(set) var dealt: [Int] = []
  /// Where the first board was dealt.
  package internal(set) var dealtAt: LogPlace?
  /// Who asked for a rematch, first come first; the first one's node makes the next table.
  package internal(set) var rematchWishes: [RematchWish] = []
  /// An end that did not come out of the game.
  var earlyOutcome: GameOutcome?
  var news: [GameNews] = []
  /// The setup's hash once it cannot change any more.
  var frozenSetup: Digest?

  /// A table as its genesis leaves it: the creator sits in the lobby and votes alone.
  package init(_ genesis: Genesis) {
    self.genesis = genesis
    setup = genesis.draft.setup
    seats = [Seat(genesis.draft.creator)] + genesis.draft.pretend.map { Seat($0) }
    voters = [genesis.draft.creator.voter]
  }

  /// Where its creator left a lobby that was not called off: the others may go on elsewhere.
  package var leftByCreator: LogPlace? {
    phase == .cancelled && seats[0].leftEarly ? seats[0].leftAt : nil
  }
  /// Its id.
  package var id: TableID { genesis.table }

  // MARK: Questions

  /// The seat of a player key.
  package func seat(of player: PublicKey) -> Int? { seats.firstIndex { $0.player == player } }
  /// The seat of an identity that has not left, else its last one.
  package func seat(ofIdentity identity: PublicKey) -> Int? {
    seats.firstIndex { $0.identity == identity && !$0.hasLeft }
      ?? seats.lastIndex { $0.identity == identity }
  }
  /// Seats whose players have not left, ascending.
  package var members: [Int] { seats.indices.filter { !seats[$0].hasLeft } }
  /// Whether somebody new may still take a seat.
  package var isOpen: Bool {
    (phase == .lobby || takesLatecomers) && !genesis.draft.practice && !isLocked && hasRoom
  }
  /// Whether one more seat can be taken.
  var hasRoom: Bool { members.count < seatLimit && seats.count < Table.joinLimit }
  /// Whether somebody may sit down though the game is being played.
  var takesLatecomers: Bool { phase == .playing && setup.takesLatecomers && game?.outcome == nil }
  /// Seats that this table has room for, by what is played.
  package var seatLimit: Int { min(setup.seatLimit ?? Table.seatLimit, Table.seatLimit) }
  /// How it ended, once it has.
  package var outcome: GameOutcome? { earlyOutcome ?? game?.outcome }

  /// Why the game cannot be started now; nil when the creator may.
  package var startRefusal: IllegalMove? {
    switch phase {
    case .lobby: break
    case .cancelled: return IllegalMove(.tableCancelled)
    case .starting, .dealing, .playing, .over: return IllegalMove(.alreadyStarted)
    }
    if let refusal = setup.startRefusal(players: members.count) { return refusal }
    guard members.count >= 2 || genesis.draft.practice else { return IllegalMove(.playersMissing) }
    guard !setup.waitsForReady || members.allSatisfy(isReadyToStart) else {
      return IllegalMove(.notReady)
    }
    return nil
  }

  /// Whoever starts the game is ready by that; pretend colleagues always are.
  private func isReadyToStart(_ seat: Int) -> Bool {
    seat == 0 || seats[seat].isReady || seats[seat].isPretend
  }

  /// What the draw waits for from a player.
  package enum Duty: Hashable, Sendable {
    /// Lay down a commitment in this draw; the secret must be durable before.
    case commit(draw: UInt64)
    /// Open the secret of this draw.
    case reveal(draw: UInt64)
  }

  /// What a player's node has to send now for the draw to go on.
  package func duty(of player: PublicKey) -> Duty? {
    guard phase == .dealing, let draw, let seat = seat(of: player), !seats[seat].hasLeft else {
      return nil
    }
    if draw.mayCommit(seat) { return .commit(draw: draw.number) }
    if draw.owesReveal(seat) { return .reveal(draw: draw.number) }
    return nil
  }

  /// Seats whose keys vote now, ascending; pretend colleagues count where their creator votes.
  var votingSeats: [Int] {
    members.filter { index in
      guard let voter = seats[index].voter else { return genesis.draft.practice }
      return voters.contains(voter)
    }
  }
}

extension IllegalMove {
  /// A refusal of the table's, as one of a game's.
  init(_ refusal: Refusal) { self.init(refusal.code, refusal.sentence) }
}
