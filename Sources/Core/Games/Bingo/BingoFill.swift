import CBOR
import Wire

extension BingoView {
  /// Milliseconds before the planned end from which settling is offered (PRODUCT 6.3).
  private static let settleOffer: UInt64 = 300_000

  /// Completes the view with what this laptop knows besides the log.
  mutating func fill(_ known: LocalKnowledge) {
    words.duplicates = known.duplicates
    for index in claims.indices {
      claims[index].leftMs =
        known.left("vote", UInt64(claims[index].number)) ?? claims[index].leftMs
    }
    if let played = known.played {
      let planned = UInt64(settings.minutes) * 60_000
      settling?.isDue = played + BingoView.settleOffer >= planned
    }
    guard board != nil else { return }
    fillTiles(known)
    for item in known.pending {
      guard let move = try? BingoMove(item) else { continue }
      show(move)
    }
    for undo in known.undo where board?.tiles.indices.contains(undo.tile) ?? false {
      board?.tiles[undo.tile].state = .undo
      board?.tiles[undo.tile].undoMs = undo.leftMs
      board?.tiles[undo.tile].askAgain = false
    }
  }

  private mutating func fillTiles(_ known: LocalKnowledge) {
    guard let tiles = board?.tiles else { return }
    for (index, tile) in tiles.enumerated() {
      if tile.state == .waiting, let claim = tile.claim.flatMap({ UInt64($0) }) {
        board?.tiles[index].leftMs = known.left("vote", claim) ?? tile.leftMs
      }
      guard tile.state == .denied else { continue }
      let age = tile.deniedAt.flatMap(known.age)
      if let age, age < known.denialRest {
        board?.tiles[index].waitMs = known.denialRest - age
      } else if tile.claimsLeft > 0 {
        // Rested: it may be claimed again.
        board?.tiles[index].state = .open
      }
    }
  }

  /// Shows an own move that is on its way as the player meant it, without its consequences.
  private mutating func show(_ move: BingoMove) {
    switch move {
    case .claim(let event), .mark(let event):
      for (index, tile) in (board?.tiles ?? []).enumerated() where tile.event == event {
        board?.tiles[index].state = .sending
        board?.tiles[index].askAgain = false
      }
    case .vote(let number, let confirm):
      for (index, claim) in claims.enumerated() where claim.number == number {
        claims[index].myVote = confirm ? "confirm" : "deny"
        claims[index].mayVote = false
      }
    case .voting(let choice): voting = choice
    case .takeBack: takeBack = nil
    case .settle(let wish): settling?.mine = wish
    }
  }
}

extension BingoResultView {
  /// Puts times to the moments: milliseconds from the deal, whose own age is `start`.
  mutating func fill(_ known: LocalKnowledge, start: UInt64?) {
    guard let start else { return }
    for index in timeline.indices {
      guard let age = known.age(of: timeline[index].place), age <= start else { continue }
      timeline[index].atMs = start - age
    }
  }
}

extension BingoView {
  /// What the player is wanted for, or should know.
  var sign: (kind: String, count: Int)? {
    let votes = claims.count { $0.mayVote }
    if votes > 0 { return ("vote", votes) }
    let near = board?.tiles.count { $0.oneAway } ?? 0
    return near > 0 ? ("oneAway", near) : nil
  }
}

extension Bingo {
  /// Where the last claim of a tile's word by a seat was denied; nil when it was not.
  func deniedAt(tile: Int, seat: Int) -> LogPlace? {
    guard deal.boards.indices.contains(seat), deal.boards[seat].indices.contains(tile) else {
      return nil
    }
    let event = deal.boards[seat][tile]
    let last = claims.last { $0.event == event && $0.finders.contains(seat) }
    return last?.state == .denied ? last?.closed : nil
  }
}
