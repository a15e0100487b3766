import Dispatch
import Foundation
import Synchronization
import Testing

@testable import WebFace

/// A server on a free port, with a handler that tells what it was asked.
final class TestServer {
  static let token = "0123456789abcdef0123456789abcdef"

  let queue = DispatchQueue(label: "test.handler")
  let face: WebFace
  private let seen = Seen()
  private let lines = Lines()

  /// What the handler was given.
  final class Seen: Sendable {
    let commands = Mutex<[[UInt8]]>([])
    let lastEventIDs = Mutex<[String?]>([])
  }

  /// What it wrote to the log.
  final class Lines: Sendable {
    let all = Mutex<[String]>([])
  }

  init(
    commentInterval: DispatchTimeInterval = .seconds(15), idleSeconds: UInt32 = 45,
    headSeconds: UInt32 = 8, token: String = TestServer.token
  ) throws {
    var settings = WebFace.Settings(port: 0, token: token)
    settings.commentInterval = commentInterval
    settings.idleSeconds = idleSeconds
    settings.headSeconds = headSeconds
    let lines = lines
    settings.log = { line in lines.all.withLock { $0.append(line) } }
    let seen = seen
    let queue = queue
    let handler = WebHandler(
      state: {
        dispatchPrecondition(condition: .onQueue(queue))
        return Array("{\"revision\":7}".utf8)
      },
      command: { body in
        seen.commands.withLock { $0.append(body) }
        return Reply(status: 200, body: Array("{\"ok\":true,\"count\":\(body.count)}".utf8))
      },
      log: { Reply(status: 200, body: Array("[\"\($0)\"]".utf8)) },
      export: {
        Reply(file: Array("log of \($0)".utf8), name: "\($0).ttlog", type: "application/cbor-seq")
      },
      history: { Reply(status: 200, body: Array("[]".utf8)) },
      replay: { Reply(status: 200, body: Array("{\"of\":\"\($0)\"}".utf8)) },
      prove: { Reply(status: 200, body: Array("{\"bytes\":\($0.count)}".utf8)) },
      words: { Reply(status: 200, body: Array("[\($0)]".utf8)) },
      wordFile: { Reply(file: Array("list \($0)".utf8), name: "words.\($1)", type: "text/\($1)") },
      preview: { Reply(status: 200, body: Array("{\"count\":\($0.count),\"as\":\"\($1)\"}".utf8)) },
      eventsSince: { id in
        seen.lastEventIDs.withLock { $0.append(id) }
        return [ServerSentEvent(id: "b-1", event: "state", data: Array("{\"first\":1}".utf8))]
      })
    face = try WebFace(settings: settings, queue: queue, handler: handler)
  }

  var log: [String] { lines.all.withLock { $0 } }
  var commands: [[UInt8]] { seen.commands.withLock { $0 } }
  var lastEventIDs: [String?] { seen.lastEventIDs.withLock { $0 } }
  var port: UInt16 { face.port }

  func client() throws -> RawClient { try RawClient(port: port) }

  /// A request as the page makes it, unless it is told to differ.
  func request(
    _ line: String, host: String? = nil, token: String? = TestServer.token,
    _ fields: [String] = [], body: [UInt8]? = nil
  ) -> [UInt8] {
    var lines = ["\(line) HTTP/1.1", "Host: \(host ?? "127.0.0.1:\(port)")"]
    if let token { lines.append("X-Tabletalk-Token: \(token)") }
    lines += fields
    if let body { lines.append("Content-Length: \(body.count)") }
    return Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8) + (body ?? [])
  }

  /// Sends one request over a connection of its own.
  func ask(
    _ line: String, host: String? = nil, token: String? = TestServer.token,
    _ fields: [String] = [], body: [UInt8]? = nil
  ) throws -> RawResponse {
    let client = try client()
    try client.send(request(line, host: host, token: token, fields, body: body))
    return try client.response(hasBody: !line.hasPrefix("HEAD"))
  }

  /// Opens a stream and reads what it starts with.
  func stream(after id: String? = nil) throws -> RawClient {
    let client = try client()
    try client.send(request("GET /api/v1/events", id.map { ["Last-Event-ID: \($0)"] } ?? []))
    let head = try client.head()
    #expect(head.status == 200)
    #expect(head.fields["content-type"] == "text/event-stream")
    #expect(try client.event() == ": open")
    #expect(try client.event() == "id: b-1\nevent: state\ndata: {\"first\":1}")
    return client
  }

  func publish(_ events: [ServerSentEvent]) {
    queue.sync { face.publish(events) }
  }

  /// Stops the server and returns when it has stopped.
  func stop() {
    let stopped = DispatchSemaphore(value: 0)
    queue.sync { face.stop { stopped.signal() } }
    #expect(stopped.wait(timeout: .now() + 20) == .success, "the server has not stopped")
  }
}

extension ServerSentEvent {
  init(_ event: String, _ data: String, id: String? = nil) {
    self.init(id: id, event: event, data: Array(data.utf8))
  }
}
