import Quoridor
package import Wire

/// What the page shows of a table of Quoridor; it stands beside the fields of `TableView` as `quoridor`.
///
/// Everybody sees everything. What only the node knows (time that is left, the own move on its way) stands at a
/// neutral value, to be filled in.
package struct QuoridorView: Encodable, Sendable, Hashable {
  /// The house rules as the page names them.
  package struct Settings: Encodable, Sendable, Hashable {
    package var players: Int
    package var jumps: String
    package var timed: Bool
    /// Who moves first, where that is not left to the draw; the seat may not be taken yet.
    @OrNull package var first: PublicKey?
    @OrNull package var opponent: Int?
  }

  /// A turn that stands.
  package struct Turn: Encodable, Sendable, Hashable {
    /// The player's place in the order of turns.
    package var side: Int
    /// The move; `pass` also for a turn that ran out.
    package var move: String
    package var ranOut: Bool
  }

  /// What is asked of the others.
  package struct Asked: Encodable, Sendable, Hashable {
    /// `draw`, `takeBack` or `end`.
    package var question: String
    package var by: PublicKey
    package var agreed: [PublicKey]
    package var mine: Bool
    /// I have not answered yet.
    package var mayAnswer: Bool
  }

  /// The time of who is to move.
  package struct Clock: Encodable, Sendable, Hashable {
    package var leftMs: UInt64
    package var ofMs: UInt64
  }

  /// The board, from the deal on.
  package struct Board: Encodable, Sendable, Hashable {
    /// In the order of turns.
    package var players: [PublicKey]
    /// Their squares; null for who has given up.
    package var pawns: [String?]
    package var walls: [String]
    /// Walls that each may still place.
    package var left: [Int]
    /// Steps to the goal, were each alone on the board.
    package var steps: [Int]
    /// Turns in a row that ran out.
    package var strikes: [Int]
    /// Whose turn it is; null when it is over.
    @OrNull package var toMove: Int?
    /// My place in the order of turns; null for who watches.
    @OrNull package var mine: Int?
    /// Counts turns that have ended; a move names it.
    package var turn: Int
    package var turns: [Turn]
    /// Squares and walls that whoever is to move may choose; empty when it is over.
    package var squares: [String]
    package var slots: [String]
    @OrNull package var clock: Clock?
    @OrNull package var asked: Asked?
    package var mayOfferDraw: Bool
    package var mayTakeBack: Bool
    /// My move that the others have not confirmed yet.
    @OrNull package var sending: String?
  }

  package var settings: Settings
  @OrNull package var board: Board?

  private enum CodingKeys: CodingKey {
    case settings, board
  }

  private enum Place: CodingKey {
    case quoridor
  }

  package func encode(to encoder: any Encoder) throws {
    var table = encoder.container(keyedBy: Place.self)
    var container = table.nestedContainer(keyedBy: CodingKeys.self, forKey: .quoridor)
    try container.encode(settings, forKey: .settings)
    try container.encode(board, forKey: .board)
  }

  /// Completes it with what only this laptop knows.
  package mutating func fill(_ known: LocalKnowledge) {
    guard board != nil else { return }
    for item in known.pending {
      guard case .play(let move, _) = try? QuoridorMove(item) else { continue }
      board?.sending = move.text
    }
    guard let turn = board?.turn, board?.clock != nil,
      let left = known.left("turn", UInt64(turn))
    else { return }
    board?.clock?.leftMs = left
  }

  /// What My tables says: that an answer is wanted, or that it is my turn.
  package var sign: (kind: String, count: Int)? {
    guard let board, let mine = board.mine, let toMove = board.toMove else { return nil }
    if board.asked?.mayAnswer ?? false { return ("asked", 1) }
    return toMove == mine && board.sending == nil ? ("turn", 1) : nil
  }
}

extension QuoridorSetup {
  /// What a lobby shows; `players` are the keys of the table's seats in their order.
  package func view(players: [PublicKey]) -> QuoridorView {
    QuoridorView(
      settings: QuoridorView.Settings(
        players: settings.players.rawValue, jumps: settings.jumps.rawValue,
        timed: settings.isTimed,
        first: firstSeat.flatMap { players.indices.contains($0) ? players[$0] : nil },
        opponent: opponent?.rawValue),
      board: nil)
  }
}

extension QuoridorGame {
  /// Fills in the board; `seat` is who looks, nil for somebody who does not play.
  package func show(in view: inout QuoridorView, for seat: Int?) {
    let position = match.position
    let sides = Array(order.indices)
    let toMove = outcome == nil ? position.turn : nil
    let moves = toMove == nil ? [] : position.legalMoves
    let side = seat.flatMap(side).flatMap { position.pawn(of: $0) == nil ? nil : $0 }
    view.board = QuoridorView.Board(
      players: order.map { players[$0] }, pawns: sides.map { position.pawn(of: $0)?.text },
      walls: position.wallsPlaced.map(\.text), left: sides.map { position.wallsLeft(of: $0) },
      steps: sides.map { position.pawn(of: $0) == nil ? 0 : position.distance(of: $0) },
      strikes: order.map { strikes[$0] }, toMove: toMove, mine: seat.flatMap(self.side),
      turn: turn,
      turns: match.turns.map {
        QuoridorView.Turn(side: $0.seat, move: $0.move.text, ranOut: $0.ranOut)
      },
      squares: moves.compactMap { if case .pawn(let square) = $0 { square.text } else { nil } },
      slots: moves.compactMap { if case .wall(let wall) = $0 { wall.text } else { nil } },
      clock: deadlines.first.map { QuoridorView.Clock(leftMs: $0.duration, ofMs: $0.duration) },
      asked: asked.map { asked in
        QuoridorView.Asked(
          question: asked.question.rawValue, by: players[asked.by],
          agreed: asked.agreed.map { players[$0] }, mine: asked.by == seat,
          mayAnswer: side != nil && asked.by != seat
            && !(seat.map(asked.agreed.contains) ?? false))
      },
      mayOfferDraw: side != nil && toMove != nil && asked == nil
        && match.timesSeen >= Match.offersFrom && (seat.map(mayAsk) ?? false),
      mayTakeBack: toMove != nil && asked == nil && (side.map(match.hasMoved) ?? false)
        && (seat.map(mayAsk) ?? false),
      sending: nil)
  }
}
