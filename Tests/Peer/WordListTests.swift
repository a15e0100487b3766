import Games
import Testing

@testable import Peer

@Suite struct `The player's own word lists` {
  private func ask(
    _ world: World, _ kind: String, _ fields: (String, GameCommand.Value)...
  ) throws -> String {
    try world.ask(ana, .wordLists(GameCommand(kind, fields))).code
  }

  @Test func `outlive a restart, and what was deleted can be put back for ten seconds`() throws {
    let world = World("Ana", "Bo")
    world.watchesPages = true
    try world.meet()
    #expect(
      try ask(world, "makeList", ("title", .text("Monday")), ("text", .text("a\nb\nc"))) == "ok")
    #expect(try ask(world, "makeList", ("title", .text("monday"))) == "listTitleTaken")
    #expect(try ask(world, "deleteWord", ("list", .int(1)), ("word", .text("b"))) == "ok")
    var view = try world.state(ana).wordLists
    #expect(view.lists.map(\.count) == [2] && view.putBack?.name == "b")
    world.run(for: 9_000)
    #expect(try ask(world, "putBack") == "ok")
    #expect(try world.state(ana).wordLists.putBack == nil)
    #expect(try ask(world, "deleteWord", ("list", .int(1)), ("word", .text("a"))) == "ok")
    world.run(for: 10_001)
    view = try world.state(ana).wordLists
    #expect(view.putBack == nil)
    #expect(try ask(world, "putBack") == "nothingToPutBack")
    world.kill(ana)
    world.start(ana)
    #expect(world[ana].peer?.wordList(1)?.words.map(\.text) == ["b", "c"])
    #expect(try ask(world, "makeList", ("title", .text("Tuesday"))) == "ok")
    #expect(try ask(world, "deleteList", ("list", .int(1))) == "ok")
    world.kill(ana)
    world.start(ana)
    #expect(try world.state(ana).wordLists.lists.map(\.title) == ["Tuesday"])
    #expect(try world.state(bo).wordLists.lists.isEmpty)
    #expect(world.offences == [])
  }
}
