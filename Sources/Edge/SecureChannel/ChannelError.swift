/// Why a handshake or an encrypted link was refused; nothing of it can be used afterwards.
package enum ChannelError: Error, Equatable, Sendable {
  /// A message or record is shorter or longer than its kind allows.
  case wrongLength(got: Int, allowed: ClosedRange<Int>)
  /// The authentication tag does not fit: altered, replayed, reordered, or another protocol.
  case notAuthentic
  /// A public key is a point of low order, which would make the shared secret known to anybody.
  case lowOrderPoint
  /// The payload that names the identity is not what the protocol says.
  case malformedPayload
  /// The other end speaks a version this node does not know.
  case wrongVersion(got: UInt64)
  /// The identity did not sign the key this link is encrypted with.
  case wrongSignature
  /// The other end is this node itself.
  case ownIdentity
  /// A frame announces more bytes than the limit.
  case frameTooLong(length: Int, limit: Int)
  /// A frame announces no bytes at all, or a record carries none.
  case frameEmpty
  /// A record carries more bytes than its frame announced.
  case trailingBytes(count: Int)
  /// A message came or was asked for when it was not its turn.
  case outOfTurn
  /// As many records were sent as the counter can tell apart; a new link is needed.
  case exhausted
  /// The channel failed before, and stays failed.
  case failedBefore

  /// A stable name for logs and for programs.
  package var code: String {
    switch self {
    case .wrongLength: "wrongLength"
    case .notAuthentic: "notAuthentic"
    case .lowOrderPoint: "lowOrderPoint"
    case .malformedPayload: "malformedPayload"
    case .wrongVersion: "wrongVersion"
    case .wrongSignature: "wrongSignature"
    case .ownIdentity: "ownIdentity"
    case .frameTooLong: "frameTooLong"
    case .frameEmpty: "frameEmpty"
    case .trailingBytes: "trailingBytes"
    case .outOfTurn: "outOfTurn"
    case .exhausted: "exhausted"
    case .failedBefore: "failedBefore"
    }
  }
}

extension ChannelError: CustomStringConvertible {
  /// A sentence saying what was wrong and what to do next.
  package var description: String {
    switch self {
    case .wrongLength(let got, let allowed):
      """
      The other end sent \(got) bytes where \(allowed.lowerBound) to \(allowed.upperBound) belong. \
      Check that the address is one of Tabletalk and that both run the same version.
      """
    case .notAuthentic:
      """
      What arrived was not what the other end encrypted. If it happens again, something between \
      the two laptops changes the traffic, or they run different versions.
      """
    case .lowOrderPoint:
      "The other end offered a key that protects nothing. Do not connect to it."
    case .malformedPayload:
      "The other end did not say who it is in the agreed form. Update Tabletalk on both laptops."
    case .wrongVersion(let got):
      "The other end speaks version \(got) of the link. Update Tabletalk on the older laptop."
    case .wrongSignature:
      "The other end claims an identity that did not sign its key. Do not trust this address."
    case .ownIdentity:
      "The address leads back to this laptop. Give the address of another one."
    case .frameTooLong(let length, let limit):
      "The other end announced \(length) bytes, more than the \(limit) allowed. The link is closed."
    case .frameEmpty:
      "The other end sent a message without content. The link is closed."
    case .trailingBytes(let count):
      "The other end sent \(count) bytes more than it announced. The link is closed."
    case .outOfTurn:
      "A message of the handshake came out of turn. Connect again."
    case .exhausted:
      "The link has been used for as many records as it may. Connect again."
    case .failedBefore:
      "The link failed before. Connect again."
    }
  }
}
