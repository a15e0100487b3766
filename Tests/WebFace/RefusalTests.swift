import Foundation
import Testing

@testable import WebFace

@Suite("The server refuses what does not come from its own page")
struct RefusalTests {
  let server: TestServer

  init() throws { server = try TestServer() }

  @Test("Both names of this machine are welcome")
  func hosts() throws {
    for host in [
      "127.0.0.1:\(server.port)", "localhost:\(server.port)", "LocalHost:\(server.port)",
    ] {
      #expect(try server.ask("GET /", host: host).status == 200)
      let origin = "Origin: http://\(host.lowercased())"
      #expect(try server.ask("GET /api/v1/state", host: host, [origin]).status == 200)
    }
  }

  @Test(
    "A foreign name that leads here is refused, for the page's files too",
    arguments: [
      "evil.example", "evil.example:PORT", "127.0.0.1", "127.0.0.1:1", "127.0.0.1.:PORT",
      "localhost.evil.example:PORT", "[::1]:PORT", "127.0.0.1:PORT@evil.example", "",
    ],
    ["GET /", "GET /api/v1/state", "POST /api/v1/commands", "GET /nowhere"])
  func foreignHost(_ host: String, _ line: String) throws {
    let response = try server.ask(
      line, host: host.replacingOccurrences(of: "PORT", with: "\(server.port)"))
    // libmicrohttpd itself answers 400 to an empty Host header.
    #expect(response.status == 403)
    #expect(response.refusal == "wrongHost")
  }

  @Test("Two Host headers, or none, are refused")
  func hostCount() throws {
    let twice = try server.ask("GET /", ["Host: 127.0.0.1:\(server.port)"])
    #expect(twice.status == 403 || twice.status == 400)
    let client = try server.client()
    try client.send("GET / HTTP/1.0\r\n\r\n")
    #expect(try client.response().refusal == "wrongHost")
  }

  @Test(
    "A request of a foreign page is refused",
    arguments: [
      "http://evil.example", "null", "https://127.0.0.1:PORT", "http://127.0.0.1:1",
      "http://127.0.0.1:PORT/", "http://localhost", "HTTP://127.0.0.1:PORT", "",
    ])
  func foreignOrigin(_ origin: String) throws {
    let origin = origin.replacingOccurrences(of: "PORT", with: "\(server.port)")
    for line in ["POST /api/v1/commands", "GET /api/v1/state", "GET /"] {
      let response = try server.ask(
        line, ["Origin: \(origin)", "Content-Type: application/json"], body: [])
      #expect(response.status == 403)
      #expect(response.refusal == "wrongOrigin")
    }
    #expect(server.commands.isEmpty)
  }

  @Test("What the browser marks as cross-site is refused, its own page is not")
  func sites() throws {
    #expect(try server.ask("GET /", ["Sec-Fetch-Site: cross-site"]).refusal == "wrongSite")
    for site in ["same-origin", "none"] {
      #expect(try server.ask("GET /api/v1/state", ["Sec-Fetch-Site: \(site)"]).status == 200)
    }
  }

  @Test(
    "Without the token nothing under /api is answered, there or not",
    arguments: [
      nil, "", "0123456789abcdef0123456789abcdeF", "0123456789abcdef0123456789abcde",
      "0123456789abcdef0123456789abcdef0", "00000000000000000000000000000000",
    ],
    [
      "GET /api/v1/state", "GET /api/v1/events", "POST /api/v1/commands",
      "GET /api/v1/tables/ab/log", "GET /api/v1/nothing", "GET /api", "DELETE /api/v1/state",
    ])
  func token(_ token: String?, _ line: String) throws {
    let response = try server.ask(line, token: token)
    #expect(response.status == 401)
    #expect(response.refusal == "tokenMissing")
    #expect(response.text.contains("Run tabletalk again, it opens this page."))
  }

  @Test("A token in the address is no token")
  func tokenInAddress() throws {
    let response = try server.ask("GET /api/v1/state?token=\(TestServer.token)", token: nil)
    #expect(response.refusal == "tokenMissing")
  }

  @Test(
    "An unknown path is refused",
    arguments: [
      "/nowhere", "/index.html", "/../etc/passwd", "/%2e%2e/etc/passwd", "//", "/app",
      "/api/v1", "/api/v1/", "/api/v2/state", "/api/v1/state/", "/api/v1/stat%65",
      "/api/v1/state%00",
      "/api/v1/tables//log", "/api/v1/tables/a/b/log", "/api/v1/tables/a%2fb/log",
      "/api/v1/tables/a.b/export", "/api/v1/tables/a.b/log",
      "/api/v1/tables/\(String(repeating: "a", count: 65))/log",
    ])
  func unknownPath(_ path: String) throws {
    let response = try server.ask("GET \(path)")
    #expect(response.status == 404)
    #expect(response.refusal == "notFound")
  }

  @Test("A wrong method is refused with those that are right")
  func wrongMethod() throws {
    let cases = [
      ("POST /", "GET, HEAD"), ("OPTIONS /api/v1/commands", "POST"),
      ("GET /api/v1/commands", "POST"), ("PUT /api/v1/state", "GET"),
      ("HEAD /api/v1/state", "GET"), ("POST /api/v1/events", "GET"),
      ("DELETE /api/v1/tables/ab/log", "GET"), ("POST /api/v1/tables/ab/export", "GET"),
    ]
    for (line, allow) in cases {
      let response = try server.ask(line)
      #expect(response.status == 405)
      #expect(response.fields["allow"] == allow)
      if !line.hasPrefix("HEAD") { #expect(response.refusal == "wrongMethod") }
    }
  }

  @Test(
    "A command that is not declared as JSON is refused, so no form can send one",
    arguments: [
      nil, "text/plain", "application/x-www-form-urlencoded", "multipart/form-data",
      "application/jsonp", "application", "",
    ])
  func wrongType(_ type: String?) throws {
    let response = try server.ask(
      "POST /api/v1/commands", type.map { ["Content-Type: \($0)"] } ?? [], body: Array("{}".utf8))
    #expect(response.status == 415)
    #expect(response.refusal == "wrongType")
    #expect(server.commands.isEmpty)
  }

  @Test("A body of 256 KiB passes, one byte more does not")
  func bodyLimit() throws {
    let json = ["Content-Type: application/json; charset=utf-8"]
    let largest = [UInt8](repeating: 0x20, count: 256 << 10)
    #expect(try server.ask("POST /api/v1/commands", json, body: largest).status == 200)
    #expect(server.commands == [largest])

    // Declared only: the answer comes before a byte of it.
    let client = try server.client()
    let declared = json + ["Content-Length: \((256 << 10) + 1)"]
    try client.send(server.request("POST /api/v1/commands", declared))
    let response = try client.response()
    #expect(response.status == 413)
    #expect(response.refusal == "tooLong")
    #expect(server.commands.count == 1)
  }

  @Test("A body in chunks has the same limit, and an endless one ends the connection")
  func chunkedBody() throws {
    let fields = ["Content-Type: application/json", "Transfer-Encoding: chunked"]
    let piece =
      Array("8000\r\n".utf8) + [UInt8](repeating: 0x20, count: 0x8000)
      + Array("\r\n".utf8)
    let end = Array("0\r\n\r\n".utf8)

    let fitting = try server.client()
    try fitting.send(server.request("POST /api/v1/commands", fields))
    for _ in 0..<8 { try fitting.send(piece) }
    try fitting.send(end)
    #expect(try fitting.response().status == 200)

    let large = try server.client()
    try large.send(server.request("POST /api/v1/commands", fields))
    for _ in 0..<9 { try large.send(piece) }
    try large.send(end)
    #expect(try large.response().refusal == "tooLong")

    let endless = try server.client()
    try endless.send(server.request("POST /api/v1/commands", fields))
    #expect(throws: RawClient.Failure.self) {
      for _ in 0..<10_000 { try endless.send(piece) }
    }
    #expect(server.commands.count == 1)
    #expect(try server.ask("GET /").status == 200)
  }

  @Test("A refused body is read to its end, so that the refusal arrives")
  func refusalArrives() throws {
    let client = try server.client()
    let body = [UInt8](repeating: 0x20, count: 200_000)
    let bad = server.request(
      "POST /api/v1/commands", token: nil, ["Content-Type: application/json"], body: body)
    try client.send(bad)
    #expect(try client.response().refusal == "tokenMissing")
    try client.send(server.request("GET /api/v1/state"))
    #expect(try client.response().status == 200, "the connection goes on")
  }

  @Test("A client that waits for leave to send is refused at once")
  func expectation() throws {
    let client = try server.client()
    try client.send(
      server.request(
        "POST /api/v1/commands", token: nil,
        ["Content-Type: application/json", "Content-Length: 1000", "Expect: 100-continue"]))
    #expect(try client.response().refusal == "tokenMissing")
  }

  @Test("Every refusal has a code of its own and says what to do")
  func refusals() {
    #expect(Set(Refusal.allCases.map(\.code)).count == Refusal.allCases.count)
    for refusal in Refusal.allCases {
      #expect(refusal.message.hasSuffix("."))
      #expect((400..<600).contains(refusal.status))
    }
  }

  @Test("Every code stands in Protocol/local-api.yaml")
  func codesAreDocumented() throws {
    let root = URL(filePath: #filePath)
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    let text = try String(
      contentsOf: root.appending(path: "Protocol/local-api.yaml"), encoding: .utf8)
    for refusal in Refusal.allCases {
      #expect(text.contains("`\(refusal.code)`"), "\(refusal)")
    }
  }

  @Test("A server without a token lets nobody in")
  func emptyToken() throws {
    let open = try TestServer(token: "")
    #expect(try open.ask("GET /api/v1/state", token: "").refusal == "tokenMissing")
  }
}
