import CBOR
import Testing

@testable import Games

@Suite struct `Word lists of this laptop` {
  private var shelf = WordShelf()

  private mutating func ask(
    _ kind: String, _ fields: (String, GameCommand.Value)...
  ) throws(IllegalMove) -> WordShelf.Change {
    try shelf.apply(GameCommand(kind, fields))
  }

  private func code(_ body: () throws -> Void) -> String? {
    do {
      try body()
      return nil
    } catch {
      return (error as? IllegalMove)?.code
    }
  }

  @Test mutating func `are made, filled, renamed and deleted, and refuse what is there`() throws {
    let work = try ask("makeList", ("title", .text(" Work ")), ("text", .text("synergy\nsynergy")))
    #expect(work.list?.title == "Work" && work.list?.words.map(\.text) == ["synergy"])
    #expect(code { _ = try ask("makeList", ("title", .text("WORK"))) } == "listTitleTaken")
    #expect(code { _ = try ask("makeList", ("title", .text(" "))) } == "badListTitle")
    let id = work.id
    #expect(
      code { _ = try ask("addWords", ("list", .int(id)), ("text", .text("Synergy!"))) }
        == "alreadyInList")
    #expect(
      code { _ = try ask("addWords", ("list", .int(id)), ("text", .text(" \n "))) } == "wordEmpty")
    let long = String(repeating: "a", count: 61)
    #expect(
      code { _ = try ask("addWords", ("list", .int(id)), ("text", .text(long))) } == "wordTooLong")
    // Of several those that can be taken are.
    let more = try ask("addWords", ("list", .int(id)), ("text", .text("a\nsynergy\n\(long)\nb")))
    #expect(more.list?.words.map(\.text) == ["synergy", "a", "b"])
    #expect(
      code { _ = try ask("addWords", ("list", .int(9)), ("text", .text("c"))) } == "noSuchList")
    _ = try ask("makeList", ("title", .text("Home")))
    #expect(
      code { _ = try ask("nameList", ("list", .int(id)), ("title", .text("home"))) }
        == "listTitleTaken")
    #expect(
      try ask("nameList", ("list", .int(id)), ("title", .text("work"))).list?.title == "work")
    #expect(code { _ = try ask("paint", ("list", .int(id))) } == "malformed")
    #expect(code { _ = try ask("addWords", ("list", .text("1"))) } == "malformed")
  }

  @Test mutating func `give back what was deleted last, where it was`() throws {
    #expect(code { _ = try ask("putBack") } == "nothingToPutBack")
    let id = try ask("makeList", ("title", .text("Work")), ("text", .text("a\nb\nc"))).id
    _ = try ask("makeList", ("title", .text("Home")))
    _ = try ask("deleteWord", ("list", .int(id)), ("word", .text("b")))
    #expect(shelf.deleted?.name == "b")
    #expect(
      code { _ = try ask("deleteWord", ("list", .int(id)), ("word", .text("b"))) }
        == "noSuchListWord")
    #expect(try ask("putBack").list?.words.map(\.text) == ["a", "b", "c"])
    #expect(try ask("deleteList", ("list", .int(id))).list == nil)
    #expect(shelf.lists.map(\.title) == ["Home"])
    #expect(try ask("putBack").list?.words.count == 3)
    #expect(shelf.lists.map(\.title) == ["Work", "Home"])
    // A title that was taken meanwhile is not there twice.
    _ = try ask("deleteList", ("list", .int(id)))
    _ = try ask("makeList", ("title", .text("work")))
    #expect(code { _ = try ask("putBack") } == "listTitleTaken")
    #expect(shelf[id] == nil)
  }

  @Test mutating func `have bounds`() throws {
    for number in 1...WordShelf.listLimit {
      _ = try ask("makeList", ("title", .text("list \(number)")))
    }
    #expect(code { _ = try ask("makeList", ("title", .text("one more"))) } == "tooManyLists")
    let text = (1...600).map { "word \($0)" }.joined(separator: "\n")
    #expect(
      try ask("addWords", ("list", .int(1)), ("text", .text(text))).list?.words.count
        == BingoSetup.wordLimit)
    #expect(code { _ = try ask("addWords", ("list", .int(1)), ("text", .text("x"))) } == "listFull")
  }

  @Test mutating func `are read back from their rows, and damaged ones are not`() throws {
    let list = try #require(
      try ask("makeList", ("title", .text("Work")), ("text", .text("a\n漢字"))).list)
    #expect(try WordList(id: 1, row: CBOR(decoding: list.row.encoded)) == list)
    let damaged: [CBOR] = [
      [], [.text("Work")], [.text(""), []], [.text("Work"), [.text("a"), .text("A")]],
      [.text("Work"), [.text(" a")]], [.text("Work"), [.unsigned(1)]],
    ]
    for row in damaged { #expect(throws: DecodeError.self) { try WordList(id: 1, row: row) } }
    #expect(WordShelf([list, WordList(id: 7, title: "Home")]).lists.map(\.id) == [1, 7])
  }
}
