import CBOR
import Games
import Testing
import Wire

@Suite struct `The word list of a lobby` {
  private func setup(_ count: Int, size: Int = 3, minutes: Int = 15) -> BingoSetup {
    BingoSetup(settings: BingoSettings(size: size, minutes: minutes), words: words(count))
  }

  private func refusal(
    _ setup: inout BingoSetup, _ move: BingoSetupMove, by seat: Int
  ) -> String? {
    let before = setup.stateHash
    do throws(IllegalMove) { try setup.apply(move, by: seat) } catch {
      #expect(setup.stateHash == before)
      return error.code
    }
    #expect(setup.stateHash != before)
    return nil
  }

  private func word(_ text: String) -> Word { (try? Word(typed: text)) ?? words(1)[0] }

  @Test func `takes a suggestion once`() throws {
    var setup = setup(9)
    #expect(refusal(&setup, .suggest(word("Circle back")), by: 1) == nil)
    #expect(refusal(&setup, .suggest(word("circle  back!")), by: 2) == "alreadyInList")
    #expect(refusal(&setup, .suggest(word("phrase number 3")), by: 2) == "alreadyInList")
    #expect(setup.items.last?.by == 1)
  }

  @Test func `goes on at another table as what its genesis says, without the old seats`() throws {
    var setup = setup(12)
    #expect(refusal(&setup, .suggest(word("Circle back")), by: 3) == nil)
    #expect(refusal(&setup, .veto(word("phrase number 3")), by: 2) == nil)
    let next = setup.renewed
    #expect(next.playable == setup.playable)
    #expect(next.items.allSatisfy { $0.by == nil && $0.struckBy == nil })
    #expect(try BingoSetup(next.genesisCBOR).stateHash == next.stateHash)
  }

  @Test func `takes ten suggestions a guest, and any number of the creator`() throws {
    var setup = setup(9)
    for number in 0..<10 {
      #expect(refusal(&setup, .suggest(word("Mine \(number)")), by: 3) == nil)
    }
    #expect(setup.suggestionsLeft(3) == 0)
    #expect(refusal(&setup, .suggest(word("Mine 10")), by: 3) == "suggestionsUsed")
    for number in 0..<20 {
      #expect(refusal(&setup, .suggest(word("Own \(number)")), by: 0) == nil)
    }
    #expect(setup.suggestionsLeft(0) == nil)
  }

  @Test func `is full at five hundred`() throws {
    var setup = setup(500)
    #expect(refusal(&setup, .suggest(word("One more")), by: 0) == "listFull")
  }

  @Test func `is struck twice by a guest, and the creator takes out`() throws {
    var setup = setup(12)
    #expect(refusal(&setup, .veto(word("Phrase number 1")), by: 2) == nil)
    #expect(refusal(&setup, .veto(word("Phrase number 1")), by: 1) == "alreadyStruck")
    #expect(refusal(&setup, .veto(word("phrase NUMBER 2")), by: 2) == nil)
    #expect(refusal(&setup, .veto(word("Phrase number 3")), by: 2) == "vetoesUsed")
    #expect(refusal(&setup, .veto(word("Phrase number 99")), by: 1) == "noSuchWord")
    #expect(setup.playable.count == 10)
    #expect(setup.items.count == 12)
    #expect(refusal(&setup, .suggest(word("Phrase number 1")), by: 1) == "alreadyInList")
    for number in 1...4 {
      #expect(refusal(&setup, .veto(word("Phrase number \(number)")), by: 0) == nil)
    }
    #expect(setup.items.count == 8)
    #expect(setup.missing == 1)
    #expect(setup.vetoesLeft(0) == nil)
    #expect(setup.vetoesLeft(2) == 0)
  }

  @Test func `has rules that only the creator sets`() {
    var setup = setup(12)
    let other = BingoSettings(size: 4, minutes: 30, marking: .finder)
    #expect(refusal(&setup, .settings(other), by: 1) == "onlyCreatorSets")
    #expect(refusal(&setup, .settings(other), by: 0) == nil)
    #expect(setup.settings == other)
  }

  @Test func `says how many words are missing`() {
    #expect(setup(23, size: 5).startRefusal(players: 2)?.code == "wordsMissing")
    #expect(setup(24, size: 5).startRefusal(players: 2)?.sentence.hasPrefix("1 more word ") == true)
    #expect(
      setup(21, size: 5).startRefusal(players: 2)?.sentence.hasPrefix("4 more words ") == true)
    #expect(setup(25, size: 5).startRefusal(players: 2) == nil)
    #expect(setup(9).startRefusal(players: 2) == nil)
  }

  @Test func `shows what a seat may do`() throws {
    var setup = setup(9)
    try setup.apply(.suggest(word("Mine")), by: 1)
    try setup.apply(.veto(word("Mine")), by: 2)
    let players = (0..<3).map { key($0) }
    let own = setup.view(for: 1, players: players, playing: 3, showsWords: true).words
    #expect(own.items.last?.mine == true)
    #expect(own.items.last?.by == key(1))
    #expect(own.items.last?.struck == true)
    #expect(own.items.last?.mayTakeOut == false)
    #expect((own.count, own.need, own.missing) == (9, 9, 0))
    #expect(own.thin)
    #expect((own.suggestionsLeft, own.vetoesLeft) == (9, 2))
    let creator = setup.view(for: 0, players: players, playing: 3, showsWords: true).words
    #expect(creator.items.allSatisfy { $0.mayTakeOut })
    #expect((creator.suggestionsLeft, creator.vetoesLeft) == (nil, nil))
    #expect(
      setup.view(for: 0, players: players, playing: 3, showsWords: false).words.items.isEmpty)
  }

  @Test func `comes back from its encoding`() throws {
    let setup = setup(40, size: 5, minutes: 60)
    let item = try CBOR(decoding: setup.genesisCBOR.encoded)
    #expect(try BingoSetup(item).stateHash == setup.stateHash)
  }

  @Test func `is not read when words are unclean, double or too many`() {
    let settings = BingoSettings(size: 3, minutes: 15).cbor
    func code(_ texts: [String]) -> String? {
      do throws(DecodeError) {
        _ = try BingoSetup([settings, .array(texts.map { .text($0) })])
        return nil
      } catch { return error.code }
    }
    #expect(code(["a", "b"]) == nil)
    #expect(code(["a", "A!"]) == "outOfRange")
    #expect(code(["a "]) == "outOfRange")
    #expect(code([""]) == "outOfRange")
    #expect(code([String(repeating: "x", count: 61)]) == "outOfRange")
    #expect(code((0...500).map { "w\($0)" }) == "wrongCount")
  }
}

@Suite struct `Bingo moves` {
  @Test func `come back from their encoding`() throws {
    let moves: [BingoMove] = [
      .claim(event: 0), .claim(event: 79), .takeBack(claim: 3), .settle(true), .settle(false),
      .vote(claim: 7, confirm: true),
      .vote(claim: 1_000, confirm: false), .mark(event: 3), .voting(.honour),
    ]
    for move in moves { #expect(try BingoMove(try CBOR(decoding: move.cbor.encoded)) == move) }
    let word = try Word(typed: "Circle back")
    let changes: [BingoSetupMove] = [
      .settings(BingoSettings(size: 5, minutes: 60, marking: .everyone, voting: .anyone)),
      .suggest(word), .veto(word),
    ]
    for move in changes {
      #expect(try BingoSetupMove(try CBOR(decoding: move.cbor.encoded)) == move)
    }
  }

  @Test(arguments: [
    [] as CBOR, [0], [6, 0], [4, .bool(true)], [5, 0], [0, .negative(0)], [0, 80], [0, 0, 0],
    [1, 0], [1, 0, 1], [3, "all"],
    ["x", 0], .null,
  ])
  func `are not read from anything else`(item: CBOR) {
    #expect(throws: DecodeError.self) { try BingoMove(item) }
  }

  @Test(arguments: [
    [] as CBOR, [0, [2, 15, "tap", "majority"]], [0, [8, 15, "tap", "majority"]],
    [0, [3, 16, "tap", "majority"]], [0, [3, 15, "none", "majority"]],
    [0, [3, 15, "tap", "none"]], [0, [3, 15, "tap"]], [1, ""], [1, " a"], [2, 0], [4, "a"],
  ])
  func `of the lobby are not read from anything else`(item: CBOR) {
    #expect(throws: DecodeError.self) { try BingoSetupMove(item) }
  }
}

@Suite struct `Refusals of bingo` {
  @Test func `have codes of their own and say what to do next`() {
    let all = Bingo.refusals
    #expect(Set(all.map(\.code)).count == all.count)
    for refusal in all {
      #expect(refusal.sentence.hasSuffix("."), "\(refusal.code)")
      #expect(refusal.sentence.count < 110, "\(refusal.code)")
      for banned in ["node", "voter", "quorum", "epoch", "seal", "hash", "entry", "entries"] {
        let words = refusal.sentence.lowercased().split { !$0.isLetter }.map(String.init)
        #expect(!words.contains(banned), "\(refusal.code)")
      }
    }
  }
}
