import Foundation
import Synchronization
import Testing

@testable import Shell

@Suite struct `The engine behind lines` {
  private final class Answers: Sendable {
    let lines = Mutex<[String]>([])
    var all: [String] { lines.withLock { $0 } }
    func add(_ line: String) { lines.withLock { $0.append(line) } }
  }

  @Test func `answers an order with a move, and the same nodes with the same`() {
    let answers = Answers()
    let engine = QuoridorEngine { answers.add($0) }
    for _ in 0..<2 {
      #expect(engine.take("position start moves e2 e8"))
      #expect(engine.take("go nodes 500"))
      engine.finish()
    }
    #expect(answers.all.count == 2)
    #expect(answers.all[0].hasPrefix("bestmove "))
    #expect(answers.all[0] == answers.all[1])
  }

  @Test func `hears stop and quit while it thinks`() {
    let answers = Answers()
    let engine = QuoridorEngine { answers.add($0) }
    #expect(engine.take("go movetime 3600000"))
    #expect(engine.take("go movetime 5"))
    #expect(answers.all.first?.hasPrefix("error thinking ") == true)
    #expect(engine.take("stop"))
    engine.finish()
    #expect(answers.all.count == 2)
    #expect(answers.all.last?.hasPrefix("bestmove ") == true)
    #expect(engine.take("go movetime 3600000"))
    #expect(!engine.take("quit"))
    #expect(answers.all.last?.hasPrefix("bestmove ") == true)
  }

  @Test func `stays with what it has when a line is bad`() {
    let answers = Answers()
    let engine = QuoridorEngine { answers.add($0) }
    #expect(engine.take("position -/a9,e5/10,10/2"))
    #expect(engine.take("position nonsense"))
    #expect(answers.all.last?.hasPrefix("error positionForm ") == true)
    #expect(engine.take("go nodes 5"))
    engine.finish()
    #expect(answers.all.last == "bestmove none")
    #expect(engine.take("show"))
    #expect(answers.all.last?.hasSuffix("-/a9,e5/10,10/2") == true)
  }

  @Test func `reads lines of any length and bytes of any kind`() throws {
    let pipe = Pipe()
    var bytes = Data("one\n\n".utf8)
    bytes.append(Data(repeating: UInt8(ascii: "x"), count: 10_000))
    bytes.append(contentsOf: [10, 0xff, 10])
    bytes.append(Data("last".utf8))
    try pipe.fileHandleForWriting.write(contentsOf: bytes)
    try pipe.fileHandleForWriting.close()
    var reader = LineReader(descriptor: pipe.fileHandleForReading.fileDescriptor, longest: 20)
    var lines: [String] = []
    while let line = reader.next() { lines.append(line) }
    #expect(lines == ["one", "", String(repeating: "x", count: 21), "\u{fffd}", "last"])
  }
}
