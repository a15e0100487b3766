import Foundation
import Games
package import Peer
import Wire

/// A command body that cannot be read; the page gets it as a refusal.
package struct CommandError: Error, Equatable, Sendable {
  /// Stable: `malformed`.
  package let code: String
  package let message: String
}

/// Turns a JSON body into a command (Protocol/local-api-state.md, "commands").
///
/// Text that a person typed is brought into Unicode NFC here, where it comes in.
package enum CommandReader {
  /// A field of a command: what JSON can say that a command can mean.
  private enum Field: Decodable {
    case int(Int)
    case text(String)
    case bool(Bool)
    case list([String])

    init(from decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      if let value = try? container.decode(Bool.self) {
        self = .bool(value)
      } else if let value = try? container.decode(Int.self) {
        self = .int(value)
      } else if let value = try? container.decode(String.self) {
        self = .text(value.precomposedStringWithCanonicalMapping)
      } else {
        let values = try container.decode([String].self)
        self = .list(values.map(\.precomposedStringWithCanonicalMapping))
      }
    }

    var value: GameCommand.Value {
      switch self {
      case .int(let value): .int(value)
      case .text(let value): .text(value)
      case .bool(let value): .bool(value)
      case .list(let value): .list(value)
      }
    }
  }

  /// Fields of a command at the most.
  private static let fieldLimit = 24

  /// Reads a body.
  ///
  /// Throws `malformed`, naming the field that is missing or of another type.
  package static func read(_ bytes: [UInt8]) throws(CommandError) -> (CommandID, Command) {
    let fields: [String: Field?]
    do {
      fields = try JSONDecoder().decode([String: Field?].self, from: Data(bytes))
    } catch {
      throw unreadable
    }
    guard fields.count <= fieldLimit else { throw unreadable }
    let present = fields.compactMapValues { $0 }
    let all = GameCommand("", present.sorted { $0.key < $1.key }.map { ($0.key, $0.value.value) })
    do throws(IllegalMove) {
      guard let id = try all.text("id").flatMap(CommandID.init) else { throw missing("id") }
      return (id, try command(all))
    } catch {
      throw CommandError(code: error.code, message: error.sentence)
    }
  }

  private static let unreadable = CommandError(
    code: "malformed", message: "The page sent something unreadable. Reload it and try again.")

  private static func missing(_ field: String) -> IllegalMove {
    IllegalMove("malformed", "The page left out \"\(field)\". Reload it and try again.")
  }

  private static func need<Value>(_ value: Value?, _ field: String) throws(IllegalMove) -> Value {
    guard let value else { throw missing(field) }
    return value
  }

  private static func key(_ field: String, of all: GameCommand) throws(IllegalMove) -> PublicKey {
    try need(try all.text(field).flatMap(PublicKey.init(hex:)), field)
  }

  private static func command(_ all: GameCommand) throws(IllegalMove) -> Command {
    let kind = try need(try all.text("kind"), "kind")
    switch kind {
    case "setName":
      return .setName(
        try need(try all.text("name"), "name"), insist: try all.bool("insist") ?? false)
    case "createTable":
      let game = try all.text("game") ?? GameKind.bingo.rawValue
      return .createTable(
        try need(GameKind(rawValue: game), "game"), title: try all.text("title") ?? "",
        access: TableAccess(
          isPrivate: try all.bool("private") ?? false, isStrict: try all.bool("strict") ?? false,
          isAnonymous: try all.bool("anonymous") ?? false, place: try all.text("place") ?? "",
          startsAt: try all.int("startsAt")),
        all)
    case "tryItNow":
      guard let game = try all.text("game") else { return .tryItNow }
      return .practise(try need(GameKind(rawValue: game), "game"), all)
    case "match":
      guard let game = try all.text("game") else { return .match(nil) }
      return .match(try need(GameKind(rawValue: game), "game"))
    case "checkNetwork": return .checkNetwork
    case "lookHarder": return .lookHarder
    case "stopLooking": return .stopLooking
    case "witness": return .witness(try need(try all.bool("on"), "on"))
    case "compare":
      return .compare(
        try key("person", of: all))
    case "giveList":
      return .give(
        try need(try all.int("list"), "list"),
        to: try key("person", of: all))
    case "takeGiven":
      return .takeGiven(
        try need(try all.int("list"), "list"), keep: try need(try all.bool("keep"), "keep"))
    case "mute":
      return .mute(
        try key("person", of: all),
        on: try need(try all.bool("on"), "on"))
    case "favourite":
      return .favourite(
        try key("person", of: all),
        on: try need(try all.bool("on"), "on"))
    case "makeList", "nameList", "deleteList", "addWords", "deleteWord", "putBack":
      return .wordLists(all.renamed(kind))
    case "join": return .join(try need(try all.text("invitation"), "invitation"))
    case "watch" where try all.text("invitation") != nil:
      return .watch(try need(try all.text("invitation"), "invitation"))
    default: break
    }
    let table = try need(try all.text("table").flatMap(TableID.init(hex:)), "table")
    switch kind {
    case "joinTable": return .joinTable(table)
    case "watch": return .watchTable(table)
    case "ready": return .ready(table, try need(try all.bool("ready"), "ready"))
    case "start": return .start(table)
    case "cancel": return .cancel(table)
    case "say": return .say(table, try need(try all.text("text"), "text"))
    case "lock": return .lock(table, try need(try all.bool("on"), "on"))
    case "takeOff", "letBack":
      let player = try key("player", of: all)
      return kind == "takeOff" ? .takeOff(table, player) : .letBack(table, player)
    case "leave": return .leave(table)
    case "quit": return .quit(table)
    case "showMe": return .showMe(table)
    case "rematch": return .rematch(table)
    case "startAgain": return .startAgain(table)
    case "joinSuccessor": return .joinSuccessor(table)
    case "putAway": return .putAway(table)
    case "goOn": return .goOn(table, try all.bool("on") ?? true)
    case "follow":
      guard let way = try all.text("way") else { return .follow(table, nil) }
      return .follow(table, try need(Digest(hex: way), "way"))
    case "inviteWitness": return .inviteWitness(table)
    case "invite":
      return .invite(
        table, try key("person", of: all))
    case "acceptInvite": return .acceptInvite(table)
    case "declineInvite": return .declineInvite(table)
    default: return .game(table, all.renamed(kind))
    }
  }
}
