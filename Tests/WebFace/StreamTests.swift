import Dispatch
import Foundation
import Testing

@testable import WebFace

@Suite("Events reach every open page")
struct StreamTests {
  let server: TestServer

  init() throws { server = try TestServer() }

  @Test("A published event arrives at once, at every stream")
  func delivery() throws {
    let streams = try (0..<3).map { _ in try server.stream() }
    for number in 0..<100 {
      server.publish([
        ServerSentEvent("state", "{\"n\":\(number)}", id: "b-\(number)"),
        ServerSentEvent("agreed", "{\"e\":\(number)}"),
      ])
      for stream in streams {
        try #require(
          stream.event() == "id: b-\(number)\nevent: state\ndata: {\"n\":\(number)}")
        try #require(stream.event() == "event: agreed\ndata: {\"e\":\(number)}")
      }
    }
  }

  @Test("A client that comes back says what it has")
  func lastEventID() throws {
    _ = try server.stream()
    _ = try server.stream(after: "boot-17")
    _ = try server.stream(after: String(repeating: "x", count: 129))
    #expect(server.lastEventIDs == [nil, "boot-17", nil])
  }

  @Test("A line break in an event cannot forge another")
  func lineBreaks() throws {
    let stream = try server.stream()
    server.publish([ServerSentEvent("a\nevent: b", "1\n\r\ndata: 2", id: "x\r\nid: y\u{0}")])
    #expect(
      try stream.event() == "id: xid: y\nevent: aevent: b\ndata: 1\ndata: \ndata: \ndata: data: 2")
  }

  @Test("An idle stream sends comments, so that a dead line shows")
  func comments() throws {
    let quick = try TestServer(commentInterval: .milliseconds(50))
    let stream = try quick.stream()
    for _ in 0..<3 { #expect(try stream.event() == ": here") }
  }

  @Test("A stream outlives the limit on idle connections")
  func outlivesIdleLimit() throws {
    let quick = try TestServer(commentInterval: .milliseconds(300), idleSeconds: 1)
    let stream = try quick.stream()
    for _ in 0..<8 { #expect(try stream.event() == ": here") }
  }

  @Test("The fifth stream ends the oldest, which is told why")
  func fifthStream() throws {
    var streams = try (0..<5).map { _ in try server.stream() }
    let oldest = streams.removeFirst()
    let farewell = try #require(try oldest.event())
    #expect(farewell.hasPrefix("event: closed\ndata: {\"code\":\"tooManyPages\",\"message\":\""))
    #expect(try oldest.event() == nil)
    server.publish([ServerSentEvent("agreed", "1")])
    for stream in streams { #expect(try stream.event() == "event: agreed\ndata: 1") }
  }

  @Test("A page that is loaded again takes its own place, not that of another page")
  func reload() throws {
    let others = try (0..<3).map { _ in try server.stream() }
    for _ in 0..<5 { _ = try server.stream() }
    let last = try server.stream()
    server.publish([ServerSentEvent("agreed", "1")])
    for stream in others + [last] { #expect(try stream.event() == "event: agreed\ndata: 1") }
  }

  @Test("A client that vanished makes room")
  func vanished() throws {
    let quick = try TestServer(commentInterval: .milliseconds(20))
    for _ in 0..<12 { _ = try quick.stream() }
    let last = try quick.stream()
    #expect(try last.event() == ": here")
    quick.stop()
  }

  @Test("A client that does not read costs bounded memory and sees the newest state in the end")
  func slowClient() throws {
    let slow = try server.stream()
    let filler = String(repeating: "x", count: 8000)
    // Far more than the system's own buffers hold.
    for number in 0..<5000 {
      server.publish([ServerSentEvent("state", "{\"n\":\(number),\"x\":\"\(filler)\"}")])
    }
    var numbers: [Int] = []
    while numbers.last != 4999 {
      let event = try #require(try slow.event())
      let digits = event.drop { $0 != "{" }.dropFirst(5).prefix { $0 != "," }
      numbers.append(try #require(Int(digits)))
    }
    #expect(numbers.count < 5000, "states in between were left out")
    #expect(numbers == numbers.sorted())
  }

  @Test("A client that falls behind on what may not be left out is cut off and may come back")
  func overflow() throws {
    let slow = try server.stream()
    let filler = String(repeating: "x", count: 8000)
    for number in 0..<5000 {
      server.publish([ServerSentEvent("agreed", "\(number) \(filler)")])
    }
    var expected = 0
    while let event = try slow.event() {
      try #require(event.hasPrefix("event: agreed\ndata: \(expected) "), "none is left out")
      expected += 1
    }
    #expect(expected < 5000)
    server.publish([ServerSentEvent("agreed", "5000")])
    #expect(try server.stream(after: "b-1").unread.isEmpty)
  }

  @Test("Stopping with open streams ends them and the server", arguments: 0..<20)
  func stopWithStreams(_ round: Int) throws {
    let streams = try (0..<4).map { _ in try server.stream() }
    if round % 2 == 0 { server.publish([ServerSentEvent("state", "1")]) }
    server.stop()
    for stream in streams {
      var last: String?
      while let event = try stream.event() { last = event }
      #expect(last?.hasPrefix("event: closed\ndata: {\"code\":\"stopping\"") == true)
    }
    #expect(throws: RawClient.Failure.self) { try server.client() }
  }

  @Test("Stopping while clients come and go, or do not read, neither hangs nor aborts")
  func stopUnderLoad() throws {
    let slow = try server.stream()
    let filler = String(repeating: "x", count: 100_000)
    for _ in 0..<200 { server.publish([ServerSentEvent("state", "\"\(filler)\"")]) }
    let port = server.port
    let request = server.request("GET /api/v1/events")
    let stormed = DispatchGroup()
    for _ in 0..<4 {
      DispatchQueue.global().async(group: stormed) {
        for _ in 0..<200 {
          guard let client = try? RawClient(port: port) else { return }
          try? client.send(request)
          _ = try? client.head()
        }
      }
    }
    for number in 0..<50 { server.publish([ServerSentEvent("state", "\(number)")]) }
    server.stop()
    stormed.wait()
    #expect(throws: RawClient.Failure.self) { try server.client() }
    _ = slow
  }

  @Test("A server may be stopped twice, or let go of without a word")
  func stopTwice() throws {
    let stream = try server.stream()
    server.stop()
    server.stop()
    while try stream.event() != nil {}

    var other: TestServer? = try TestServer()
    let left = try #require(try other?.stream())
    #expect(other != nil)
    other = nil
    while try left.event() != nil {}
  }
}
