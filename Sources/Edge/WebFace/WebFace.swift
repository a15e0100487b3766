package import Dispatch

/// Why the page's server cannot start.
package enum WebFaceError: Error, Equatable, Sendable {
  /// None of these ports can be bound.
  case noPort(first: UInt16, last: UInt16)

  /// The stable name of the case.
  package var code: String { "noPort" }

  /// One sentence for people that says what to do next.
  package var message: String {
    switch self {
    case .noPort(let first, let last):
      "No port from \(first) to \(last) is free for the page; choose another with --web-port."
    }
  }
}

/// The web server that shows one player the node on the player's own machine.
///
/// It serves the page's files and the API of Protocol/local-api.yaml on 127.0.0.1. It answers from
/// closures and publishes what it is given; of tables and games it knows nothing.
package final class WebFace: Sendable {
  /// What a server is started with.
  package struct Settings: Sendable {
    /// The port to try first; 0 for any free one.
    package var port: UInt16
    /// The secret of the page, 32 hex digits.
    package var token: String
    /// How many ports are tried, each the next.
    package var attempts = 20
    /// How often a stream on which nothing happens sends a comment.
    package var commentInterval = DispatchTimeInterval.seconds(15)
    /// How many seconds a connection may do nothing; streams are kept alive by their comments.
    package var idleSeconds: UInt32 = 45
    /// How many seconds a connection without the token may take for the head of a request.
    package var headSeconds: UInt32 = 8
    /// Gets lines for the log, few of each kind; called on any thread.
    package var log: @Sendable (String) -> Void = { _ in }

    /// Starts with the port and the token, and the usual values of the rest.
    package init(port: UInt16, token: String) {
      self.port = port
      self.token = token
    }
  }

  /// The port that is bound.
  package let port: UInt16

  private let server: Server

  /// Starts serving.
  ///
  /// - Parameters:
  ///   - settings: the port, the token and the timing.
  ///   - queue: the serial queue on which the handler is called. Events are published from it, so
  ///     that a new stream misses none.
  ///   - handler: what requests are answered from.
  /// - Throws: `.noPort` where none of the ports is free.
  package init(
    settings: Settings, queue: DispatchQueue, handler: WebHandler
  ) throws(WebFaceError) {
    server = Server(settings: settings, queue: queue, handler: handler)
    port = try server.start()
  }

  deinit { server.stop {} }

  /// Sends events to every open stream, without waiting.
  ///
  /// To be called on the handler's queue.
  package func publish(_ events: [ServerSentEvent]) {
    server.publish(events)
  }

  /// Whether anybody would hear what is published.
  package var hasStreams: Bool { server.hasStreams }

  /// Ends the streams, then the server, in the background.
  ///
  /// Requests under way still need the handler's queue, so it must not wait for the completion,
  /// which is called on another queue.
  package func stop(completion: @escaping @Sendable () -> Void = {}) {
    server.stop(completion: completion)
  }
}
