import CBOR
import Games
import Testing
import Wire

/// A try-out: a person in seat 0 and the two colleagues, half a second a step.
@Suite struct `A try-out with two pretend colleagues` {
  private enum Person {
    /// Watches and does nothing.
    case watches
    /// Confirms, taps and claims one word in 40 seconds.
    case plays
  }

  /// Seconds until somebody has won; nil after ten minutes.
  private func seconds(_ person: Person, seed: UInt64) -> UInt64? {
    let settings = BingoSettings(size: 3, minutes: 15)
    var game = Bingo(
      setup: BingoSetup(settings: settings, words: words(14)),
      players: (0..<3).map { key($0) }, seed: Digest(.draw, .unsigned(seed)))
    var colleagues = PretendColleague.cast.enumerated().map {
      PretendColleague(
        seed: Digest(.draw, .unsigned(seed), .unsigned(UInt64($0.offset))),
        manner: $0.element.manner)
    }
    var since: [(limit: GameDeadline, start: UInt64)] = []
    for step in 0..<UInt64(1_200) {
      let now = step * 500
      let place = LogPlace(height: step + 1, index: 0)
      for limit in game.deadlines where !since.contains(where: { $0.limit == limit }) {
        since.append((limit, now))
      }
      for (limit, start) in since where now - start >= limit.duration {
        game.deadlinePassed(limit, at: place)
      }
      since.removeAll { !game.deadlines.contains($0.limit) }
      if game.outcome != nil { return now / 1_000 }
      for index in colleagues.indices {
        let view = view(game, index + 1, since, now)
        guard let move = colleagues[index].act(on: view, elapsed: now) else { continue }
        try? game.apply(move, by: index + 1, at: place)
      }
      if person == .plays, let move = move(view(game, 0, since, now), now) {
        try? game.apply(move, by: 0, at: place)
      }
    }
    return nil
  }

  private func view(
    _ game: Bingo, _ seat: Int, _ since: [(limit: GameDeadline, start: UInt64)], _ now: UInt64
  ) -> BingoView {
    var view = BingoSetup(settings: game.settings, words: []).view(
      for: seat, players: game.players, playing: 3, showsWords: false)
    game.show(in: &view, for: seat)
    for index in view.claims.indices {
      let start =
        since.first { $0.limit.subject == UInt64(view.claims[index].number) }?.start ?? now
      view.claims[index].leftMs = view.claims[index].ofMs - (now - start)
    }
    return view
  }

  private func move(_ view: BingoView, _ now: UInt64) -> BingoMove? {
    if let claim = view.claims.first(where: { $0.mayVote }) {
      return .vote(claim: claim.number, confirm: true)
    }
    if let tile = view.board?.tiles.first(where: { $0.state == .confirmed }) {
      return tile.event.map { .mark(event: $0) }
    }
    let open = (view.board?.tiles ?? []).filter { $0.state == .open && $0.claim == nil }
    guard now % 40_000 == 10_000, !open.isEmpty else { return nil }
    return open[Int(now / 7) % open.count].event.map { .claim(event: $0) }
  }

  @Test func `lasts about two minutes for a person who plays`() {
    let lengths = (0..<25).compactMap { seconds(.plays, seed: $0) }.sorted()
    #expect(lengths.count == 25)
    #expect((75...165).contains(lengths[12]), "\(lengths)")
    #expect(lengths.allSatisfy { $0 <= 300 }, "\(lengths)")
  }

  @Test func `ends for a person who only watches`() {
    let lengths = (0..<25).compactMap { seconds(.watches, seed: $0) }.sorted()
    #expect(lengths.count == 25)
    #expect((90...260).contains(lengths[12]), "\(lengths)")
  }

  @Test func `goes the same way twice`() {
    for seed in 0..<5 {
      #expect(seconds(.plays, seed: UInt64(seed)) == seconds(.plays, seed: UInt64(seed)))
    }
  }
}
