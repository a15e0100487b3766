import CBOR
import Consensus
import Discovery
import Games
import Table
import Wire

/// What the player asks for.
extension Peer {
  /// Commands whose answers are remembered.
  private static let memory = 512

  /// Takes a command once: a repeated id gets the first answer again.
  ///
  /// `isLate`: its page was told long ago that it is on its way; a refusal is shown as one.
  mutating func take(_ command: Command, id: CommandID, isLate: Bool = false) {
    if let row = answered.last(where: { $0.id == id }) {
      effects.append(.reply(id, row.reply))
      return
    }
    guard !isUnderWay(id) else { return }
    if let session = sessions.first(where: { $0.knows(id) }) {
      answer(id, .accepted(table: session.id))
      return
    }
    isChanged = true
    if command == .checkNetwork {
      checkNetwork(id: id)
      return
    }
    guard name != nil || isSetName(command) else {
      refuse(id, "nameFirst", "Say your name on the Welcome screen first.")
      return
    }
    switch command {
    case .setName(let name, let insist): setName(name, insist: insist, id: id)
    case .createTable, .practise, .match, .join, .joinTable, .watch, .watchTable:
      takeAtHome(command, id: id)
    case .lookHarder: lookHarder(id: id)
    case .stopLooking: stopLooking(id: id)
    case .compare(let person): compare(with: person, id: id)
    case .favourite(let person, let on): favourite(person, on: on, id: id)
    case .witness(let on): witness(on, id: id)
    case .give(let list, let person): give(list, to: person, id: id)
    case .takeGiven(let list, let keep): answerGiven(list, keep: keep, id: id)
    case .mute(let person, let on): mute(person, on: on, id: id)
    case .wordLists(let asked): editWordLists(asked, id: id)
    case .acceptInvite(let table): acceptInvite(to: table, id: id)
    case .declineInvite(let table): declineInvite(to: table, id: id)
    default: takeAtTable(command, id: id)
    }
    guard isLate, case .refused(let code, let message, _) = answered.last?.reply,
      answered.last?.id == id
    else { return }
    let index = sessions.firstIndex { $0.id == command.table }
    noteRefusal(of: id, code: code, message: message, at: index)
  }

  /// Its answer is to come: there is nothing to say or to do yet.
  private func isUnderWay(_ id: CommandID) -> Bool {
    waitingReplies.contains { $0.id == id } || arrivals.contains { $0.command == id }
      || sessions.contains { $0.waitingCommands.contains { $0.id == id } }
  }

  private mutating func takeAtHome(_ command: Command, id: CommandID) {
    if let trouble {
      refuse(id, "cannotWrite", trouble)
      return
    }
    switch command {
    case .createTable(let game, let title, let access, let command):
      create(command, title: title, access: access, game: game, id: id)
    case .match(let game): match(game, id: id)
    case .practise(let game, let command): practise(command, game: game, id: id)
    case .join(let text): join(text, id: id)
    case .joinTable(let table): join(table, id: id)
    case .watch(let text): watch(id) { $0.join(text, id: id) }
    case .watchTable(let table): watch(id) { $0.join(table, id: id) }
    default: break
    }
  }

  private func isSetName(_ command: Command) -> Bool {
    if case .setName = command { return true }
    return false
  }

  /// Answers and remembers the answer.
  mutating func answer(_ id: CommandID, _ reply: CommandReply) {
    answered.append((id, reply))
    if answered.count > Peer.memory { answered.removeFirst(Peer.memory / 4) }
    effects.append(.reply(id, reply))
  }

  /// Says yes once all that was asked to be written until now is on the disk; at once where nothing
  /// is written any more.
  mutating func acceptWhenDurable(_ id: CommandID) {
    guard trouble == nil, nextRecord - 1 > durable else {
      return answer(id, .accepted(table: nil))
    }
    waitingReplies.append((id, nextRecord - 1, .accepted(table: nil)))
  }

  mutating func refuse(
    _ id: CommandID, _ code: String, _ message: String, proposal: String? = nil
  ) {
    answer(id, .refused(code: code, message: message, proposal: proposal))
  }

  // MARK: The name

  private mutating func setName(_ text: String, insist: Bool, id: CommandID) {
    let wanted = PlayerName.trimmed(text)
    guard PlayerName.isAllowed(wanted) else {
      refuse(id, "nameLength", "A name has 2 to 24 characters, without line breaks.")
      return
    }
    if let name {
      guard name == wanted else {
        refuse(id, "nameKept", "You are \(name) already; the others know you by it.")
        return
      }
      answer(id, .accepted(table: nil))
      return
    }
    let taken = roster.neighbours.map(\.beacon.name)
    if !insist, taken.contains(where: { PlayerName.looksLike($0, wanted) }) {
      let proposal = PlayerName.proposal(for: wanted, besides: taken)
      refuse(
        id, "nameTaken", "\(wanted) is here already. How about \(proposal)?", proposal: proposal)
      return
    }
    confirmName(wanted)
    acceptWhenDurable(id)
  }

  /// From here on the node speaks.
  mutating func confirmName(_ name: String) {
    self.name = name
    persist(StoredRecord(.node, key: Array("name".utf8), value: Array(name.utf8)))
    beaconDueAt = now
    isChanged = true
  }

  // MARK: At a table

  private mutating func takeAtTable(_ command: Command, id: CommandID) {
    guard let table = command.table,
      let index = place(ofTable: table)
    else {
      refuse(id, "noSuchTable", "This table is not on this laptop any more. Go back to Home.")
      return
    }
    guard sessions[index].mayAuthor || !isAuthoring(command) else {
      guard sessions[index].waitingCommands.count < Peer.waitingLimit else {
        refuse(id, "busy", "This laptop has just started. Wait a moment, then try again.")
        return
      }
      sessions[index].waitingCommands.append((command, id))
      return
    }
    switch command {
    case .game(_, let asked): play(asked, id: id, at: index)
    case .leave, .quit: quit(id: id, at: index)
    case .putAway: putAway(id: id, at: index)
    case .rematch: rematch(id: id, at: index)
    case .showMe: show(id: id, at: index)
    case .startAgain: startAgain(id: id, at: index)
    case .joinSuccessor: joinSuccessor(id: id, at: index)
    case .goOn(_, let wants): goOn(wants, id: id, at: index)
    case .follow(_, let way): follow(way, id: id, at: index)
    case .inviteWitness: inviteWitness(id: id, at: index)
    case .invite(_, let person): invite(person, id: id, at: index)
    case .ready(_, let ready): perform(.ready(ready), id: id, at: index)
    case .start: perform(.start, id: id, at: index)
    case .cancel: perform(.cancel, id: id, at: index)
    case .say(_, let text): say(text, id: id, at: index)
    case .lock(_, let isLocked): perform(.lock(isLocked), id: id, at: index)
    case .takeOff(_, let player): perform(.takeOff(player), id: id, at: index)
    case .letBack(_, let player): perform(.letBack(player), id: id, at: index)
    case .setName, .createTable, .practise, .match, .checkNetwork, .join, .joinTable, .watch,
      .watchTable, .lookHarder, .stopLooking, .compare, .favourite, .witness, .wordLists, .mute,
      .give, .takeGiven,
      .acceptInvite, .declineInvite:
      break
    }
  }

  private func isAuthoring(_ command: Command) -> Bool {
    switch command {
    case .putAway, .joinSuccessor, .startAgain, .leave, .quit, .goOn, .follow, .invite, .say: false
    case .game(_, let asked): asked.kind != "undo"
    default: true
    }
  }

  /// Authors an act, or says why not.
  private mutating func perform(
    _ act: Act, by player: PublicKey? = nil, id: CommandID, at index: Int
  ) {
    if let refusal = author(act, by: player, for: id, at: index) {
      refuse(id, refusal.code, refusal.message)
    }
  }

  // MARK: Words of the game

  /// Asks the game what a command means, and does it.
  private mutating func play(_ command: GameCommand, id: CommandID, at index: Int) {
    do throws(IllegalMove) {
      if command.kind == "undo" { return try undo(command, id: id, at: index) }
      let act = try act(for: command, at: index)
      if let tile = try sessions[index].undoTile(of: command) {
        claim(act, tile: tile, now: try command.bool("now") ?? false, id: id, at: index)
      } else {
        let player = sessions[index].hand(for: command)
        if let refusal = sessions[index].clash(of: act, by: player) { throw refusal }
        perform(act, by: player, id: id, at: index)
      }
    } catch {
      refuse(id, error.code, error.sentence)
    }
  }

  private func act(for command: GameCommand, at index: Int) throws(IllegalMove) -> Act {
    let table = sessions[index].table
    if let change = try table.setup.move(for: command) { return .setup(encoded: change) }
    guard let game = table.game,
      let seat = table.seat(of: sessions[index].keys.player).flatMap({
        table.dealt.firstIndex(of: $0)
      })
    else { throw IllegalMove(Refusal.notPlaying.code, Refusal.notPlaying.sentence) }
    guard let move = try game.move(for: command, seat: seat) else {
      throw .unreadableCommand
    }
    return .move(encoded: move)
  }

  // MARK: Claims with their two seconds

  /// How long a claim can be taken back before anybody is told (PRODUCT B14).
  static let undoTime: Milliseconds = 2_000
  /// How long a denied word rests before the same player may claim it again (PRODUCT B17).
  static let denialRest: Milliseconds = 60_000
  /// Claims within their two seconds at once.
  private static let undoLimit = 32

  private mutating func claim(
    _ act: Act, tile: Int, now isNow: Bool, id: CommandID, at index: Int
  ) {
    let session = sessions[index]
    if let rest = session.restLeft(tile: tile, at: now) {
      refuse(
        id, "claimedTooSoon",
        "The others said no a moment ago. You can try again in \((rest + 999) / 1_000) s.")
      return
    }
    if isNow {
      sessions[index].undoable.removeAll { $0.tile == tile }
      perform(act, id: id, at: index)
      return
    }
    if let refusal = rulesRefuse(act, at: index) {
      refuse(id, refusal.code, refusal.message)
      return
    }
    guard session.undoable.count < Peer.undoLimit else {
      refuse(id, "tooManyAtOnce", "Wait until the words you tapped are on their way.")
      return
    }
    if !session.undoable.contains(where: { $0.tile == tile }) {
      sessions[index].undoable.append(
        TableSession.UndoableClaim(
          tile: tile, act: act, dueAt: now + Peer.undoTime, command: id))
    }
    answer(id, .accepted(table: session.id))
  }

  private mutating func undo(
    _ command: GameCommand, id: CommandID, at index: Int
  ) throws(IllegalMove) {
    guard let tile = try command.int("tile"),
      sessions[index].undoable.contains(where: { $0.tile == tile })
    else {
      refuse(id, "tooLateToUndo", "The others have been asked already. Let them say no.")
      return
    }
    sessions[index].undoable.removeAll { $0.tile == tile }
    answer(id, .accepted(table: sessions[index].id))
  }

  /// Sends the claims whose two seconds are over.
  mutating func sendDueClaims(at index: Int) {
    let due = sessions[index].undoable.filter { $0.dueAt <= now }
    guard !due.isEmpty else { return }
    sessions[index].undoable.removeAll { $0.dueAt <= now }
    isChanged = true
    for claim in due {
      guard
        let refusal = author(claim.act, for: claim.command, isAnswered: true, at: index)
      else { continue }
      noteRefusal(of: claim.command, code: refusal.code, message: refusal.message, at: index)
    }
  }

  /// Refusals that the page is told of at once.
  static let refusalsShown = 20

  /// Tells the page that a command it saw accepted was refused after all.
  mutating func noteRefusal(of command: CommandID, code: String, message: String, at index: Int?) {
    refusals.append(
      Refused(
        command: command.text, table: index.map { sessions[$0].id.hex } ?? "", code: code,
        message: message))
    if refusals.count > Peer.refusalsShown { refusals.removeFirst() }
    isChanged = true
  }
}

extension TableSession {
  /// Whether a command is being worked on, or has led to an entry.
  func knows(_ id: CommandID) -> Bool {
    madeBy == id || outbox.knows(id) || undoable.contains { $0.command == id }
  }

  /// Why a move is not to be signed beside those that are on their way.
  func clash(of act: Act, by player: PublicKey) -> IllegalMove? {
    guard case .move(let body) = act, let game = table.game else { return nil }
    let pending = outbox.pending(of: player).compactMap { draft -> CBOR? in
      guard case .move(let body) = try? Act(decoding: draft.draft.body) else { return nil }
      return body.item
    }
    return game.clash(of: body.item, with: pending)
  }

  /// The player key that a command of this laptop's player acts with: people who share the laptop of a practice
  /// table move in turns.
  func hand(for command: GameCommand) -> PublicKey {
    guard isLocal, let game = table.game,
      let seat = table.seat(of: keys.player).flatMap({ table.dealt.firstIndex(of: $0) })
    else { return keys.player }
    let hand = table.seats[table.dealt[game.hand(for: command, of: seat)]].player
    return keys.pretend.contains(hand) ? hand : keys.player
  }

  /// The tile of a command that may be taken back for a while; nil for any other.
  func undoTile(of command: GameCommand) throws(IllegalMove) -> Int? {
    command.kind == "claim" ? try command.int("tile") : nil
  }

  /// How long a tile rests after the others said no; nil when it does not.
  ///
  /// A denial from before the start of the node is not waited for: nobody here knows its age.
  func restLeft(tile: Int, at now: Milliseconds) -> Milliseconds? {
    guard let game = table.game,
      let seat = table.seat(of: keys.player).flatMap({ table.dealt.firstIndex(of: $0) }),
      let denied = game.deniedAt(tile: tile, seat: seat),
      let age = age(of: denied.height, at: now), age < Peer.denialRest
    else { return nil }
    return Peer.denialRest - age
  }
}
