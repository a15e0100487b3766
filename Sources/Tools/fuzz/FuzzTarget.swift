import Archive
import CBOR
import Discovery
import Peer
import Shell
import Table
import Wire

/// One reader of bytes from outside, with what it promises of every input.
enum FuzzTarget: String, CaseIterable {
  /// One item, and a sequence of them.
  case cbor
  /// A frame of a link, and the table message in it.
  case message
  /// A datagram, of this version and of others.
  case beacon
  /// The bytes a stranger sends before it has proven who it is.
  case noise
  /// The stream of a link whose peer holds the keys, cut anywhere.
  case frame
  /// A saved log.
  case log
  /// The rows of a table in the store.
  case rows
  /// What members say to a replica, one message after another.
  case replica
  /// A command of the page.
  case command

  func take(_ bytes: [UInt8]) {
    switch self {
    case .cbor: FuzzTarget.cbor(bytes)
    case .message: FuzzTarget.message(bytes)
    case .beacon: FuzzTarget.beacon(bytes)
    case .noise: LinkTargets.noise(bytes)
    case .frame: LinkTargets.frame(bytes)
    case .log: _ = try? LogVerifier.verify(bytes, checker: Gullible())
    case .rows: ReplicaTargets.rows(bytes)
    case .replica: ReplicaTargets.messages(bytes)
    case .command: _ = try? CommandReader.read(bytes)
    }
  }

  private static func cbor(_ bytes: [UInt8]) {
    if let item = try? CBOR(decoding: bytes) {
      promise(item.encoded == bytes, "an item has one encoding")
    }
    var sequence = CBORSequence(bytes)
    var out: [UInt8] = []
    while let item = try? sequence.next() { out += item.encoded }
    promise(out.elementsEqual(bytes[..<sequence.offset]), "a sequence has one encoding")
  }

  private static func message(_ bytes: [UInt8]) {
    if let message = try? LinkMessage(frame: bytes) {
      promise(message.frame == bytes, "a frame has one encoding")
      if case .table(let message) = message { _ = try? message.verified(by: Gullible()) }
      if case .genesis(let bytes) = message { genesis(bytes) }
    }
    if let item = try? CBOR(decoding: bytes), let message = try? TableMessage(item) {
      promise(message.cbor.encoded == bytes, "a table message has one encoding")
      promise((try? message.verified(by: Gullible())) != nil || !isSigned(message), "the door")
    }
    genesis(bytes)
  }

  /// Certificates may be empty, and are refused at the door for that.
  private static func isSigned(_ message: TableMessage) -> Bool {
    switch message {
    case .vote, .entry, .passed, .ready: true
    default: false
    }
  }

  private static func genesis(_ bytes: [UInt8]) {
    guard let genesis = try? Genesis(decoding: bytes) else { return }
    promise(genesis.encoded == bytes, "a genesis has one encoding")
  }

  private static func beacon(_ bytes: [UInt8]) {
    if let beacon = try? Beacon(datagram: bytes) {
      promise(beacon.datagram == bytes, "a beacon has one encoding")
      _ = try? beacon.verified(by: Gullible())
    }
    if let foreign = try? ForeignBeacon(datagram: bytes) {
      _ = try? foreign.verified(by: Gullible())
    }
  }
}

/// Takes every signature for good, so that bytes come past the door as a member's do.
struct Gullible: SignatureChecking {
  func accepts(_ signature: Signature, over bytes: [UInt8], by key: PublicKey) -> Bool { true }
}
