package import Games
package import Wire

/// What a player asks of the own node; comes from the page and from the command line.
package enum Command: Equatable, Sendable {
  /// The name to be known by; `insist` keeps one that another key bears.
  case setName(String, insist: Bool)
  /// A table; an empty title means "Ana's table", the rest is for the game to read.
  case createTable(GameKind, title: String, access: TableAccess = TableAccess(), GameCommand)
  /// A table on this laptop alone; the rest is for the game to read.
  case practise(GameKind, GameCommand)
  /// Look for somebody to play a game of two with, or do so no more.
  case match(GameKind?)
  /// A look at the machine: its firewalls, ports and routes.
  case checkNetwork
  /// A code, an invitation line or an address, as typed.
  case join(String)
  case joinTable(TableID)
  /// Likewise, to look on without a seat.
  case watch(String)
  case watchTable(TableID)
  /// Something in the words of the table's game, or of its lobby.
  case game(TableID, GameCommand)
  case ready(TableID, Bool)
  case start(TableID)
  case cancel(TableID)
  /// Whoever runs the table lets nobody new in, or does again.
  case lock(TableID, Bool)
  /// Whoever runs the table takes somebody off it, or lets them back.
  case takeOff(TableID, PublicKey)
  case letBack(TableID, PublicKey)
  case leave(TableID)
  case quit(TableID)
  case rematch(TableID)
  /// Say after an anonymous game who I was.
  case showMe(TableID)
  case startAgain(TableID)
  case joinSuccessor(TableID)
  case putAway(TableID)
  /// Ask somebody nearby to a table.
  case invite(TableID, PublicKey)
  /// Take an invitation to a table, or say no to it.
  case acceptInvite(TableID)
  case declineInvite(TableID)
  /// Go on without those who are away, or do not after all.
  case goOn(TableID, Bool)
  /// Go on with those who went on without me; the recovery says with whom, where they went two ways.
  case follow(TableID, Digest?)
  /// Ask every address of the own subnets, and stop asking.
  case lookHarder
  case stopLooking
  /// Help others to agree when they ask for it, or do not.
  case witness(Bool)
  /// Ask laptops nearby to help agree at a table of mine, also those that have said no.
  case inviteWitness(TableID)
  /// Show the six words to compare with somebody.
  case compare(PublicKey)
  /// Put a star on somebody, or take it off.
  case favourite(PublicKey, on: Bool)

  /// Say something to the people at a table.
  case say(TableID, String)
  /// Hear no more of what somebody says, or hear it again.
  case mute(PublicKey, on: Bool)

  /// Give one of the own word lists to somebody nearby.
  case give(Int, to: PublicKey)
  /// Keep a list that somebody gives, or do not.
  case takeGiven(Int, keep: Bool)

  /// Change the own word lists.
  case wordLists(GameCommand)

  /// A round of bingo against two pretend colleagues.
  package static let tryItNow = Command.practise(.bingo, GameCommand("tryItNow", []))

  /// The table it is about.
  package var table: TableID? {
    switch self {
    case .setName, .createTable, .practise, .match, .checkNetwork, .join, .joinTable, .watch,
      .watchTable, .lookHarder, .stopLooking, .compare, .favourite, .witness, .wordLists, .mute,
      .give, .takeGiven:
      nil
    case .game(let table, _), .ready(let table, _), .start(let table), .cancel(let table),
      .leave(let table), .quit(let table), .rematch(let table), .showMe(let table),
      .startAgain(let table),
      .joinSuccessor(let table), .putAway(let table), .goOn(let table, _), .follow(let table, _),
      .lock(let table, _), .takeOff(let table, _), .letBack(let table, _), .say(let table, _),
      .inviteWitness(let table), .invite(let table, _), .acceptInvite(let table),
      .declineInvite(let table):
      table
    }
  }
}

/// Who may come to a table, where and when, and how many of them must agree.
package struct TableAccess: Equatable, Sendable {
  /// Found by its secret only.
  package let isPrivate: Bool
  /// Its log names nobody; then it is private as well.
  package let isAnonymous: Bool
  /// Among three everybody must agree.
  package let isStrict: Bool
  /// As typed; empty for none.
  package let place: String
  /// Seconds since 1970, UTC.
  package let startsAt: Int?

  /// A table that everybody nearby sees, where a majority agrees, unless told otherwise.
  package init(
    isPrivate: Bool = false, isStrict: Bool = false, isAnonymous: Bool = false, place: String = "",
    startsAt: Int? = nil
  ) {
    self.isPrivate = isPrivate
    self.isStrict = isStrict
    self.isAnonymous = isAnonymous
    self.place = place
    self.startsAt = startsAt
  }
}

/// The id a page gives a command, so that the same click is never done twice.
package struct CommandID: Hashable, Sendable {
  /// Up to 64 characters of `A-Z a-z 0-9 -`.
  package let text: String

  /// Takes a well-formed id, or returns nil.
  package init?(_ text: String) {
    let fits = text.utf8.allSatisfy {
      switch $0 {
      case 0x30...0x39, 0x41...0x5a, 0x61...0x7a, 0x2d: true
      default: false
      }
    }
    guard fits, (1...64).contains(text.utf8.count) else { return nil }
    self.text = text
  }
}

/// How a command was taken.
package enum CommandReply: Equatable, Sendable {
  /// Done, or on its way; names the table it led to, if any.
  case accepted(table: TableID?)
  /// A table is being looked for.
  case joining
  /// Not done, nothing changed.
  case refused(code: String, message: String, proposal: String?)
}
