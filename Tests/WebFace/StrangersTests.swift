import Foundation
import Testing

@testable import WebFace

@Suite struct StrangersTests {
  @Test("Connections without the token cannot take the place of a page, and are logged once")
  func aPageGetsIn() throws {
    let server = try TestServer()
    let page = try server.client()
    try page.send(server.request("GET /api/v1/state"))
    #expect(try page.response().status == 200)
    let strangers = try (0..<200).map { _ in try server.client() }
    #expect(try server.ask("GET /api/v1/state").status == 200)
    let stream = try server.stream()
    let more = try (0..<100).map { _ in try server.client() }
    // Who has shown the token keeps its place, whatever else comes.
    try page.send(server.request("GET /api/v1/state"))
    #expect(try page.response().status == 200)
    server.publish([ServerSentEvent("state", "{}")])
    #expect(try stream.event() == "event: state\ndata: {}")
    #expect(try strangers[0].isClosedByServer())
    #expect(try more[0].isClosedByServer())
    #expect(server.log.count == 1)
  }

  @Test("A head that drips is cut off in time, one after another answered request too")
  func aHeadThatDrips() throws {
    let server = try TestServer(headSeconds: 1)
    for first in ["", "GET / HTTP/1.1\r\nHost: 127.0.0.1:\(server.port)\r\n\r\n"] {
      let client = try server.client()
      try client.send(first)
      if !first.isEmpty { #expect(try client.response().status == 200) }
      let start = ContinuousClock.now
      var isOver = false
      while !isOver, ContinuousClock.now < start + .seconds(10) {
        do {
          try client.send("G")
          usleep(50_000)
        } catch {
          isOver = true
        }
      }
      #expect(isOver)
      #expect(ContinuousClock.now - start >= .milliseconds(900))
    }
    #expect(server.log.isEmpty)
  }

  @Test("Nobody with the token is hurried")
  func whoHasTheTokenStays() throws {
    let server = try TestServer(headSeconds: 1)
    let client = try server.client()
    for _ in 0..<2 {
      try client.send(server.request("GET /api/v1/state"))
      #expect(try client.response().status == 200)
      usleep(1_500_000)
    }
    try client.send(server.request("GET /api/v1/state"))
    #expect(try client.response().status == 200)
  }
}
