import CMicroHTTPD
import Dispatch
import Synchronization

/// The connections on which nobody has shown the token yet.
///
/// Every program of this machine may connect, whoever runs it; only a page of the player's knows the
/// token. So that the others cannot take all places, a connection without it may wait only so long
/// for the head of a request, however it drips, and when there are too many the oldest makes room.
/// A page shows the token a moment after it has connected.
final class Strangers: Sendable {
  private struct Row: Sendable {
    /// The connection's address, as its name.
    let name: UInt
    let socket: MHD_socket
    /// When it came, or when its last request began or ended.
    var since: ContinuousClock.Instant
  }

  private struct State: Sendable {
    /// The oldest first; those that were shut are no longer in it.
    var rows: [Row] = []
    var isSweeping = false
    var quietUntil: ContinuousClock.Instant?
  }

  private let limit: Int
  private let patience: Duration
  private let queue: DispatchQueue
  private let log: @Sendable (String) -> Void
  private let clock = ContinuousClock()
  private let state = Mutex(State())

  /// Nobody yet; `limit` of them may be there, each for `patience` without a whole head.
  init(
    limit: Int, patience: Duration, queue: DispatchQueue, log: @escaping @Sendable (String) -> Void
  ) {
    self.limit = limit
    self.patience = patience
    self.queue = queue
    self.log = log
  }

  /// Somebody has connected; the oldest of too many is shut.
  func came(_ connection: OpaquePointer) {
    let now = clock.now
    let socket = tabletalk_connection_socket(connection)
    let (isFull, startsSweeping): (Bool, Bool) = state.withLock { state in
      var isFull = false
      if state.rows.count >= limit {
        tabletalk_shut(state.rows.removeFirst().socket)
        if now >= state.quietUntil ?? now {
          state.quietUntil = now + Server.Limits.logPause
          isFull = true
        }
      }
      state.rows.append(Row(name: UInt(bitPattern: connection), socket: socket, since: now))
      defer { state.isSweeping = true }
      return (isFull, !state.isSweeping)
    }
    if isFull {
      log("a program on this laptop opens more connections to the page than a browser would.")
    }
    if startsSweeping { sweep(after: patience) }
  }

  /// A request begins or ends: time is counted from now on.
  func isActive(_ connection: OpaquePointer) {
    let name = UInt(bitPattern: connection)
    state.withLock { state in
      guard let index = state.rows.firstIndex(where: { $0.name == name }) else { return }
      state.rows[index].since = clock.now
    }
  }

  /// The token was shown, or the connection ends: its socket is not touched after this.
  func forget(_ connection: OpaquePointer) {
    let name = UInt(bitPattern: connection)
    state.withLock { $0.rows.removeAll { $0.name == name } }
  }

  private func sweep(after pause: Duration) {
    let delay = DispatchTimeInterval.milliseconds(max(1, Int(pause / .milliseconds(1))))
    queue.asyncAfter(deadline: .now() + delay) { [weak self] in self?.shutTheLate() }
  }

  /// Shuts those whose time is over; goes on while anybody is left.
  private func shutTheLate() {
    let now = clock.now
    let next: ContinuousClock.Instant? = state.withLock { state in
      for row in state.rows where row.since + patience <= now { tabletalk_shut(row.socket) }
      state.rows.removeAll { $0.since + patience <= now }
      state.isSweeping = !state.rows.isEmpty
      return state.rows.map { $0.since + patience }.min()
    }
    if let next { sweep(after: next - now) }
  }
}
