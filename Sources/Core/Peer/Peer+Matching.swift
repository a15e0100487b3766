import Consensus
import Discovery
import Games
import Table
import Wire

/// Looking for somebody to play with (PRODUCT Q13): an open table for two is joined, or one is made and waited
/// at; the game begins by itself as soon as two sit there.
struct Matching: Sendable {
  let game: GameKind
  /// The nonce of the own table; nil before it is made.
  var nonce: [UInt8]?
  /// When the own table was made.
  var madeAt: Milliseconds = 0
  /// The table at which a seat was asked for, and when.
  var asked: TableID?
  var askedAt: Milliseconds = 0
}

extension Peer {
  /// How long somebody who only waits at a table of theirs is left to be found by others who look.
  private static let shyness: Milliseconds = 3_000

  mutating func match(_ game: GameKind?, id: CommandID) {
    if let game {
      guard AnySetup.isMatched(game) else {
        refuse(id, IllegalMove.unreadableCommand.code, IllegalMove.unreadableCommand.sentence)
        return
      }
      if matching == nil { matching = Matching(game: game) }
    } else if let matching {
      if let own = ownMatch(matching) { callOff(own) }
      self.matching = nil
    }
    answer(id, .accepted(table: nil))
  }

  /// The table that this laptop has made to be found at.
  private func ownMatch(_ matching: Matching) -> Int? {
    guard let nonce = matching.nonce else { return nil }
    return sessions.firstIndex { $0.genesis.draft.nonce == nonce && $0.isSatAt && !$0.isOver }
  }

  private mutating func callOff(_ index: Int) {
    guard sessions[index].table.phase == .lobby else { return }
    _ = author(.cancel, at: index)
    sessions[index].isPutAway = true
    persist(sessions[index].record)
    isChanged = true
  }

  mutating func advanceMatching() {
    guard let matching else { return }
    // Who kept it may have thought again: then the search goes on.
    if let joined = sessions.firstIndex(where: {
      $0.id == matching.asked && $0.isSatAt && $0.table.phase != .cancelled
    }) {
      return playMatch(at: joined)
    }
    let own = ownMatch(matching)
    if let own, sessions[own].table.members.count > 1 { return playMatch(at: own) }
    // Of two who look, the one with the lower key keeps the table.
    let other = openMatches(of: matching.game).first { host, _ in
      own == nil || host < me || now >= matching.madeAt + Peer.shyness
    }
    if let (host, table) = other {
      guard matching.asked != table || now >= matching.askedAt + Arrival.patience else { return }
      if let own { callOff(own) }
      self.matching?.nonce = nil
      self.matching?.asked = table
      self.matching?.askedAt = now
      ask(.join(code: nil, table: table), of: host, at: address(of: host), id: nil)
    } else if own == nil, matching.nonce == nil || now >= matching.madeAt + Arrival.patience {
      makeMatch(matching.game)
    }
  }

  /// Tables nearby with one seat free, and who made them; the lowest key first.
  private func openMatches(of game: GameKind) -> [(host: PublicKey, table: TableID)] {
    roster.neighbours.flatMap { row in
      row.beacon.tables.filter {
        $0.game == game.rawValue && $0.players == 1 && $0.seats == 2
      }.map { (row.beacon.identity, $0.table) }
    }.sorted { $0.0 < $1.0 }
  }

  private mutating func makeMatch(_ game: GameKind) {
    guard arrivals.count < Arrival.limit, let name,
      let setup = try? AnySetup.make(game, from: GameCommand("createTable", [])),
      let plan = try? TablePlan(
        title: "", setup: setup, access: TableAccess(), hostName: name, code: freshCode(),
        nonce: freshNonce())
    else { return }
    matching?.nonce = plan.nonce
    matching?.madeAt = now
    make(plan, for: nil)
  }

  /// Both have come: whoever made the table starts when the other has said to be ready.
  private mutating func playMatch(at index: Int) {
    let session = sessions[index]
    guard session.mayAuthor, !session.isJoining else { return }
    guard session.table.phase == .lobby else {
      matching = nil
      isChanged = true
      return
    }
    guard session.outbox.pending(of: session.keys.player).isEmpty else { return }
    if session.isMine(me) {
      if session.table.startRefusal == nil { _ = author(.start, at: index) }
    } else if let seat = session.table.seat(of: session.keys.player),
      !session.table.seats[seat].isReady
    {
      _ = author(.ready(true), at: index)
    }
  }
}
