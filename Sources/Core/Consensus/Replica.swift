package import Wire

/// One node's part in a table's replicated log: Simplex (Chan, Pass: "Simplex Consensus", 2023)
/// with the rules of CONSENSUS 1, whose numbers the comments cite.
///
/// In short. Views are counted from 1 in each epoch, each with one leader. The leader puts what is
/// pending into a block on the highest notarized one and proposes it with its own notarize. Voters
/// who find it valid notarize it; q of them make it a parent. Who notarized a block and did not
/// nullify its view finalizes it; q of them make it, and all it stands on, final. Who waits too
/// long nullifies the view. Any certificate of a view lets everybody into the next. A block that
/// changes the voters is a seal and ends its epoch when it is final.
///
/// It is a value. `step` takes one event, changes the value and returns what the world is to do.
/// It reads no clock, no disk and no randomness; the same events give the same effects.
///
/// Where it differs from the paper:
/// - finalize only what one has notarized oneself (rule 4), for what that is worth at n = 3;
/// - a vote never contradicts a finalization held, nor an own notarize of a later view (rule 3);
/// - a block carries the certificates that allow its place, so every notarize vote covers them;
/// - timers run only while there is work and a quorum to do it (rule 7), else all is silent;
/// - no dummy blocks: a nullified view leaves a certificate and nothing else.
///
/// Why it is safe is in Protocol/consensus.md; the one thing that must never happen, a voter who
/// contradicts itself, is prevented in `VoteGuard` and nowhere else.
package struct Replica<App: Application>: Sendable {
  /// The table and who votes first.
  package let founding: Founding
  /// This node's voter key at the table; nil for a node that only reads.
  package internal(set) var voter: PublicKey?

  // The final log and what stands on it.
  var ledger: Ledger
  /// The application after the highest final block.
  package internal(set) var app: App
  package internal(set) var epoch: Epoch
  var tree: BlockTree<App>
  var lineage: Lineage

  // The views of the epoch, from that of the highest final block on.
  package internal(set) var view: UInt64 = 1
  var rounds = SortedMap<UInt64, Round>()
  var voteGuard: VoteGuard?
  /// Votes whose records are not durable yet, with the index that must be.
  var reserved: [(index: UInt64, subject: VoteSubject)] = []
  /// Durable own votes of a former run, to be signed again.
  var unsent: [VoteSubject] = []
  /// Finalizations that lost against a settled one (rule 6).
  var overruled: [VoteSubject] = []
  /// What proves that voters lied.
  var book = EvidenceBook()
  /// Conflicting finalizations whose chains are looked at.
  var forks: [Fork] = []

  /// Going on below a quorum: what was asked for, agreed and done.
  var recoveries = Recoveries()

  /// The certificate that led into this view, while others may lack it.
  var unshared: Unshared?

  // What waits for its place in the log.
  var pool = Pool()
  /// How often an entry has come or gone there, for those who ask what waits.
  package internal(set) var poolChanges: UInt64 = 0
  /// Whether an entry of the pool may stand on the final state.
  var hasAdmissible = false
  var clocks = SortedMap<Digest, DeadlineClock>()
  var storedClocks = SortedMap<Digest, Milliseconds>()
  /// Per deadline, one per voter of this epoch.
  var passed = SortedMap<Digest, [Passed]>()
  var readies = SortedMap<PublicKey, HeldReady>()
  var ownReady = OwnReady()
  /// Who is out of reach, and what voters say of it.
  var evictions = Evictions()
  /// Since when the final state wants its first seal; nil inside until a tick.
  var startWait = Stopwatch()
  /// Since when the game is over, all voters are reachable and the tip is not settled.
  var settleWait = Stopwatch()
  /// Flush blocks above the last seal that this node did not need itself.
  var oldFlush: [Block] = []

  // The world as far as it is known.
  var neighbours = Neighbours()
  var reach: Reach?
  var pace: Pace
  /// The monotonic clock at the last tick.
  var now: Milliseconds
  /// The same, but at most 1 s of it counts between two ticks (CONSENSUS 1.4).
  var clock: Milliseconds = 0
  var skipsNextSpan = false
  /// Bodies asked for, and when.
  var wanted = SortedMap<Digest, Milliseconds>()
  var shownTime: UInt64 = 0

  package internal(set) var isSilenced = false
  /// This key has signed what this log does not know, and votes no more (CONSENSUS 1.5).
  ///
  /// Only a simulated liar, who does not care, ever sets it back.
  package var isAmnesiac = false
  package internal(set) var isHalted = false
  /// Keys that this node voted with before; what they were about to accept is still taken.
  var formerVoters: [PublicKey] = []
  /// Another node speaks with the same keys now: neither of the two votes (R10.5).
  package var isDoubled = false
  /// Until when, on the counted clock, whoever was restarted first hears how far the others are
  /// (R10.4); nil in a first run.
  var heedsUntil: Milliseconds?

  /// Messages of an epoch that has not begun here.
  var early: [(message: TableMessage, peer: PeerID)] = []
  /// The epoch's number when the last of them came.
  var earlySince: UInt64 = 0

  var outbox: [Effect] = []
  var nextIndex: UInt64 = 1

  /// Starts at the genesis with an empty log.
  ///
  /// `seed` spreads rebroadcasts of several nodes in time; no rule depends on it.
  package init(founding: Founding, voter: PublicKey?, app: App, seed: UInt64, now: Milliseconds) {
    self.founding = founding
    self.voter = voter
    self.app = app
    self.now = now
    ledger = Ledger(founding)
    epoch = Epoch(founding)
    lineage = Lineage(anchor: founding.genesis)
    tree = BlockTree(
      root: Base(
        hash: founding.genesis, view: 0, height: 0, emptyRun: 0, isSealed: false, app: app))
    voteGuard = voter.map { VoteGuard(table: founding.table, epoch: Epoch(founding).id, voter: $0) }
    pace = Pace(seed: seed)
    syncClocks()
  }

  /// Takes one event in and says, in order, what the world is to do.
  ///
  /// What an event starts is timed from the next tick on, so the world ticks after a batch of
  /// events; the last effect asks for it (`wake`).
  package mutating func step(_ event: Event) -> [Effect] { step([event]) }

  /// Takes several events in, in order, and applies the rules once to what they have come to.
  package mutating func step(_ events: [Event]) -> [Effect] {
    for event in events { note(event) }
    settle()
    wakeIfNeeded()
    defer { outbox = [] }
    return outbox
  }

  private mutating func note(_ event: Event) {
    switch event {
    case .received(let message, let peer): receive(message.body, from: peer)
    case .submitted(let entry): submit(entry.body)
    case .signed(let statement): take(statement)
    case .linkUp(let peer): linkUp(peer)
    case .linkDown(let peer): linkDown(peer)
    case .persisted(let index):
      release(through: index)
      signRecovery(through: index)
    case .persistFailed: fallSilent()
    case .tick(let time): tick(time)
    case .woke:
      pace.disarm()
      skipsNextSpan = true
    case .goOn(let wants): goOn(wants)
    case .follow(let id): follow(id)
    }
  }

  /// R10.1: the disk refused; those who count on this voter are told at once that it does not vote.
  private mutating func fallSilent() {
    reserved = []
    recoveries.writing = []
    guard !isSilenced, !breaks("R10.1-signs") else { return }
    isSilenced = true
    send(.status(status))
  }

  /// Applies the rules until none has anything more to do.
  mutating func settle() {
    countReach()
    for _ in 0..<256 {
      let before = (outbox.count, view, lineage.finalView, epoch.number)
      finalizeBlocks()
      advanceRecovery()
      receiveEarly()
      resumeVotes()
      if canVote {
        castVotes()
        propose()
        nullify()
      }
      let after = (outbox.count, view, lineage.finalView, epoch.number)
      if before == after { break }
    }
    askForMissing()
  }

  mutating func refuse(_ code: String) { outbox.append(.refused(code: code)) }

  mutating func send(_ message: TableMessage, to recipients: Recipients = .all) {
    outbox.append(.send(message, to: recipients))
  }

  @discardableResult
  mutating func persist(_ record: Record) -> UInt64 {
    defer { nextIndex += 1 }
    outbox.append(.persist(record, index: nextIndex))
    return nextIndex
  }

  /// Its key votes in this epoch and nothing keeps it from voting.
  var canVote: Bool { isEntitled && !isWaitingToVote }

  /// Its key votes in this epoch, now or after a while (R10.4, R10.5): what it has signed counts.
  var isEntitled: Bool {
    guard let voter else { return false }
    if breaks("S6-stops"), app.voterWish.leavers.contains(voter) { return false }
    return epoch.has(voter) && !isSilenced && !isAmnesiac && !isHalted && !recoveries.isBound
  }

  /// The round of a view of this epoch, made when it is missing.
  mutating func round<Result>(_ view: UInt64, _ change: (inout Round) -> Result) -> Result {
    rounds.update(view, default: Round(), change)
  }
}

/// A certificate that has led into a view, and since when it is held.
struct Unshared: Sendable {
  let certificate: Certificate
  /// Nil until a tick.
  var since: Milliseconds?

  /// When it is passed on: a quarter of Δ is as long as the slowest of many messages took.
  func dueAt(_ delta: Milliseconds) -> Milliseconds? { since.map { $0 + delta / 4 } }
}

/// A span that begins with the tick after a condition first held.
struct Stopwatch: Sendable {
  private(set) var isOn = false
  private(set) var since: Milliseconds?

  /// Starts or stops; starting again while it runs changes nothing.
  mutating func set(_ condition: Bool) {
    if condition != isOn { since = nil }
    isOn = condition
  }

  /// Only at a tick.
  mutating func arm(at clock: Milliseconds) { if isOn && since == nil { since = clock } }
}
