package import CBOR
package import Table
package import Wire

/// A table's log as a file: a CBOR sequence (RFC 8742) of rows, told in Protocol/export.md.
///
/// It begins with a text that names the format and with the genesis, goes on with final blocks and
/// evidence, and ends with a row that says how many there were and what they came to; so no cut
/// goes unnoticed.
package enum GameLog {
  /// The text in the first row: format and version.
  package static let format = "tabletalk/1 log"
  /// The most bytes of a file that is read at all.
  package static let mostBytes = 128 << 20

  /// A row after the first.
  package enum Row: Sendable {
    case block(ProvenBlock)
    /// Those who signed it went on without the others from the block before.
    case recovery(Recovery)
    /// Two votes that no honest voter makes together.
    case lie(Vote, Vote)
    case end(End)
  }

  /// What the last row says.
  package struct End: Hashable, Sendable {
    /// Rows between the first and this one.
    package let rows: UInt64
    /// Of the last block that is no flush block.
    package let height: UInt64
    package let tip: Digest
    /// The state's hash after it.
    package let state: Digest

    /// Names the four.
    package init(rows: UInt64, height: UInt64, tip: Digest, state: Digest) {
      self.rows = rows
      self.height = height
      self.tip = tip
      self.state = state
    }
  }

  /// The file of a log; each recovery with the number of blocks before it.
  package static func encode(
    genesis: Genesis, blocks: [ProvenBlock],
    recoveries: [(recovery: Recovery, blocks: Int)] = [], lies: [(Vote, Vote)] = [],
    height: UInt64, tip: Digest, state: Digest
  ) -> [UInt8] {
    var out = CBOR.array([.text(format), .bytes(genesis.encoded)]).encoded
    for (index, block) in blocks.enumerated() {
      out += CBOR.array([0] + block.fields).encoded
      for (recovery, count) in recoveries where count == index + 1 {
        out += CBOR.array([3, recovery.cbor]).encoded
      }
    }
    for (left, right) in lies { out += CBOR.array([1, left.cbor, right.cbor]).encoded }
    let end = End(
      rows: UInt64(blocks.count + recoveries.count + lies.count), height: height, tip: tip,
      state: state)
    return out + end.cbor.encoded
  }
}

extension GameLog.End {
  fileprivate var cbor: CBOR {
    [2, .unsigned(rows), .unsigned(height), tip.cbor, state.cbor]
  }

  fileprivate init(_ parts: [CBOR]) throws(DecodeError) {
    guard parts.count == 5 else { throw .wrongCount("end") }
    rows = try parts[1].unsigned("end.rows", maximum: Limits.counter)
    height = try parts[2].unsigned("end.height", maximum: Limits.counter)
    tip = try Digest(parts[3], "end.tip")
    state = try Digest(parts[4], "end.state")
  }
}

extension GameLog.Row {
  /// Reads a row after the first.
  package init(_ item: CBOR) throws(DecodeError) {
    let parts = try item.array("row", count: 2...5)
    switch try parts[0].unsigned("row.kind") {
    case 0:
      guard parts.count == 4 else { throw .wrongCount("row") }
      self = .block(try ProvenBlock(parts[1...]))
    case 1:
      guard parts.count == 3 else { throw .wrongCount("row") }
      self = .lie(try Vote(parts[1]), try Vote(parts[2]))
    case 2: self = .end(try GameLog.End(parts))
    case 3:
      guard parts.count == 2 else { throw .wrongCount("row") }
      self = .recovery(try Recovery(parts[1]))
    default: throw .unknownKind("row.kind")
    }
  }
}
