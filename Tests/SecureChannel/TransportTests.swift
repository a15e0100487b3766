import CSodium
import Keys
import TestSupport
import Testing

@testable import SecureChannel

@Suite struct TransportTests {
  @Test(arguments: [1, 2, 65_514, 65_515, 65_516, 131_034, 131_035, 2 << 20])
  func aFrameOfAnyLengthArrivesWhole(length: Int) throws {
    var ends = Ends()
    let frame = (0..<length).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    for _ in 0..<2 {
      let wire = try ends.initiator.seal(frame)
      var reader = RecordReader()
      var frames: [[UInt8]] = []
      // In pieces that respect no boundary.
      for start in stride(from: 0, to: wire.count, by: 4_099) {
        reader.append(Array(wire[start..<min(start + 4_099, wire.count)]))
        while let record = try reader.next(allowed: Transport.recordLengths) {
          if let frame = try ends.responder.open(record) { frames.append(frame) }
        }
      }
      #expect(frames == [frame])
      #expect(reader.waitingCount == 0)
    }
  }

  @Test func everyFlippedByteOfARecordIsRefused() throws {
    let frame = Array("a move".utf8)
    var clean = Ends()
    let record = try #require(try records(in: try clean.initiator.seal(frame)).first)
    for position in record.indices {
      var ends = Ends()
      var altered = record
      altered[position] ^= 1
      #expect(throws: ChannelError.notAuthentic) { try ends.responder.open(altered) }
      #expect(throws: ChannelError.failedBefore) { try ends.responder.open(record) }
      #expect(throws: ChannelError.failedBefore) { try ends.responder.seal(frame) }
    }
  }

  @Test func aRecordCutAnywhereIsRefused() throws {
    var clean = Ends()
    let record = try #require(try records(in: try clean.initiator.seal([1, 2, 3])).first)
    for length in record.indices {
      var ends = Ends()
      #expect(throws: ChannelError.self) { try ends.responder.open(Array(record.prefix(length))) }
    }
  }

  @Test func aReplayedSkippedOrReflectedRecordIsRefused() throws {
    var ends = Ends()
    let first = try #require(try records(in: try ends.initiator.seal([1])).first)
    let second = try #require(try records(in: try ends.initiator.seal([2])).first)
    #expect(try ends.responder.open(first) == [1])
    #expect(throws: ChannelError.notAuthentic) { try ends.responder.open(first) }

    var skipping = Ends()
    #expect(throws: ChannelError.notAuthentic) { try skipping.responder.open(second) }

    var reflecting = Ends()
    let own = try #require(try records(in: try reflecting.initiator.seal([1])).first)
    #expect(throws: ChannelError.notAuthentic) { try reflecting.initiator.open(own) }
  }

  @Test func aFrameOverTheLimitIsNeitherSentNorKept() throws {
    var ends = Ends(frameLimit: 100)
    #expect(throws: ChannelError.frameTooLong(length: 101, limit: 100)) {
      try ends.initiator.seal([UInt8](repeating: 0, count: 101))
    }
    #expect(throws: ChannelError.frameEmpty) { try ends.initiator.seal([]) }
    // Neither used up a counter: the next frame still arrives.
    let record = try #require(try records(in: try ends.initiator.seal([7])).first)
    #expect(try ends.responder.open(record) == [7])
  }

  /// Encrypts content as a peer would that does not keep to the frame layer.
  private func open(contents: [[UInt8]]) throws -> [UInt8]? {
    let key = SecretBytes(copying: [UInt8](repeating: 1, count: 32))
    var liar = CipherState(key: key)
    var ends = Ends()
    var last: [UInt8]?
    for content in contents {
      var record: [UInt8] = []
      try liar.encrypt(content[...], authenticating: [], appendingTo: &record)
      last = try ends.responder.open(record)
    }
    return last
  }

  @Test func lengthsThatLieAreRefused() throws {
    #expect(try open(contents: [[0, 0, 0, 1, 9]]) == [9])
    #expect(throws: ChannelError.frameTooLong(length: 0x0020_0001, limit: 2 << 20)) {
      try open(contents: [[0, 0x20, 0, 1, 9]])
    }
    #expect(throws: ChannelError.frameTooLong(length: Int(UInt32.max), limit: 2 << 20)) {
      try open(contents: [[255, 255, 255, 255, 9]])
    }
    #expect(throws: ChannelError.frameEmpty) { try open(contents: [[0, 0, 0, 0, 9]]) }
    #expect(throws: ChannelError.trailingBytes(count: 1)) {
      try open(contents: [[0, 0, 0, 1, 9, 9]])
    }
    #expect(throws: ChannelError.wrongLength(got: 16, allowed: 17...65_535)) {
      try open(contents: [[]])
    }
    #expect(throws: ChannelError.wrongLength(got: 4, allowed: 5...65_519)) {
      try open(contents: [[0, 0, 0, 1]])
    }
    // A frame in two records although one would do.
    #expect(throws: ChannelError.wrongLength(got: 22, allowed: 65_535...65_535)) {
      try open(contents: [[0, 0, 0, 3, 9, 9], [9]])
    }
  }

  @Test func theLastCounterValueIsNeverUsed() throws {
    let key = [UInt8](repeating: 3, count: 32)
    var cipher = CipherState(key: SecretBytes(copying: key), counter: .max - 1)
    var output: [UInt8] = []
    try cipher.encrypt([1], authenticating: [], appendingTo: &output)
    #expect(throws: ChannelError.exhausted) {
      try cipher.encrypt([1], authenticating: [], appendingTo: &output)
    }
  }

  @Test func aRecordLengthOutsideTheRangeIsRefusedBeforeItsBytesCome() throws {
    var reader = RecordReader()
    reader.append([0])
    #expect(try reader.next(allowed: 32...32) == nil)
    reader.append([33])
    #expect(throws: ChannelError.wrongLength(got: 33, allowed: 32...32)) {
      try reader.next(allowed: 32...32)
    }
  }

  @Test(arguments: 1...4 as ClosedRange<UInt64>)
  func thousandsOfRandomStreamsAreRefusedWithoutATrap(seed: UInt64) throws {
    var generator = SeededBytes(seed: seed)
    let bo = try LinkIdentity.test(2)
    for _ in 0..<2_500 {
      let length = Int(generator.next(upperBound: UInt(64)))
      let noise = generator.bytes(length)
      var reader = RecordReader()
      reader.append(noise)
      var accepting = Handshake(role: .responder, local: bo)
      do {
        while let message = try reader.next(allowed: accepting.incomingLengths) {
          _ = try accepting.receive(message)
        }
      } catch {
        // A refusal is what is wanted; only a trap or a finished handshake would be wrong.
      }
      #expect(accepting.isDone == false)
    }
  }
}
