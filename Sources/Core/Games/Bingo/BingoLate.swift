import CBOR
package import Wire

/// People who sit down while a game is played (PRODUCT X4), and who are let back.
///
/// Whoever comes late knows the seed, so a board from seed and key alone could be chosen by trying keys.
/// Therefore it is no better than those of half of the others, and nothing that was decided before wins.
extension Bingo {
  /// Boards that are looked at until one is no better than those of the others.
  static let lateAttempts = 64

  package mutating func seatJoined(_ player: PublicKey, at place: LogPlace) {
    guard outcome == nil else { return }
    let board = lateBoard(of: player)
    let marks = marksBefore(on: board)
    players.append(player)
    deal.add(board)
    seats.append(Seat(marks: marks, markedAt: nil, before: marks))
    latePlaces.append(place)
    // What was agreed before rests: it has dealt this board.
    lastDecided = nil
  }

  /// Events that mark a tile without a further claim: the others have them marked, or could have.
  private func marksBefore(on board: [Int?]) -> UInt64 {
    guard settings.marking != .finder else { return freeMask }
    return board.enumerated().reduce(freeMask) { marks, tile in
      guard let event = tile.element, accepted[event] != nil else { return marks }
      return marks | 1 << UInt64(tile.offset)
    }
  }

  /// The first board of a row that belongs to the key whose best line has no more marks than that of the
  /// lower half of those who have not left; where none has, that with the fewest.
  private func lateBoard(of player: PublicKey) -> [Int?] {
    let bests = staying.map { best(seats[$0].marks) }.sorted()
    let level = bests.isEmpty ? 0 : bests[(bests.count - 1) / 2]
    var found: (best: Int, board: [Int?])?
    for attempt in 0..<Bingo.lateAttempts {
      let board = deal.board(
        key: Digest(.board, seed.cbor, player.cbor, CBOR(attempt)), freeTile: settings.freeTile)
      let best = best(marksBefore(on: board))
      if best <= level { return board }
      if best < found?.best ?? .max { found = (best, board) }
    }
    return found?.board ?? []
  }

  private func best(_ marks: UInt64) -> Int {
    allLines.map { (marks & $0.mask).nonzeroBitCount }.max() ?? 0
  }

  /// `[player key, height, index, tiles marked before, [event...]]` of each; for the state hash.
  var lateParts: [CBOR] {
    let first = players.count - latePlaces.count
    return latePlaces.enumerated().map { offset, place in
      let seat = first + offset
      return [
        players[seat].cbor, CBOR(place.height), CBOR(place.index), CBOR(seats[seat].before),
        .array(deal.boards[seat].map { $0.map { CBOR($0) } ?? .null }),
      ]
    }
  }

  package var mayReturn: Bool { outcome == nil }

  package mutating func seatReturned(_ seat: Int, at place: LogPlace) {
    guard seats.indices.contains(seat), seats[seat].hasLeft, outcome == nil else { return }
    seats[seat].hasLeft = false
    guard settings.marking == .everyone else { return }
    let marks = seats[seat].marks | marksBefore(on: deal.boards[seat])
    guard marks != seats[seat].marks else { return }
    seats[seat].marks = marks
    seats[seat].markedAt = place
    checkLines(of: [seat], at: place)
  }
}
