import Foundation
import Testing

@testable import WebFace

@Suite("The server serves the page and its API")
struct ServingTests {
  let server: TestServer

  init() throws { server = try TestServer() }

  @Test("The handler answers state, commands and logs, on its own queue")
  func interface() throws {
    let state = try server.ask("GET /api/v1/state?x=1")
    #expect(state.status == 200)
    #expect(state.text == "{\"revision\":7}")
    #expect(state.fields["content-type"] == "application/json")
    #expect(state.fields["cache-control"] == "no-store")

    let body = Array("{\"id\":\"1\"}".utf8)
    let command = try server.ask(
      "POST /api/v1/commands", ["Content-Type: Application/JSON"], body: body)
    #expect(command.text == "{\"ok\":true,\"count\":10}")
    #expect(server.commands == [body])

    #expect(try server.ask("GET /api/v1/tables/aB3-9/log").text == "[\"aB3-9\"]")

    let file = try server.ask("GET /api/v1/tables/48213/export")
    #expect(file.text == "log of 48213")
    #expect(file.fields["content-type"] == "application/cbor-seq")
    #expect(file.fields["content-disposition"] == "attachment; filename=\"48213.ttlog\"")
    #expect(file.fields["cache-control"] == "no-store")
  }

  @Test("Every file of the page is served as it is, typed and with its tag")
  func assets() throws {
    for asset in Asset.served {
      let response = try server.ask("GET \(asset.path)", token: nil)
      #expect(response.status == 200)
      #expect(response.body == Array(asset.bytes))
      #expect(response.fields["content-type"] == asset.type)
      #expect(response.fields["cache-control"] == "no-cache")
      let tag = try #require(response.fields["etag"])

      let again = try server.ask("GET \(asset.path)", token: nil, ["If-None-Match: \"x\", \(tag)"])
      #expect(again.status == 304)
      #expect(again.fields["etag"] == tag)
      let head = try server.ask("HEAD \(asset.path)", token: nil)
      #expect(head.status == 200)
      #expect(head.fields["content-length"] == "\(asset.bytes.count)")
    }
    let other = try server.ask("GET /", ["If-None-Match: \"other\""])
    #expect(other.status == 200)
  }

  @Test(
    "Every response keeps other sites out",
    arguments: ["GET /", "GET /api/v1/state", "GET /nowhere", "GET /api/v1/events"])
  func securityFields(_ line: String) throws {
    let client = try server.client()
    try client.send(server.request(line))
    let fields = try client.head().fields
    #expect(
      fields["content-security-policy"]
        == "default-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'self'")
    #expect(fields["x-content-type-options"] == "nosniff")
    #expect(fields["referrer-policy"] == "no-referrer")
    #expect(fields["cross-origin-opener-policy"] == "same-origin")
    #expect(fields["cross-origin-resource-policy"] == "same-origin")
    #expect(fields["access-control-allow-origin"] == nil)
  }

  @Test("A thousand quick requests over one connection and fifty over many are all answered")
  func manyRequests() throws {
    let client = try server.client()
    for _ in 0..<1000 {
      try client.send(server.request("GET /api/v1/state"))
      let response = try client.response()
      try #require(response.text == "{\"revision\":7}")
    }
    for _ in 0..<50 { #expect(try server.ask("GET /api/v1/state").status == 200) }
  }

  @Test("Requests sent in one go are answered in turn; garbage after them hurts nobody else")
  func pipelining() throws {
    let client = try server.client()
    try client.send(
      server.request("GET /api/v1/state") + server.request("GET /api/v1/tables/x/log")
        + Array("\u{1}\u{2}garbage without end\r\n\r\n".utf8))
    #expect(try client.response().text == "{\"revision\":7}")
    #expect(try client.response().text == "[\"x\"]")
    #expect(try client.response().status >= 400)
    #expect(try client.isClosedByServer())
    #expect(try server.ask("GET /api/v1/state").status == 200)
  }

  @Test("Garbage is refused or cut off, and the server goes on", arguments: Garbage.allCases)
  func garbage(_ garbage: Garbage) throws {
    let client = try server.client()
    try? client.send(garbage.text)
    try? client.send("GET / HTTP/1.1\r\nConnection: close\r\n\r\n")
    if let response = try? client.response() { #expect(response.status >= 400) }
    #expect(try server.ask("GET /api/v1/state").status == 200)
  }

  enum Garbage: CaseIterable {
    case blankLines, noPath, laterVersion, zeros, negativeLength, hugeLength, longPath, longField

    var text: String {
      switch self {
      case .blankLines: "\r\n\r\n\r\n"
      case .noPath: "GET\r\n\r\n"
      case .laterVersion: "GET / HTTP/9.9\r\n\r\n"
      case .zeros: "\u{0}\u{0}\u{0}\r\n\r\n"
      case .negativeLength: "GET / HTTP/1.1\r\nContent-Length: -1\r\nHost: x\r\n\r\n"
      case .hugeLength:
        "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 99999999999999999999999\r\n\r\n"
      case .longPath: "GET /\(String(repeating: "a", count: 40_000)) HTTP/1.1\r\n\r\n"
      case .longField: "GET / HTTP/1.1\r\nX: \(String(repeating: "b", count: 40_000))\r\n\r\n"
      }
    }
  }

  @Test("A taken port leads to the next free one, and many taken ports to an error")
  func takenPort() throws {
    var settings = WebFace.Settings(port: server.port, token: TestServer.token)
    settings.attempts = 20
    let handler = WebHandler(
      state: { [] }, command: { _ in Reply(status: 200, body: []) },
      log: { _ in Reply(status: 200, body: []) }, export: { _ in Reply(status: 200, body: []) },
      history: { Reply(status: 200, body: []) }, replay: { _ in Reply(status: 200, body: []) },
      prove: { _ in Reply(status: 200, body: []) }, words: { _ in Reply(status: 200, body: []) },
      wordFile: { _, _ in Reply(status: 200, body: []) },
      preview: { _, _ in Reply(status: 200, body: []) },
      eventsSince: { _ in [] })
    let second = try WebFace(settings: settings, queue: server.queue, handler: handler)
    #expect(second.port > server.port)
    #expect(second.port - server.port < 20)
    settings.attempts = 1
    let error = #expect(throws: WebFaceError.self) {
      try WebFace(settings: settings, queue: server.queue, handler: handler)
    }
    #expect(error == .noPort(first: server.port, last: server.port))
    #expect(error?.message.hasSuffix(".") == true)
  }

  @Test("The port is only bound on 127.0.0.1")
  func loopbackOnly() throws {
    #expect(throws: RawClient.Failure.self) {
      _ = try RawClient(port: server.port, address: 0x7f00_0002)
    }
  }

  @Test("An idle connection is closed")
  func idle() throws {
    let impatient = try TestServer(idleSeconds: 1)
    let client = try impatient.client()
    try client.send("GET / HTTP/1.1\r\n")
    #expect(try client.isClosedByServer())
  }
}
