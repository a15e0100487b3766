import CBOR
import Testing
import TestSupport
import Wire

@Suite struct `Numbers from outside are bounded` {
  private func refusal(_ item: CBOR) -> String? {
    do {
      _ = try TableMessage(try CBOR(decoding: item.encoded))
      return nil
    } catch {
      return error.code
    }
  }

  /// The sample's fields with one of them replaced.
  private func replacing(_ index: Int, of item: CBOR, with part: CBOR) throws -> CBOR {
    var parts = try item.array("sample")
    parts[index] = part
    return .array(parts)
  }

  @Test func `in a vote`() throws {
    let vote = Samples.vote(.notarize).cbor
    let other: [(index: Int, part: CBOR, code: String)] = [
      (0, .bytes([1]), "outOfRange"), (1, .text("x"), "unexpectedType"),
      (2, .unsigned(Limits.counter + 1), "outOfRange"), (3, 3, "outOfRange"),
      (3, 1, "outOfRange"), (4, Digest.zero.cbor, "outOfRange"), (5, .null, "unexpectedType"),
      (6, .bytes([UInt8](repeating: 0, count: 63)), "outOfRange"),
    ]
    for (index, part, code) in other {
      #expect(refusal([0, try replacing(index, of: vote, with: part)]) == code, "\(index)")
    }
    #expect(refusal([0, vote]) == nil)
    #expect(refusal([0, vote, 0]) == "wrongCount")
    #expect(refusal([99, vote]) == "unknownKind")
    #expect(refusal([.negative(0), vote]) == "unexpectedType")
  }

  @Test func `in an entry`() throws {
    let entry = Samples.entry().cbor
    let three = (1...3).map { TestKey(UInt8($0)).keySignature([1]) }.sorted().map(\.cbor)
    let other: [(index: Int, part: CBOR, code: String)] = [
      (2, .unsigned(Limits.sequence + 1), "outOfRange"), (4, .bytes([]), "outOfRange"),
      (4, .bytes([UInt8](repeating: 0, count: Limits.entryBody + 1)), "outOfRange"),
      (6, .array(three), "wrongCount"), (6, .array([three[1], three[0]]), "outOfRange"),
      (6, .array([three[0], three[0]]), "outOfRange"),
    ]
    for (index, part, code) in other {
      #expect(refusal([3, try replacing(index, of: entry, with: part)]) == code, "\(index)")
    }
    let most = CBOR.bytes([UInt8](repeating: 0, count: Limits.entryBody))
    #expect(refusal([3, try replacing(4, of: entry, with: most)]) == nil)
  }

  @Test func `in a block`() throws {
    let block = Samples.block.cbor
    let entry = Samples.entry().cbor
    let full = Samples.entry(body: .bytes([UInt8](repeating: 0, count: Limits.entryBody - 3))).cbor
    let deadline = try block.array("block")[9].array("deadlines")[0]
    let nullification = Samples.certificate(Samples.subject(.nullify, view: 8), by: []).cbor
    let tooLong = Limits.nullificationsPerBlock + 1
    let other: [(index: Int, part: CBOR, code: String?)] = [
      (8, .array([CBOR](repeating: entry, count: Limits.entriesPerBlock + 1)), "wrongCount"),
      (8, .array([CBOR](repeating: entry, count: Limits.entriesPerBlock)), nil),
      (8, .array([CBOR](repeating: full, count: 17)), "outOfRange"),
      (8, .array([CBOR](repeating: full, count: 16)), nil),
      (9, .array([CBOR](repeating: deadline, count: Limits.deadlinesPerBlock + 1)), "wrongCount"),
      (10, .array([[], []]), "wrongCount"),
      (
        11, .array([.null, .null, .array([CBOR](repeating: nullification, count: tooLong))]),
        "wrongCount"
      ),
      (12, .unsigned(Limits.counter + 1), "outOfRange"),
    ]
    for (index, part, code) in other {
      #expect(refusal([10, try replacing(index, of: block, with: part)]) == code, "\(index)")
    }
  }

  @Test func `in a certificate and a status`() throws {
    let subject = Samples.subject(.finalize)
    let many = (1...17).map { TestKey(UInt8($0)) }
    #expect(refusal([1, Samples.certificate(subject, by: many).cbor]) == "wrongCount")
    #expect(refusal([1, Samples.certificate(subject, by: Array(many[..<16])).cbor]) == nil)
    let status = try TableMessage.status(Samples.status).cbor.array("message")[1]
    let keys = many.map(\.publicKey).sorted().map(\.cbor)
    #expect(refusal([6, try replacing(7, of: status, with: .array(keys))]) == "wrongCount")
    let unsorted = CBOR.array([keys[1], keys[0]])
    #expect(refusal([6, try replacing(7, of: status, with: unsorted)]) == "outOfRange")
    let full = Samples.fullDiskStatus.cbor
    #expect(refusal([6, full]) == nil)
    #expect(refusal([6, try replacing(8, of: full, with: 0)]) == "outOfRange")
    #expect(refusal([6, try replacing(8, of: full, with: 2)]) == "outOfRange")
    #expect(refusal([6, .array(try full.array("status") + [1])]) == "wrongCount")
  }

  @Test func `and the largest block of all fits into a message`() {
    // 64 KiB of entry bodies is the larger part; the rest are signatures.
    let body = CBOR.bytes([UInt8](repeating: 0, count: Limits.entryBytesPerBlock / 64 - 3))
    let voters = (1...16).map { TestKey(UInt8($0)) }
    let deadline = PassedDeadline(
      id: .zero, signatures: voters.map { $0.keySignature([]) })
    let block = Block(
      table: Samples.table, epoch: Samples.epoch, view: 1, height: 1, parentView: 0,
      parent: .zero, stateAfterParent: .zero, emptyRun: 0,
      entries: [Entry](repeating: Samples.entry(body: body), count: Limits.entriesPerBlock),
      deadlines: [PassedDeadline](repeating: deadline, count: Limits.deadlinesPerBlock),
      change: nil,
      justification: Justification(
        parent: Samples.certificate(Samples.subject(.notarize), by: voters),
        nullifications: [Certificate](
          repeating: Samples.certificate(Samples.subject(.nullify), by: voters),
          count: Limits.nullificationsPerBlock)),
      shownTime: 0)
    #expect(block.cbor.encoded.count <= Limits.message)
  }
}
