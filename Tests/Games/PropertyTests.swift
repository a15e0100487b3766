import Games
import TestSupport
import Testing
import Wire

@Suite struct `A game of any moves` {
  /// Any move, sensible or not.
  private func move(_ chance: inout SeededBytes) -> BingoMove {
    let event = Int.random(in: -2...12, using: &chance)
    return switch Int.random(in: 0..<11, using: &chance) {
    case 0..<4: .claim(event: event)
    case 4..<8:
      .vote(claim: Int.random(in: -1...6, using: &chance), confirm: Bool.random(using: &chance))
    case 8: .mark(event: event)
    case 9:
      Bool.random(using: &chance)
        ? .takeBack(claim: Int.random(in: -1...6, using: &chance))
        : .settle(Bool.random(using: &chance))
    default: .voting(BingoSettings.Voting.allCases.randomElement(using: &chance) ?? .majority)
    }
  }

  @Test(arguments: 0..<60)
  func `takes exactly the legal ones, and a refusal changes nothing`(seed: UInt64) {
    var chance = SeededBytes(seed: seed)
    let players = Int.random(in: 1...6, using: &chance)
    let marking = BingoSettings.Marking.allCases[Int(seed % 3)]
    let pattern = BingoSettings.Pattern.allCases[Int(seed / 3 % 6)]
    let play = Play(
      players: players, words: 9 + Int(seed % 4), marking: marking,
      voting: BingoSettings.Voting.allCases[Int(seed / 2 % 4)], pattern: pattern,
      freeCentre: seed % 5 == 0, places: 1 + Int(seed / 4 % 3), seed: seed)
    for _ in 0..<150 {
      let seat = Int.random(in: 0...players, using: &chance)
      switch Int.random(in: 0..<40, using: &chance) {
      case 0: play.leaves(seat)
      case 1..<4:
        if let limit = play.game.deadlines.randomElement(using: &chance) {
          play.passes(limit.kind, limit.subject)
        }
      default:
        let move = move(&chance)
        let isLegal = play.game.legalMoves(for: seat).contains(move)
        let code = play.does(seat, move)
        #expect((code == nil) == isLegal, "\(move) by \(seat): \(code ?? "taken")")
        if let code { #expect(Bingo.refusals.contains { $0.code == code }, "\(code)") }
      }
      check(play)
    }
  }

  private func check(_ play: Play) {
    let game = play.game
    for claim in game.claims {
      #expect(claim.confirms.first == claim.by)
      #expect(Set(claim.confirms).isDisjoint(with: claim.denials))
      #expect(claim.confirms.allSatisfy(claim.present.contains))
      #expect((claim.state == .open) == game.openClaims.contains(claim))
      if [.accepted, .takenBack].contains(claim.state) && claim.voting != .honour
        && claim.present.count > 1
      {
        #expect(claim.confirms.count > 1)
      }
    }
    #expect(Set(game.openClaims.map(\.event)).count == game.openClaims.count)
    if game.outcome != nil { #expect(game.deadlines.isEmpty && game.openClaims.isEmpty) }
    for seat in game.players.indices { _ = play.view(seat) }
  }

  @Test func `has the same state on every laptop, and another after every move`() {
    var seen: [Digest] = []
    func run() -> [Digest] {
      let play = Play(players: 4)
      var hashes = [play.game.stateHash]
      func note() { hashes.append(play.game.stateHash) }
      play.claims(0, 0)
      note()
      play.confirms(1, 0)
      note()
      play.claims(2, 1)
      note()
      play.denies(3, 1)
      note()
      play.passes("vote", 0)
      note()
      play.marks(3, 0)
      note()
      play.leaves(1)
      note()
      return hashes
    }
    seen = run()
    #expect(Set(seen).count == seen.count)
    #expect(run() == seen)
  }

  @Test func `shows nothing of another seat's board`() {
    let play = Play(players: 2, words: 40)
    let other = Set(play.board(1)).subtracting(play.board(0))
    let hidden = other.map { play.game.deal.pool[$0] }
    let shown = String(describing: play.view(0))
    for word in hidden { #expect(!shown.contains("\"\(word)\"")) }
    #expect(play.view(nil).board == nil)
  }
}
