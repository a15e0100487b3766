package import Consensus
import Discovery
import Games
package import Table
package import Wire

/// One table as this node takes part in it: its log, the own entries on their way, and what only
/// this laptop knows about it.
///
/// It is large, and an array's subscript copies what a method is called on: what is asked with every
/// message is asked of its parts (`Peer+Glances`).
package struct TableSession: Sendable {
  package let genesis: Genesis
  package let id: TableID
  package internal(set) var keys: TableKeys
  /// The voter key that is to come for one whose records are lost, and whether it is being made.
  var nextVoter: PublicKey?
  var isMakingVoter = false
  /// When it was last named in the log.
  var rekeyedAt: Milliseconds?
  /// Lets people in; there exactly when the table is private.
  let secret: TableSecret?
  /// Who is who, where the log names nobody.
  var aliases: AliasBook?
  /// Peers that have proved the secret since the start, newest last.
  private(set) var admitted: [PublicKey] = []
  package internal(set) var replica: Replica<Table>
  var outbox = Outbox()
  /// Every entry that is final here, in order.
  package internal(set) var log: [AgreedEntry] = []
  /// When the block of a height became final here; nil for those from before the start.
  var seenAt: [(height: UInt64, at: Milliseconds)] = []
  /// Where the members that links reach say they stand.
  var standings: [Standing] = []
  /// Peers that follow the log without sitting at the table: those about to join.
  var followers: [(peer: PublicKey, until: Milliseconds)] = []
  /// Joins that were taken in and are not final, and who asked.
  var joins: [(join: Entry, peer: PublicKey)] = []
  /// When a member was last lost, to know how long it has been away.
  var lostAt: [(peer: PublicKey, at: Milliseconds)] = []
  /// What has happened to the replica in this step and waits for it.
  var inbox: [Event] = []
  /// Votes that only widen what is certain, not verified yet, and when they are looked at.
  var putOff: [(vote: Vote, peer: PublicKey)] = []
  var putOffDueAt: Milliseconds?
  /// Records of the replica that are on their way to the disk: ours and its index.
  var writing: [(index: UInt64, replicaIndex: UInt64)] = []

  /// Claims within their two seconds, not yet told to anybody.
  var undoable: [UndoableClaim] = []
  /// Secrets that were asked for in the draw.
  var drawAsked: [DrawAsk] = []
  /// Commands that wait until own entries may be made (CONSENSUS 1.5, after a restart).
  var waitingCommands: [(command: Command, id: CommandID)] = []
  /// Own entries may be made: what the others hold of mine is known, or nobody can tell.
  var mayAuthor: Bool
  let openedAt: Milliseconds

  /// I asked to sit down, and am not in the log yet.
  var isJoining = false
  /// Why the join was refused.
  var refusal: (code: String, message: String)?
  /// I pressed Quit or Leave: the page is rid of it, the node sees it through.
  var hasQuit = false
  /// When the leaving stood in the final log; the others are helped to know it for a while.
  var leftAt: Milliseconds?
  /// Nothing more is to be done for the others.
  var isSeenThrough = false
  /// Taken off My tables.
  var isPutAway = false
  /// This laptop has no seat here and helps to agree.
  var isWitness = false
  /// Its player looks on; then it is a witness too, or has come for that alone.
  var isWatcher = false
  /// While a seat is asked for: what this laptop was as a witness here, should there be none.
  var aside: [TableSession] = []
  /// When it was over, or I had left: the others are helped to know it for a while.
  var witnessedAt: Milliseconds?
  /// Who was asked to witness it, and when; who said no is asked no more.
  var invited: [(peer: PublicKey, at: Milliseconds, isRefused: Bool)] = []
  /// People who were asked to sit down.
  var asked: [(key: PublicKey, name: String, declined: Bool)] = []
  /// Tables that continue this one.
  var successors: [Successor] = []
  /// I asked for a rematch, or to start again: join the successor as soon as it is known.
  var followsSuccessor = false
  /// The player wants to start again without the creator; when another node was last asked to.
  var wantsAgain = false
  var againAskedAt: Milliseconds = 0
  /// When a link last reached its creator's laptop.
  var creatorReachedAt: Milliseconds?
  /// When its owner left its lobby, as long as this node goes on from there by itself.
  var handedOnAt: Milliseconds?
  /// Where the others went was sought for a while, and not found.
  var hasSoughtOn = false
  /// The table that goes on lets nobody in either.
  var hasLockedAgain = false
  /// This node sat down at it, or made it, by itself: as the successor of another one.
  var isFollowed = false
  /// The successor this node makes is on its way.
  var isMakingSuccessor = false
  /// When a rematch was first asked for here.
  var rematchAskedAt: Milliseconds?
  /// What its people have said to one another since the start.
  var chat = Chat()
  var counter = Counter()
  /// Messages about the log sent and received, to show that an idle table is silent.
  var traffic = 0
  /// Those whose leaving waits in the replica, and as of which change of what waits there.
  var leaving: (names: [String], at: UInt64) = ([], .max)
  /// When its replica wants to be told the time.
  var wakeAt: Milliseconds = .max
  /// When it is looked at next though nothing happens.
  var lookAt: Milliseconds = 0
  /// Something has happened at it lately: its people are watched closely.
  var isLively = true
  /// A block has become final here that the members have not been told of.
  var hasNews = false
  /// The log has grown since links were compared with the seats.
  var hasNewMembers = false
  /// Members that are to be told where the others are, and the others where they are.
  var newcomers: [PublicKey] = []
  /// Members whose links the replica knows of.
  var linked: [PublicKey] = []
  var colleagues: [PretendColleague] = []
  /// Whether enough laptops were within reach when last looked, and since when they are again.
  var hadQuorum = false
  var reunitedAt: Milliseconds?
  /// The computer opponent that thinks, and of which turn.
  var thinksOf: (player: PublicKey, turn: Int)?
  /// Duplicates merged when its words were chosen here.
  var duplicates = 0
  /// The command that made it here, so that its repetition makes no second one.
  var madeBy: CommandID?

  /// A claim that can still be taken back.
  struct UndoableClaim: Sendable {
    let tile: Int
    let act: Act
    let dueAt: Milliseconds
    let command: CommandID
  }

  /// Where a member says that it stands.
  struct Standing: Sendable {
    let peer: PublicKey
    var status: Status
    /// When the link first told.
    let since: Milliseconds
  }

  /// A secret that was asked for.
  struct DrawAsk: Sendable, Equatable {
    let player: PublicKey
    let duty: Table.Duty
  }

  /// The table after its highest final block.
  package var table: Table { _read { yield replica.app } }

  /// Whether only this laptop is in it ("Try it now").
  var isLocal: Bool { genesis.draft.practice }

  /// Whether this node made it.
  func isMine(_ me: PublicKey) -> Bool { genesis.draft.creator.identity == alias(of: me) }

  /// The identities that sit at it, in join order, those who have left too; at an anonymous table those who
  /// were met, for nobody else is asked for a key that the log names.
  var members: [PublicKey] {
    let seated = table.seats.compactMap(\.identity)
    let others = (table.witnesses + table.watchers.filter { !$0.hasLeft }).compactMap(\.identity)
    let names = seated + others.filter { !seated.contains($0) }
    guard let aliases else { return names }
    return names.compactMap(aliases.laptop)
  }

  /// I sit at it, or am about to: neither refused nor gone.
  var isSatAt: Bool { refusal == nil && !hasQuit && !isPutAway && !isWitness }

  /// This laptop has no seat, and its player looks on, or may.
  var isWatched: Bool {
    if isWatcher { return !isPutAway && !hasQuit }
    return isWitness && !isPutAway && !hasQuit && !isJoining && table.setup.isOpenToWatch
      && [.playing, .over].contains(table.phase)
  }

  /// The laptops of those who sit at it and have not left, in join order; one that was never met at an
  /// anonymous table by its name there.
  var seatedLaptops: [PublicKey] {
    table.members.compactMap { table.seats[$0].identity.map(laptop) }
  }

  /// Whether somebody sits at it who has not left.
  func hasSeat(_ identity: PublicKey) -> Bool {
    let name = alias(of: identity)
    return table.members.contains { table.seats[$0].identity == name }
  }

  /// Whether somebody has a seat at it, or had one.
  func hadSeat(_ identity: PublicKey) -> Bool {
    let name = alias(of: identity)
    return table.seats.contains { $0.identity == name }
  }

  /// Only people with the invitation can find it.
  var isPrivate: Bool { secret != nil }

  /// Notes that a peer has proved the secret.
  mutating func admit(_ peer: PublicKey) {
    guard isPrivate else { return }
    admitted.removeAll { $0 == peer }
    if admitted.count >= TableSession.admittedLimit { admitted.removeFirst() }
    admitted.append(peer)
  }

  /// As many as may ever take a seat, and more.
  private static let admittedLimit = 128

  /// A game is on: peers are watched closely.
  package var isRunning: Bool {
    !isLocal && !isPutAway && !isSeenThrough
      && [.starting, .dealing, .playing].contains(table.phase)
  }

  /// Something goes on at it, or all wait for its creator's laptop.
  var isWatchedClosely: Bool {
    isRunning && isLively || !isLocal && !isPutAway && table.phase == .lobby
  }

  /// A game in which nothing has come to pass for so long is a quiet one.
  static let quietAfter: Milliseconds = 10_000

  /// Whether this node seeks links for its sake.
  var wantsLinks: Bool {
    guard !isLocal, refusal == nil else { return false }
    if handedOnAt != nil { return true }
    return !isPutAway && !isSeenThrough && table.phase != .cancelled
  }

  /// What the beacon says of it; nil unless I run it and others may sit down or look on.
  var notice: TableNotice? {
    guard !isLocal, !isPrivate, !isPutAway, !hasQuit, !table.isLocked, isAnnounced,
      table.seat(of: keys.player) == table.runner
    else { return nil }
    let (size, minutes) = table.setup.notice
    return TableNotice(
      table: id, code: genesis.draft.code, title: genesis.draft.title,
      game: table.setup.kind.rawValue, size: size, minutes: minutes,
      players: table.members.count, seats: table.seatLimit,
      appointment: genesis.draft.appointment, isPlaying: table.phase != .lobby,
      hasSeats: table.phase == .lobby || table.isOpen, isWatchable: table.mayBeWatched)
  }

  /// There is something to come for: a seat, full or not, in a lobby; later a free one, or to look on.
  private var isAnnounced: Bool {
    switch table.phase {
    case .lobby: true
    case .playing: table.isOpen || table.mayBeWatched
    case .starting, .dealing, .over, .cancelled: false
    }
  }

  /// When an entry of a height became final here, as an age; nil from before the start.
  func age(of height: UInt64, at now: Milliseconds) -> Milliseconds? {
    seenAt.last { $0.height == height }.map { now - $0.at }
  }

  /// Takes over the entries of an earlier seat here that are signed and not in the log yet.
  ///
  /// A witness that was not taken yet has nothing to say any more: whoever sits is no witness.
  mutating func inherit(from old: TableSession) {
    guard !(old.isWitness && old.isJoining) else { return }
    for draft in old.outbox.drafts where draft.entry != nil && !draft.isFinal {
      outbox.add(draft)
    }
  }

  /// Rows that make the disk forget it: the row of the table and of every own entry.
  var forgetting: [StoredRecord] {
    [StoredRecord(.tables, key: id.bytes, value: nil)]
      + outbox.drafts.map { Outbox.deletion(of: $0.draft) }
  }

  /// Puts a vote off that only widens what is certain: half the votes of a busy table are such, and
  /// those for a block are worth nothing once all have voted for a later one.
  mutating func putOff(_ vote: Vote, from peer: PublicKey, at now: Milliseconds) {
    if putOff.count >= TableSession.putOffLimit {
      putOff.removeFirst(TableSession.putOffLimit / 2)
    }
    putOff.append((vote, peer))
    putOffDueAt = putOffDueAt ?? now + TableSession.tick
  }

  private static let putOffLimit = 1_024

  mutating func note(join: Entry, from peer: PublicKey) {
    guard !joins.contains(where: { $0.join == join }) else { return }
    if joins.count >= Limits.voters { joins.removeFirst() }
    joins.append((join, peer))
  }

  mutating func follow(_ peer: PublicKey, until: Milliseconds) {
    followers.removeAll { $0.peer == peer }
    if followers.count >= Limits.voters { followers.removeFirst() }
    followers.append((peer, until))
  }
}
