import CBOR
import Games
import TestSupport
import Testing
import Wire

@Suite struct `The deal` {
  private struct Sample: Codable, Equatable {
    let size: Int
    let words: Int
    let poolSize: Int
    var freeTile: Int? = nil
    let seed: String
    let players: [String]
    var pool: [String] = []
    var boards: [[Int?]] = []
  }

  private func deal(_ sample: Sample) throws -> BingoDeal {
    BingoDeal(
      words: words(sample.words).map(\.text), poolSize: sample.poolSize, size: sample.size,
      freeTile: sample.freeTile,
      players: try sample.players.map { try #require(PublicKey(hex: $0)) },
      seed: try #require(Digest(hex: sample.seed)))
  }

  @Test func `is the one of the vectors`() throws {
    let samples: [Sample] = [
      (3, 12, 12, nil, 2), (3, 40, 16, nil, 8), (4, 30, 24, nil, 3), (5, 75, 60, nil, 16),
      (5, 24, 24, 12, 2), (7, 100, 79, nil, 2), (7, 48, 48, 24, 3),
    ].map { size, words, pool, freeTile, players in
      Sample(
        size: size, words: words, poolSize: pool, freeTile: freeTile,
        seed: Digest(.draw, .unsigned(7)).hex,
        players: (0..<players).map { key(UInt64($0)).hex })
    }
    let dealt = try samples.map { sample in
      var sample = sample
      let deal = try deal(sample)
      sample.pool = deal.pool
      sample.boards = deal.boards
      return sample
    }
    try Vectors.approve("deal.json", dealt)
    #expect(try Vectors.load("deal.json", as: [Sample].self) == dealt)
  }

  @Test(arguments: 0..<50)
  func `puts no word twice on a board, and only words of the pool`(seed: UInt64) {
    for (size, count) in [(3, 12), (4, 26), (5, 25), (5, 500)] {
      let play = Play(players: 5, size: size, words: count, seed: seed)
      let deal = play.game.deal
      for board in deal.boards {
        #expect(board.count == size * size)
        #expect(Set(board).count == board.count)
        #expect(board.allSatisfy { $0.map(deal.pool.indices.contains) ?? false })
      }
      #expect(Set(deal.pool).count == deal.pool.count)
    }
  }

  @Test func `gives a key its board whoever else plays`() {
    let seed = Digest(.draw, .unsigned(3))
    let texts = words(40).map(\.text)
    func boards(_ players: [PublicKey]) -> [[Int?]] {
      BingoDeal(words: texts, poolSize: 40, size: 5, players: players, seed: seed).boards
    }
    #expect(boards([key(1), key(2)]) == boards([key(2), key(1)]).reversed())
    #expect(boards([key(1)])[0] == boards([key(3), key(1)])[1])
    #expect(boards([key(1)])[0] != boards([key(2)])[0])
  }

  @Test func `changes with the seed`() {
    let one = Play(players: 2, size: 5, words: 60, seed: 1).game.deal
    let other = Play(players: 2, size: 5, words: 60, seed: 2).game.deal
    #expect(one.pool != other.pool)
    #expect(one.boards != other.boards)
  }

  @Test(arguments: [
    (15, 3, 2, 12), (15, 3, 7, 12), (15, 3, 8, 16), (30, 4, 2, 24), (30, 4, 8, 32),
    (60, 5, 3, 40), (60, 5, 4, 50), (60, 5, 8, 60), (60, 3, 2, 15), (15, 4, 2, 26),
    (30, 5, 2, 40), (15, 5, 16, 40),
  ])
  func `draws from as many words as length, size and people ask for`(
    minutes: Int, size: Int, players: Int, pool: Int
  ) {
    let settings = BingoSettings(size: size, minutes: minutes)
    #expect(settings.pool(words: 500, players: players) == pool)
    #expect(settings.pool(words: size * size, players: players) == size * size)
  }

  @Test func `uses every word of the pool's choice about equally often`() {
    var counts = [Int](repeating: 0, count: 20)
    for seed in 0..<400 {
      let deal = BingoDeal(
        words: (0..<20).map { "\($0)" }, poolSize: 10, size: 3, players: [key(1)],
        seed: Digest(.draw, .unsigned(UInt64(seed))))
      for word in deal.pool { counts[Int(word) ?? 0] += 1 }
    }
    #expect(counts.allSatisfy { (140...260).contains($0) }, "\(counts)")
  }
}
