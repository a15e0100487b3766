import CBOR
package import Wire

/// One frame of a channel between two peers that a third passes on.
///
/// Between an end and the third it names the far end. A channel is known by its two ends and a
/// number, which the end that opens it chooses: even if its key is the lower one, else odd.
package struct RelayFrame: Hashable, Sendable {
  /// What a frame does.
  package enum Part: Hashable, Sendable {
    case open
    /// 1 to `dataBytes` bytes of the stream.
    case data([UInt8])
    case close(RelayEnd)
  }

  /// Bytes of the stream in one frame at the most.
  package static let dataBytes = 32 << 10

  /// The far end.
  package let peer: PublicKey
  package let number: UInt64
  package let part: Part

  /// Names a frame.
  package init(peer: PublicKey, number: UInt64, part: Part) {
    self.peer = peer
    self.number = number
    self.part = part
  }

  /// What the numbers of channels that `opener` opens to `other` leave when divided by two.
  package static func parity(of opener: PublicKey, towards other: PublicKey) -> UInt64 {
    opener < other ? 0 : 1
  }

  /// Whether the number is one that `opener` may choose.
  package func isOpened(by opener: PublicKey, towards other: PublicKey) -> Bool {
    number % 2 == RelayFrame.parity(of: opener, towards: other)
  }

  /// The same for the far end, as coming from `peer`.
  package func passedOn(from peer: PublicKey) -> RelayFrame {
    RelayFrame(peer: peer, number: number, part: part)
  }

  /// Reads `peer, number, part`.
  init(_ fields: ArraySlice<CBOR>) throws(DecodeError) {
    guard fields.count == 3 else { throw .wrongCount("relay") }
    let start = fields.startIndex
    peer = try PublicKey(fields[start], "relay.peer")
    number = try fields[start + 1].unsigned("relay.number", maximum: Limits.counter)
    let item = fields[start + 2]
    switch item {
    case .null: part = .open
    case .bytes: part = .data(try item.bytes("relay.data", count: 1...RelayFrame.dataBytes))
    default:
      let code = try item.int("relay.end", in: 0...RelayEnd.allCases.count - 1)
      guard let end = RelayEnd(rawValue: code) else { throw .outOfRange("relay.end") }
      part = .close(end)
    }
  }

  /// The three fields.
  var fields: [CBOR] {
    let item: CBOR =
      switch part {
      case .open: .null
      case .data(let bytes): .bytes(bytes)
      case .close(let end): CBOR(end.rawValue)
      }
    return [peer.cbor, .unsigned(number), item]
  }
}

/// Why a channel that a third peer passes on is over.
package enum RelayEnd: Int, CaseIterable, Hashable, Sendable, CustomStringConvertible {
  /// Its other end has ended it.
  case over = 0
  /// The third one has no link to the other end, or none any more.
  case notReached = 1
  /// There are as many channels as may be.
  case tooMany = 2
  /// An end does not keep up with what is sent.
  case tooSlow = 3

  /// A stable name for logs and programs.
  package var code: String {
    switch self {
    case .over: "relayOver"
    case .notReached: "relayNotReached"
    case .tooMany: "relayTooMany"
    case .tooSlow: "relayTooSlow"
    }
  }

  /// A sentence saying what happened and what to do next.
  package var description: String {
    switch self {
    case .over: "The other laptop closed the link."
    case .notReached:
      "The laptop between the two does not reach the other one. Another way is looked for by itself."
    case .tooMany:
      "The laptop between the two, or the other one, has as many links as it may. Wait a moment."
    case .tooSlow:
      "One of the two did not keep up with what was sent. The link is made anew by itself."
    }
  }
}
