package import Consensus
package import Discovery
import Games
import Table
package import Wire

/// The whole node as one value: who is near, which tables it sits at, what the player asked for.
///
/// `step` takes what happened and returns what to do, in order. It never looks at a clock, a
/// socket, a disk or a secret, so the same code runs in a laptop and in a simulator.
package struct Peer: Sendable {
  /// What a node is, before anything happens.
  package struct Setup: Sendable {
    package var identity: PublicKey
    /// A name given at the start, confirmed thereby; nil to ask or to take the stored one.
    package var name: String?
    /// What the Welcome screen proposes.
    package var proposedName: String?
    /// Grows with every start: seconds of the wall clock, or one more than the last.
    package var incarnation: UInt64
    /// The wall clock at the start, in milliseconds since 1970; for display only.
    package var startedAt: UInt64
    package var linkPort: UInt16
    package var discoveryPort: UInt16
    /// Nodes to reach where broadcast does not.
    package var peers: [Address]
    /// Whether `--interface` said which networks to use.
    package var keepsToInterfaces = false
    /// How the person starts the program, for sentences that say what to type.
    package var program = "tabletalk"
    /// Seeds everything that only needs to differ: codes, pauses.
    package var seed: Digest

    /// Names every part.
    package init(
      identity: PublicKey, name: String?, proposedName: String?, incarnation: UInt64,
      startedAt: UInt64, linkPort: UInt16, discoveryPort: UInt16, peers: [Address], seed: Digest
    ) {
      self.identity = identity
      self.name = name
      self.proposedName = proposedName
      self.incarnation = incarnation
      self.startedAt = startedAt
      self.linkPort = linkPort
      self.discoveryPort = discoveryPort
      self.peers = peers
      self.seed = seed
    }
  }

  /// Woken so much later than it asked for, the laptop did not run.
  static let standstill: Milliseconds = 2_000
  /// A wall clock that moves against the monotonic one by more than this was set.
  private static let setting: Int64 = 2_000

  /// How often time is looked at while nothing is due: to notice that the laptop slept.
  private static let quietLook: Milliseconds = 5_000

  let setup: Setup
  var me: PublicKey { setup.identity }
  var now: Milliseconds
  var wall: UInt64 = 0
  var noise: DigestStream
  /// Confirmed by the person; until then nothing is sent.
  package internal(set) var name: String?
  var roster: Roster
  var sourceBudget = SourceBudget()
  var switchboard: Switchboard
  /// What is passed on between peers that do not reach each other.
  package internal(set) var relay = Relay()
  /// People whom a peer asked to be passed on to, and until when a link to them is sought for that.
  var asked: [(peer: PublicKey, until: Milliseconds)] = []
  /// Who does not hear whom.
  var unheard = Unheard()
  /// What linked peers have been told of others.
  var told: [ToldPeer] = []
  /// Introductions taken in lately.
  var introductions: [(by: PublicKey, at: Milliseconds)] = []
  var introductionsDueAt: Milliseconds = 0
  /// When links are looked at again; what happens to them or to whom this node wants sets it to 0.
  var linksDueAt: Milliseconds = 0
  /// When people and beacons are looked after again, unless something else than a frame comes first.
  var surveyDueAt: Milliseconds = 0
  /// Something has changed since they were last looked after.
  private var needsSurvey = false
  var interfaces: [InterfaceView] = []
  var failedDials: [FailedDial] = []
  /// Somebody to play with is looked for.
  var matching: Matching?
  /// What the last look at the machine has shown; nil before the first.
  var machine: NetworkFacts.Machine?
  var isLookingAtMachine = false
  /// Somebody asked while one went on: what he has just mended, it may not see.
  var isLookOvertaken = false
  /// Since when nobody is heard, and when the machine is looked at next without being asked.
  var lonelySince: Milliseconds?
  var lookDueAt: Milliseconds?
  var counter = Counter()

  var beaconSequence: UInt64 = 0
  var beaconDueAt: Milliseconds = 0
  /// What the last beacon said of me, to send another as soon as it is no longer true.
  var beaconSaid: Beacon.Draft?
  /// How far the list of those whom this node hears has gone round.
  var heardRound = HeardRound()
  /// People with a Tabletalk of another version.
  var otherVersions = OtherVersions()
  /// Own beacons that went out to everybody.
  var ownBeacons = OwnBeacons()
  /// Watches for another node with the own key, and whether the page says that there is one.
  var sameKey: SameKey
  var isKeyTwice = false
  /// Links whose other end has the own identity.
  var mirrors: [Mirror] = []
  /// When time is looked at though nothing is due.
  private var quietLookAt: Milliseconds = 0
  /// When this node last asked to be woken.
  private var wakeAt: Milliseconds?
  /// The wall clock against the monotonic one, to notice that it was set.
  private var wallOffset: Int64?
  var isStopping = false
  /// Beacons being signed for one address, by their sequence.
  var pendingBeaconTargets: [(sequence: UInt64, address: Address)] = []
  /// The last one signed, for new links.
  var lastBeacon: Beacon?
  /// Open tables in the order in which they were first heard of.
  var heardTables: [TableID] = []
  /// Beyond it those that nobody announces any more are forgotten.
  static let heardLimit = Roster.capacity * Beacon.tablesPerBeacon
  /// Where people were met, for when no beacon tells.
  var addresses: [Whereabouts] = []
  /// Asking every address of the own subnets, now or last.
  var looking: LookingHarder?
  /// The words to compare with people, of those that were asked for lately.
  var phrases: [(person: PublicKey, words: [String])] = []
  /// People with a star.
  var favourites: Favourites
  /// Tables that this player will not come to, and who asked and may not have heard it yet.
  var unsaid: [(table: TableID, to: PublicKey, saidAt: Milliseconds?)] = []
  /// Word lists that others give and that were not answered, and when any came in lately.
  var given: [GivenList] = []
  var givenHeard: [(from: PublicKey, at: Milliseconds)] = []
  /// People whose lines are not shown, and whose lists are not taken.
  var muted: [PublicKey] = []
  /// Whose whereabouts were taken from others lately.
  var hearsay: [(peer: PublicKey, at: Milliseconds)] = []
  /// Whether this laptop helps others to agree, when they ask it to.
  package internal(set) var mayWitness = true
  /// Who has asked for private tables with secrets that fit none.
  var guesses = GuessBook()
  /// Refusals that are held back, one a link at the most.
  var heldDenials: [(link: LinkID, at: Milliseconds)] = []

  /// Tables this node sits at, in the order they were met.
  var sessions: [TableSession] = []
  /// Tables that were put away, the latest last: for History alone.
  var archive: [ArchivedTable] = []
  /// Tables that somebody has asked this player to, the oldest first.
  var invites: [Invite] = []
  /// Signatures of table messages that were found good.
  var known = SignatureMemory()
  /// Tables being made or asked for.
  var arrivals: [Arrival] = []
  var nextRequest: KeyRequest = 1
  /// Keys and aliases, besides the identity, that were made or taken into use and not let go of.
  var heldKeys: [PublicKey] = []
  /// Commands answered lately, newest last, so that a repeated one is answered alike.
  var answered: [(id: CommandID, reply: CommandReply)] = []
  /// Commands whose draft is on its way to the disk.
  var waitingReplies: [(id: CommandID, record: UInt64, reply: CommandReply)] = []
  var refusals: [Refused] = []
  var lastWords: [String]?
  /// The player's own word lists.
  var wordLists: WordShelf
  /// Until when what was deleted from them can be put back.
  var putBackUntil: Milliseconds?

  var nextRecord: UInt64 = 1
  var durable: UInt64 = 0
  /// Why nothing is written any more, once the disk has refused.
  var trouble: String?

  var effects: [PeerEffect] = []
  var isChanged = false
  /// Nothing but frames, records and signatures came with this step.
  var isCalm = false
  /// What the page was last told of things that change without an event.
  var shownByTime = ShownByTime()

  /// A command that was taken and refused later by the table.
  package struct Refused: Sendable, Equatable, Encodable {
    package let command: String
    package let table: String
    package let code: String
    package let message: String
  }

  /// Takes one thing that happened; returns what to do about it, in order.
  ///
  /// `shown` is the wall clock in milliseconds since 1970: it is written on blocks for people to
  /// read, and decides nothing.
  package mutating func step(
    _ event: PeerEvent, at time: Milliseconds, shown: UInt64
  ) -> [PeerEffect] {
    step([event], at: time, shown: shown)
  }

  /// Takes all that has happened by a moment, in order; what it makes due is looked at once.
  package mutating func step(
    _ events: [PeerEvent], at time: Milliseconds, shown: UInt64
  ) -> [PeerEffect] {
    noteStandstill(at: time)
    now = max(now, time)
    wall = shown
    noteClock()
    isCalm = events.allSatisfy(\.isCalm)
    for event in events { handle(event) }
    for index in sessions.indices { stepReplica(index) }
    advance()
    if isChanged { effects.append(.changed) }
    isChanged = false
    defer { effects = [] }
    return effects
  }

  /// After a time in which nothing ran, the others are told at once that this laptop is here.
  private mutating func noteStandstill(at time: Milliseconds) {
    guard let wakeAt, time > max(now, wakeAt) + Peer.standstill else { return }
    let span = time - max(now, wakeAt)
    switchboard.stoodStill(for: span)
    roster.stoodStill(for: span)
    relay.stoodStill(for: span)
    beaconDueAt = 0
    favourites.hurry(at: time)
  }

  private mutating func noteClock() {
    let offset = Int64(clamping: wall) - Int64(clamping: now)
    if let wallOffset, abs(offset - wallOffset) <= Peer.setting { return }
    if wallOffset != nil { roster.clockWasSet() }
    wallOffset = offset
  }

  private mutating func handle(_ event: PeerEvent) {
    if case .tick = event {
      surveyDueAt = 0
    } else if !event.isCalm {
      linksDueAt = 0
      surveyDueAt = 0
    }
    switch event {
    case .datagram(let bytes, let source, let interface, let isAlone):
      hearDatagram(bytes, from: source, on: interface, isAlone: isAlone)
    case .linkUp(let id, let peer, let handshakeHash, let remote, let outbound, let through):
      linkUp(
        id, peer: peer, handshakeHash: handshakeHash, remote: remote, outbound: outbound,
        through: through)
    case .frame(let id, let bytes): hearFrame(bytes, on: id)
    case .linkDown(let id): linkDown(id)
    case .dialFailed(let address): dialFailed(address)
    case .relayedDialFailed(let peer, let through):
      switchboard.dialFailed(peer, through: through, at: now)
    case .relayFull(let channel): relayFull(channel)
    case .command(let command, let id): take(command, id: id)
    case .load(let table, let count): load(table, count: count)
    case .keysMade(let request, let keys, let secret): keysMade(request, keys, secret)
    case .signed(let purpose, let signatures): signed(purpose, signatures)
    case .drawSecret(let table, let player, let draw, let secret):
      drawSecret(table, player: player, draw: draw, secret: secret)
    case .persisted(let index): persisted(through: index)
    case .persistFailed(let reason): persistFailed(reason)
    case .interfaces(let views): interfacesChanged(views)
    case .machine(let seen): machineSeen(seen)
    case .thought(let table, let turn, let move): thought(table, turn: turn, move: move)
    case .tick: break
    case .woke: woke()
    case .stopping: stop()
    }
  }

  /// Everything that time alone, or a change of state, makes due.
  private mutating func advance() {
    guard !isStopping else { return }
    let surveys = now >= surveyDueAt
    if surveys {
      expireNeighbours()
      expireMirrors()
      expireRelay()
    }
    advanceLinks()
    sendHeldDenials()
    for index in sessions.indices { advanceSession(index) }
    advanceMatching()
    advanceArrivals()
    if surveys {
      announce()
      advanceSweep()
      askFavourites()
      advanceLook()
      archivePutAway()
      forgetKeys()
      surveyDueAt = now + Peer.surveyPause
      needsSurvey = false
    }
    noteWhatTimeChanged()
    // Not put off by what happens: so a timer that runs stays as it is.
    if now >= quietLookAt { quietLookAt = now + Peer.quietLook }
    // What has changed may make the last beacon untrue, whatever else happens until it is looked at.
    if isChanged && !surveys { needsSurvey = true }
    let wake = needsSurvey ? min(nextWake, surveyDueAt) : nextWake
    wakeAt = wake
    effects.append(.wake(at: wake))
  }

  /// Frames, records and signatures come by the thousand a second while a table agrees; people and
  /// beacons are looked after this much later at the most.
  private static let surveyPause: Milliseconds = 25

  /// The next moment at which time alone makes something due.
  private var nextWake: Milliseconds {
    let isQuiet =
      switchboard.links.isEmpty && sessions.isEmpty && arrivals.isEmpty && !roster.hasDoubts
    var wake = isQuiet ? quietLookAt : linksDueAt
    if name != nil { wake = min(wake, beaconDueAt) }
    if let expiry = roster.nextExpiry { wake = min(wake, expiry) }
    if let expiry = otherVersions.nextExpiry { wake = min(wake, expiry) }
    if isKeyTwice, let expiry = sameKey.expiresAt { wake = min(wake, expiry) }
    if let expiry = relay.nextExpiry { wake = min(wake, expiry) }
    if let due = favouritesDueAt { wake = min(wake, due) }
    if let due = lookDueAt { wake = min(wake, due) }
    for mirror in mirrors { wake = min(wake, mirror.until) }
    if let sweep = looking?.sweep, sweep.endedAt == nil { wake = min(wake, sweep.dueAt) }
    for index in sessions.indices where sessions[index].refusal == nil {
      wake = min(wake, sessions[index].wakeAt, sessions[index].lookAt)
      if let due = sessions[index].putOffDueAt { wake = min(wake, due) }
    }
    for denial in heldDenials { wake = min(wake, denial.at) }
    return max(wake, now + 1)
  }

  /// Where the session of a table is; by index, for a copy of each would cost more than the search.
  func place(ofTable id: TableID?) -> Int? { sessions.indices.first { sessions[$0].id == id } }

  mutating func log(_ level: LogLevel, _ text: String) { effects.append(.log(level, text)) }

  /// Asks for a row to be written; returns its index.
  @discardableResult
  mutating func persist(_ record: StoredRecord) -> UInt64 {
    let index = nextRecord
    nextRecord += 1
    effects.append(.persist(record, index: index))
    return index
  }

  private mutating func persisted(through index: UInt64) {
    durable = max(durable, index)
    while let first = waitingReplies.first, first.record <= durable {
      waitingReplies.removeFirst()
      answer(first.id, first.reply)
    }
    for position in sessions.indices { sessionPersisted(position) }
  }

  private mutating func persistFailed(_ reason: String) {
    guard trouble == nil else { return }
    trouble = reason
    isChanged = true
    log(.error, reason)
    for waiting in waitingReplies {
      answer(waiting.id, .refused(code: "cannotWrite", message: reason, proposal: nil))
    }
    waitingReplies = []
    for position in sessions.indices { stepReplica(position, .persistFailed) }
  }

  private mutating func woke() {
    for link in switchboard.links { closeLink(link.id, reason: "the laptop slept") }
    for position in sessions.indices { stepReplica(position, .woke) }
    beaconDueAt = now
    favourites.hurry(at: now)
  }

  /// A card that begins to send is left so long to settle, and one with a loose contact costs no
  /// more than one beacon in that time.
  private static let settling: Milliseconds = 300

  private mutating func interfacesChanged(_ views: [InterfaceView]) {
    // Counts are no news: the page reads them with whatever is.
    if views.map(\.withoutCounts) != interfaces.map(\.withoutCounts) { isChanged = true }
    let isNewWay = views.contains { view in
      view.sends
        && !interfaces.contains { $0.name == view.name && $0.address == view.address && $0.sends }
    }
    if isNewWay {
      beaconDueAt = min(beaconDueAt, now + Peer.settling)
      favourites.hurry(at: now + Peer.settling)
      lonelySince = nil
    }
    if views.map(\.address) != interfaces.map(\.address) {
      roster.moved(settled: ownBeacons.settled(at: now))
    }
    interfaces = views
  }

  private mutating func stop() {
    isStopping = true
    if name != nil { sayGoodbye() }
    writeFavourites()
    for link in switchboard.links {
      send(.goodbye, on: link.id)
      effects.append(.close(link.id, reason: "this node stops"))
    }
  }
}
