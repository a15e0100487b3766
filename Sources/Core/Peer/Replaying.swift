import Consensus
import Games
import Table
package import Wire

/// Past games, made again from their logs: nothing of what this shows is kept beside them (PRODUCT C21).
extension Peer {
  /// The games that are over on this laptop, the latest first.
  package var pastGames: [PastGame] {
    (sessions.filter(\.isPast).map { PastGame($0) } + archive.compactMap(\.row)).sorted {
      ($0.endedAt, $0.id) > ($1.endedAt, $1.id)
    }
  }

  /// A past game step by step; nil for a table that is not here or whose game is not over.
  ///
  /// One that was put away is read from the store.
  package func replay(
    of text: String, reading rows: (TableID) -> StoredRows? = { _ in nil }
  ) -> GameReplay? {
    guard let id = TableID(hex: text) else { return nil }
    let found = sessions.first { $0.id == id } ?? session(of: id, reading: rows)
    guard let found, found.isPast else { return nil }
    return GameReplay(found, shown: sessionView(found))
  }
}

/// A row of History.
package struct PastGame: Encodable, Sendable {
  let id: TableID
  let code: String
  let title: String
  let game: GameKind
  let pretend: Bool
  /// Milliseconds since 1970, by the clock of who proposed the last block of the game.
  let endedAt: UInt64
  let minutes: UInt64
  let people: [String]
  let winners: [String]

  init(_ session: TableSession) {
    let table = session.table
    id = session.id
    code = session.genesis.codeText
    title = session.genesis.draft.title
    game = table.setup.kind
    pretend = session.isLocal
    let (start, end) = session.played
    endedAt = end
    minutes = end > start ? (end - start + 59_999) / 60_000 : 1
    people = table.dealt.map { table.seats[$0].name }
    winners = (table.outcome?.winners ?? []).compactMap { key in
      table.seats.first { $0.player == key }?.name
    }
  }
}

/// A game of the past: the table as the page shows it, and what changed when.
package struct GameReplay: Encodable, Sendable {
  /// The words of a board, row by row; empty on the free tile.
  package struct Board: Encodable, Sendable {
    let player: PublicKey
    let words: [String]
  }

  /// Something that happened, or a tile that was marked.
  package struct Moment: Encodable, Sendable {
    /// A kind of the feed, or `marked` where a player tapped a tile.
    let kind: String
    /// Milliseconds since the boards were dealt, by the clocks of who proposed the blocks.
    let atMs: UInt64
    let who: [PublicKey]
    @OrNull var word: String?
    let confirms: Int
    let denials: Int
    /// Tiles that came to be marked, and that are so no more: board and tile each.
    var marked: [[Int]]
    var unmarked: [[Int]]
  }

  let table: SessionView
  /// Milliseconds since 1970.
  let startedAt: UInt64
  let endedAt: UInt64
  let size: Int
  let boards: [Board]
  let moments: [Moment]

  init(_ session: TableSession, shown: SessionView) {
    table = shown
    (startedAt, endedAt) = session.played
    guard case .bingo(let game) = session.table.game else {
      (size, boards, moments) = (0, [], [])
      return
    }
    size = game.settings.size
    boards = zip(game.players, game.deal.boards).map { player, board in
      Board(player: player, words: board.map { $0.map { game.deal.pool[$0] } ?? "" })
    }
    moments = Replayer(session).moments
  }
}

/// Drives a table through its log once more.
private struct Replayer {
  private var table: Table
  private var told = 0
  private var marks: [UInt64] = []
  private var zero: UInt64 = 0
  private(set) var moments: [GameReplay.Moment] = []

  init(_ session: TableSession) {
    table = Table(session.genesis)
    let recoveries = session.replica.recoveredPlaces
    for (block, _) in session.replica.finalBlocks(above: 0) {
      for (index, entry) in block.entries.enumerated() {
        _ = table.apply(entry, at: LogPlace(height: block.height, index: UInt64(index)))
        note(at: block.shownTime, by: entry.author)
      }
      let behind = UInt64(block.entries.count)
      for (index, deadline) in block.deadlines.enumerated() {
        let place = LogPlace(height: block.height, index: behind + UInt64(index))
        try? table.apply(deadline: deadline.id, at: place)
        note(at: block.shownTime, by: nil)
      }
      if let change = block.change {
        let place = LogPlace(
          height: block.height, index: behind + UInt64(block.deadlines.count))
        try? table.apply(change, at: place)
      }
      for (recovery, height) in recoveries where height == block.height {
        table.recover(recovery.voters, at: LogPlace(height: height, index: behind))
      }
    }
  }

  /// Writes down what the last step has changed.
  private mutating func note(at time: UInt64, by author: PublicKey?) {
    guard case .bingo(let game) = table.game else { return }
    let now = game.markedTiles
    if marks.isEmpty {
      (zero, marks, told) = (time, now, game.news.count)
      return
    }
    var marked: [[Int]] = []
    var unmarked: [[Int]] = []
    for (board, (before, after)) in zip(marks, now).enumerated() where before != after {
      for tile in 0..<64 where (before ^ after) >> UInt64(tile) & 1 == 1 {
        if after >> UInt64(tile) & 1 == 1 {
          marked.append([board, tile])
        } else {
          unmarked.append([board, tile])
        }
      }
    }
    let news = game.news.dropFirst(told)
    (marks, told) = (now, game.news.count)
    let at = time > zero ? time - zero : 0
    for item in news {
      moments.append(
        GameReplay.Moment(
          kind: item.kind, atMs: at, who: item.who, word: item.word, confirms: item.confirms,
          denials: item.denials, marked: marked, unmarked: unmarked))
      (marked, unmarked) = ([], [])
    }
    guard let tile = marked.first ?? unmarked.first else { return }
    let word = game.deal.boards[tile[0]][tile[1]].map { game.deal.pool[$0] }
    moments.append(
      GameReplay.Moment(
        kind: "marked", atMs: at, who: author.map { [$0] } ?? [], word: word, confirms: 0,
        denials: 0, marked: marked, unmarked: unmarked))
  }
}

extension TableSession {
  /// When the game began and ended, as the blocks show it; milliseconds since 1970.
  fileprivate var played: (start: UInt64, end: UInt64) {
    let blocks = replica.finalBlocks(above: 0)
    let end = table.outcome?.place.height ?? 0
    let start = table.dealtAt?.height ?? 0
    let startTime = blocks.first { $0.block.height >= start }?.block.shownTime ?? 0
    return (startTime, blocks.first { $0.block.height >= end }?.block.shownTime ?? startTime)
  }
}
