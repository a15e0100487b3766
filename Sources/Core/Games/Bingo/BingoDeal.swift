package import Wire
import CBOR

/// What chance decides in a game of bingo, drawn from the seed: the pool and the boards.
///
/// Anyone who knows the list, the seed and the keys can deal it again (the deal receipt).
package struct BingoDeal: Hashable, Sendable {
  /// Events of one game at the most: the largest pool any settings ask for.
  package static let poolLimit = 79

  /// The events in play, in the order of the word list.
  package let pool: [String]
  /// Per seat the events of its tiles, row by row; no event twice on one board, nil on the free
  /// tile.
  package private(set) var boards: [[Int?]]
  private let filled: Int

  /// Deals one board a key.
  ///
  /// The pool is the first `poolSize` of a shuffle of the list, put back into the list's order; a
  /// board is the first of a shuffle of the pool that belongs to the player's key, as many as
  /// tiles hold a word: all of `size * size`, or all but `freeTile`.
  package init(
    words: [String], poolSize: Int, size: Int, freeTile: Int? = nil, players: [PublicKey],
    seed: Digest
  ) {
    let filled = size * size - (freeTile == nil ? 0 : 1)
    self.filled = filled
    invariant(
      filled <= poolSize && poolSize <= min(words.count, BingoDeal.poolLimit),
      "\(poolSize) of \(words.count) words for boards of \(filled)")
    var order = Array(words.indices)
    var stream = DigestStream(key: Digest(.board, seed.cbor))
    stream.shuffle(&order)
    pool = order.prefix(poolSize).sorted().map { words[$0] }
    boards = []
    boards = players.map { player in
      board(key: Digest(.board, seed.cbor, player.cbor), freeTile: freeTile)
    }
  }

  /// The board that belongs to a key of the stream.
  func board(key: Digest, freeTile: Int?) -> [Int?] {
    var events = Array(pool.indices)
    var stream = DigestStream(key: key)
    stream.shuffle(&events)
    var board: [Int?] = Array(events.prefix(filled))
    if let freeTile { board.insert(nil, at: freeTile) }
    return board
  }

  /// Adds the board of somebody who came late.
  mutating func add(_ board: [Int?]) { boards.append(board) }
}
