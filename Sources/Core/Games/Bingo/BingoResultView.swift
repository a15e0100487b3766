package import Wire

/// What the Result screen shows of a finished game of bingo; stands beside `TableView.Result`.
package struct BingoResultView: Encodable, Sendable, Hashable {
  /// A complete line of a winner.
  package struct Line: Encodable, Sendable, Hashable {
    package var player: PublicKey
    package var direction: BingoLine.Direction
    package var index: Int
    /// 1 for the winners, 2 and 3 for who came after them.
    package var place: Int
    /// The whole board: which tiles are marked.
    package var tiles: [Bool]
  }

  /// An accepted claim.
  package struct Moment: Encodable, Sendable, Hashable {
    package var word: String
    /// Who heard it; more than one share the credit.
    package var who: [PublicKey]
    package var confirms: Int
    /// How many were in the game.
    package var of: Int
    /// Milliseconds from the start of the game; the node fills it in.
    package var atMs: UInt64
    /// It is on a winning line.
    package var winning: Bool
    /// Where it was decided; not for the page.
    package var place: LogPlace

    private enum CodingKeys: CodingKey {
      case word, who, confirms, of, atMs, winning
    }
  }

  /// A board at the end.
  package struct Board: Encodable, Sendable, Hashable {
    /// A tile at the end.
    package struct Tile: Encodable, Sendable, Hashable {
      /// Empty on the free tile.
      package var word: String
      package var marked: Bool
      package var winning: Bool
      /// How many confirmed its word; null where nobody claimed it with success.
      @OrNull package var support: Support?
    }

    /// Confirms, and how many were in the game.
    package struct Support: Encodable, Sendable, Hashable {
      package var confirms: Int
      package var of: Int
    }

    package var player: PublicKey
    package var tiles: [Tile]
  }

  package var lines: [Line]
  package var timeline: [Moment]
  package var boards: [Board]
}

extension Bingo {
  /// The recap, once the game is over.
  package var result: BingoResultView? {
    guard let outcome else { return nil }
    let won = outcome.kind == .line ? ranks.flatMap { $0 } : []
    let winningEvents = won.flatMap { seat in
      deal.boards[seat].indices.filter { tile in lines(of: seat).contains { $0.holds(tile) } }
        .compactMap { deal.boards[seat][$0] }
    }
    return BingoResultView(
      lines: won.flatMap { seat in
        lines(of: seat).map { line in
          BingoResultView.Line(
            player: players[seat], direction: line.direction, index: line.index,
            place: 1 + (ranks.firstIndex { $0.contains(seat) } ?? 0),
            tiles: deal.boards[seat].indices.map { isMarked($0, seat) })
        }
      },
      timeline: claims.filter { $0.state == .accepted }.compactMap { claim in
        claim.closed.map { place in
          BingoResultView.Moment(
            word: deal.pool[claim.event], who: claim.finders.map { players[$0] },
            confirms: claim.confirms.count, of: claim.present.count, atMs: 0,
            winning: winningEvents.contains(claim.event), place: place)
        }
      }.sorted { $0.place < $1.place },
      boards: seats.indices.map { seat in
        let lines = won.contains(seat) ? lines(of: seat) : []
        return BingoResultView.Board(
          player: players[seat],
          tiles: deal.boards[seat].enumerated().map { tile, event in
            BingoResultView.Board.Tile(
              word: event.map { deal.pool[$0] } ?? "", marked: isMarked(tile, seat),
              winning: lines.contains { $0.holds(tile) }, support: event.flatMap(support))
          })
      })
  }

  /// Confirms of the first accepted claim of an event.
  private func support(of event: Int) -> BingoResultView.Board.Support? {
    accepted[event].map { number in
      let claim = claims[number]
      return BingoResultView.Board.Support(
        confirms: claim.confirms.count, of: claim.present.count)
    }
  }
}
