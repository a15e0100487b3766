import CMicroHTTPD
import Dispatch
import Synchronization

/// The running server: its streams, its door, and libmicrohttpd's handle.
///
/// libmicrohttpd calls it on one thread of its own. That thread waits for the handler's queue
/// (`queue.sync`), so nothing here waits for that thread but the last step of `stop`, which has a
/// queue of its own.
final class Server: Sendable {
  /// The bounds of the server.
  enum Limits {
    /// The most streams: browsers open at most six connections to one server, and the page needs
    /// some of them for its requests.
    static let streams = 4
    /// The most connections, for several browsers; a connection costs `connectionMemory`.
    static let connections: UInt32 = 64
    /// Of those, the most on which nobody has shown the token.
    static let strangers = 32
    /// How long a line of the log keeps others of its kind out.
    static let logPause = Duration.seconds(60)
    /// The most bytes a connection buffers, which bounds a request's head as well.
    static let connectionMemory = 32 << 10
    /// The most bytes of a request's body.
    static let body = 256 << 10
    /// The most bytes of a file of words.
    static let file = 1 << 20
    /// The most bytes of a body without a declared length that are read and dropped before the
    /// connection is closed.
    static let discarded = 1 << 20
    /// How long streams may take to send their end before the server stops.
    static let farewell = DispatchTimeInterval.milliseconds(500)
  }

  /// libmicrohttpd's handle; unchecked, as only `start` and the last step of `stop` use it.
  private struct Daemon: @unchecked Sendable {
    let pointer: OpaquePointer
  }

  private struct State: Sendable {
    var door: Door?
    var daemon: Daemon?
    /// The open streams, the oldest first.
    var streams: [EventStream] = []
    var isStopping = false
    var isStopped = false
    var whenStopped: [@Sendable () -> Void] = []
  }

  let settings: WebFace.Settings
  private let queue: DispatchQueue
  private let handler: WebHandler
  private let state = Mutex(State())
  private let ownQueue = DispatchQueue(label: "tabletalk.web")
  /// Files of the page as gzip has them, by their place in the list.
  private let shortened = Mutex<[Int: [UInt8]]>([:])
  /// Who has not shown the token.
  let strangers: Strangers
  /// Entered once for each stream that has not been let go of.
  private let streamsLeft = DispatchGroup()

  init(settings: WebFace.Settings, queue: DispatchQueue, handler: WebHandler) {
    self.settings = settings
    self.queue = queue
    self.handler = handler
    strangers = Strangers(
      limit: Limits.strangers, patience: .seconds(Int64(settings.headSeconds)), queue: ownQueue,
      log: settings.log)
  }

  // MARK: - Start and stop

  /// Binds the first free port and starts to serve.
  func start() throws(WebFaceError) -> UInt16 {
    let attempts = settings.port == 0 ? 1 : max(settings.attempts, 1)
    let last = UInt16(clamping: Int(settings.port) + attempts - 1)
    for port in settings.port...last {
      // The context stays retained until the server has stopped.
      let context = Unmanaged.passRetained(self)
      guard let pointer = startDaemon(port: port, context: context.toOpaque()) else {
        context.release()
        continue
      }
      let bound = tabletalk_daemon_port(pointer)
      let daemon = Daemon(pointer: pointer)
      state.withLock { state in
        state.daemon = daemon
        state.door = Door(port: bound, token: settings.token)
      }
      commentLater()
      return bound
    }
    throw .noPort(first: settings.port, last: last)
  }

  /// Comments on the idle streams after each interval, until the server stops.
  private func commentLater() {
    ownQueue.asyncAfter(deadline: .now() + settings.commentInterval) { [weak self] in
      guard let self else { return }
      let (streams, isStopping) = state.withLock { ($0.streams, $0.isStopping) }
      if isStopping { return }
      for stream in streams { stream.appendComment() }
      commentLater()
    }
  }

  /// Ends the streams, then the server, in the background; may be called more than once.
  func stop(completion: @escaping @Sendable () -> Void) {
    enum Next {
      case stop([EventStream], Daemon?)
      case wait
      case tell
    }
    let next: Next = state.withLock { state in
      if state.isStopped { return .tell }
      state.whenStopped.append(completion)
      if state.isStopping { return .wait }
      state.isStopping = true
      return .stop(state.streams, state.daemon)
    }
    switch next {
    case .wait: break
    case .tell: ownQueue.async { completion() }
    case .stop(let streams, let daemon):
      // No stream is suspended after this, and none is opened: `openStream` looks at `isStopping`
      // under the same lock.
      for stream in streams { stream.close(with: Refusal.stopping.farewell) }
      ownQueue.async { self.stopDaemon(daemon) }
    }
  }

  private func stopDaemon(_ daemon: Daemon?) {
    _ = streamsLeft.wait(timeout: .now() + Limits.farewell)
    if let daemon {
      MHD_stop_daemon(daemon.pointer)
      // The thread is gone: the context it was given is not used any more.
      Unmanaged.passUnretained(self).release()
    }
    let waiting = state.withLock { state in
      state.isStopped = true
      state.daemon = nil
      defer { state.whenStopped = [] }
      return state.whenStopped
    }
    for completion in waiting { completion() }
  }

  // MARK: - Streams

  /// Whether a stream is open.
  var hasStreams: Bool { state.withLock { !$0.streams.isEmpty } }

  /// Sends events to every open stream.
  func publish(_ events: [ServerSentEvent]) {
    let streams = state.withLock { $0.streams }
    if streams.isEmpty || events.isEmpty { return }
    let encoded = events.map(EncodedEvent.init)
    for stream in streams { stream.append(encoded) }
  }

  /// Opens a stream for a connection; nil while the server stops.
  private func openStream(
    on connection: ConnectionHandle, after lastEventID: String?
  ) -> EventStream? {
    // Both on the handler's queue, from which events are published: between what the stream starts
    // with and its place in the list nothing can be published.
    queue.sync {
      let events = handler.eventsSince(lastEventID)
      let stream = EventStream(connection: connection, startingWith: events) {
        [weak self, streamsLeft] gone in
        self?.state.withLock { state in state.streams.removeAll { $0 === gone } }
        streamsLeft.leave()
      }
      let (isOpen, replaced): (Bool, EventStream?) = state.withLock { state in
        if state.isStopping { return (false, nil) }
        var replaced: EventStream?
        if state.streams.count >= Limits.streams {
          // A page that was loaded again has left a stream behind; no other page pays for it.
          let left = state.streams.firstIndex { $0.isAbandoned() }
          replaced = state.streams.remove(at: left ?? 0)
        }
        state.streams.append(stream)
        return (true, replaced)
      }
      guard isOpen else { return nil }
      streamsLeft.enter()
      replaced?.close(with: Refusal.tooManyPages.farewell)
      return stream
    }
  }

  // MARK: - Requests

  /// Decides what a request leads to, from its head alone.
  func decide(_ head: RequestHead) -> Decision {
    let (door, isStopping) = state.withLock { ($0.door, $0.isStopping) }
    do throws(Refusal) {
      // Without a door the port is not even known to us, so nobody can have asked for it.
      guard !isStopping, let door else { throw .stopping }
      try door.checkSource(of: head)
      let found: Route?
      if Route.isInterface(head.path) {
        try door.checkToken(of: head)
        found = Route(interfacePath: head.path)
      } else {
        found = Asset.served.firstIndex { $0.path == head.path }.map(Route.asset)
      }
      guard let route = found else { throw .notFound }
      guard route.methods.contains(head.method) else {
        return .refuse(.wrongMethod, allow: route.methods)
      }
      if let length = head.declaredLength, length > route.bodyLimit { throw route.tooLong }
      if case .commands = route, !head.declaresJSON { throw .wrongType }
      return .serve(route)
    } catch {
      return .refuse(error, allow: [])
    }
  }

  /// A file of the page as gzip has it, made when it is first asked for like that.
  private func compressed(_ index: Int) -> [UInt8] {
    shortened.withLock { known in
      if let made = known[index] { return made }
      let made = Gzip.compressed(Asset.served[index].bytes)
      known[index] = made
      return made
    }
  }

  /// Answers a request whose body is complete.
  func answer(
    _ route: Route, head: RequestHead, body: [UInt8], on connection: ConnectionHandle
  ) -> Response? {
    switch route {
    case .state:
      return Response(Reply(status: 200, body: queue.sync { handler.state() }))
    case .commands:
      return Response(queue.sync { handler.command(body) })
    case .log(let tableID):
      return Response(queue.sync { handler.log(tableID) })
    case .export(let tableID):
      return Response(queue.sync { handler.export(tableID) })
    case .history:
      return Response(queue.sync { handler.history() })
    case .replay(let tableID):
      return Response(queue.sync { handler.replay(tableID) })
    case .proof(let tableID):
      let log = queue.sync { handler.export(tableID) }
      // Signatures are checked beside the node's queue: nobody waits for a long game.
      return Response(log.status == 200 ? handler.prove(log.body) : log)
    case .words(let list):
      return Response(queue.sync { handler.words(list) })
    case .wordFile(let list, let format):
      return Response(queue.sync { handler.wordFile(list, format) })
    case .preview(let format):
      // Nothing of the node is looked at, so nobody waits for a long file.
      return Response(handler.preview(body, format))
    case .events:
      let lastEventID = head.value("last-event-id").flatMap { $0.utf8.count <= 128 ? $0 : nil }
      guard let stream = openStream(on: connection, after: lastEventID) else {
        return Response(Refusal.stopping.reply)
      }
      return Response(stream)
    case .asset(let index):
      let asset = Asset.served[index]
      return Response(
        asset, isKnown: head.hasVersion(asset.tag),
        compressed: head.takesGzip ? compressed(index) : nil)
    }
  }
}

/// What a request's head leads to.
enum Decision: Equatable, Sendable {
  /// It is answered when its body is complete.
  case serve(Route)
  /// It is refused; with the methods that the path takes, where that is the reason.
  case refuse(Refusal, allow: [String])
}
