import Testing

@testable import WebFace

@Suite("What waits for a slow client is bounded")
struct BacklogTests {
  private func drain(_ backlog: inout Backlog, by size: Int = 100) -> String {
    var text: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: size)
    while !backlog.isEmpty {
      let count = buffer.withUnsafeMutableBytes { backlog.take(into: $0) }
      text += buffer[..<count]
    }
    return String(decoding: text, as: UTF8.self)
  }

  @Test("Bytes come out as they went in, whatever the buffer", arguments: [1, 2, 3, 7, 1000])
  func pieces(_ size: Int) {
    var backlog = Backlog([ServerSentEvent("state", "1"), ServerSentEvent("agreed", "2", id: "x")])
    backlog.append(Array("three".utf8), isState: false)
    #expect(
      drain(&backlog, by: size)
        == ": open\n\nevent: state\ndata: 1\n\nid: x\nevent: agreed\ndata: 2\n\nthree")
    #expect(!backlog.isFinished)
    backlog.close()
    #expect(backlog.isFinished)
  }

  @Test("Over the bound only the newest state stays, and everything else")
  func statesAreReplaced() {
    var backlog = Backlog([])
    for number in 0...Backlog.Limits.events {
      backlog.append([UInt8(ascii: "s")], isState: true)
      if number == 10 { backlog.append([UInt8(ascii: "o")], isState: false) }
    }
    #expect(!backlog.isClosed)
    let text = drain(&backlog)
    #expect(text.hasPrefix(": open\n\nos"))
    #expect(text.utf8.count < 20)
  }

  @Test("A state that has been sent in part is sent whole")
  func begunState() {
    var backlog = Backlog([])
    _ = drain(&backlog)
    backlog.append(Array("first".utf8), isState: true)
    var buffer = [UInt8](repeating: 0, count: 2)
    _ = buffer.withUnsafeMutableBytes { backlog.take(into: $0) }
    let large = [UInt8](repeating: UInt8(ascii: "x"), count: Backlog.Limits.bytes / 2)
    for _ in 0..<5 { backlog.append(large, isState: true) }
    backlog.append(Array("last".utf8), isState: true)
    let text = drain(&backlog)
    #expect(text.hasPrefix("rst"))
    #expect(text.hasSuffix("last"))
    #expect(!backlog.isClosed)
  }

  @Test("Where nothing may be left out the stream ends after what waits")
  func overflow() {
    var backlog = Backlog([])
    for _ in 0..<2000 { backlog.append([UInt8(ascii: "o")], isState: false) }
    #expect(backlog.isClosed)
    #expect(drain(&backlog).utf8.filter { $0 == UInt8(ascii: "o") }.count == 1024)
    #expect(backlog.isFinished)
    backlog.append([1], isState: true)
    #expect(backlog.isFinished)
  }

  @Test("A single event larger than the bound is sent")
  func largeEvent() {
    var backlog = Backlog([])
    _ = drain(&backlog)
    backlog.append([UInt8](repeating: 1, count: 2 << 20), isState: true)
    #expect(!backlog.isClosed)
    #expect(drain(&backlog, by: 65536).utf8.count == 2 << 20)
  }

  @Test("A farewell comes right after what has been begun")
  func farewell() {
    var backlog = Backlog([])
    _ = drain(&backlog)
    backlog.append(Array("begun".utf8), isState: false)
    backlog.append(Array("waiting".utf8), isState: false)
    var buffer = [UInt8](repeating: 0, count: 2)
    _ = buffer.withUnsafeMutableBytes { backlog.take(into: $0) }
    backlog.close(with: Array("bye".utf8))
    #expect(drain(&backlog) == "gunbye")
    #expect(backlog.isFinished)
  }
}
