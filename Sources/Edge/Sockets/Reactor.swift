package import Dispatch
import Synchronization

/// Waits on one thread for the sockets and alarms of a queue, and runs on that queue what they are for.
///
/// Dispatch sources would do, but on Linux each event of one wakes three threads in turn: the manager
/// for the event, one of the pool for the handler, and the manager again to arm the source anew. Here
/// it is one thread, and all that is ready runs in one *turn*; what a turn causes, such as the writes of
/// what it wants sent, runs at its end.
final class Reactor: Sendable {
  /// Something to run on the queue, and nowhere else.
  final class Work: @unchecked Sendable {
    let run: () -> Void
    init(_ run: @escaping () -> Void) { self.run = run }
  }

  private struct Watched {
    let what: System.Waited
    let work: Work
  }

  private struct Ring {
    let at: UInt64
    let token: UInt64
    let work: Work
  }

  private struct State {
    var nextToken: UInt64 = 1
    var watches: [UInt64: Watched] = [:] {
      didSet { waited = nil }
    }
    /// What the watches wait for, by their tokens, the bell last; nil after a change.
    var waited: (tokens: [UInt64], all: [System.Waited])?
    /// By time, and at one time in the order in which they were set.
    var alarms: [Ring] = []
    /// Handed in by other threads.
    var entered: [Work] = []
    /// For the end of this turn.
    var ending: [Work] = []
    var isTurning = false
    var hasThread = false
    /// Until when the thread waits; 0 while it does not.
    var waitsUntil: UInt64 = 0

    /// The thread waits for something else than it should by now.
    var isAsleep: Bool { waitsUntil > 0 }
    /// There is nothing more to wait for.
    var isIdle: Bool { watches.isEmpty && alarms.isEmpty && entered.isEmpty }
  }

  private static let key = DispatchSpecificKey<Reactor>()
  /// What runs at the end of a turn may cause more of its kind; after so many rounds other work on the
  /// queue goes first.
  private static let mostRounds = 16

  private let state = Mutex(State())
  /// Wakes the thread.
  private let bell = System.Bell()
  private let threads = DispatchQueue(label: "tabletalk.reactor", qos: .userInitiated)

  private static let making = Mutex(())

  /// The one of a queue, made when it is first asked for.
  static func of(_ queue: DispatchQueue) -> Reactor {
    if let reactor = queue.getSpecific(key: key) { return reactor }
    return making.withLock { _ in
      if let reactor = queue.getSpecific(key: key) { return reactor }
      let reactor = Reactor()
      queue.setSpecific(key: key, value: reactor)
      return reactor
    }
  }

  // MARK: What to wait for

  /// Runs `work` whenever a descriptor can be read from, or written to; returns its token.
  func watch(_ number: Int32, reading: Bool, on queue: DispatchQueue, _ work: Work) -> UInt64 {
    let (token, isAsleep) = state.withLock { state in
      let token = state.nextToken
      state.nextToken += 1
      state.watches[token] = Watched(
        what: System.Waited(number: number, isReading: reading), work: work)
      return (token, state.isAsleep)
    }
    if isAsleep { bell.ring() }
    startIfNeeded(on: queue)
    return token
  }

  /// Ends a watch; its work does not run again, though it may be under way.
  func unwatch(_ token: UInt64) {
    let isAsleep = state.withLock { state in
      state.watches[token] = nil
      return state.isAsleep
    }
    if isAsleep { bell.ring() }
  }

  /// Runs `work` once, later; returns its token.
  func alarm(after nanoseconds: UInt64, on queue: DispatchQueue, _ work: Work) -> UInt64 {
    let at = Reactor.now + nanoseconds
    let (token, isSooner) = state.withLock { state in
      let token = state.nextToken
      state.nextToken += 1
      let place = state.alarms.firstIndex { $0.at > at } ?? state.alarms.count
      state.alarms.insert(Ring(at: at, token: token, work: work), at: place)
      return (token, at < state.waitsUntil)
    }
    if isSooner { bell.ring() }
    startIfNeeded(on: queue)
    return token
  }

  /// Takes an alarm back.
  func unset(_ token: UInt64) {
    let isDone = state.withLock { state in
      state.alarms.removeAll { $0.token == token }
      return state.isAsleep && state.isIdle
    }
    if isDone { bell.ring() }
  }

  /// Runs `work` in a turn, from any thread.
  func enter(on queue: DispatchQueue, _ work: Work) {
    let isAsleep = state.withLock { state in
      state.entered.append(work)
      return state.isAsleep
    }
    if isAsleep { bell.ring() }
    startIfNeeded(on: queue)
  }

  /// Has `work` run at the end of this turn; false when none is under way.
  func end(with work: Work) -> Bool {
    state.withLock { state in
      if state.isTurning { state.ending.append(work) }
      return state.isTurning
    }
  }

  // MARK: The thread

  private func startIfNeeded(on queue: DispatchQueue) {
    let starts = state.withLock { state in
      defer { state.hasThread = true }
      return !state.hasThread
    }
    if starts { threads.async { self.wait(for: queue) } }
  }

  /// Waits and runs turns until there is nothing more to wait for.
  private func wait(for queue: DispatchQueue) {
    var isOver = false
    while !isOver {
      let (tokens, waited, until) = prepare()
      let ready = System.wait(for: waited, milliseconds: Reactor.timeout(until: until))
      if ready.last == tokens.count { bell.answer() }
      let due = ready.filter { $0 < tokens.count }.map { tokens[$0] }
      isOver = queue.sync { turn(due) }
    }
  }

  /// What to wait for now, the bell last, and how long.
  private func prepare() -> (tokens: [UInt64], waited: [System.Waited], until: UInt64) {
    state.withLock { state in
      state.waitsUntil = state.entered.isEmpty ? state.alarms.first?.at ?? .max : 1
      let waited =
        state.waited
        ?? (
          Array(state.watches.keys),
          state.watches.values.map(\.what) + [System.Waited(number: bell.ear, isReading: true)]
        )
      state.waited = waited
      return (waited.tokens, waited.all, state.waitsUntil)
    }
  }

  /// Runs all that is due, on the queue; whether there is nothing more to wait for.
  private func turn(_ tokens: [UInt64]) -> Bool {
    let begin = Reactor.now
    state.withLock { state in
      state.isTurning = true
      state.waitsUntil = 0
    }
    // What ran before may have ended one of them.
    for token in tokens { state.withLock { $0.watches[token]?.work }?.run() }
    for work in takeEntered() { work.run() }
    // Not those that are set meanwhile: whoever goes on at once leaves the others their turn.
    while let work = takeDue(by: begin) { work.run() }
    var rounds = 0
    while rounds < Reactor.mostRounds {
      let works = takeEnding()
      if works.isEmpty { break }
      for work in works { work.run() }
      rounds += 1
    }
    return state.withLock { state in
      state.isTurning = false
      state.entered += state.ending
      state.ending = []
      if state.isIdle { state.hasThread = false }
      return state.isIdle
    }
  }

  private func takeEntered() -> [Work] {
    state.withLock { state in
      defer { state.entered = [] }
      return state.entered
    }
  }

  private func takeEnding() -> [Work] {
    state.withLock { state in
      defer { state.ending = [] }
      return state.ending
    }
  }

  private func takeDue(by time: UInt64) -> Work? {
    state.withLock { state in
      guard let first = state.alarms.first, first.at <= time else { return nil }
      return state.alarms.removeFirst().work
    }
  }

  // MARK: The system

  private static var now: UInt64 { DispatchTime.now().uptimeNanoseconds }

  /// Milliseconds to wait, rounded up, so that nothing runs before its time; -1 for ever.
  private static func timeout(until time: UInt64) -> Int32 {
    guard time < .max else { return -1 }
    let now = now
    guard time > now else { return 0 }
    return Int32(clamping: (time - now + 999_999) / 1_000_000)
  }
}

extension DispatchQueue {
  /// Runs `work` on this queue from any thread: in a turn of its sockets, so that what it sends leaves
  /// with what they cause.
  package func enter(_ work: @escaping @Sendable () -> Void) {
    Reactor.of(self).enter(on: self, Reactor.Work(work))
  }

  /// Runs `work` on this queue, on which the call is made, when what else is ready in its sockets now
  /// has been handled.
  package func soon(_ work: @escaping () -> Void) {
    let work = Reactor.Work(work)
    if !Reactor.of(self).end(with: work) { async { work.run() } }
  }
}
