import CMicroHTTPD
import Synchronization

/// A connection of libmicrohttpd's.
///
/// Unchecked, as a pointer is not known to be sendable: `MHD_resume_connection`, the one function
/// that another thread than the server's calls with it, may be called from any.
struct ConnectionHandle: @unchecked Sendable {
  let pointer: OpaquePointer
}

/// One client's stream of events.
///
/// The server's thread sends what waits. Where nothing waits it suspends the connection, and
/// whoever adds something resumes it. Both happen under one lock, so that a connection is resumed
/// exactly when it is suspended, and none is suspended once the stream has been closed: libmicrohttpd
/// ends the process when it is stopped with a suspended connection.
final class EventStream: Sendable {
  private struct State {
    var backlog: Backlog
    var isSuspended = false
  }

  private let state: Mutex<State>
  private let connection: ConnectionHandle
  /// Called when the client is gone or the stream has been sent to its end.
  private let whenGone: @Sendable (EventStream) -> Void

  init(
    connection: ConnectionHandle, startingWith events: [ServerSentEvent],
    whenGone: @escaping @Sendable (EventStream) -> Void
  ) {
    self.connection = connection
    self.whenGone = whenGone
    state = Mutex(State(backlog: Backlog(events)))
  }

  /// Adds events as they are sent.
  func append(_ events: [EncodedEvent]) {
    change { backlog in
      for event in events { backlog.append(event.bytes, isState: event.isState) }
    }
  }

  /// Adds a comment where the client has been told nothing else.
  func appendComment() {
    change { $0.appendComment() }
  }

  /// Ends the stream; the client sees the farewell next.
  func close(with farewell: [UInt8]) {
    change { $0.close(with: farewell) }
  }

  /// Whether the client has closed its end, for example because its page was loaded again.
  ///
  /// To be called only while the server's thread waits, as that thread may free the connection.
  func isAbandoned() -> Bool {
    tabletalk_client_is_gone(connection.pointer) != 0
  }

  private func change(_ body: (inout Backlog) -> Void) {
    state.withLock { state in
      body(&state.backlog)
      guard state.isSuspended, !state.backlog.isEmpty || state.backlog.isFinished else { return }
      state.isSuspended = false
      MHD_resume_connection(connection.pointer)
    }
  }

  /// Moves what waits into the server's buffer; nil at the end of the stream.
  ///
  /// Called by the server's thread only. After a return of 0 the connection is suspended.
  fileprivate func read(into buffer: UnsafeMutableRawBufferPointer) -> Int? {
    state.withLock { state in
      if !state.backlog.isEmpty { return state.backlog.take(into: buffer) }
      if state.backlog.isFinished { return nil }
      state.isSuspended = true
      MHD_suspend_connection(connection.pointer)
      return 0
    }
  }

  /// Makes the response that reads this stream; it keeps the stream alive.
  func response() -> OpaquePointer? {
    let retained = Unmanaged.passRetained(self)
    let unknownSize = UInt64.max
    let response = MHD_create_response_from_callback(
      unknownSize, 16 << 10,
      { context, _, start, count in
        guard let context, let start else { return -2 }
        let stream = Unmanaged<EventStream>.fromOpaque(context).takeUnretainedValue()
        let buffer = UnsafeMutableRawBufferPointer(start: start, count: count)
        // The macros for the end (-1) and for an error (-2) are casts, which are not imported.
        return stream.read(into: buffer) ?? -1
      }, retained.toOpaque(),
      { context in
        guard let context else { return }
        let stream = Unmanaged<EventStream>.fromOpaque(context).takeRetainedValue()
        stream.whenGone(stream)
      })
    if response == nil { retained.release() }
    return response
  }
}

/// An event as it is sent, made once for all streams.
struct EncodedEvent: Sendable {
  let bytes: [UInt8]
  /// Whether a newer one of its kind replaces it.
  let isState: Bool

  init(_ event: ServerSentEvent) {
    bytes = event.encoded
    isState = event.event == "state"
  }
}
