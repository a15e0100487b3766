import CMicroHTTPD

/// One request as it arrives, piece by piece, on the server's thread.
final class Exchange {
  private let head: RequestHead
  private let decision: Decision
  private var body: [UInt8] = []
  private var discarded = 0

  init(head: RequestHead, decision: Decision) {
    self.head = head
    self.decision = decision
  }

  /// Whether the answer goes out before the body: where the body would be too long to be read just
  /// to be dropped, or where the client waits for leave to send it.
  var isAnsweredAtOnce: Bool {
    guard case .refuse = decision else { return false }
    return (head.declaredLength ?? 0) > Server.Limits.body || !head.values("expect").isEmpty
  }

  /// Whether the request came with the token: only what is served by the interface needed it.
  var showsToken: Bool {
    guard case .serve(let route) = decision else { return false }
    if case .asset = route { return false }
    return true
  }

  /// Takes a piece of the body; false when there is no point in reading on.
  func take(_ piece: UnsafeRawBufferPointer) -> Bool {
    if case .serve(let route) = decision, route.methods == ["POST"], discarded == 0,
      body.count + piece.count <= route.bodyLimit
    {
      body += piece
    } else {
      discarded += piece.count
    }
    return discarded <= Server.Limits.discarded
  }

  /// Makes the answer.
  func answer(from server: Server, on connection: ConnectionHandle) -> Response? {
    switch decision {
    case .refuse(let refusal, let allow):
      return Response(refusal.reply, allow: allow)
    case .serve(let route) where discarded > 0 && route.methods == ["POST"]:
      return Response(route.tooLong.reply)
    case .serve(let route):
      return server.answer(route, head: head, body: body, on: connection)
    }
  }
}

// MARK: - What libmicrohttpd calls

extension Server {
  /// Starts libmicrohttpd on a port; nil when it cannot bind it.
  func startDaemon(port: UInt16, context: UnsafeMutableRawPointer) -> OpaquePointer? {
    tabletalk_start_daemon(
      port, Limits.connections, settings.idleSeconds, Limits.connectionMemory,
      { context, connection, path, method, _, upload, uploadSize, slot in
        guard let context, let connection, let path, let method, let uploadSize, let slot else {
          return .NO
        }
        let server = Unmanaged<Server>.fromOpaque(context).takeUnretainedValue()
        let exchange: Exchange
        if let known = slot.pointee {
          exchange = Unmanaged<Exchange>.fromOpaque(known).takeUnretainedValue()
          if uploadSize.pointee > 0 {
            let piece = UnsafeRawBufferPointer(start: upload, count: uploadSize.pointee)
            uploadSize.pointee = 0
            return exchange.take(piece) ? .YES : .NO
          }
        } else {
          let head = RequestHead(
            method: String(cString: method), path: String(cString: path),
            fields: fields(of: connection))
          exchange = Exchange(head: head, decision: server.decide(head))
          if exchange.showsToken {
            server.strangers.forget(connection)
          } else {
            server.strangers.isActive(connection)
          }
          slot.pointee = Unmanaged.passRetained(exchange).toOpaque()
          // The next call brings the body or its end.
          if !exchange.isAnsweredAtOnce { return .YES }
        }
        let handle = ConnectionHandle(pointer: connection)
        guard let response = exchange.answer(from: server, on: handle) else { return .NO }
        return response.queue(on: connection)
      },
      { context, connection, slot, _ in
        guard let slot, let exchange = slot.pointee else { return }
        Unmanaged<Exchange>.fromOpaque(exchange).release()
        slot.pointee = nil
        guard let context, let connection else { return }
        Unmanaged<Server>.fromOpaque(context).takeUnretainedValue().strangers.isActive(connection)
      },
      { context, connection, _, event in
        guard let context, let connection else { return }
        let strangers = Unmanaged<Server>.fromOpaque(context).takeUnretainedValue().strangers
        // Its socket is still open in either case, and closed after the second.
        switch event {
        case .CONNECTION_NOTIFY_STARTED: strangers.came(connection)
        default: strangers.forget(connection)
        }
      }, context)
  }
}

/// Reads the header fields of a request; their number is bounded by the connection's memory.
private func fields(of connection: OpaquePointer) -> [(name: String, value: String)] {
  var fields: [(name: String, value: String)] = []
  withUnsafeMutablePointer(to: &fields) { fields in
    _ = MHD_get_connection_values(
      connection, .HEADER_KIND,
      { context, _, name, value in
        guard let context, let name else { return .NO }
        context.assumingMemoryBound(to: [(name: String, value: String)].self).pointee.append(
          (String(cString: name), value.map { String(cString: $0) } ?? ""))
        return .YES
      }, fields)
  }
  return fields
}
