import CBOR
import Games
import Testing
import Wire

@testable import Peer

/// A list that goes from one player to another (PRODUCT B23).
@Suite struct `A word list for somebody else` {
  private func make(
    _ world: World, at laptop: Int, _ title: String, _ words: String
  ) throws -> Int {
    let reply = try world.ask(
      laptop,
      .wordLists(GameCommand("makeList", [("title", .text(title)), ("text", .text(words))])))
    try #require(reply.code == "ok", "\(reply)")
    return try #require(try world.state(laptop).wordLists.lists.last?.id)
  }

  @Test func `is shown with who gives it, and kept beside one of the same name`() throws {
    let world = World("Ana", "Bo")
    world.watchesPages = true
    try world.meet()
    let list = try make(world, at: ana, "Monday", "synergy\n# hash\ncircle back")
    _ = try make(world, at: bo, "monday", "hard stop")
    let empty = try make(world, at: ana, "Nothing", "")
    #expect(try world.ask(ana, .give(empty, to: world[bo].me)).code == "emptyList")
    #expect(try world.ask(ana, .give(77, to: world[bo].me)).code == "noSuchList")
    #expect(try world.ask(ana, .give(list, to: PublicKey(raw: .zero))).code == "notHere")
    for _ in 1...2 {
      #expect(try world.ask(ana, .give(list, to: world[bo].me)).code == "ok")
      world.run(for: 500)
    }
    // Twice given, it is there once.
    let given = try world.state(bo).wordLists.given
    #expect(given.map(\.title) == ["Monday"] && given.map(\.count) == [3])
    let one = try #require(given.first)
    #expect(one.fromName == "Ana" && one.fromKey == world[ana].me)
    #expect(one.name == world[ana].peer?.wordList(list)?.contentName)
    #expect(
      world[bo].peer?.wordList(one.list)?.words.map(\.text) == ["synergy", "# hash", "circle back"])
    #expect(try world.state(bo).wordLists.lists.count == 1)
    #expect(try world.ask(bo, .takeGiven(one.list, keep: true)).code == "ok")
    #expect(try world.ask(bo, .takeGiven(one.list, keep: true)).code == "nothingGiven")
    world.kill(bo)
    world.start(bo)
    let lists = try world.state(bo).wordLists
    #expect(lists.lists.map(\.title) == ["monday", "Monday (2)"] && lists.given.isEmpty)
    #expect(lists.lists.map(\.count) == [1, 3])
    #expect(world.offences == [])
  }

  @Test func `is not kept after a no, and not taken from who is muted`() throws {
    let world = World("Ana", "Bo")
    try world.meet()
    let list = try make(world, at: ana, "Monday", "synergy")
    try world.ask(ana, .give(list, to: world[bo].me))
    try world.run(until: "given") { try !$0.state(bo).wordLists.given.isEmpty }
    let one = try #require(try world.state(bo).wordLists.given.first)
    #expect(try world.ask(bo, .takeGiven(one.list, keep: false)).code == "ok")
    try world.ask(ana, .give(list, to: world[bo].me))
    try world.run(until: "given again") { try !$0.state(bo).wordLists.given.isEmpty }
    #expect(try world.ask(bo, .mute(world[ana].me, on: true)).code == "ok")
    #expect(try world.state(bo).wordLists.given.isEmpty)
    #expect(try world.ask(ana, .give(list, to: world[bo].me)).code == "ok")
    world.run(for: 1_000)
    let wordLists = try world.state(bo).wordLists
    #expect(wordLists.given.isEmpty && wordLists.lists.isEmpty)
  }

  @Test func `waits with two others of one person, and six come in a minute`() throws {
    let world = World("Ana", "Bo", "Cy")
    try world.meet()
    for number in 1...4 {
      let list = try make(world, at: ana, "List \(number)", "word \(number)")
      #expect(try world.ask(ana, .give(list, to: world[bo].me)).code == "ok")
      world.run(for: 200)
    }
    #expect(try world.state(bo).wordLists.given.map(\.title) == ["List 1", "List 2", "List 3"])
    let other = try make(world, at: cy, "Mine", "word")
    try world.ask(cy, .give(other, to: world[bo].me))
    try world.run(until: "Cy's too") { try $0.state(bo).wordLists.given.count == 4 }
    for one in try world.state(bo).wordLists.given.prefix(3) {
      #expect(try world.ask(bo, .takeGiven(one.list, keep: false)).code == "ok")
    }
    for number in 1...4 { try world.ask(ana, .give(number, to: world[bo].me)) }
    world.run(for: 1_000)
    #expect(try world.state(bo).wordLists.given.map(\.title) == ["Mine", "List 1", "List 2"])
    world.run(for: 60_000)
    try world.ask(ana, .give(3, to: world[bo].me))
    try world.run(until: "a minute later") { try $0.state(bo).wordLists.given.count == 4 }
  }

  @Test func `that reaches nobody is said to reach nobody`() throws {
    let world = World("Ana", "Bo")
    try world.meet()
    let list = try make(world, at: ana, "Monday", "synergy")
    world.unplug(bo)
    let reply = try world.ask(ana, .give(list, to: world[bo].me), within: 30_000)
    #expect(["notReached", "nobodyThere"].contains(reply.code), "\(reply)")
  }

  @Test func `goes in a frame that is read back, cut where a title has no room for a number`()
    throws
  {
    let list = WordList(
      id: 0, title: String(repeating: "a", count: 40), words: Words.read("synergy\nhard stop").words
    )
    let message = LinkMessage.give(list)
    #expect(try LinkMessage(frame: message.frame) == message)
    var shelf = WordShelf()
    for _ in 1...12 { _ = try shelf.keep(list) }
    let stem = String(repeating: "a", count: 36)
    #expect(shelf.lists.last?.title == "\(stem.dropFirst()) (12)")
    #expect(shelf.lists[1].title == "\(stem) (2)" && shelf.lists.allSatisfy { $0.words.count == 2 })
    #expect(throws: DecodeError.self) {
      try LinkMessage(frame: CBOR.array([24, [.text("Monday"), []]]).encoded)
    }
  }
}
