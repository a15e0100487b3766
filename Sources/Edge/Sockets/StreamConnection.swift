package import Discovery
package import Dispatch

/// Why a connection ended.
package enum StreamEnd: Equatable, Sendable {
  /// The other end closed it in good order.
  case endedByPeer
  /// This end closed it.
  case closedHere
  /// Nobody answered the connect in time.
  case connectTimedOut
  /// The way to the other end leaves by an interface that is not allowed.
  case interfaceNotAllowed
  /// The system reports an error.
  case failed(SocketError)

  /// A stable name for logs and programs.
  package var code: String {
    switch self {
    case .endedByPeer: "endedByPeer"
    case .closedHere: "closedHere"
    case .connectTimedOut: "connectTimedOut"
    case .interfaceNotAllowed: "interfaceNotAllowed"
    case .failed(let error): error.name
    }
  }
}

extension StreamEnd: CustomStringConvertible {
  /// A sentence saying what happened and what to do next.
  package var description: String {
    switch self {
    case .endedByPeer: "The other end closed the connection."
    case .closedHere: "This laptop closed the connection."
    case .connectTimedOut:
      "Nobody answered. Check the address, and that no firewall between the two drops the port."
    case .interfaceNotAllowed:
      "The address is not on a network named by --interface. Name that network too."
    case .failed(let error): error.description
    }
  }
}

/// A TCP connection on a queue: reads in bounded pieces, writes from a bounded buffer.
///
/// Every callback runs on the queue given, never inside a call of the owner. `closed` comes once
/// and last; after the owner's own `close` nothing comes at all.
package final class StreamConnection {
  /// What the owner hears.
  package enum Event {
    /// The connect succeeded; only for connections made here.
    case connected
    /// Bytes came, at most `Settings.chunkBytes`.
    case bytes([UInt8])
    /// The connection is over.
    case closed(StreamEnd)
  }

  /// What became of bytes to be sent.
  package enum SendResult: Equatable {
    /// They wait or are sent; `pending` bytes wait in all.
    case queued(pending: Int)
    /// They would exceed the buffer and were not taken.
    case overflow
    /// The connection is over or about to be.
    case closed
  }

  /// The numbers of a connection.
  package struct Settings: Sendable {
    /// Most bytes read in one go.
    package var chunkBytes = 64 << 10
    /// Most bytes that wait to be sent.
    package var outgoingBytes = 4 << 20
    /// How long a connect may take.
    package var connectTimeout = DispatchTimeInterval.seconds(5)
    /// How long `finish` waits for the last bytes to leave and for the other end to close.
    package var finishTimeout = DispatchTimeInterval.seconds(1)

    /// The usual numbers.
    package init() {}
  }

  private enum State {
    case connecting
    case open
    case finishing
    case over
  }

  /// The other end.
  package let remote: Address
  private let settings: Settings
  private let queue: DispatchQueue
  /// Nil once the connection is over; the descriptor closes when Dispatch lets go of it too.
  private var descriptor: Descriptor?
  private var onEvent: ((Event) -> Void)?
  private var state: State
  private var readWatch: Watch?
  private var writeWatch: Watch?
  private var alarm: Alarm?
  private var incoming: [UInt8]
  private var outgoing: [UInt8] = []
  private var sentCount = 0
  private var isReadingPaused = false
  private var isWritingSoon = false
  private var hasEndedWriting = false

  /// Connects to `remote`; `connected` or `closed` tells how it went.
  ///
  /// Throws when the system refuses at once, for instance because no network is there.
  package init(
    to remote: Address, settings: Settings = Settings(), queue: DispatchQueue,
    onEvent: @escaping (Event) -> Void
  ) throws(SocketError) {
    self.remote = remote
    self.settings = settings
    self.queue = queue
    self.onEvent = onEvent
    self.state = .connecting
    self.incoming = []
    let descriptor = try System.streamSocket(for: remote.host)
    try System.sendAtOnce(descriptor)
    // Also when it succeeds at once: the owner hears of it later, not inside this call.
    _ = try System.connect(descriptor, to: remote)
    try watch(descriptor)
    alarm = Alarm(after: settings.connectTimeout, queue: queue) { [weak self] in
      self?.end(.connectTimedOut)
    }
    writeWatch?.run()
  }

  /// Takes over a connection that `StreamListener` accepted.
  package init(
    _ accepted: AcceptedStream, settings: Settings = Settings(), queue: DispatchQueue,
    onEvent: @escaping (Event) -> Void
  ) throws(SocketError) {
    self.remote = accepted.remote
    self.settings = settings
    self.queue = queue
    self.onEvent = onEvent
    self.state = .open
    self.incoming = []
    try System.sendAtOnce(accepted.descriptor)
    try watch(accepted.descriptor)
    readWatch?.run()
  }

  /// Bytes that wait to be sent.
  package var pendingCount: Int { outgoing.count - sentCount }

  /// Takes `bytes` to be sent as soon as the other end reads, all of them or none.
  package func send(_ bytes: [UInt8]) -> SendResult {
    guard state == .open || state == .connecting else { return .closed }
    guard pendingCount + bytes.count <= settings.outgoingBytes else { return .overflow }
    if sentCount > outgoing.count / 2 {
      outgoing.removeFirst(sentCount)
      sentCount = 0
    }
    outgoing += bytes
    if state == .open, pendingCount > 0 { writeSoon() }
    return .queued(pending: pendingCount)
  }

  /// Writes once what runs now has come to its end, so that all it sends leaves together.
  ///
  /// The watch would do, but asking Dispatch whether a socket takes bytes wakes two threads, and it
  /// nearly always does.
  private func writeSoon() {
    guard !isWritingSoon, writeWatch?.isRunning != true else { return }
    isWritingSoon = true
    queue.soon { [weak self] in
      guard let self else { return }
      isWritingSoon = false
      writable()
    }
  }

  /// Reads nothing until `resumeReading`; the system then slows the other end down.
  package func pauseReading() {
    isReadingPaused = true
    readWatch?.pause()
  }

  /// Goes on reading.
  package func resumeReading() {
    isReadingPaused = false
    if state == .open { readWatch?.run() }
  }

  /// Closes at once; what waits to be sent is lost and no further event comes.
  package func close() {
    tearDown()
  }

  /// Sends what waits and then closes.
  ///
  /// The other end is told that it was all; the connection is over when that end has closed too,
  /// or after `finishTimeout`. No further event comes.
  package func finish() {
    onEvent = nil
    guard state == .open else {
      tearDown()
      return
    }
    state = .finishing
    // The connection keeps itself until it is over; the alarm bounds that.
    alarm = Alarm(after: settings.finishTimeout, queue: queue) { self.tearDown() }
    isReadingPaused = false
    readWatch?.run()
    writeWatch?.run()
  }

  private func watch(_ descriptor: Descriptor) throws(SocketError) {
    readWatch = Watch(descriptor, .reading, queue: queue) { [weak self] in self?.readable() }
    // One source for each descriptor: the writing one gets a descriptor of its own.
    let second = try System.duplicate(descriptor)
    writeWatch = Watch(second, .writing, queue: queue) { [weak self] in self?.writable() }
    self.descriptor = descriptor
  }

  private func readable() {
    guard let descriptor, state == .open || state == .finishing, !isReadingPaused else { return }
    if incoming.isEmpty { incoming = [UInt8](repeating: 0, count: settings.chunkBytes) }
    do throws(SocketError) {
      guard let count = try System.read(descriptor, into: &incoming) else { return }
      guard count > 0 else { return end(.endedByPeer) }
      // What comes after `finish` is read only so that the system does not answer it with a reset.
      if state == .open { onEvent?(.bytes(Array(incoming.prefix(count)))) }
    } catch {
      end(.failed(error))
    }
  }

  private func writable() {
    guard let descriptor else { return }
    do throws(SocketError) {
      if state == .connecting {
        if let error = try System.pendingError(descriptor) { return end(.failed(error)) }
        alarm = nil
        state = .open
        if !isReadingPaused { readWatch?.run() }
        onEvent?(.connected)
      }
      guard state == .open || state == .finishing else { return }
      while pendingCount > 0 {
        guard let count = try System.write(descriptor, outgoing[sentCount...]) else {
          writeWatch?.run()
          return
        }
        sentCount += count
      }
      outgoing = []
      sentCount = 0
      writeWatch?.pause()
      if state == .finishing, !hasEndedWriting {
        hasEndedWriting = true
        System.endWriting(descriptor)
      }
    } catch {
      end(.failed(error))
    }
  }

  /// Ends the connection and tells the owner.
  private func end(_ reason: StreamEnd) {
    let onEvent = onEvent
    tearDown()
    onEvent?(.closed(reason))
  }

  private func tearDown() {
    state = .over
    onEvent = nil
    descriptor = nil
    alarm = nil
    readWatch?.cancel()
    writeWatch?.cancel()
    readWatch = nil
    writeWatch = nil
    outgoing = []
    sentCount = 0
    incoming = []
  }
}
